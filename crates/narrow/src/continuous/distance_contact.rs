//! When two moving models first touch, at least one of them given by a formula or deforming: by conservative
//! [advancement](super::advancement) of the whole models. A formula has no triangles to bound one by one, and those of a
//! body that deforms are in the boxes of a hierarchy at one time only.

use super::advancement::{Advanced, Advancement, are_bounded};
use super::{MotionSeparation, MotionVerdict, Moving};
use crate::combine::Auto;
use crate::formula::{Formulas, any_formula};
use crate::{NarrowPhase, PairCache, Placed, Query, QueryError, Reason, Verdict};

/// As [`time_of_contact`](super::time_of_contact).
///
/// # Errors
/// A pose of a path cannot place its model.
pub(super) fn time_of_contact(
    a: Moving<'_>,
    b: Moving<'_>,
    width: f64,
    query: &Query,
) -> Result<MotionVerdict, QueryError> {
    if !are_bounded([&a, &b]) {
        return Ok(MotionVerdict::Undecided { reason: Reason::NotAccepted, apart: None });
    }
    let mut cache = PairCache::new();
    let auto = Auto::new();
    let mut verdict = |a: Placed<'_>, b: Placed<'_>| match any_formula(a, b) {
        true => Formulas.test(a, b, query, &mut cache),
        false => auto.test(a, b, query, &mut cache),
    };
    let [of_a, of_b] = [a.at(0.0), b.at(0.0)];
    let start = match verdict(of_a.placed()?, of_b.placed()?) {
        Verdict::Collides(witness) => {
            return Ok(MotionVerdict::Collides { at_most: 0.0, witness, apart: None });
        }
        Verdict::Undecided(reason) => {
            return Ok(MotionVerdict::Undecided { reason, apart: None });
        }
        Verdict::Apart(separation) => separation,
    };
    let touch = |a: Placed<'_>, b: Placed<'_>| match verdict(a, b) {
        Verdict::Collides(witness) => Some(witness),
        Verdict::Apart(_) | Verdict::Undecided(_) => None,
    };
    let advanced = Advancement::new(a, b, 0.0, query.semantics, touch).run(width, query)?;
    let apart = |clearance| MotionSeparation::by_clearance(start, clearance);
    Ok(match advanced {
        Advanced::Found { time, what, farther } => {
            MotionVerdict::Collides { at_most: time, witness: what, apart: Some(apart(farther)) }
        }
        Advanced::Farther(farther) => MotionVerdict::Apart(apart(farther)),
        Advanced::Stopped { reason, farther } => {
            MotionVerdict::Undecided { reason, apart: Some(apart(farther)) }
        }
    })
}
