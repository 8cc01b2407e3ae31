//! Errors of robots.

use crate::PoseError;
use crate::brep::MeshError;
use crate::convex::shape::ShapeError;
use crate::narrow::{QueryError, Reason};

use super::{ConfigurationError, DescriptionError};

/// Why a robot cannot be read, changed or tested.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// A file cannot be read, or is invalid; with file, line and element.
    #[error(transparent)]
    Description(#[from] DescriptionError),
    /// Values are no configuration of the robot.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// One of many configurations has no answer.
    #[error("configuration {index}: {error}")]
    OfMany {
        /// The number of the configuration, from 0.
        index: usize,
        /// The cause.
        error: Box<Self>,
    },
    /// No link with collision geometry and no object has this name.
    #[error(
        "`{found}` is no link with collision geometry and no object, expected one of: {expected}"
    )]
    UnknownBody {
        /// The name.
        found: String,
        /// The existing names.
        expected: String,
    },
    /// No attached object, or no obstacle, has this name.
    #[error("`{found}` is no {kind}, expected {}", one_of(.expected))]
    UnknownObject {
        /// What was to be taken away: "attached object" or "obstacle".
        kind: &'static str,
        /// The name.
        found: String,
        /// The names of those that there are; empty if there are none.
        expected: String,
    },
    /// A link or an object has this name already.
    #[error("`{name}` is the name of a link or another object already, expected a new one")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// A body cannot be tested against itself.
    #[error("`{name}` and `{name}` are no pair, expected two bodies")]
    SameBody {
        /// The body.
        name: String,
    },
    /// A model without faces can never collide.
    #[error("the model of `{name}` has no faces, expected at least one")]
    NoFaces {
        /// The body.
        name: String,
    },
    /// A mesh is too large.
    #[error("link `{name}`: {error}")]
    Mesh {
        /// The link.
        name: String,
        /// What is too large.
        error: MeshError,
    },
    /// A round body is too large or too small.
    #[error("link `{name}`: {error}")]
    Formula {
        /// The link.
        name: String,
        /// Which length.
        error: ShapeError,
    },
    /// The margin is negative or not finite.
    #[error("the margin is {found:?}, expected a finite number of at least 0")]
    Margin {
        /// The margin.
        found: f64,
    },
    /// A pose moves a body beyond the range of f64.
    #[error("`{name}` cannot be placed: {error}")]
    Pose {
        /// The body.
        name: String,
        /// The cause.
        error: PoseError,
    },
    /// A query about two bodies has no answer.
    #[error("`{a}` and `{b}`: {error}")]
    Query {
        /// A body.
        a: String,
        /// Another body.
        b: String,
        /// The cause.
        error: QueryError,
    },
    /// The narrow phase was undecided, which the default one never is.
    #[error("it is undecided whether `{a}` and `{b}` meet: {reason:?}")]
    Undecided {
        /// A body.
        a: String,
        /// Another body.
        b: String,
        /// The cause.
        reason: Reason,
    },
}

fn one_of(names: &str) -> String {
    if names.is_empty() { "none, as there are none".to_owned() } else { format!("one of: {names}") }
}
