//! Errors of specs and shapes.

use xcollide_brep::{HullError, MeshError};

/// Error of making a shape. Messages say what was found and what was expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// No shape has this name.
    #[error("shape `{found}` is unknown, expected one of: {expected}")]
    UnknownShape {
        /// The unknown name.
        found: String,
        /// The existing names.
        expected: String,
    },
    /// A parameter is unknown, given twice, or not of the form `name=value`.
    #[error("shape `{shape}`: {problem}")]
    Parameters {
        /// The shape.
        shape: &'static str,
        /// What was found and what was expected.
        problem: String,
    },
    /// An invalid value, alone or with the other parameters.
    #[error("parameter `{parameter}`: found {found}, expected {expected}")]
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// The value.
        found: String,
        /// The valid values.
        expected: String,
    },
    /// The mesh could not be built.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The points have no convex hull.
    #[error(transparent)]
    Hull(#[from] HullError),
}

/// The user's text for a message: quoted as a whole if short, otherwise its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
    }
}
