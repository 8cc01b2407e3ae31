//! Objects that move during a check.

use std::time::Duration;

use xcollide::bounding::{Bounding, DynamicBox, FixedCubes, KDops, Oriented};
use xcollide::execution::Parallel;
use xcollide::interest::Ask;
use xcollide::math::{Attached, Motion, Path, Speed};
use xcollide::narrow::continuous::{
    MeshesContact, MotionVerdict, Moving, MovingMesh, TimeInterval, meshes_contact,
    time_of_contact, time_within,
};
use xcollide::narrow::{Model, Placed, Pose, Query, Reason, Semantics, proximity};
use xcollide::registry::{self, Kind};
use xcollide::{
    Concurrent, Failure, Frame, ObjectId, ObjectPair, Proof, Schedule, World, WorldError,
};
use xcollide_scenes::{Poses, Random};

use super::Outcome;
use super::cage::{models, pose};

pub(super) fn at(x: f64, y: f64) -> Pose {
    Pose::from_translation([x, y, 0.0])
}

pub(super) fn cube() -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape("shape:box?x=1&y=1&z=1")?)?)
}

/// A cube, and a cube that flies through it in x from −5 to 5.
fn bullet_and_wall(world: &mut World) -> Result<[ObjectId; 2], Box<dyn std::error::Error>> {
    let cube = cube()?;
    let wall = world.add(&cube, &Pose::IDENTITY)?;
    let bullet = world.add(&cube, &at(-5.0, 0.25))?;
    assert!(world.check().began.is_empty());
    world.set_motion(bullet, Motion::linear(at(-5.0, 0.25), at(5.0, 0.25))?)?;
    Ok([wall, bullet])
}

/// Some motion of a body near the origin; every third body rests.
pub(super) fn some_path(
    random: &mut Random,
    poses: &mut Poses,
) -> Result<Motion, Box<dyn std::error::Error>> {
    let [start, end] = [poses.within(3.0), poses.within(3.0)].map(|placement| pose(&placement));
    Ok(match random.between(0.0, 4.0) as u32 {
        0 => Motion::linear(start, end)?,
        1 => Motion::screw(start, end)?,
        2 => Motion::about(random.direction(), start, end)?,
        _ => {
            let spin = random.direction().map(|way| 9.0 * way);
            Motion::spinning([0.0; 3], start, random.in_ball(), spin)?
        }
    })
}

/// What a world finds for two models on paths, by the engine that it asks.
pub(super) fn expected_time(
    models: [&Model; 2],
    paths: [&dyn Path; 2],
) -> Result<Option<TimeInterval>, Box<dyn std::error::Error>> {
    if paths.iter().all(|path| path.is_translation()) {
        let moving =
            |k: usize| MovingMesh::between(models[k], &paths[k].at(0.0), &paths[k].at(1.0));
        return Ok(meshes_contact(&moving(0)?, &moving(1)?, 1e-9, &Query::new())?.interval());
    }
    let [a, b] = [0, 1].map(|k| Moving::new(models[k], paths[k]));
    let verdict = time_of_contact(a, b, 1e-9, &Query::new())?;
    assert!(!matches!(verdict, MotionVerdict::Undecided { .. }));
    Ok(verdict.interval())
}

/// A check finds the contacts that pairs have on their own, at the same times, whatever finds the candidates.
#[test]
fn contacts_are_those_of_single_pairs() -> Outcome {
    let models = models(9)?;
    let strategies: [Box<dyn Bounding>; 4] =
        [Box::new(FixedCubes), Box::new(DynamicBox), Box::new(Oriented), Box::new(KDops)];
    let mut worlds: Vec<World> = strategies
        .into_iter()
        .map(|bounding| World::builder().boxed_bounding(bounding).build())
        .collect();
    for broad in registry::of_kind(Kind::Broad) {
        let layer = broad.broad_phase(false).ok_or("a broad phase")?;
        worlds.push(World::builder().boxed_broad_phase(layer).build());
    }
    worlds.push(World::builder().execution(Parallel::new()).build());
    let mut ids = Vec::new();
    for world in &mut worlds {
        ids =
            models.iter().map(|model| world.add(model, &at(0.0, 0.0))).collect::<Result<_, _>>()?;
    }
    let (mut random, mut poses) = (Random::new(5), Poses::new(6));
    let (mut met, mut passed) = (0, 0);
    let mut rests = vec![at(0.0, 0.0); models.len()];
    for _ in 0..6 {
        let paths = models.iter().map(|_| some_path(&mut random, &mut poses));
        let paths = paths.collect::<Result<Vec<_>, _>>()?;
        let moves: Vec<bool> = models.iter().map(|_| random.unit() < 0.7).collect();
        let path = |k: usize| -> &dyn Path { if moves[k] { &paths[k] } else { &rests[k] } };
        let mut expected = Vec::new();
        for i in 0..models.len() {
            for j in i + 1..models.len() {
                let time = expected_time([&models[i], &models[j]], [path(i), path(j)])?;
                if time.is_some() {
                    let pair = ObjectPair::new(ids[i], ids[j]);
                    let is_in_motion = moves[i] || moves[j];
                    expected.push((pair, time.filter(|_| is_in_motion)));
                    met += 1;
                } else {
                    passed += 1;
                }
            }
        }
        let first =
            expected.iter().filter_map(|(_, time)| *time).min_by(|a, b| a.hi.total_cmp(&b.hi));
        for world in &mut worlds {
            for k in (0..models.len()).filter(|&k| moves[k]) {
                world.set_motion(ids[k], paths[k])?;
            }
            let frame = world.check();
            let found: Vec<_> = frame.colliding().map(|c| (c.pair, c.time())).collect();
            assert_eq!(found, expected, "{world:?}");
            assert_eq!(frame.first_contact().map(|time| time.hi), first.map(|time| time.hi));
            for k in 0..models.len() {
                let end = path(k).at(1.0);
                assert_eq!(world.pose(ids[k])?, &end);
                for step in 0..=40 {
                    let pose = path(k).at(f64::from(step) / 40.0);
                    let placed = Placed::new(&models[k], &pose)?;
                    for &vertex in models[k].used_vertices() {
                        assert!(world.bounds(ids[k])?.aabb.contains(placed.position(vertex)));
                    }
                }
            }
        }
        for k in (0..models.len()).filter(|&k| moves[k]) {
            rests[k] = paths[k].at(1.0);
        }
        // At rest, the answer is that of the poses.
        let mut at_rest = None;
        for world in &mut worlds {
            let frame = world.check();
            assert_eq!(frame.first_contact(), None);
            let found: Vec<_> = frame.colliding().map(|collision| collision.pair).collect();
            assert_eq!(at_rest.get_or_insert(found.clone()), &found, "{world:?}");
        }
    }
    assert!(met > 60 && passed > 40, "{met} {passed}");
    Ok(())
}

/// Witnesses of contacts in motion are verified at the poses of their time.
#[test]
fn proofs_hold_at_the_time_of_contact() -> Outcome {
    let mut world = World::new();
    let [wall, bullet] = bullet_and_wall(&mut world)?;
    let frame = world.check();
    let [collision] = &frame.began[..] else { return Err(format!("{frame:?}").into()) };
    assert_eq!(collision.pair, ObjectPair::new(wall, bullet));
    let Proof::InMotion { witness, time, triangles } = collision.proof else {
        return Err("in motion".into());
    };
    assert_eq!(Some(time), collision.time());
    assert!(time.lo <= 0.4 && 0.4 <= time.hi && time.hi - time.lo <= 1e-9, "{time:?}");
    assert_eq!(collision.proof.point(), witness.point);
    // The bullet is translated, so the proof is of the moving triangles.
    let resting = MovingMesh::resting(world.model(wall)?, &Pose::IDENTITY)?;
    let flying = MovingMesh::between(world.model(bullet)?, &at(-5.0, 0.25), &at(5.0, 0.25))?;
    let contact = MeshesContact { time, witness, triangles };
    contact.verify(&resting, &flying, world.query().semantics)?;
    // One that turns has a witness at the pose of the time.
    let spin = [0.0, 0.0, 0.1];
    let turning = Motion::spinning([0.0; 3], at(-5.0, 0.25), [10.0, 0.0, 0.0], spin)?;
    world.set_motion(bullet, turning)?;
    let frame = world.check();
    let of_pair = frame.colliding().find(|collision| collision.pair.b == bullet);
    let Some(Proof::InMotion { witness, time, triangles: None }) = of_pair.map(|c| c.proof) else {
        return Err(format!("{of_pair:?}").into());
    };
    let pose = turning.at(time.hi);
    let of_bullet = Placed::new(world.model(bullet)?, &pose)?;
    witness.verify(
        Placed::new(world.model(wall)?, &Pose::IDENTITY)?,
        of_bullet,
        Semantics::Solid,
    )?;
    // A wider interval, and none that is no width.
    world.set_time_width(0.01)?;
    assert_eq!(world.time_width(), 0.01);
    world.set_motion(bullet, Motion::linear(at(-5.0, 0.25), at(5.0, 0.25))?)?;
    let time = world.check().first_contact().ok_or("no contact")?;
    assert!(time.lo <= 0.4 && 0.4 <= time.hi && time.hi - time.lo <= 0.01, "{time:?}");
    for width in [-1.0, f64::NAN] {
        assert!(matches!(world.set_time_width(width), Err(WorldError::TimeWidth { .. })));
    }
    Ok(())
}

/// The last of several motions and poses counts; a removed object meets nothing.
#[test]
fn the_last_motion_or_pose_counts() -> Outcome {
    let mut world = World::new();
    let [_, bullet] = bullet_and_wall(&mut world)?;
    world.set_pose(bullet, &at(-5.0, 0.25))?;
    let frame = world.check();
    assert!(frame.began.is_empty() && frame.first_contact().is_none());
    assert_eq!(world.pose(bullet)?, &at(-5.0, 0.25));

    let passing = Motion::linear(at(-5.0, 0.25), at(5.0, 0.25))?;
    world.set_motion(bullet, passing)?;
    world.set_poses(&[bullet], |_| at(-4.0, 0.0))?;
    assert!(world.check().began.is_empty());
    world.set_pose(bullet, &at(7.0, 0.0))?;
    world.set_motion(bullet, passing)?;
    assert_eq!(world.pose(bullet)?, &at(-5.0, 0.25), "it begins there at once");
    assert_eq!(world.check().began.len(), 1);
    assert_eq!(world.check().ended.len(), 1);

    world.set_motion(bullet, passing)?;
    world.remove(bullet)?;
    let frame = world.check();
    assert!(frame.began.is_empty() && frame.failures.is_empty());
    // Nor does one that takes its place.
    let other = world.add(&cube()?, &at(9.0, 0.0))?;
    assert_eq!(other.index(), bullet.index());
    assert!(world.check().began.is_empty());
    assert_eq!(world.pose(other)?, &at(9.0, 0.0));
    assert!(matches!(world.set_motion(bullet, passing), Err(WorldError::Stale { .. })));
    Ok(())
}

/// Attached objects are carried along, on paths that keep to their poses.
#[test]
fn motion_carries_attached_objects() -> Outcome {
    let mut world = World::builder().bounding(DynamicBox).build();
    let cube = cube()?;
    let [body, arm, hand, post] = [(); 4].map(|()| world.add(&cube, &Pose::IDENTITY));
    let [body, arm, hand, post] = [body?, arm?, hand?, post?];
    world.attach(arm, body, &at(5.0, 0.0))?;
    world.attach(hand, arm, &at(5.0, 0.0))?;
    let pairs = [[body, arm], [arm, hand], [body, hand]];
    for [one, other] in pairs {
        world.interest_mut().set_pair(one, other, false);
    }
    world.set_pose(post, &at(0.0, 10.0))?;
    assert!(world.check().began.is_empty());
    let motion = Motion::spinning([0.0; 3], Pose::IDENTITY, [0.0; 3], [0.0, 0.0, 3.0])?;
    world.set_motion(body, motion)?;
    let frame = world.check();
    let [collision] = &frame.began[..] else { return Err(format!("{:?}", frame.began).into()) };
    assert_eq!(collision.pair, ObjectPair::new(hand, post));
    let carried = Attached::new(Attached::new(motion, at(5.0, 0.0))?, at(5.0, 0.0))?;
    let (moving, rest) = (Moving::new(&cube, &carried), at(0.0, 10.0));
    let verdict = time_of_contact(moving, Moving::new(&cube, &rest), 1e-9, &Query::new())?;
    assert_eq!(collision.time(), verdict.interval());
    // Afterwards it is where the poses have it.
    assert_eq!(world.check().ended.len(), 1);
    assert_eq!(world.placed(hand)?.pose(), &world.world_pose(hand)?);
    assert_eq!(world.world_pose(hand)?, carried.at(1.0));
    // A motion is void once the object hangs on another.
    world.set_motion(post, Motion::linear(at(0.0, 10.0), at(0.0, 0.0))?)?;
    world.attach(post, body, &at(0.0, 20.0))?;
    assert!(world.check().began.is_empty());
    Ok(())
}

/// What is asked for beyond touching.
#[test]
fn queries_beyond_touching_are_answered_or_undecided() -> Outcome {
    let mut world = World::new();
    let [wall, bullet] = bullet_and_wall(&mut world)?;
    world.interest_mut().set_pair_ask(wall, bullet, Ask::Contacts { limit: 100 });
    let frame = world.check();
    let contacts = frame.contacts(&frame.began[0]);
    assert!(!contacts.is_empty());
    let passing = Motion::linear(at(-5.0, 0.25), at(5.0, 0.25))?;
    world.interest_mut().set_pair_ask(wall, bullet, Ask::Distance { up_to: 9.0 });
    world.set_motion(bullet, passing)?;
    let frame = world.check();
    assert!(frame.collides(wall, bullet));
    assert_eq!(frame.distances[0].1.value, 4.0);

    // Past the wall, at a distance of 0.5.
    let near = Motion::linear(at(-5.0, 1.5), at(5.0, 1.5))?;
    world.interest_mut().set_pair_ask(wall, bullet, Ask::Distance { up_to: 1.0 });
    world.set_motion(bullet, near)?;
    let frame = world.check();
    assert!(frame.began.is_empty() && frame.persisting.is_empty() && frame.distances.is_empty());
    for (tolerance, first) in
        [(1.0, Some(0.4 - 0.1 * 0.75_f64.sqrt())), (0.499, None), (-1.0, None), (f64::NAN, None)]
    {
        world.interest_mut().set_pair_ask(wall, bullet, Ask::Within { tolerance });
        world.set_motion(bullet, near)?;
        let frame = world.check();
        assert!(frame.undecided.is_empty(), "{tolerance}");
        let time = frame.first_contact();
        assert_eq!(time.is_some(), first.is_some(), "{tolerance}");
        let Some((time, first)) = time.zip(first) else { continue };
        assert!(time.lo <= first && first <= time.hi && time.hi - time.lo <= 1e-9, "{time:?}");
        let Some(Proof::NearInMotion { nearness, .. }) = frame.colliding().map(|c| c.proof).next()
        else {
            return Err("not near".into());
        };
        let pose = near.at(time.hi);
        let of_bullet = Placed::new(world.model(bullet)?, &pose)?;
        nearness.verify(world.placed(wall)?, of_bullet, tolerance, Semantics::Solid)?;
    }
    // Just as near as asked for, along a plane: rounding decides, or does not.
    world.interest_mut().set_pair_ask(wall, bullet, Ask::Within { tolerance: 0.5 });
    world.set_motion(bullet, near)?;
    let frame = world.check();
    assert!(frame.first_contact().is_some_and(|time| time.lo <= 0.4 && time.hi >= 0.4));
    world.set_motion(bullet, passing)?;
    assert!(world.check().collides(wall, bullet), "what touches is within the tolerance");
    Ok(())
}

/// Without time a pair is undecided, or what it is, and never apart.
#[test]
fn without_time_motion_is_undecided() -> Outcome {
    let mut world = World::builder().query(Query::new().budget(Duration::ZERO)).build();
    let torus = Model::from_mesh(xcollide_scenes::shape("shape:torus?faces=2000")?)?;
    let [one, other] = [world.add(&torus, &at(-9.0, 0.0))?, world.add(&torus, &at(9.0, 0.0))?];
    world.set_motion(one, Motion::linear(at(-9.0, 0.0), at(20.0, 0.1))?)?;
    let frame = world.check();
    assert_eq!(frame.undecided, [(ObjectPair::new(one, other), Reason::OutOfTime)]);

    let mut world = World::builder().schedule(Schedule::new(Duration::ZERO)).build();
    let [wall, bullet] = bullet_and_wall(&mut world)?;
    let frame = world.check();
    let is_undecided = frame.undecided == [(ObjectPair::new(wall, bullet), Reason::OutOfTime)];
    assert!(is_undecided || frame.collides(wall, bullet), "{frame:?}");
    Ok(())
}

/// A path that panics between its ends, or has a pose there that places nothing.
#[derive(Clone, Copy)]
struct Broken {
    panics: bool,
}

impl Path for Broken {
    fn at(&self, time: f64) -> Pose {
        if time == 0.0 || time == 1.0 {
            return at(0.5, 0.0);
        }
        assert!(!self.panics, "no pose at {time}");
        at(f64::INFINITY, 0.0)
    }

    fn center(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn speed(&self, _from: f64, _to: f64) -> Speed {
        Speed { velocity: [f64::NAN; 3], ..Speed::REST }
    }

    fn rounding(&self, _reach: f64) -> f64 {
        0.0
    }
}

/// Broken paths are failures or contacts, never "apart".
#[test]
fn broken_paths_are_told() -> Outcome {
    let mut world = World::new();
    let cube = cube()?;
    let wall = world.add(&cube, &at(3.0, 0.0))?;
    let broken = world.add(&cube, &at(9.0, 0.0))?;
    assert!(world.check().began.is_empty());
    world.set_motion(broken, Broken { panics: false })?;
    let frame = world.check();
    let pair = ObjectPair::new(wall, broken);
    let is_told = frame
        .failures
        .iter()
        .any(|failure| matches!(failure, Failure::Pair { pair: failed, .. } if *failed == pair));
    let is_undecided = frame.undecided.iter().any(|(of, _)| *of == pair);
    assert!(is_told || is_undecided, "{frame:?}");
    let far = Motion::linear(Pose::IDENTITY, at(1.7e308, 0.0))?;
    let huge = world.set_motion(broken, far);
    assert!(matches!(huge, Err(WorldError::Pose(_))), "{huge:?}");
    Ok(())
}

/// A snapshot has the pose at the beginning, and results of motions are no results about poses.
#[test]
fn snapshots_have_poses_instead_of_motions() -> Outcome {
    let mut world = World::new();
    let [wall, bullet] = bullet_and_wall(&mut world)?;
    let mut before = World::restore(&world.snapshot(), World::builder())?;
    let frame = world.check();
    assert!(frame.collides(wall, bullet));
    assert!(before.check().began.is_empty());
    assert_eq!(before.pose(bullet)?, &at(-5.0, 0.25));
    let mut after = World::restore(&world.snapshot(), World::builder())?;
    for world in [&mut world, &mut after] {
        let frame = world.check();
        assert_eq!((frame.ended.len(), frame.persisting.len()), (1, 0));
        assert_eq!(world.pose(bullet)?, &at(5.0, 0.25));
    }
    Ok(())
}

/// Motions count in a world that checks in its own thread.
#[test]
fn motions_count_in_a_thread() -> Outcome {
    let mut world = World::new();
    let cube = cube()?;
    world.add(&cube, &Pose::IDENTITY)?;
    let bullet = world.add(&cube, &at(-5.0, 0.25))?;
    let detection = Concurrent::start(world);
    detection.wait();
    let passing = Motion::linear(at(-5.0, 0.25), at(5.0, 0.25))?;
    detection.change(move |world| assert!(world.set_motion(bullet, passing).is_ok()));
    detection.wait();
    let mut frame = Frame::new();
    assert!(detection.latest(&mut frame));
    let time = frame.first_contact().ok_or("no contact")?;
    assert!(time.lo <= 0.4 && 0.4 <= time.hi);
    detection.stop()?;
    Ok(())
}

/// Contacts of a single moment, which no pose shows, are found of bodies that do not turn.
#[test]
fn contacts_of_one_moment_are_found() -> Outcome {
    let segment = |end| -> Result<Model, Box<dyn std::error::Error>> {
        let mesh = xcollide::brep::PolygonMesh::from_polygons(vec![[0.0; 3], end], [[0, 1]])?;
        Ok(Model::from_mesh(mesh)?)
    };
    let (a, b) = (segment([4.0, 0.0, 0.0])?, segment([0.0, 4.0, 0.0])?);
    let mut world = World::new();
    world.add(&a, &Pose::IDENTITY)?;
    // A third of the way: between two neighbouring numbers. It hangs on a carrier that goes half of the way.
    let carrier =
        world.add(&Model::from_mesh(xcollide::brep::PolygonMesh::new())?, &at(0.0, 0.0))?;
    let falling = world.add(&b, &Pose::IDENTITY)?;
    let high = |z: f64| Pose::from_translation([0.5, -0.5, z]);
    world.attach(falling, carrier, &high(0.5))?;
    for ask in [Ask::Touch, Ask::Contacts { limit: 9 }] {
        world.interest_mut().set_default_ask(ask);
        world.set_motion(carrier, Motion::linear(high(0.5), high(-1.0))?)?;
        world.set_motion(falling, Motion::linear(high(0.5), high(-1.0))?)?;
        let frame = world.check();
        let time = frame.first_contact().ok_or("missed")?;
        assert!(time.lo <= 1.0 / 3.0 && 1.0 / 3.0 <= time.hi && time.hi - time.lo <= 1e-9);
        let _ = world.check();
    }
    // A cube that grazes another along an edge, and one that just does not.
    let cube = cube()?;
    for (y, touches) in [(1.0, true), (1.0 + 8.0 * f64::EPSILON, false)] {
        let mut world = World::new();
        let turned = Pose::from_axis_angle([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_4, [0.0; 3])?;
        let wall = world.add(&cube, &Pose::IDENTITY)?;
        let lowest = cube.mesh().positions().iter().map(|&p| turned.apply(p)[1]);
        let lowest = lowest.fold(f64::INFINITY, f64::min);
        let height = 0.5 * y - lowest;
        let [start, end] = [-5.0, 5.0].map(|x| turned.with_translation([x, height, 0.0]));
        let passing = world.add(&cube, &start)?;
        world.set_motion(passing, Motion::linear(start, end)?)?;
        let frame = world.check();
        assert!(frame.undecided.is_empty(), "{y}");
        // By the exact positions of the ends.
        let bottom = cube.mesh().positions().iter().map(|&p| start.apply(p)[1]);
        let bottom = bottom.fold(f64::INFINITY, f64::min);
        assert_eq!(frame.collides(wall, passing), bottom <= 0.5, "{bottom}");
        assert_eq!(bottom <= 0.5, touches);
    }
    Ok(())
}

/// Two segments cross at a time at which no pose in f64 has a common point of both: the world reports the collision, without
/// contacts.
#[test]
fn contacts_of_one_moment_are_not_listed() -> Outcome {
    let segment = |end| -> Result<Model, Box<dyn std::error::Error>> {
        let mesh = xcollide::brep::PolygonMesh::from_polygons(vec![[0.0; 3], end], [[0, 1]])?;
        Ok(Model::from_mesh(mesh)?)
    };
    let (along, slanted) = (segment([4.0, 0.0, 0.0])?, segment([0.3, 4.0, 0.7])?);
    let [start, end] = [[1.1, -1.3, 0.9], [1.7, -1.4, -2.3]].map(Pose::from_translation);
    let mut world = World::new();
    let resting = world.add(&along, &Pose::IDENTITY)?;
    let falling = world.add(&slanted, &start)?;
    world.interest_mut().set_default_ask(Ask::Contacts { limit: 9 });
    world.set_motion(falling, Motion::linear(start, end)?)?;
    let frame = world.check();
    let [collision] = &frame.began[..] else { return Err(format!("{frame:?}").into()) };
    assert_eq!(collision.pair, ObjectPair::new(resting, falling));
    assert!(collision.time().is_some() && frame.contacts(collision).is_empty());
    Ok(())
}

/// Times within a tolerance hold against many poses, and their proofs are verified.
#[test]
fn times_within_a_tolerance_hold_at_all_moments() -> Outcome {
    let models = models(6)?;
    let (mut random, mut poses) = (Random::new(11), Poses::new(12));
    let (mut near, mut far) = (0, 0);
    for round in 0..40 {
        let paths = [some_path(&mut random, &mut poses)?, some_path(&mut random, &mut poses)?];
        let [a, b] = [0, 1].map(|k| Moving::new(&models[(round + k) % models.len()], &paths[k]));
        for tolerance in [0.01, 0.4, 1.5] {
            let verdict = time_within(a, b, tolerance, 1e-9, &Query::new())?;
            verdict.verify(a, b, tolerance, Semantics::Solid)?;
            let time = verdict.interval();
            if let Some(time) = time {
                assert!(time.hi - time.lo <= 1e-9, "{verdict:?}");
                near += usize::from(time.hi > 0.0);
            } else {
                far += 1;
            }
            for step in 0..=200 {
                let moment = f64::from(step) / 200.0;
                let [of_a, of_b] = paths.map(|path| path.at(moment));
                let (of_a, of_b) = (Placed::new(a.model(), &of_a)?, Placed::new(b.model(), &of_b)?);
                let is_near = proximity::within(of_a, of_b, tolerance, Semantics::Solid).is_some();
                assert!(!is_near || time.is_some_and(|time| time.lo < moment || time.hi == 0.0));
            }
        }
    }
    assert!(near > 15 && far > 15, "{near} {far}");
    Ok(())
}
