//! What has worn out is mended, and nothing else.

use std::ops::ControlFlow;

use xcollide_fixtures::Random;
use xcollide_math::Pose;
use xcollide_math::vector::add;

use crate::Counts;
use crate::wide::{Traversal, WideOptions, WideTree, candidates};

const SIDE: u32 = 100;

/// A sheet of 19,602 triangles; `place` moves a point of it.
fn sheet(mut place: impl FnMut([f64; 2]) -> [f64; 3]) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let mut at = |i: u32| place([i % SIDE, i / SIDE].map(|k| f64::from(k) / f64::from(SIDE - 1)));
    let cells = (0..SIDE - 1).flat_map(|y| (0..SIDE - 1).map(move |x| y * SIDE + x));
    let triangles = cells.flat_map(|c| [[c, c + 1, c + SIDE], [c + 1, c + SIDE + 1, c + SIDE]]);
    ((0..SIDE * SIDE).map(&mut at).collect(), triangles.collect())
}

/// Box tests for all pairs of a tree and itself, shifted a little.
fn tests(tree: &WideTree) -> u64 {
    let mut counts = Counts::default();
    let shifted = Pose::from_translation([0.003, 0.002, 0.001]);
    let placed = [(tree, &Pose::IDENTITY), (tree, &shifted)];
    let visit = |_: u32, _: u32| ControlFlow::Continue(());
    let _ = candidates(placed[0], placed[1], &mut Traversal::new(), &mut counts, visit);
    counts.volumes
}

/// One corner of a sheet is crumpled, the rest stays: that part alone is built again, and queries take hardly longer than with a
/// new tree.
#[test]
fn only_the_worn_part_is_built_again() {
    let crumpled = |size: f64| {
        let mut random = Random::new(5);
        let mut noise = move || size * random.signed();
        move |[u, v]: [f64; 2]| {
            let by = [noise(), noise(), noise()];
            if u < 0.3 && v < 0.3 { add([u, v, 0.0], by) } else { [u, v, 0.0] }
        }
    };
    let (start, triangles) = sheet(crumpled(0.0));
    let mut tree = WideTree::build(&start, &triangles, WideOptions::default());
    tree.refit(&start, &triangles);
    let order = tree.order().to_vec();
    for frame in 1..=10 {
        let (positions, _) = sheet(crumpled(0.005 * f64::from(frame)));
        tree.refit(&positions, &triangles);
    }
    let (positions, _) = sheet(crumpled(0.05));
    let kept = order.iter().zip(tree.order()).filter(|(a, b)| a == b).count();
    assert!(kept > order.len() / 2 && kept < order.len(), "{kept} of {}", order.len());
    let mut all = tree.order().to_vec();
    all.sort_unstable();
    assert!(all.iter().copied().eq(0..triangles.len() as u32));
    let new = WideTree::build(&positions, &triangles, WideOptions::default());
    let [refitted, new] = [tests(&tree), tests(&new)];
    assert!(4 * refitted < 5 * new, "{refitted} box tests, a new tree {new}");
    // Going on from there is no other tree.
    let nodes = tree.node_count();
    tree.refit(&positions, &triangles);
    assert_eq!(nodes, tree.node_count());
}
