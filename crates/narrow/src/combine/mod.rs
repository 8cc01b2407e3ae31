//! Algorithms made of algorithms.
//!
//! Each combination is a [`NarrowPhase`](crate::NarrowPhase) again: [`Auto`] chooses by the two models,
//! [`Chain`] runs a second algorithm if the first is undecided, `Race` runs both at once (feature
//! `parallel`).
//!
//! A decided answer of any algorithm is right, so a combination is exact if its last algorithm is.

mod auto;
mod chain;
#[cfg(feature = "parallel")]
mod favourite;
#[cfg(feature = "parallel")]
mod race;
pub(crate) mod shared_out;
mod thresholds;

pub use auto::Auto;
pub use chain::Chain;
#[cfg(feature = "parallel")]
pub use race::Race;
pub use thresholds::{Thresholds, ThresholdsError};
