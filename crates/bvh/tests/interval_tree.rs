//! Restricted box-trees find exactly the pairs that brute force finds.
#![allow(clippy::unwrap_used)]

mod box_tree_soups;

use box_tree_soups::{Random, Scene, cube, map};
use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
use xcollide_bvh::{BuildError, Candidates, Counts, DescentRule};
use xcollide_math::Pose;

const SPLITS: [IntervalSplit; 2] = [IntervalSplit::Median, IntervalSplit::Surface];

fn compare(seed: u64, rounds: usize, count: usize) -> Result<[usize; 2], BuildError> {
    let mut random = Random::new(seed);
    let mut scenes = [0; 2];
    for round in 0..rounds {
        let scene = Scene::random(&mut random, count);
        let expected = scene.brute_force();
        scenes[usize::from(expected.is_empty())] += 1;
        for split in SPLITS {
            let leaf_size = [1, 2, 5][random.below(3)];
            let a = IntervalTree::new(&scene.a, split, leaf_size)?;
            let b = IntervalTree::new(&scene.b, split, leaf_size)?;
            for rule in [DescentRule::LargerFirst, DescentRule::Alternate] {
                let mut pairing =
                    IntervalTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
                        .rule(rule);
                let context = format!("seed {seed}, round {round}, {split:?}, {rule:?}");
                assert_eq!(pairing.all(|i, j| scene.collide(i, j)), expected, "{context}");
                let first = pairing.first(|i, j| scene.collide(i, j));
                assert_eq!(first.is_some(), !expected.is_empty(), "{context}");
                assert!(first.is_none_or(|pair| expected.contains(&pair)), "{context}");
            }
        }
    }
    Ok(scenes)
}

#[test]
fn all_hits_are_those_of_brute_force() -> Result<(), BuildError> {
    compare(12, 12, 200)?;
    let [hits, misses] = compare(11, 200, 30)?;
    assert!(hits > 40 && misses > 15, "{hits} hits, {misses} misses");
    Ok(())
}

#[test]
#[ignore = "long: thousands of scenes"]
fn all_hits_are_those_of_brute_force_soak() -> Result<(), BuildError> {
    for seed in 200..210 {
        compare(seed, 1500, 40)?;
    }
    Ok(())
}

#[test]
fn rounding_far_from_the_origin_is_covered() -> Result<(), BuildError> {
    let mut random = Random::new(19);
    let mut closed = 0;
    for round in 0..300 {
        let scene = Scene::far(&mut random);
        let a = IntervalTree::new(&scene.a, SPLITS[round % 2], 1)?;
        let b = IntervalTree::new(&scene.b, SPLITS[round % 2], 1)?;
        let expected = scene.brute_force();
        closed += usize::from(!expected.is_empty());
        let found = IntervalTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
            .all(|i, j| scene.collide(i, j));
        assert_eq!(found, expected);
    }
    assert!(closed > 50 && closed < 290, "{closed}");
    Ok(())
}

#[test]
fn each_triangle_comes_once_and_few_pairs_come_at_all() -> Result<(), BuildError> {
    let sheet = cube(12);
    for split in SPLITS {
        let tree = IntervalTree::new(&sheet, split, 1)?;
        let itself = IntervalTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &Pose::IDENTITY))
            .all(|i, j| i == j);
        assert_eq!(itself.len(), sheet.len());
        assert!(tree.bytes() <= 36 * sheet.len(), "{}", tree.bytes());
        let gap = Pose::from_translation([2.0 + 1e-5, 0.3, 0.1]);
        let tilted = Pose::from_matrix(
            [[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]],
            [1.0 + 1.4 + 0.001, 0.0, 0.2],
        )
        .unwrap();
        for (motion, most) in [(gap, 0), (tilted, 400)] {
            let mut counts = Counts::default();
            IntervalTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &motion))
                .counting(&mut counts)
                .all(|_, _| true);
            assert!(counts.primitives <= most, "{split:?}: {counts:?}");
            assert!(counts.volumes < 5000, "{split:?}: {counts:?}");
        }
    }
    Ok(())
}

#[test]
fn a_refitted_tree_finds_what_a_new_one_finds() -> Result<(), BuildError> {
    let mut random = Random::new(13);
    let mut hits = 0;
    for round in 0..80 {
        let mut scene = Scene::random(&mut random, 30);
        let mut a = IntervalTree::new(&scene.a, SPLITS[round % 2], 2)?;
        let b = IntervalTree::new(&scene.b, SPLITS[round % 2], 2)?;
        let before = a.clone();
        a.refit(&scene.a)?;
        assert_eq!(a, before, "nothing has moved");
        let scale = scene.b[0][0][0].abs();
        for triangle in &mut scene.a {
            let offset = random.point(0.3 * scale);
            *triangle = triangle.map(|p| [0, 1, 2].map(|k| 0.9 * p[k] + offset[k]));
        }
        a.refit(&scene.a)?;
        let expected = scene.brute_force();
        hits += usize::from(!expected.is_empty());
        let found = IntervalTreeTraversal::new((&a, &scene.motion_a), (&b, &scene.motion_b))
            .all(|i, j| scene.collide(i, j));
        assert_eq!(found, expected);
    }
    assert!(hits > 10);
    Ok(())
}

#[test]
fn nothing_and_wrong_input() -> Result<(), BuildError> {
    let none = IntervalTree::new(&[], IntervalSplit::default(), 1)?;
    let mut copies = IntervalTree::new(&[[[0.5; 3]; 3]; 9], IntervalSplit::default(), 1)?;
    let id = Pose::IDENTITY;
    assert_eq!(IntervalTreeTraversal::new((&none, &id), (&copies, &id)).first(|_, _| true), None);
    assert_eq!(IntervalTreeTraversal::new((&none, &id), (&none, &id)).first(|_, _| true), None);
    let all = IntervalTreeTraversal::new((&copies, &id), (&copies, &id)).all(|_, _| true);
    assert_eq!(all.len(), 81, "copies of a point meet");
    let infinite = [[[0.0; 3], [f64::INFINITY; 3], [0.0; 3]]];
    assert_eq!(
        IntervalTree::new(&infinite, IntervalSplit::Median, 1),
        Err(BuildError::NonFinite { primitive: 0 })
    );
    assert_eq!(copies.refit(&[]), Err(BuildError::Count { found: 0, expected: 9 }));
    Ok(())
}

#[test]
fn huge_coordinates_lose_no_pair() -> Result<(), BuildError> {
    for scale in [1e307, 1e90] {
        let huge = map(&cube(2), |x| x * scale);
        for split in SPLITS {
            let tree = IntervalTree::new(&huge, split, 1)?;
            let id = Pose::IDENTITY;
            let found = IntervalTreeTraversal::new((&tree, &id), (&tree, &id)).all(|i, j| i == j);
            assert_eq!(found.len(), huge.len());
        }
    }
    Ok(())
}
