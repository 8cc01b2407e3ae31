//! Trees over triangles in linear motion: no pair is lost of which the boxes of the triangles may meet, each pair comes once, and refitted trees are new ones.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use xcollide_bvh::wide::{
    CompactTree, MovingCorners, SweptTree, SweptTrees, WideOptions, WideTree, swept_self_candidates,
};
use xcollide_math::vector::{add, scale};
use xcollide_scenes::Random;

/// Triangles in a ball, near the origin or far from it; each corner has a motion of its own.
fn soup(count: usize, far: f64, random: &mut Random) -> Vec<MovingCorners> {
    (0..count)
        .map(|_| {
            let center = add(random.in_ball(), [far, -far, 0.5 * far]);
            let way = scale(random.in_ball(), 0.5);
            [0; 3].map(|_| {
                let start = add(center, scale(random.in_ball(), 0.1));
                [start, add(add(start, way), scale(random.in_ball(), 0.1))]
            })
        })
        .collect()
}

fn tree(triangles: &[MovingCorners]) -> WideTree {
    let positions: Vec<_> = triangles.iter().flatten().map(|[start, _]| *start).collect();
    let corners: Vec<_> =
        (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    WideTree::build(&positions, &corners, WideOptions::default())
}

fn swept(triangles: &[MovingCorners]) -> SweptTree {
    SweptTree::new(&tree(triangles), |number| triangles[number as usize])
}

/// When the boxes of two triangles can first meet: above 1 if they cannot.
fn entry(first: &MovingCorners, second: &MovingCorners) -> f64 {
    let range = |triangle: &MovingCorners, axis: usize, end: usize| {
        let heights = triangle.map(|corner| corner[end][axis]);
        heights
            .into_iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
    };
    let mut latest = 0.0_f64;
    for axis in 0..3 {
        for (one, other) in [(first, second), (second, first)] {
            let gap = |end| range(other, axis, end).0 - range(one, axis, end).1;
            let (start, end) = (gap(0), gap(1));
            if start > 0.0 {
                latest = latest.max(if end > 0.0 { 2.0 } else { start / (start - end) });
            }
        }
    }
    latest
}

#[test]
fn no_pair_is_lost_whose_boxes_may_meet() {
    let mut random = Random::new(1);
    for far in [0.0, 10.0, 1e9] {
        let (first, second) = (soup(120, far, &mut random), soup(90, far, &mut random));
        let (a, b) = (swept(&first), swept(&second));
        let trees = SweptTrees::new(&a, &b);
        let mut told = BTreeSet::new();
        let _ = trees.candidates(0.0, |s: u32, t: u32| {
            assert!(told.insert((s, t)), "{s} and {t} come twice");
            ControlFlow::Continue(())
        });
        for (s, one) in (0..).zip(&first) {
            for (t, other) in (0..).zip(&second) {
                let exact = entry(one, other);
                assert!(exact > 1.0 || told.contains(&(s, t)), "{far}: {s} and {t}");
            }
        }
        assert!(far > 1e6 || told.len() < 4000, "{far}: {} pairs are left", told.len());
    }
}

#[test]
fn a_tree_against_itself_shows_each_pair_once() {
    let mut random = Random::new(2);
    for count in [0, 1, 2, 7, 150] {
        let triangles = soup(count, 1.0, &mut random);
        let tree = tree(&triangles);
        let swept = SweptTree::new(&tree, |number| triangles[number as usize]);
        for distance in [0.0, 0.05] {
            let pairs = |ranges: &[std::ops::Range<usize>]| {
                let mut told = Vec::new();
                for range in ranges {
                    let _ = swept_self_candidates(&swept, range.clone(), distance, |s, t| {
                        told.push((u32::min(s, t), u32::max(s, t)));
                        ControlFlow::Continue(())
                    });
                }
                told
            };
            let whole = pairs(std::slice::from_ref(&(0..tree.node_count())));
            let parts: Vec<_> = (0..tree.node_count()).map(|node| node..node + 1).collect();
            assert_eq!(whole, pairs(&parts));
            let told: BTreeSet<_> = whole.iter().copied().collect();
            assert_eq!(told.len(), whole.len());
            for t in 0..count as u32 {
                for s in 0..t {
                    let exact = entry(&triangles[s as usize], &triangles[t as usize]);
                    assert!(exact > 1.0 || told.contains(&(s, t)), "{s} and {t}");
                }
            }
        }
    }
}

/// Whatever the motion was before; and from either kind of tree.
#[test]
fn a_refitted_tree_is_a_new_one() {
    let mut random = Random::new(3);
    let (before, after) = (soup(200, 1.0, &mut random), soup(200, 3.0, &mut random));
    let tree = tree(&before);
    let mut refitted = SweptTree::new(&tree, |number| before[number as usize]);
    refitted.refit(|number| after[number as usize]);
    let new = SweptTree::new(&tree, |number| after[number as usize]);
    let other = swept(&before);
    let all = |tree: &SweptTree| {
        let mut pairs = Vec::new();
        let _ = SweptTrees::new(tree, &other).candidates(3.0, |s: u32, t: u32| {
            pairs.push((s, t));
            ControlFlow::Continue(())
        });
        pairs
    };
    assert!(!all(&new).is_empty());
    assert_eq!(all(&refitted), all(&new));
    let positions: Vec<_> = before.iter().flatten().map(|[start, _]| *start).collect();
    let corners: Vec<_> = (0..200).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let compact = CompactTree::build(&positions, &corners, WideOptions::default());
    let compact = SweptTree::new(&compact, |number| before[number as usize]);
    let pairs = |tree: &SweptTree| {
        let mut pairs = BTreeSet::new();
        let _ = SweptTrees::new(tree, &other).candidates(0.0, |s: u32, t: u32| {
            let exact = entry(&before[s as usize], &before[t as usize]);
            pairs.extend((exact <= 1.0).then_some((s, t)));
            ControlFlow::Continue(())
        });
        pairs
    };
    assert_eq!(pairs(&compact), pairs(&other));
}
