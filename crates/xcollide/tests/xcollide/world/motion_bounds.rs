//! Motion bounds save work if they hold, and never change an answer.

use xcollide::bounding::FixedCubes;
use xcollide::broad::{MotionBound, classic::SpaceTime};
use xcollide::narrow::{Model, Placed, Pose};
use xcollide::registry::{self, Kind};
use xcollide::{ObjectId, World, WorldError};
use xcollide_scenes::Random;

use super::Outcome;
use super::cage::{Log, entry, log_of, truth};

/// A bound that is right, wrong, extreme, or withdrawn.
fn some_promise(random: &mut Random) -> Option<MotionBound> {
    let velocity = random.direction();
    match random.between(0.0, 5.0) as u32 {
        0 => None,
        1 => Some(MotionBound::default()),
        2 => Some(MotionBound {
            velocity: velocity.map(|v| 0.1 * v),
            acceleration: 0.5,
            ..MotionBound::default()
        }),
        3 => Some(MotionBound { velocity, acceleration: -1.0, ..MotionBound::default() }),
        _ => Some(MotionBound {
            velocity: [f64::INFINITY; 3],
            acceleration: 1e300,
            ..MotionBound::default()
        }),
    }
}

#[test]
fn promises_of_any_kind_change_no_answers() -> Outcome {
    let (count, frames) = (14, 20);
    let truth = truth(count, frames)?;
    for broad in registry::of_kind(Kind::Broad) {
        let mut random = Random::new(3);
        let layer = broad.broad_phase(false).ok_or("a broad phase")?;
        let world = World::builder().boxed_broad_phase(layer).build();
        let log = log_of(world, count, frames, |frame, world| {
            let objects: Vec<ObjectId> = world.objects().collect();
            for object in objects {
                let promise = some_promise(&mut random);
                assert!(world.set_motion_bound(object, promise).is_ok());
            }
            if frame == 9 {
                // Motion bounds survive a change of the strategy.
                world.set_bounding(Box::new(FixedCubes));
            }
        })?;
        assert_eq!(log, truth, "{}", broad.name);
    }
    Ok(())
}

/// Two rows of tetrahedra that fly towards each other, each row at one velocity, close side by
/// side. Returns the log, the awake pairs, and the horns made.
fn rows(promised: bool) -> Result<(Log, u64, u64), Box<dyn std::error::Error>> {
    let model = Model::from_mesh(xcollide_scenes::shape("shape:tetrahedron")?)?;
    let mut world = World::builder().broad_phase(SpaceTime::new()).build();
    let around = Placed::new(&model, &Pose::IDENTITY)?.world_box();
    let pitch = 1.05 * (around.max[1] - around.min[1]);
    let begin =
        |number: usize| [if number < 20 { 0.0 } else { 20.0 }, (number % 20) as f64 * pitch];
    let velocity = |number: usize| if number < 20 { 0.125 } else { -0.25 };
    let mut objects = Vec::new();
    for number in 0..40 {
        let [x, y] = begin(number);
        let object = world.add(&model, &Pose::from_translation([x, y, 0.0]))?;
        let velocity = [velocity(number), 0.0, 0.0];
        let bound = MotionBound { velocity, acceleration: 0.0, ..MotionBound::default() };
        world.set_motion_bound(object, Some(bound).filter(|_| promised))?;
        objects.push(object);
    }
    let (mut log, mut tests, mut horns) = (Log::new(), 0, 0);
    for time in 0..80 {
        for (number, &object) in objects.iter().enumerate() {
            let [x, y] = begin(number);
            world.set_pose(
                object,
                &Pose::from_translation([x + velocity(number) * f64::from(time), y, 0.0]),
            )?;
        }
        let frame = world.check();
        log.push(entry(&frame));
        tests += frame.stats.broad.tests;
        horns += frame.stats.broad.moves;
    }
    Ok((log, tests, horns))
}

#[test]
fn pairs_sleep_while_promises_are_kept() -> Outcome {
    let (log, tests, horns) = rows(true)?;
    let (unpromised_log, unpromised_tests, unpromised_horns) = rows(false)?;
    assert_eq!(log, unpromised_log);
    let began: usize = log.iter().map(|entry| entry.began.len()).sum();
    let ended: usize = log.iter().map(|entry| entry.ended.len()).sum();
    assert_eq!([began, ended], [20, 20], "the rows meet, and pass");
    // Neighbours in a row would be tested in every frame without knowledge of their common
    // velocity.
    assert!(5 * tests < unpromised_tests, "{tests} of {unpromised_tests} tests");
    assert!(2 * horns < unpromised_horns, "{horns} of {unpromised_horns} horns");
    Ok(())
}

#[test]
fn promises_are_kept_with_the_object_and_wrong_ones_refused() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("shape:tetrahedron")?)?;
    let mut world = World::new();
    let object = world.add(&model, &Pose::IDENTITY)?;
    let bound =
        MotionBound { velocity: [1.0, 0.0, 0.0], acceleration: 0.5, ..MotionBound::default() };
    world.set_motion_bound(object, Some(bound))?;
    for _ in 0..2 {
        let _ = world.check();
        assert_eq!(world.bounds(object)?.motion.as_deref(), Some(&bound));
        world.set_bounding(Box::new(FixedCubes));
    }
    let nan =
        MotionBound { velocity: [0.0, f64::NAN, 0.0], acceleration: 0.0, ..MotionBound::default() };
    let refused = Err(WorldError::Motion { id: object });
    assert_eq!(world.set_motion_bound(object, Some(nan)), refused);
    let _ = world.check();
    assert_eq!(world.bounds(object)?.motion.as_deref(), Some(&bound), "as it was");
    world.set_motion_bound(object, None)?;
    assert_eq!(world.bounds(object)?.motion, None);
    world.remove(object)?;
    let gone = Err(WorldError::Stale { id: object });
    assert_eq!(world.set_motion_bound(object, Some(bound)), gone);
    let heir = world.add(&model, &Pose::IDENTITY)?;
    assert_eq!(heir.index(), object.index());
    assert_eq!(world.bounds(heir)?.motion, None);
    Ok(())
}
