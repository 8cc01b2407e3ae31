//! Verdicts, their proofs, and the verifiers of proofs.

mod contact;
pub(crate) mod front;
pub(crate) mod nested;
mod primitives;
mod proof_error;
pub(crate) mod separation;
mod suspects;
mod verdict;
pub(crate) mod witness;

pub use contact::Contact;
pub use front::Front;
pub use primitives::Primitives;
pub use proof_error::ProofError;
pub use separation::Separation;
pub use suspects::Suspects;
pub use verdict::{Listing, Reason, Verdict};
pub use witness::{Feature, Witness};
