//! What a segment finds in a tree: at least every triangle that it meets in the world, each once. The
//! slow twin looks at all of them.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::ops::ControlFlow;

use support::{Triangle, ball, lattice, soup};
use xcollide_bounds::{Aabb, KDop, Obb, Sphere};
use xcollide_bvh::binary::{Builder, Bvh};
use xcollide_bvh::wide::{self, CompactTree, NodeKind, Traversal, WideBvh, WideOptions, WideTree};
use xcollide_math::Pose;
use xcollide_predicates::triangles_intersect;
use xcollide_scenes::{Poses, Random};

type Segment = [[f64; 3]; 2];

/// A tree that was built, and what it finds along a segment.
type Finder = Box<dyn Fn(&Pose, Segment) -> Vec<u32>>;

fn collected(
    search: impl FnOnce(&mut dyn FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Vec<u32> {
    let mut found = Vec::new();
    let flow = search(&mut |triangle| {
        found.push(triangle);
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    found
}

/// With the processor's instructions and without, which must be the same to the order.
fn wide<N: NodeKind + 'static>(tree: WideBvh<N>) -> Finder {
    Box::new(move |motion, segment| {
        let placed = (&tree, motion);
        let [fast, plain] = [Traversal::new(), Traversal::portable()].map(|mut traversal| {
            collected(|found| wide::segment_query(placed, segment, &mut traversal, found))
        });
        assert_eq!(fast, plain);
        fast
    })
}

macro_rules! binary {
    ($volume:ty, $triangles:expr) => {{
        let tree = Builder::default().build(&$triangles);
        let tree: Bvh<$volume> = tree.unwrap_or_else(|error| panic!("{error}"));
        let finder: Finder = Box::new(move |motion, segment| {
            collected(|found| tree.segment_query(motion, segment, found))
        });
        finder
    }};
}

fn finders(triangles: &[Triangle]) -> [(&'static str, Finder); 6] {
    let positions = triangles.concat();
    let corners: Vec<[u32; 3]> =
        (0..triangles.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    let options = WideOptions::default();
    [
        ("wide", wide(WideTree::build(&positions, &corners, options))),
        ("compact", wide(CompactTree::build(&positions, &corners, options))),
        ("boxes", binary!(Aabb, triangles)),
        ("oriented boxes", binary!(Obb, triangles)),
        ("18-DOPs", binary!(KDop<18>, triangles)),
        ("spheres", binary!(Sphere, triangles)),
    ]
}

pub(super) fn matrix([x, y, z, w]: [f64; 4]) -> [[f64; 3]; 3] {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// Segments that begin or end in a corner of a triangle as it is rounded in the world, run through one
/// along an axis, or are a point; and some that have nothing to do with the triangles.
pub(super) fn segments(world: &[Triangle], size: f64, random: &mut Random) -> Vec<Segment> {
    let mut segments = Vec::new();
    for triangle in world.iter().step_by(7) {
        let corner = triangle[1];
        let aside = [0; 3].map(|_| size * random.between(-1.0, 1.0));
        let away = [0, 1, 2].map(|k| corner[k] + aside[k]);
        let other = world[random.bits() as usize % world.len()][0];
        let [x, y, z] = corner;
        segments.extend([
            [corner, away],
            [away, corner],
            [corner, other],
            [corner; 2],
            [[x - size, y, z], [x + size, y, z]],
            [[x, y, z - size], [x, y, z]],
            [away, [0, 1, 2].map(|k| away[k] + aside[k])],
            [[x + size, y + 1e-3 * size, z], [x + 3.0 * size, y + 1e-3 * size, z]],
        ]);
    }
    segments
}

/// Compares all trees with the plain way; how many triangles were met, and how many found.
fn check(triangles: &[Triangle], motion: &Pose, size: f64, random: &mut Random) -> [usize; 2] {
    let world: Vec<Triangle> = triangles.iter().map(|t| t.map(|p| motion.apply(p))).collect();
    let finders = finders(triangles);
    let [mut met, mut looked_at] = [0, 0];
    for segment in segments(&world, size, random) {
        let [start, end] = segment;
        let meets = |&t: &u32| triangles_intersect(&world[t as usize], &[start, end, end]);
        let expected: Vec<u32> = (0..world.len() as u32).filter(meets).collect();
        for (name, finder) in &finders {
            let mut found = finder(motion, segment);
            looked_at += if *name == "wide" { found.len() } else { 0 };
            let shown = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!(shown, found.len(), "{name}: one was shown twice");
            for triangle in &expected {
                assert!(
                    found.binary_search(triangle).is_ok(),
                    "{name} lacks {triangle}: {segment:?}"
                );
            }
        }
        met += expected.len();
    }
    [met, looked_at]
}

#[test]
fn a_segment_finds_every_triangle_that_it_meets() {
    let (mut poses, mut random) = (Poses::new(61), Random::new(62));
    let meshes = [
        soup(200, 0.2, &mut random),
        lattice(150, &mut random),
        ball(8, 16),
        soup(1, 1.0, &mut random),
        vec![[[0.25, 1.0, -3.0]; 3]; 3],
    ];
    let [mut met, mut looked_at] = [0, 0];
    for triangles in &meshes {
        for (scale, far) in [(1.0, 0.0), (1.0, 1e9), (1e-9, 0.0), (1e9, 1e6), (1e-9, 1.0)] {
            // Also what is a rotation only nearly.
            let stretch = [1.0, 1.0 + 0.999e-6][random.bits() as usize % 2];
            let rotation = matrix(poses.rotation().map(|x| x * stretch));
            let motion = Pose::from_stored(rotation, poses.direction().map(|x| x * far)).unwrap();
            let scaled: Vec<Triangle> =
                triangles.iter().map(|t| t.map(|p| p.map(|x| x * scale))).collect();
            let [more, shown] = check(&scaled, &motion, scale, &mut random);
            met += more;
            looked_at += if scale == 1.0 && far == 0.0 { shown } else { 0 };
        }
    }
    assert!(met > 10_000, "{met}");
    // Of those of ordinary size and place.
    assert!(looked_at < 6000, "{looked_at}: the trees part hardly anything");
}

/// Of a model beyond the range in which volumes are right everything is shown.
#[test]
fn segments_beyond_all_range_lose_nothing() {
    let far = Pose::from_translation([1e200, 0.0, 0.0]);
    let corner = [1e200, 1.0, 0.0];
    for (name, finder) in finders(&ball(4, 8)) {
        assert!(!finder(&far, [corner; 2]).is_empty(), "{name}");
    }
}

#[test]
fn a_tree_of_nothing_has_nothing_along_a_segment() {
    for (name, finder) in finders(&[]) {
        assert!(finder(&Pose::IDENTITY, [[0.0; 3], [1.0; 3]]).is_empty(), "{name}");
    }
}

/// Who breaks off is shown no more.
#[test]
fn a_break_ends_the_search_segment_a_segment() {
    let triangles = ball(8, 16);
    let corners: Vec<[u32; 3]> =
        (0..triangles.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    let tree = WideTree::build(&triangles.concat(), &corners, WideOptions::default());
    let placed = (&tree, &Pose::IDENTITY);
    let through = [[-2.0, 0.1, 0.1], [2.0, 0.1, 0.1]];
    let mut shown = 0;
    let flow = wide::segment_query(placed, through, &mut Traversal::new(), |_| {
        shown += 1;
        ControlFlow::Break(())
    });
    assert!(flow.is_break() && shown == 1);
}
