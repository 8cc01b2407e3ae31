//! `xcollide compare`: the same work by several algorithms, on equal terms.
//!
//! The harness is a library: [`Motion`] records how a scene moves, [`Comparison`] lets combinations
//! of algorithms play it in turns, compares their answers frame by frame and times them; one's own
//! algorithms are compared as those of the registry are, under a name ([`Algorithm`]). The command
//! adds names from the command line, a table, and a saved scene where algorithms disagree.

mod algorithm;
mod build;
mod chosen;
mod combination;
mod command;
mod comparison;
mod cost_model;
mod disagreement;
mod document;
mod figures;
mod motion;
mod options;
mod player;
mod record;
mod recording;
mod scaling;

pub use algorithm::Algorithm;
pub use build::Build;
pub use combination::Combination;
pub use command::run;
pub use comparison::{Comparison, LeftOut, Outcome, Step};
pub use cost_model::{CostModel, Observation};
pub use disagreement::{Claim, Disagreement};
pub use figures::Figures;
pub use motion::Motion;
pub use options::CompareOptions;
pub use record::{ComparisonRecord, LeftOutRecord, label, table, varying};
pub use scaling::{Growth, Scale, exponent};

pub(crate) use command::command_line;
pub(crate) use figures::median;
pub(crate) use options::about;
pub(crate) use record::aligned;

/// Why a comparison gave up.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// The scene cannot be played.
    #[error("{scene}: {problem}")]
    Scene {
        /// The scene.
        scene: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A combination failed.
    #[error("frame {frame}: {combination}: {problem}")]
    Failed {
        /// The combination, in words.
        combination: String,
        /// The frame.
        frame: usize,
        /// What went wrong.
        problem: String,
    },
    /// Combinations contradict each other.
    #[error("{0}")]
    Disagreement(Box<Disagreement>),
}
