//! A coherent cache never changes an answer: along walks that hover about contact, each frame's
//! verdict is that of a fresh cache, and every witness and separation is verified.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;

use nalgebra::{Isometry3, Vector3};
use support::{Random, checked, hierarchies, random_pose, shape};
use xcollide_bounds::KDop;
use xcollide_fixtures::long_run;
use xcollide_narrow::bvh::binary::{Builder, Split};
use xcollide_narrow::bvh::classic::{box_tree::BoxTree, interval_tree::IntervalTree};
use xcollide_narrow::classic::{Arbitrary, EdgeFaceTrees, PatchTrees, SphereOctrees};
use xcollide_narrow::mesh::{BinaryTrees, BruteForce, BvhPair, Wide};
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, Verdict};

const SHAPES: [&str; 6] = [
    "shape:box",
    "shape:sphere?faces=300",
    "shape:torus?faces=400",
    "shape:tetraflake?depth=2",
    "shape:soup?faces=60",
    "shape:mobius?faces=80",
];

/// A pose a small step on, nearer to the origin or farther from it.
fn step(pose: &Pose, length: f64, inward: bool, random: &mut Random) -> Pose {
    let mut vector = || Vector3::from([(); 3].map(|()| random.signed() * length));
    let (slide, turn) = (vector(), vector());
    let t = Vector3::from(pose.translation());
    let push = if inward { -length } else { length } * random.signed().abs() / t.norm().max(0.1);
    let turned = Pose::try_from(Isometry3::rotation(turn)).unwrap() * *pose;
    turned.with_translation((t * (1.0 + push) + slide).into())
}

/// Walks `frames` frames with each pair of shapes; lengths of steps are chosen by `length`.
fn walk(frames: usize, seed: u64, query: Query, length: impl Fn(&mut Random) -> f64) -> [usize; 2] {
    let models: Vec<Model> = SHAPES.iter().map(|spec| shape(spec)).collect();
    let mut random = Random::new(7 + seed);
    let mut answers = [0; 2];
    for (i, a) in models.iter().enumerate() {
        for b in &models[i..] {
            let mut cache = PairCache::coherent();
            let mut pose = random_pose(&mut random, 1.0);
            let base = random_pose(&mut random, 1.0);
            let mut collides = false;
            for frame in 0..frames {
                let length = length(&mut random);
                pose = step(&pose, length, !collides, &mut random);
                let placed_a = Placed::new(a, &base).unwrap();
                let pose_placed_b = base * pose;
                let placed_b = Placed::new(b, &pose_placed_b).unwrap();
                let verdict = Wide::new().test(placed_a, placed_b, &query, &mut cache);
                let fresh = Wide::new().test(placed_a, placed_b, &query, &mut PairCache::new());
                assert_eq!(verdict.decided(), fresh.decided(), "{a:?} {b:?} frame {frame}");
                collides = verdict.is_collision();
                if collides || frame % 16 == 0 {
                    checked(&verdict, placed_a, placed_b, query.semantics);
                }
                if frame % 64 == 0 {
                    let all = BruteForce.test(placed_a, placed_b, &query, &mut PairCache::new());
                    assert_eq!(verdict.decided(), all.decided());
                }
                answers[usize::from(collides)] += 1;
            }
        }
    }
    answers
}

#[test]
fn coherent_answers_are_fresh_answers() {
    let surface = Query::new().semantics(Semantics::Surface);
    let certified = Query::new().certify(true);
    for (query, frames) in [(Query::new(), 200), (surface, 200), (certified, 20)] {
        let small = walk(frames, 0, query, |_| 1e-3);
        let mixed = walk(frames, 0, query, |random| [1e-7, 1e-4, 0.01, 0.5][random.below(4)]);
        for answers in [small, mixed] {
            assert!(answers.iter().all(|&count| count > 10 * frames / 20), "{answers:?}");
        }
    }
}

#[test]
fn coherent_answers_are_fresh_answers_soak() {
    let run = long_run(20, 1000);
    for exponent in [-9, -5, -3, -2, -1] {
        let step = |random: &mut Random| 10_f64.powi(exponent) * random.signed().abs();
        walk(run.cases as usize, run.seed, Query::new(), step);
    }
}

/// One cache for all pairs in turn, in both orders, for every hierarchy, contacts between.
#[test]
fn a_cache_may_be_used_for_any_pair() {
    let models: Vec<Model> = SHAPES.iter().map(|spec| shape(spec)).collect();
    let algorithms = hierarchies();
    let mut random = Random::new(3);
    let mut cache = PairCache::coherent();
    let mut answers = [0; 2];
    let mut pose = random_pose(&mut random, 1.0);
    let mut collides = true;
    for round in 0..600 {
        pose = step(&pose, 0.05, !collides, &mut random);
        let of = |i: usize| &models[(round / 5 * i) % models.len()];
        let a = Placed::new(of(3), &Pose::IDENTITY).unwrap();
        let b = Placed::new(of(7), &pose).unwrap();
        let expected = Wide::new().test(a, b, &Query::new(), &mut PairCache::new()).decided();
        for algorithm in &algorithms {
            for (a, b) in [(a, b), (b, a)] {
                let verdict = algorithm.test(a, b, &Query::new(), &mut cache);
                assert_eq!(verdict.decided(), expected, "{}", algorithm.name());
            }
        }
        let mut contacts = Vec::new();
        let verdict =
            Wide::new().contacts(a, b, &Query::new(), usize::MAX, &mut cache, &mut contacts);
        assert_eq!(verdict.decided(), expected);
        collides = expected == Some(true);
        answers[usize::from(collides)] += 1;
        if round % 100 == 99 {
            cache.clear();
            assert!(cache.is_coherent());
        }
    }
    assert!(answers.iter().all(|&count| count > 50), "{answers:?}");
}

/// A query that is broken off for lack of time leaves a cache that is as good as any.
#[test]
fn time_may_run_out_in_any_frame() {
    let model = shape("shape:torus?faces=400");
    let mut random = Random::new(5);
    let mut pose = random_pose(&mut random, 1.0);
    let (mut cache, mut undecided) = (PairCache::coherent(), 0);
    for round in 0..400 {
        pose = step(&pose, 1e-3, round % 100 < 50, &mut random);
        let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let b = Placed::new(&model, &pose).unwrap();
        let hurried = Query::new().budget(Duration::ZERO);
        let verdict = Wide::new().test(a, b, &hurried, &mut cache);
        undecided += usize::from(matches!(verdict, Verdict::Undecided(_)));
        let fresh = Wide::new().test(a, b, &Query::new(), &mut PairCache::new());
        assert!(verdict.decided().is_none_or(|answer| Some(answer) == fresh.decided()));
        let again = Wide::new().test(a, b, &Query::new(), &mut cache);
        assert_eq!(again.decided(), fresh.decided());
    }
    assert!(undecided > 0);
}

/// Less work is done, as the counts of the queries say: two links of a chain, sliding.
#[test]
fn a_coherent_cache_saves_work() {
    let model = shape("shape:torus?faces=400");
    let query = Query::new().stats(true);
    let (mut fresh, mut coherent) = (PairCache::new(), PairCache::coherent());
    let mut tests = [0; 2];
    for frame in 0..100 {
        let along = 1e-4 * f64::from(frame);
        let upright = Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        let pose = Pose::try_from(Isometry3::new(Vector3::new(1.15, 0.0, along), upright)).unwrap();
        let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let b = Placed::new(&model, &pose).unwrap();
        for (cache, tests) in [&mut fresh, &mut coherent].into_iter().zip(&mut tests) {
            assert!(!Wide::new().test(a, b, &query, cache).is_collision());
            *tests += cache.stats().volume_tests + cache.stats().primitive_tests;
        }
    }
    assert!(tests[0] > 100 && 2 * tests[1] < tests[0], "{tests:?}");
}

/// At contact the pair that met last is tried first: while it still meets, that is all.
#[test]
fn at_contact_the_last_pair_is_tested_alone() {
    let model = shape("shape:torus?faces=400");
    let query = Query::new().stats(true);
    let mut cache = PairCache::coherent();
    let mut alone = 0;
    for frame in 0..100 {
        let along = 1e-4 * f64::from(frame);
        let upright = Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
        let pose = Pose::try_from(Isometry3::new(Vector3::new(1.3, 0.0, along), upright)).unwrap();
        let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
        let b = Placed::new(&model, &pose).unwrap();
        assert!(Wide::new().test(a, b, &query, &mut cache).is_collision());
        alone += usize::from(cache.stats().volume_tests + cache.stats().primitive_tests == 1);
    }
    assert!(alone > 80, "{alone}");
}

/// Every hierarchy with a front, and edges against faces: along walks about contact the answers with a coherent cache are
/// those of fresh ones, with any settings in one cache.
#[test]
fn fronts_of_all_hierarchies_change_no_answer() {
    let models: Vec<Model> = SHAPES.iter().map(|spec| shape(spec)).collect();
    let mut algorithms = hierarchies();
    algorithms.push(Box::new(SphereOctrees::new()));
    algorithms.push(Box::new(BinaryTrees::<KDop<18>>::with(Builder::new(Split::Median))));
    algorithms.push(Box::new(Arbitrary::default()));
    let mut random = Random::new(23);
    let mut answers = [0; 2];
    for (i, a) in models.iter().enumerate() {
        let b = &models[(i + 2) % models.len()];
        let mut cache = PairCache::coherent();
        let (mut pose, base) = (random_pose(&mut random, 1.0), random_pose(&mut random, 1.0));
        let mut collides = false;
        for frame in 0..240 {
            let length = [0.05, 2e-3, 1e-4, 1e-6][frame / 60];
            pose = step(&pose, length, !collides, &mut random);
            let at_b = base * pose;
            let (a, b) = (Placed::new(a, &base).unwrap(), Placed::new(b, &at_b).unwrap());
            let query = Query::new();
            let expected = BruteForce.test(a, b, &query, &mut PairCache::new()).decided();
            for algorithm in &algorithms {
                let verdict = algorithm.test(a, b, &query, &mut cache);
                assert_eq!(verdict.decided(), expected, "{} {frame}", algorithm.name());
                if verdict.is_collision() {
                    checked(&verdict, a, b, query.semantics);
                }
            }
            collides = expected == Some(true);
            answers[usize::from(collides)] += 1;
        }
    }
    assert!(answers.iter().all(|&count| count > 60), "{answers:?}");
}

/// Less work than without, by the counts: where models are apart binary trees test part of their front, others nothing while the
/// last gap is larger than the motion; at contact all test the last pair first.
#[test]
fn fronts_of_other_hierarchies_save_work() {
    let model = shape("shape:torus?faces=400");
    let query = Query::new().stats(true);
    let algorithms: [Box<dyn NarrowPhase>; 8] = [
        Box::new(BinaryTrees::<KDop<18>>::new()),
        Box::new(BvhPair::<BoxTree>::new()),
        Box::new(BvhPair::<IntervalTree>::new()),
        Box::new(SphereOctrees::new()),
        Box::new(Arbitrary::default()),
        Box::new(EdgeFaceTrees::default()),
        Box::new(EdgeFaceTrees::of_1994()),
        Box::new(PatchTrees::new()),
    ];
    for (algorithm, distance) in algorithms.iter().flat_map(|one| [(one, 1.15), (one, 1.3)]) {
        let (mut fresh, mut coherent) = (PairCache::new(), PairCache::coherent());
        let mut tests = [0; 2];
        for frame in 0..100 {
            let along = 1e-4 * f64::from(frame);
            let upright = Vector3::new(std::f64::consts::FRAC_PI_2, 0.0, 0.0);
            let pose = Isometry3::new(Vector3::new(distance, 0.0, along), upright);
            let pose = Pose::try_from(pose).unwrap();
            let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
            let b = Placed::new(&model, &pose).unwrap();
            for (cache, tests) in [&mut fresh, &mut coherent].into_iter().zip(&mut tests) {
                let verdict = algorithm.test(a, b, &query, cache);
                assert_eq!(verdict.is_collision(), distance > 1.2, "{}", algorithm.name());
                if frame % 20 == 0 {
                    checked(&verdict, a, b, query.semantics);
                }
                *tests += cache.stats().volume_tests + cache.stats().primitive_tests;
            }
        }
        assert!(tests[0] > 100 && 2 * tests[1] < tests[0], "{} {tests:?}", algorithm.name());
    }
}
