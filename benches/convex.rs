//! Convex pairs: nanoseconds a query by number of vertices and speed of the motion, against
//! parry3d-f64 on the same hulls and poses, interleaved in the same run. Prints Markdown tables.
//!
//! With numbers, only those numbers of vertices; with names, also these algorithms of the registry,
//! `gilbert-johnson` and `gilbert-signed-volumes`: `cargo bench -p xcollide-benches --bench convex
//! [-- 20 100 … sat gilbert …]`.
//!
//! The workload is Chung's (1996, 6.2): hulls of random points on ellipsoids, rods and plates, two
//! of each, in all combinations. Both of a pair move through a box by 2, 5 or 20 % of their size a
//! frame and turn by 5, 10 or 40 degrees, bouncing off its walls and each other; queries are the
//! frames with overlapping bounding boxes. Up to 50 vertices, boxes and prisms are rows too. For
//! motion `none`, poses are random.
//!
//! All algorithms play one short piece before the next; a figure is the sum over the pieces of the
//! median over rounds, per query. Caches persist; models are placed and parry's poses converted
//! beforehand.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::hint::black_box;
use std::time::Instant;

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::details::{
    intersection_test_support_map_support_map as parry_test,
    intersection_test_support_map_support_map_with_params as parry_test_from,
};
use parry3d_f64::query::gjk::VoronoiSimplex;
use parry3d_f64::shape::ConvexPolyhedron;
use xcollide::registry;
use xcollide_bounds::Aabb;
use xcollide_brep::PolygonMesh;
use xcollide_convex::{GjkSearch, Subalgorithm};
use xcollide_narrow::convex::{Certified, Hybrid};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_scenes::{PolytopeKind, Random, polytope, shape};

/// An algorithm by the name of its column.
type Named = (String, Box<dyn NarrowPhase>);

/// Ours, and the hierarchy that any model can use; then those that the command line names.
fn algorithms() -> Vec<Named> {
    let ours: [Box<dyn NarrowPhase>; 2] = [Box::new(Hybrid::default()), Box::new(Wide::new())];
    let ours = ours.into_iter().map(|algorithm| (algorithm.name().to_owned(), algorithm));
    let asked = std::env::args().skip(1).filter_map(|name| Some((name.clone(), known(&name)?)));
    ours.chain(asked).collect()
}

/// An algorithm of the registry, or Gilbert's with another subalgorithm.
fn known(name: &str) -> Option<Box<dyn NarrowPhase>> {
    let subalgorithm = match name {
        "gilbert-johnson" => Subalgorithm::Johnson,
        "gilbert-signed-volumes" => Subalgorithm::SignedVolumes,
        _ => return registry::narrow_phase(name),
    };
    Some(Box::new(Certified(GjkSearch { subalgorithm })))
}

struct Shapes {
    models: Vec<Model>,
    parry: Vec<ConvexPolyhedron>,
}

impl Shapes {
    /// Hulls of points on ellipsoids, rods and plates.
    fn random(vertices: usize) -> Self {
        let kinds = [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate];
        Self::of((0..6).map(|i| polytope(vertices, kinds[i % 3], i as u64 + 1).unwrap()))
    }

    /// Boxes, which 8 vertices make, else prisms: a cube, a rod and a plate, each in two sizes.
    fn regular(vertices: usize) -> Self {
        let sizes = [[1.6, 1.6], [0.5, 2.0], [1.9, 0.4]];
        Self::of((0..6).map(|i| {
            let scale = if i < 3 { 1.0 } else { 0.8 };
            let [width, height] = sizes[i % 3].map(|size| scale * size);
            let spec = if vertices == 8 {
                format!("box?x={width}&y={}&z={height}", 0.9 * width)
            } else {
                let (sides, radius) = (vertices / 2, 0.5 * width);
                format!("prism?sides={sides}&radius={radius}&height={height}")
            };
            shape(&spec).unwrap()
        }))
    }

    fn of(meshes: impl Iterator<Item = PolygonMesh>) -> Self {
        let models: Vec<Model> = meshes.map(|mesh| Model::from_mesh(mesh).unwrap()).collect();
        let hull = |model: &Model| {
            let points = model.mesh().positions().iter().map(|p| Vector::new(p[0], p[1], p[2]));
            let corners = model.triangulation().triangles().iter();
            let triangles: Vec<[u32; 3]> = corners.map(|t| t.map(|v| v.0)).collect();
            ConvexPolyhedron::from_convex_mesh(points.collect(), &triangles).unwrap()
        };
        let parry = models.iter().map(hull).collect();
        Self { models, parry }
    }
}

struct Frame {
    pair: usize,
    poses: [Pose; 2],
}

struct Workload {
    pairs: Vec<[usize; 2]>,
    frames: Vec<Frame>,
    hits: usize,
}

struct Flight {
    pose: Pose,
    velocity: Vector3<f64>,
    spin: Vector3<f64>,
}

fn moved(random: &mut Random, half: f64) -> Pose {
    let [x, y, z, w] = random.rotation();
    let t = [(); 3].map(|()| random.between(-half, half));
    let turn = UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z));
    Pose::try_from(Isometry3::from_parts(Translation3::from(t), turn)).unwrap()
}

fn world_box(model: &Model, pose: &Pose) -> Aabb {
    let placed = Placed::new(model, pose).unwrap();
    Aabb::from_points(model.used_vertices().iter().map(|&v| placed.position(v)))
}

/// `speed` in sizes a frame and `angle` in degrees a frame; 0 for random poses.
fn workload(shapes: &Shapes, speed: f64, angle: f64, count: usize) -> Workload {
    let half = if speed > 0.0 { 2.2 } else { 1.2 };
    let mut random = Random::new(7);
    let pairs: Vec<[usize; 2]> =
        (0..36).map(|i| [i % 3 + 3 * (i / 9 % 2), (i / 3) % 3 + 3 * (i / 18 % 2)]).collect();
    let mut flights: Vec<[Flight; 2]> = pairs
        .iter()
        .map(|_| {
            [(); 2].map(|()| Flight {
                pose: moved(&mut random, half),
                velocity: Vector3::from(random.direction()) * (2.0 * speed),
                spin: Vector3::from(random.direction()) * angle.to_radians(),
            })
        })
        .collect();
    let mut caches: Vec<PairCache> = pairs.iter().map(|_| PairCache::new()).collect();
    let (mut frames, mut hits) = (Vec::new(), 0);
    while frames.len() < count {
        for (pair, &[i, j]) in pairs.iter().enumerate() {
            for flight in &mut flights[pair] {
                if speed == 0.0 {
                    flight.pose = moved(&mut random, half);
                    continue;
                }
                let turn = Pose::try_from(Isometry3::from_parts(
                    Translation3::identity(),
                    UnitQuaternion::new(flight.spin),
                ))
                .unwrap();
                flight.pose = (turn * flight.pose).with_translation(flight.pose.translation());
                flight.pose = flight.pose.with_translation(
                    (Vector3::from(flight.pose.translation()) + (flight.velocity)).into(),
                );
                for axis in 0..3 {
                    let at = Vector3::from(flight.pose.translation())[axis];
                    if at.abs() > half {
                        flight.velocity[axis] = -flight.velocity[axis].abs() * at.signum();
                    }
                }
            }
            let poses = [flights[pair][0].pose, flights[pair][1].pose];
            let models = [&shapes.models[i], &shapes.models[j]];
            if !world_box(models[0], &poses[0]).overlaps(&world_box(models[1], &poses[1])) {
                continue;
            }
            let [a, b] = [0, 1].map(|k| Placed::new(models[k], &poses[k]).unwrap());
            let hit = Hybrid::default().test(a, b, &Query::new(), &mut caches[pair]).is_collision();
            if hit && speed > 0.0 {
                for flight in &mut flights[pair] {
                    flight.velocity = -flight.velocity;
                    flight.spin = -flight.spin;
                }
                // Else the motion would repeat itself.
                let aside = Vector3::from(random.direction()) * (0.4 * speed);
                let flight = &mut flights[pair][0];
                flight.velocity = (flight.velocity + aside).normalize() * (2.0 * speed);
            }
            hits += usize::from(hit);
            frames.push(Frame { pair, poses });
        }
    }
    Workload { pairs, frames, hits }
}

fn parry_pose(pose: &Pose) -> ParryPose {
    let isometry = Isometry3::from(*pose);
    let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

const ROUNDS: usize = 9;

/// How many queries are timed at once: fewer than fit into a time slice of a busy machine.
const PIECE: usize = 200;

/// One row of the table.
fn row(shapes: &Shapes, of: &str, name: &str, speed: f64, angle: f64) {
    let vertices = shapes.models[0].used_vertices().len();
    let count = if vertices > 1000 { 2000 } else { 4000 };
    let work = workload(shapes, speed, angle, count);
    let frames = &work.frames;
    let placed: Vec<[Placed<'_>; 2]> = frames
        .iter()
        .map(|frame| {
            let models = work.pairs[frame.pair].map(|i| &shapes.models[i]);
            [0, 1].map(|k| Placed::new(models[k], &frame.poses[k]).unwrap())
        })
        .collect();
    let parry: Vec<[ParryPose; 2]> =
        frames.iter().map(|frame| frame.poses.each_ref().map(parry_pose)).collect();
    let algorithms = algorithms();
    let mut caches: Vec<Vec<PairCache>> =
        algorithms.iter().map(|_| work.pairs.iter().map(|_| PairCache::new()).collect()).collect();
    let base = algorithms.len();
    let mut found = vec![0; base + 2];
    let mut directions = vec![None; work.pairs.len()];
    let mut simplex = VoronoiSimplex::new();
    let query = Query::new();
    // By algorithm and piece of the workload, the times of all rounds.
    let pieces = frames.len().div_ceil(PIECE);
    let mut times = vec![vec![Vec::new(); pieces]; base + 2];
    for round in 0..ROUNDS {
        for piece in 0..pieces {
            let range = piece * PIECE..frames.len().min((piece + 1) * PIECE);
            for index in 0..base + 2 {
                let mut hits = 0;
                let start = Instant::now();
                for at in range.clone() {
                    let pair = frames[at].pair;
                    let [i, j] = work.pairs[pair];
                    hits += usize::from(black_box(if index < base {
                        let [a, b] = placed[at];
                        algorithms[index]
                            .1
                            .test(a, b, &query, &mut caches[index][pair])
                            .is_collision()
                    } else {
                        let relative = parry[at][0].inv_mul(&parry[at][1]);
                        let (first, second) = (&shapes.parry[i], &shapes.parry[j]);
                        if index == base {
                            parry_test(&relative, first, second)
                        } else {
                            let last = directions[pair];
                            let (hit, direction) =
                                parry_test_from(&relative, first, second, &mut simplex, last);
                            directions[pair] = direction.try_normalize();
                            hit
                        }
                    }));
                }
                times[index][piece].push(start.elapsed().as_secs_f64() * 1e9);
                found[index] += if round == 0 { hits } else { 0 };
            }
        }
    }
    let medians: Vec<f64> = times
        .into_iter()
        .map(|pieces| pieces.into_iter().map(median).sum::<f64>() / frames.len() as f64)
        .collect();
    let peer = medians[base].min(medians[base + 1]);
    let cells: Vec<String> = medians.iter().map(|time| format!("{time:.0}")).collect();
    let wrong = found[base..].iter().map(|&hits| hits.abs_diff(work.hits)).max().unwrap_or(0);
    println!(
        "| {of} | {name} | {:.0} % | {} | {:.1}× | {wrong} |",
        100.0 * work.hits as f64 / frames.len() as f64,
        cells.join(" | "),
        peer / medians[0]
    );
}

fn main() {
    let chosen: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let all = vec![8, 20, 50, 100, 200, 500, 1000, 5000];
    let names: Vec<String> = algorithms().into_iter().map(|(name, _)| name).collect();
    println!(
        "| n | motion | hits | {} | parry | parry, last direction | parry / {} | parry's count off |",
        names.join(" | "),
        names[0]
    );
    println!("|{}", "---:|".repeat(names.len() + 7));
    for vertices in if chosen.is_empty() { all } else { chosen } {
        let kinds = [(vertices.to_string(), Shapes::random(vertices))];
        // What is regular has parallel faces and edges; it is interesting where it is small.
        let others = (6..=50).contains(&vertices).then(|| {
            let kind = if vertices == 8 { "boxes" } else { "prisms" };
            (format!("{}, {kind}", vertices / 2 * 2), Shapes::regular(vertices))
        });
        for (of, shapes) in kinds.into_iter().chain(others) {
            for (name, speed, angle) in
                [("2 %", 0.02, 5.0), ("5 %", 0.05, 10.0), ("20 %", 0.2, 40.0), ("none", 0.0, 0.0)]
            {
                row(&shapes, &of, name, speed, angle);
            }
        }
    }
}
