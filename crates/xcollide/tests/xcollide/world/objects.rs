//! Objects are added, removed and changed.

use std::collections::{BTreeMap, BTreeSet};

use xcollide::broad::AllPairs;
use xcollide::narrow::{Model, Placed, Pose};
use xcollide::{Cause, Frame, ObjectId, World, WorldError, registry};
use xcollide_scenes::{Poses, Random};

use super::Outcome;
use super::cage::{Logger, brute_force, entry, models, pose};

fn tetrahedron() -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape("tetrahedron")?)?)
}

/// A plain model of a world.
#[derive(Default)]
struct Plain {
    objects: BTreeMap<u32, (ObjectId, Model, Pose)>,
    /// By index: its group, and whether it is on.
    groups: BTreeMap<u32, u8>,
    off: BTreeSet<u32>,
}

impl Plain {
    fn wants(&self, i: u32, j: u32) -> bool {
        let group = |index| self.groups.get(&index).copied().unwrap_or(0);
        !self.off.contains(&i) && !self.off.contains(&j) && (group(i), group(j)) != (1, 1)
    }

    fn colliding(&self) -> Result<BTreeSet<[u32; 2]>, Box<dyn std::error::Error>> {
        let placed = self.objects.iter().map(|(&index, (_, m, p))| Ok((index, Placed::new(m, p)?)));
        let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        let mut now = brute_force(&placed);
        now.retain(|&[i, j]| self.wants(i, j));
        Ok(now)
    }
}

/// A random history of all operations on objects, against brute force over the plain model, with
/// each broad phase.
#[test]
fn any_history_gives_the_log_of_brute_force() -> Outcome {
    let kinds = models(6)?;
    let mut happened = [0; 3];
    for (number, broad) in registry::of_kind(registry::Kind::Broad).enumerate() {
        let mut random = Random::new(number as u64);
        let mut poses = Poses::new(number as u64);
        let broad = broad.broad_phase(false).ok_or("no broad phase")?;
        let mut world = World::builder().boxed_broad_phase(broad).build();
        world.interest_mut().set_groups(1, 1, false);
        let (mut plain, mut logger) = (Plain::default(), Logger::default());
        let mut frame = Frame::new();
        for _ in 0..40 {
            for _ in 0..random.between(0.0, 9.0) as u32 {
                change(&mut world, &mut plain, &kinds, &mut random, &mut poses)?;
            }
            world.check_into(&mut frame);
            assert!(frame.failures.is_empty(), "{frame:?}");
            // A new owner of an index is another object: the old pair ended, or a new one began.
            let ids = |index: u32| plain.objects.get(&index).map(|(id, ..)| *id);
            for c in frame.began.iter().chain(&frame.persisting) {
                assert_eq!(ids(c.pair.a.index()), Some(c.pair.a));
                let [a, b] = [world.placed(c.pair.a)?, world.placed(c.pair.b)?];
                if let xcollide::Proof::Witness(witness) = c.proof {
                    witness.verify(a, b, xcollide::narrow::Semantics::Solid)?;
                }
            }
            for ended in &frame.ended {
                let pair = [ended.pair.a, ended.pair.b];
                let gone = pair.iter().any(|id| ids(id.index()) != Some(*id));
                let wanted = plain.wants(pair[0].index(), pair[1].index());
                let cause = match (gone, wanted) {
                    (true, _) => Cause::Removed,
                    (false, true) => Cause::Apart,
                    (false, false) => Cause::NotWanted,
                };
                assert_eq!(ended.cause, cause);
            }
            let now = plain.colliding()?;
            let found: BTreeSet<_> =
                frame.colliding().map(|c| [c.pair.a.index(), c.pair.b.index()]).collect();
            assert_eq!(found, now);
            let (log, expected) = (entry(&frame), logger.entry(now));
            // The plain log cannot distinguish owners of an index; all else is the same.
            if frame.ended.iter().all(|ended| ended.cause != Cause::Removed) {
                assert_eq!(log, expected);
            }
            for (sum, list) in happened.iter_mut().zip([log.began, log.persisting, log.ended]) {
                *sum += list.len();
            }
        }
    }
    assert!(happened.iter().all(|&count| count > 200), "{happened:?}");
    Ok(())
}

fn change(
    world: &mut World,
    plain: &mut Plain,
    kinds: &[Model],
    random: &mut Random,
    poses: &mut Poses,
) -> Outcome {
    let mut below = |most: usize| random.between(0.0, most as f64 - 1e-9) as usize;
    let model = &kinds[below(kinds.len())];
    let place = pose(&poses.within(2.0));
    let chosen = plain.objects.keys().copied().nth(below(plain.objects.len().max(1)));
    let what = below(12);
    let Some(index) = chosen.filter(|_| what > 2) else {
        let id = world.add(model, &place)?;
        plain.objects.insert(id.index(), (id, model.clone(), place));
        return Ok(());
    };
    let entry = plain.objects.get_mut(&index).ok_or("no such object")?;
    let id = entry.0;
    match what {
        3 | 4 => {
            world.remove(id)?;
            plain.objects.remove(&index);
            plain.groups.remove(&index);
            plain.off.remove(&index);
        }
        5 => {
            world.set_model(id, model)?;
            entry.1 = model.clone();
        }
        6 => world.set_static(id, below(2) == 1)?,
        7 => {
            let group = below(2) as u8;
            world.interest_mut().set_group(id, group);
            plain.groups.insert(index, group);
        }
        8 => {
            let on = below(3) > 0;
            world.interest_mut().set_object(id, on);
            if on {
                plain.off.remove(&index)
            } else {
                plain.off.insert(index)
            };
        }
        _ => {
            // The last of several poses counts.
            world.set_pose(id, &Pose::from_translation([99.0, 0.0, 0.0]))?;
            world.set_pose(id, &place)?;
            entry.2 = place;
        }
    }
    Ok(())
}

/// Flexible bodies with a new version of their model in each check collide as new models do by
/// brute force.
#[test]
fn bodies_that_bend_collide_as_brute_force_says() -> Outcome {
    let mut bodies = models(6)?;
    let poses: Vec<Pose> = (0..6)
        .map(|n| Pose::from_translation([1.1 * f64::from(n % 3), 1.1 * f64::from(n / 3), 0.0]))
        .collect();
    let (mut world, mut logger, mut frame) = (World::new(), Logger::default(), Frame::new());
    let added = bodies.iter().zip(&poses).map(|(model, pose)| world.add(model, pose));
    let objects = added.collect::<Result<Vec<_>, _>>()?;
    let mut collisions = 0;
    for number in 0..24 {
        let mut new = Vec::new();
        for (index, body) in bodies.iter_mut().enumerate() {
            // Oscillating at different rates.
            let bend = [0.25, -0.25][(number / (index + 2)) % 2];
            let bent = |&[x, y, z]: &[f64; 3]| [x + bend * y, y, z + 0.3 * bend * x * x];
            let positions: Vec<[f64; 3]> = body.mesh().positions().iter().map(bent).collect();
            *body = body.moved(positions)?;
            world.set_model(objects[index], body)?;
            new.push(Model::from_mesh(body.mesh().clone())?);
        }
        world.check_into(&mut frame);
        let placed = new.iter().zip(&poses).zip(&objects);
        let placed = placed.map(|((model, pose), id)| Ok((id.index(), Placed::new(model, pose)?)));
        let placed = placed.collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        let expected = logger.entry(brute_force(&placed));
        collisions += expected.began.len();
        assert_eq!(entry(&frame), expected, "check {number}");
    }
    assert!(collisions > 0, "nothing ever met");
    Ok(())
}

#[test]
fn stale_ids_are_errors_and_change_nothing() -> Outcome {
    let model = tetrahedron()?;
    let mut world = World::new();
    let old = world.add(&model, &Pose::IDENTITY)?;
    world.remove(old)?;
    let new = world.add(&model, &Pose::from_translation([1.0, 2.0, 3.0]))?;
    assert_eq!((new.index(), new.generation()), (old.index(), old.generation() + 1));
    let stale = Err(WorldError::Stale { id: old });
    assert_eq!(world.remove(old), stale);
    assert_eq!(world.set_pose(old, &Pose::IDENTITY), stale);
    assert_eq!(world.set_model(old, &model), stale);
    assert_eq!(world.set_static(old, true), stale);
    assert_eq!(world.set_user_data(old, 1), stale);
    assert_eq!(world.attach(new, old, &Pose::IDENTITY), stale);
    assert_eq!(world.detach(old), stale);
    assert_eq!(world.pose(old).err(), stale.err());
    assert!(world.contains(new) && !world.contains(old));
    assert_eq!((world.len(), world.user_data(new)?), (1, 0));
    assert_eq!(world.pose(new)?.translation()[2], 3.0);
    Ok(())
}

#[test]
fn poses_that_are_none_are_refused_and_the_object_stays() -> Outcome {
    let model = tetrahedron()?;
    let mut world = World::new();
    let object = world.add(&model, &Pose::IDENTITY)?;
    let nowhere = Pose::from_translation([f64::NAN, 0.0, 0.0]);
    let too_far = Pose::from_translation([f64::MAX, 0.0, 0.0]);
    for bad in [nowhere, too_far] {
        assert!(matches!(world.set_pose(object, &bad), Err(WorldError::Pose(_))));
        assert!(matches!(world.add(&model, &bad), Err(WorldError::Pose(_))));
    }
    assert_eq!((world.len(), *world.pose(object)?), (1, Pose::IDENTITY));
    Ok(())
}

/// "A collision is new if at least one of the two objects has moved" (Zachmann 1994, 7.1): only
/// such pairs are tested, and setting the current pose is no motion.
#[test]
fn only_what_has_moved_is_new_and_tested() -> Outcome {
    let model = tetrahedron()?;
    let mut world = World::new();
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
    let [a, b, c] =
        [world.add(&model, &at(0.0))?, world.add(&model, &at(0.1))?, world.add(&model, &at(0.2))?];
    let news = |world: &mut World| {
        let frame = world.check();
        let new: Vec<bool> = frame.colliding().map(|collision| collision.is_new).collect();
        (new, frame.stats.tested, frame.stats.moved)
    };
    assert_eq!(news(&mut world), (vec![true; 3], 3, 3));
    assert_eq!(news(&mut world), (vec![false; 3], 0, 0));
    world.set_pose(c, &at(0.15))?;
    // (a, b), (a, c), (b, c)
    assert_eq!(news(&mut world), (vec![false, true, true], 2, 1));
    world.set_pose(a, &at(0.0))?;
    world.set_static(b, true)?;
    assert_eq!(news(&mut world), (vec![false; 3], 0, 0));
    world.set_model(b, &model)?;
    assert_eq!(news(&mut world), (vec![true, false, true], 2, 1));
    Ok(())
}

/// Without a change the broad phase is not asked for pairs: nothing compares boxes.
#[test]
fn a_check_without_changes_skips_the_broad_phase() -> Outcome {
    let model = tetrahedron()?;
    let mut world = World::builder().broad_phase(AllPairs::new()).build();
    let at = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
    let [_, _, c] =
        [world.add(&model, &at(0.0))?, world.add(&model, &at(0.1))?, world.add(&model, &at(0.2))?];
    let mut compared = |pose: Option<Pose>| -> Result<_, WorldError> {
        if let Some(pose) = pose {
            world.set_pose(c, &pose)?;
        }
        let frame = world.check();
        Ok((frame.stats.broad.tests > 0, frame.colliding().count()))
    };
    assert_eq!(compared(None)?, (true, 3));
    assert_eq!(compared(None)?, (false, 3));
    assert_eq!(compared(Some(at(0.15)))?, (true, 3));
    assert_eq!(compared(Some(at(0.15)))?, (false, 3), "the same pose is no change");
    Ok(())
}

/// The number of stored pairs is bounded by that of recent pairs.
#[test]
fn what_is_remembered_of_pairs_goes_with_them() -> Outcome {
    let model = tetrahedron()?;
    let mut world = World::new();
    let crowd: Vec<ObjectId> = (0..60)
        .map(|n| world.add(&model, &Pose::from_translation([0.01 * f64::from(n), 0.0, 0.0])))
        .collect::<Result<_, _>>()?;
    assert_eq!(world.check().stats.pairs, 60 * 59 / 2);
    for (number, &object) in crowd.iter().enumerate() {
        world.set_pose(object, &Pose::from_translation([9.0 * number as f64, 0.0, 0.0]))?;
    }
    let ended = world.check().ended.len();
    assert_eq!((ended, world.remembered_pairs()), (60 * 59 / 2, 60 * 59 / 2));
    for _ in 0..10 {
        let _ = world.check();
    }
    assert_eq!(world.remembered_pairs(), 0);
    Ok(())
}
