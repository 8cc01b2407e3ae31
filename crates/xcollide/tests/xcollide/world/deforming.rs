//! Objects whose vertices move.

use xcollide::brep::PolygonMesh;
use xcollide::narrow::continuous::MovingMeshError;
use xcollide::narrow::mesh::BruteForce;
use xcollide::narrow::{Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide::registry::{self, Kind};
use xcollide::{ObjectPair, World, WorldBuilder, WorldError};
use xcollide_fixtures::{Random, long_run};
use xcollide_scenes::Poses;

use super::Outcome;

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

/// A body in each frame: its vertices, and the pose at which it rests.
struct Body {
    model: Model,
    pose: Pose,
    /// Its vertices in each frame; none if it is rigid.
    frames: Vec<Vec<[f64; 3]>>,
}

const FRAMES: usize = 50;

/// Between −1 and 1, of period 2.
fn wave(x: f64) -> f64 {
    let x = x - 2.0 * (0.5 * x + 0.5).floor();
    4.0 * x * (1.0 - x.abs())
}

/// Bodies that deform among rigid ones: a cloth of triangles that waves, a box of quadrilaterals that is twisted so that
/// its faces are cut in other ways, and a polytope that is convex in some frames only.
fn bodies() -> Result<Vec<Body>, Box<dyn std::error::Error>> {
    let mut random = Random::new(5);
    let mut poses = Poses::new(3);
    let deformed = |spec: &str, at: &mut dyn FnMut(f64, [f64; 3]) -> [f64; 3]| {
        let model = shape(spec)?;
        let frames = (1..=FRAMES).map(|frame| {
            let time = frame as f64 / 8.0;
            model.mesh().positions().iter().map(|&position| at(time, position)).collect()
        });
        let frames = frames.collect();
        Ok::<_, Box<dyn std::error::Error>>(Body { model, pose: Pose::IDENTITY, frames })
    };
    let waves = |time: f64, [x, y, z]: [f64; 3]| {
        [x, y, z + 0.4 * wave(x + 0.3 * time) + 0.3 * wave(0.7 * time)]
    };
    let twist = |time: f64, [x, y, z]: [f64; 3]| {
        let turn = z * wave(0.4 * time);
        [x - y * turn, y + x * turn, z * (1.5 + wave(0.3 * time))]
    };
    let mut noise = |time: f64, position: [f64; 3]| {
        let size = if (time as u32).is_multiple_of(2) { 0.0 } else { 0.2 };
        position.map(|x| (1.0 + 0.1 * time) * x + size * random.signed())
    };
    let mut bodies = vec![
        deformed("torus?faces=60", &mut { waves })?,
        deformed("box", &mut { twist })?,
        deformed("polytope?vertices=20&seed=4", &mut noise)?,
    ];
    for spec in ["box", "polytope?vertices=30&seed=2", "frame", "cubes?n=2", "mobius?faces=30"] {
        bodies.push(Body { model: shape(spec)?, pose: Pose::IDENTITY, frames: Vec::new() });
    }
    for body in &mut bodies {
        body.pose = poses.at_distance(1.1).pose();
    }
    Ok(bodies)
}

/// The colliding pairs of each frame by brute force, all models new.
fn truth(bodies: &[Body]) -> Result<Vec<Vec<[usize; 2]>>, Box<dyn std::error::Error>> {
    let mut all = Vec::new();
    for frame in 0..FRAMES {
        let mut models = Vec::new();
        for body in bodies {
            models.push(match body.frames.get(frame) {
                Some(vertices) => Model::from_mesh(body.model.mesh().moved(vertices.clone())?)?,
                None => body.model.clone(),
            });
        }
        let mut pairs = Vec::new();
        for (i, j) in (0..models.len()).flat_map(|i| (i + 1..models.len()).map(move |j| (i, j))) {
            let [a, b] = [i, j].map(|k| Placed::new(&models[k], &bodies[k].pose));
            let verdict = BruteForce.test(a?, b?, &Query::new(), &mut PairCache::new());
            if verdict.is_collision() {
                pairs.push([i, j]);
            }
        }
        all.push(pairs);
    }
    Ok(all)
}

fn agrees(
    name: &str,
    builder: WorldBuilder,
    guarantee: Guarantee,
    bodies: &[Body],
    truth: &[Vec<[usize; 2]>],
) -> Outcome {
    let mut world = builder.build();
    let mut ids = Vec::new();
    for body in bodies {
        ids.push(world.add(&body.model, &body.pose)?);
    }
    for (number, truth) in truth.iter().enumerate() {
        for (body, &id) in bodies.iter().zip(&ids) {
            if let Some(vertices) = body.frames.get(number) {
                world.set_vertices(id, vertices)?;
            }
        }
        let frame = world.check();
        assert!(frame.failures.is_empty(), "{name}: {:?}", frame.failures);
        let pair = |&[i, j]: &[usize; 2]| ObjectPair::new(ids[i], ids[j]);
        let undecided: Vec<ObjectPair> = frame.undecided.iter().map(|(pair, _)| *pair).collect();
        assert!(undecided.is_empty() || guarantee != Guarantee::Exact, "{name}: {number}");
        let found: Vec<ObjectPair> = frame.colliding().map(|collision| collision.pair).collect();
        let mut expected: Vec<ObjectPair> = truth.iter().map(pair).collect();
        expected.retain(|pair| !undecided.contains(pair));
        assert_eq!(found, expected, "{name} in frame {number}");
    }
    Ok(())
}

/// A sample of the algorithms goes on for all frames, the others for twelve; one that packs spheres for most of a second
/// each frame, for three.
#[test]
fn every_algorithm_follows_bodies_that_deform_soak() -> Outcome {
    let run = long_run(1, 1);
    let bodies = bodies()?;
    let truth = truth(&bodies)?;
    let collisions = truth.iter().map(Vec::len).sum::<usize>();
    assert!(collisions > 200, "{collisions}");
    assert!(truth.windows(2).filter(|two| two[0] != two[1]).count() > 10, "nothing changes");
    for (number, entry) in registry::of_kind(Kind::Narrow).enumerate() {
        let Some(narrow) = entry.narrow_phase() else { continue };
        let builder = World::builder().boxed_narrow_phase(narrow);
        let frames = match entry.name {
            "inner-spheres" if !run.is_whole => 3,
            _ if run.picks(number, 6) => FRAMES,
            _ => 12,
        };
        agrees(entry.name, builder, entry.guarantee, &bodies, &truth[..frames])?;
    }
    for entry in registry::of_kind(Kind::Bounds) {
        let Some(bounding) = entry.bounding() else { continue };
        let builder = World::builder().boxed_bounding(bounding);
        agrees(entry.name, builder, Guarantee::Exact, &bodies, &truth[..12])?;
    }
    for entry in registry::of_kind(Kind::Broad) {
        let Some(broad) = entry.broad_phase(false) else { continue };
        let builder = World::builder().boxed_broad_phase(broad);
        agrees(entry.name, builder, Guarantee::Exact, &bodies, &truth[..12])?;
    }
    Ok(())
}

/// Several objects with one model: only the one whose vertices move is changed.
#[test]
fn a_shared_model_is_copied_once() -> Outcome {
    let (corners, faces) = xcollide_fixtures::cube();
    let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
    let mut world = World::new();
    let beside = |x: f64| Pose::from_translation([x, 0.0, 0.0]);
    let first = world.add(&cube, &beside(0.0))?;
    let second = world.add(&cube, &beside(1.5))?;
    let third = world.add(&cube, &beside(3.0))?;
    assert!(world.check().began.is_empty());
    let longer: Vec<[f64; 3]> =
        cube.mesh().positions().iter().map(|[x, y, z]| [3.0 * x - 1.0, *y, *z]).collect();
    world.set_vertices(second, &longer)?;
    let frame = world.check();
    assert!(frame.collides(first, second) && frame.collides(second, third));
    assert!((world.bounds(second)?.aabb.size()[0] - 3.0).abs() < 1e-9);
    assert!(world.model(first)?.is_same(world.model(third)?));
    assert!(!world.model(first)?.is_same(world.model(second)?));
    world.set_vertices(second, cube.mesh().positions())?;
    assert_eq!(world.check().ended.len(), 2);
    Ok(())
}

#[test]
fn vertices_that_do_not_fit_are_told_and_change_nothing() -> Outcome {
    let cube = shape("box")?;
    let mut world = World::new();
    let object = world.add(&cube, &Pose::from_translation([1e307, 0.0, 0.0]))?;
    let mut vertices = cube.mesh().positions().to_vec();
    let refused =
        |world: &mut World, vertices: &[[f64; 3]]| match world.set_vertices(object, vertices) {
            Err(WorldError::Vertices { id, error }) if id == object => Some(error),
            _ => None,
        };
    assert!(matches!(refused(&mut world, &vertices[1..]), Some(MovingMeshError::Vertices(_))));
    vertices[3][1] = 8e307;
    assert!(matches!(refused(&mut world, &vertices), Some(MovingMeshError::Pose(_))));
    vertices[3][1] = f64::NAN;
    assert!(matches!(refused(&mut world, &vertices), Some(MovingMeshError::Vertices(_))));
    assert_eq!(world.model(object)?.mesh(), cube.mesh());
    world.remove(object)?;
    assert_eq!(world.set_vertices(object, &vertices), Err(WorldError::Stale { id: object }));
    Ok(())
}
