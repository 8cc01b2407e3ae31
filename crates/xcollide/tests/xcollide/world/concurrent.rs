//! Detection in a thread of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use xcollide::PoseError;
use xcollide::brep::Topology;
use xcollide::broad::{AllPairs, Bounds, BroadPhase, Interest, Pairs, ProxyError, ProxyId, Stats};
use xcollide::narrow::mesh::Wide;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, PrepareError, Query, Verdict,
};
use xcollide::registry::{self, Accepts, Entry, Kind};
use xcollide::{Change, Concurrent, Failure, Frame, ObjectId, ObjectPair, World, WorldError};
use xcollide_scenes::{Poses, Random};

use super::Outcome;
use super::cage::{brute_force, log_in_step_of, models, pose, truth};

/// An application that waits for every check has the log of brute force.
#[test]
fn in_step_it_gives_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (14, 14);
    assert_eq!(log_in_step_of(World::new(), count, frames)?, truth(count, frames)?);
    Ok(())
}

/// Threads move, add, remove and swap layers without waiting: in the end every remaining object is
/// at its latest pose, and the collisions are brute force's. In the events each pair begins and
/// ends alternately.
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
                // Otherwise all would end after a handful of checks.
                detection.wait();
            }
            let place = pose(&poses.within(2.5));
            let chosen = mine.keys().copied().nth(random.between(0.0, 7.0) as usize);
            match (random.between(0.0, 10.0) as u32, chosen) {
                (0, Some(id)) => {
                    detection.remove(id);
                    mine.remove(&id);
                    // It is gone, or its index has a new owner.
                    detection.set_pose(id, &place)?;
                }
                (1, Some(id)) => {
                    let other = random.between(0.0, 5.99) as usize;
                    let model = kinds[other].clone();
                    detection.change(move |world| assert_eq!(world.set_model(id, &model), Ok(())));
                    mine.insert(id, (other, mine[&id].1));
                }
                (2, _) => {
                    let kind = [Kind::Broad, Kind::Bounds, Kind::Narrow, Kind::Execution];
                    let kind = kind[random.between(0.0, 3.99) as usize];
                    let layers = registry::of_kind(kind)
                        .filter(|entry| entry.guarantee == Guarantee::Exact)
                        .filter(|entry| entry.accepts == Accepts::Any);
                    let layers: Vec<_> = layers.collect();
                    let layer = layers[random.between(0.0, layers.len() as f64 - 0.01) as usize];
                    detection.change(move |world| swap_in(world, layer));
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
    // Objects not moved since their last frame began are seen in it, or before.
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

/// Replaces a random layer of a world.
fn swap_in(world: &mut World, layer: &Entry) {
    if let Some(broad) = layer.broad_phase(false) {
        world.set_broad_phase(broad);
    } else if let Some(bounding) = layer.bounding() {
        world.set_bounding(bounding);
    } else if let Some(narrow) = layer.narrow_phase() {
        world.set_narrow_phase(narrow);
    } else if let Some(execution) = layer.execution() {
        world.set_execution(execution);
    }
}

/// A narrow phase that blocks while someone holds the gate.
struct Gated {
    gate: Arc<Mutex<()>>,
    arrived: Sender<()>,
}

impl NarrowPhase for Gated {
    fn name(&self) -> &'static str {
        "gated"
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
        let _ = self.arrived.send(());
        let _open = self.gate.lock().unwrap_or_else(PoisonError::into_inner);
        Wide::new().test(a, b, query, cache)
    }
}

/// While a check is blocked, entries are accepted; afterwards all have an effect, of many poses the
/// last, in one check.
#[test]
fn nobody_waits_for_a_check() -> Outcome {
    let model = models(1)?.remove(0);
    let gate = Arc::new(Mutex::new(()));
    let (arrived, arrivals) = channel();
    let narrow = Gated { gate: gate.clone(), arrived };
    let detection = Concurrent::start(World::builder().narrow_phase(narrow).build());
    let closed = gate.lock().map_err(|_| "poisoned")?;
    let objects = [0.0, 0.1].map(|x| detection.add(&model, &Pose::from_translation([x, 0.0, 0.0])));
    let [one, other] = [objects[0]?, objects[1]?];
    arrivals.recv()?;
    // From here on the detection is blocked in a check.
    let mut frame = Frame::new();
    while detection.latest(&mut frame) {}
    let before = frame.number;
    let place = |step: u32| Pose::from_translation([f64::from(step) / 1024.0, 0.0, 0.0]);
    for step in 0..=5000 {
        detection.set_pose(one, &place(step))?;
        detection.set_poses([(other, place(step + 1))])?;
        detection.next_frame();
    }
    let third = detection.add(&model, &Pose::IDENTITY)?;
    detection.remove(other);
    detection.change(move |world| assert_eq!(world.set_user_data(third, 7), Ok(())));
    assert!(!detection.latest(&mut frame) && detection.failure().is_none());
    drop(closed);
    detection.wait();
    assert!(detection.latest(&mut frame));
    assert!(frame.number <= before + 2, "{} after {before}: poses are kept in a row", frame.number);
    assert_eq!(frame.application, 5001);
    let world = detection.stop()?;
    assert_eq!(world.objects().collect::<Vec<_>>(), [one, third]);
    assert_eq!((world.pose(one)?, world.user_data(third)?), (&place(5000), 7));
    Ok(())
}

/// Poses set together are seen together: two objects that jump side by side touch in every check.
#[test]
fn poses_that_are_set_together_are_seen_together() -> Outcome {
    let model = models(1)?.remove(0);
    let mut world = World::new();
    let objects = [world.add(&model, &Pose::IDENTITY)?, world.add(&model, &Pose::IDENTITY)?];
    let events = world.events();
    let detection = Concurrent::start(world);
    let (mut frame, mut seen) = (Frame::new(), 0);
    for step in 0..20_000 {
        let place = Pose::from_translation([f64::from(step % 2) * 50.0, 0.0, 0.0]);
        detection.set_poses(objects.map(|object| (object, place)))?;
        if detection.latest(&mut frame) {
            seen += 1;
            assert!(frame.collides(objects[0], objects[1]), "check {}", frame.number);
        }
        if step % 100 == 0 {
            detection.wait();
        }
    }
    drop(detection);
    assert!(seen > 100, "{seen}");
    assert_eq!(events.try_iter().count(), 1, "they begin once, and never end");
    Ok(())
}

/// A broad phase that panics.
struct Broken(AllPairs);

impl BroadPhase for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.0.insert(id, bounds)
    }

    fn update(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.0.update(id, bounds)
    }

    fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError> {
        self.0.remove(id)
    }

    fn pairs(&mut self, interest: &dyn Interest, out: &mut Pairs) {
        assert!(self.0.len() < 2, "two are too many");
        self.0.pairs(interest, out);
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn stats(&self) -> Stats {
        self.0.stats()
    }
}

/// If the detection panics, the error is reported and nobody waits for it.
#[test]
fn the_end_of_the_detection_is_reported() -> Outcome {
    let model = models(1)?.remove(0);
    let world = World::builder().broad_phase(Broken(AllPairs::new())).build();
    let detection = Concurrent::start(world);
    let object = detection.add(&model, &Pose::IDENTITY)?;
    detection.wait();
    assert_eq!(detection.failure(), None);
    let _second = detection.add(&model, &Pose::IDENTITY)?;
    detection.wait();
    let failure = detection.failure().ok_or("nothing is said")?.clone();
    assert_eq!(failure.to_string(), "the detection has ended early: two are too many");
    // It is dropped, but nothing hangs.
    detection.set_pose(object, &Pose::from_translation([1.0, 0.0, 0.0]))?;
    detection.wait();
    assert_eq!(detection.stop().err(), Some(failure));
    Ok(())
}

/// A pose set before an object is attached is not taken as relative to the parent.
#[test]
fn poses_keep_their_place_among_other_changes() -> Outcome {
    let model = models(1)?.remove(0);
    let detection = Concurrent::start(World::new());
    let [parent, child] = [
        detection.add(&model, &Pose::from_translation([100.0, 0.0, 0.0]))?,
        detection.add(&model, &Pose::IDENTITY)?,
    ];
    detection.set_pose(child, &Pose::from_translation([50.0, 0.0, 0.0]))?;
    detection.change(move |world| {
        assert_eq!(world.attach(child, parent, &Pose::from_translation([1.0, 0.0, 0.0])), Ok(()));
    });
    detection.set_pose(child, &Pose::from_translation([2.0, 0.0, 0.0]))?;
    detection.set_pose(child, &Pose::from_translation([3.0, 0.0, 0.0]))?;
    let world = detection.stop()?;
    assert_eq!(world.world_pose(child)?.translation()[0], 103.0);
    Ok(())
}

/// A panic in a change is reported, and the detection continues.
#[test]
fn failures_of_changes_are_reported() -> Outcome {
    let model = models(1)?.remove(0);
    let detection = Concurrent::start(World::new());
    let object = detection.add(&model, &Pose::IDENTITY)?;
    let nowhere = Pose::from_translation([f64::NAN, 0.0, 0.0]);
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
