//! Snapshots of worlds.

use std::cell::Cell;
use std::time::Duration;

use nalgebra::{Isometry3, Vector3};
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use xcollide::interest::Ask;
use xcollide::narrow::mesh::{BruteForce, Wide};
use xcollide::narrow::{Model, Pose, Query, Semantics};
use xcollide::registry::{self, Kind};
use xcollide::{
    Collision, Concurrent, Frame, ObjectId, RestoreError, Schedule, World, WorldBuilder,
    WorldSnapshot,
};
use xcollide_fixtures::long_run;
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{cage, fill, log_of, models, truth};

/// An operation of an application.
#[derive(Clone, Debug)]
struct Step {
    what: u8,
    /// The objects, groups and queries concerned.
    one: usize,
    other: usize,
    place: [f64; 3],
    turn: [f64; 3],
}

fn step() -> impl Strategy<Value = Step> {
    let numbers = || prop::array::uniform3(-1.5..1.5_f64);
    (0..20_u8, 0..40_usize, 0..40_usize, numbers(), numbers())
        .prop_map(|(what, one, other, place, turn)| Step { what, one, other, place, turn })
}

/// Operations between checks, and the number of checks before the cut.
fn history() -> impl Strategy<Value = (Vec<Vec<Step>>, usize)> {
    (prop::collection::vec(prop::collection::vec(step(), 0..6), 22..30), 1..8_usize)
}

impl Step {
    /// Applies the operation; the world may refuse it.
    fn take(&self, world: &mut World, models: &[Model]) {
        let objects: Vec<ObjectId> = world.objects().collect();
        let pose =
            Pose::try_from(Isometry3::new(Vector3::from(self.place), Vector3::from(self.turn)))
                .unwrap();
        let model = &models[self.one % models.len()];
        let chosen = |number: usize| objects.get(number % objects.len().max(1)).copied();
        let (Some(one), Some(other)) = (chosen(self.one), chosen(self.other)) else {
            let _ = world.add(model, &pose);
            return;
        };
        let far = Pose::from_translation([1.5e308, 0.0, 0.0]);
        let ask = [
            Ask::Touch,
            Ask::Contacts { limit: self.other % 4 },
            Ask::Within { tolerance: self.place[0].abs() },
            Ask::Distance { up_to: [0.5, f64::INFINITY][self.other % 2] },
        ][self.one % 4];
        let (group, flag) = ((self.one % 3) as u8, self.other.is_multiple_of(2));
        let interest = world.interest_mut();
        match self.what {
            0 => interest.set_pair(one, other, flag),
            1 => interest.set_pair_ask(one, other, ask),
            2 => interest.set_group(one, (self.other % 3) as u8),
            3 => interest.set_groups(group, (self.other % 3) as u8, flag),
            4 => interest.set_groups_ask(group, (self.other % 3) as u8, ask),
            5 => interest.set_object(one, flag),
            _ => {}
        }
        let done = match self.what {
            6 => world.remove(one),
            7..=9 => world.add(model, &pose).map(|_| ()),
            10 => world.attach(one, other, &pose),
            11 => world.detach(one),
            12 => world.set_model(one, model),
            13 => world.set_static(one, flag),
            14 => world.set_user_data(one, self.other as u64),
            // Its children leave the range with it.
            15 if self.other < 4 => world.set_pose(one, &far),
            16 if self.other < 8 => {
                let semantics = if flag { Semantics::Solid } else { Semantics::Surface };
                world
                    .set_query(Query::new().semantics(semantics).stats(self.one.is_multiple_of(2)));
                Ok(())
            }
            15.. => world.set_pose(one, &pose),
            _ => Ok(()),
        };
        // Cycles and invalid poses.
        let _ = done;
    }
}

/// A frame without times and the broad phase's work.
fn told(frame: &Frame) -> String {
    let contacts: Vec<_> = frame.colliding().map(|collision| frame.contacts(collision)).collect();
    let mut stats = frame.stats;
    stats.broad = Default::default();
    format!(
        "{} {} {:#?} {:#?} {:?} {:?} {:?} {:?} {contacts:?} {stats:?}",
        frame.number,
        frame.application,
        frame.began,
        frame.persisting,
        frame.ended,
        frame.distances,
        frame.undecided,
        frame.failures,
    )
}

/// Through human-readable text and through bytes.
fn there_and_back(snapshot: &WorldSnapshot) -> Result<[WorldSnapshot; 2], TestCaseError> {
    let text = serde_json::to_string(snapshot).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let read = serde_json::from_str(&text).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let mut bytes = Vec::new();
    ciborium::into_writer(snapshot, &mut bytes).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let other = ciborium::from_reader(&bytes[..])
        .map_err(|e: ciborium::de::Error<std::io::Error>| TestCaseError::fail(e.to_string()))?;
    Ok([read, other])
}

fn restored(snapshot: &WorldSnapshot, builder: WorldBuilder) -> Result<World, TestCaseError> {
    World::restore(snapshot, builder).map_err(|error| TestCaseError::fail(error.to_string()))
}

fn shapes() -> Vec<Model> {
    models(6).unwrap_or_default()
}

/// Numbers of pairs that began, ended, were undecided, had contacts, were near; and of failures.
type Events = [usize; 6];

/// Cuts a history, stores and restores the world, and compares the rest.
fn goes_on(
    history: &[Vec<Step>],
    cut: usize,
    hurried: bool,
    brute: bool,
) -> Result<Events, TestCaseError> {
    let builder = || {
        let builder = World::builder();
        let builder = if brute {
            builder.narrow_phase(BruteForce)
        } else {
            builder.narrow_phase(Wide::new())
        };
        // Without any time a check tests one pair; the others wait.
        if hurried { builder.schedule(Schedule::new(Duration::ZERO)) } else { builder }
    };
    let shapes = shapes();
    let mut world = builder().build();
    let (before, after) = history.split_at(cut);
    for steps in &before[..cut - 1] {
        steps.iter().for_each(|step| step.take(&mut world, &shapes));
        let _ = world.check();
    }
    // Cut between operations and the check that sees them.
    before[cut - 1].iter().for_each(|step| step.take(&mut world, &shapes));
    let snapshot = world.snapshot();
    let [text, bytes] = there_and_back(&snapshot)?;
    prop_assert_eq!(&text, &snapshot);
    prop_assert_eq!(&bytes, &snapshot);
    let mut again = restored(&text, builder())?;
    prop_assert_eq!(again.snapshot(), snapshot, "of what was restored");
    let mut events = Events::default();
    for (number, steps) in std::iter::once(&Vec::new()).chain(after).enumerate() {
        for world in [&mut world, &mut again] {
            steps.iter().for_each(|step| step.take(world, &shapes));
        }
        let frame = world.check();
        prop_assert_eq!(told(&again.check()), told(&frame), "{} checks after the cut", number + 1);
        prop_assert_eq!(again.remembered_pairs(), world.remembered_pairs());
        let contacts = frame.colliding().filter(|collision| !frame.contacts(collision).is_empty());
        let counts = [
            frame.began.len(),
            frame.ended.len(),
            frame.undecided.len(),
            contacts.count(),
            frame.distances.len(),
            frame.failures.len(),
        ];
        events.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    Ok(events)
}

/// As the short test, over many more histories.
#[test]
fn the_next_frames_are_those_of_the_world_that_was_not_stored_soak() -> Outcome {
    let run = long_run(30, 2000);
    let config = ProptestConfig {
        cases: run.cases as u32,
        rng_seed: RngSeed::Fixed(run.seed),
        failure_persistence: None,
        ..Default::default()
    };
    let modes = (any::<bool>(), any::<bool>());
    let events = Cell::new(Events::default());
    TestRunner::new(config).run(&(history(), modes), |((history, cut), (hurried, brute))| {
        let (before, new) = (events.get(), goes_on(&history, cut, hurried, brute)?);
        events.set(std::array::from_fn(|kind| before[kind] + new[kind]));
        Ok(())
    })?;
    assert!(!run.is_whole || events.get().iter().all(|&count| count > 30), "{:?}", events.get());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 24,
        max_shrink_iters: 400,
        failure_persistence: None,
        ..Default::default()
    })]

    /// A history that is cut, stored and restored in the same layers has equal frames, proofs
    /// included.
    #[test]
    fn the_next_frames_are_those_of_the_world_that_was_not_stored(
        (history, cut) in history(),
        (hurried, brute) in (any::<bool>(), any::<bool>()),
    ) {
        let _ = goes_on(&history, cut, hurried, brute)?;
    }

    /// In other layers pairs, distances and contacts are the same.
    #[test]
    fn restored_worlds_may_have_other_layers(
        (history, cut) in history(),
        (broad, bounding, narrow) in (0..100_usize, 0..100_usize, 0..100_usize),
    ) {
        let pick = |kind, number: usize| {
            let exact = registry::of_kind(kind)
                .filter(|entry| entry.guarantee == xcollide::narrow::Guarantee::Exact)
                .filter(|entry| entry.accepts == registry::Accepts::Any);
            let all: Vec<_> = exact.collect();
            all[number % all.len()]
        };
        let mut builder = World::builder();
        if let Some(broad) = pick(Kind::Broad, broad).broad_phase(false) {
            builder = builder.boxed_broad_phase(broad);
        }
        if let Some(bounding) = pick(Kind::Bounds, bounding).bounding() {
            builder = builder.boxed_bounding(bounding);
        }
        if let Some(narrow) = pick(Kind::Narrow, narrow).narrow_phase() {
            builder = builder.boxed_narrow_phase(narrow);
        }
        let shapes = shapes();
        let mut world = World::new();
        let (before, after) = history.split_at(cut);
        for steps in before {
            steps.iter().for_each(|step| step.take(&mut world, &shapes));
            let _ = world.check();
        }
        let mut again = restored(&world.snapshot(), builder)?;
        for steps in after {
            for world in [&mut world, &mut again] {
                steps.iter().for_each(|step| step.take(world, &shapes));
            }
            let frames = [world.check(), again.check()];
            let pairs = |of: &[Collision]| of.iter().map(|c| (c.pair, c.is_new)).collect::<Vec<_>>();
            let [expected, found] = frames.each_ref().map(|frame| {
                let far = frame.distances.iter().map(|(pair, far)| (*pair, far.value));
                let far: Vec<_> = far.collect();
                (pairs(&frame.began), pairs(&frame.persisting), frame.ended.clone(), far)
            });
            prop_assert_eq!(found, expected);
        }
    }

    /// Corrupted text is refused or gives a working world.
    #[test]
    fn damaged_snapshots_are_refused_or_work(
        (history, cut) in history(),
        damages in prop::collection::vec((any::<u32>(), 0..8_u8, any::<u32>()), 1..4),
    ) {
        let shapes = shapes();
        let mut world = World::new();
        for steps in &history[..cut + 3] {
            steps.iter().for_each(|step| step.take(&mut world, &shapes));
            let _ = world.check();
        }
        let mut text = serde_json::to_value(world.snapshot())
            .map_err(|e| TestCaseError::fail(e.to_string()))?;
        for (place, how, value) in damages {
            let mut leaves = count(&text);
            damage(&mut text, &mut (place as usize % leaves.max(1)), how, value);
            leaves = count(&text);
            prop_assert!(leaves < 1_000_000);
        }
        let Ok(snapshot) = serde_json::from_value::<WorldSnapshot>(text) else { return Ok(()) };
        if let Ok(mut world) = World::restore(&snapshot, World::builder()) {
            for _ in 0..3 {
                let objects: Vec<ObjectId> = world.objects().collect();
                for object in objects {
                    let _ = world.set_pose(object, &Pose::from_translation([0.1, 0.0, 0.0]));
                }
                let _ = world.check();
                let _ = world.snapshot();
            }
        }
    }
}

/// Flipped, missing or repeated bytes never cause a panic.
#[test]
fn damaged_bytes_are_refused_or_work() -> Outcome {
    let (models, cage) = (models(8)?, cage(8)?);
    let mut world = World::new();
    world.interest_mut().set_default_ask(Ask::Contacts { limit: 3 });
    let objects = fill(&mut world, &models, &cage)?;
    world.attach(objects[1], objects[0], &Pose::IDENTITY)?;
    assert!(world.check().stats.colliding > 3);
    let mut whole = Vec::new();
    ciborium::into_writer(&world.snapshot(), &mut whole)?;
    let mut random = Random::new(21);
    let (mut refused, mut worked) = (0, 0);
    for _ in 0..600 {
        let mut bytes = whole.clone();
        let at = random.between(0.0, bytes.len() as f64 - 1.0) as usize;
        match random.between(0.0, 8.0) as u8 {
            0 => bytes.truncate(at),
            1 => drop(bytes.remove(at)),
            2 => bytes.insert(at, bytes[at]),
            bit => bytes[at] ^= 1 << bit,
        }
        let read: Result<WorldSnapshot, _> = ciborium::from_reader(&bytes[..]);
        match read.map(|snapshot| World::restore(&snapshot, World::builder())) {
            Ok(Ok(mut world)) => {
                let _ = (world.check(), world.snapshot());
                worked += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(refused > 50 && worked > 50, "{refused} {worked}");
    Ok(())
}

/// The number of values of all kinds.
fn count(value: &serde_json::Value) -> usize {
    1 + match value {
        serde_json::Value::Array(items) => items.iter().map(count).sum(),
        serde_json::Value::Object(fields) => fields.values().map(count).sum(),
        _ => 0,
    }
}

/// Corrupts the value with this number.
fn damage(value: &mut serde_json::Value, place: &mut usize, how: u8, with: u32) {
    use serde_json::Value;
    if *place == 0 {
        *place = usize::MAX;
        *value = match (how, value.take()) {
            (0, Value::Bool(flag)) => Value::Bool(!flag),
            (1, Value::Number(_)) => Value::from(u64::from(with) << 32 | u64::from(with)),
            (2..=4, Value::Number(_)) => Value::from(with % 50),
            (5, Value::Number(_)) => Value::from(with),
            (2, Value::String(_)) => Value::from(format!("{}e308", f64::from(with % 3) - 1.0)),
            (3, Value::String(_)) => Value::from("NaN"),
            (4..=7, Value::String(_)) => Value::from(f64::from(with as i16).to_string()),
            (2, Value::Array(mut items)) => {
                items.truncate(with as usize % (items.len() + 1));
                Value::Array(items)
            }
            (3, Value::Array(mut items)) => {
                items.extend(items.first().cloned());
                Value::Array(items)
            }
            (4, Value::Array(mut items)) => {
                items.reverse();
                Value::Array(items)
            }
            (5, Value::Object(_)) => Value::Null,
            (_, other) => other,
        };
        return;
    }
    *place -= 1;
    let below: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(fields) => fields.iter_mut().map(|(_, field)| field).collect(),
        _ => Vec::new(),
    };
    for item in below {
        if *place == usize::MAX {
            return;
        }
        damage(item, place, how, with);
    }
}

/// A world that is stored and restored before every check has the log of brute force.
#[test]
fn a_world_that_is_stored_all_the_time_gives_the_log_of_brute_force() -> Outcome {
    let (count, frames) = (12, 12);
    let log = log_of(World::new(), count, frames, |_, world| {
        let text = serde_json::to_string(&world.snapshot()).unwrap_or_default();
        let read = serde_json::from_str(&text).map(|read| World::restore(&read, World::builder()));
        if let Ok(Ok(again)) = read {
            *world = again;
            // Otherwise the log would be of one world.
            world.set_execution(Box::new(xcollide::execution::Parallel::new()));
        }
        assert!(world.execution().is_parallel(), "{text}");
    })?;
    assert_eq!(log, truth(count, frames)?);
    Ok(())
}

/// A snapshot of another version is reported as such by self-describing formats.
#[test]
fn other_versions_are_refused_by_name() -> Outcome {
    let snapshot: WorldSnapshot = serde_json::from_str("[77, {\"who\": \"knows\"}]")?;
    assert_eq!(snapshot.version(), 77);
    let refused = World::restore(&snapshot, World::builder()).err();
    assert_eq!(refused, Some(RestoreError::Version { found: 77, known: 3 }));
    Ok(())
}

/// A shared model is stored once and shared again; free ids stay free.
#[test]
fn models_are_stored_once_and_ids_go_on() -> Outcome {
    let ball = Model::from_mesh(xcollide_scenes::shape("sphere?faces=500")?)?;
    let mut world = World::new();
    let first = world.add(&ball, &Pose::IDENTITY)?;
    let alone = serde_json::to_string(&world.snapshot())?.len();
    for n in 1..40 {
        world.add(&ball, &Pose::from_translation([f64::from(n), 0.0, 0.0]))?;
    }
    assert!(serde_json::to_string(&world.snapshot())?.len() < 2 * alone);
    let free: Vec<ObjectId> = world.objects().skip(3).step_by(5).collect();
    free.iter().try_for_each(|&object| world.remove(object))?;
    let mut again = World::restore(&world.snapshot(), World::builder())?;
    let objects: Vec<ObjectId> = again.objects().collect();
    assert_eq!(objects, world.objects().collect::<Vec<_>>());
    for &object in &objects {
        assert!(again.model(object)?.is_same(again.model(first)?));
        assert_eq!(again.model(object)?.mesh(), ball.mesh());
    }
    for _ in 0..12 {
        assert_eq!(again.add(&ball, &Pose::IDENTITY)?, world.add(&ball, &Pose::IDENTITY)?);
    }
    assert!(!again.contains(free[0]) && again.set_pose(free[0], &Pose::IDENTITY).is_err());
    Ok(())
}

/// A change can store a running detection, with all entries before it.
#[test]
fn a_running_detection_can_be_stored() -> Outcome {
    let model = models(1)?.remove(0);
    let detection = Concurrent::start(World::new());
    let objects =
        [detection.add(&model, &Pose::IDENTITY)?, detection.add(&model, &Pose::IDENTITY)?];
    let (sender, receiver) = std::sync::mpsc::channel();
    detection.change(move |world| {
        let _ = sender.send(world.snapshot());
    });
    let _later = detection.add(&model, &Pose::IDENTITY)?;
    let mut again = World::restore(&receiver.recv()?, World::builder())?;
    assert_eq!(again.objects().collect::<Vec<_>>(), objects);
    assert!(again.check().collides(objects[0], objects[1]));
    assert_eq!(detection.stop()?.len(), 3);
    Ok(())
}
