//! Frames, events and settings go through serde and come back the same.
#![cfg(feature = "serde")]

use xcollide::interest::Ask;
use xcollide::registry::{Accepts, Kind};
use xcollide::robot::{Packages, Robot, RobotState};
use xcollide::{Cause, Failure, Frame, Model, ObjectId, ObjectPair, Pose, World};
use xcollide_fixtures::assert_comes_back;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn frames_and_events_come_back_as_they_were() -> Outcome {
    let torus = Model::from_mesh(xcollide_scenes::shape("torus?faces=60")?)?;
    let mut world = World::new();
    let events = world.events();
    let mut objects = Vec::new();
    for number in 0..6 {
        let place = f64::from(number) * 0.9;
        objects.push(world.add(&torus, &Pose::from_translation([place, 0.1 * place, 0.0]))?);
    }
    world.interest_mut().set_default_ask(Ask::Contacts { limit: 20 });
    let (mut began, mut contacts, mut distances) = (0, 0, 0);
    for step in 0..8 {
        if step == 4 {
            world.interest_mut().set_default_ask(Ask::Distance { up_to: 0.5 });
        }
        let far = Pose::from_translation([f64::from(step) / 3.0, 0.1, 0.3]);
        world.set_pose(objects[step as usize % 6], &far)?;
        let frame = world.check();
        let again = assert_comes_back(&frame);
        for (one, other) in frame.colliding().zip(again.colliding()) {
            assert_eq!(one, other);
            assert_eq!(frame.contacts(one), again.contacts(other));
            contacts += again.contacts(other).len();
        }
        (began, distances) = (began + again.began.len(), distances + again.distances.len());
    }
    world.remove(objects[0])?;
    assert_comes_back(&world.check());
    assert!(began > 2 && contacts > 2 && distances > 2, "{began} {contacts} {distances}");
    let events: Vec<_> = events.try_iter().collect();
    assert!(events.len() > 5, "{}", events.len());
    assert_comes_back(&events);
    Ok(())
}

#[test]
fn a_collision_with_damaged_contacts_has_none() -> Outcome {
    let mut world = World::new();
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    world.add(&model, &Pose::IDENTITY)?;
    world.add(&model, &Pose::from_translation([0.5, 0.1, 0.2]))?;
    world.interest_mut().set_default_ask(Ask::Contacts { limit: 20 });
    let mut stored = serde_json::to_value(world.check())?;
    for range in [[0, 1000], [3, 1], [u32::MAX, u32::MAX]] {
        stored["began"][0]["contacts"] = range.to_vec().into();
        let frame: Frame = serde_json::from_value(stored.clone())?;
        assert!(frame.contacts(&frame.began[0]).is_empty());
    }
    Ok(())
}

#[test]
fn settings_and_words_come_back_as_they_were() {
    for ask in [Ask::Touch, Ask::Within { tolerance: 0.1 }, Ask::Distance { up_to: 1.0 / 3.0 }] {
        assert_comes_back(&ask);
    }
    assert_comes_back(&[Kind::Narrow, Kind::Build].to_vec());
    assert_comes_back(&[Accepts::Any, Accepts::ClosedManifold, Accepts::Convex].to_vec());
    assert_comes_back(&[Cause::Apart, Cause::Removed, Cause::NotWanted].to_vec());
    let pair = ObjectPair::new(ObjectId::new(7, 2), ObjectId::new(3, 0));
    assert_comes_back(&Failure::Pair { pair, message: "a \"message\"".to_owned() });
}

#[test]
fn clearances_of_robots_come_back_as_they_were() -> Outcome {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/scenes");
    let robot =
        Robot::load(folder.join("arm.urdf"), Some(folder.join("arm.srdf")), &Packages::new())?;
    let mut state: RobotState<'_> = robot.state()?;
    assert_comes_back(&state.distance()?);
    assert_comes_back(&state.stats());
    assert_comes_back(&robot.bodies().collect::<Vec<_>>());
    Ok(())
}
