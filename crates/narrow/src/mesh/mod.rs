//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

pub mod arbitrary;
mod brute_force;
mod coherent;
mod contact_set;
mod descent;
mod edge_face;
mod edge_hit;
mod edges;
mod fine_grain;
mod hierarchies;
mod hierarchy;
mod meetings;
mod outlines;
mod patches;
mod prepared;
mod rays;
mod tree_builder;
mod volume_variants;
mod wide_variants;
mod work;

pub use arbitrary::Arbitrary;
pub use brute_force::BruteForce;
pub use coherent::Coherence;
pub use contact_set::ContactSet;
pub use descent::Descent;
pub(crate) use descent::triangle_witness;
pub use edge_face::EdgeFaceTrees;
pub use hierarchies::{
    AabbTree, BoxTrees, IntervalTrees, KDopTree, ObbTree, SphereTree, TreeVolume, Wide,
};
pub use hierarchy::Hierarchy;
pub use outlines::{
    OutlineError, OutlinedVolume, ReachedVolume, outlined_algorithms, outlines, reached_outlines,
};
pub use patches::PatchTrees;
pub(crate) use prepared::{Kept, Prepared, prepared};
pub(crate) use rays::PreparedWide;
pub use tree_builder::{BuilderRefused, TreeBuilder};
pub use volume_variants::{
    AabbTreeAlternate, AabbTreeBoth, AabbTreeFifteenLines, AabbTreeSixAxes, KDop6Tree, KDop14Tree,
    KDop26Tree, KDopTreeAlternate, KDopTreeBoth, ObbTreeAlternate, ObbTreeBoth, volume_choices,
};
pub use wide_variants::{WideCompact, WideSlab};
pub use work::Work;
pub use xcollide_tree::wide::WideOptions;
pub use xcollide_tree::{BoxTest, BoxTreeOptions, Builder, CutSearch, IntervalSplit, Level, Split};
