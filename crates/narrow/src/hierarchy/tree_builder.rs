//! How a hierarchy is built, as a value: so that builders are compared as algorithms are.
//!
//! A tree that is built otherwise filters otherwise and answers the same, so a builder changes time
//! and memory, never a verdict.

use xcollide_bvh::binary::Builder;
#[cfg(feature = "classic")]
use xcollide_bvh::classic::{box_tree::BoxTreeOptions, interval_tree::IntervalSplit};
use xcollide_bvh::wide::WideOptions;

/// A way to build the hierarchy that an algorithm keeps with a model, where it is not to be its own:
/// see [`NarrowPhase::built_by`](crate::NarrowPhase::built_by).
///
/// Each kind of hierarchy is built in its own way, and takes the builders of that kind. Where the
/// algorithm is known, [`BvhPair::with`](crate::mesh::BvhPair::with) takes the settings themselves, and
/// nothing can be refused.
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
/// # Ok::<(), xcollide_narrow::mesh::BuilderRefused>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TreeBuilder {
    /// A binary tree, from the top: [`BinaryTrees`](crate::mesh::BinaryTrees).
    Binary(Builder),
    /// An 8-wide tree: [`Wide`](crate::mesh::Wide).
    Wide(WideOptions),
    /// A box-tree.
    #[cfg(feature = "classic")]
    BoxTree(BoxTreeOptions),
    /// A restricted box-tree.
    #[cfg(feature = "classic")]
    Interval(IntervalSplit),
}

impl TreeBuilder {
    /// What it builds, in words, such as `"a binary tree"`.
    #[must_use]
    pub const fn builds(&self) -> &'static str {
        match self {
            Self::Binary(_) => "a binary tree",
            Self::Wide(_) => "an 8-wide tree",
            #[cfg(feature = "classic")]
            Self::BoxTree(_) => "a box-tree",
            #[cfg(feature = "classic")]
            Self::Interval(_) => "a restricted box-tree",
        }
    }
}

/// Why an algorithm cannot use a builder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuilderRefused {
    /// The algorithm keeps no tree, or one that is always built in the same way.
    #[error("{algorithm} has no tree whose builder can be chosen")]
    NoTree {
        /// The algorithm's name.
        algorithm: &'static str,
    },
    /// The algorithm keeps a tree of another kind.
    #[error("{algorithm} keeps {keeps}, the builder makes {builds}")]
    OtherTree {
        /// The algorithm's name.
        algorithm: &'static str,
        /// What it keeps, as [`TreeBuilder::builds`] says it.
        keeps: &'static str,
        /// What the builder builds.
        builds: &'static str,
    },
}
