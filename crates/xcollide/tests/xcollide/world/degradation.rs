//! Checks that test approximately because exact tests would take too long.

use std::collections::BTreeSet;
use std::time::Duration;

use xcollide::brep::PolygonMesh;
use xcollide::execution::Parallel;
use xcollide::interest::Ask;
use xcollide::math::Motion;
use xcollide::narrow::classic::PreChecks;
use xcollide::narrow::{Model, Pose, Reason};
use xcollide::{Degradation, Frame, ObjectPair, World};

use super::Outcome;
use super::cage::{brute_force, cage, fill, log_of, models, truth};

fn numbers(pair: ObjectPair) -> [u32; 2] {
    [pair.a.index(), pair.b.index()]
}

/// Without time nothing is claimed that is not so: what collides is reported or undecided, whatever the threads. When nothing
/// moves, all is known.
#[test]
fn what_is_not_proved_is_undecided_until_there_is_time() -> Outcome {
    let (models, mut cage) = (models(24)?, cage(24)?);
    let mut worlds = Vec::new();
    for parallel in [false, true] {
        for approximate in [PreChecks::Arbitrary, PreChecks::Wide] {
            let mut world =
                World::builder().degradation(Degradation::new(Duration::ZERO, approximate)).build();
            if parallel {
                world.set_execution(Box::new(Parallel::with_threads(3)?));
            }
            let objects = fill(&mut world, &models, &cage)?;
            worlds.push((world, objects));
        }
    }
    let (mut suspects, mut alarms) = (0, 0);
    for round in 0..12 {
        let mut logs = Vec::new();
        for (world, objects) in &mut worlds {
            for (&object, pose) in objects.iter().zip(cage.poses()) {
                world.set_pose(object, pose)?;
            }
            let frame: Frame = world.check();
            assert!(frame.approximate);
            let placed = objects.iter().map(|&object| Ok((object.index(), world.placed(object)?)));
            let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
            let truth = brute_force(&placed);
            let undecided: BTreeSet<_> =
                frame.undecided.iter().map(|(pair, _)| numbers(*pair)).collect();
            // Of pairs that keep their state nothing is said here.
            let sure = frame.began.iter().all(|new| truth.contains(&numbers(new.pair)));
            let gone = frame.ended.iter().all(|end| !truth.contains(&numbers(end.pair)));
            assert!(sure && gone, "{round}");
            for pair in &truth {
                let is_reported = frame.colliding().any(|c| numbers(c.pair) == *pair);
                assert!(is_reported || undecided.contains(pair), "{round}: {pair:?}");
            }
            for (pair, reason) in &frame.undecided {
                let Reason::MayTouch(near) = reason else { return Err("another reason".into()) };
                assert!(near.at_most < 2.0);
                suspects += 1;
                alarms += usize::from(!truth.contains(&numbers(*pair)));
            }
            logs.push((frame.began, frame.undecided));
        }
        assert!(logs[0] == logs[2] && logs[1] == logs[3], "the same on three threads");
        if round % 4 == 3 {
            for (world, objects) in &mut worlds {
                let frame = world.check();
                assert!(!frame.approximate && frame.undecided.is_empty());
                let placed = objects.iter().map(|&id| Ok((id.index(), world.placed(id)?)));
                let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
                let found: BTreeSet<_> = frame.colliding().map(|c| numbers(c.pair)).collect();
                assert_eq!(found, brute_force(&placed));
            }
        }
        cage.advance();
    }
    assert!(suspects > 100 && alarms > 10, "{suspects} {alarms}");
    Ok(())
}

/// With time enough all checks are exact.
#[test]
fn a_limit_that_is_kept_changes_nothing() -> Outcome {
    let (count, frames) = (14, 10);
    let mut world = World::new();
    world.set_degradation(Some(Degradation::new(Duration::from_secs(60), PreChecks::Wide)));
    assert_eq!(log_of(world, count, frames, |_, _| ())?, truth(count, frames)?);
    Ok(())
}

/// Contacts of objects in motion are listed exactly, however late the check is.
#[test]
fn contacts_in_motion_stay_exact() -> Outcome {
    let (corners, faces) = xcollide_fixtures::cube();
    let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
    let at = |x| Pose::from_translation([x, 0.0, 0.0]);
    let mut world = World::new();
    world.set_degradation(Some(Degradation::new(Duration::ZERO, PreChecks::Wide)));
    world.interest_mut().set_default_ask(Ask::Contacts { limit: 9 });
    let wall = world.add(&cube, &at(0.0))?;
    let bullet = world.add(&cube, &at(-9.0))?;
    let _ = world.check();
    world.set_motion(bullet, Motion::linear(at(-9.0), at(9.0))?)?;
    let frame = world.check();
    assert!(frame.approximate && frame.undecided.is_empty() && frame.collides(wall, bullet));
    assert!(!frame.contacts(&frame.began[0]).is_empty());
    Ok(())
}
