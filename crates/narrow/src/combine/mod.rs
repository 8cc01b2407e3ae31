//! Algorithms made of algorithms.
//!
//! Each combination is a [`NarrowPhase`](crate::NarrowPhase) again: [`Auto`] chooses by the two models,
//! [`Chain`] asks a second algorithm if the first is undecided, `Race` runs both at once (feature
//! `parallel`), [`Counted`] adds up the work.
//!
//! A definite answer of any algorithm is right, biased ones included, so a combination is exact if an
//! exact algorithm is asked in the end.

mod auto;
mod chain;
mod counted;
#[cfg(feature = "parallel")]
mod favourite;
#[cfg(feature = "parallel")]
mod race;
mod shared_out;
mod thresholds;

pub use auto::Auto;
pub use chain::Chain;
pub use counted::{Counted, Total};
#[cfg(feature = "parallel")]
pub use race::Race;
use shared_out::shared_out;
pub use thresholds::{Thresholds, ThresholdsError};
