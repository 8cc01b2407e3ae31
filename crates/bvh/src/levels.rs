//! The volumes of a hierarchy, level by level, and the leaves that a descent of two hierarchies reaches: for
//! pictures (Zachmann 1994, figure 3.31), statistics and tests.
//!
//! ```text
//!  level 0          whole            A level is a cut through the tree: all nodes at one depth
//!                 /       \          and the leaves above. So the volumes of each level contain
//!  level 1     left       right      the whole model.
//!             /    \        ▪
//!  level 2   ▪      ▪                level 1: left, right; level 2: ▪ ▪ and right
//! ```

mod clearance;
mod level_front;
mod level_search;
mod reached_leaves;

pub use clearance::Clearance;
pub use level_front::LevelFront;
pub use level_search::LevelSearch;
pub use reached_leaves::{ReachedLeaf, reached_leaves};

/// Which volumes of a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Level {
    /// Those at a depth below the root, and the leaves above them. 0 is the root.
    At(usize),
    /// Those of all leaves.
    Leaves,
}

/// A volume of a hierarchy, in the model's frame, and the triangles below.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LevelVolume<V> {
    /// The volume.
    pub volume: V,
    /// Steps below the root.
    pub level: usize,
    /// Whether nothing but triangles is below.
    pub is_leaf: bool,
    /// The triangles below, ascending, each once.
    pub primitives: Vec<u32>,
}

/// A hierarchy with levels: [`Bvh`](crate::binary::Bvh), the [box-tree](crate::classic::box_tree), the
/// [interval tree](crate::classic::interval_tree), the [sphere octree](crate::classic::sphere_octree) and
/// [`WideBvh`](crate::wide::WideBvh).
///
/// Every triangle is in exactly one volume of each level, which contains it. In a box-tree and a sphere octree every volume
/// lists all triangles that reach into it, in a box-tree up to the thickness of cut-planes. A child that only cuts off
/// empty space is a level of its own. Boxes of a wide tree are given in f64, slightly enlarged.
pub trait Levels: sealed::Open + Sized {
    /// The volumes of a level, depth first, in O(n log n) for all; none of an empty tree.
    fn volumes(&self, level: Level) -> Volumes<'_, Self> {
        let depth = match level {
            Level::At(depth) => depth,
            Level::Leaves => usize::MAX,
        };
        Volumes {
            tree: self,
            depth,
            waiting: self.root().map(|root| (root, 0)).into_iter().collect(),
        }
    }
}

impl<T: sealed::Open> Levels for T {}

/// The volumes of a level: see [`Levels::volumes`].
#[derive(Debug)]
pub struct Volumes<'a, T: sealed::Open> {
    tree: &'a T,
    depth: usize,
    /// Nodes to be visited and their levels, the next one last.
    waiting: Vec<(Opening<T::Volume>, usize)>,
}

impl<T: sealed::Open> Iterator for Volumes<'_, T> {
    type Item = LevelVolume<T::Volume>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some((node, level)) = self.waiting.pop() {
            let (mut children, mut primitives) = (Vec::new(), Vec::new());
            self.tree.open(&node, &mut children, &mut primitives);
            let is_leaf = children.is_empty();
            if !is_leaf && level < self.depth {
                self.waiting.extend(children.into_iter().rev().map(|child| (child, level + 1)));
                continue;
            }
            while let Some(child) = children.pop() {
                self.tree.open(&child, &mut children, &mut primitives);
            }
            primitives.sort_unstable();
            primitives.dedup();
            return Some(LevelVolume { volume: node.volume, level, is_leaf, primitives });
        }
        None
    }
}

/// A node that may be opened.
#[derive(Clone, Debug)]
pub struct Opening<V> {
    pub(crate) id: u32,
    pub(crate) volume: V,
}

pub(crate) mod sealed {
    use xcollide_bounds::BoundingVolume;

    use super::Opening;

    /// How a tree is opened. Sealed.
    pub trait Open {
        /// The kind of volume.
        type Volume: BoundingVolume;

        /// The root; `None` if the tree is empty.
        fn root(&self) -> Option<Opening<Self::Volume>>;

        /// Appends the children of an inner node, in order, or the triangles of a leaf.
        fn open(
            &self,
            node: &Opening<Self::Volume>,
            children: &mut Vec<Opening<Self::Volume>>,
            primitives: &mut Vec<u32>,
        );

        /// The largest magnitude of a coordinate.
        fn magnitude(&self) -> f64;

        /// How far a part of a triangle may be outside of the volumes that list it.
        fn slack(&self) -> f64 {
            0.0
        }
    }
}
