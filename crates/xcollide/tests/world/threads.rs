//! Jobs that are split, and those that are not.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use xcollide::World;
use xcollide::brep::Topology;
use xcollide::execution::{Execution, Job, Parallel};
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Verdict,
    combine::Auto,
};
use xcollide::registry::{self, Kind};

use crate::Outcome;
use crate::cage::{log_of, truth};

/// Splits whatever can be split, however short it is, and finishes the last half first.
#[derive(Default)]
pub(crate) struct Splitter {
    splits: Arc<AtomicUsize>,
}

impl Splitter {
    fn halve(&self, job: Job<'_>) {
        let whole = job.len();
        match job.split() {
            (first, Some(second)) => {
                assert_eq!(first.len() + second.len(), whole);
                self.splits.fetch_add(1, Ordering::Relaxed);
                self.halve(second);
                self.halve(first);
            }
            (whole, None) => whole.finish(),
        }
    }
}

impl Execution for Splitter {
    fn name(&self) -> &'static str {
        "splitter"
    }

    fn run(&self, job: Job<'_>) {
        self.halve(job);
    }
}

/// Frames do not depend on how the work is cut, nor on the order in which the pieces are done.
#[test]
fn pieces_of_any_size_in_any_order_give_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (20, 20);
    let truth = truth(count, frames)?;
    for broad in registry::of_kind(Kind::Broad).filter_map(|entry| entry.broad_phase(false)) {
        let splits = Arc::<AtomicUsize>::default();
        let splitter = Splitter { splits: splits.clone() };
        let world = World::builder().boxed_broad_phase(broad).execution(splitter).build();
        assert_eq!(log_of(world, count, frames, |_, _| ())?, truth);
        assert!(splits.load(Ordering::Relaxed) > frames, "little was split");
    }
    Ok(())
}

/// Takes its time, and notes on which threads it does.
struct Slow {
    pause: Duration,
    elsewhere: Arc<AtomicUsize>,
    home: thread::ThreadId,
}

impl NarrowPhase for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        Auto::new().prepare(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let away = thread::current().id() != self.home;
        self.elsewhere.fetch_add(usize::from(away), Ordering::Relaxed);
        thread::sleep(self.pause);
        Auto::new().test(a, b, query, cache)
    }
}

/// How many tests of a check were made on other threads than the caller's: the least and the most of
/// some checks.
fn elsewhere(pause: Duration) -> Result<[usize; 2], Box<dyn std::error::Error>> {
    let elsewhere = Arc::<AtomicUsize>::default();
    let home = thread::current().id();
    let slow = Slow { pause, elsewhere: elsewhere.clone(), home };
    let mut world =
        World::builder().narrow_phase(slow).execution(Parallel::with_threads(2)?).build();
    let model = Model::from_mesh(xcollide_scenes::shape("tetrahedron")?)?;
    let objects = (0..6)
        .map(|number| world.add(&model, &Pose::translation(0.1 * f64::from(number), 0.0, 0.0)))
        .collect::<Result<Vec<_>, _>>()?;
    // A thread that is kept waiting makes a test look dear, so the quietest check counts.
    let [mut least, mut most] = [usize::MAX, 0];
    for step in 1..30 {
        for (number, &object) in objects.iter().enumerate() {
            let x = 0.1 * number as f64 + 1e-3 * f64::from(step);
            world.set_pose(object, &Pose::translation(x, 0.0, 0.0))?;
        }
        elsewhere.store(0, Ordering::Relaxed);
        assert_eq!(world.check().stats.tested, 15);
        if step > 3 {
            least = least.min(elsewhere.load(Ordering::Relaxed));
            most = most.max(elsewhere.load(Ordering::Relaxed));
        }
    }
    Ok([least, most])
}

/// Quick tests are made where the caller is, dear ones by the caller and a thread of the pool.
#[test]
fn only_work_that_is_worth_it_is_spread() -> Outcome {
    assert_eq!(elsewhere(Duration::ZERO)?[0], 0);
    // How soon the other thread comes is for the system to say.
    let [_, most] = elsewhere(Duration::from_millis(1))?;
    assert!((1..15).contains(&most), "{most}");
    Ok(())
}
