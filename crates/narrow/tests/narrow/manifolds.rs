//! Contact manifolds of bodies whose contacts are known.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use crate::support;

use support::{Random, cuboid, shape};
use xcollide_narrow::{Manifold, Model, Placed, Pose, QueryError};

fn of(a: (&Model, &Pose), b: (&Model, &Pose), before: Option<&Manifold>) -> Option<Manifold> {
    let placed = |(model, pose)| Placed::new(model, pose).unwrap();
    Manifold::of(placed(a), placed(b), before).unwrap()
}

fn ids(manifold: &Manifold) -> BTreeSet<u32> {
    manifold.points.iter().map(|point| point.id).collect()
}

/// A box on a larger one, turned about the normal: its four corners, each as deep as the box.
#[test]
fn a_box_on_the_floor_has_its_four_corners() {
    let small = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let floor = Model::from_mesh(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])).unwrap();
    let mut before = None;
    let mut known = BTreeSet::new();
    for step in 0..12 {
        let (depth, x) = (0.01 + 0.001 * f64::from(step), 0.05 * f64::from(step));
        let pose = Pose::from_axis_angle([0.0, 0.0, 1.0], 0.1 * x, [x, 0.0, 1.0 - depth]).unwrap();
        let found = of((&small, &pose), (&floor, &Pose::IDENTITY), before.as_ref()).unwrap();
        assert!((found.normal[2] - 1.0).abs() < 1e-12, "{found:?}");
        assert_eq!(found.points.len(), 4, "{found:?}");
        for point in &found.points {
            assert!((point.depth - depth).abs() < 1e-9, "{found:?}");
            let local = pose.inverse().apply(point.point);
            assert!((local[0].abs() - 1.0).abs() < 1e-9 && (local[1].abs() - 1.0).abs() < 1e-9);
        }
        if step == 0 {
            known = ids(&found);
        }
        assert_eq!(known.len(), 4);
        assert_eq!(ids(&found), known, "it slid and turned a little");
        before = Some(found);
    }
    let away = Pose::from_translation([0.0, 0.0, 2.0]);
    assert_eq!(of((&small, &away), (&floor, &Pose::IDENTITY), before.as_ref()), None);
}

/// A tilted box stands on an edge: its ends are the deepest points, and no depth is more than the depth of the bodies.
#[test]
fn a_tilted_box_stands_on_its_edge() {
    let small = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let floor = Model::from_mesh(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])).unwrap();
    let angle: f64 = 0.2;
    let lowest = angle.cos() + angle.sin();
    let pose = Pose::from_axis_angle([0.0, 1.0, 0.0], angle, [0.0, 0.0, lowest - 0.03]).unwrap();
    let found = of((&small, &pose), (&floor, &Pose::IDENTITY), None).unwrap();
    assert!((2..=4).contains(&found.points.len()), "{found:?}");
    assert!((found.points[0].depth - 0.03).abs() < 1e-9, "{found:?}");
    assert!(found.points.iter().all(|point| (0.0..=0.03 + 1e-9).contains(&point.depth)));
    let spread = found.points.iter().map(|point| point.point[1]);
    assert!(spread.clone().fold(0.0, f64::max) > 0.9 && spread.fold(0.0, f64::min) < -0.9);
}

/// Any two bodies that overlap have one to four points near both, and the manifold of the same poses has the same ids.
#[test]
fn manifolds_of_any_bodies_are_near_both() {
    let models = [shape("torus?faces=200"), shape("box"), shape("sphere?faces=300")];
    let mut random = Random::new(5);
    let mut met = 0;
    for round in 0..60 {
        let (a, b) = (&models[round % 3], &models[round / 3 % 3]);
        let pose = support::random_pose(&mut random, 1.5);
        let Some(found) = of((a, &pose), (b, &Pose::IDENTITY), None) else { continue };
        met += 1;
        assert!((1..=4).contains(&found.points.len()), "{found:?}");
        assert_eq!(ids(&found).len(), found.points.len());
        let again = of((a, &pose), (b, &Pose::IDENTITY), Some(&found)).unwrap();
        assert_eq!(again.points, found.points);
    }
    assert!(met > 20, "{met}");
    let fan = [vec![0, 1, 2], vec![0, 2, 3]];
    let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let open = support::model(corners, &fan);
    let placed = |model| Placed::new(model, &Pose::IDENTITY).unwrap();
    let found = Manifold::of(placed(&open), placed(&models[1]), None);
    assert_eq!(found, Err(QueryError::NoBody { side: "first" }));
}

/// A pyramid that stood on its apex lies on its base elsewhere: none of the new points is the old one, and an apex that stays
/// the only point keeps its id wherever it goes.
#[test]
fn a_point_elsewhere_does_not_take_over_the_last_id() {
    let corners = vec![[0.0, 0.0, 0.0], [-1.0, -1.0, 1.0], [1.0, -1.0, 1.0], [0.0, 1.0, 1.0]];
    let faces = [vec![0, 2, 1], vec![0, 3, 2], vec![0, 1, 3], vec![1, 2, 3]];
    let pyramid = support::model(corners, &faces);
    let floor = Model::from_mesh(cuboid([-9.0, -9.0, -1.0], [9.0, 9.0, 0.0])).unwrap();
    let on_floor = |pose: &Pose, before: Option<&Manifold>| {
        of((&pyramid, pose), (&floor, &Pose::IDENTITY), before).unwrap()
    };
    let apex = on_floor(&Pose::IDENTITY, None);
    assert_eq!(apex.points.len(), 1, "{apex:?}");
    let elsewhere = on_floor(&Pose::from_translation([3.0, 2.0, 0.0]), Some(&apex));
    assert_eq!(ids(&elsewhere), ids(&apex));
    let turned = Pose::from_axis_angle([1.0, 0.0, 0.0], std::f64::consts::PI, [5.0, 0.0, 0.99]);
    let base = on_floor(&turned.unwrap(), Some(&apex));
    assert!(base.points.len() >= 3, "{base:?}");
    assert!(ids(&base).is_disjoint(&ids(&apex)), "{base:?}");
    assert_eq!(ids(&base).len(), base.points.len());
}
