//! Trees in motion: no pair of boxes is held apart for longer than the triangles in them are, whatever the poses and the
//! motion.

use std::collections::BTreeMap;

use xcollide_bvh::NodePair;
use xcollide_bvh::wide::{
    CompactNode, MovingTrees, NodeKind, RelativeMotion, WideBvh, WideNode, WideOptions,
};
use xcollide_math::Pose;
use xcollide_math::vector::{add, cross, scale, unit};
use xcollide_scenes::Random;

type Vector = [f64; 3];

fn direction(random: &mut Random) -> Vector {
    unit(random.in_ball()).unwrap_or([1.0, 0.0, 0.0])
}

fn pose(random: &mut Random, far: f64) -> Pose {
    let axis = direction(random);
    let angle = random.between(-3.0, 3.0);
    Pose::from_axis_angle(axis, angle, scale(random.in_ball(), far)).unwrap_or(Pose::IDENTITY)
}

fn tree<N: NodeKind>(triangles: &[[Vector; 3]]) -> WideBvh<N> {
    let corners: Vec<_> =
        (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    WideBvh::build(triangles.as_flattened(), &corners, WideOptions::default())
}

/// For each pair of triangles the part of the motion during which all the boxes around them are apart: the largest of these.
fn entries<N: NodeKind>(trees: &MovingTrees<'_, N>) -> BTreeMap<(u32, u32), f64> {
    let mut entries = BTreeMap::new();
    let root = trees.root();
    let mut open: Vec<(NodePair, f64)> = vec![(root, trees.look(root).part)];
    while let Some((pair, part)) = open.pop() {
        assert!(part >= 0.0);
        if part > 1.0 {
            continue;
        }
        if let Some([first, second]) = trees.triangles(pair) {
            for &s in first {
                for &t in second {
                    assert_eq!(entries.insert((s, t), part), None);
                }
            }
        } else {
            let below = trees.below(pair);
            open.extend(below.iter().map(|(below, until)| (below, part.max(until))));
        }
    }
    entries
}

/// Pairs of triangles, each with a point of the one that comes into one place with one of the other at a known time, but for
/// what the motion leaves open.
fn check<N: NodeKind>(seed: u64) -> [f64; 3] {
    const PAIRS: u32 = 30;
    let mut random = Random::new(seed);
    let (mut told, mut known, mut others) = (0.0, 0.0, 0.0);
    for round in 0..600 {
        let far = [0.0, 1.0, 1e3, 1e6][round % 4];
        let size = [1.0, 0.1, 0.01][round / 4 % 3];
        let poses = [pose(&mut random, far), pose(&mut random, far)];
        let motion = RelativeMotion {
            shift: scale(random.in_ball(), [0.0, 0.1, 2.0, 50.0][round / 12 % 4]),
            turn: scale(random.in_ball(), [0.0, 0.01, 0.5][round / 48 % 3]),
            distance: [0.0, 0.05][round / 7 % 2],
            drift: [0.0, 0.1][round / 5 % 2],
            bend: [0.0, 0.0, 0.2][round / 11 % 3],
        };
        let (mut first, mut second, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let [back_a, back_b] = [poses[0].inverse(), poses[1].inverse()];
        for _ in 0..PAIRS {
            let q = add(poses[1].translation(), random.in_ball());
            let time = [random.between(0.0, 1.0), 1.0, 0.0][random.bits() as usize % 3];
            let way = add(motion.shift, cross(motion.turn, q));
            let off = motion.distance + time * (motion.drift + time * motion.bend);
            let p = add(add(q, scale(way, time)), scale(direction(&mut random), off));
            times.push(time);
            let mut around = |corner: Vector| {
                [corner, add(corner, scale(random.in_ball(), size)), add(corner, random.in_ball())]
            };
            first.push(around(back_a.apply(p)));
            second.push(around(back_b.apply(q)));
        }
        // Points that were rounded in the construction are as far off as the world is large.
        let distance = motion.distance + 1e-12 * (1.0 + 60.0 * far);
        let motion = RelativeMotion { distance, ..motion };
        let (a, b) = (tree::<N>(&first), tree::<N>(&second));
        let trees = MovingTrees::new((&a, &poses[0]), (&b, &poses[1]), &motion);
        let entries = entries(&trees.unwrap_or_else(|| panic!("there are triangles")));
        for (i, time) in (0..PAIRS).zip(times) {
            let Some(part) = entries.get(&(i, i)) else {
                panic!("round {round}: {i} meet at {time}, and are told apart");
            };
            assert!(*part <= time, "round {round}: {i} meet at {time}, not after {part}");
            told += part;
            known += time;
        }
        others += 900.0 - entries.len() as f64;
    }
    [told, known, others]
}

#[test]
fn no_boxes_are_apart_for_longer_than_their_triangles() {
    for [told, known, parted] in [check::<WideNode>(1), check::<CompactNode>(2)] {
        // Bounds that are of use.
        assert!(told > 0.02 * known && parted > 10_000.0, "{told} of {known}, {parted} parted");
    }
}

/// Two triangles that face each other: the time of contact itself, whether they come straight or their way bends.
#[test]
fn entries_are_tight_along_a_face() {
    let a = tree::<WideNode>(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]]);
    let above = Pose::from_translation([0.0, 0.0, 3.0]);
    let part = |motion: &RelativeMotion| {
        let trees = MovingTrees::new((&a, &Pose::IDENTITY), (&a, &above), motion);
        let trees = trees.unwrap_or_else(|| panic!("there are triangles"));
        trees.look(trees.root())
    };
    let none = RelativeMotion::default();
    let is_near = |part: f64, expected: f64| part <= expected && part > expected - 1e-3;
    let straight = part(&RelativeMotion { shift: [0.0, 0.0, -12.0], ..none });
    assert!(is_near(straight.part, 0.25) && !straight.is_loose, "{straight:?}");
    // 2 τ + 4 τ² = 3 − 1.
    let bent = part(&RelativeMotion { shift: [0.0, 0.0, -2.0], bend: 4.0, distance: 1.0, ..none });
    assert!(bent.part > 0.45 && bent.part <= 0.5 && bent.is_loose, "{bent:?}");
    let away = part(&RelativeMotion { shift: [0.0, 0.0, 2.0], ..none });
    assert!(away.part > 1.0);
    // What is not finite tells nothing.
    for shift in [[f64::NAN; 3], [f64::INFINITY, 0.0, 0.0], [1e300; 3]] {
        assert_eq!(part(&RelativeMotion { shift, ..none }).part, 0.0);
    }
}

#[test]
fn without_triangles_there_is_nothing_in_motion() {
    let (none, some) = (tree::<WideNode>(&[]), tree::<WideNode>(&[[[0.0; 3]; 3]]));
    let here = Pose::IDENTITY;
    let motion = RelativeMotion::default();
    assert!(MovingTrees::new((&none, &here), (&some, &here), &motion).is_none());
    assert!(MovingTrees::new((&some, &here), (&none, &here), &motion).is_none());
}
