//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

pub mod arbitrary;
mod brute_force;
mod contact_set;
mod descent;
mod edges;
mod hierarchies;

pub use arbitrary::Arbitrary;
pub use brute_force::BruteForce;
pub(crate) use descent::triangle_witness;
pub use descent::{Descent, Hierarchy};
pub use hierarchies::{
    AabbTree, BoxTrees, IntervalTrees, KDopTree, ObbTree, SphereTree, TreeVolume, Wide,
};
