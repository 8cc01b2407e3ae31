//! What can be wrong with a scene.

use crate::{RobotError, ShapeError};

/// Why a scene cannot be used. Every message names the key, what was found and what was expected.
///
/// Keys are as in the file: `objects[2].motion.axis` is that of the third object.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The text is no TOML.
    #[error("{message}, expected TOML")]
    Syntax {
        /// What the parser of TOML says.
        message: String,
    },
    /// There is no such key.
    #[error("key `{key}` is unknown, expected one of: {expected}")]
    UnknownKey {
        /// The key found.
        key: String,
        /// Those that there are.
        expected: String,
    },
    /// A key that must be there is not.
    #[error("key `{key}`: found nothing, expected {expected}")]
    MissingKey {
        /// The key.
        key: String,
        /// What it should hold.
        expected: String,
    },
    /// A value is of another type.
    #[error("key `{key}`: found {found}, expected {expected}")]
    WrongType {
        /// The key.
        key: String,
        /// The type found.
        found: String,
        /// The type expected.
        expected: String,
    },
    /// A value is none that the key can have.
    #[error("key `{key}`: found {found}, expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// The value found.
        found: String,
        /// What it can be.
        expected: String,
    },
    /// Two keys exclude each other.
    #[error("key `{key}`: found beside `{other}`, expected one of the two")]
    Excluded {
        /// One key.
        key: String,
        /// The other.
        other: String,
    },
    /// Two objects have the same name.
    #[error("key `{key}`: found `{name}` again, expected a name that no other object has")]
    Repeated {
        /// The second's key.
        key: String,
        /// The name.
        name: String,
    },
    /// A name that nothing has.
    #[error("key `{key}`: found `{found}`, expected the {expected}")]
    UnknownName {
        /// The key.
        key: String,
        /// The name found.
        found: String,
        /// What should have it.
        expected: &'static str,
    },
    /// The shape cannot be made.
    #[error("key `{key}`: {error}")]
    Shape {
        /// The object's key.
        key: String,
        /// What is wrong with the spec.
        error: ShapeError,
    },
    /// A robot cannot be used. The message names its file, not the key.
    #[error("{error}")]
    Robot {
        /// The import's key.
        key: String,
        /// What is wrong with the robot.
        error: Box<RobotError>,
    },
    /// A file cannot be had.
    #[error("key `{key}`: found `{path}`, which {problem}")]
    File {
        /// The key.
        key: String,
        /// The path.
        path: String,
        /// What is wrong with the file.
        problem: String,
    },
}

impl SceneError {
    /// The key it is about; none for a text that is no TOML.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Syntax { .. } => None,
            Self::UnknownKey { key, .. }
            | Self::MissingKey { key, .. }
            | Self::WrongType { key, .. }
            | Self::BadValue { key, .. }
            | Self::Excluded { key, .. }
            | Self::Repeated { key, .. }
            | Self::UnknownName { key, .. }
            | Self::Shape { key, .. }
            | Self::Robot { key, .. }
            | Self::File { key, .. } => Some(key),
        }
    }

    pub(crate) fn bad(
        key: impl Into<String>,
        found: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::BadValue { key: key.into(), found: found.to_string(), expected: expected.to_string() }
    }
}

/// A number in words that stay short.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() || (1e-4..1e12).contains(&value.abs()) {
        return value.to_string();
    }
    format!("{value:e}")
}

/// A [`SceneError`] and where in a file it is.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: line {line}: {error}")]
pub struct SceneFileError {
    /// The file, as the reader was told.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub error: Box<SceneError>,
}
