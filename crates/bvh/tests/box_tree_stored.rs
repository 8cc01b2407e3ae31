//! Trees of cut-planes go through serde and come back the same; damaged ones are refused or
//! harmless.
#![cfg(feature = "serde")]

mod box_tree_soups;

use box_tree_soups::{Random, edges_of, soup};
use serde::Serialize;
use serde::de::DeserializeOwned;
use xcollide_bvh::Candidates;
use xcollide_bvh::classic::box_tree::{BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
use xcollide_math::Pose;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Changes one number of a stored tree at a time and reads it back.
fn damaged<T: Serialize + DeserializeOwned>(
    tree: &T,
    random: &mut Random,
    mut used: impl FnMut(T),
) -> Result<[usize; 2], Failure> {
    let text = serde_json::to_string(tree)?;
    let starts: Vec<usize> = (1..text.len())
        .filter(|&i| {
            text.as_bytes()[i].is_ascii_digit() && !text.as_bytes()[i - 1].is_ascii_digit()
        })
        .collect();
    let mut read = [0; 2];
    for _ in 0..2000 {
        let start = starts[random.below(starts.len())];
        let mut bytes = text.clone().into_bytes();
        bytes[start] = b"0123456789"[random.below(10)];
        match serde_json::from_slice(&bytes) {
            Ok(tree) => {
                read[0] += 1;
                used(tree);
            }
            Err(_) => read[1] += 1,
        }
    }
    Ok(read)
}

#[test]
fn trees_come_back_the_same() -> Result<(), Failure> {
    let mut random = Random::new(23);
    for count in [0, 1, 2, 30, 60] {
        let triangles = if count == 0 { Vec::new() } else { soup(&mut random, count) };
        let tree = BoxTree::new(&triangles, &edges_of(&triangles), &BoxTreeOptions::default())?;
        let back: BoxTree = serde_json::from_str(&serde_json::to_string(&tree)?)?;
        assert_eq!(back, tree);
        for leaf_size in [1, 3] {
            let tree = IntervalTree::new(&triangles, IntervalSplit::default(), leaf_size)?;
            let back: IntervalTree = serde_json::from_str(&serde_json::to_string(&tree)?)?;
            assert_eq!(back, tree);
        }
    }
    Ok(())
}

#[test]
fn damaged_trees_are_refused_or_harmless() -> Result<(), Failure> {
    let mut random = Random::new(29);
    let triangles = soup(&mut random, 60);
    let id = Pose::IDENTITY;

    let tree = BoxTree::new(&triangles, &edges_of(&triangles), &BoxTreeOptions::default())?;
    let [accepted, refused] = damaged(&tree, &mut random, |mut damaged: BoxTree| {
        for test in [BoxTest::LineTables, BoxTest::Realigned] {
            BoxTreeTraversal::new((&damaged, &id), (&tree, &id)).test(test).all(|_, _| true);
            BoxTreeTraversal::new((&tree, &id), (&damaged, &id)).test(test).all_edge_face(|_| true);
        }
        let _ = damaged.refit(&triangles, &edges_of(&triangles));
    })?;
    assert!(accepted > 0 && refused > 0, "{accepted}, {refused}");

    let tree = IntervalTree::new(&triangles, IntervalSplit::default(), 2)?;
    let [accepted, refused] = damaged(&tree, &mut random, |mut damaged: IntervalTree| {
        IntervalTreeTraversal::new((&damaged, &id), (&tree, &id)).all(|_, _| true);
        let _ = damaged.refit(&triangles);
    })?;
    assert!(accepted > 0 && refused > 0, "{accepted}, {refused}");
    Ok(())
}

/// Large enough for several tasks.
#[test]
fn any_number_of_threads_makes_the_same_trees() -> Result<(), Failure> {
    let mut random = Random::new(31);
    // Small ones, or most would lie in both halves of every cut.
    let mut small = || {
        let mut soup = soup(&mut random, 9000);
        for [a, b, c] in &mut soup {
            (*b, *c) = (near(*a, *b), near(*a, *c));
        }
        soup
    };
    let (triangles, moved) = (small(), small());
    let (edges, moved_edges) = (edges_of(&triangles), edges_of(&moved));
    let mut made = Vec::new();
    for threads in [1, 2, 5] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        made.push(pool.install(|| -> Result<_, Failure> {
            let tree = BoxTree::new(&triangles, &edges, &BoxTreeOptions::default())?;
            let mut refitted = tree.clone();
            refitted.refit(&moved, &moved_edges)?;
            let surface = IntervalTree::new(&triangles, IntervalSplit::Surface, 1)?;
            let median = IntervalTree::new(&triangles, IntervalSplit::Median, 2)?;
            // The numbering is the one that stored trees must have.
            for tree in [&tree, &refitted] {
                let back: BoxTree = serde_json::from_str(&serde_json::to_string(tree)?)?;
                assert_eq!(back, *tree);
            }
            for tree in [&surface, &median] {
                let back: IntervalTree = serde_json::from_str(&serde_json::to_string(tree)?)?;
                assert_eq!(back, *tree);
            }
            Ok((tree, refitted, surface, median))
        })?);
    }
    assert!(made.iter().all(|trees| *trees == made[0]));
    let shape = made[0].0.shape();
    assert!(shape.largest_leaf < 2000, "there were several tasks: {shape:?}");
    Ok(())
}

/// A hundredth of the way from `a` to `b`.
fn near(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + 0.01 * (b[axis] - a[axis]))
}
