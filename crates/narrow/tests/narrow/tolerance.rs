//! Tolerances are compared exactly.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::{Random, cuboid};
use xcollide_brep::FaceId;
use xcollide_narrow::proximity::{self, Nearness, within};
use xcollide_narrow::{Model, Placed, Pose, ProofError, Semantics};

#[test]
fn a_gap_of_a_half_is_within_a_half_and_nothing_less() {
    let a = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([1.5, 0.0, 0.0], [2.0, 1.0, 1.0])).unwrap();
    let identity = Pose::IDENTITY;
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let near = |tolerance| within(a, b, tolerance, Semantics::Solid).is_some();
    assert!(near(0.5) && near(1.0) && near(f64::INFINITY));
    assert!(!near(0.5_f64.next_down()) && !near(0.0) && !near(-1.0) && !near(f64::NAN));
    assert_eq!(proximity::distance(a, b, Semantics::Solid).unwrap().value, 0.5);
}

/// The obvious twin: whether they are near, then the distance.
#[test]
fn a_distance_within_a_tolerance_is_that_of_both_searches() {
    let shapes = [
        "torus?faces=60&radius=1&tube=0.25",
        "box",
        "cylinder?faces=20&radius=0.5",
        "mobius?faces=20",
    ];
    let models: Vec<Model> = shapes
        .iter()
        .map(|spec| Model::from_mesh(xcollide_scenes::shape(spec).unwrap()).unwrap())
        .collect();
    let mut random = Random::new(11);
    let mut counts = [0, 0];
    for _ in 0..400 {
        let [a, b] = [(); 2].map(|()| &models[random.below(models.len())]);
        // Whole numbers, so that many distances are equal or just the tolerance.
        let way = [(); 3].map(|()| 0.5 * random.integer(-4, 4) as f64);
        let turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let pose = Pose::from_matrix(turn, way).unwrap();
        let (a, b) = (Placed::new(a, &Pose::IDENTITY).unwrap(), Placed::new(b, &pose).unwrap());
        for semantics in [Semantics::Solid, Semantics::Surface] {
            let whole = proximity::distance(a, b, semantics).unwrap();
            let value = whole.value;
            for tolerance in
                [value.next_down(), value, value.next_up(), 0.0, 0.5, 2.0, f64::INFINITY, f64::NAN]
            {
                let found = proximity::distance_within(a, b, tolerance, semantics);
                let near = within(a, b, tolerance, semantics);
                assert_eq!(found, near.map(|_| whole), "{tolerance} {way:?}");
                counts[usize::from(found.is_some())] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn an_irrational_distance_lies_between_its_two_neighbours() {
    // Corner to corner along a diagonal: √3 / 2, which no f64 equals.
    let a = Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([1.5; 3], [2.0; 3])).unwrap();
    let identity = Pose::IDENTITY;
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let rounded = 0.75_f64.sqrt();
    let near = |tolerance| within(a, b, tolerance, Semantics::Solid).is_some();
    assert!(near(rounded.next_up()) && !near(rounded.next_down()));
    let value = proximity::distance(a, b, Semantics::Solid).unwrap().value;
    assert!((value - rounded).abs() <= 2.0 * f64::EPSILON, "{value}");
}

#[test]
fn a_body_inside_another_is_at_distance_0_as_a_solid() {
    let a = Model::from_mesh(cuboid([-5.0; 3], [5.0; 3])).unwrap();
    let b = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let identity = Pose::IDENTITY;
    let [a, b] = [&a, &b].map(|m| Placed::new(m, &identity).unwrap());
    let solid = proximity::distance(a, b, Semantics::Solid).unwrap();
    assert_eq!((solid.value, solid.faces), (0.0, None));
    assert_eq!(proximity::distance(a, b, Semantics::Surface).unwrap().value, 4.0);
    assert!(within(a, b, 0.0, Semantics::Solid).is_some());
    assert!(within(a, b, 3.9, Semantics::Surface).is_none());
}

/// The faces named are the proof: a smaller tolerance, another face or a point off is refused.
#[test]
fn being_near_can_be_checked() {
    let cube = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let a = Placed::new(&cube, &Pose::IDENTITY).unwrap();
    let pose_b = Pose::from_translation([2.5, 0.25, 0.0]);
    let b = Placed::new(&cube, &pose_b).unwrap();
    let near = within(a, b, 0.5, Semantics::Solid).unwrap();
    near.verify(a, b, 0.5, Semantics::Solid).unwrap();
    let refused = |near: Nearness, tolerance: f64| near.verify(a, b, tolerance, Semantics::Solid);
    assert!(matches!(refused(near, 0.5_f64.next_down()), Err(ProofError::TooFar { .. })));
    let far_sides = Some([4, 5].map(FaceId));
    assert!(refused(Nearness { faces: far_sides, ..near }, 0.5).is_err());
    assert!(refused(Nearness { faces: None, ..near }, 0.5).is_err());
    let off = Nearness { points: [near.points[1], near.points[0]], ..near };
    assert!(matches!(refused(off, 0.5), Err(ProofError::PointOff { .. })));

    let small = Model::from_mesh(cuboid([-0.5; 3], [0.5; 3])).unwrap();
    let inside = Placed::new(&small, &Pose::IDENTITY).unwrap();
    let nested = within(a, inside, 0.25, Semantics::Solid).unwrap();
    assert_eq!(nested.faces, None);
    nested.verify(a, inside, 0.25, Semantics::Solid).unwrap();
    assert_eq!(nested.verify(a, inside, 0.25, Semantics::Surface), Err(ProofError::NoBody));
    assert!(nested.verify(a, b, 0.25, Semantics::Solid).is_err());
}
