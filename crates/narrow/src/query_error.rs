//! Why queries have no answer.

use std::convert::Infallible;

use xcollide_math::PoseError;

use crate::Reason;

/// Why a query has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A pose cannot place its model.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// One of many poses cannot place the model.
    #[error("pose {index}: {error}")]
    PoseOfMany {
        /// The number of the pose, from 0.
        index: usize,
        /// The cause.
        error: PoseError,
    },
    /// A model without faces has no distance.
    #[error("the {side} model has no faces, so there is no distance to it")]
    NoFaces {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
    /// A point or a ray has a coordinate that is NaN or infinite, or a ray has no direction.
    #[error("the {what} is {value:?}, expected finite numbers, and a direction that is not zero")]
    NoRay {
        /// `"point"`, `"origin"`, `"end"`, `"direction"`, `"reach"` or `"radius"`.
        what: &'static str,
        /// Its value.
        value: [f64; 3],
    },
    /// A model is given by a formula, and the query is about meshes.
    #[error(
        "the {side} model is a {formula} by a formula; this query is about faces: give it a polyhedron in its place, or ask for a manifold or for `near_regions`"
    )]
    NoMesh {
        /// `"first"` or `"second"`.
        side: &'static str,
        /// The [name](crate::Formula::name) of the formula.
        formula: &'static str,
    },
    /// Two half spaces: what they have in common has no end, or no translation parts them.
    #[error(
        "both models are half spaces, whose common part has no finite size, and which no translation parts unless they face each other; give one of them a box in its place"
    )]
    Unbounded,
    /// The surface of a model bounds no body, where one is needed.
    #[error(
        "the {side} model is open: its surface bounds no body; close it, or ask about its surface"
    )]
    NoBody {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
    /// The surface of a model intersects itself, where its body must be clear.
    #[error(
        "the {side} model intersects itself, so its volume is not clear; `xcollide self` tells where"
    )]
    SelfIntersecting {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
    /// Products of coordinates leave the range in which rounding errors have known bounds.
    #[error(
        "the {side} model reaches beyond 1e60, or not beyond 1e-60: its depth or volume has no bounds"
    )]
    Scale {
        /// `"first"` or `"second"`.
        side: &'static str,
    },
    /// The width of an interval of time is NaN or negative.
    #[error("the width of the interval of time is {width}, expected a number from 0 on")]
    Width {
        /// The width.
        width: f64,
    },
    /// The algorithm was undecided; an exact one without a time limit never is.
    #[error("the test is undecided: {0:?}")]
    Undecided(Reason),
}

impl From<Infallible> for QueryError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Refuses a point or direction with a number that is not finite.
pub(crate) fn check_point(what: &'static str, value: [f64; 3]) -> Result<(), QueryError> {
    if value.iter().all(|x| x.is_finite()) {
        Ok(())
    } else {
        Err(QueryError::NoRay { what, value })
    }
}
