//! Errors of comparisons.

use super::disagreement::Disagreement;

/// Why a comparison failed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The scene cannot be played.
    #[error("{scene}: {problem}")]
    Scene {
        /// The scene.
        scene: String,
        /// The problem.
        problem: String,
    },
    /// A combination failed.
    #[error("frame {frame}: {combination}: {problem}")]
    Failed {
        /// The combination, as text.
        combination: String,
        /// The frame.
        frame: usize,
        /// The problem.
        problem: String,
    },
    /// Combinations contradict each other.
    #[error("{0}")]
    Disagreement(Box<Disagreement>),
}
