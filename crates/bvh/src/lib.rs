#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod binary;
mod build_error;
mod candidates;
#[cfg(feature = "classic")]
pub mod classic;
mod counter;
mod descent_rule;
mod fork_join;
mod jacobi;
pub mod levels;
mod node_pair;
mod ray_boxes;
pub mod wide;

pub use build_error::BuildError;
pub use candidates::Candidates;
pub use counter::{Counter, Counts};
pub use descent_rule::DescentRule;
pub use node_pair::NodePair;
pub use ray_boxes::{BoxRay, RayBoxes};
