#![doc = include_str!("../README.md")]

mod cache;
pub mod closed;
pub mod combine;
pub mod compound;
mod contact;
pub mod convex;
mod front;
pub mod mesh;
mod model;
mod narrow_phase;
mod nearness;
mod placed;
mod pose;
mod proof_error;
pub mod proximity;
mod query;
mod separation;
mod stats;
mod stop;
mod verdict;
mod witness;
mod world;

pub use cache::PairCache;
pub use contact::Contact;
pub use front::Front;
pub use model::{Component, Model};
pub use narrow_phase::{Guarantee, Listing, NarrowPhase, PrepareError};
pub use placed::Placed;
pub use pose::{Pose, PoseError, Transform};
pub use proof_error::ProofError;
pub use query::{Certificate, Query, Semantics};
pub use separation::{Plane, Separation};
pub use stats::Stats;
pub use stop::Stop;
pub use verdict::{Bias, Reason, Verdict};
pub use witness::{Feature, Witness};
