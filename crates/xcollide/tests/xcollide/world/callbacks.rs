//! Callbacks and events.

use std::collections::BTreeSet;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Verdict,
};
use xcollide::prelude::Topology;
use xcollide::{Cause, Change, Failure, ObjectId, ObjectPair, Report, World, execution::Parallel};

use super::Outcome;
use super::cage::{cage, fill, models};

fn at(x: f64) -> Pose {
    Pose::from_translation([x, 0.0, 0.0])
}

fn cube() -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape("box")?)?)
}

/// The reports, one line each.
fn line(report: &Report<'_>) -> String {
    let pair = report.pair();
    match report {
        Report::Began(_) => format!("began {pair:?}"),
        Report::Persists(_) => format!("persists {pair:?}"),
        Report::Ended(ended) => format!("ended {pair:?} {:?}", ended.cause),
        _ => format!("{pair:?}"),
    }
}

/// The general callback gets all pairs without their own, in order, with every check in which one
/// of them has moved.
#[test]
fn callbacks_hear_of_what_is_new_in_order() -> Outcome {
    let cube = cube()?;
    let mut world = World::new();
    let [a, b, c] =
        [world.add(&cube, &at(0.0))?, world.add(&cube, &at(0.1))?, world.add(&cube, &at(0.2))?];
    let (sender, heard) = channel();
    let of_pair = sender.clone();
    world.set_callback(move |report, _, _| {
        let _ = sender.send(format!("general: {}", line(&report)));
    });
    world.set_pair_callback(c, a, move |report, _, _| {
        let _ = of_pair.send(format!("of the pair: {}", line(&report)));
    });
    let hear = |world: &mut World| {
        let _ = world.check();
        heard.try_iter().collect::<Vec<_>>()
    };
    let began = ["general: began (0, 1)", "of the pair: began (0, 2)", "general: began (1, 2)"];
    assert_eq!(hear(&mut world), began);
    assert!(hear(&mut world).is_empty(), "nothing has moved");
    world.set_pose(a, &at(-0.1))?;
    let persists = ["general: persists (0, 1)", "of the pair: persists (0, 2)"];
    assert_eq!(hear(&mut world), persists);
    world.remove(a)?;
    world.set_pose(b, &at(40.0))?;
    let ended = [
        "general: ended (0, 1) Removed",
        "of the pair: ended (0, 2) Removed",
        "general: ended (1, 2) Apart",
    ];
    assert_eq!(hear(&mut world), ended);
    Ok(())
}

/// Changes by callbacks count from the next check: each is called once a frame whatever it does,
/// and no change is lost.
#[test]
fn changes_of_callbacks_count_from_the_next_check() -> Outcome {
    let cube = cube()?;
    let mut world = World::new();
    let (still, moving) = (world.add(&cube, &at(0.0))?, world.add(&cube, &at(0.1))?);
    world.set_callback(move |report, frame, world| {
        if matches!(report, Report::Ended(_)) {
            return;
        }
        // Moves what was hit, which would be a new collision at once; adds another, removes one.
        let x = 0.1 + 0.01 * (frame.number + 1) as f64;
        assert_eq!(world.set_pose(moving, &at(x)), Ok(()));
        if frame.number == 1 {
            let cube = world.model(still).cloned();
            let newcomer = cube.and_then(|cube| world.add(&cube, &at(0.05)));
            assert!(newcomer.is_ok_and(|id| id.index() == 2));
        }
        if frame.number == 3 && report.pair().contains(still) && world.contains(still) {
            assert_eq!(world.remove(still), Ok(()));
        }
        if frame.number == 5 {
            world.interest_mut().set_default(false);
        }
    });
    let pairs = |frame: &xcollide::Frame| {
        frame.colliding().map(|c| [c.pair.a.index(), c.pair.b.index()]).collect::<Vec<_>>()
    };
    assert_eq!(pairs(&world.check()), [[0, 1]]);
    assert_eq!(pairs(&world.check()), [[0, 1]]);
    assert!((world.pose(moving)?.translation()[0] - 0.12).abs() < 1e-15);
    assert_eq!(pairs(&world.check()), [[0, 1], [0, 2], [1, 2]]);
    assert_eq!(pairs(&world.check()), [[0, 1], [0, 2], [1, 2]]);
    let frame = world.check();
    assert_eq!(pairs(&frame), [[1, 2]]);
    assert!(
        frame.ended.iter().all(|ended| ended.cause == Cause::Removed) && frame.ended.len() == 2
    );
    assert_eq!(pairs(&world.check()), [[1, 2]]);
    let frame = world.check();
    assert_eq!((pairs(&frame).len(), frame.ended[0].cause), (0, Cause::NotWanted));
    Ok(())
}

/// Callbacks may set callbacks and run checks.
#[test]
fn callbacks_may_set_others_and_check() -> Outcome {
    let cube = cube()?;
    let mut world = World::new();
    world.add(&cube, &at(0.0))?;
    world.add(&cube, &at(0.1))?;
    let (sender, heard) = channel();
    world.set_callback(move |_, frame, world| {
        let inner = world.check();
        let sender = sender.clone();
        let told = sender.send((frame.number, inner.number, inner.persisting.len()));
        assert!(told.is_ok());
        world.set_callback(move |_, frame, _| {
            let _ = sender.send((frame.number, 0, 0));
        });
    });
    let _ = world.check();
    world.set_pose(ObjectId::new(0, 0), &at(0.01))?;
    let _ = world.check();
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [(0, 1, 1), (2, 0, 0)]);
    Ok(())
}

/// Panics on demand.
struct Brittle;

const POISON: f64 = 0.125;

impl NarrowPhase for Brittle {
    fn name(&self) -> &'static str {
        "brittle"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let poisoned = [a, b].iter().any(|placed| placed.pose().translation()[0] == POISON);
        assert!(!poisoned, "the model is poisoned");
        xcollide::narrow::mesh::Wide::new().test(a, b, query, cache)
    }
}

/// A panic of an algorithm or a callback is reported for its pair; the rest of the frame is valid,
/// and the pair keeps its state.
#[test]
fn a_panic_is_reported_for_its_pair_and_the_rest_goes_on() -> Outcome {
    let cube = cube()?;
    for parallel in [false, true] {
        let mut builder = World::builder().narrow_phase(Brittle);
        if parallel {
            builder = builder.execution(Parallel::new());
        }
        let mut world = builder.build();
        let [a, b, c] =
            [world.add(&cube, &at(0.0))?, world.add(&cube, &at(0.1))?, world.add(&cube, &at(0.2))?];
        world.set_pair_callback(a, b, |_, _, _| panic!("out of order"));
        let frame = world.check();
        assert_eq!(frame.began.len(), 3);
        let message = "out of order".to_owned();
        let pair = ObjectPair::new(a, b);
        assert_eq!(frame.failures, [Failure::Callback { pair, message }]);

        world.set_pose(c, &at(POISON))?;
        let frame = world.check();
        let message = "the model is poisoned".to_owned();
        let poisoned =
            |other| Failure::Pair { pair: ObjectPair::new(other, c), message: message.clone() };
        assert_eq!(frame.failures, [poisoned(a), poisoned(b)]);
        assert_eq!((frame.persisting.len(), frame.ended.len()), (1, 0));
        // In every check, though nothing moves, until the cause is gone.
        assert_eq!(world.check().failures.len(), 2);
        world.set_pose(c, &at(0.2))?;
        let frame = world.check();
        assert_eq!((frame.persisting.len(), frame.failures.len()), (3, 0));
    }
    Ok(())
}

/// The channel has exactly what began and ended, in order.
#[test]
fn the_channel_has_every_beginning_and_end() -> Outcome {
    let (models, mut cage) = (models(14)?, cage(14)?);
    let mut world = World::new();
    let objects = fill(&mut world, &models, &cage)?;
    let events = world.events();
    drop(world.events());
    let mut expected = Vec::new();
    for _ in 0..30 {
        for (&object, pose) in objects.iter().zip(cage.poses()) {
            world.set_pose(object, pose)?;
        }
        let frame = world.check();
        let began = frame.began.iter().map(|c| (frame.number, c.pair, Change::Began(*c)));
        let ended = frame.ended.iter().map(|e| (frame.number, e.pair, Change::Ended(e.cause)));
        expected.extend(began.chain(ended));
        cage.advance();
    }
    let heard: Vec<_> =
        events.try_iter().map(|event| (event.frame, event.pair, event.change)).collect();
    assert_eq!(heard, expected);
    assert!(heard.len() > 50);
    Ok(())
}

/// The parallel callback gets the reports of the other one, before it, whatever the threads; several at the same time where
/// there are threads. Its panics are told in order and lose no other report.
#[test]
fn the_parallel_callback_hears_the_same() -> Outcome {
    let (models, mut cage) = (models(40)?, cage(40)?);
    let modes: [(Box<dyn xcollide::execution::Execution>, bool); 2] = [
        (Box::new(xcollide::execution::Serial), false),
        (Box::new(Parallel::with_threads(3)?), true),
    ];
    let mut worlds = Vec::new();
    for (mode, is_parallel) in modes {
        let mut world = World::builder().boxed_execution(mode).build();
        let objects = fill(&mut world, &models, &cage)?;
        let (sender, heard) = channel();
        let (parallel, threads) = (sender.clone(), Arc::new(Mutex::new(BTreeSet::new())));
        let of_threads = Arc::clone(&threads);
        world.set_parallel_callback(move |report, _| {
            let _ = parallel.send(format!("parallel: {}", line(&report)));
            let id = format!("{:?}", std::thread::current().id());
            of_threads.lock().unwrap_or_else(PoisonError::into_inner).insert(id);
            // Long enough for others to take part.
            std::thread::sleep(Duration::from_micros(300));
            let pair = report.pair();
            assert!((pair.a.index() + pair.b.index()) % 5 > 0, "of {pair:?}");
        });
        world.set_callback(move |report, _, _| _ = sender.send(line(&report)));
        worlds.push((world, objects, heard, threads, is_parallel));
    }
    let mut all = 0;
    for _ in 0..6 {
        let mut told = Vec::new();
        for (world, objects, heard, ..) in &mut worlds {
            for (&object, pose) in objects.iter().zip(cage.poses()) {
                world.set_pose(object, pose)?;
            }
            let frame = world.check();
            let lines: Vec<String> = heard.try_iter().collect();
            let (first, second) = lines.split_at(lines.len() / 2);
            let mut first: Vec<_> =
                first.iter().map(|line| line.strip_prefix("parallel: ")).collect();
            let mut sorted: Vec<_> = second.iter().map(|line| Some(&**line)).collect();
            first.sort_unstable();
            sorted.sort_unstable();
            assert_eq!(first, sorted);
            all += second.len();
            told.push((frame.failures, second.to_vec()));
        }
        assert_eq!(told[0], told[1]);
        cage.advance();
    }
    assert!(all > 60, "{all}");
    for (.., threads, is_parallel) in &worlds {
        let threads = threads.lock().unwrap_or_else(PoisonError::into_inner).len();
        assert_eq!(threads > 1, *is_parallel, "{threads}");
    }
    Ok(())
}
