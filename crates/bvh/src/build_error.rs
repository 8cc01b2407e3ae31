//! Errors of building and refitting.

/// Why a tree cannot be built or refitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A coordinate is NaN or infinite.
    #[error("primitive {primitive} has a coordinate that is not finite")]
    NonFinite {
        /// The number of the primitive.
        primitive: usize,
    },
    /// More primitives, nodes or leaf entries than the tree can number.
    #[error("{found} elements are more than the tree's limit of {limit}")]
    TooMany {
        /// The number found.
        found: usize,
        /// The limit of this kind of tree.
        limit: usize,
    },
    /// A refit with another number of primitives.
    #[error("{found} primitives for a tree over {expected}")]
    Count {
        /// The number passed.
        found: usize,
        /// The number in the tree.
        expected: usize,
    },
}

/// The largest magnitude of a coordinate, if all are finite.
pub(crate) fn check<const K: usize>(primitives: &[[[f64; 3]; K]]) -> Result<f64, BuildError> {
    let mut reach = 0.0_f64;
    for (primitive, corners) in primitives.iter().enumerate() {
        for value in corners.as_flattened() {
            if !value.is_finite() {
                return Err(BuildError::NonFinite { primitive });
            }
            reach = reach.max(value.abs());
        }
    }
    Ok(reach)
}
