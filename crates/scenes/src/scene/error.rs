//! Errors of scenes.

use crate::{PlacementError, RobotError, ShapeError};

/// Error of a scene. Messages name the key, what was found and what was expected. Keys are as in the file:
/// `objects[2].motion.axis` is that of the third object.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SceneError {
    /// The text is not TOML.
    #[error("{message}, expected TOML")]
    Syntax {
        /// The message of the TOML parser.
        message: String,
    },
    /// A key is unknown.
    #[error("key `{key}` is unknown, expected one of: {expected}")]
    UnknownKey {
        /// The unknown key.
        key: String,
        /// The valid keys.
        expected: String,
    },
    /// A value is missing, has another type, is invalid, or excludes another key.
    #[error("key `{key}`: found {found}, expected {expected}")]
    BadValue {
        /// The key.
        key: String,
        /// The value.
        found: String,
        /// The valid values.
        expected: String,
    },
    /// The numbers of a pose are not a rotation.
    #[error("key `{key}`: {error}")]
    Pose {
        /// The key.
        key: String,
        /// The error of the numbers.
        error: PlacementError,
    },
    /// The shape cannot be made.
    #[error("key `{key}`: {error}")]
    Shape {
        /// The object's key.
        key: String,
        /// The error of the spec.
        error: ShapeError,
    },
    /// A robot cannot be used. The message names its file, not the key.
    #[error("{error}")]
    Robot {
        /// The import's key.
        key: String,
        /// The error of the robot.
        error: Box<RobotError>,
    },
    /// A file cannot be used.
    #[error("key `{key}`: found `{path}`, which {problem}")]
    File {
        /// The key.
        key: String,
        /// The path.
        path: String,
        /// The problem.
        problem: String,
    },
}

impl SceneError {
    /// The key; `None` for text that is not TOML.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Self::Syntax { .. } => None,
            Self::UnknownKey { key, .. }
            | Self::BadValue { key, .. }
            | Self::Pose { key, .. }
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

/// A count in words, as in `2 values`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// A [`SceneError`] with its place in a file.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{file}: line {line}: {error}")]
pub struct SceneFileError {
    /// The file, as given to the reader.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub error: Box<SceneError>,
}
