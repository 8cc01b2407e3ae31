//! `xcollide compare`: several algorithms on the same work.
//!
//! [`Motion`] records how a scene moves. [`Comparison`] plays the recording with combinations of
//! algorithms in turns, compares their answers frame by frame and times them. An [`Algorithm`] is one
//! of the registry or the user's own. The command adds names from the command line, a table, and a
//! saved scene if algorithms disagree.

mod algorithm;
mod build;
mod combination;
mod command;
mod comparison;
mod cost_model;
mod disagreement;
mod document;
mod error;
mod figures;
mod motion;
mod options;
mod player;
mod record;
mod recording;
mod scaling;
mod selection;

pub use algorithm::Algorithm;
pub use build::Build;
pub use combination::Combination;
pub use comparison::{Comparison, LeftOut, Outcome};
pub use cost_model::CostModel;
pub use disagreement::{Claim, Disagreement};
pub use error::CompareError;
pub use figures::Figures;
pub use motion::Motion;
pub use record::table;

pub(crate) use command::run;
pub(crate) use figures::{mean, median};
pub(crate) use options::CompareOptions;
pub(crate) use record::aligned;
use scaling::{Growth, Scale};
