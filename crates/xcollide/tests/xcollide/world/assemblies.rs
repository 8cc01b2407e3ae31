//! Objects with parents.

use nalgebra::{Isometry3, Vector3};
use xcollide::narrow::{Model, Placed, Pose};
use xcollide::{Failure, ObjectId, ObjectPair, World, WorldError};
use xcollide_scenes::{Poses, Random};

use super::Outcome;
use super::cage::{brute_force, models, pose};

fn about_z(angle: f64, x: f64) -> Pose {
    Pose::try_from(Isometry3::new(Vector3::new(x, 0.0, 0.0), Vector3::new(0.0, 0.0, angle)))
        .unwrap()
}

/// An arm of three links: turning the first moves the last.
#[test]
fn poses_are_handed_down() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let mut world = World::new();
    let [base, middle, tip, wall] = [
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::from_translation([0.0, 40.0, 0.0]))?,
    ];
    world.attach(tip, middle, &about_z(0.0, 20.0))?;
    world.attach(middle, base, &about_z(0.0, 20.0))?;
    assert!(world.check().began.is_empty());
    world.set_pose(base, &about_z(std::f64::consts::FRAC_PI_2, 0.0))?;
    let frame = world.check();
    assert_eq!(
        frame.began.iter().map(|c| c.pair).collect::<Vec<_>>(),
        [ObjectPair::new(tip, wall)]
    );
    assert_eq!(world.parent(tip)?, Some(middle));
    // Detached, it stays in place; and the wall may be attached to its former child.
    world.detach(tip)?;
    world.set_pose(base, &Pose::IDENTITY)?;
    let frame = world.check();
    assert!(frame.began.is_empty() && frame.ended.is_empty() && frame.collides(tip, wall));
    assert!((world.pose(tip)?.translation()[1] - 40.0).abs() < 1e-12);
    assert_eq!(
        world.attach(base, middle, &Pose::IDENTITY),
        Err(WorldError::Cycle { child: base, parent: middle })
    );
    // Children stay in place when their parent is removed.
    world.remove(base)?;
    assert_eq!((world.parent(middle)?, world.pose(middle)?.translation()[0]), (None, 20.0));
    assert!(world.check().ended.is_empty());
    Ok(())
}

/// An object whose world pose is out of range stays where it was, also when it is detached.
#[test]
fn a_pose_out_of_range_is_not_kept_by_detaching() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let mut world = World::new();
    let [base, tip, wall] = [
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::from_translation([9.0, 0.0, 0.0]))?,
    ];
    world.attach(tip, base, &Pose::from_translation([9.0, 0.0, 0.0]))?;
    assert!(world.check().collides(tip, wall));
    world.set_pose(tip, &Pose::from_translation([f64::MAX, 0.0, 0.0]))?;
    let frame = world.check();
    let [Failure::Object { object, .. }] = &frame.failures[..] else {
        panic!("{:?}", frame.failures);
    };
    assert!(*object == tip && frame.collides(tip, wall));
    world.detach(tip)?;
    assert_eq!(world.pose(tip)?.translation(), [9.0, 0.0, 0.0]);
    assert_eq!(world.world_pose(tip)?, *world.pose(tip)?);
    let frame = world.check();
    assert!(frame.failures.is_empty() && frame.collides(tip, wall));
    Ok(())
}

/// A random, changing forest: objects are placed by, and collide at, the product of poses from the
/// root down.
#[test]
fn any_forest_is_placed_as_its_chains_of_poses_say() -> Outcome {
    let (mut random, mut poses) = (Random::new(3), Poses::new(3));
    let mut world = World::new();
    let objects: Vec<ObjectId> = models(12)?
        .iter()
        .map(|model| world.add(model, &pose(&poses.within(2.0))))
        .collect::<Result<_, _>>()?;
    let (mut attached, mut cycles, mut collisions) = (0, 0, 0);
    for _ in 0..150 {
        for _ in 0..random.between(0.0, 4.0) as u32 {
            let mut pick = || objects[random.between(0.0, 11.99) as usize];
            let (one, other) = (pick(), pick());
            match random.between(0.0, 4.0) as u32 {
                0 => match world.attach(one, other, &pose(&poses.within(0.7))) {
                    Ok(()) => attached += 1,
                    Err(_) => cycles += 1,
                },
                1 => world.detach(one)?,
                _ => world.set_pose(one, &pose(&poses.within(1.0)))?,
            }
        }
        let frame = world.check();
        let mut chains = Vec::new();
        for &object in &objects {
            let mut chain = *world.pose(object)?;
            let mut at = object;
            let mut above = Vec::new();
            while let Some(parent) = world.parent(at)? {
                above.push(*world.pose(parent)?);
                at = parent;
            }
            if let Some(top) = above.pop() {
                let down = above.iter().rev().fold(top, |world, own| world * *own);
                chain = down * chain;
            }
            assert_eq!(world.world_pose(object)?, chain);
            chains.push((object, chain));
        }
        let mut placed = Vec::new();
        for &(object, ref chain) in &chains {
            let expected = Placed::new(world.model(object)?, chain)?;
            assert_eq!(world.placed(object)?.pose(), expected.pose());
            placed.push((object.index(), expected));
        }
        let found: Vec<_> =
            frame.colliding().map(|c| [c.pair.a.index(), c.pair.b.index()]).collect();
        collisions += found.len();
        assert_eq!(found, brute_force(&placed).into_iter().collect::<Vec<_>>());
    }
    assert!(attached > 30 && cycles > 2 && collisions > 500, "{attached} {cycles} {collisions}");
    Ok(())
}

/// Valid poses can have a product out of the range of numbers.
#[test]
fn an_object_that_cannot_be_placed_is_reported_and_stays() -> Outcome {
    let model = Model::from_mesh(xcollide_scenes::shape("box")?)?;
    let mut world = World::new();
    let [base, tip, wall] = [
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::IDENTITY)?,
        world.add(&model, &Pose::IDENTITY)?,
    ];
    world.attach(tip, base, &Pose::IDENTITY)?;
    assert!(world.check().collides(tip, wall));
    let far = Pose::from_translation([0.4 * f64::MAX, 0.0, 0.0]);
    world.set_pose(base, &far)?;
    world.set_pose(tip, &far)?;
    let frame = world.check();
    assert!(matches!(&frame.failures[..], [Failure::Object { object, .. }] if *object == tip));
    assert!(frame.collides(tip, wall) && !frame.collides(base, wall));
    Ok(())
}
