//! Box-trees find exactly the pairs that brute force finds.
#![allow(clippy::unwrap_used)]

mod box_tree_soups;

use std::ops::ControlFlow;

use box_tree_soups::{Random, Scene, cube, edges_of, map, rotation, soup};
use xcollide_bvh::classic::box_tree::{
    BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal, CutSearch,
};
#[cfg(feature = "parallel")]
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree};
use xcollide_bvh::levels::{Level, Levels};
use xcollide_bvh::{BuildError, Candidates, Counts, DescentRule};
use xcollide_math::Pose;

const TESTS: [BoxTest; 2] = [BoxTest::LineTables, BoxTest::Realigned];

fn options(random: &mut Random) -> BoxTreeOptions {
    let bisection = CutSearch::Bisection { iterations: 10, enough: 0.5 };
    BoxTreeOptions {
        search: [CutSearch::Sweep, bisection][random.below(2)],
        empty_share: [0.0, 0.3, 1.0][random.below(3)],
        min_triangles: [1, 2, 8][random.below(3)],
        thickness: [0.0, 1e-10, 1e-3][random.below(3)],
        crossing_weight: [0.0, 1.0, 3.0][random.below(3)],
        max_copies: [1.0, 3.0, 100.0][random.below(3)],
        ..BoxTreeOptions::default()
    }
}

/// Runs scenes; returns how many of them had hits, and how many had none.
fn compare(seed: u64, rounds: usize, count: usize) -> Result<[usize; 2], BuildError> {
    let mut random = Random::new(seed);
    let mut scenes = [0; 2];
    for round in 0..rounds {
        let scene = Scene::random(&mut random, count);
        let options = options(&mut random);
        let a = BoxTree::new(&scene.a, &edges_of(&scene.a), &options)?;
        let b = BoxTree::new(&scene.b, &edges_of(&scene.b), &options)?;
        let expected = scene.brute_force();
        scenes[usize::from(expected.is_empty())] += 1;
        let expected_edges = (round % 3 == 0).then(|| scene.brute_force_edge_face());
        for test in TESTS {
            for rule in [DescentRule::LargerFirst, DescentRule::Alternate] {
                let mut pairing =
                    BoxTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
                        .test(test)
                        .rule(rule);
                let context =
                    format!("seed {seed}, round {round}, {test:?}, {rule:?}, {options:?}");
                assert_eq!(pairing.all(|i, j| scene.collide(i, j)), expected, "{context}");
                let first = pairing.first(|i, j| scene.collide(i, j));
                assert_eq!(first.is_some(), !expected.is_empty(), "{context}");
                assert!(first.is_none_or(|pair| expected.contains(&pair)), "{context}");
                // Copies of what crosses cuts must not be asked about again.
                let mut asked = Vec::new();
                assert_eq!(pairing.first(|i, j| (asked.push((i, j)), false).1), None);
                let count = asked.len();
                asked.sort_unstable();
                asked.dedup();
                assert_eq!(asked.len(), count, "{context}");
                if let Some(expected) = &expected_edges {
                    let mut found = Vec::new();
                    let _ = pairing.edge_face_candidates(|pair| {
                        found.extend(scene.edge_face_collide(pair).then_some(pair));
                        ControlFlow::Continue(())
                    });
                    found.sort_unstable();
                    assert_eq!(&found, expected, "{context}");
                }
            }
        }
    }
    Ok(scenes)
}

#[test]
fn all_hits_are_those_of_brute_force() -> Result<(), BuildError> {
    compare(2, 12, 150)?;
    let [hits, misses] = compare(1, 150, 30)?;
    assert!(hits > 30 && misses > 10, "{hits} hits, {misses} misses");
    Ok(())
}

#[test]
#[ignore = "long: thousands of scenes"]
fn all_hits_are_those_of_brute_force_soak() -> Result<(), BuildError> {
    for seed in 100..110 {
        compare(seed, 1000, 40)?;
    }
    Ok(())
}

#[test]
fn rounding_far_from_the_origin_is_covered() -> Result<(), BuildError> {
    let mut random = Random::new(17);
    let mut closed = 0;
    for _ in 0..300 {
        let scene = Scene::far(&mut random);
        let options = BoxTreeOptions { thickness: 0.0, ..options(&mut random) };
        let a = BoxTree::new(&scene.a, &[], &options)?;
        let b = BoxTree::new(&scene.b, &[], &options)?;
        let expected = scene.brute_force();
        closed += usize::from(!expected.is_empty());
        for test in TESTS {
            let found = BoxTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
                .test(test)
                .all(|i, j| scene.collide(i, j));
            assert_eq!(found, expected);
        }
    }
    assert!(closed > 50 && closed < 290, "{closed}");
    Ok(())
}

/// The tests may not get away with handing over everything.
#[test]
fn far_fewer_pairs_are_handed_over_than_there_are() -> Result<(), BuildError> {
    let sheet = cube(12);
    let tree = BoxTree::new(&sheet, &edges_of(&sheet), &BoxTreeOptions::default())?;
    assert!(copies(&tree, sheet.len()) < 1.5);
    let gap = Pose::from_translation([2.0 + 1e-6, 0.3, 0.1]);
    let (sine, cosine) = (0.6, 0.8);
    let tilted = Pose::from_matrix(
        [[cosine, -sine, 0.0], [sine, cosine, 0.0], [0.0, 0.0, 1.0]],
        [1.0 + cosine + sine + 0.001, 0.0, 0.2],
    )
    .unwrap();
    for (motion, most) in [(gap, 0), (tilted, 300)] {
        for test in TESTS {
            let mut counts = Counts::default();
            let found = BoxTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &motion))
                .test(test)
                .counting(&mut counts)
                .all(|_, _| true);
            assert!(found.len() <= most, "{test:?}: {} candidates", found.len());
            assert!(counts.volumes < 4000, "{test:?}: {counts:?}");
        }
    }
    Ok(())
}

/// The line tables decide as a separating axis test over fifteen axes would; six axes hand over
/// more.
#[test]
fn line_tables_reject_what_six_axes_cannot() -> Result<(), BuildError> {
    let mut random = Random::new(7);
    let mut fewer = 0;
    let mut totals = [0; 2];
    for _ in 0..200 {
        let [a, b] = [0; 2].map(|_| soup(&mut random, 30));
        let fine =
            BoxTreeOptions { min_triangles: 2, max_copies: 3.0, ..BoxTreeOptions::default() };
        let a = BoxTree::new(&a, &[], &fine)?;
        let b = BoxTree::new(&b, &[], &fine)?;
        let motion = Pose::from_matrix(rotation(&mut random), random.point(1.5)).unwrap();
        let counts = TESTS.map(|test| {
            let mut counts = Counts::default();
            let _ = BoxTreeTraversal::new((&a, &Pose::IDENTITY), (&b, &motion))
                .test(test)
                .rule(DescentRule::Alternate)
                .counting(&mut counts)
                .candidates(|_, _| ControlFlow::Continue(()));
            counts.volumes
        });
        assert!(counts[0] <= counts[1]);
        fewer += usize::from(counts[0] < counts[1]);
        totals = [totals[0] + counts[0], totals[1] + counts[1]];
    }
    assert!(fewer > 20, "{fewer}, {totals:?}");
    Ok(())
}

#[test]
fn a_refitted_tree_finds_what_a_new_one_finds() -> Result<(), BuildError> {
    let mut random = Random::new(3);
    let mut hits = 0;
    for _ in 0..60 {
        let mut scene = Scene::random(&mut random, 30);
        let options = options(&mut random);
        let mut a = BoxTree::new(&scene.a, &edges_of(&scene.a), &options)?;
        let b = BoxTree::new(&scene.b, &edges_of(&scene.b), &options)?;
        let before = a.clone();
        a.refit(&scene.a, &edges_of(&scene.a))?;
        assert_eq!(a, before, "nothing has moved");
        let scale = scene.b[0][0][0].abs();
        for triangle in &mut scene.a {
            let offset = random.point(0.3 * scale);
            *triangle = triangle.map(|p| [0, 1, 2].map(|k| 0.9 * p[k] + offset[k]));
        }
        a.refit(&scene.a, &edges_of(&scene.a))?;
        let expected = scene.brute_force();
        hits += usize::from(!expected.is_empty());
        for test in TESTS {
            let found = BoxTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
                .test(test)
                .all(|i, j| scene.collide(i, j));
            assert_eq!(found, expected);
        }
    }
    assert!(hits > 10);
    Ok(())
}

/// Entries of triangles in leaves for each triangle.
fn copies(tree: &BoxTree, triangles: usize) -> f64 {
    let entries: usize = tree.volumes(Level::Leaves).map(|leaf| leaf.primitives.len()).sum();
    entries as f64 / triangles as f64
}

#[test]
fn copies_stay_within_their_bound() -> Result<(), BuildError> {
    let mut random = Random::new(5);
    for max_copies in [1.0, 1.5, 4.0] {
        // Long slivers cross every cut.
        let slivers: Vec<_> = (0..300).map(|_| [0; 3].map(|_| random.point(1.0))).collect();
        let options = BoxTreeOptions { max_copies, max_share: 1.0, ..BoxTreeOptions::default() };
        let tree = BoxTree::new(&slivers, &[], &options)?;
        let found = copies(&tree, slivers.len());
        assert!(found <= max_copies + 1e-9, "{found}");
        let limit = BoxTreeOptions::DEPTH_LIMIT as usize;
        assert!(tree.volumes(Level::Leaves).all(|leaf| leaf.level <= limit));
    }
    Ok(())
}

#[test]
fn nothing_and_wrong_input() -> Result<(), BuildError> {
    let options = BoxTreeOptions::default();
    let none = BoxTree::new(&[], &[], &options)?;
    let mut one = BoxTree::new(&[[[0.5; 3]; 3]], &[], &options)?;
    for test in TESTS {
        let with_none = BoxTreeTraversal::new((&none, &Pose::IDENTITY), (&one, &Pose::IDENTITY))
            .test(test)
            .first(|_, _| true);
        assert_eq!(with_none, None);
        let with_itself = BoxTreeTraversal::new((&one, &Pose::IDENTITY), (&one, &Pose::IDENTITY))
            .test(test)
            .all(|_, _| true);
        assert_eq!(with_itself, [(0, 0)], "a point meets itself");
    }
    let mut triangle = [[0.0; 3]; 3];
    triangle[1][2] = f64::NAN;
    assert_eq!(
        BoxTree::new(&[[[0.0; 3]; 3], triangle], &[], &options),
        Err(BuildError::NonFinite { primitive: 1 })
    );
    assert_eq!(one.refit(&[], &[]), Err(BuildError::Count { found: 0, expected: 1 }));
    Ok(())
}

/// At the end of the range of f64 boxes promise nothing, and all pairs are handed over.
#[test]
fn huge_coordinates_lose_no_pair() -> Result<(), BuildError> {
    let huge = map(&cube(2), |x| x * 1e307);
    let tree = BoxTree::new(&huge, &[], &BoxTreeOptions::default())?;
    for test in TESTS {
        let found = BoxTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &Pose::IDENTITY))
            .test(test)
            .all(|i, j| i == j);
        assert_eq!(found.len(), huge.len());
    }
    Ok(())
}

/// Large enough for several tasks.
#[cfg(feature = "parallel")]
#[test]
fn any_number_of_threads_makes_the_same_trees()
-> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let mut random = Random::new(31);
    // Small ones, or most would lie in both halves of every cut.
    let near =
        |a: [f64; 3], b: [f64; 3]| [0, 1, 2].map(|axis| a[axis] + 0.01 * (b[axis] - a[axis]));
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
        made.push(pool.install(|| {
            let tree = BoxTree::new(&triangles, &edges, &BoxTreeOptions::default())?;
            let mut refitted = tree.clone();
            refitted.refit(&moved, &moved_edges)?;
            let surface = IntervalTree::new(&triangles, IntervalSplit::Surface, 1)?;
            let median = IntervalTree::new(&triangles, IntervalSplit::Median, 2)?;
            Ok::<_, BuildError>((tree, refitted, surface, median))
        })?);
    }
    assert!(made.iter().all(|trees| *trees == made[0]));
    let largest = made[0].0.volumes(Level::Leaves).map(|leaf| leaf.primitives.len()).max();
    assert!(largest < Some(2000), "there were several tasks: {largest:?}");
    Ok(())
}
