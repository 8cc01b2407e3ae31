//! Jobs, split or whole.

use std::collections::HashSet;
use std::mem::take;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;

use xcollide::brep::Topology;
use xcollide::execution::{Execution, Job, Parallel};
use xcollide::interest::Ask;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Verdict,
    combine::Auto,
};
use xcollide::registry::{self, Kind};
use xcollide::{Frame, StageTimes, World};
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{log_of, truth};

/// Splits every job as far as possible and finishes the last part first.
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

    fn is_parallel(&self) -> bool {
        true
    }
}

/// Frames do not depend on how work is split, nor on the order of the parts.
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

/// Thousands of pairs, whose results are joined from several parts, with contacts and distances.
#[test]
fn the_results_of_many_pairs_are_those_of_one_thread() -> Outcome {
    const COUNT: usize = 96;
    let cube = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let splits = Arc::<AtomicUsize>::default();
    let worlds =
        [World::new(), World::builder().execution(Splitter { splits: splits.clone() }).build()];
    let mut logs = Vec::new();
    for mut world in worlds {
        let mut random = Random::new(9);
        let mut place = || Pose::from_translation([(); 3].map(|()| random.between(-1.2, 1.2)));
        let objects: Vec<_> =
            (0..COUNT).map(|_| world.add(&cube, &place())).collect::<Result<_, _>>()?;
        world.interest_mut().set_default_ask(Ask::Contacts { limit: 2 });
        for pair in objects.chunks_exact(2) {
            world.interest_mut().set_pair_ask(pair[0], pair[1], Ask::Distance { up_to: 4.0 });
        }
        let mut log = Vec::new();
        // Of the first frame lists are taken over as they are; then fewer and more pairs come, and none changes.
        let mut frame = Frame::new();
        for moved in [0, 5, COUNT, 0, 0, 30, 0] {
            for &object in &objects[..moved] {
                world.set_pose(object, &place())?;
            }
            world.check_into(&mut frame);
            let contacts: Vec<_> =
                frame.colliding().map(|collision| frame.contacts(collision).to_vec()).collect();
            assert!(contacts.iter().filter(|contacts| !contacts.is_empty()).count() > 1000);
            frame.times = StageTimes::default();
            log.push((format!("{frame:?}"), contacts));
        }
        logs.push(log);
    }
    assert!(splits.load(Ordering::Relaxed) > 100, "little was split");
    for (number, (one, other)) in logs[0].iter().zip(&logs[1]).enumerate() {
        assert!(one == other, "check {number}");
    }
    Ok(())
}

/// A slow test that records its threads.
#[derive(Clone)]
struct Slow {
    pause: Duration,
    threads: Arc<Mutex<HashSet<ThreadId>>>,
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
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).insert(thread::current().id());
        thread::sleep(self.pause);
        Auto::new().test(a, b, query, cache)
    }
}

/// The threads of each of some checks.
fn threads_of(pause: Duration) -> Result<Vec<HashSet<ThreadId>>, Box<dyn std::error::Error>> {
    let threads = Arc::<Mutex<HashSet<ThreadId>>>::default();
    let slow = Slow { pause, threads: threads.clone() };
    let mut world =
        World::builder().narrow_phase(slow).execution(Parallel::with_threads(2)?).build();
    let model = Model::from_mesh(xcollide_scenes::shape("tetrahedron")?)?;
    let objects = (0..6)
        .map(|number| {
            world.add(&model, &Pose::from_translation([0.1 * f64::from(number), 0.0, 0.0]))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut of_checks = Vec::new();
    for step in 1..30 {
        for (number, &object) in objects.iter().enumerate() {
            let x = 0.1 * number as f64 + 1e-3 * f64::from(step);
            world.set_pose(object, &Pose::from_translation([x, 0.0, 0.0]))?;
        }
        assert_eq!(world.check().stats.tested, 15);
        of_checks.push(take(&mut *threads.lock().map_err(|_| "a test panicked")?));
    }
    Ok(of_checks.split_off(3))
}

/// Fast tests run on the calling thread, slow ones on several threads.
#[test]
fn only_work_that_is_worth_it_is_spread() -> Outcome {
    // A delayed thread makes a test look expensive, so one check in which none was counts.
    let home = HashSet::from([thread::current().id()]);
    assert!(threads_of(Duration::ZERO)?.contains(&home));
    // The system decides when another thread starts.
    let slow = threads_of(Duration::from_millis(1))?;
    assert!(slow.iter().any(|threads| threads.len() == 2), "{slow:?}");
    Ok(())
}

/// The number of a thread in another pool means nothing in that of the world.
#[test]
fn threads_of_larger_pools_may_call() -> Outcome {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(5).build()?;
    let ends = |_: rayon::BroadcastContext<'_>| threads_of(Duration::from_millis(1)).is_ok();
    assert_eq!(pool.broadcast(ends), [true; 5]);
    Ok(())
}

/// Long checks run on threads of the pool, and callbacks on the thread that calls the check.
#[test]
fn callbacks_run_on_the_calling_thread() -> Outcome {
    let threads = Arc::<Mutex<HashSet<ThreadId>>>::default();
    let slow = Slow { pause: Duration::from_millis(3), threads: threads.clone() };
    for mode in [Parallel::with_threads(2)?, Parallel::new()] {
        let mut world = World::builder().narrow_phase(slow.clone()).execution(mode).build();
        let model = Model::from_mesh(xcollide_scenes::shape("tetrahedron")?)?;
        let still = world.add(&model, &Pose::IDENTITY)?;
        let moving = world.add(&model, &Pose::IDENTITY)?;
        let home = thread::current().id();
        let (calls, expected) = (Arc::<AtomicUsize>::default(), 10);
        let counted = calls.clone();
        world.set_callback(move |_, _, _| {
            assert_eq!(thread::current().id(), home);
            counted.fetch_add(1, Ordering::Relaxed);
        });
        let third = world.add(&model, &Pose::from_translation([0.1, 0.0, 0.0]))?;
        for step in 0..expected {
            world.set_pose(moving, &Pose::from_translation([1e-3 * step as f64, 0.0, 0.0]))?;
            let frame = world.check();
            assert!(frame.failures.is_empty() && frame.collides(still, moving));
            assert!(frame.collides(moving, third));
        }
        assert!(calls.load(Ordering::Relaxed) >= 2 * expected);
        let used = take(&mut *threads.lock().map_err(|_| "a test panicked")?);
        assert!(used.iter().any(|&id| id != home), "no check ran in the pool");
    }
    Ok(())
}
