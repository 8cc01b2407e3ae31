//! The verdict if no two faces meet: whether one body contains the other and, if not, the proof of
//! separation, within the query's time.

use crate::point_in_polyhedron::{RayScratch, Rays, prepared_rays};
use crate::proof::nested::nested_by;
use crate::query::{Deadline, OutOfTime};
use crate::{Placed, Query, Reason, Semantics, Separation, Verdict};

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
        Err(late) => Verdict::from(late),
    }
}

impl From<OutOfTime> for Verdict {
    fn from(_: OutOfTime) -> Self {
        Self::Undecided(Reason::OutOfTime)
    }
}

#[cfg(all(test, feature = "classic"))]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::classic::{Arbitrary, EdgeFaceTrees, PatchTrees};
    use crate::compound::Compound;
    use crate::mesh::{BinaryTrees, BruteForce, BvhPair, Wide};
    use crate::{Certificate, Model, NarrowPhase, PairCache, Pose};
    use xcollide_bounds::Obb;
    use xcollide_bvh::classic::box_tree::BoxTree;

    const OUT_OF_TIME: Verdict = Verdict::Undecided(Reason::OutOfTime);

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
                    assert_eq!(
                        conclude(a, b, &query, &mut late()),
                        OUT_OF_TIME,
                        "{faces}, {prepared}"
                    );
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

    /// Whatever the budget, the verdict is that of a query without one, or undecided; with all the time
    /// it is not.
    #[test]
    fn a_budget_never_changes_an_answer() {
        let [outer, inner] = [2.0, 1.0].map(|r| model(&format!("sphere?faces=300&radius={r}")));
        let algorithms: [&dyn NarrowPhase; 8] = [
            &BruteForce,
            &Arbitrary::default(),
            &Wide::new(),
            &BinaryTrees::<Obb>::new(),
            &BvhPair::<BoxTree>::new(),
            &EdgeFaceTrees::default(),
            &PatchTrees::new(),
            &Compound,
        ];
        for algorithm in algorithms {
            for semantics in [Semantics::Solid, Semantics::Surface] {
                let (a, b) = (here(&outer), here(&inner));
                let query = Query::new().semantics(semantics).certify(true);
                let ask = |query: Query| algorithm.test(a, b, &query, &mut PairCache::new());
                let answer = ask(query);
                assert_eq!(answer.decided(), Some(semantics == Semantics::Solid));
                for microseconds in [0, 1, 10, 100, 1000] {
                    let hurried = ask(query.budget(Duration::from_micros(microseconds)));
                    // The proof alone may be late.
                    let unproved = Verdict::Apart(Separation::Pairwise);
                    let known = hurried == answer || answer.is_apart() && hurried == unproved;
                    let late = matches!(&hurried, Verdict::Undecided(why) if why.is_out_of_time());
                    assert!(known || late, "{}: {hurried:?}", algorithm.name());
                    assert!(microseconds > 0 || hurried == OUT_OF_TIME, "{}", algorithm.name());
                }
                assert_eq!(ask(query.budget(Duration::from_secs(3600))), answer);
            }
        }
    }
}
