//! Algorithms for any two models: polygon soups, open and non-convex ones.

mod brute_force;
mod bvh_pair;

pub use crate::hierarchy::bvh_pair::{BinaryTrees, BvhPair, Wide};
pub use crate::hierarchy::tree_builder::TreeBuilder;
pub use brute_force::BruteForce;
