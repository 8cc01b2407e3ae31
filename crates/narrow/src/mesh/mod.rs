//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

mod aliases;
mod brute_force;
mod bvh_pair;

pub use crate::hierarchy::tree_builder::{BuilderRefused, TreeBuilder};
pub use aliases::{BinaryTrees, Wide};
pub use brute_force::BruteForce;
pub use bvh_pair::BvhPair;
