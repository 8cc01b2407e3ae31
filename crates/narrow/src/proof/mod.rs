//! Verdicts, their proofs, and the checks of proofs.

mod contact;
pub(crate) mod front;
mod listing;
pub(crate) mod nested;
mod proof_error;
pub(crate) mod separation;
mod verdict;
pub(crate) mod witness;

pub use contact::Contact;
pub use front::Front;
pub use listing::Listing;
pub use proof_error::ProofError;
pub use separation::Separation;
pub use verdict::{Reason, Verdict};
pub use witness::{Feature, Witness};
