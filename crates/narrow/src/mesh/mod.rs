//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

pub mod arbitrary;
mod brute_force;
mod contact_set;
mod edges;

pub use arbitrary::Arbitrary;
pub use brute_force::BruteForce;
