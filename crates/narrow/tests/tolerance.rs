//! Tolerances are compared exactly.

#![allow(clippy::unwrap_used)]

mod support;

use support::cuboid;
use xcollide_narrow::{Model, Placed, Pose, Semantics, proximity};

#[test]
fn a_gap_of_a_half_is_within_a_half_and_nothing_less() {
    let a = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([1.5, 0.0, 0.0], [2.0, 1.0, 1.0])).unwrap();
    let identity = Pose::identity();
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let within = |tolerance| proximity::within(a, b, tolerance, Semantics::Solid).is_some();
    assert!(within(0.5) && within(1.0) && within(f64::INFINITY));
    assert!(!within(0.5_f64.next_down()) && !within(0.0) && !within(-1.0) && !within(f64::NAN));
    assert_eq!(proximity::distance(a, b, Semantics::Solid).unwrap().value, 0.5);
}

#[test]
fn an_irrational_distance_lies_between_its_two_neighbours() {
    // Corner to corner along a diagonal: √3 / 2, which no f64 equals.
    let a = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([1.5; 3], [2.0; 3])).unwrap();
    let identity = Pose::identity();
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let rounded = 0.75_f64.sqrt();
    let within = |tolerance| proximity::within(a, b, tolerance, Semantics::Solid).is_some();
    assert!(within(rounded.next_up()) && !within(rounded.next_down()));
    let value = proximity::distance(a, b, Semantics::Solid).unwrap().value;
    assert!((value - rounded).abs() <= 2.0 * f64::EPSILON, "{value}");
}

#[test]
fn a_body_inside_another_is_at_distance_0_as_a_solid() {
    let a = Model::from_mesh(cuboid([-5.0; 3], [5.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let identity = Pose::identity();
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let solid = proximity::distance(a, b, Semantics::Solid).unwrap();
    assert_eq!((solid.value, solid.faces), (0.0, None));
    assert_eq!(proximity::distance(a, b, Semantics::Surface).unwrap().value, 4.0);
    assert!(proximity::within(a, b, 0.0, Semantics::Solid).is_some());
    assert!(proximity::within(a, b, 3.9, Semantics::Surface).is_none());
}
