//! What can be wrong with the request for a shape.

use xcollide_brep::{HullError, MeshError};

/// Why a shape was not made. Every message says what was found and what was expected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ShapeError {
    /// No shape has this name.
    #[error("shape `{found}` is unknown, expected one of: {expected}")]
    UnknownShape {
        /// The name found.
        found: String,
        /// The names there are.
        expected: String,
    },
    /// The shape has no such parameter.
    #[error("shape `{shape}` has no parameter `{found}`, expected {expected}")]
    UnknownParameter {
        /// The shape asked for.
        shape: &'static str,
        /// The name found.
        found: String,
        /// The parameters this shape has.
        expected: String,
    },
    /// A part after the `?` is not of the form `name=value`.
    #[error("shape `{shape}`: found `{found}`, expected name=value with a name out of {expected}")]
    NotAParameter {
        /// The shape asked for.
        shape: &'static str,
        /// The part found.
        found: String,
        /// The parameters this shape has.
        expected: String,
    },
    /// A parameter is given twice.
    #[error("shape `{shape}`: parameter `{parameter}` is given twice, expected once")]
    Repeated {
        /// The shape asked for.
        shape: &'static str,
        /// The parameter.
        parameter: &'static str,
    },
    /// A parameter has a value it cannot have, alone or beside the others.
    #[error("parameter `{parameter}`: found {found}, expected {expected}")]
    BadValue {
        /// The parameter.
        parameter: &'static str,
        /// The value found.
        found: String,
        /// The values it can have.
        expected: String,
    },
    /// The mesh could not be put together.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The points have no convex hull.
    #[error(transparent)]
    Hull(#[from] HullError),
}

/// A piece of the user's text for a message: quoted wholly when short, else its beginning.
pub(crate) fn excerpt(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        None => text.escape_debug().to_string(),
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
    }
}
