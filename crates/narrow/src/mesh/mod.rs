//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

pub(crate) mod brute_force;
pub(crate) mod bvh_pair;
pub(crate) mod coherent;
pub(crate) mod contact_set;
pub(crate) mod hierarchies;
pub(crate) mod hierarchy;
pub(crate) mod outlines;
pub(crate) mod parallel_traversal;
pub(crate) mod prepared;
pub(crate) mod rays;
pub(crate) mod tree_builder;
pub(crate) mod triangle_tests;
pub(crate) mod wide_variants;
pub(crate) mod work;

pub use brute_force::BruteForce;
pub use bvh_pair::BvhPair;
pub(crate) use bvh_pair::triangle_witness;
pub use coherent::Coherence;
pub use contact_set::ContactSet;
pub use hierarchies::{
    AabbTree, BoxTrees, IntervalTrees, KDopTree, ObbTree, SphereTree, TreeVolume, Wide,
};
pub use hierarchy::Hierarchy;
pub use outlines::{
    OutlineError, OutlinedVolume, ReachedVolume, outlined_algorithms, outlines, reached_outlines,
};
pub(crate) use prepared::{Kept, Prepared, prepared};
pub(crate) use rays::PreparedWide;
pub use tree_builder::{BuilderRefused, TreeBuilder};
pub use wide_variants::{WideCompact, WideSlab};
pub use work::Work;
pub use xcollide_bvh::wide::WideOptions;
pub use xcollide_bvh::{BoxTest, BoxTreeOptions, Builder, CutSearch, IntervalSplit, Level, Split};
