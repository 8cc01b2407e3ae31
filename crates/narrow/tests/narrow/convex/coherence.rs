//! Pairs that move a little from query to query, as memories are made for, and pairs that jump.

use nalgebra::{Translation3, UnitQuaternion, Vector3};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::ConvexPolyhedron;
use xcollide_narrow::convex::{Hybrid, polytope_of};
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query, Semantics};

use super::gaps::{convex_shapes, thickness, touching_pairs};
use super::panel::{Panel, convex_algorithms};
use crate::support::{Random, checked, random_pose, shape};

#[test]
fn moving_pairs_agree_in_every_frame() {
    let models = convex_shapes();
    let mut random = Random::new(31);
    let mut panel = Panel::new(false);
    let mut hits = 0;
    for i in 0..models.len() {
        for speed in [0.02, 0.2] {
            let (a, b) = (&models[i], &models[(i * 5 + 3) % models.len()]);
            let mut pose = random_pose(&mut random, 2.0);
            let spin = Vector3::from(random_pose(&mut random, 1.0).translation()) * (5.0 * speed);
            for _ in 0..60 {
                // Back and forth through the first.
                let t = Vector3::from(pose.translation());
                let away = if t.norm() > 1.8 { -t } else { Vector3::new(-t.y, t.z, 1.1 * t.x) };
                pose = pose.with_translation((t + away.normalize() * speed).into());
                let turn = Pose::try_from(nalgebra::Isometry3::from_parts(
                    Translation3::identity(),
                    UnitQuaternion::new(spin),
                ))
                .unwrap();
                pose = (turn * pose).with_translation(pose.translation());
                let here = Placed::new(a, &Pose::IDENTITY).unwrap();
                hits += usize::from(panel.ask(here, Placed::new(b, &pose).unwrap()));
            }
        }
    }
    panel.report("moving");
    assert!((200..900).contains(&hits), "{hits} hits");
    // Half of the queries are about surfaces, where a hit of hulls is no answer.
    assert!(panel.fallback_rate("hybrid") < 0.55);
}

/// Flat models have no ellipsoids: their search goes on from the last direction by GJK.
#[test]
fn flat_models_in_motion_are_answered_right() {
    let [plate, block] = [shape("shape:plane?faces=8"), shape("shape:box")];
    let (mut cache, query) = (PairCache::new(), Query::new().stats(true));
    let (mut hits, mut proved) = (0, 0);
    for (one, other) in [(&plate, &block), (&block, &plate), (&plate, &plate)] {
        for frame in 0..200 {
            let t = 0.05 * f64::from(frame);
            // Around the first, nearer and farther.
            let way =
                [1.4 * t.cos(), 0.2, 1.4 * t.sin()].map(|x| x * (0.8 + 0.4 * (3.0 * t).sin()));
            let pose = Pose::from_axis_angle([1.0, 2.0, 3.0], 0.3 * t, way).unwrap();
            let here = Placed::new(one, &Pose::IDENTITY).unwrap();
            let there = Placed::new(other, &pose).unwrap();
            let verdict = Hybrid::default().test(here, there, &query, &mut cache);
            checked(&verdict, here, there, Semantics::Solid);
            proved += usize::from(verdict.is_apart() && cache.stats().fallbacks == 0);
            let truth = BruteForce.test(here, there, &query, &mut PairCache::new());
            assert_eq!(verdict.is_collision(), truth.is_collision(), "{pose:?}");
            hits += usize::from(truth.is_collision());
        }
    }
    assert!(hits > 100 && proved > 100, "{hits} hits, {proved} planes");
}

/// Random placements of bodies with interior are nearly always certified, by every algorithm: also
/// by vectors that are square to the last line met, where rounding decides whether they separate.
#[test]
fn fallbacks_are_rare() {
    let mut models = convex_shapes();
    models.push(shape("shape:polytope?vertices=20&kind=rod&seed=1"));
    models.push(shape("shape:polytope?vertices=20&seed=2"));
    let (mut hits, rounds) = (0, 4000);
    let algorithms = convex_algorithms();
    let mut fallbacks = vec![0; algorithms.len()];
    let mut random = Random::new(32);
    for round in 0..rounds {
        let (a, b) = (&models[round % models.len()], &models[(round / 3) % models.len()]);
        let poses = [random_pose(&mut random, 0.8), random_pose(&mut random, 0.8)];
        let (a, b) = (Placed::new(a, &poses[0]).unwrap(), Placed::new(b, &poses[1]).unwrap());
        for (algorithm, fallbacks) in algorithms.iter().zip(&mut fallbacks) {
            let mut cache = PairCache::new();
            let verdict = algorithm.test(a, b, &Query::new().stats(true), &mut cache);
            *fallbacks += cache.stats().fallbacks;
            hits += u64::from(verdict.is_collision());
        }
    }
    let names: Vec<&str> = algorithms.iter().map(NarrowPhase::name).collect();
    println!("{fallbacks:?} fallbacks by {names:?}, {hits} hits in {rounds} queries each");
    let hits = hits / algorithms.len() as u64;
    assert!(fallbacks.iter().all(|&count| count < 10) && (400..3600).contains(&hits));
}

/// Identical bodies in one place, and on a lattice: every simplex has the origin on its border.
#[test]
fn bodies_on_a_lattice_are_certified() {
    let models = convex_shapes();
    let mut fallbacks = 0;
    for model in &models {
        for (x, y, z) in [(0.0, 0.0, 0.0), (0.5, 0.0, 0.0), (0.25, 0.25, 0.0), (0.0, 0.0, 0.125)] {
            let here = Placed::new(model, &Pose::IDENTITY).unwrap();
            let pose = Pose::from_translation([x, y, z]);
            let there = Placed::new(model, &pose).unwrap();
            let mut panel = Panel::new(false);
            panel.ask(here, there);
            let mut cache = PairCache::new();
            let _ = Hybrid::default().test(here, there, &Query::new().stats(true), &mut cache);
            fallbacks += cache.stats().fallbacks;
        }
    }
    assert!(fallbacks <= 4, "{fallbacks} fallbacks");
}

/// `None` where parry finds a body too thin.
pub(crate) fn parry_hull(model: &Model) -> Option<ConvexPolyhedron> {
    let points: Vec<Vector> =
        model.mesh().positions().iter().map(|p| Vector::new(p[0], p[1], p[2])).collect();
    ConvexPolyhedron::from_convex_hull(&points)
}

pub(crate) fn parry_pose(pose: &Pose) -> ParryPose {
    let isometry = nalgebra::Isometry3::from(*pose);
    let (t, q) = (isometry.translation.vector, isometry.rotation.coords);
    ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

#[test]
fn parry_agrees_where_the_gap_is_clear() {
    let models = convex_shapes();
    let hulls: Vec<ConvexPolyhedron> =
        models.iter().map(|model| parry_hull(model).unwrap()).collect();
    let mut random = Random::new(33);
    let (mut hits, mut close) = (0, 0);
    for round in 0..3000 {
        let (i, j) = (round % models.len(), (round / 7) % models.len());
        let poses = [random_pose(&mut random, 0.9), random_pose(&mut random, 0.9)];
        let place = |k: usize, n: usize| Placed::new(&models[n], &poses[k]).unwrap();
        let (a, b) = (place(0, i), place(1, j));
        let ours = Hybrid::default().test(a, b, &Query::new(), &mut PairCache::new());
        let [pa, pb] = poses.each_ref().map(parry_pose);
        let theirs = query::intersection_test(&pa, &hulls[i], &pb, &hulls[j]).unwrap().intersecting;
        hits += usize::from(ours.is_collision());
        if ours.is_collision() != theirs {
            // Within a millionth of touching, by parry's own account.
            let depth = query::contact(&pa, &hulls[i], &pb, &hulls[j], 1e-3).unwrap();
            assert!(depth.is_some_and(|contact| contact.dist.abs() < 1e-6), "round {round}");
            close += 1;
        }
    }
    assert!((300..2700).contains(&hits) && close < 5, "{hits} hits, {close} close");
}

/// A second opinion on constructed gaps, down to where parry, which has tolerances, can have one.
#[test]
fn parry_agrees_at_constructed_gaps() {
    let bodies =
        |(_, a, b): &(&str, Model, Model)| [a, b].iter().all(|m| polytope_of(m).dimension() == 3);
    let mut asked = 0;
    for exponent in 3..=10 {
        let mut wrong = Vec::new();
        for (name, a, b) in touching_pairs().iter().filter(|pair| bodies(pair)) {
            let (Some(hull_a), Some(hull_b)) = (parry_hull(a), parry_hull(b)) else { continue };
            for gap in [10_f64.powi(-exponent), -10_f64.powi(-exponent)] {
                let pose = Pose::from_translation([gap, 0.0, 0.0]);
                let here = Placed::new(a, &Pose::IDENTITY).unwrap();
                let there = Placed::new(b, &pose).unwrap();
                let ours =
                    Hybrid::default().test(here, there, &Query::new(), &mut PairCache::new());
                assert_eq!(ours.is_collision(), gap <= 0.0 && gap >= -thickness(name));
                let moved = ParryPose::from_parts(Vector::new(gap, 0.0, 0.0), Rotation::IDENTITY);
                let theirs =
                    query::intersection_test(&ParryPose::IDENTITY, &hull_a, &moved, &hull_b)
                        .unwrap()
                        .intersecting;
                if ours.is_collision() != theirs {
                    wrong.push(*name);
                }
                asked += 1;
            }
        }
        println!("gaps of 1e-{exponent}: parry differs at {wrong:?}");
        assert!(exponent > 3 || wrong.is_empty(), "{wrong:?}");
    }
    assert!(asked > 100, "{asked}");
}
