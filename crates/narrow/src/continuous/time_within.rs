//! When two moving models first come within a distance, by [conservative advancement](super::advancement).

use xcollide_predicates::moving::TimeInterval;

use super::Moving;
use super::advancement::{Advanced, Advancement, MotionClearance, are_bounded};
use super::separation::broken_place;
use crate::formula::{self, any_formula};
use crate::proximity::{self, Nearness};
use crate::{Placed, ProofError, Query, QueryError, Reason, Semantics};

/// When two moving models first come within a tolerance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum WithinVerdict {
    /// They do.
    Near {
        /// They are within the tolerance at this time, between 0 and 1.
        at_most: f64,
        /// What is near then.
        nearness: Nearness,
        /// The proof that they are farther apart before; `None` if they are near at time 0.
        farther: Option<MotionClearance>,
    },
    /// They are farther apart at all times from 0 to 1.
    Farther(MotionClearance),
    /// It was not found out.
    Undecided {
        /// Why not.
        reason: Reason,
        /// The proof for the times for which they are known to be farther apart.
        farther: MotionClearance,
    },
}

impl WithinVerdict {
    /// The times that are left for the first moment within the tolerance: from the first for which more is not proved to the
    /// one at which they are near, or 1. `None` if they never are.
    #[must_use]
    pub fn interval(&self) -> Option<TimeInterval> {
        match self {
            Self::Near { at_most, farther, .. } => {
                let lo = farther.as_ref().map_or(0.0, MotionClearance::until);
                Some(TimeInterval { lo, hi: *at_most })
            }
            Self::Farther(_) => None,
            Self::Undecided { farther, .. } => Some(TimeInterval { lo: farther.until(), hi: 1.0 }),
        }
    }

    /// Verifies the proofs of this verdict, for the tolerance that was asked for.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Moving<'_>,
        b: Moving<'_>,
        tolerance: f64,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let farther = match self {
            Self::Near { farther, .. } => farther.as_ref(),
            Self::Farther(farther) | Self::Undecided { farther, .. } => Some(farther),
        };
        if let Some(farther) = farther {
            farther.verify(a, b, tolerance, semantics)?;
        }
        match self {
            Self::Near { at_most, nearness, .. } => {
                let [of_a, of_b] = [a, b].map(|moving| moving.at(*at_most));
                let of_a = of_a.placed().map_err(broken_place)?;
                let of_b = of_b.placed().map_err(broken_place)?;
                nearness.verify(of_a, of_b, tolerance, semantics)
            }
            Self::Farther(farther) if farther.until() < 1.0 => {
                Err(ProofError::BrokenFront { what: "it ends before time 1" })
            }
            _ => Ok(()),
        }
    }
}

/// When two moving models first come within a tolerance of each other, up to an interval of the given width in time.
///
/// `Farther` holds of every moment from 0 to 1, also between two numbers in f64; no model is within a negative tolerance or
/// NaN. `Near` has a time at which the exact query [`proximity::within`] holds of the poses of the paths; the models are
/// farther apart before that time less `width`. If they come within the tolerance for a moment too short for the width, or
/// only nearly, the interval is wider or the answer is `Undecided`, as after [`Query::budget`].
///
/// Of models that are [formulas](crate::Formula) `Near` is proved by [`formula::within`]; as there is a small gap that rounding
/// hides, the answer is `Undecided` where they come just as near as the tolerance.
///
/// Takes a query of the distance for each step: few for bodies that pass each other, up to some dozen to come close, and as
/// many as the gap fits into the way of bodies that slide along each other.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_math::Motion;
/// use xcollide_narrow::continuous::{Moving, time_within};
/// use xcollide_narrow::{Model, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let cube = Model::from_mesh(unit_cube)?;
/// let [start, end] = [-5.0, 5.0].map(|x| Pose::from_translation([x, 1.5, 0.0]));
/// let motion = Motion::linear(start, end)?;
/// let (passing, at_rest) = (Moving::new(&cube, &motion), Moving::new(&cube, &Pose::IDENTITY));
/// // It passes at a distance of 0.5, and is within 1 from a time before 4 of 10 units of the way on.
/// let verdict = time_within(passing, at_rest, 1.0, 1e-9, &Query::new())?;
/// let time = verdict.interval().ok_or("farther")?;
/// let expected = 0.4 - 0.1 * 0.75_f64.sqrt();
/// assert!(time.lo <= expected && expected <= time.hi && time.hi - time.lo <= 1e-9);
/// verdict.verify(passing, at_rest, 1.0, Default::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose of a path cannot place its model, or the width is NaN or negative.
pub fn time_within(
    a: Moving<'_>,
    b: Moving<'_>,
    tolerance: f64,
    width: f64,
    query: &Query,
) -> Result<WithinVerdict, QueryError> {
    if width.is_nan() || width < 0.0 {
        return Err(QueryError::Width { width });
    }
    if tolerance.is_nan() || tolerance < 0.0 {
        return Ok(WithinVerdict::Farther(MotionClearance::always()));
    }
    if !are_bounded([&a, &b]) {
        let (reason, farther) = (Reason::NotAccepted, MotionClearance::default());
        return Ok(WithinVerdict::Undecided { reason, farther });
    }
    let semantics = query.semantics;
    let near = |a: Placed<'_>, b: Placed<'_>| match any_formula(a, b) {
        false => proximity::within(a, b, tolerance, semantics),
        true => match formula::within(a, b, tolerance, semantics)? {
            (true, points) => Some(Nearness { points, faces: None }),
            (false, _) => None,
        },
    };
    Ok(match Advancement::new(a, b, tolerance, semantics, near).run(width, query)? {
        Advanced::Found { time, what, farther } => WithinVerdict::Near {
            at_most: time,
            nearness: what,
            farther: (time > 0.0).then_some(farther),
        },
        Advanced::Farther(farther) => WithinVerdict::Farther(farther),
        Advanced::Stopped { reason, farther } => WithinVerdict::Undecided { reason, farther },
    })
}
