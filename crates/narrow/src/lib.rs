#![doc = include_str!("../README.md")]

mod cache;
pub mod closed;
pub mod convex;
mod front;
mod halves;
pub mod mesh;
mod model;
mod narrow_phase;
mod placed;
mod pose;
mod proof_error;
pub mod proximity;
mod query;
mod separation;
mod stats;
mod verdict;
mod witness;
mod world;

pub use cache::PairCache;
pub use front::Front;
pub use model::{Component, Model};
pub use narrow_phase::{Guarantee, NarrowPhase, PrepareError};
pub use placed::Placed;
pub use pose::{Pose, PoseError, Transform};
pub use proof_error::ProofError;
pub use query::{Query, Semantics};
pub use separation::{Plane, Separation};
pub use stats::Stats;
pub use verdict::{Bias, Reason, Verdict};
pub use witness::{Feature, Witness};
