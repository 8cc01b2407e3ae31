//! Algorithms for any two models: soups, open, non-convex, whatever a file holds.

pub mod arbitrary;
mod brute_force;
mod coherent;
mod contact_set;
mod descent;
mod edges;
mod fine_grain;
mod hierarchies;
mod meetings;
mod outlines;
mod patches;
mod prepared;
mod rays;
mod wide_variants;
mod work;

pub use arbitrary::Arbitrary;
pub use brute_force::BruteForce;
pub use coherent::Coherence;
pub use contact_set::ContactSet;
pub(crate) use descent::triangle_witness;
pub use descent::{Descent, Hierarchy};
pub use hierarchies::{
    AabbTree, BoxTrees, IntervalTrees, KDopTree, ObbTree, SphereTree, TreeVolume, Wide,
};
pub use outlines::{
    OutlineError, OutlinedVolume, ReachedVolume, outlined_algorithms, outlines, reached_outlines,
};
pub use patches::PatchTrees;
pub(crate) use prepared::{Kept, Prepared, prepared};
pub(crate) use rays::PreparedWide;
pub use wide_variants::{WideCompact, WideSlab};
pub use work::Work;
pub use xcollide_tree::Level;
