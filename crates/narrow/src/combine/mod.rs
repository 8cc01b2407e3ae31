//! Algorithms made of algorithms.
//!
//! A narrow phase is a value, so values can be put together: [`Auto`] chooses by the two models,
//! [`Chain`] asks a second where the first is undecided, `Race` asks both at once (with the feature
//! `parallel`), [`Counted`] adds up what another does. What
//! comes out is a [`NarrowPhase`](crate::NarrowPhase) again and goes wherever one goes.
//!
//! A definite answer of any algorithm is right, biased ones included, so a combination is exact as
//! soon as one part is that is always asked in the end.

mod auto;
mod chain;
mod counted;
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
