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
    /// The shape has no such parameter.
    #[error("shape `{shape}` has no parameter `{found}`, expected {expected}")]
    UnknownParameter {
        /// The shape.
        shape: &'static str,
        /// The unknown parameter.
        found: String,
        /// The parameters of the shape.
        expected: String,
    },
    /// A part after the `?` is not of the form `name=value`.
    #[error("shape `{shape}`: found `{found}`, expected name=value with a name out of {expected}")]
    NotAParameter {
        /// The shape.
        shape: &'static str,
        /// The part.
        found: String,
        /// The parameters of the shape.
        expected: String,
    },
    /// A parameter is given twice.
    #[error("shape `{shape}`: parameter `{parameter}` is given twice, expected once")]
    Repeated {
        /// The shape.
        shape: &'static str,
        /// The parameter.
        parameter: &'static str,
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

/// The user's text for a message: quoted as a whole if short, else its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
    }
}
