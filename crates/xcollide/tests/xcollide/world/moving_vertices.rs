//! Objects whose vertices move during a check.

use xcollide::brep::PolygonMesh;
use xcollide::convex::shape::Ball;
use xcollide::execution::Parallel;
use xcollide::interest::Ask;
use xcollide::math::{Motion, Path};
use xcollide::narrow::continuous::{
    MotionVerdict, Moving, MovingMesh, MovingMeshError, TimeInterval, time_of_contact, time_within,
};
use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{
    Formula, Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, proximity,
};
use xcollide::predicates::moving::{MovingPoint, triangles_contact};
use xcollide::registry::{self, Kind};
use xcollide::{Collision, Failure, ObjectId, ObjectPair, World, WorldError};
use xcollide_fixtures::{Random, long_run};
use xcollide_scenes::Poses;

use super::Outcome;
use super::motions::{at, cube};

type Positions = Vec<[f64; 3]>;

/// A soup of triangles with small integer coordinates around a place.
struct Soup {
    model: Model,
    end: Positions,
    /// How far its frame moves in the check.
    way: [f64; 3],
    deforms: bool,
}

impl Soup {
    fn new(random: &mut Random) -> Result<Self, Box<dyn std::error::Error>> {
        const SIDE: i32 = 9;
        let corner = |random: &mut Random, from: i32| {
            [0; 3].map(|_| f64::from(from + (random.bits() >> 33) as i32 % SIDE))
        };
        let place = if random.bits().is_multiple_of(2) { 0 } else { 5 };
        let positions: Positions = (0..9).map(|_| corner(random, place)).collect();
        let end = (0..9).map(|_| corner(random, place)).collect();
        let faces = [[0, 1, 2], [3, 4, 5], [6, 7, 8]];
        let model = Model::from_mesh(PolygonMesh::from_polygons(positions, faces)?)?;
        let kind = random.bits() >> 40;
        let way = if kind.is_multiple_of(3) { corner(random, -4) } else { [0.0; 3] };
        Ok(Self { model, end, way, deforms: kind % 4 < 3 })
    }

    /// How the corners of its triangles move. Exact: all coordinates are integers.
    fn triangles(&self) -> Vec<[MovingPoint; 3]> {
        let mesh = self.model.mesh();
        let moving = |vertex: usize| {
            let start = mesh.positions()[vertex];
            let end = if self.deforms { self.end[vertex] } else { start };
            MovingPoint::new(start, [0, 1, 2].map(|k| end[k] + self.way[k]))
        };
        (0..3).map(|t| [0, 1, 2].map(|k| moving(3 * t + k))).collect()
    }
}

/// The earliest contact of all pairs of triangles.
fn earliest(a: &Soup, b: &Soup) -> Option<TimeInterval> {
    let triangles = b.triangles();
    let pairs = a.triangles().into_iter().flat_map(|s| triangles.iter().map(move |t| (s, *t)));
    let times = pairs.filter_map(|(s, t)| Some(triangles_contact(&s, &t, 0.0)?.time));
    times.min_by(|s, t| s.hi.total_cmp(&t.hi))
}

/// Objects that deform, that are translated, both and neither: a check finds the pairs that touch at any time, and when.
#[test]
fn contacts_are_those_of_all_pairs_of_triangles_soak() -> Outcome {
    let run = long_run(60, 20_000);
    let mut random = Random::new(3 + run.seed);
    let mut worlds = vec![World::new(), World::builder().execution(Parallel::new()).build()];
    for entry in registry::of_kind(Kind::Broad) {
        let layer = entry.broad_phase(false).ok_or("a broad phase")?;
        worlds.push(World::builder().boxed_broad_phase(layer).build());
    }
    let (mut met, mut passed) = (0, 0);
    for round in 0..run.cases {
        let soups = [0; 5].map(|_| Soup::new(&mut random));
        let soups = soups.into_iter().collect::<Result<Vec<_>, _>>()?;
        // Each round one of them, and the usual one.
        let others = worlds.len() - 1;
        for world in [0, 1 + round as usize % others] {
            let world = &mut worlds[world];
            let ids: Vec<ObjectId> = soups
                .iter()
                .map(|soup| world.add(&soup.model, &Pose::IDENTITY))
                .collect::<Result<_, _>>()?;
            // What touched before is not new in motion, and is told all the same.
            let _ = world.check();
            for (soup, &id) in soups.iter().zip(&ids) {
                if soup.deforms {
                    world.move_vertices(id, soup.end.clone())?;
                }
                if soup.way != [0.0; 3] {
                    let end = Pose::from_translation(soup.way);
                    world.set_motion(id, Motion::linear(Pose::IDENTITY, end)?)?;
                }
            }
            let frame = world.check();
            assert!(frame.failures.is_empty() && frame.undecided.is_empty(), "{frame:?}");
            for i in 0..soups.len() {
                for j in i + 1..soups.len() {
                    let pair = ObjectPair::new(ids[i], ids[j]);
                    let found = frame.colliding().find(|collision| collision.pair == pair);
                    let expected = earliest(&soups[i], &soups[j]);
                    assert_eq!(found.is_some(), expected.is_some(), "{round}: {i} {j}");
                    let times = found.and_then(Collision::time).zip(expected);
                    if let Some((found, expected)) = times {
                        assert!(found.lo <= expected.hi && expected.lo <= found.hi);
                        assert!(found.hi - found.lo <= 1e-9, "{found:?}");
                    }
                    *(if found.is_some() { &mut met } else { &mut passed }) += 1;
                }
            }
            for (soup, &id) in soups.iter().zip(&ids) {
                let resting = soup.model.mesh().positions();
                let end = if soup.deforms { &soup.end[..] } else { resting };
                assert_eq!(world.model(id)?.mesh().positions(), end);
                let aabb = &world.bounds(id)?.aabb;
                let corners = soup.triangles();
                let ends = corners.iter().flatten().flat_map(|corner| [corner.start, corner.end]);
                assert!(ends.into_iter().all(|point| aabb.contains(point)));
            }
            for id in ids {
                world.remove(id)?;
            }
        }
    }
    assert!(met > run.cases && passed > run.cases, "{met} {passed}");
    Ok(())
}

/// The model that a mesh is at a time.
fn model_at(mesh: &MovingMesh, time: f64) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(mesh.model().moved(mesh.positions_at(time))?)
}

fn meets(a: Placed<'_>, b: Placed<'_>) -> bool {
    BruteForce.test(a, b, &Query::new(), &mut PairCache::new()).is_collision()
}

/// A body that turns while another one changes its shape: a check agrees with brute force at many times, and the proofs of
/// the search hold.
#[test]
fn bodies_that_turn_meet_those_that_deform_as_at_dense_times_soak() -> Outcome {
    let run = long_run(24, 2000);
    let mut random = Random::new(17 + run.seed);
    let mut poses = Poses::new(5 + run.seed);
    let shapes = ["torus?faces=60", "box", "polytope?vertices=20&seed=4", "mobius?faces=30"];
    let mut models = Vec::new();
    for spec in shapes {
        models.push(Model::from_mesh(xcollide_scenes::shape(spec)?)?);
    }
    let (mut met, mut passed) = (0, 0);
    for round in 0..run.cases as usize {
        let [soft, rigid] = [&models[round % 4], &models[round / 4 % 4]];
        let (size, bend) = (1.0 + 0.3 * random.signed(), 0.4 * random.signed());
        let change = |&[x, y, z]: &[f64; 3]| [size * x, y + bend * z * z, z + bend * x];
        let end: Positions = soft.mesh().positions().iter().map(change).collect();
        let start = poses.at_distance(1.6 + 0.5 * (round % 5) as f64).pose();
        let spin = [0; 3].map(|_| 2.0 * random.signed());
        let velocity = [0; 3].map(|_| random.signed());
        let turning = Motion::spinning([0.0; 3], start, velocity, spin)?;

        let mut world = World::new();
        let soft_id = world.add(soft, &Pose::IDENTITY)?;
        let rigid_id = world.add(rigid, &start)?;
        world.set_time_width(1e-6)?;
        world.move_vertices(soft_id, end.clone())?;
        world.set_motion(rigid_id, turning)?;
        let frame = world.check();
        assert!(frame.failures.is_empty(), "{frame:?}");

        let mesh = MovingMesh::deforming(soft, &Pose::IDENTITY, &end)?;
        let [a, b] = [Moving::deforming(&mesh), Moving::new(rigid, &turning)];
        let verdict = time_of_contact(a, b, 1e-6, &Query::new())?;
        verdict.verify(a, b, Semantics::Solid)?;
        let meets_at = |time: f64| -> Result<bool, Box<dyn std::error::Error>> {
            let (model, pose) = (model_at(&mesh, time)?, turning.at(time));
            Ok(meets(Placed::new(&model, &Pose::IDENTITY)?, Placed::new(rigid, &pose)?))
        };
        let time = frame.first_contact();
        match verdict {
            MotionVerdict::Undecided { .. } => {
                assert_eq!(frame.undecided.len(), 1);
                continue;
            }
            _ => assert_eq!(time, verdict.interval()),
        }
        for step in 0..=64 {
            let at = f64::from(step) / 64.0;
            let is_clear = time.is_none_or(|time| at < time.lo);
            assert!(!is_clear || !meets_at(at)?, "round {round} at {at}: {time:?}");
        }
        match time {
            Some(time) => {
                assert!(meets_at(time.hi)?, "round {round}: {time:?}");
                assert!(time.hi - time.lo <= 1e-6, "round {round}: {time:?}");
                met += 1;
            }
            None => passed += 1,
        }
        // Within a distance.
        let near = time_within(a, b, 0.1, 1e-6, &Query::new())?;
        near.verify(a, b, 0.1, Semantics::Solid)?;
        if let (Some(near), Some(time)) = (near.interval(), time) {
            assert!(near.lo <= time.hi);
        }
    }
    assert!(met > run.cases / 6 && passed > run.cases / 6, "{met} {passed}");
    Ok(())
}

/// A flat body falls through a floor, by its vertices alone, and all kinds of queries are about the right shape.
#[test]
fn every_query_is_answered_about_moving_vertices() -> Outcome {
    let cube = cube()?;
    let start = cube.mesh().positions().to_vec();
    let moved =
        |way: f64| -> Positions { start.iter().map(|&[x, y, z]| [x + way, y, z]).collect() };
    let expect = |ask: Ask, way: f64| -> Result<_, Box<dyn std::error::Error>> {
        let mut world = World::new();
        let wall = world.add(&cube, &at(3.0, 0.25))?;
        let soft = world.add(&cube, &at(0.0, 0.0))?;
        world.interest_mut().set_pair_ask(wall, soft, ask);
        assert!(world.check().began.is_empty());
        world.move_vertices(soft, moved(way))?;
        let frame = world.check();
        assert!(frame.failures.is_empty() && frame.undecided.is_empty(), "{frame:?}");
        assert_eq!(world.model(soft)?.mesh().positions(), moved(way));
        // It rests now.
        let _ = world.check();
        Ok((frame, ObjectPair::new(wall, soft)))
    };
    let touches_at = |time: Option<TimeInterval>, expected: f64| {
        time.is_some_and(|time| {
            time.lo <= expected && expected <= time.hi && time.hi - time.lo < 1e-8
        })
    };
    // Two units of the gap, of four of the way.
    for ask in [Ask::Touch, Ask::Depth, Ask::Kind, Ask::Distance { up_to: 9.0 }] {
        let (frame, _) = expect(ask, 4.0)?;
        assert!(touches_at(frame.first_contact(), 0.5), "{ask:?} {frame:?}");
    }
    let (frame, pair) = expect(Ask::Distance { up_to: 9.0 }, 1.5)?;
    assert!(frame.began.is_empty());
    let distance = frame.distances.iter().find(|(of, _)| *of == pair).ok_or("a distance")?;
    assert_eq!(distance.1.value, 0.5, "at the end");
    let (frame, _) = expect(Ask::Within { tolerance: 0.5 }, 4.0)?;
    assert!(touches_at(frame.first_contact(), 0.375), "{frame:?}");
    let (frame, _) = expect(Ask::Contacts { limit: 99 }, 2.5)?;
    let collision = frame.colliding().next().ok_or("no contact")?;
    assert!(!frame.contacts(collision).is_empty());
    Ok(())
}

/// Motions of the frame, of a parent, and of formulas beside.
#[test]
fn frames_that_move_carry_moving_vertices() -> Outcome {
    let cube = cube()?;
    let start = cube.mesh().positions().to_vec();
    let wide: Positions = start.iter().map(|&[x, y, z]| [3.0 * x, y, z]).collect();
    let mut world = World::new();
    let wall = world.add(&cube, &at(9.0, 0.0))?;
    let ball = world.add(&Model::from_formula(Formula::Ball(Ball::new(0.5)?)), &at(-9.0, 0.0))?;
    let parent = world.add(&cube, &at(0.0, 30.0))?;
    let soft = world.add(&cube, &Pose::IDENTITY)?;
    world.attach(soft, parent, &at(0.0, -30.0))?;
    assert!(world.check().began.is_empty());
    // The right side goes from 0.5 to 1.5 in its frame, which goes on by 14.
    world.set_motion(parent, Motion::linear(at(0.0, 30.0), at(14.0, 30.0))?)?;
    world.move_vertices(soft, wide.clone())?;
    let frame = world.check();
    let found: Vec<_> = frame.colliding().map(|collision| collision.pair).collect();
    assert_eq!(found, [ObjectPair::new(wall, soft)]);
    let time = frame.first_contact().ok_or("no contact")?;
    let expected = 8.0 / 15.0;
    assert!(time.lo <= expected && expected <= time.hi, "{time:?}");
    assert_eq!(world.world_pose(soft)?.translation(), [14.0, 0.0, 0.0]);
    assert_eq!(world.model(soft)?.mesh().positions(), wide);

    // A ball: by distances of the whole bodies.
    world.detach(soft)?;
    world.set_pose(soft, &Pose::IDENTITY)?;
    assert_eq!(world.check().ended.len(), 1);
    let long: Positions = start.iter().map(|&[x, y, z]| [40.0 * x, y, z]).collect();
    world.move_vertices(soft, long)?;
    let frame = world.check();
    let of_ball =
        frame.colliding().find(|collision| collision.pair.a == ball || collision.pair.b == ball);
    let time = of_ball.and_then(Collision::time).ok_or("no contact")?;
    // Its left side goes from −1.5 to −20, and the ball begins at −8.5.
    let expected = 7.0 / 18.5;
    assert!(time.lo <= expected + 1e-9 && expected <= time.hi + 1e-9, "{time:?}");
    // A formula keeps its shape.
    let vertices = world.model(ball)?.mesh().positions().to_vec();
    world.move_vertices(ball, vertices)?;
    assert!(world.check().failures.is_empty());
    Ok(())
}

/// The last positions count, and those that do not fit are told.
#[test]
fn the_last_positions_before_a_check_count() -> Outcome {
    let cube = cube()?;
    let start = cube.mesh().positions().to_vec();
    let far: Positions = start.iter().map(|&[x, y, z]| [x + 6.0, y, z]).collect();
    let mut world = World::new();
    let wall = world.add(&cube, &at(3.0, 0.0))?;
    let soft = world.add(&cube, &Pose::IDENTITY)?;
    let _ = world.check();
    // Set at once: it is behind the wall, and has not gone through it.
    world.move_vertices(soft, far.clone())?;
    world.set_vertices(soft, &far)?;
    assert!(world.check().began.is_empty());
    world.move_vertices(soft, far.clone())?;
    world.move_vertices(soft, start.clone())?;
    assert!(world.check().collides(wall, soft), "back through it");
    world.move_vertices(soft, far.clone())?;
    world.set_model(soft, &cube)?;
    assert_eq!(world.check().ended.len(), 1, "the model was replaced");
    assert_eq!(world.model(soft)?.mesh().positions(), start);

    let refused = |world: &mut World, vertices: &[[f64; 3]]| match world
        .move_vertices(soft, vertices.to_vec())
    {
        Err(WorldError::Vertices { id, error }) if id == soft => Some(error),
        _ => None,
    };
    let mut vertices = far.clone();
    assert!(matches!(refused(&mut world, &vertices[1..]), Some(MovingMeshError::Vertices(_))));
    vertices[3][1] = f64::NAN;
    assert!(matches!(refused(&mut world, &vertices), Some(MovingMeshError::Vertices(_))));
    vertices[3][1] = 1e308;
    assert!(matches!(refused(&mut world, &vertices), Some(MovingMeshError::Pose(_))));
    // Where the motion ends the vertices are beyond the range of f64: told by the check, and they stay.
    vertices[3][1] = 3e307;
    world.move_vertices(soft, vertices)?;
    world.set_motion(soft, Motion::linear(at(0.0, 0.0), at(4e307, 0.0))?)?;
    let frame = world.check();
    assert!(matches!(frame.failures[..], [Failure::Object { object, .. }] if object == soft));
    assert_eq!(world.model(soft)?.mesh().positions(), start);

    world.move_vertices(wall, far.clone())?;
    world.remove(wall)?;
    assert!(world.check().failures.is_empty());
    assert_eq!(world.move_vertices(wall, far), Err(WorldError::Stale { id: wall }));
    let other = world.add(&cube, &Pose::IDENTITY)?;
    let _ = world.check();
    assert_eq!(world.model(other)?.mesh().positions(), start, "an index that is used again");
    assert!(
        proximity::distance(world.placed(other)?, world.placed(soft)?, Semantics::Solid).is_some()
    );
    Ok(())
}
