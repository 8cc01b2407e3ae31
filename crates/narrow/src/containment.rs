//! The verdict if no two faces meet: whether one body contains the other and, if not, the proof of
//! separation, within the query's time.

use crate::point_in_polyhedron::{RayScratch, Rays, prepared_rays};
use crate::proof::nested::nested_by;
use crate::query::Deadline;
use crate::{Placed, Query, Semantics, Separation, Verdict};

/// The verdict about two models whose surfaces have no point in common. Rays use any hierarchy that the
/// models keep.
pub(crate) fn conclude(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    time: &mut Deadline,
) -> Verdict {
    conclude_by(a, b, query, time, &mut RayScratch::default(), &mut prepared_rays)
}

/// The same for an algorithm with its own way to find triangles along rays.
pub(crate) fn conclude_by(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    time: &mut Deadline,
    scratch: &mut RayScratch,
    rays: &mut impl Rays,
) -> Verdict {
    let nested = match query.semantics {
        Semantics::Solid => nested_by(a, b, rays, scratch, time),
        Semantics::Surface => Ok(None),
    };
    match nested {
        Ok(Some(witness)) => Verdict::Collides(witness),
        Ok(None) => Verdict::Apart(Separation::found(a, b, query, time)),
        Err(left) => Verdict::Undecided(left.reason([a, b])),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::mesh::Wide;
    use crate::{Certificate, Feature, Model, NarrowPhase, PairCache, Pose, Reason};

    fn model(shape: &str) -> Model {
        Model::from_mesh(xcollide_scenes::shape(shape).unwrap()).unwrap()
    }

    fn at(x: f64) -> Pose {
        Pose::from_translation([x, x, 0.0])
    }

    fn here(model: &Model) -> Placed<'_> {
        Placed::new(model, &Pose::IDENTITY).unwrap()
    }

    /// The time is up before the search has ended.
    fn late() -> Deadline {
        let query = Query::new().budget(Duration::ZERO);
        Deadline::of(&query, &PairCache::new())
    }

    /// Checks an unfinished verdict about pieces; returns how many were left.
    fn pieces_left(verdict: &Verdict, a: Placed<'_>, b: Placed<'_>) -> u32 {
        let Verdict::Undecided(Reason::Unfinished { near, parts }) = *verdict else {
            panic!("{verdict:?}");
        };
        near.verify(a, b).unwrap();
        let [of_a, of_b] = near.features;
        assert!(matches!(
            [of_a, of_b],
            [Feature::Vertex(_), Feature::Body] | [Feature::Body, Feature::Vertex(_)]
        ));
        parts
    }

    /// A body in a body is found by a ray or by a pass over all triangles; both end in time, and what
    /// costs nothing is said even then.
    #[test]
    fn the_test_of_containment_ends_with_the_time() {
        for faces in [12, 4000] {
            let [outer, inner] =
                [2.0, 1.0].map(|r| model(&format!("sphere?faces={faces}&radius={r}")));
            let query = Query::new();
            for prepared in [false, true] {
                if prepared {
                    Wide::new().prepare(&outer).unwrap();
                }
                for [a, b] in [[&outer, &inner], [&inner, &outer]].map(|pair| pair.map(here)) {
                    assert!(conclude(a, b, &query, &mut Deadline::never()).is_collision());
                    let undecided = conclude(a, b, &query, &mut late());
                    assert_eq!(pieces_left(&undecided, a, b), 1, "{faces}, {prepared}");
                    let surfaces = query.semantics(Semantics::Surface);
                    assert!(conclude(a, b, &surfaces, &mut late()).is_apart());
                }
            }
            let far = at(9.0);
            let (a, far) = (here(&outer), Placed::new(&inner, &far).unwrap());
            assert!(matches!(
                conclude(a, far, &query, &mut late()),
                Verdict::Apart(Separation::Plane(_))
            ));
        }
    }

    /// Ten small boxes, the last of them in a body of many triangles: after some rays the time is over, and the pieces from which
    /// none was shot are left.
    #[test]
    fn pieces_that_no_ray_was_shot_from_are_left() {
        let hollow = xcollide_scenes::shape("shape:torus?faces=4000").unwrap();
        let torus = Model::from_mesh(hollow).unwrap();
        Wide::new().prepare(&torus).unwrap();
        // In the hole of the torus, and one in its tube.
        let corner = |i: u32, n: u32| {
            let x = if n == 9 { 1.0 } else { 0.02 * f64::from(n) };
            let bit = |k: u32| 0.01 * f64::from(i >> k & 1);
            [x + bit(0), bit(1), bit(2)]
        };
        let positions = (0..10).flat_map(|n| (0..8).map(move |i| corner(i, n))).collect();
        let faces =
            [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let all = (0..10_u32).flat_map(|n| faces.map(|face| face.map(|v: u32| v + 8 * n)));
        let boxes = xcollide_brep::PolygonMesh::from_polygons(positions, all.collect::<Vec<_>>());
        let boxes = Model::from_mesh(boxes.unwrap()).unwrap();
        for swapped in [false, true] {
            let (a, b) = if swapped { (&torus, &boxes) } else { (&boxes, &torus) };
            let (a, b) = (here(a), here(b));
            let (mut seen, mut ends) = (Vec::new(), 0);
            for steps in 0..200 {
                let mut shot = 0;
                let mut rays = |placed: Placed<'_>, ray: [[f64; 3]; 2], found: &mut Vec<u32>| {
                    shot += 1;
                    prepared_rays(placed, ray, found)
                };
                let (query, scratch) = (Query::new(), &mut RayScratch::default());
                let mut time = Deadline::after(steps);
                let verdict = conclude_by(a, b, &query, &mut time, scratch, &mut rays);
                if verdict.is_collision() {
                    ends += 1;
                    continue;
                }
                assert_eq!(pieces_left(&verdict, a, b), 10 - shot);
                seen.push(shot);
            }
            seen.dedup();
            assert!(seen == (0..10).collect::<Vec<_>>() && ends > 1, "{seen:?} {ends}");
        }
    }

    /// Spheres in a sphere have no plane between them, and beside it one that takes passes to find.
    #[test]
    fn the_making_of_certificates_ends_with_the_time() {
        let [outer, inner] = [2.0, 1.0].map(|r| model(&format!("sphere?faces=400&radius={r}")));
        let beside = at(2.2);
        let (a, within) = (here(&outer), here(&inner));
        let beside = Placed::new(&inner, &beside).unwrap();
        let surfaces = Query::new().semantics(Semantics::Surface);
        let wanted = |certificate| surfaces.certificate(certificate);
        let verdict =
            |b, certificate, time: &mut Deadline| conclude(a, b, &wanted(certificate), time);
        for (b, certificate) in [
            (within, Certificate::Plane),
            (within, Certificate::Full),
            (beside, Certificate::Plane),
            (beside, Certificate::Full),
        ] {
            // What is known is said, with the proof that takes no time to make.
            let apart = Verdict::Apart(Separation::Pairwise);
            assert_eq!(verdict(b, certificate, &mut late()), apart);
            let Verdict::Apart(proof) = verdict(b, certificate, &mut Deadline::never()) else {
                panic!("they are apart");
            };
            proof.verify(a, b, Semantics::Surface).unwrap();
        }
        let found = verdict(within, Certificate::Full, &mut Deadline::never());
        assert!(matches!(found, Verdict::Apart(Separation::Front(_))));
        let free = verdict(within, Certificate::Free, &mut late());
        assert_eq!(free, Verdict::Apart(Separation::Pairwise), "which takes no time");
    }
}
