//! Shapes that are given by formulas: against formulas of their distances, against polytopes inside
//! and outside of them, and against parry.

use nalgebra::Vector3;
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape as parry;
use xcollide_brep::ConvexHull;
use xcollide_convex::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, PlacedShape, Rounded, Shape, ShapeError,
    ShapeVerdict,
};
use xcollide_narrow::convex::polytope_of;
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
use xcollide_predicates::closest_points;

use crate::support::{Random, random_pose, shape};

type Place<'a> = PlacedShape<'a, dyn Shape>;

/// A shape, and whether a point of its frame is in it or no farther from it than a tolerance.
struct Known {
    name: &'static str,
    shape: Box<dyn Shape>,
    near: fn(Vector3<f64>, f64) -> bool,
}

const HALF: [f64; 3] = [0.5, 0.3, 0.8];

fn known() -> Vec<Known> {
    let model = shape("shape:icosahedron");
    vec![
        Known {
            name: "ball",
            shape: Box::new(Ball::new(0.6).unwrap()),
            near: |p, t| p.norm() <= 0.6 + t,
        },
        Known {
            name: "capsule",
            shape: Box::new(Capsule::new(0.7, 0.2).unwrap()),
            near: |p, t| (p - Vector3::z() * p.z.clamp(-0.7, 0.7)).norm() <= 0.2 + t,
        },
        Known {
            name: "cuboid",
            shape: Box::new(Cuboid::new(HALF).unwrap()),
            near: |p, t| (0..3).all(|k| p[k].abs() <= HALF[k] + t),
        },
        Known {
            name: "cylinder",
            shape: Box::new(Cylinder::new(0.7, 0.3).unwrap()),
            near: |p, t| p.z.abs() <= 0.7 + t && p.xy().norm() <= 0.3 + t,
        },
        Known {
            name: "cone",
            shape: Box::new(Cone::new(0.7, 0.5).unwrap()),
            near: |p, t| p.z >= -0.7 - t && p.xy().norm() <= (0.7 - p.z) * (0.5 / 1.4) + t,
        },
        Known {
            name: "ellipsoid",
            shape: Box::new(Ellipsoid::new(HALF).unwrap()),
            near: |p, t| (0..3).map(|k| (p[k] / HALF[k]).powi(2)).sum::<f64>() <= 1.0 + 8.0 * t,
        },
        Known {
            name: "hull",
            shape: Box::new(Rounded::new(polytope_of(&model), 0.0).unwrap()),
            near: |p, t| p.norm() <= 1.1 + t,
        },
        Known {
            name: "rounded hull",
            shape: Box::new(Rounded::new(polytope_of(&model), 0.25).unwrap()),
            near: |p, t| p.norm() <= 1.35 + t,
        },
    ]
}

impl Known {
    fn at(&self, pose: &Pose) -> Place<'_> {
        PlacedShape::new(&*self.shape, pose).unwrap()
    }

    /// Whether a point of the world is in the shape but for rounding.
    fn has(&self, pose: &Pose, point: [f64; 3]) -> bool {
        let local = pose.inverse().apply(point);
        (self.near)(local.into(), 1e-14 * (1.0 + Vector3::from(pose.translation()).norm()))
    }
}

/// Asks about a pair and checks every proof and all bounds; the answer, if there is one.
fn checked(a: &Known, b: &Known, poses: [&Pose; 2]) -> Option<bool> {
    let places = (a.at(poses[0]), b.at(poses[1]));
    let far = 1.0 + Vector3::from(poses[0].translation()).norm();
    let found = places.0.distance(&places.1);
    assert!(found.at_least <= found.at_most && found.at_least >= 0.0, "{found:?}");
    let [p, q] = found.points;
    assert!(((Vector3::from(p) - Vector3::from(q)).norm() - found.at_most).abs() < 1e-12 * far);
    let verdict = places.0.collide(&places.1);
    let swapped = places.1.collide(&places.0);
    match verdict {
        ShapeVerdict::Apart(plane) => {
            assert!(!matches!(swapped, ShapeVerdict::Collides(_)));
            let (high, low) =
                (places.0.height(plane.normal), places.1.height(plane.normal.map(|x| -x)));
            assert!(high.0 + high.1 < plane.offset && plane.offset < -low.0 - low.1);
            assert!(found.at_most > 0.0);
            Some(false)
        }
        ShapeVerdict::Collides(point) => {
            assert!(!matches!(swapped, ShapeVerdict::Apart(_)));
            assert!(a.has(poses[0], point) && b.has(poses[1], point), "{} {}", a.name, b.name);
            assert_eq!(found.at_least, 0.0);
            Some(true)
        }
        ShapeVerdict::Undecided => None,
    }
}

#[test]
fn all_pairs_are_decided_and_proved() {
    let shapes = known();
    let mut random = Random::new(81);
    let (mut hits, mut misses, mut undecided) = (0, 0, 0);
    let mut widest = 0.0_f64;
    for a in &shapes {
        for b in &shapes {
            for round in 0..60 {
                let mut poses = [random_pose(&mut random, 0.9), random_pose(&mut random, 0.9)];
                if round % 6 == 0 {
                    poses = poses.map(|mut pose| {
                        pose = pose.with_translation(
                            (Vector3::from(pose.translation()) + (Vector3::new(1e4, -3e4, 2e4)))
                                .into(),
                        );
                        pose
                    });
                }
                match checked(a, b, poses.each_ref()) {
                    Some(true) => hits += 1,
                    Some(false) => misses += 1,
                    None => undecided += 1,
                }
                let found = a.at(&poses[0]).distance(&b.at(&poses[1]));
                if round % 6 != 0 && found.at_least > 0.0 {
                    widest = widest.max(found.at_most - found.at_least);
                }
            }
        }
    }
    println!("{hits} hits, {misses} misses, {undecided} undecided, bounds {widest:e} apart");
    assert!(hits > 800 && misses > 800 && undecided == 0 && widest < 1e-9);
}

/// Pairs that are brought together along a direction until they touch, and then a little more or
/// less: `gap` tells which.
#[test]
fn the_margin_of_doubt_is_narrow() {
    let shapes = known();
    let mut random = Random::new(82);
    for (depth, curved_too) in [(1e-8, true), (1e-11, false)] {
        let mut undecided = Vec::new();
        let mut asked = 0;
        for a in &shapes {
            for b in &shapes {
                let round = |k: &Known| ["cylinder", "cone", "ellipsoid"].contains(&k.name);
                if !curved_too && (round(a) || round(b)) {
                    continue;
                }
                for _ in 0..6 {
                    let mut poses = [random_pose(&mut random, 0.5), random_pose(&mut random, 0.5)];
                    let mut moved = poses[1].translation();
                    moved[0] += 4.0;
                    poses[1] = poses[1].with_translation(moved);
                    // Nearest points coincide after that move, or nearly.
                    let mut outward = Vector3::x();
                    for _ in 0..3 {
                        let found = a.at(&poses[0]).distance(&b.at(&poses[1]));
                        if found.at_least > 1e-3 {
                            outward = Vector3::from(found.direction);
                        }
                        let away = Vector3::from(found.direction) * found.at_least;
                        poses[1] = poses[1].with_translation(
                            (Vector3::from(poses[1].translation()) - (away)).into(),
                        );
                    }
                    for sign in [1.0, -1.0] {
                        let mut there = poses[1];
                        there = there.with_translation(
                            (Vector3::from(there.translation()) + (outward * (sign * depth)))
                                .into(),
                        );
                        asked += 1;
                        match checked(a, b, [&poses[0], &there]) {
                            Some(hit) => assert_eq!(hit, sign < 0.0, "{} {}", a.name, b.name),
                            None => undecided.push((a.name, b.name)),
                        }
                    }
                }
            }
        }
        println!("{} of {asked} undecided at {depth:e}: {undecided:?}", undecided.len());
        assert!(undecided.len() * 200 <= asked);
    }
}

/// The distance of a point from a convex polygon, counter-clockwise or clockwise; 0 inside.
fn to_polygon(point: [f64; 2], corners: &[[f64; 2]]) -> f64 {
    let mut nearest = f64::INFINITY;
    let mut sides = Vec::new();
    for (i, &a) in corners.iter().enumerate() {
        let b = corners[(i + 1) % corners.len()];
        let (edge, to) = ([b[0] - a[0], b[1] - a[1]], [point[0] - a[0], point[1] - a[1]]);
        let along = (to[0] * edge[0] + to[1] * edge[1]) / (edge[0].powi(2) + edge[1].powi(2));
        let part = along.clamp(0.0, 1.0);
        nearest = nearest.min((to[0] - part * edge[0]).hypot(to[1] - part * edge[1]));
        sides.push(edge[0] * to[1] - edge[1] * to[0] > 0.0);
    }
    if sides.iter().all(|&side| side == sides[0]) { 0.0 } else { nearest }
}

#[test]
fn balls_and_capsules_are_as_far_apart_as_formulas_say() {
    let mut random = Random::new(83);
    let mut apart = 0;
    for _ in 0..2000 {
        let sizes = [(); 4].map(|()| 0.05 + 0.5 * random.signed().abs());
        let poses = [random_pose(&mut random, 1.0), random_pose(&mut random, 1.0)];
        let ball = Ball::new(sizes[0]).unwrap();
        let other = Ball::new(sizes[1]).unwrap();
        let cuboid = Cuboid::new([sizes[1], sizes[2], sizes[3]]).unwrap();
        let cylinder = Cylinder::new(sizes[1], sizes[2]).unwrap();
        let cone = Cone::new(sizes[1], sizes[2]).unwrap();
        let capsules =
            [Capsule::new(sizes[0], sizes[1]).unwrap(), Capsule::new(sizes[2], sizes[3]).unwrap()];
        let centers = poses.map(|pose| Vector3::from(pose.translation()));
        let line = (centers[1] - centers[0]).norm();
        let of_balls = line - sizes[0] - sizes[1];
        let local = poses[1].inverse().apply(centers[0].into());
        let outside = [0, 1, 2].map(|k| (local[k].abs() - sizes[k + 1]).max(0.0));
        let of_box = Vector3::from(outside).norm() - sizes[0];
        let segments = [0, 1].map(|i| {
            let end = |z: f64| poses[i].apply([0.0, 0.0, z]);
            let half = [sizes[0], sizes[2]][i];
            let ends: [[f64; 3]; 2] = [end(-half), end(half)];
            [ends[0], ends[1], ends[1]]
        });
        let between = closest_points(&segments[0], &segments[1]).distance;
        let of_capsules = between - sizes[1] - sizes[3];
        // In the half-plane through the axis: a rectangle and a triangle.
        let (across, high) = (local[0].hypot(local[1]), local[2]);
        let (half, radius) = (sizes[1], sizes[2]);
        let rim = (across - radius).max(0.0).hypot((high.abs() - half).max(0.0));
        let of_cylinder = rim - sizes[0];
        let corners = [[0.0, half], [radius, -half], [0.0, -half]];
        let of_cone = to_polygon([across, high], &corners) - sizes[0];
        let [p, q] = &poses;
        let a = PlacedShape::new(&ball, p).unwrap();
        for (expected, found, verdict) in [
            {
                let b = PlacedShape::new(&other, q).unwrap();
                (of_balls, a.distance(&b), a.collide(&b))
            },
            {
                let b = PlacedShape::new(&cuboid, q).unwrap();
                (of_box, a.distance(&b), a.collide(&b))
            },
            {
                let b = PlacedShape::new(&cylinder, q).unwrap();
                (of_cylinder, a.distance(&b), a.collide(&b))
            },
            {
                let b = PlacedShape::new(&cone, q).unwrap();
                (of_cone, b.distance(&a), b.collide(&a))
            },
            {
                let a = PlacedShape::new(&capsules[0], p).unwrap();
                let b = PlacedShape::new(&capsules[1], q).unwrap();
                (of_capsules, a.distance(&b), a.collide(&b))
            },
        ] {
            let value = expected.max(0.0);
            // The formula is rounded, too.
            assert!(found.at_least <= value + 1e-15 && value <= found.at_most + 1e-15, "{found:?}");
            assert!(found.at_most - found.at_least < 1e-12, "{found:?}");
            match verdict {
                ShapeVerdict::Apart(_) => assert!(expected > 0.0),
                ShapeVerdict::Collides(_) => assert!(expected < 1e-15),
                ShapeVerdict::Undecided => assert!(expected.abs() < 1e-12),
            }
            apart += usize::from(expected > 0.0);
        }
    }
    assert!((2500..9000).contains(&apart), "{apart}");
}

/// Touching is undecided, and one part in a million million aside is not.
#[test]
fn touching_balls_are_undecided_until_they_are_not() {
    let ball = Ball::new(1.0).unwrap();
    let a = PlacedShape::new(&ball, &Pose::IDENTITY).unwrap();
    let at = |x: f64| {
        let b = PlacedShape::new(&ball, &Pose::from_translation([x, 0.0, 0.0])).unwrap();
        a.collide(&b)
    };
    assert_eq!(at(2.0), ShapeVerdict::Undecided);
    assert!(matches!(at(2.0 + 1e-12), ShapeVerdict::Apart(_)));
    assert!(matches!(at(2.0 - 1e-12), ShapeVerdict::Collides(_)));
    assert!(matches!(at(0.0), ShapeVerdict::Collides(_)));
}

/// A polytope in a shape and one around it, as models; the second is the first, larger.
fn tessellated(known: &Known) -> Option<[Model; 2]> {
    if known.name.contains("hull") {
        return None;
    }
    let mut random = Random::new(84);
    let radius = known.shape.radius();
    let points: Vec<[f64; 3]> = (0..500)
        .map(|_| {
            let direction = Vector3::from([(); 3].map(|()| random.signed())).normalize();
            let core = Vector3::from(known.shape.farthest(direction.into()));
            ((core + direction * radius) * (1.0 - 1e-13)).into()
        })
        .collect();
    let hull = ConvexHull::of(&points).unwrap();
    // How far the shape reaches beyond the planes of the faces.
    let factor = hull.mesh().faces().map(|face| {
        let [p, q, r] = [0, 1, 2].map(|i| Vector3::from(hull.mesh().position(face.outer()[i])));
        let normal = (q - p).cross(&(r - p)).normalize();
        let top = Vector3::from(known.shape.farthest(normal.into())).dot(&normal) + radius;
        top / normal.dot(&p)
    });
    let factor = factor.fold(1.0, f64::max) * (1.0 + 1e-12);
    let outer = hull.mesh().positions().iter().map(|p| p.map(|x| x * factor)).collect::<Vec<_>>();
    let outer = ConvexHull::of(&outer).unwrap();
    Some([hull, outer].map(|hull| Model::from_mesh(hull.into_mesh()).unwrap()))
}

#[test]
fn polytopes_inside_and_around_enclose_the_answer() {
    let shapes = known();
    let with: Vec<(&Known, [Model; 2])> =
        shapes.iter().filter_map(|k| Some((k, tessellated(k)?))).collect();
    assert_eq!(with.len(), 6);
    let mut random = Random::new(85);
    let (mut inner_hits, mut outer_misses) = (0, 0);
    for (a, models_a) in &with {
        for (b, models_b) in &with {
            for _ in 0..30 {
                let poses = [random_pose(&mut random, 0.6), random_pose(&mut random, 0.6)];
                let verdict = a.at(&poses[0]).collide(&b.at(&poses[1]));
                let hit = |i: usize| {
                    let place = |model, k: usize| Placed::new(model, &poses[k]).unwrap();
                    let (a, b) = (place(&models_a[i], 0), place(&models_b[i], 1));
                    Wide::new().test(a, b, &Query::new(), &mut PairCache::new()).is_collision()
                };
                if hit(0) {
                    inner_hits += 1;
                    assert!(matches!(verdict, ShapeVerdict::Collides(_)), "{} {}", a.name, b.name);
                }
                if !hit(1) {
                    outer_misses += 1;
                    assert!(matches!(verdict, ShapeVerdict::Apart(_)), "{} {}", a.name, b.name);
                }
            }
        }
    }
    println!("{inner_hits} hits inside, {outer_misses} misses outside");
    assert!(inner_hits > 200 && outer_misses > 100);
}

#[test]
fn parry_agrees_on_shapes() {
    // parry's axes of revolution are along y.
    let upright = Rotation::from_rotation_x(std::f64::consts::FRAC_PI_2);
    let theirs: Vec<(usize, Box<dyn parry::Shape>)> = vec![
        (0, Box::new(parry::Ball::new(0.6))),
        (1, Box::new(parry::Capsule::new_y(0.7, 0.2))),
        (2, Box::new(parry::Cuboid::new(Vector::new(HALF[0], HALF[2], HALF[1])))),
        (3, Box::new(parry::Cylinder::new(0.7, 0.3))),
        (4, Box::new(parry::Cone::new(0.7, 0.5))),
    ];
    let shapes = known();
    let mut random = Random::new(86);
    let (mut asked, mut off) = (0, 0);
    for (i, s) in &theirs {
        for (j, t) in &theirs {
            for _ in 0..40 {
                let poses = [random_pose(&mut random, 0.9), random_pose(&mut random, 0.9)];
                let [p, q] = poses.each_ref().map(|pose| {
                    let isometry = nalgebra::Isometry3::from(*pose);
                    let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
                    let turn = Rotation::from_xyzw(q.x, q.y, q.z, q.w) * upright;
                    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), turn)
                });
                let found = shapes[*i].at(&poses[0]).distance(&shapes[*j].at(&poses[1]));
                let value = query::distance(&p, s.as_ref(), &q, t.as_ref()).unwrap().distance;
                asked += 1;
                let near = (value - found.at_most).abs() < 1e-5;
                off += usize::from(!near);
            }
        }
    }
    println!("parry differs in {off} of {asked}");
    assert!(off * 100 <= asked, "{off} of {asked}");
}

#[test]
fn lengths_that_are_none_are_refused() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e61, 1e-61] {
        let refused = |result: Result<(), ShapeError>| {
            assert!(matches!(result, Err(ShapeError::Length { .. })), "{bad}");
        };
        refused(Ball::new(bad).map(|_| ()));
        refused(Capsule::new(1.0, bad).map(|_| ()));
        refused(Cuboid::new([1.0, bad, 1.0]).map(|_| ()));
        refused(Cylinder::new(bad, 1.0).map(|_| ()));
        refused(Cone::new(bad, 1.0).map(|_| ()));
        refused(Ellipsoid::new([1.0, 1.0, bad]).map(|_| ()));
    }
    let empty = Model::from_mesh(xcollide_brep::PolygonMesh::new()).unwrap();
    assert_eq!(Rounded::new(polytope_of(&empty), 1.0).map(|_| ()), Err(ShapeError::Polytope));
}
