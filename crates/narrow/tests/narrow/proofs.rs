//! Verifiers: what holds passes (every other test checks that); what does not is refused.

#![allow(clippy::unwrap_used)]

use crate::support;

use support::cuboid;
use xcollide_convex::Plane;
use xcollide_narrow::classic::Arbitrary;
use xcollide_narrow::{
    Feature, Model, NarrowPhase, PairCache, Placed, Pose, ProofError, Query, Semantics, Separation,
    Verdict, Witness,
};

fn boxes(gap: f64) -> (Model, Model) {
    (
        Model::from_mesh(cuboid([0.0; 3], [1.0; 3])).unwrap(),
        Model::from_mesh(cuboid([1.0 + gap, 0.0, 0.0], [2.0 + gap, 1.0, 1.0])).unwrap(),
    )
}

fn placed(model: &Model) -> Placed<'_> {
    Placed::new(model, &Pose::IDENTITY).unwrap()
}

#[test]
fn a_witness_of_bodies_that_are_apart_is_refused() {
    let ((touching_a, touching_b), (_, apart)) = (boxes(0.0), boxes(0.5));
    let (a, b) = (placed(&touching_a), placed(&touching_b));
    let verdict = Arbitrary::default().test(a, b, &Query::new(), &mut PairCache::new());
    let Verdict::Collides(witness) = verdict else { panic!("{verdict:?}") };
    assert_eq!(witness.verify(a, b, Semantics::Solid), Ok(()));
    assert_eq!(witness.swapped().verify(b, a, Semantics::Solid), Ok(()));
    assert_eq!(
        witness.verify(a, placed(&apart), Semantics::Solid),
        Err(ProofError::FeaturesDisjoint)
    );
    for point in [[1.0, 0.5, 1.5], [1.0 + 1e-9, 0.5, 0.5], [f64::NAN; 3]] {
        let moved = Witness { point, ..witness };
        assert!(matches!(moved.verify(a, b, Semantics::Solid), Err(ProofError::PointOff { .. })));
    }
}

#[test]
fn a_witness_that_names_what_is_not_there_is_refused() {
    let (a, b) = boxes(0.0);
    let (a, b) = (placed(&a), placed(&b));
    let on_b = Feature::Face(0.into());
    for feature in [
        Feature::Face(6.into()),
        Feature::Vertex(8.into()),
        Feature::Edge { face: 0.into(), ends: [0.into(), 7.into()] },
        Feature::Edge { face: 9.into(), ends: [0.into(), 1.into()] },
    ] {
        let witness = Witness { a: feature, b: on_b, point: [1.0; 3] };
        assert!(
            matches!(
                witness.verify(a, b, Semantics::Solid),
                Err(ProofError::UnknownElement { .. })
            ),
            "{feature:?}"
        );
    }
    // Two bodies are proved to meet by a point in both, and by nothing else.
    let bodies = |point| Witness { a: Feature::Body, b: Feature::Body, point };
    assert_eq!(bodies([1.0; 3]).verify(a, b, Semantics::Solid), Ok(()));
    assert_eq!(bodies([1.0; 3]).verify(a, b, Semantics::Surface), Err(ProofError::NoBody));
    for point in [[1.0, 1.0, 1.0_f64.next_down() - 10.0], [f64::NAN; 3], [50.0; 3]] {
        assert!(matches!(
            bodies(point).verify(a, b, Semantics::Solid),
            Err(ProofError::PointOff { .. })
        ));
    }
}

#[test]
fn containment_is_checked_against_the_body() {
    let outer = Model::from_mesh(cuboid([-5.0; 3], [5.0; 3])).unwrap();
    let inner = Model::from_mesh(cuboid([-1.0; 3], [1.0; 3])).unwrap();
    let (a, b) = (placed(&outer), placed(&inner));
    let claim = Witness { a: Feature::Body, b: Feature::Vertex(3.into()), point: [1.0, 1.0, -1.0] };
    assert_eq!(claim.verify(a, b, Semantics::Solid), Ok(()));
    assert_eq!(claim.verify(a, b, Semantics::Surface), Err(ProofError::NoBody));
    assert_eq!(
        claim.swapped().verify(a, b, Semantics::Solid),
        Err(ProofError::PointOff { point: [1.0, 1.0, -1.0] })
    );
    let pose_away = Pose::from_translation([9.0, 0.0, 0.0]);
    let away = Placed::new(&inner, &pose_away).unwrap();
    let elsewhere = Witness { point: [10.0, 1.0, -1.0], ..claim };
    assert_eq!(
        elsewhere.verify(a, away, Semantics::Solid),
        Err(ProofError::NotInside { vertex: 3.into() })
    );
}

#[test]
fn planes_must_part_strictly() {
    let (a, b) = boxes(0.5);
    let (a, b) = (placed(&a), placed(&b));
    let plane = |offset| Separation::Plane(Plane { normal: [1.0, 0.0, 0.0], offset });
    for offset in [1.0, 1.25, 1.5] {
        assert_eq!(plane(offset).verify(a, b, Semantics::Solid), Ok(()));
    }
    assert!(matches!(
        plane(0.75).verify(a, b, Semantics::Solid),
        Err(ProofError::WrongSide { side: "first", .. })
    ));
    assert!(matches!(
        plane(1.75).verify(a, b, Semantics::Solid),
        Err(ProofError::WrongSide { side: "second", .. })
    ));
    let (_, touching) = boxes(0.0);
    assert!(matches!(
        plane(1.0).verify(a, placed(&touching), Semantics::Solid),
        Err(ProofError::BothTouch { .. })
    ));
}

#[test]
fn fronts_and_pairwise_claims_are_refused_where_surfaces_meet_or_bodies_nest() {
    let ring = support::shape("shape:torus?faces=200");
    let ball = Model::from_mesh(cuboid([-0.01; 3], [0.01; 3])).unwrap();
    let (a, b) = (placed(&ring), placed(&ball));
    let query = Query::new().certify(true);
    let verdict = Arbitrary::default().test(a, b, &query, &mut PairCache::new());
    let Verdict::Apart(front @ Separation::Front(_)) = verdict else { panic!("{verdict:?}") };
    assert_eq!(front.verify(a, b, Semantics::Solid), Ok(()));
    // The same proof for another placement or another model proves nothing.
    let shape_box = ring.local_box();
    let pose_moved = Pose::from_translation([shape_box.max[0], 0.0, 0.0]);
    let moved = Placed::new(&ball, &pose_moved).unwrap();
    assert!(front.verify(a, moved, Semantics::Solid).is_err());
    assert!(front.verify(b, a, Semantics::Solid).is_err());
    assert!(matches!(
        Separation::Pairwise.verify(a, moved, Semantics::Surface),
        Err(ProofError::FacesMeet { .. })
    ));
    let around = Model::from_mesh(cuboid([-9.0; 3], [9.0; 3])).unwrap();
    assert_eq!(Separation::Pairwise.verify(b, placed(&around), Semantics::Surface), Ok(()));
    assert!(matches!(
        Separation::Pairwise.verify(b, placed(&around), Semantics::Solid),
        Err(ProofError::Nested { side: "first", .. })
    ));
}
