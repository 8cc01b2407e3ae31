//! Which pairs the application wants, and with which query (Zachmann 1994, 7.0.1).

mod ask;
mod matrix;
mod pair_rules;

pub use ask::Ask;
pub use matrix::InterestMatrix;
