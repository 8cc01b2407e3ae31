//! Depths: bounds against the hull of all differences, and against the exact verdict about bodies
//! that are moved.

use nalgebra::{Isometry3, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;
use xcollide_brep::ConvexHull;
use xcollide_convex::Penetration;
use xcollide_narrow::convex::{Hybrid, polytope_of};
use xcollide_narrow::mesh::Wide;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, QueryError};

use super::gaps::{convex_shapes, hull, touching_pairs};
use crate::support::{Random, cuboid, random_pose, shape};
use xcollide_fixtures::long_run;

fn placed<'a>(model: &'a Model, pose: &'a Pose) -> Placed<'a> {
    Placed::new(model, pose).unwrap()
}

fn collides(a: Placed<'_>, b: Placed<'_>) -> bool {
    Wide::new().test(a, b, &Query::new(), &mut PairCache::new()).is_collision()
}

fn moved(pose: &Pose, by: [f64; 3], factor: f64) -> Pose {
    let t = Vector3::from(pose.translation()) + Vector3::from(by) * factor;
    pose.with_translation(t.into())
}

/// Asks, and checks all that a depth promises; `None` where the exact verdict is that they are
/// apart.
fn checked(models: [&Model; 2], poses: [&Pose; 2], random: &mut Random) -> Option<Penetration> {
    let [a, b] = [0, 1].map(|i| placed(models[i], poses[i]));
    let mut cache = PairCache::new();
    let found = Hybrid::penetration(a, b, &mut cache).unwrap();
    assert_eq!(found.is_some(), collides(a, b));
    let found = found?;
    let Penetration { direction, at_least, at_most, .. } = found;
    assert!(at_most.is_finite() && 0.0 <= at_least && at_least <= at_most, "{found:?}");
    assert!((Vector3::from(direction).norm() - 1.0).abs() < 1e-14, "{found:?}");
    let after =
        |by: [f64; 3], length: f64| collides(placed(models[0], &moved(poses[0], by, length)), b);
    assert!(!after(direction, at_most), "{found:?} not apart");
    if at_least > 0.0 {
        let less = at_least * (1.0 - 1e-15);
        assert!(after(direction, less), "{found:?} apart already");
        for _ in 0..8 {
            let by = Vector3::from([(); 3].map(|()| random.signed())).normalize();
            assert!(after(by.into(), less * (1.0 - 1e-15)), "{found:?} apart along {by}");
        }
    }
    // With the memory of the first query, and in the other order.
    let again = Hybrid::penetration(a, b, &mut cache).unwrap().unwrap();
    let swapped = Hybrid::penetration(b, a, &mut cache).unwrap().unwrap();
    for other in [again, swapped] {
        assert!(other.at_least <= at_most && at_least <= other.at_most, "{found:?} {other:?}");
    }
    Some(found)
}

/// The squared distance of the origin from the border of the hull of all differences, as numerator
/// and denominator.
fn depth_squared(a: &[[i64; 3]], b: &[[i64; 3]]) -> (i64, i64) {
    let differences: Vec<[f64; 3]> = b
        .iter()
        .flat_map(|q| a.iter().map(move |p| [0, 1, 2].map(|k| (q[k] - p[k]) as f64)))
        .collect();
    let hull = ConvexHull::of(&differences).unwrap();
    if hull.dimension() < 3 {
        return (0, 1);
    }
    let corner = |v: usize| hull.mesh().positions()[v].map(|x| x as i64);
    let squares = hull.mesh().faces().map(|face| {
        let [p, q, r] = [0, 1, 2].map(|i| corner(face.outer()[i].index()));
        let (u, v) = ([0, 1, 2].map(|k| q[k] - p[k]), [0, 1, 2].map(|k| r[k] - p[k]));
        let n = [0, 1, 2].map(|k| {
            let (i, j) = ((k + 1) % 3, (k + 2) % 3);
            u[i] * v[j] - u[j] * v[i]
        });
        let height: i64 = (0..3).map(|k| n[k] * p[k]).sum();
        assert!(height >= 0, "the models are apart");
        (height * height, n.iter().map(|x| x * x).sum())
    });
    squares.min_by_key(|&(s, t)| (s as i128 * (1 << 60)) / t as i128).unwrap()
}

fn integer_hulls(rounds: usize, seed: u64) {
    let mut random = Random::new(seed);
    let (mut deep, mut touching) = (0, 0);
    for round in 0..rounds {
        let reach = [1, 2, 4, 9][round % 4];
        let points = |random: &mut Random, most: i64| -> Vec<[i64; 3]> {
            let count = random.integer(1, most);
            (0..count).map(|_| [(); 3].map(|()| random.integer(-reach, reach))).collect()
        };
        let (s, t) = (points(&mut random, 9), points(&mut random, 9));
        let float = |points: &[[i64; 3]]| -> Vec<[f64; 3]> {
            points.iter().map(|p| p.map(|x| x as f64)).collect()
        };
        let (a, b) = (hull(&float(&s)), hull(&float(&t)));
        let here = Pose::IDENTITY;
        let found =
            Hybrid::penetration(placed(&a, &here), placed(&b, &here), &mut PairCache::new())
                .unwrap();
        let Some(found) = found else { continue };
        let (numerator, denominator) = depth_squared(&s, &t);
        let depth = (numerator as f64 / denominator as f64).sqrt();
        assert!(found.at_least <= depth && depth <= found.at_most, "{depth} {found:?} {s:?} {t:?}");
        assert!(found.at_most <= depth + 1e-11, "{depth} {found:?} {s:?} {t:?}");
        let solid = [&a, &b].iter().any(|m| polytope_of(m).solidity().is_some());
        if depth > 0.0 && solid {
            deep += 1;
            // Of the thinnest bodies, with no room inside, most is not sure to be filled.
            assert!(found.at_least >= depth - 1e-7, "{depth} {found:?} {s:?} {t:?}");
            // The points are the depth apart.
            let [p, q] = found.points.map(Vector3::from);
            assert!(((q - p).norm() - depth).abs() < 1e-12 * reach as f64, "{depth} {found:?}");
        }
        touching += usize::from(depth == 0.0);
    }
    println!("{deep} deep, {touching} touching");
    assert!(deep > rounds / 5 && touching > rounds / 66, "{deep} deep, {touching} touching");
}

#[test]
fn bounds_enclose_the_depth_of_integer_hulls() {
    integer_hulls(4000, 71);
}

#[test]
fn bounds_enclose_the_depth_of_integer_hulls_soak() {
    let run = long_run(1000, 200_000);
    integer_hulls(run.cases as usize, 77 + run.seed);
}

fn moved_by_the_bounds(rounds: usize, seed: u64) {
    let models = convex_shapes();
    let mut random = Random::new(seed);
    let (mut hits, mut most_probes, mut widest) = (0, 0, 0.0_f64);
    for round in 0..rounds {
        let (i, j) = (round % models.len(), (round / 4) % models.len());
        let far = [0.5, 0.8, 50.0][round % 3];
        let mut poses = [random_pose(&mut random, far), random_pose(&mut random, 0.5)];
        if far > 1.0 {
            poses[1] = poses[1].with_translation(
                (Vector3::from(poses[1].translation()) + (Vector3::from(poses[0].translation())))
                    .into(),
            );
        }
        let found = checked([&models[i], &models[j]], poses.each_ref(), &mut random);
        let Some(found) = found else { continue };
        hits += 1;
        most_probes = most_probes.max(found.probes);
        // Far away vertices are rounded more.
        let size = if far > 1.0 { 100.0 } else { 1.0 };
        widest = widest.max((found.at_most - found.at_least) / size);
    }
    println!("{hits} hits, at most {most_probes} probes, bounds at most {widest:e} apart");
    assert!((rounds / 3..rounds).contains(&hits) && widest < 2e-11 && most_probes < 600);
}

#[test]
fn moving_by_the_bounds_parts_and_does_not_part() {
    moved_by_the_bounds(700, 72);
}

#[test]
fn moving_by_the_bounds_parts_and_does_not_part_soak() {
    let run = long_run(1000, 100_000);
    moved_by_the_bounds(run.cases as usize, 78 + run.seed);
}

#[test]
fn touching_and_flat_bodies_have_a_depth() {
    let mut random = Random::new(73);
    let mut hits = 0;
    for (name, a, b) in touching_pairs() {
        for depth in [0.0, 1e-300, 1e-16, 1e-12, 1e-6, 1e-3] {
            for turned in [false, true] {
                let mut here = Pose::IDENTITY;
                let mut there = Pose::from_translation([-depth, 0.0, 0.0]);
                if turned {
                    let turn = random_pose(&mut random, 0.0);
                    (here, there) = (turn * here, turn * there);
                }
                let Some(found) = checked([&a, &b], [&here, &there], &mut random) else {
                    assert!(turned || name.starts_with("point on p") || name.starts_with("plate"));
                    continue;
                };
                hits += 1;
                assert!(found.at_most < 1.01 * depth + 1e-11, "{name}: {found:?}");
            }
        }
    }
    assert!(hits > 100, "{hits}");
}

#[test]
fn bodies_in_each_other_have_a_depth() {
    let mut random = Random::new(74);
    let here = Pose::IDENTITY;
    for model in convex_shapes() {
        let found = checked([&model, &model], [&here, &here], &mut random).unwrap();
        assert!(found.at_least > 0.05 && found.at_least > 0.97 * found.at_most, "{found:?}");
        let point = hull(&[[0.01, 0.02, 0.03]]);
        let segment = hull(&[[0.01, 0.02, 0.03], [-0.02, 0.0, 0.01]]);
        let triangle = hull(&[[0.01, 0.02, 0.03], [-0.02, 0.0, 0.01], [0.0, -0.03, 0.01]]);
        for flat in [point, segment, triangle] {
            let found = checked([&flat, &model], [&here, &here], &mut random).unwrap();
            assert!(found.at_least > 1e-3 && found.at_most < 1.5, "{found:?}");
        }
    }
    let cube = Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap();
    let point = crate::support::model(vec![[0.25, 0.0, 0.0]], &[vec![0]]);
    let found = checked([&point, &cube], [&here, &here], &mut random).unwrap();
    assert!((found.at_least - 0.25).abs() < 1e-12 && found.direction == [1.0, 0.0, 0.0]);
    let polygon = crate::support::model(
        vec![[-2.0, -2.0, 0.25], [2.0, -2.0, 0.25], [2.0, 2.0, 0.25], [-2.0, 2.0, 0.25]],
        &[vec![0, 1, 2, 3]],
    );
    let found = checked([&polygon, &cube], [&here, &here], &mut random).unwrap();
    assert!((found.at_least - 0.25).abs() < 1e-12, "{found:?}");
}

#[test]
fn models_that_do_not_fill_their_hulls_have_an_upper_bound() {
    let mut random = Random::new(75);
    let mut hits = 0;
    let ball = shape("shape:sphere?faces=100");
    for spec in ["shape:torus", "shape:schoenhardt", "shape:soup?faces=12", "shape:mobius?faces=24"]
    {
        let model = shape(spec);
        for _ in 0..20 {
            let poses = [random_pose(&mut random, 0.5), random_pose(&mut random, 0.5)];
            if let Some(found) = checked([&model, &ball], poses.each_ref(), &mut random) {
                assert_eq!(found.at_least, 0.0);
                hits += 1;
            }
        }
    }
    assert!(hits > 30, "{hits}");
}

#[test]
fn without_bounds_on_rounding_there_are_none_on_depth() {
    for scale in [1e-70, 1e70] {
        let cube = Model::from_mesh(cuboid([-scale; 3], [scale; 3])).unwrap();
        let here = placed(&cube, &Pose::IDENTITY).model();
        let found = Hybrid::penetration(
            placed(here, &Pose::IDENTITY),
            placed(here, &Pose::IDENTITY),
            &mut PairCache::new(),
        );
        assert_eq!(found, Err(QueryError::Scale { side: "first" }));
    }
    for scale in [1e-50, 1e-20, 1e20, 1e50] {
        let cube = Model::from_mesh(cuboid([-scale; 3], [scale; 3])).unwrap();
        let pose = Pose::from_translation([1.5 * scale, 0.1 * scale, 0.0]);
        let found = checked([&cube, &cube], [&pose, &Pose::IDENTITY], &mut Random::new(1)).unwrap();
        assert!((found.at_most / scale - 0.5).abs() < 1e-12, "{found:?}");
    }
}

#[test]
fn parry_agrees_on_depths() {
    let models = convex_shapes();
    let hulls: Vec<ConvexPolyhedron> = models
        .iter()
        .map(|model| {
            let points: Vec<Vector> =
                model.mesh().positions().iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
            ConvexPolyhedron::from_convex_hull(&points).unwrap()
        })
        .collect();
    let mut random = Random::new(76);
    let (mut hits, mut off) = (0, 0);
    for round in 0..400 {
        let (i, j) = (round % models.len(), (round / 7) % models.len());
        let poses = [random_pose(&mut random, 0.7), random_pose(&mut random, 0.7)];
        let (a, b) = (placed(&models[i], &poses[0]), placed(&models[j], &poses[1]));
        let Some(found) = Hybrid::penetration(a, b, &mut PairCache::new()).unwrap() else {
            continue;
        };
        let [pa, pb] = poses.each_ref().map(|pose| {
            let isometry = Isometry3::from(*pose);
            let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
            ParryPose::from_parts(
                Vector::new(t.x, t.y, t.z),
                Rotation::from_xyzw(q.x, q.y, q.z, q.w),
            )
        });
        let theirs = query::contact(&pa, &hulls[i], &pb, &hulls[j], 0.0).unwrap();
        hits += 1;
        let normal = theirs.map_or([0.0; 3], |contact| contact.normal1.to_array());
        let theirs = theirs.map_or(0.0, |contact| -contact.dist);
        // It is a few thousandths off in places, nearly always to the larger side. A smaller depth than ours does not
        // part the bodies along its own normal.
        let is_smaller = theirs <= found.at_least - 1e-6;
        let way = if is_smaller { theirs * (1.0 + 1e-6) } else { theirs + 1e-3 };
        let aside = moved(&poses[1], normal, way);
        assert_eq!(collides(a, placed(&models[j], &aside)), is_smaller, "{theirs} {found:?}");
        off += usize::from((theirs - found.at_most).abs() > 1e-6);
    }
    println!("parry differs in {off} of {hits}");
    assert!(hits > 150 && off * 10 < hits, "{off} of {hits}");
}
