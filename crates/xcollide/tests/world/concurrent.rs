//! Detection in a thread of its own.

use std::collections::{BTreeMap, BTreeSet};

use xcollide::narrow::{Pose, PoseError};
use xcollide::registry::{self, Kind};
use xcollide::{Change, Concurrent, Failure, Frame, ObjectId, ObjectPair, World, WorldError};
use xcollide_scenes::{Poses, Random};

use crate::Outcome;
use crate::cage::{brute_force, cage, entry, fill, models, pose, truth};

/// An application that waits for every check has the log of brute force, each frame under the number
/// that the application gave it.
#[test]
fn in_step_it_gives_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 14);
    let (models, mut cage) = (models(count)?, cage(count));
    let mut world = World::new();
    let objects = fill(&mut world, &models, &cage)?;
    let detection = Concurrent::start(world);
    detection.wait();
    let (mut frame, mut log) = (Frame::new(), Vec::new());
    assert!(detection.latest(&mut frame) && !detection.latest(&mut frame));
    log.push(entry(&frame));
    for number in 1..frames {
        cage.step();
        // One change, so that no check sees half of the poses.
        let poses: Vec<Pose> = cage.bodies().iter().map(|body| pose(&body.placement)).collect();
        let objects = objects.clone();
        detection.next_frame();
        detection.change(move |world| {
            for (&object, pose) in objects.iter().zip(&poses) {
                assert_eq!(world.set_pose(object, pose), Ok(()));
            }
        });
        detection.wait();
        assert!(detection.latest(&mut frame));
        assert!(frame.failures.is_empty());
        assert_eq!(frame.application, number as u64);
        log.push(entry(&frame));
    }
    assert_eq!(log, truth(count, frames)?);
    Ok(())
}

/// Threads that move, add, remove and swap layers without waiting: in the end every object that was
/// added and not removed is there, at its latest pose, and what collides is what brute force says. The
/// events are those of the frames: a pair begins and ends in turns.
#[test]
fn nothing_is_lost_under_stress() -> Outcome {
    let kinds = models(6)?;
    let mut world = World::new();
    let events = world.events();
    let detection = Concurrent::start(world);
    let work = |seed: u64| -> Result<BTreeMap<ObjectId, (usize, Pose)>, WorldError> {
        let (mut random, mut poses) = (Random::new(seed), Poses::new(seed));
        let mut mine: BTreeMap<ObjectId, (usize, Pose)> = BTreeMap::new();
        for step in 0..600 {
            if step % 20 == 0 {
                // Else all would be over after a handful of checks.
                detection.wait();
            }
            let place = pose(&poses.within(2.5));
            let chosen = mine.keys().copied().nth(random.between(0.0, 7.0) as usize);
            match (random.between(0.0, 10.0) as u32, chosen) {
                (0, Some(id)) => {
                    detection.remove(id);
                    mine.remove(&id);
                    // Too late: it is gone, or its index has a new owner.
                    detection.set_pose(id, &place)?;
                }
                (1, Some(id)) => {
                    let other = random.between(0.0, 5.99) as usize;
                    let model = kinds[other].clone();
                    detection.change(move |world| assert_eq!(world.set_model(id, &model), Ok(())));
                    mine.insert(id, (other, mine[&id].1));
                }
                (2, _) => {
                    let layers: Vec<_> = registry::of_kind(Kind::Broad).collect();
                    let layer = layers[random.between(0.0, layers.len() as f64 - 0.01) as usize];
                    if let Some(broad) = layer.broad_phase(false) {
                        detection.change(|world| world.set_broad_phase(broad));
                    }
                }
                (3..=9, Some(id)) => {
                    detection.set_pose(id, &place)?;
                    mine.insert(id, (mine[&id].0, place));
                    detection.next_frame();
                }
                _ if mine.len() < 7 => {
                    let kind = random.between(0.0, 5.99) as usize;
                    mine.insert(detection.add(&kinds[kind], &place)?, (kind, place));
                }
                _ => {}
            }
        }
        Ok(mine)
    };
    let mut all = BTreeMap::new();
    let threads = std::thread::scope(|scope| {
        let threads = [1, 2, 3].map(|seed| scope.spawn(move || work(seed)));
        threads.map(std::thread::ScopedJoinHandle::join)
    });
    for mine in threads {
        all.append(&mut mine.map_err(|_| "a thread panicked")??);
    }
    detection.wait();
    let mut frame = Frame::new();
    assert!(detection.latest(&mut frame));
    assert!(frame.failures.is_empty(), "{:?}", frame.failures);
    // Those who moved nothing after their last frame began are seen in it, or before.
    assert!(frame.application <= detection.application_frame());
    let world = detection.stop()?;
    assert_eq!(world.objects().collect::<Vec<_>>(), all.keys().copied().collect::<Vec<_>>());
    let mut placed = Vec::new();
    for (&id, (kind, pose)) in &all {
        assert!(world.model(id)?.is_same(&kinds[*kind]));
        assert_eq!(world.pose(id)?, pose);
        placed.push((id.index(), world.placed(id)?));
    }
    let found: Vec<_> = frame.colliding().map(|c| [c.pair.a.index(), c.pair.b.index()]).collect();
    assert_eq!(found, brute_force(&placed).into_iter().collect::<Vec<_>>());
    let mut colliding: BTreeSet<ObjectPair> = BTreeSet::new();
    let (mut last, mut heard) = ((0, 0), 0);
    for event in events.try_iter() {
        assert!(last <= (event.frame, event.application), "out of order");
        last = (event.frame, event.application);
        heard += 1;
        match event.change {
            Change::Began(_) => assert!(colliding.insert(event.pair), "{event:?}"),
            _ => assert!(colliding.remove(&event.pair), "{event:?}"),
        }
    }
    assert_eq!(colliding, frame.colliding().map(|c| c.pair).collect());
    assert!(heard > 50, "{heard}");
    Ok(())
}

/// A pose that was set before an object is attached is not taken for one relative to its parent.
#[test]
fn poses_keep_their_place_among_other_changes() -> Outcome {
    let model = models(1)?.remove(0);
    let detection = Concurrent::start(World::new());
    let [parent, child] = [
        detection.add(&model, &Pose::translation(100.0, 0.0, 0.0))?,
        detection.add(&model, &Pose::identity())?,
    ];
    detection.set_pose(child, &Pose::translation(50.0, 0.0, 0.0))?;
    detection.change(move |world| {
        assert_eq!(world.attach(child, parent, &Pose::translation(1.0, 0.0, 0.0)), Ok(()));
    });
    detection.set_pose(child, &Pose::translation(2.0, 0.0, 0.0))?;
    detection.set_pose(child, &Pose::translation(3.0, 0.0, 0.0))?;
    let world = detection.stop()?;
    assert_eq!(world.world_pose(child)?.translation.vector.x, 103.0);
    Ok(())
}

/// What goes wrong in a change is reported, and the detection goes on.
#[test]
fn failures_of_changes_are_reported() -> Outcome {
    let model = models(1)?.remove(0);
    let detection = Concurrent::start(World::new());
    let object = detection.add(&model, &Pose::identity())?;
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    let refused = detection.set_pose(object, &nowhere);
    assert!(matches!(refused, Err(WorldError::Pose(PoseError::NonFinite { .. }))));
    detection.wait();
    let mut frame = Frame::new();
    let _ = detection.latest(&mut frame);
    detection.change(|_| panic!("a slip"));
    detection.wait();
    assert!(detection.latest(&mut frame));
    assert_eq!(frame.failures, [Failure::Change { message: "a slip".to_owned() }]);
    assert_eq!(detection.stop()?.len(), 1);
    Ok(())
}
