//! `World::set_poses` does what `set_pose` does one by one, on any threads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use xcollide::WorldError;
use xcollide::execution::Parallel;
use xcollide::prelude::*;
use xcollide_fixtures::Random;

use super::Outcome;
use super::threads::Splitter;

const COUNT: usize = 3000;

fn worlds(model: &Model) -> Result<[World; 4], Box<dyn std::error::Error>> {
    let mut worlds = [
        World::new(),
        World::new(),
        World::builder().execution(Splitter::default()).build(),
        World::builder().execution(Parallel::with_threads(3)?).build(),
    ];
    for world in &mut worlds {
        for number in 0..COUNT {
            world.add(model, &Pose::from_translation([3.0 * number as f64, 0.0, 0.0]))?;
        }
    }
    Ok(worlds)
}

fn tetrahedron() -> Result<Model, Box<dyn std::error::Error>> {
    let (corners, faces) = xcollide_fixtures::tetrahedron();
    Ok(Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?)
}

/// The first world moves its objects one by one, the others at once.
#[test]
fn many_poses_are_those_set_one_by_one() -> Outcome {
    let model = tetrahedron()?;
    let mut worlds = worlds(&model)?;
    let ids: Vec<ObjectId> = worlds[0].objects().collect();
    for world in &mut worlds {
        world.attach(ids[7], ids[900], &Pose::from_translation([0.0, 3.0, 0.0]))?;
        world.remove(ids[1000])?;
    }
    let mut random = Random::new(3);
    for round in 0..10 {
        let poses: Vec<Pose> =
            (0..COUNT).map(|_| Pose::from_translation(random.point(12.0))).collect();
        // All, some in order, and some in disorder.
        let mut some: Vec<ObjectId> = ids.clone();
        match round % 5 {
            0 => {}
            1 => some.retain(|id| id.index() % 3 == 1),
            2 => some.reverse(),
            3 => some.rotate_left(COUNT / 2),
            // The last pose of an object counts.
            _ => (600..800).for_each(|at| some.insert(2 * at, ids[at])),
        }
        let pose = |number: usize| poses[number % COUNT];
        let (one_by_one, others) = worlds.split_first_mut().ok_or("no world")?;
        let mut first = Ok(());
        for (number, &id) in some.iter().enumerate() {
            first = first.and(one_by_one.set_pose(id, &pose(number)));
        }
        assert_eq!(first, Err(WorldError::Stale { id: ids[1000] }));
        let expected = one_by_one.check();
        assert!(expected.stats.moved > 900 && expected.began.len() > 10);
        for world in others {
            assert_eq!(world.set_poses(&some, pose), first);
            let found = world.check();
            assert_eq!(found.stats.moved, expected.stats.moved);
            let pairs = |frame: &Frame| frame.colliding().map(|c| c.pair).collect::<Vec<_>>();
            assert_eq!(pairs(&found), pairs(&expected), "round {round}");
        }
    }
    Ok(())
}

#[test]
fn a_refused_pose_is_told_and_the_others_move() -> Outcome {
    let model = tetrahedron()?;
    let far = Pose::from_translation([f64::MAX; 3]);
    for mut world in worlds(&model)? {
        let ids: Vec<ObjectId> = world.objects().collect();
        for reversed in [false, true] {
            let mut some = ids.clone();
            if reversed {
                some.reverse();
            }
            let aside = Pose::from_translation([0.0, if reversed { 9.0 } else { 8.0 }, 0.0]);
            let is_refused = |id: ObjectId| [700, 1700].contains(&id.index());
            let moved = world.set_poses(&some, |at| if is_refused(some[at]) { far } else { aside });
            let first = ids[if reversed { 1700 } else { 700 }];
            let Err(WorldError::PoseOf { id, .. }) = moved else { return Err("accepted".into()) };
            assert_eq!(id, first);
            for &id in &ids {
                assert_eq!(*world.pose(id)? == aside, !is_refused(id));
            }
        }
    }
    Ok(())
}

/// Nothing is lost if the application's function panics.
#[test]
fn after_a_panic_the_next_check_sees_what_has_moved() -> Outcome {
    let model = tetrahedron()?;
    for mut world in worlds(&model)? {
        let ids: Vec<ObjectId> = world.objects().collect();
        let _ = world.check();
        let aside = |at: usize, y: f64| Pose::from_translation([3.0 * at as f64, y, 0.0]);
        let pose = |at: usize| if at == 2000 { panic!("of the test") } else { aside(at, 5.0) };
        assert!(catch_unwind(AssertUnwindSafe(|| world.set_poses(&ids, pose))).is_err());
        let is_at = |world: &World, at: usize, y: f64| world.pose(ids[at]) == Ok(&aside(at, y));
        let moved = (0..COUNT).filter(|&at| is_at(&world, at, 5.0)).count();
        assert!((1..COUNT).contains(&moved));
        assert_eq!(world.check().stats.moved, moved);
        world.set_poses(&ids, |at| aside(at, 7.0))?;
        let frame = world.check();
        assert_eq!((frame.stats.moved, frame.colliding().count()), (COUNT, 0));
        // For an attached object, which is moved after all others.
        world.attach(ids[7], ids[900], &Pose::from_translation([0.0, 3.0, 0.0]))?;
        let _ = world.check();
        let pose = |at: usize| if at == 7 { panic!("of the test") } else { aside(at, 5.0) };
        assert!(catch_unwind(AssertUnwindSafe(|| world.set_poses(&ids, pose))).is_err());
        // With its parent, the attached object moves too.
        let moved = (0..COUNT).filter(|&at| is_at(&world, at, 5.0)).count();
        let frame = world.check();
        assert_eq!(frame.stats.moved, moved + usize::from(is_at(&world, 900, 5.0)));
    }
    Ok(())
}
