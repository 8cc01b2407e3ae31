//! Two algorithms at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use xcollide_brep::Topology;
use xcollide_narrow::classic::{Arbitrary, Perceptron};
use xcollide_narrow::combine::Race;
use xcollide_narrow::convex::Hybrid;
use xcollide_narrow::mesh::{BruteForce, Wide};
use xcollide_narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Reason, Semantics,
    Stop, Verdict,
};
use xcollide_scenes::Poses;

use super::Unsure;
use crate::support::shape;

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Never decides: runs until it is stopped or its budget is used up.
#[derive(Default)]
struct Endless {
    asked: AtomicUsize,
}

impl NarrowPhase for Endless {
    fn name(&self) -> &'static str {
        "endless"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, _: Placed<'_>, _: Placed<'_>, q: &Query, cache: &mut PairCache) -> Verdict {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let began = Instant::now();
        while q.budget.is_none_or(|budget| began.elapsed() < budget)
            && !cache.stop().is_some_and(Stop::is_stopped)
        {
            std::hint::spin_loop();
        }
        Verdict::Undecided(Reason::OutOfTime)
    }
}

/// Compares races with brute force over poses that touch and that do not.
fn equals_brute_force(races: &[&dyn NarrowPhase], models: [&Model; 2], count: u32) -> Outcome {
    let mut poses = Poses::new(5);
    let mut answers = [0; 2];
    let mut caches: Vec<PairCache> = races.iter().map(|_| PairCache::new()).collect();
    for _ in 0..count {
        let [x, y, z] = poses.translation(1.5);
        let a = Placed::new(models[0], &Pose::IDENTITY)?;
        let pose_b = Pose::from_translation([x, y, z]);
        let b = Placed::new(models[1], &pose_b)?;
        let truth = BruteForce.test(a, b, &Query::new(), &mut PairCache::new()).decided();
        answers[usize::from(truth == Some(true))] += 1;
        for (race, cache) in races.iter().zip(&mut caches) {
            let verdict = race.test(a, b, &Query::new().certify(true), cache);
            assert_eq!(verdict.decided(), truth);
            match &verdict {
                Verdict::Collides(witness) => witness.verify(a, b, Semantics::Solid)?,
                Verdict::Apart(separation) => separation.verify(a, b, Semantics::Solid)?,
                Verdict::Undecided(_) => {}
            }
        }
    }
    assert!(answers.iter().all(|&count| count > 5), "{answers:?}");
    Ok(())
}

#[test]
fn races_equal_brute_force_whoever_wins() -> Outcome {
    let (torus, open) = (shape("torus?faces=60"), shape("mobius?faces=30"));
    let (round, rod) = (shape("sphere?faces=60"), shape("polytope?vertices=20"));
    let thesis = Race(Arbitrary::default(), Perceptron::default());
    let (unsure, swapped) = (Race(Unsure, Wide::new()), Race(Wide::new(), Unsure));
    let nested = Race(Race(Unsure, BruteForce), Race(Hybrid::default(), Wide::new()));
    for models in [[&round, &rod], [&torus, &torus], [&torus, &open], [&open, &round]] {
        equals_brute_force(&[&thesis, &unsure, &swapped, &nested], models, 50)?;
    }
    Ok(())
}

/// One that never answers does not keep the other from it, however few threads there are; and
/// two of them end with the time, or when told to.
#[test]
fn one_that_never_answers_does_not_hold_the_other_up() -> Outcome {
    let torus = shape("torus?faces=60");
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        pool.install(|| -> Result<(), String> {
            let (first, second) =
                (Race(Endless::default(), Wide::new()), Race(Wide::new(), Endless::default()));
            equals_brute_force(&[&first, &second], [&torus, &torus], 40)
                .map_err(|error| error.to_string())?;
            // Alone, and again beside the other; from then on that is the favourite.
            assert!(first.0.asked.load(Ordering::Relaxed) >= 2);
            let both = Race(Endless::default(), Endless::default());
            let a = Placed::new(&torus, &Pose::IDENTITY).map_err(|error| error.to_string())?;
            let began = Instant::now();
            let query = Query::new().budget(Duration::from_millis(10));
            let verdict = both.test(a, a, &query, &mut PairCache::new());
            assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime));
            assert!(began.elapsed() >= Duration::from_millis(10));
            let (stop, mut cache) = (Stop::new(), PairCache::new());
            cache.set_stop(Some(stop.clone()));
            let verdict = std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(10));
                    stop.stop();
                });
                both.test(a, a, &Query::new(), &mut cache)
            });
            assert_eq!(verdict, Verdict::Undecided(Reason::OutOfTime));
            Ok(())
        })?;
    }
    Ok(())
}

/// Who is exact decides what is accepted, and what is promised.
#[test]
fn a_race_promises_what_its_exact_part_does() {
    let open = Topology::default();
    let race = Race(Unsure, Wide::new());
    assert!(race.accepts(open, open) && race.guarantee() == Guarantee::Exact);
    let race = Race(Unsure, Hybrid::default());
    assert!(!race.accepts(Topology::CLOSED, Topology::CLOSED));
    let race = Race(Unsure, Unsure);
    assert!(!race.accepts(open, open) && race.guarantee() == Guarantee::Misses);
}
