//! The settings of an octree.

use xcollide_bounds::Aabb;

use super::method::OctreeMethod;
use super::octant::Octant;
use crate::classic::lattice::is_valid_universe;

/// How an [`Octree`](super::Octree) is laid out and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OctreeSettings {
    /// If not given, chosen from the boxes.
    pub(super) depth: Option<u8>,
    pub(super) universe: Option<Aabb>,
    pub(super) method: OctreeMethod,
}

impl OctreeSettings {
    /// The default settings.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the depth, at most 15: `2^depth` cells along each side.
    #[must_use]
    pub fn depth(self, depth: u8) -> Self {
        Self { depth: Some(depth.min(Octant::MAX_DEPTH)), ..self }
    }

    /// Fixes the cube that the tree covers: its low corner and side are the low corner and the longest side of `universe`.
    /// Ignored if empty or unbounded.
    #[must_use]
    pub fn universe(self, universe: &Aabb) -> Self {
        Self { universe: Some(*universe).filter(is_valid_universe), ..self }
    }

    /// Sets how the tree follows moving boxes and finds neighbours. Pairs are the same.
    #[must_use]
    pub fn method(self, method: OctreeMethod) -> Self {
        Self { method, ..self }
    }
}
