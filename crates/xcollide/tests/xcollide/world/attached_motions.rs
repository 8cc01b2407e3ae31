//! Attached objects with motions of their own.

use std::sync::Arc;

use xcollide::execution::Parallel;
use xcollide::math::{Attached, Motion, Path, PoseError};
use xcollide::narrow::Pose;
use xcollide::{ObjectPair, World};
use xcollide_scenes::{Poses, Random};

use super::Outcome;
use super::cage::pose;
use super::motions::{at, cube, expected_time, some_path};

type SharedPath = Arc<dyn Path + Send>;

/// Objects with parents move on paths of their own, relative to parents that move or rest, in chains of three: contacts are
/// those of the composed paths, at the same times, on one thread and on several, and the objects end where these end.
#[test]
fn attached_objects_have_motions_of_their_own() -> Outcome {
    let cube = cube()?;
    let (mut random, mut poses) = (Random::new(7), Poses::new(8));
    let (mut met, mut carried) = (0, 0);
    for _ in 0..24 {
        let mut worlds = [World::new(), World::builder().execution(Parallel::new()).build()];
        let posts = [(); 5].map(|()| pose(&poses.within(4.0)));
        let locals = [(); 3].map(|()| pose(&poses.within(2.0)));
        let paths = [(); 3].map(|()| some_path(&mut random, &mut poses));
        let [body, arm, hand] = paths;
        let paths = [body?, arm?, hand?];
        let moves = [(); 3].map(|()| random.unit() < 0.6);
        // An own path, or the pose.
        let own = |k: usize| -> SharedPath {
            if moves[k] { Arc::new(paths[k]) } else { Arc::new(locals[k]) }
        };
        // What rests is at its pose in the world, as one path.
        let below = |base: &SharedPath, k: usize| -> Result<SharedPath, PoseError> {
            let path = Attached::new(Arc::clone(base), own(k))?;
            Ok(if moves[..=k].contains(&true) { Arc::new(path) } else { Arc::new(path.at(0.0)) })
        };
        let of_body = own(0);
        let of_arm = below(&of_body, 1)?;
        let composed = [Arc::clone(&of_body), Arc::clone(&of_arm), below(&of_arm, 2)?];
        let mut found = Vec::new();
        for world in &mut worlds {
            let mut chain = Vec::new();
            for (k, local) in locals.iter().enumerate() {
                let link = world.add(&cube, local)?;
                if k > 0 {
                    world.attach(link, chain[k - 1], local)?;
                }
                chain.push(link);
            }
            for post in &posts {
                world.add(&cube, post)?;
            }
            let _ = world.check();
            // In no order of the chain.
            for k in [2, 0, 1] {
                if moves[k] {
                    world.set_motion(chain[k], paths[k])?;
                    assert_eq!(world.pose(chain[k])?, &paths[k].at(0.0));
                }
            }
            let frame = world.check();
            assert!(frame.undecided.is_empty() && frame.failures.is_empty());
            let times: Vec<_> = frame.colliding().map(|c| (c.pair, c.time())).collect();
            for (k, path) in composed.iter().enumerate() {
                let end = if moves[k] { paths[k].at(1.0) } else { locals[k] };
                assert_eq!(world.pose(chain[k])?, &end);
                assert_eq!(world.world_pose(chain[k])?, path.at(1.0));
                assert_eq!(world.placed(chain[k])?.pose(), &path.at(1.0));
                let is_in_motion = moves[..=k].contains(&true);
                for (number, post) in posts.iter().enumerate() {
                    let Some(of_post) = world.objects().nth(3 + number) else { continue };
                    let pair = ObjectPair::new(chain[k], of_post);
                    let time = times.iter().find(|(of, _)| *of == pair);
                    if is_in_motion {
                        let expected = expected_time([&cube, &cube], [&**path, post])?;
                        assert_eq!(time.and_then(|(_, time)| *time), expected, "{k} {number}");
                        met += usize::from(expected.is_some());
                        carried += usize::from(!moves[k]);
                    }
                }
            }
            // At rest there.
            let after = world.check();
            assert_eq!(after.first_contact(), None);
            found.push((times, after.colliding().map(|c| c.pair).collect::<Vec<_>>()));
        }
        assert_eq!(found[0], found[1]);
    }
    assert!(met > 50 && carried > 50, "{met} {carried}");
    Ok(())
}

/// A motion relative to a parent is void once the object is attached to another, or to none; one set afterwards counts.
#[test]
fn attaching_and_detaching_void_a_motion() -> Outcome {
    let cube = cube()?;
    let mut world = World::new();
    let [cart, crane, load] =
        [0.0, 20.0, 5.0].map(|x| world.add(&cube, &Pose::from_translation([x, 0.0, 0.0])));
    let [cart, crane, load] = [cart?, crane?, load?];
    world.attach(load, cart, &at(5.0, 0.0))?;
    let up = Motion::linear(at(5.0, 0.0), at(5.0, 9.0))?;
    world.set_motion(load, up)?;
    // Snapshots have the pose at the beginning.
    let mut restored = World::restore(&world.snapshot(), World::builder())?;
    let _ = restored.check();
    assert_eq!(restored.pose(load)?, &at(5.0, 0.0));
    world.detach(load)?;
    let _ = world.check();
    assert_eq!(world.pose(load)?, &at(5.0, 0.0));

    // On its way with the cart, it is hung on the crane, and moves on from there.
    world.attach(load, cart, &at(5.0, 0.0))?;
    world.set_motion(load, up)?;
    world.set_motion(cart, Motion::linear(at(0.0, 0.0), at(1.0, 0.0))?)?;
    world.attach(load, crane, &at(-3.0, 0.0))?;
    world.set_motion(load, Motion::linear(at(-3.0, 0.0), at(0.0, 0.0))?)?;
    let frame = world.check();
    let time = frame.first_contact().ok_or("no contact with the crane")?;
    assert!(time.lo <= 2.0 / 3.0 && 2.0 / 3.0 <= time.hi && time.hi - time.lo <= 1e-9, "{time:?}");
    assert_eq!(world.world_pose(load)?, at(20.0, 0.0));

    // A parent that is removed leaves it where it is.
    world.set_motion(load, Motion::linear(at(0.0, 0.0), at(4.0, 0.0))?)?;
    world.remove(crane)?;
    let frame = world.check();
    assert!(frame.first_contact().is_none() && frame.failures.is_empty());
    assert_eq!(world.pose(load)?, &at(20.0, 0.0));
    // A pose ends a motion relative to a parent, too.
    world.attach(load, cart, &at(5.0, 0.0))?;
    world.set_motion(load, up)?;
    world.set_pose(load, &at(6.0, 0.0))?;
    let _ = world.check();
    assert_eq!(world.world_pose(load)?, at(7.0, 0.0));
    Ok(())
}

/// An attached object that its motion takes out of range is a failure, not "apart".
#[test]
fn motions_out_of_range_are_told() -> Outcome {
    let cube = cube()?;
    let mut world = World::new();
    let base = world.add(&cube, &at(8e307, 0.0))?;
    let load = world.add(&cube, &Pose::IDENTITY)?;
    world.attach(load, base, &at(-8e307, 0.0))?;
    assert!(world.check().failures.is_empty());
    world.set_motion(load, Motion::linear(at(-8e307, 0.0), at(8e307, 0.0))?)?;
    let frame = world.check();
    assert!(!frame.failures.is_empty(), "{frame:?}");
    assert!(world.set_motion(load, at(f64::INFINITY, 0.0)).is_err());
    Ok(())
}
