//! What searches promise that are cut into parts: one part after the other is the search itself.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its trees should panic")]

use crate::searches;
use crate::support;

use std::collections::HashSet;
use std::ops::ControlFlow;

use support::{Triangle, anywhere, ball, lattice, soup};
use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_bvh::binary::{Builder, Bvh, PairTraversal};
use xcollide_bvh::classic::box_tree::{BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
use xcollide_bvh::wide::{self, CompactTree, NodeKind, Traversal, WideBvh, WideOptions, WideTree};
use xcollide_bvh::{Candidates, Counter, Counts, DescentRule};
use xcollide_math::Pose;
use xcollide_scenes::Random;

/// How many parts are asked for; the last is more than there can be.
const PARTS: [usize; 5] = [0, 1, 7, 64, 100_000];

/// Two meshes and the motions of the second.
fn cases() -> Vec<([Vec<Triangle>; 2], Pose)> {
    let mut random = Random::new(31);
    let mut cases = Vec::new();
    for round in 0..6 {
        let meshes = [
            [ball(12, 16), ball(9, 20)],
            [soup(150, 0.4, &mut random), ball(8, 8)],
            [lattice(40, &mut random), lattice(60, &mut random)],
            [soup(1, 0.5, &mut random), soup(80, 0.5, &mut random)],
        ];
        for meshes in meshes {
            cases.push((meshes, anywhere(0.3 * f64::from(round), &mut random)));
        }
    }
    // Where volumes promise nothing, and where the wholes are apart.
    cases.push(([ball(4, 4), ball(4, 4)], Pose::from_translation([1e120, 0.0, 0.0])));
    cases.push(([ball(4, 4), ball(4, 4)], Pose::from_translation([9.0, 0.0, 0.0])));
    cases
}

/// What a search shows, and what it counted.
type Shown<C> = (Vec<(u32, u32)>, C);

/// Goes through the parts and compares; returns how many there were at most, and of how many pairs.
fn compare<C: PartialEq + std::fmt::Debug>(
    whole: &Shown<C>,
    at_most: usize,
    in_parts: impl Fn(usize) -> (usize, Shown<C>),
) -> usize {
    let mut most = 0;
    for at_least in PARTS {
        let (parts, shown) = in_parts(at_least);
        assert_eq!(&shown, whole, "{at_least} parts");
        assert!(parts < at_most * at_least.max(1), "{parts} for {at_least}");
        most = most.max(parts);
    }
    most
}

fn wide_parts<N: NodeKind>(
    build: impl Fn(&[[f64; 3]], &[[u32; 3]]) -> WideBvh<N>,
    mut traversal: Traversal,
) -> usize {
    let mut most = 0;
    for (meshes, motion) in cases() {
        let trees = meshes.each_ref().map(|mesh| {
            let positions: Vec<[f64; 3]> = mesh.iter().flatten().copied().collect();
            let corners = (0..mesh.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
            build(&positions, &corners.collect::<Vec<_>>())
        });
        let a = (&trees[0], &Pose::IDENTITY);
        let b = (&trees[1], &motion);
        let mut whole = (Vec::new(), Counts::default());
        let _ = searches::candidates(a, b, &mut traversal, &mut whole.1, &mut |s, t| {
            whole.0.push((s, t));
            ControlFlow::Continue(())
        });
        most = most.max(compare(&whole, 8, |at_least| {
            let (mut parts, mut shown) = (Vec::new(), (Vec::new(), Counts::default()));
            let mut traversal = traversal.clone();
            let _ = wide::parts(a, b, at_least, &mut traversal, &mut shown.1, &mut parts);
            for &part in &parts {
                let mut visit = |s, t| {
                    shown.0.push((s, t));
                    ControlFlow::Continue(())
                };
                let tally = &mut shown.1;
                let _ = searches::candidates_below(part, a, b, tally, &mut visit);
            }
            (parts.len(), shown)
        }));
    }
    most
}

/// The same pairs in the same order with as many tests, for every kind of wide node.
#[test]
fn parts_of_a_wide_search_are_the_search_in_order() {
    let options = WideOptions::default();
    let most = [
        wide_parts(|p, t| WideTree::build(p, t, options), Traversal::new()),
        wide_parts(|p, t| WideTree::build(p, t, options), Traversal::portable()),
        wide_parts(|p, t| CompactTree::build(p, t, options), Traversal::new()),
    ];
    assert!(most.iter().all(|&parts| parts > 100), "little was cut: {most:?}");
}

fn binary_parts<V: BoundingVolume>(rule: DescentRule) -> usize {
    let mut most = 0;
    for (meshes, motion) in cases() {
        let trees = meshes.each_ref().map(|mesh| Builder::default().build(mesh).unwrap());
        let [a, b]: &[Bvh<V>; 2] = &trees;
        let pairing = || PairTraversal::new((a, &Pose::IDENTITY), (b, &motion)).rule(rule);
        let mut whole = (Vec::new(), Counts::default());
        let _ = pairing().counting(&mut whole.1).candidates(|s, t| {
            whole.0.push((s, t));
            ControlFlow::Continue(())
        });
        // How often volumes are moved depends on the parts; what is tested does not.
        whole.1.moved = 0;
        most = most.max(compare(&whole, 4, |at_least| {
            let (mut parts, mut shown) = (Vec::new(), (Vec::new(), Counts::default()));
            let mut pairing = pairing().counting(&mut shown.1);
            let _ = pairing.parts(at_least, &mut parts);
            for &part in &parts {
                let _ = pairing.candidates_below(part, |s, t| {
                    shown.0.push((s, t));
                    ControlFlow::Continue(())
                });
            }
            shown.1.moved = 0;
            (parts.len(), shown)
        }));
    }
    most
}

/// The same for binary trees, whatever the volumes, and by every rule.
#[test]
fn parts_of_a_traversal_are_the_traversal_in_order() {
    let mut most = Vec::new();
    for rule in [DescentRule::LargerFirst, DescentRule::Alternate, DescentRule::Both] {
        most.push(binary_parts::<Obb>(rule));
        most.push(binary_parts::<Aabb>(rule));
    }
    most.push(binary_parts::<KDop<18>>(DescentRule::default()));
    most.push(binary_parts::<Sphere>(DescentRule::default()));
    assert!(most.iter().all(|&parts| parts > 100), "little was cut: {most:?}");
}

/// The same for restricted box-trees; for box-trees but for pairs that several parts show, with either test of boxes.
#[test]
fn parts_of_cut_trees_are_the_search_in_order() {
    let mut most = [0; 4];
    for (meshes, motion) in cases() {
        let trees = meshes
            .each_ref()
            .map(|mesh| IntervalTree::new(mesh, IntervalSplit::default(), 2).unwrap());
        let search =
            || IntervalTreeTraversal::new((&trees[0], &Pose::IDENTITY), (&trees[1], &motion));
        let mut whole = (Vec::new(), Counts::default());
        let _ = search().counting(&mut whole.1).candidates(|s, t| {
            whole.0.push((s, t));
            ControlFlow::Continue(())
        });
        most[0] = most[0].max(compare(&whole, 2, |at_least| {
            let (mut parts, mut shown) = (Vec::new(), (Vec::new(), Counts::default()));
            let mut search = search().counting(&mut shown.1);
            let _ = search.parts(at_least, &mut parts);
            for part in &parts {
                let _ = search.candidates_below(part, |s, t| {
                    shown.0.push((s, t));
                    ControlFlow::Continue(())
                });
            }
            (parts.len(), shown)
        }));
        let edges = meshes.each_ref().map(|mesh| {
            mesh.iter().flat_map(|[a, b, c]| [[*a, *b], [*b, *c], [*c, *a]]).collect::<Vec<_>>()
        });
        let trees = [0, 1].map(|side| {
            BoxTree::new(&meshes[side], &edges[side], &BoxTreeOptions::default()).unwrap()
        });
        let tests = [BoxTest::Realigned, BoxTest::LineTables, BoxTest::LineTables];
        for (number, test) in tests.into_iter().enumerate() {
            // The third as in the thesis: phase after phase, both boxes by turns.
            let phases_apart = number == 2;
            let rule = if phases_apart { DescentRule::Both } else { DescentRule::default() };
            let search = || {
                BoxTreeTraversal::new((&trees[0], &Pose::IDENTITY), (&trees[1], &motion))
                    .test(test)
                    .rule(rule)
                    .phases_apart(phases_apart)
            };
            let mut whole = (Vec::new(), 0);
            let mut counts = Counts::default();
            let _ = search().counting(&mut counts).edge_face_candidates(|pair| {
                whole.0.push(pair);
                ControlFlow::Continue(())
            });
            whole.1 = counts.volumes;
            for at_least in PARTS {
                let (mut parts, mut shown) = (Vec::new(), Vec::new());
                let (mut counts, mut seen) = (Counts::default(), HashSet::new());
                let mut search = search().counting(&mut counts);
                let _ = search.parts(at_least, &mut parts);
                for part in &parts {
                    let _ = search.edge_face_candidates_below(part, |pair| {
                        shown.extend(seen.insert(pair).then_some(pair));
                        ControlFlow::Continue(())
                    });
                }
                assert_eq!((shown, counts.volumes), whole, "{at_least} parts, {test:?}");
                let phases = if phases_apart { 2 } else { 1 };
                assert!(parts.len() < 2 * at_least.max(1) * phases);
                most[1 + number] = most[1 + number].max(parts.len());
            }
        }
    }
    assert!(most.iter().all(|&parts| parts > 50), "little was cut: {most:?}");
}

/// Breaks off at once.
struct Unwilling;

impl Counter for Unwilling {
    fn volumes(&mut self, _: u64) {}
    fn primitives(&mut self, _: u64) {}
    fn moved(&mut self, _: u64) {}
    fn go_on(&mut self) -> ControlFlow<()> {
        ControlFlow::Break(())
    }
}

#[test]
fn cutting_ends_when_told_and_leaves_no_parts() {
    let mesh = ball(8, 8);
    let positions: Vec<[f64; 3]> = mesh.iter().flatten().copied().collect();
    let corners: Vec<_> = (0..mesh.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let tree = WideTree::build(&positions, &corners, WideOptions::default());
    let here = (&tree, &Pose::IDENTITY);
    let (mut parts, mut traversal) = (Vec::new(), Traversal::new());
    let end = wide::parts(here, here, 64, &mut traversal, &mut Unwilling, &mut parts);
    assert!(end.is_break() && parts.is_empty());
    let tree: Bvh<Aabb> = Builder::default().build(&mesh).unwrap();
    let here = (&tree, &Pose::IDENTITY);
    let end = PairTraversal::new(here, here).counting(Unwilling).parts(64, &mut parts);
    assert!(end.is_break() && parts.is_empty());
}
