//! Why numbers make no pose.

use std::fmt;

/// Why numbers make no [`Pose`](crate::Pose), or a pose cannot place a model.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PoseError {
    /// A number is NaN or infinite.
    NonFinite {
        /// `"rotation"`, `"axis"`, `"angle"` or `"translation"`.
        part: &'static str,
        /// What was found.
        value: f64,
    },
    /// The quaternion does not have length 1 within 1e-6.
    NotUnit {
        /// What was found.
        length: f64,
    },
    /// The rows of a matrix are not perpendicular, or not of length 1, within 1e-6.
    NoRotation {
        /// The largest difference of a product of two rows from what it should be.
        deviation: f64,
    },
    /// The rows of a matrix are left-handed: it mirrors.
    Mirrored,
    /// The axis of a rotation has length 0.
    NoAxis,
    /// The last row of a 4×4 matrix is not `0 0 0 1`.
    NotAffine {
        /// What was found.
        last_row: [f64; 4],
    },
    /// The moved model would reach beyond the range of f64.
    OutOfRange {
        /// The largest magnitude of a coordinate of the model.
        extent: f64,
        /// The largest magnitude of a coordinate of the translation.
        translation: f64,
    },
}

impl std::error::Error for PoseError {}

impl fmt::Display for PoseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonFinite { part, value } => {
                write!(f, "the pose has a {value} in its {part}, expected finite numbers")
            }
            Self::NotUnit { length } => write!(
                f,
                "the pose's quaternion has length {length}, expected 1 within 1e-6: normalise it"
            ),
            Self::NoRotation { deviation } => write!(
                f,
                "the matrix is no rotation: a product of two rows is off by {deviation:e}, expected \
                 at most 1e-6: make its rows perpendicular and of length 1"
            ),
            Self::Mirrored => write!(
                f,
                "the matrix mirrors, expected a rotation: mirror the vertices of the model instead"
            ),
            Self::NoAxis => write!(f, "the axis has length 0, expected a direction"),
            Self::NotAffine { last_row: [x, y, z, w] } => {
                write!(f, "the last row of the matrix is {x} {y} {z} {w}, expected 0 0 0 1")
            }
            Self::OutOfRange { extent, translation } => write!(
                f,
                "the pose moves a model of extent {extent:e} by {translation:e}: beyond the range \
                 of f64"
            ),
        }
    }
}
