//! Rays, moving spheres and points against formulas: against exact sides of points, the same bodies as meshes, and parry3d.

use crate::support::formulas;

use parry3d_f64::math::{Pose as Isometry, Vector};
use parry3d_f64::query::{Ray as ParryRay, RayCast};
use parry3d_f64::shape as parry;
use xcollide_convex::shape::{Ball, Capsule, Cuboid, Cylinder};
use xcollide_fixtures::Random;
use xcollide_math::vector::{add, dot, length, scale, sub, unit};
use xcollide_narrow::point_in_polyhedron::{Location, locate};
use xcollide_narrow::rays::{Ray, RayHit, all_hits, any_hit, first_hit, sphere_cast};
use xcollide_narrow::{
    Formula, Model, Placed, Pose, QueryError, Reason, Semantics, formula, nearest_point,
    signed_distance,
};
use xcollide_scenes::Poses;

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn shape(spec: &str) -> Result<Model, Box<dyn std::error::Error>> {
    Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
}

fn hits_of(placed: Placed<'_>, ray: &Ray) -> Vec<RayHit> {
    let mut hits = Vec::new();
    all_hits(placed, ray, &mut hits);
    assert_eq!(first_hit(placed, ray), hits.first().copied());
    assert_eq!(any_hit(placed, ray).is_some(), !hits.is_empty());
    hits
}

fn between(random: &mut Random, low: f64, high: f64) -> f64 {
    low + random.unit() * (high - low)
}

fn random_ray(random: &mut Random, center: [f64; 3]) -> Result<Ray, QueryError> {
    let from = add(center, random.point(1.5));
    let to = add(center, random.point(0.6));
    let along = scale(sub(to, from), between(random, 0.2, 3.0));
    let ray = Ray::new(from, along)?;
    if random.below(2) == 0 { ray.up_to(between(random, 0.0, 2.0)) } else { Ok(ray) }
}

/// Before, between and after the hits a ray is where it should be, to within the error that is told, which is small.
#[test]
fn hits_are_where_the_side_changes() -> Outcome {
    let random = &mut Random::new(31);
    let mut poses = Poses::new(8);
    for formula in formulas(1.0) {
        let (is_rounded, name) = (matches!(formula, Formula::Rounded(_)), formula.name());
        let model = Model::from_formula(formula);
        let mut counts = [0; 3];
        for round in 0..300 {
            // Far away from the origin in every third round.
            let far = if round % 3 == 0 { 1e4 } else { 1.0 };
            let pose = poses.within(far).pose();
            let placed = Placed::new(&model, &pose)?;
            let ray = random_ray(random, pose.translation())?;
            let hits = hits_of(placed, &ray);
            counts[hits.len()] += 1;
            let mut marks = vec![0.0];
            for hit in &hits {
                let limit = if is_rounded { 1e-8 } else { 1e-11 };
                assert!(hit.error < limit * far, "{name} {hit:?}");
                assert!((0.0..=ray.reach()).contains(&hit.parameter) && hit.face.is_none());
                assert!(length(sub(hit.point, ray_at(&ray, hit.parameter))) < 1e-11 * far);
                marks.push(hit.parameter);
            }
            marks.push(ray.reach().min(1e3));
            // In the middle between two marks, away from the surface.
            let is_in =
                |parameter: f64| locate(placed, ray_at(&ray, parameter)) == Location::Inside;
            let mut inside = locate(placed, ray.origin()) == Location::Inside;
            for (number, part) in marks.windows(2).enumerate() {
                let middle = 0.5 * part[0] + 0.5 * part[1];
                if part[1] - part[0] > 1e-6 * far {
                    assert_eq!(is_in(middle), inside, "{name} {number} {hits:?} {ray:?} {pose:?}");
                }
                inside = !inside;
            }
            for (number, hit) in hits.iter().enumerate() {
                let normal = hit.normal(placed);
                assert!((length(normal) - 1.0).abs() < 1e-9);
                let leaves = number == 1 || locate(placed, ray.origin()) == Location::Inside;
                let along = dot(normal, ray.direction());
                assert!(if leaves { along > -1e-6 } else { along < 1e-6 }, "{name} {hit:?}");
            }
        }
        assert!(counts[0] > 20 && counts[1] > 8, "{name} {counts:?}");
        assert!(counts[2] > 20 || name == "half-space", "{name} {counts:?}");
    }
    Ok(())
}

fn ray_at(ray: &Ray, parameter: f64) -> [f64; 3] {
    add(ray.origin(), scale(ray.direction(), parameter))
}

/// Touching is hitting, and next to it is not; a ray along an axis is met at numbers that are exact.
#[test]
fn touching_is_hitting() -> Outcome {
    let ball = Model::from_formula(Formula::Ball(Ball::new(5.0)?));
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 5.0)?));
    let at = Pose::from_translation([100.0, 0.0, 0.0]);
    for (model, z) in [(&ball, 0.0), (&can, 0.5)] {
        let placed = Placed::new(model, &at)?;
        let parameters = |y: f64, reach: f64| -> Result<Vec<f64>, QueryError> {
            let ray = Ray::new([90.0, y, z], [2.0, 0.0, 0.0])?.up_to(reach)?;
            Ok(hits_of(placed, &ray).iter().map(|hit| hit.parameter).collect())
        };
        assert_eq!(parameters(0.0, 9.0)?, [2.5, 7.5]);
        assert_eq!(parameters(3.0, 9.0)?, [3.0, 7.0]);
        assert_eq!(parameters(3.0, 7.0)?, [3.0, 7.0]);
        assert_eq!(parameters(3.0, 7.0_f64.next_down())?, [3.0]);
        assert_eq!(parameters(3.0, 3.0)?, [3.0]);
        assert!(parameters(3.0, 3.0_f64.next_down())?.is_empty());
        let touching = parameters(5.0, 9.0)?;
        assert!(touching.len() == 1 && (touching[0] - 5.0).abs() < 1e-7, "{touching:?}");
        assert!(parameters(5.0_f64.next_up(), 9.0)?.is_empty());
    }
    // From the surface and from within.
    let cuboid = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0; 3])?));
    let placed = Placed::new(&cuboid, &Pose::IDENTITY)?;
    let parameters = |from: [f64; 3], along: [f64; 3]| -> Result<Vec<f64>, QueryError> {
        Ok(hits_of(placed, &Ray::new(from, along)?).iter().map(|hit| hit.parameter).collect())
    };
    assert_eq!(parameters([1.0, 0.0, 0.0], [1.0, 0.0, 0.0])?, [0.0]);
    assert_eq!(parameters([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])?, [0.0, 2.0]);
    assert_eq!(parameters([0.5, 0.0, 0.0], [-1.0, 0.0, 0.0])?, [1.5]);
    assert_eq!(parameters([1.0, 0.0, 0.0], [0.0, 0.5, 0.0])?, [0.0, 2.0], "in a face");
    assert_eq!(parameters([2.0, 0.0, 1.0], [-1.0, 0.0, 0.0])?, [1.0, 3.0], "along an edge");
    // However short or long the direction is.
    for model in [&ball, &Model::from_formula(formulas(1.0).swap_remove(6))] {
        let placed = Placed::new(model, &Pose::IDENTITY)?;
        for size in [1e-290, 1e-170, 1e-3, 1e200] {
            let hits = hits_of(placed, &Ray::new([-9.0, 0.125, 0.0], [size, 0.0, 0.0])?);
            assert_eq!(hits.len(), 2, "{size} {model:?}");
            assert!((hits[0].parameter * size - 9.0).abs() < 5.1 && hits[0].point[0].abs() < 5.1);
        }
    }
    let ground = Model::from_formula(Formula::HalfSpace);
    let placed = Placed::new(&ground, &Pose::IDENTITY)?;
    let first = |from: [f64; 3], along: [f64; 3]| -> Result<Option<f64>, QueryError> {
        Ok(first_hit(placed, &Ray::new(from, along)?).map(|hit| hit.parameter))
    };
    assert_eq!(first([3.0, 0.0, 4.0], [1.0, 0.0, -2.0])?, Some(2.0));
    assert_eq!(first([3.0, 0.0, 4.0], [1.0, 0.0, 0.0])?, None);
    assert_eq!(first([3.0, 0.0, -4.0], [1.0, 0.0, 1e-3])?, Some(4000.0));
    assert_eq!(first([3.0, 0.0, -4.0], [1.0, 0.0, -1.0])?, None);
    assert_eq!(first([3.0, 0.0, 0.0], [1.0, 0.0, -1.0])?, Some(0.0));
    Ok(())
}

/// The first hits are those of parry3d, which takes a body as hollow here; its tolerances are in its parameters.
#[test]
fn first_hits_are_those_of_parry() -> Outcome {
    let random = &mut Random::new(77);
    let bodies: Vec<(Formula, Box<dyn RayCast>)> = vec![
        (Formula::Ball(Ball::new(0.75)?), Box::new(parry::Ball::new(0.75))),
        (Formula::Capsule(Capsule::new(0.75, 0.25)?), Box::new(parry::Capsule::new_z(0.75, 0.25))),
        (
            Formula::Cuboid(Cuboid::new([0.5, 0.75, 0.25])?),
            Box::new(parry::Cuboid::new(Vector::new(0.5, 0.75, 0.25))),
        ),
    ];
    for (formula, other) in bodies {
        let name = formula.name();
        let model = Model::from_formula(formula);
        let placed = Placed::new(&model, &Pose::IDENTITY)?;
        let mut met = 0;
        for _ in 0..500 {
            let ray = random_ray(random, [0.0; 3])?.up_to(1e3)?;
            let [o, d] = [ray.origin(), ray.direction()].map(|[x, y, z]| Vector::new(x, y, z));
            let theirs = other.cast_ray(&Isometry::IDENTITY, &ParryRay::new(o, d), 1e3, false);
            let ours = first_hit(placed, &ray).map(|hit| hit.parameter);
            match (ours, theirs) {
                (Some(ours), Some(theirs)) => {
                    assert!((ours - theirs).abs() < 1e-6, "{name} {ray:?} {ours} {theirs}");
                    met += 1;
                }
                (None, None) => {}
                _ => return Err(format!("{name} {ray:?} {ours:?} {theirs:?}").into()),
            }
        }
        assert!((100..500).contains(&met), "{name} {met}");
    }
    Ok(())
}

/// A box by its formula and as a mesh: the same hits, spheres, nearest points and signs.
#[test]
fn boxes_answer_as_the_same_boxes_as_meshes() -> Outcome {
    let by_formula = Model::from_formula(Formula::Cuboid(Cuboid::new([1.0, 0.5, 2.0])?));
    let as_mesh = shape("box?x=2&y=1&z=4")?;
    let random = &mut Random::new(12);
    let mut poses = Poses::new(4);
    let (mut met, mut cast) = (0, 0);
    for _ in 0..300 {
        let pose = poses.within(2.0).pose();
        let [one, other] = [Placed::new(&by_formula, &pose)?, Placed::new(&as_mesh, &pose)?];
        let ray = random_ray(random, pose.translation())?;
        let [ours, theirs] = [one, other].map(|placed| hits_of(placed, &ray));
        assert_eq!(ours.len(), theirs.len(), "{ray:?} {pose:?}");
        for (p, q) in ours.iter().zip(&theirs) {
            assert!((p.parameter - q.parameter).abs() < 1e-12 + p.error + q.error);
            assert!(length(sub(p.normal(one), q.normal(other))) < 1e-9);
        }
        met += ours.len();
        let point = add(pose.translation(), random.point(2.5));
        let [p, q] = [signed_distance(one, point)?, signed_distance(other, point)?];
        assert!((p.distance - q.distance).abs() < 1e-12, "{p:?} {q:?}");
        assert!(length(sub(p.point, q.point)) < 1e-6 || p.distance < 0.0, "{p:?} {q:?}");
        // A body is full: only a sphere from outside is compared.
        let radius = between(random, 0.0, 0.5);
        let segment = [add(pose.translation(), random.point(4.0)), point];
        if locate(other, segment[0]) != Location::Outside {
            continue;
        }
        let [p, q] = [sphere_cast(one, segment, radius)?, sphere_cast(other, segment, radius)?];
        assert_eq!(p.is_some(), q.is_some(), "{segment:?} {radius}");
        if let (Some(p), Some(q)) = (p, q) {
            assert!((p.parameter - q.parameter).abs() < 1e-9, "{p:?} {q:?}");
            assert!(length(sub(p.center, q.center)) < 1e-9);
            cast += 1;
        }
    }
    assert!(met > 100 && cast > 50, "{met} {cast}");
    Ok(())
}

/// At the time of contact a sphere is as far away as its radius; before, it is farther. One that passes by stays farther.
#[test]
fn spheres_come_as_near_as_their_radius() -> Outcome {
    let random = &mut Random::new(3);
    let mut poses = Poses::new(14);
    for formula in formulas(1.0) {
        let name = formula.name();
        let model = Model::from_formula(formula);
        let mut counts = [0; 2];
        for round in 0..80 {
            let pose = poses.within(1.0).pose();
            let placed = Placed::new(&model, &pose)?;
            let radius = if round % 8 == 0 { 0.0 } else { between(random, 0.05, 0.5) };
            let from = add(pose.translation(), random.point(2.5));
            let to = add(pose.translation(), random.point(2.0));
            let hit = sphere_cast(placed, [from, to], radius)
                .map_err(|error| format!("{name} {error}: {pose:?} {from:?} {to:?} {radius}"))?;
            counts[usize::from(hit.is_some())] += 1;
            let clearance = |time: f64| -> Result<f64, QueryError> {
                let center = add(from, scale(sub(to, from), time));
                Ok(signed_distance(placed, center)?.distance - radius)
            };
            let until = hit.map_or(1.0, |hit| hit.parameter);
            for step in 0..8 {
                let time = until * f64::from(step) / 8.0;
                assert!(until == 0.0 || clearance(time)? > -1e-9, "{name} {hit:?} {time}");
            }
            if let Some(hit) = hit {
                let starts_in = clearance(0.0)? <= 0.0;
                assert_eq!(starts_in, hit.parameter == 0.0, "{name} {hit:?}");
                assert!(starts_in || clearance(hit.parameter)?.abs() < 1e-7, "{name} {hit:?}");
                let reach = length(sub(hit.point, hit.center));
                assert!(reach < radius + 1e-7, "{name} {hit:?}");
            }
        }
        assert!(counts.iter().all(|&count| count > 5), "{name} {counts:?}");
    }
    // Rounding hides whether a sphere that glides past touches.
    let can = Model::from_formula(Formula::Cylinder(Cylinder::new(1.0, 1.0)?));
    let placed = Placed::new(&can, &Pose::IDENTITY)?;
    let gliding = |x: f64| sphere_cast(placed, [[x, -3.0, 0.0], [x, 3.0, 0.0]], 0.5);
    assert_eq!(gliding(1.5), Err(QueryError::Undecided(Reason::TooClose)));
    assert!(gliding(1.5 + 1e-7)?.is_none() && gliding(1.5 - 1e-7)?.is_some());
    assert_eq!(
        sphere_cast(placed, [[9.0, 0.0, 0.0], [0.0; 3]], 1e70),
        Err(QueryError::Scale { side: "second" })
    );
    Ok(())
}

/// Outside within the interval of the distance; inside along the normal, and no surface is nearer.
#[test]
fn nearest_points_are_nearest() -> Outcome {
    let random = &mut Random::new(40);
    let mut poses = Poses::new(41);
    for formula in formulas(1.0) {
        let name = formula.name();
        let model = Model::from_formula(formula);
        let tiny = Model::from_formula(Formula::Ball(Ball::new(1e-9)?));
        let mut inside = 0;
        for _ in 0..120 {
            let pose = poses.within(1.0).pose();
            let placed = Placed::new(&model, &pose)?;
            let point = add(pose.translation(), random.point(0.9));
            let found = signed_distance(placed, point)?;
            let unsigned = nearest_point(placed, point)?;
            assert_eq!((unsigned.distance, unsigned.point), (found.distance.abs(), found.point));
            assert!((length(sub(found.point, point)) - unsigned.distance).abs() < 1e-12);
            let on = signed_distance(placed, found.point)?.distance;
            assert!(on.abs() < 1e-9, "{name} {found:?} {on}");
            if found.distance > 1e-6 {
                let at = Pose::from_translation(point);
                let apart = formula::distance(placed, Placed::new(&tiny, &at)?, Semantics::Solid)?;
                let far = found.distance - 1e-9;
                assert!(
                    apart.at_least <= far + 1e-9 && far <= apart.at_most + 1e-9,
                    "{name} {apart:?} {far}"
                );
            } else if found.distance < 0.0 {
                inside += 1;
                // The ball about the point that touches the surface is in the body.
                for _ in 0..20 {
                    let Some(direction) = unit(random.point(1.0)) else { continue };
                    let probe = add(point, scale(direction, -found.distance * (1.0 - 1e-6)));
                    assert_eq!(locate(placed, probe), Location::Inside, "{name} {found:?}");
                }
            }
        }
        assert!(inside > 5, "{name} {inside}");
    }
    Ok(())
}
