//! Approximate tests: what they prove is right, and what they know of the rest holds.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::time::Duration;

use support::{Random, hierarchies, random_pose, shape};
use xcollide_convex::Bias;
use xcollide_narrow::classic::{Arbitrary, PreChecks, SphereLevels};
use xcollide_narrow::mesh::{BruteForce, Wide};
use xcollide_narrow::proximity::distance;
use xcollide_narrow::{
    Feature, Grain, NarrowPhase, PairCache, Placed, Pose, Query, Reason, Semantics, Verdict,
};

const ALL: [PreChecks; 5] = [
    PreChecks::Arbitrary,
    PreChecks::Wide,
    PreChecks::coarse(),
    PreChecks::Coarse { halvings: 0 },
    PreChecks::Coarse { halvings: u8::MAX },
];

/// Against brute force, for bodies and surfaces, at all distances.
#[test]
fn apart_is_proved_and_the_rest_is_as_near_as_it_is_said_to_be() {
    let models = [
        shape("torus?faces=200"),
        shape("cubes?n=2"),
        shape("mobius?faces=60"),
        shape("sphere?faces=80&radius=0.2"),
        shape("sphere?faces=300&radius=1.4"),
    ];
    let mut random = Random::new(11);
    // Apart, contained, and undecided pairs that collide and that do not.
    let mut seen = [[0; 4]; 5];
    for round in 0..300 {
        let (a, b) = (&models[round % 5], &models[round / 5 % 5]);
        let (here, there) = (Pose::IDENTITY, random_pose(&mut random, [1.6, 0.4, 2.0][round % 3]));
        let [a, b] = [Placed::new(a, &here).unwrap(), Placed::new(b, &there).unwrap()];
        for semantics in [Semantics::Solid, Semantics::Surface] {
            let query = Query::new().semantics(semantics).certify(true);
            let truth = BruteForce.test(a, b, &query, &mut PairCache::new()).is_collision();
            let true_distance = distance(a, b, semantics).unwrap().value;
            for (number, algorithm) in ALL.iter().enumerate() {
                let mut cache = PairCache::new();
                let verdict = algorithm.test(a, b, &query, &mut cache);
                let place = match &verdict {
                    Verdict::Apart(separation) => {
                        separation.verify(a, b, semantics).unwrap();
                        0
                    }
                    Verdict::Collides(witness) => {
                        witness.verify(a, b, semantics).unwrap();
                        1
                    }
                    Verdict::Undecided(Reason::MayTouch(near)) => {
                        assert!(verdict.or_guess(false));
                        near.verify(a, b).unwrap();
                        assert!(true_distance <= near.at_most + 1e-12, "{near:?}");
                        2 + usize::from(!truth)
                    }
                    Verdict::Undecided(reason) => panic!("{reason:?}"),
                };
                assert!(place > 1 || truth == (place == 1), "{}: {verdict:?}", algorithm.name());
                seen[number][place] += 1;
                // No pair of faces is shown of which nothing is proved.
                let mut shown = Vec::new();
                let again = algorithm.contacts(a, b, &query, 9, &mut cache, &mut shown);
                assert_eq!(again, verdict);
                assert!(shown.is_empty());
                let hurried = algorithm.test(a, b, &query.budget(Duration::ZERO), &mut cache);
                assert_eq!(hurried, Verdict::Undecided(Reason::OutOfTime));
            }
        }
    }
    assert!(seen.iter().flatten().all(|&count| count > 1), "{seen:?}");
}

/// Coarse boxes take a fraction of the tests where surfaces are near each other, in contact or not; and where they are not, no
/// more than the whole descent. What they tell is coarser: by how much is bounded by the size at which they end.
#[test]
fn coarse_boxes_are_several_times_cheaper() {
    let [inner, outer] = ["sphere?faces=2000", "sphere?faces=2000&radius=1.02"].map(shape);
    let knot = shape("knot?faces=4000");
    let upright = random_pose(&mut Random::new(3), 0.0);
    let far = random_pose(&mut Random::new(3), 3.0);
    let near = [(&inner, &outer, upright), (&knot, &knot, random_pose(&mut Random::new(8), 0.9))];
    let surface = Query::new().semantics(Semantics::Surface).stats(true);
    let counted = |algorithm: &dyn NarrowPhase, [a, b]: [Placed<'_>; 2]| {
        let mut cache = PairCache::new();
        let verdict = algorithm.test(a, b, &surface, &mut cache);
        (verdict, cache.stats().volume_tests)
    };
    for (number, (a, b, pose)) in near.into_iter().enumerate() {
        let pair = [Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, &pose).unwrap()];
        let (_, exact) = counted(&Wide::new(), pair);
        let (coarse, few) = counted(&PreChecks::coarse(), pair);
        let Verdict::Undecided(Reason::MayTouch(suspects)) = coarse else { panic!("{coarse:?}") };
        // Where the models meet, the whole descent is short, too.
        let times = [20, 1][number];
        assert!(times * few < exact, "{number}: {few} of {exact}");
        // Two boxes, neither wider than a quarter of the smaller model's.
        let [x, y, z] = a.local_box().size();
        assert!(suspects.at_most < 2.0 * (x * x + y * y + z * z).sqrt() / 2.0, "{suspects:?}");
    }
    let pair = [Placed::new(&knot, &Pose::IDENTITY).unwrap(), Placed::new(&inner, &far).unwrap()];
    let (exact, coarse) = (counted(&Wide::new(), pair), counted(&PreChecks::coarse(), pair));
    assert!(exact.0.is_apart() && coarse.0.is_apart());
    assert!(coarse.1 <= exact.1);
}

/// Without a halving the descent ends at boxes as large as the smaller model: of equal models at the two outermost ones.
#[test]
fn without_a_halving_equal_models_are_compared_by_their_outermost_boxes() {
    let [large, small] = ["sphere?faces=2000", "sphere?faces=300&radius=0.1"].map(shape);
    let pose = Pose::from_translation([0.3, 0.2, 0.1]);
    let a = Placed::new(&large, &Pose::IDENTITY).unwrap();
    let [equal, smaller] = [&large, &small].map(|other| {
        let (b, mut cache) = (Placed::new(other, &pose).unwrap(), PairCache::new());
        let query = Query::new().semantics(Semantics::Surface).stats(true);
        let verdict = PreChecks::Coarse { halvings: 0 }.test(a, b, &query, &mut cache);
        (verdict.decided(), cache.stats().volume_tests)
    });
    assert_eq!(equal, (None, 1));
    assert!(smaller.1 > 1, "{smaller:?}");
}

/// A search that the time ends tells how much was left, and a bound of the distance that holds; what it tells is verified. Near
/// misses, so that there is no early end. On several threads, too.
#[test]
fn what_was_known_when_the_time_ran_out_holds() {
    let [inner, outer] = ["sphere?faces=1200", "sphere?faces=1200&radius=1.01"].map(shape);
    let pose = random_pose(&mut Random::new(4), 0.0);
    let [a, b] =
        [Placed::new(&inner, &Pose::IDENTITY).unwrap(), Placed::new(&outer, &pose).unwrap()];
    let surface = Query::new().semantics(Semantics::Surface);
    let true_distance = distance(a, b, Semantics::Surface).unwrap().value;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let others: [Box<dyn NarrowPhase>; 2] = [Box::new(Arbitrary::default()), Box::new(BruteForce)];
    for algorithm in hierarchies().into_iter().chain(others) {
        algorithm.prepare(&inner).unwrap();
        algorithm.prepare(&outer).unwrap();
        for grain in [Grain::Coarse, Grain::Medium, Grain::Fine] {
            let surface = surface.grain(grain);
            let mut unfinished = 0;
            for round in 0..50 {
                let budget = Duration::from_secs_f64(1e-6 * 1.3_f64.powi(round));
                let query = surface.budget(budget);
                let verdict = pool.install(|| algorithm.test(a, b, &query, &mut PairCache::new()));
                match verdict {
                    Verdict::Undecided(reason @ Reason::Unfinished { near, parts }) => {
                        assert!(reason.is_out_of_time() && reason.at_most() == Some(near.at_most));
                        assert!(near.features.iter().all(|of| matches!(of, Feature::Face(_))));
                        near.verify(a, b).unwrap();
                        assert!(true_distance <= near.at_most && parts > 0, "{reason:?}");
                        unfinished += 1;
                    }
                    Verdict::Undecided(reason) => assert_eq!(reason, Reason::OutOfTime),
                    verdict => {
                        assert!(verdict.is_apart(), "{}", algorithm.name());
                        if unfinished > 0 {
                            break;
                        }
                    }
                }
            }
            assert!(unfinished > 0, "{} {grain:?}", algorithm.name());
        }
    }
}

/// Sphere trees by levels: what they prove is right, the rest leans to a collision, and more levels decide all that fewer do.
#[test]
fn levels_of_spheres_prove_or_lean_to_a_collision() {
    assert_eq!(SphereLevels::default(), SphereLevels { levels: 6 });
    let leaning = Verdict::Undecided(Reason::Biased(Bias::Collides));
    let models = ["torus?faces=60", "cubes?n=2", "sphere?faces=80&radius=0.2"].map(shape);
    let mut random = Random::new(12);
    let mut seen = [0; 3];
    for round in 0..90 {
        let pose = random_pose(&mut random, [1.6, 0.4, 2.0][round % 3]);
        let a = Placed::new(&models[round % 3], &Pose::IDENTITY).unwrap();
        let b = Placed::new(&models[round / 3 % 3], &pose).unwrap();
        for semantics in [Semantics::Solid, Semantics::Surface] {
            let query = Query::new().semantics(semantics);
            let truth = BruteForce.test(a, b, &query, &mut PairCache::new()).is_collision();
            let mut known = None;
            for levels in [0, 2, 4, 6, 30] {
                let verdict = SphereLevels { levels }.test(a, b, &query, &mut PairCache::new());
                let place = match &verdict {
                    Verdict::Apart(separation) => {
                        separation.verify(a, b, semantics).unwrap();
                        0
                    }
                    Verdict::Collides(witness) => {
                        witness.verify(a, b, semantics).unwrap();
                        1
                    }
                    Verdict::Undecided(_) => {
                        assert_eq!(verdict, leaning);
                        2
                    }
                };
                seen[place] += 1;
                assert!(verdict.decided().is_none_or(|collides| collides == truth), "{verdict:?}");
                assert!(known.is_none() || verdict.decided() == known, "{levels}: {verdict:?}");
                known = verdict.decided();
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 5), "{seen:?}");
    // No longer than the time of the query.
    let [inner, outer] = ["sphere?faces=1200", "sphere?faces=1200&radius=1.01"].map(shape);
    let a = Placed::new(&inner, &Pose::IDENTITY).unwrap();
    let b = Placed::new(&outer, &Pose::IDENTITY).unwrap();
    let query = Query::new().semantics(Semantics::Surface).budget(Duration::ZERO);
    let verdict = SphereLevels { levels: 30 }.test(a, b, &query, &mut PairCache::new());
    assert_eq!(verdict.decided(), None);
}
