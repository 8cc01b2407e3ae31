//! The ways of the source to move boxes in an octree (Zachmann 1994, 5.4.1 to 5.4.5).

/// How an octree follows moving boxes and finds neighbours. Pairs are the same; memory and time differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OctreeMethod {
    /// The naive algorithm (figure 5.13): traversals from the root, with the old box to remove it, with the new one to insert
    /// it, and again to find neighbours.
    Traversal,
    /// Octant arrays (5.4.2, figure 5.14): each box knows its octants, so that it is removed without a traversal, and the
    /// search for neighbours begins there.
    OctantArrays,
    /// Octant arrays and box difference (5.4.3, figure 5.14): only octants that a box enters or leaves are changed, and only
    /// such are visited in which its old and new cells differ.
    #[default]
    BoxDifference,
    /// Dai's idea (5.4.5, future directions): a box is noted in all octants on the way to its own, too, and a moved box
    /// follows these. No boxes are compared to find out where it was, but arrays are searched.
    Paths,
}

impl OctreeMethod {
    /// All methods.
    pub const ALL: [Self; 4] =
        [Self::Traversal, Self::OctantArrays, Self::BoxDifference, Self::Paths];

    /// The name of an octree with this method in programs.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Traversal => "octree-traversal",
            Self::OctantArrays => "octree-arrays",
            Self::BoxDifference => "octree",
            Self::Paths => "octree-paths",
        }
    }
}
