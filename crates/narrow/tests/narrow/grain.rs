//! One pair by several threads: whatever is asked, the answer is that of one thread.

#![allow(clippy::unwrap_used)]

use crate::support;

use std::ops::ControlFlow;
use std::time::Duration;

use support::{Random, hierarchies, random_pose, shape};
use xcollide_bounds::{Aabb, Obb};
use xcollide_brep::FaceId;
use xcollide_bvh::classic::box_tree::BoxTree;
use xcollide_bvh::classic::interval_tree::IntervalTree;
use xcollide_narrow::classic::{Arbitrary, EdgeFaceTrees, PerceptronOf1994};
use xcollide_narrow::mesh::{BinaryTrees, BvhPair, Wide};
use xcollide_narrow::{
    Grain, Model, NarrowPhase, PairCache, PairQuery, Placed, Pose, Query, Reason, Semantics, Stats,
    Stop, Verdict,
};

/// All that can be said of a pair.
#[derive(Debug, PartialEq)]
struct Said {
    verdict: Verdict,
    /// In the order in which they were shown, repetitions included.
    shown: Vec<(FaceId, FaceId)>,
    /// Those shown until the fifth, at which it was broken off.
    begun: Vec<(FaceId, FaceId)>,
    count: usize,
}

fn ask(algorithm: &dyn NarrowPhase, a: Placed<'_>, b: Placed<'_>, query: &Query) -> Said {
    let mut cache = PairCache::new();
    let verdict = algorithm.test(a, b, query, &mut cache);
    let mut list = |at_most: usize| {
        let mut shown = Vec::new();
        let listing = algorithm.each_contact(a, b, query, &mut cache, &mut |f, g| {
            shown.push((f, g));
            if shown.len() < at_most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!(listing.verdict, verdict);
        assert_eq!(listing.complete, shown.len() < at_most);
        shown
    };
    let (shown, begun) = (list(usize::MAX), list(5));
    let (count, listing) = algorithm.count_contacts(a, b, query, &mut cache);
    assert!(listing.complete && listing.verdict == verdict);
    Said { verdict, shown, begun, count }
}

/// What was counted for a test, and for a list.
fn counted(algorithm: &dyn NarrowPhase, a: Placed<'_>, b: Placed<'_>, query: &Query) -> [Stats; 2] {
    let (query, mut cache) = (query.stats(true), PairCache::new());
    let _ = algorithm.test(a, b, &query, &mut cache);
    let of_test = cache.stats();
    let _ = algorithm.each_contact(a, b, &query, &mut cache, &mut |_, _| ControlFlow::Continue(()));
    [of_test, cache.stats()]
}

/// Asks in every grain, on so many threads, and compares.
fn same_in_every_grain(
    algorithms: &[Box<dyn NarrowPhase>],
    pairs: &[(&Model, &Model, Pose)],
    threads: &[usize],
) -> [usize; 2] {
    let pools = threads
        .iter()
        .map(|&threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let pools: Vec<_> = pools.collect();
    let mut answers = [0; 2];
    for &(a, b, pose) in pairs {
        let (a, b) = (Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, &pose).unwrap());
        for algorithm in algorithms {
            for semantics in [Semantics::Solid, Semantics::Surface] {
                let query = Query::new().semantics(semantics);
                let expected = ask(&**algorithm, a, b, &query);
                answers[usize::from(expected.verdict.is_collision())] += 1;
                for grain in [Grain::Medium, Grain::Fine] {
                    let query = query.grain(grain);
                    let mut stats = None;
                    for pool in &pools {
                        pool.install(|| {
                            let said = ask(&**algorithm, a, b, &query);
                            assert_eq!(said, expected, "{}, {grain:?}", algorithm.name());
                            // Into how many parts a search is cut depends on the threads; what is
                            // tested where nothing ends it does not.
                            let now = counted(&**algorithm, a, b, &query);
                            if expected.verdict.is_apart() && rayon::current_num_threads() > 1 {
                                assert_eq!(*stats.get_or_insert(now), now, "{}", algorithm.name());
                            }
                        });
                    }
                }
            }
        }
    }
    answers
}

/// Small bodies, so that tests are quick, and a few of thousands of triangles, so that other threads
/// do come.
#[test]
fn answers_in_every_grain_are_those_of_one_thread() {
    let mut random = Random::new(5);
    let small = [shape("torus?faces=200"), shape("cubes?n=3"), shape("mobius?faces=150")];
    let mut pairs = Vec::new();
    for round in 0..6 {
        let pose = random_pose(&mut random, 1.4);
        pairs.push((&small[round % 3], &small[round / 2 % 3], pose));
    }
    let mut algorithms = hierarchies();
    algorithms.push(Box::new(Arbitrary::default()));
    algorithms.push(Box::new(Arbitrary { collect: false, ordered: false, ..Arbitrary::default() }));
    let answers = same_in_every_grain(&algorithms, &pairs, &[1, 2, 5]);
    assert!(answers.iter().all(|&count| count > 20), "{answers:?}");

    let large = [shape("knot?faces=1500"), shape("sphere?faces=1500")];
    let algorithms: [Box<dyn NarrowPhase>; 8] = [
        Box::new(Wide::new()),
        Box::new(BinaryTrees::<Obb>::new()),
        Box::new(BinaryTrees::<Aabb>::new()),
        Box::new(Arbitrary::default()),
        Box::new(BvhPair::<BoxTree>::new()),
        Box::new(EdgeFaceTrees::default()),
        Box::new(EdgeFaceTrees::of_1994()),
        Box::new(BvhPair::<IntervalTree>::new()),
    ];
    // One surface just inside the other, and some that cross.
    let mut pairs = vec![(&large[1], &large[1], Pose::from_translation([0.004, 0.002, -0.001]))];
    for other in &large {
        pairs.push((&large[0], other, random_pose(&mut random, 0.5)));
    }
    let answers = same_in_every_grain(&algorithms, &pairs, &[3]);
    assert!(answers[1] > 10, "{answers:?}");
}

/// The separating plane of all vertices: the same plane, bit for bit, after as many iterations, however many threads compare
/// the vertices, pair by pair and in batches; where none is found, the same leaning.
#[test]
fn planes_by_all_vertices_are_those_of_one_thread() {
    // More than three parts of vertices each, and no whole number of them.
    let models = [shape("sphere?faces=18000"), shape("sphere?faces=19000&radius=0.3")];
    let perceptron = PerceptronOf1994::default().without_boxes();
    models.iter().for_each(|model| perceptron.prepare(model).unwrap());
    let mut random = Random::new(29);
    let pools: Vec<_> = [1, 2, 4]
        .into_iter()
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap())
        .collect();
    let (mut answers, mut most) = ([0; 2], 0);
    for round in 0..24 {
        let pose = random_pose(&mut random, [0.8, 1.31, 1.4, 2.2][round % 4]);
        let a = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
        let b = Placed::new(&models[1], &pose).unwrap();
        let ask = |query: Query| {
            let (mut cache, mut verdicts) = (PairCache::new(), Vec::new());
            let verdict = perceptron.test(a, b, &query, &mut cache);
            let stats = cache.stats();
            cache.clear();
            perceptron.test_many(&mut [PairQuery::new(a, b, &mut cache)], &query, &mut verdicts);
            (verdict, stats, verdicts)
        };
        let expected = ask(Query::new().stats(true));
        assert_eq!(expected.2, std::slice::from_ref(&expected.0));
        answers[usize::from(expected.0.is_apart())] += 1;
        most = most.max(expected.1.probes);
        for pool in &pools {
            for grain in [Grain::Medium, Grain::Fine] {
                let said = pool.install(|| ask(Query::new().stats(true).grain(grain)));
                assert_eq!(said, expected, "{grain:?}");
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 2) && most > 50, "{answers:?} {most}");
}

/// A query that several threads work on ends when its time is over, and when it is told to.
#[test]
fn budgets_and_stops_hold_for_all_threads() {
    let model = shape("sphere?faces=3000");
    let a = Placed::new(&model, &Pose::IDENTITY).unwrap();
    let pose = Pose::from_translation([1e-4, 0.0, 0.0]);
    let b = Placed::new(&model, &pose).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    for algorithm in [
        &Wide::new() as &dyn NarrowPhase,
        &BinaryTrees::<Obb>::new(),
        &Arbitrary::default(),
        &BvhPair::<BoxTree>::new(),
        &EdgeFaceTrees::default(),
        &EdgeFaceTrees::of_1994(),
        &BvhPair::<IntervalTree>::new(),
    ] {
        algorithm.prepare(&model).unwrap();
        for grain in [Grain::Medium, Grain::Fine] {
            pool.install(|| {
                let query = Query::new().grain(grain).budget(Duration::ZERO);
                let verdict = algorithm.test(a, b, &query, &mut PairCache::new());
                assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime), "{}", algorithm.name());
                let (stop, mut cache) = (Stop::new(), PairCache::new());
                stop.stop();
                cache.set_stop(Some(stop));
                let verdict = algorithm.test(a, b, &Query::new().grain(grain), &mut cache);
                assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime), "{}", algorithm.name());
            });
        }
    }
}
