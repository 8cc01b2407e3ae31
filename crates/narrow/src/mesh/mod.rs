//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

mod aliases;
pub(crate) mod brute_force;
pub(crate) mod bvh_pair;

pub use crate::hierarchy::Hierarchy;
pub use crate::hierarchy::coherent::Coherence;
pub use crate::hierarchy::kinds::TreeVolume;
pub use crate::hierarchy::outlines::{
    OutlineError, OutlinedVolume, ReachedVolume, outlined_algorithms, outlines, reached_outlines,
};
pub use crate::hierarchy::tree_builder::{BuilderRefused, TreeBuilder};
pub use crate::query::ContactSet;
pub use aliases::{
    AabbTree, BoxTrees, IntervalTrees, KDopTree, ObbTree, SphereTree, Wide, WideCompact,
};
pub use brute_force::BruteForce;
pub use bvh_pair::BvhPair;
pub use xcollide_bvh::Counter;
pub use xcollide_bvh::binary::{Builder, Split};
pub use xcollide_bvh::classic::box_tree::{BoxTest, BoxTreeOptions, CutSearch};
pub use xcollide_bvh::classic::interval_tree::IntervalSplit;
pub use xcollide_bvh::levels::Level;
pub use xcollide_bvh::wide::WideOptions;
