//! How a hierarchy is built, as a value.

use xcollide_bvh::binary::Builder;
#[cfg(feature = "classic")]
use xcollide_bvh::classic::{
    box_tree::BoxTreeOptions, interval_tree::IntervalSplit, sphere_octree::SphereOctreeOptions,
};
use xcollide_bvh::wide::WideOptions;

/// The settings of a hierarchy of some kind, for [`NarrowPhase::built_by`](crate::NarrowPhase::built_by).
///
/// They change time and memory, never a verdict. If the kind is known at compile time,
/// [`BvhPair::with`](crate::mesh::BvhPair::with) takes the settings themselves and cannot fail.
///
/// ```
/// use xcollide_narrow::NarrowPhase;
/// use xcollide_bounds::Obb;
/// use xcollide_bvh::binary::{Builder, Split};
/// use xcollide_narrow::mesh::{BinaryTrees, TreeBuilder, Wide};
///
/// let halves = TreeBuilder::Binary(Builder::new(Split::Median).leaf_size(4));
/// let algorithm = BinaryTrees::<Obb>::new().built_by(&halves)?;
/// assert_eq!(algorithm.name(), "obb-tree");
///
/// let refused = Wide::new().built_by(&halves).err().map(|error| error.to_string());
/// let told = "wide-obb keeps an 8-wide tree, the builder makes a binary tree";
/// assert_eq!(refused.as_deref(), Some(told));
/// # Ok::<(), xcollide_narrow::PrepareError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum TreeBuilder {
    /// A binary tree, built from the top: [`BinaryTrees`](crate::mesh::BinaryTrees).
    Binary(Builder),
    /// An 8-wide tree: [`Wide`](crate::mesh::Wide).
    Wide(WideOptions),
    /// A box-tree.
    #[cfg(feature = "classic")]
    BoxTree(BoxTreeOptions),
    /// A restricted box-tree.
    #[cfg(feature = "classic")]
    Interval(IntervalSplit),
    /// A sphere tree from an octree.
    #[cfg(feature = "classic")]
    SphereOctree(SphereOctreeOptions),
}

impl TreeBuilder {
    /// The kind of hierarchy in words, such as `"a binary tree"`.
    #[must_use]
    pub const fn builds(&self) -> &'static str {
        match self {
            Self::Binary(_) => "a binary tree",
            Self::Wide(_) => "an 8-wide tree",
            #[cfg(feature = "classic")]
            Self::BoxTree(_) => "a box-tree",
            #[cfg(feature = "classic")]
            Self::Interval(_) => "a restricted box-tree",
            #[cfg(feature = "classic")]
            Self::SphereOctree(_) => "a sphere tree from an octree",
        }
    }
}
