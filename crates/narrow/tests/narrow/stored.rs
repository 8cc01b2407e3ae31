//! Queries, answers and proofs go through serde and come back the same; proofs still hold.
#![cfg(feature = "serde")]

use std::time::Duration;

use xcollide_brep::PolygonMesh;
use xcollide_convex::{Bias, Body, Pair};
use xcollide_fixtures::{assert_comes_back, tetrahedron};
use xcollide_narrow::classic::ClosestFeatures;
use xcollide_narrow::combine::Thresholds;
use xcollide_narrow::compound::DecompositionOptions;
use xcollide_narrow::convex::{MinkowskiSimplex, polytope_of};
use xcollide_narrow::mesh::{TreeBuilder, Wide};
use xcollide_narrow::point_in_polyhedron::Location;
use xcollide_narrow::{
    Certificate, Feature, Grain, Guarantee, Model, NarrowPhase, PairCache, Placed, Pose, Query,
    Reason, Semantics, Separation, Verdict, check, closest_points, contacts, overlap_volume,
    penetration, ray_cast,
};

use crate::support::shape;

type Outcome = Result<(), Box<dyn std::error::Error>>;

#[test]
fn answers_come_back_as_they_were_and_their_proofs_hold() -> Outcome {
    let (torus, body) = (shape("torus?faces=200"), shape("polytope?vertices=30&seed=2"));
    // In the hole of the torus no plane separates it.
    let (corners, faces) = tetrahedron();
    let corners = corners.map(|corner| corner.map(|x| 0.1 * x)).to_vec();
    let small = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
    let (mut meets, mut planes, mut fronts) = (0, 0, 0);
    for (x, y) in [(0.0, 0.0), (0.9, 0.1), (1.3, 0.2), (1.7, 0.4), (9.0, 0.3)] {
        for other in [&torus, &body, &small] {
            let pose = Pose::from_axis_angle([1.0, 0.3, 0.1], x, [x, y, 0.1])?;
            let (a, b) = (Placed::new(&torus, &Pose::IDENTITY)?, Placed::new(other, &pose)?);
            match assert_comes_back(&check(a, b)?) {
                Verdict::Collides(witness) => {
                    witness.verify(a, b, Semantics::Solid)?;
                    meets += 1;
                }
                Verdict::Apart(separation) => {
                    separation.verify(a, b, Semantics::Solid)?;
                    match separation {
                        Separation::Plane(_) => planes += 1,
                        _ => fronts += 1,
                    }
                }
                Verdict::Undecided(reason) => return Err(format!("{reason:?}").into()),
            }
            for contact in &assert_comes_back(&contacts(a, b)?) {
                contact.verify(a, b)?;
            }
            assert_comes_back(&closest_points(a, b)?);
            assert_comes_back(&penetration(a, b)?);
            assert_comes_back(&overlap_volume(a, b)?);
            assert_comes_back(&ray_cast(a, [-9.0, 0.1, 0.2], [1.0, 0.01, 0.0], 1e3)?);
            let (mut cache, query) = (PairCache::new(), Query::new().stats(true));
            let listing = Wide::new().contacts(a, b, &query, 8, &mut cache, &mut Vec::new());
            let _ = assert_comes_back(&listing);
            assert_comes_back(&cache.stats());
            if let Some(proof) = MinkowskiSimplex::find(a, b) {
                assert_comes_back(&proof).verify(a, b)?;
            }
        }
    }
    assert!(meets > 1 && planes > 1 && fronts > 0, "{meets} {planes} {fronts}");
    Ok(())
}

#[test]
fn settings_and_words_come_back_as_they_were() {
    let query = Query::new().semantics(Semantics::Surface).certificate(Certificate::Plane);
    let query = query.stats(true).budget(Duration::from_nanos(1_234_567_891)).grain(Grain::Fine);
    assert_eq!(assert_comes_back(&query), query);
    assert_comes_back(&[Guarantee::Exact, Guarantee::Misses, Guarantee::FalseHits].to_vec());
    assert_comes_back(&[Location::Inside, Location::Outside, Location::OnSurface].to_vec());
    for reason in [Reason::Biased(Bias::Collides), Reason::OutOfTime, Reason::NotAccepted] {
        let _ = assert_comes_back(&Verdict::Undecided(reason));
    }
    let edge = Feature::Edge { face: 1.into(), ends: [0.into(), 2.into()] };
    assert_comes_back(&[edge, Feature::Vertex(7.into()), Feature::Body].to_vec());
    assert_comes_back(&Separation::Pairwise);
    assert_comes_back(&Thresholds::default());
    assert_comes_back(&DecompositionOptions::default());
    for builder in [
        TreeBuilder::Binary(xcollide_bvh::binary::Builder::default()),
        TreeBuilder::Wide(xcollide_bvh::wide::WideOptions::fast()),
        TreeBuilder::Interval(xcollide_bvh::classic::interval_tree::IntervalSplit::Median),
    ] {
        assert_comes_back(&builder);
    }
}

#[test]
fn distances_by_features_come_back_as_they_were() -> Outcome {
    let (body, pose) =
        (shape("polytope?vertices=30&seed=2"), Pose::from_translation([3.0, 0.1, 0.2]));
    let hull = polytope_of(&body);
    let mut pair = Pair::new(Body::new(&hull, &Pose::IDENTITY), Body::new(&hull, &pose));
    assert_comes_back(&ClosestFeatures::between(&mut pair, None));
    Ok(())
}
