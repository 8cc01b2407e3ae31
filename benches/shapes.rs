//! Penetration depths, shapes given by formulas, and models in convex pieces. Prints Markdown tables;
//! `cargo bench -p xcollide-benches --bench shapes [-- PART …]`, two minutes; the parts are `depth`,
//! `formulas`, `pieces`, `ground` and `overlap`.
//!
//! - *Depth*: pairs of hulls of random points on an ellipsoid, turned at random and put at the
//!   stated depth (relative to their size) along a random direction, against parry3d-f64's
//!   `contact`. Differences in parry's depth are counted.
//! - *Formulas*: all pairs of shapes at random places, half of them in contact, against parry's
//!   `intersection_test` and `distance`.
//! - *Pieces*: the second model moves past and into the first, half a percent of its size a frame:
//!   `compound` and `wide-obb` with caches, and the time to prepare.
//! - *Ground*: height fields of 257² and 1025² samples, closed meshes here, against parry's `HeightField`, which keeps the samples:
//!   the first hit of a ray, straight down or from one side to another; a cube of four cells, and a torus of 1000 triangles as
//!   large as 16, each about the ground; bytes and time to build. Parry answers whether a cube or a mesh meets a `HeightField`
//!   only by its triangles in a box (`map_elements_in_local_aabb`), which are tested one by one, against the torus by its tree.
//!   Cells are cut along other diagonals there, so some answers differ.
//! - *Overlap*: the volume of what two formulas, or a formula and a mesh, have in common, of all pairs at random places where they overlap; no peer
//!   computes it.
//!
//! Contestants take turns on the same queries; medians over the passes, microseconds a query.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::query::RayCast;
use parry3d_f64::query::details::{
    intersection_test_cuboid_triangle, intersection_test_support_map_support_map,
};
use parry3d_f64::shape as parry;
use parry3d_f64::utils::Array2;
use xcollide_benches::contest::{Contestant, Rules, contest};
use xcollide_benches::pairs::model;
use xcollide_benches::parry::{parry_pose, trimesh};
use xcollide_benches::table::Table;
use xcollide_bvh::wide::{WideOptions, WideTree};
use xcollide_convex::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, PlacedShape, Shape, ShapeVerdict,
};
use xcollide_convex::{Body, Pair, Polytope};
use xcollide_narrow::compound::{Compound, Pieces};
use xcollide_narrow::convex::{Hybrid, polytope_of};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::rays::{Ray, first_hit};
use xcollide_narrow::{
    Formula, Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics, overlap_volume,
};
use xcollide_scenes::{PolytopeKind, Poses, Random, height_field, polytope};

const RULES: Rules = Rules { passes: 15, patience: Duration::from_secs(2), cold: false };
const QUERIES: usize = 64;

fn turned(random: &mut Random) -> UnitQuaternion<f64> {
    let [x, y, z, w] = random.rotation();
    UnitQuaternion::new_normalize(Quaternion::new(w, x, y, z))
}

/// Poses of a second hull at which it is so deep in the first, which stands still, along the line
/// of nearest points.
fn at_depth(models: &[Model; 2], depth: f64) -> Vec<Pose> {
    let mut random = Random::new(11);
    let of = models.each_ref().map(polytope_of);
    let here = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
    (0..QUERIES)
        .map(|_| {
            let rotation = turned(&mut random);
            let direction = Vector3::from(random.direction());
            let mut translation = direction * 4.0;
            for _ in 0..8 {
                let pose = Pose::try_from(Isometry3::from_parts(
                    Translation3::from(translation),
                    rotation,
                ))
                .unwrap();
                let there = Placed::new(&models[1], &pose).unwrap();
                let mut pair =
                    Pair::new(Body::new(&of[0], here.pose()), Body::new(&of[1], there.pose()));
                let found = pair.nearest(&[]);
                let along = Vector3::from(found.direction).dot(&direction).max(0.1);
                translation -= direction * (found.at_least / along);
            }
            translation -= direction * (2.0 * depth);
            Pose::try_from(Isometry3::from_parts(Translation3::from(translation), rotation))
                .unwrap()
        })
        .collect()
}

fn depths() {
    let mut table = Table::default();
    let mut remarks = Vec::new();
    for vertices in [8, 20, 100, 500] {
        let models = [1, 2].map(|seed| polytope(vertices, PolytopeKind::Ellipsoid, seed).unwrap());
        let models = models.map(|mesh| Model::from_mesh(mesh).unwrap());
        let hulls = models.each_ref().map(|model| {
            let points = model.mesh().positions().iter().map(|p| Vector::new(p[0], p[1], p[2]));
            parry::ConvexPolyhedron::from_convex_hull(&points.collect::<Vec<_>>()).unwrap()
        });
        for depth in [0.01, 0.2] {
            let poses = at_depth(&models, depth);
            let theirs: Vec<ParryPose> = poses.iter().map(parry_pose).collect();
            let here = Placed::new(&models[0], &Pose::IDENTITY).unwrap();
            let there: Vec<Placed<'_>> =
                poses.iter().map(|pose| Placed::new(&models[1], pose).unwrap()).collect();
            let ours = |query: usize, cache: &mut PairCache| {
                Hybrid::penetration(here, there[query], cache).unwrap()
            };
            let peer = |query: usize| {
                let identity = ParryPose::IDENTITY;
                query::contact(&identity, &hulls[0], &theirs[query], &hulls[1], 0.0).unwrap()
            };
            let (mut worst, mut probes, mut off) = (0.0_f64, 0, 0);
            for query in 0..QUERIES {
                let Some(found) = ours(query, &mut PairCache::new()) else { continue };
                worst = worst.max(found.at_most - found.at_least);
                probes += found.probes;
                let theirs = peer(query).map_or(0.0, |contact| -contact.dist);
                off += usize::from((theirs - found.at_most).abs() > 1e-6);
            }
            remarks.push(format!(
                "{vertices} vertices, {depth}: {:.1} probes, bounds at most {worst:.0e} apart, parry \
                 off by more than 1e-6 in {off} of {QUERIES}",
                probes as f64 / QUERIES as f64
            ));
            let mut cache = PairCache::new();
            let mut contestants = [
                Contestant::new("penetration, no memory", |query| {
                    Some(ours(query % QUERIES, &mut PairCache::new()).is_some())
                }),
                Contestant::new("penetration", |query| {
                    Some(ours(query % QUERIES, &mut cache).is_some())
                }),
                Contestant::new("parry3d `contact`", |query| Some(peer(query % QUERIES).is_some())),
            ];
            let column = format!("{vertices}, {depth}");
            table.push(column, contest(&mut contestants, QUERIES, RULES));
        }
    }
    println!("Depth, by vertices and depth:\n\n{table}");
    for remark in remarks {
        println!("- {remark}");
    }
}

fn formulas() {
    // parry's axes of revolution are along y.
    let upright = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
    type Both = (&'static str, Box<dyn Shape>, Box<dyn parry::Shape>);
    let shapes: Vec<Both> = vec![
        ("ball", Box::new(Ball::new(0.6).unwrap()), Box::new(parry::Ball::new(0.6))),
        (
            "capsule",
            Box::new(Capsule::new(0.7, 0.3).unwrap()),
            Box::new(parry::Capsule::new_y(0.7, 0.3)),
        ),
        (
            "box",
            Box::new(Cuboid::new([0.5, 0.3, 0.8]).unwrap()),
            Box::new(parry::Cuboid::new(Vector::new(0.5, 0.8, 0.3))),
        ),
        (
            "cylinder",
            Box::new(Cylinder::new(0.7, 0.4).unwrap()),
            Box::new(parry::Cylinder::new(0.7, 0.4)),
        ),
        ("cone", Box::new(Cone::new(0.7, 0.5).unwrap()), Box::new(parry::Cone::new(0.7, 0.5))),
    ];
    let mut table = Table::default();
    let pairs = (0..shapes.len()).flat_map(|i| (i..shapes.len()).map(move |j| (i, j)));
    for (i, j) in pairs {
        let mut random = Random::new(12);
        let mut pose = || {
            let t = [(); 3].map(|()| random.between(-0.55, 0.55));
            Pose::try_from(Isometry3::from_parts(Translation3::from(t), turned(&mut random)))
                .unwrap()
        };
        let poses: Vec<[Pose; 2]> = (0..QUERIES).map(|_| [pose(), pose()]).collect();
        let theirs: Vec<[ParryPose; 2]> = poses
            .iter()
            .map(|pair| {
                pair.each_ref().map(|pose| {
                    let pose = parry_pose(pose);
                    ParryPose::from_parts(pose.translation, pose.rotation * upright)
                })
            })
            .collect();
        let ours: Vec<_> = poses
            .iter()
            .map(|[p, q]| {
                let a = PlacedShape::new(&*shapes[i].1, p).unwrap();
                (a, PlacedShape::new(&*shapes[j].1, q).unwrap())
            })
            .collect();
        let (s, t) = (&*shapes[i].2, &*shapes[j].2);
        let mut contestants = [
            Contestant::new("collide", |query| {
                let (a, b) = &ours[query % QUERIES];
                Some(matches!(a.collide(b), ShapeVerdict::Collides(_)))
            }),
            Contestant::new("parry3d `intersection_test`", |query| {
                let [p, q] = &theirs[query % QUERIES];
                Some(query::intersection_test(p, s, q, t).unwrap().intersecting)
            }),
            Contestant::new("distance", |query| {
                let (a, b) = &ours[query % QUERIES];
                Some(a.distance(b).at_least == 0.0)
            }),
            Contestant::new("parry3d `distance`", |query| {
                let [p, q] = &theirs[query % QUERIES];
                Some(query::distance(p, s, q, t).unwrap().distance == 0.0)
            }),
        ];
        let column = format!("{}–{}", shapes[i].0, shapes[j].0);
        table.push(column, contest(&mut contestants, QUERIES, RULES));
    }
    println!("\nFormulas:\n\n{table}");
}

fn pieces() {
    let shape = |spec: &str| Model::from_mesh(xcollide_scenes::shape(spec).unwrap()).unwrap();
    let bars = [0, 1, 2].map(|axis| {
        let half = [0, 1, 2].map(|k| if k == axis { 1.0 } else { 0.2 });
        let box_of = xcollide_scenes::shape("shape:box").unwrap();
        let positions = box_of.positions().iter();
        let positions =
            positions.map(|p| [0, 1, 2].map(|k| p[k].signum() * half[k])).collect::<Vec<_>>();
        let faces = box_of.faces().map(|f| f.outer().iter().map(|v| v.0).collect::<Vec<u32>>());
        let mesh = xcollide_brep::PolygonMesh::from_polygons(positions, faces).unwrap();
        Model::from_mesh(mesh).unwrap()
    });
    let models = [
        ("three bars", Pieces::union(&bars).unwrap()),
        ("gear", shape("shape:gear")),
        ("torus 1k", shape("shape:torus?faces=1000")),
        ("torus 20k", shape("shape:torus?faces=20000")),
        ("knot 20k", shape("shape:knot?faces=20000")),
    ];
    let mut table = Table::default();
    let mut remarks = Vec::new();
    for (name, model) in &models {
        let began = Instant::now();
        Compound.prepare(model).unwrap();
        let took = began.elapsed().as_secs_f64();
        let pieces = Pieces::of(model);
        let solid = pieces.solid_count();
        let began = Instant::now();
        let worst = pieces.concavities(model).iter().map(|c| c.at_most).fold(0.0, f64::max);
        let measured = began.elapsed().as_secs_f64();
        let size = model.local_box().size().into_iter().fold(0.0, f64::max);
        remarks.push(format!(
            "{name}: {} pieces, {solid} of them certify contact; prepared in {took:.2} s; beyond the \
             model by at most {:.1} % of the size, measured in {measured:.2} s",
            pieces.models().len(),
            100.0 * worst / size
        ));
        // From apart, through contact, to the middle.
        let mut random = Random::new(13);
        let spin = turned(&mut random);
        let poses: Vec<Pose> = (0..400)
            .map(|frame| {
                let x = (1.3 - 0.005 * f64::from(frame)) * size;
                let turn =
                    spin * UnitQuaternion::from_euler_angles(0.01 * f64::from(frame), 0.0, 0.0);
                Pose::try_from(Isometry3::from_parts(
                    Translation3::new(x, 0.1 * size, 0.05 * size),
                    turn,
                ))
                .unwrap()
            })
            .collect();
        let here = Placed::new(model, &Pose::IDENTITY).unwrap();
        let there: Vec<_> = poses.iter().map(|pose| Placed::new(model, pose).unwrap()).collect();
        let ask = |algorithm: &dyn NarrowPhase, query: usize, cache: &mut PairCache| {
            Some(algorithm.test(here, there[query % 400], &Query::new(), cache).is_collision())
        };
        let (mut compound, mut wide, mut front) =
            (PairCache::new(), PairCache::new(), PairCache::coherent());
        let wide_obb = Wide::new();
        let mut contestants = [
            Contestant::new("compound", |query| ask(&Compound, query, &mut compound)),
            Contestant::new("wide-obb", |query| ask(&wide_obb, query, &mut wide)),
            Contestant::new("wide-obb, coherent", |query| ask(&wide_obb, query, &mut front)),
        ];
        table.push(*name, contest(&mut contestants, 400, RULES));
    }
    println!("\nPieces:\n\n{table}");
    for remark in remarks {
        println!("- {remark}");
    }
}

/// Parry's y is up, and its rows are along z.
fn y_up([x, y, z]: [f64; 3]) -> Vector {
    Vector::new(x, z, y)
}

/// A pose with y and z exchanged before and after it.
fn pose_y_up(pose: &Pose) -> ParryPose {
    let pose = Isometry3::from(*pose);
    let (t, q) = (pose.translation.vector, pose.rotation.coords);
    ParryPose::from_parts(y_up(t.into()), Rotation::from_xyzw(-q.x, -q.z, -q.y, q.w))
}

/// Whether a triangle of the height field that is near the box meets a body.
fn field_meets(
    field: &parry::HeightField,
    near: &parry3d_f64::bounding_volume::Aabb,
    meets: impl Fn(&parry::Triangle) -> bool,
) -> bool {
    let mut met = false;
    field.map_elements_in_local_aabb(near, &mut |_, triangle| met = met || meets(triangle));
    met
}

fn ground() {
    const SIDE: f64 = 2.0;
    let mut table = Table::default();
    let mut remarks = Vec::new();
    for cells in [256, 1024] {
        let columns = cells + 1;
        let cell = SIDE / cells as f64;
        let made = xcollide_scenes::shape(&format!("height-field?cells={cells}&side={SIDE}"));
        let heights: Vec<f64> =
            made.unwrap().positions()[..columns * columns].iter().map(|p| p[2]).collect();
        let scale = Vector::new(SIDE, 1.0, SIDE);
        // In parry's order: columns of the array are along x, and each is contiguous.
        let by_columns = || {
            let turned = (0..columns).flat_map(|x| (0..columns).map(move |y| y * columns + x));
            Array2::new(columns, columns, turned.map(|i| heights[i]).collect())
        };
        let (mut took, mut of_peer) = (Vec::new(), Vec::new());
        let mut built = None;
        for _ in 0..5 {
            let began = Instant::now();
            let mesh = height_field(&heights, columns, [cell; 2], -0.5).unwrap();
            let model = Model::from_mesh(mesh).unwrap();
            Wide::new().prepare(&model).unwrap();
            took.push(began.elapsed().as_secs_f64());
            let began = Instant::now();
            let field = parry::HeightField::new(by_columns(), scale);
            of_peer.push(began.elapsed().as_secs_f64());
            built = Some((model, field));
        }
        let (model, field) = built.unwrap();
        let corners: Vec<[u32; 3]> =
            model.triangulation().triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect();
        let tree = WideTree::build(model.mesh().positions(), &corners, WideOptions::default());
        let parts = [
            model.mesh().heap_bytes(),
            model.triangulation().heap_bytes(),
            model.brep().dcel().heap_bytes(),
            tree.bytes(),
        ]
        .map(|bytes| bytes as f64 / heights.len() as f64);
        let median = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            1e9 * times[times.len() / 2] / heights.len() as f64
        };
        remarks.push(format!(
            "{columns}² samples: {:.0} bytes a sample (mesh {:.0}, triangles {:.0}, half-edges {:.0}, tree {:.0}), built in {:.0} \
             ns a sample; parry {} bytes, built in {:.1} ns",
            parts.iter().sum::<f64>(),
            parts[0],
            parts[1],
            parts[2],
            parts[3],
            median(&mut took),
            size_of::<f64>() + size_of::<parry::HeightFieldCellStatus>(),
            median(&mut of_peer)
        ));
        against_ground(&mut table, (&model, &field), cell);
    }
    println!("\nGround:\n\n{table}");
    for remark in remarks {
        println!("- {remark}");
    }
}

fn against_ground(table: &mut Table, (model, field): (&Model, &parry::HeightField), cell: f64) {
    let title = |what: &str| format!("{}² {what}", (2.0 / cell).round() + 1.0);
    let here = Placed::new(model, &Pose::IDENTITY).unwrap();
    let mut random = Random::new(14);
    let mut over = |z: [f64; 2]| {
        let [x, y] = [(); 2].map(|()| random.between(-0.9, 0.9));
        [x, y, random.between(z[0], z[1])]
    };
    for (name, slanted) in [("ray, down", false), ("ray, slanted", true)] {
        let rays: Vec<[[f64; 3]; 2]> = (0..QUERIES)
            .map(|_| {
                let (from, to) = (over([0.6, 0.7]), over([0.0, 0.1]));
                let way = [0, 1, 2].map(|k| to[k] - from[k]);
                [from, if slanted { way } else { [0.0, 0.0, -1.0] }]
            })
            .collect();
        let ours: Vec<Ray> = rays.iter().map(|&[from, way]| Ray::new(from, way).unwrap()).collect();
        let theirs: Vec<query::Ray> =
            rays.iter().map(|&[from, way]| query::Ray::new(y_up(from), y_up(way))).collect();
        let mut contestants = [
            Contestant::new("xcollide", |i| Some(first_hit(here, &ours[i]).is_some())),
            Contestant::new("parry3d `HeightField`", |i| {
                Some(field.cast_local_ray(&theirs[i], f64::MAX, false).is_some())
            }),
        ];
        table.push(title(name), contest(&mut contestants, QUERIES, RULES));
    }
    let cube = model_of_box(2.0 * cell);
    let torus = self::model(&format!("torus?faces=500&radius={}&tube={}", 6.0 * cell, 2.0 * cell));
    for (name, body) in [("cube", &cube), ("torus", &torus)] {
        let mut turns = Random::new(15);
        let poses: Vec<Pose> = (0..QUERIES)
            .map(|_| {
                let [x, y, _] = over([0.0, 0.0]);
                // About as high as the ground there.
                let down = Ray::new([x, y, 9.0], [0.0, 0.0, -1.0]).unwrap();
                let z = first_hit(here, &down).unwrap().point[2] + turns.between(-4.0, 6.0) * cell;
                let place = Translation3::new(x, y, z);
                Pose::try_from(Isometry3::from_parts(place, turned(&mut turns))).unwrap()
            })
            .collect();
        let ours: Vec<Placed<'_>> = poses.iter().map(|at| Placed::new(body, at).unwrap()).collect();
        let theirs: Vec<ParryPose> = poses.iter().map(pose_y_up).collect();
        let cuboid = parry::Cuboid::new(Vector::splat(cell));
        let mesh = trimesh(&swapped(body));
        let (wide, surface) = (Wide::new(), Query::new().semantics(Semantics::Surface));
        let mut caches: Vec<PairCache> = (0..QUERIES).map(|_| PairCache::new()).collect();
        let mut contestants = [
            Contestant::new("xcollide", |i| {
                Some(wide.test(here, ours[i], &surface, &mut caches[i]).is_collision())
            }),
            Contestant::new("parry3d `HeightField`", |i| {
                let at = &theirs[i];
                if name == "cube" {
                    let near = cuboid.aabb(at);
                    return Some(field_meets(field, &near, |triangle| {
                        intersection_test_cuboid_triangle(&at.inverse(), &cuboid, triangle)
                    }));
                }
                let near = mesh.bvh().root_aabb().transform_by(at);
                Some(field_meets(field, &near, |triangle| {
                    let local = triangle.transformed(&at.inverse());
                    mesh.bvh().intersect_aabb(&local.local_aabb()).any(|number| {
                        let other = mesh.triangle(number);
                        intersection_test_support_map_support_map(
                            &ParryPose::IDENTITY,
                            &local,
                            &other,
                        )
                    })
                }))
            }),
        ];
        table.push(title(name), contest(&mut contestants, QUERIES, RULES));
    }
}

/// A cube of this side.
fn model_of_box(side: f64) -> Model {
    model(&format!("box?x={side}&y={side}&z={side}"))
}

/// A model with y and z exchanged, its faces turned over so that they still face outward.
fn swapped(of: &Model) -> Model {
    let positions = of.mesh().positions().iter().map(|&[x, y, z]| [x, z, y]).collect::<Vec<_>>();
    let faces =
        of.mesh().faces().map(|f| f.outer().iter().rev().map(|v| v.0).collect::<Vec<u32>>());
    Model::from_mesh(xcollide_brep::PolygonMesh::from_polygons(positions, faces).unwrap()).unwrap()
}

/// Bodies of each kind, about as large as each other.
fn curved() -> Vec<(&'static str, Model)> {
    let corners = (0..8).map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -0.4 } else { 0.4 }));
    let sides =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let cube = Arc::new(Polytope::new(corners.collect(), sides).unwrap());
    let all = [
        Formula::Ball(Ball::new(0.75).unwrap()),
        Formula::Capsule(Capsule::new(0.75, 0.25).unwrap()),
        Formula::Cuboid(Cuboid::new([0.5, 0.75, 0.25]).unwrap()),
        Formula::Cylinder(Cylinder::new(0.75, 0.5).unwrap()),
        Formula::Cone(Cone::new(0.75, 0.5).unwrap()),
        Formula::Ellipsoid(Ellipsoid::new([0.5, 0.75, 0.25]).unwrap()),
        Formula::rounded(cube, 0.2).unwrap(),
        Formula::HalfSpace,
    ];
    all.map(|formula| (formula.name(), Model::from_formula(formula))).into()
}

/// The volume of overlap of all pairs of formulas, and of formulas with meshes.
fn overlap() {
    const PLACES: usize = 9;
    let bodies = curved();
    let mut poses = Poses::new(23);
    let names: Vec<&str> = bodies.iter().map(|&(name, _)| name).collect();
    println!("\nVolume of overlap, milliseconds; the median of up to {PLACES} places:\n");
    println!("| | {} |", names.join(" | "));
    println!("|{}", "---|".repeat(names.len() + 1));
    let (mut longest, mut widest) = (0.0_f64, 0.0_f64);
    let meshes =
        [("torus 1k", model("torus?faces=1000")), ("sphere 20k", model("sphere?faces=20000"))];
    for (name, a) in bodies.iter().chain(&meshes) {
        print!("| {name} |");
        for (_, b) in &bodies {
            let mut times = Vec::new();
            for _ in 0..PLACES {
                let [of_a, of_b] = [poses.within(0.4).pose(), poses.within(0.4).pose()];
                let began = Instant::now();
                let Ok(found) = overlap_volume((a, &of_a), (b, &of_b)) else { continue };
                if found.at_least > 0.0 {
                    times.push(began.elapsed().as_secs_f64() * 1e3);
                    widest = widest.max((found.at_most - found.at_least) / found.at_least);
                }
            }
            times.sort_by(f64::total_cmp);
            longest = times.last().map_or(longest, |&last| longest.max(last));
            print!(" {} |", times.get(times.len() / 2).map_or("-".into(), |t| format!("{t:.2}")));
        }
        println!();
    }
    println!(
        "\nThe longest took {longest:.0} ms; the widest interval is {widest:.1e} of the volume."
    );
}

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let parts: [(&str, fn()); 5] = [
        ("depth", depths),
        ("formulas", formulas),
        ("pieces", pieces),
        ("ground", ground),
        ("overlap", overlap),
    ];
    for (name, part) in parts {
        if named.is_empty() || named.iter().any(|n| n == name) {
            part();
        }
    }
}
