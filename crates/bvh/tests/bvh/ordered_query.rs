//! What searches in order find: the first triangle along a segment and the nearest one to a point are never left out. The slow
//! twin looks at all of them.
#![allow(clippy::unwrap_used)]

use crate::{segment_query, support};

use std::ops::ControlFlow;

use segment_query::{matrix, segments};
use support::{Triangle, ball, lattice, soup};
use xcollide_bvh::wide::{self, CompactTree, NodeKind, Traversal, WideBvh, WideOptions, WideTree};
use xcollide_math::Pose;
use xcollide_predicates::{Point, Ray, ray_reaches, ray_triangle, triangle_distance};
use xcollide_scenes::{Poses, Random};

/// The triangles in the order in which they are shown, with the processor's instructions and without.
fn both_ways(
    search: impl Fn(&mut Traversal, &mut dyn FnMut(u32) -> ControlFlow<(), f64>) -> ControlFlow<()>,
    told: &dyn Fn(u32) -> f64,
) -> Vec<u32> {
    let [fast, plain] = [Traversal::new(), Traversal::portable()].map(|mut traversal| {
        let (mut shown, mut least) = (Vec::new(), f64::INFINITY);
        let flow = search(&mut traversal, &mut |triangle| {
            shown.push(triangle);
            least = least.min(told(triangle));
            ControlFlow::Continue(least)
        });
        assert!(flow.is_continue());
        shown
    });
    assert_eq!(fast, plain);
    let mut sorted = fast.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), fast.len(), "one was shown twice");
    fast
}

/// Where a segment meets each triangle first, from 0 to 1; else infinite.
fn fractions(world: &[Triangle], [start, end]: [Point; 2]) -> Vec<f64> {
    let line = Ray::through(start, end);
    let fraction = |triangle: &Triangle| match ray_triangle(&line, triangle) {
        Some(hit) if ray_reaches(&line, triangle, &hit, 1.0) => hit.parameter,
        _ => f64::INFINITY,
    };
    world.iter().map(fraction).collect()
}

/// How many triangles the searches of a tree showed, along segments and around points.
fn check<N: NodeKind>(
    tree: &WideBvh<N>,
    pose: &Pose,
    world: &[Triangle],
    segments: &[[Point; 2]],
) -> [usize; 2] {
    let [mut along, mut around] = [0, 0];
    for &segment in segments {
        let told = fractions(world, segment);
        let least = told.iter().copied().fold(f64::INFINITY, f64::min);
        let search = |traversal: &mut Traversal,
                      visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>| {
            let ray = [segment[0], [0, 1, 2].map(|k| segment[1][k] - segment[0][k])];
            wide::ordered_ray_query((tree, pose), ray, 1.0, traversal, visit)
        };
        if segment[0] != segment[1] {
            let all = both_ways(search, &|_| 1.0);
            let met = (0..world.len()).filter(|&t| told[t].is_finite());
            assert!(met.clone().all(|t| all.contains(&(t as u32))), "{segment:?}");
            let shown = both_ways(search, &|t| told[t as usize]);
            // Equal ones are shown, too.
            let mut first = met.filter(|&t| told[t] == least);
            assert!(first.all(|t| shown.contains(&(t as u32))), "{segment:?}");
            assert!(shown.len() <= all.len());
            along += shown.len();
        }
        let point = segment[1];
        let distances: Vec<f64> =
            world.iter().map(|triangle| triangle_distance(&[point; 3], triangle)).collect();
        let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
        let search = |traversal: &mut Traversal,
                      visit: &mut dyn FnMut(u32) -> ControlFlow<(), f64>| {
            wide::nearest_query((tree, pose), point, traversal, visit)
        };
        let shown = both_ways(search, &|t| distances[t as usize]);
        let mut nearest = (0..world.len()).filter(|&t| distances[t] == least);
        assert!(nearest.all(|t| shown.contains(&(t as u32))), "{point:?}");
        around += shown.len();
    }
    [along, around]
}

#[test]
fn the_first_and_the_nearest_triangle_are_shown() {
    let (mut poses, mut random) = (Poses::new(65), Random::new(66));
    let meshes = [
        soup(150, 0.2, &mut random),
        lattice(100, &mut random),
        ball(8, 16),
        vec![[[0.25, 1.0, -3.0]; 3]; 3],
    ];
    let [mut along, mut around, mut queries] = [0; 3];
    for triangles in &meshes {
        for (scale, far) in [(1.0, 0.0), (1.0, 1e9), (1e-9, 0.0), (1e9, 1e6), (1e-9, 1.0)] {
            // Also what is a rotation only nearly.
            let stretch = [1.0, 1.0 + 0.999e-6][random.bits() as usize % 2];
            let rotation = matrix(poses.rotation().map(|x| x * stretch));
            let pose = Pose::from_stored(rotation, poses.direction().map(|x| x * far)).unwrap();
            let scaled: Vec<Triangle> =
                triangles.iter().map(|t| t.map(|p| p.map(|x| x * scale))).collect();
            let world: Vec<Triangle> = scaled.iter().map(|t| t.map(|p| pose.apply(p))).collect();
            let segments = segments(&world, scale, &mut random);
            let corners: Vec<[u32; 3]> =
                (0..scaled.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
            let (positions, options) = (scaled.concat(), WideOptions::default());
            let tree = WideTree::build(&positions, &corners, options);
            let shown = check(&tree, &pose, &world, &segments);
            check(&CompactTree::build(&positions, &corners, options), &pose, &world, &segments);
            if scale == 1.0 && far == 0.0 {
                along += shown[0];
                around += shown[1];
                queries += segments.len();
            }
        }
    }
    assert!(queries > 300, "{queries}");
    assert!(along < 5 * queries && around < 9 * queries, "{along} {around} of {queries}");
}

/// Beyond the range of the margins everything is shown; of nothing, nothing.
#[test]
fn points_beyond_all_range_lose_nothing() {
    let triangles = ball(4, 8);
    let corners: Vec<[u32; 3]> =
        (0..triangles.len() as u32).map(|i| [0, 1, 2].map(|k| 3 * i + k)).collect();
    let tree = WideTree::build(&triangles.concat(), &corners, WideOptions::default());
    for far in [0.0, 1e60, 1e200] {
        let pose = Pose::from_translation([far, 0.0, 0.0]);
        let mut count = 0;
        let _ = wide::nearest_query((&tree, &pose), [-far; 3], &mut Traversal::new(), |_| {
            count += 1;
            ControlFlow::Continue(f64::INFINITY)
        });
        assert_eq!(count, triangles.len(), "{far}");
    }
    let nothing = WideTree::build(&[], &[], WideOptions::default());
    let placed = (&nothing, &Pose::IDENTITY);
    let flow =
        wide::nearest_query(placed, [0.0; 3], &mut Traversal::new(), |_| ControlFlow::Break(()));
    assert!(flow.is_continue());
}
