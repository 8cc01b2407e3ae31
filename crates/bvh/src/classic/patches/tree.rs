//! The hierarchy over the patches (Daneu 2002, 3.3.2).

use std::ops::Range;

use xcollide_bounds::{Aabb, BoundingVolume, KDop};

use super::{PatchError, Patches};
use crate::binary::{Builder, Bvh, Fit, Split};

/// How to build a [`PatchTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PatchOptions {
    /// The most triangles of a patch, up to [`Patches::LARGEST`].
    pub most: usize,
    /// How the patches are divided among nodes; Daneu uses [`Split::MeanVariance`].
    pub split: Split,
    /// How the volumes of inner nodes are computed.
    pub fit: Fit,
    /// Whether to build the hierarchy with the threads of the current rayon pool. The result is the same. Not stored: the
    /// reading program chooses.
    #[cfg(feature = "parallel")]
    #[cfg_attr(feature = "serde", serde(skip))]
    pub parallel: bool,
}

impl Default for PatchOptions {
    /// At most 6 triangles a patch, as in the paper (10 and 16 take up to a tenth more time and a tenth less
    /// memory), divided by the surface area heuristic.
    fn default() -> Self {
        Self {
            most: 6,
            split: Split::default(),
            fit: Fit::Merged,
            #[cfg(feature = "parallel")]
            parallel: false,
        }
    }
}

/// A binary hierarchy, by default of 18-DOPs, with a convex patch in each leaf.
///
/// ```
/// use xcollide_bvh::classic::patches::{PatchOptions, PatchTree};
///
/// // A pyramid without its base.
/// let positions =
///     [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]];
/// let mut tree: PatchTree = PatchTree::build(&positions, &triangles, &PatchOptions::default())?;
/// assert_eq!((tree.patches().len(), tree.hierarchy().nodes().len()), (1, 1));
///
/// // Two of its corners move up. It becomes a saddle, which the tree still contains.
/// let bent = positions.map(|[x, y, z]| [x, y, z + 3.0 * x * x]);
/// assert_eq!(tree.refit(&bent)?, 1, "patch that is convex no more");
/// # Ok::<(), xcollide_bvh::classic::patches::PatchError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PatchTree<V = KDop<18>> {
    pub(super) patches: Patches,
    pub(super) tree: Bvh<V>,
    /// Whether inner volumes come from their children.
    pub(super) merged: bool,
    /// Divides the patches among nodes, by their boxes, on one thread.
    builder: Builder,
}

impl<V: BoundingVolume> PatchTree<V> {
    /// Cuts the mesh into patches and builds the hierarchy over them, in the time of [`Patches::new`] and
    /// [`Builder::build`].
    ///
    /// # Errors
    /// Corners that do not exist, coordinates that are not finite, too many triangles.
    pub fn build(
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        options: &PatchOptions,
    ) -> Result<Self, PatchError> {
        let patches = Patches::new(positions, triangles, options.most)?;
        // The volumes are fitted to the triangles later.
        let alone = Builder::new(options.split).fit(Fit::Merged);
        let builder = alone;
        #[cfg(feature = "parallel")]
        let builder = builder.parallel(options.parallel);
        let too_many = |_| PatchError::TooMany { found: triangles.len() };
        let tree = builder.build(&boxes(&patches, positions)).map_err(too_many)?;
        let mut built = Self { patches, tree, merged: options.fit == Fit::Merged, builder: alone };
        built.fit(positions);
        Ok(built)
    }

    /// The patches.
    #[must_use]
    pub fn patches(&self) -> &Patches {
        &self.patches
    }

    /// The hierarchy; its primitives are the patches, by number.
    #[must_use]
    pub fn hierarchy(&self) -> &Bvh<V> {
        &self.tree
    }

    /// Memory in bytes. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.patches.bytes() + self.tree.bytes()
    }

    /// Adapts the volumes to moved vertices, and determines which patches are still convex. Returns the
    /// number of those that are not; they are still bounded.
    ///
    /// The patches stay. The parts of the hierarchy that no longer suit them are
    /// [built again](Bvh::rebuild_worn). O(most) exact signs a triangle, linear time for the volumes, and that of
    /// [`Builder::build`] for the parts.
    ///
    /// # Errors
    /// A vertex that is missing or not finite. The tree is then unchanged.
    pub fn refit(&mut self, positions: &[[f64; 3]]) -> Result<usize, PatchError> {
        let loose = self.patches.verify(positions)?;
        let too_many = |_| PatchError::TooMany { found: self.patches.triangle_count() };
        let boxes = boxes(&self.patches, positions);
        self.tree.refit(&boxes, Fit::Merged).map_err(too_many)?;
        self.tree.rebuild_worn(&boxes, &self.builder).map_err(too_many)?;
        self.fit(positions);
        Ok(loose)
    }

    /// Gives every node its volume.
    fn fit(&mut self, positions: &[[f64; 3]]) {
        let nodes = &self.tree.nodes;
        // The part of the order below each node.
        let mut below: Vec<Range<usize>> = vec![0..0; nodes.len()];
        let mut corners = Vec::new();
        let mut volumes: Vec<Option<V>> = vec![None; nodes.len()];
        for (index, node) in nodes.iter().enumerate().rev() {
            let leaf = node.primitives();
            let children = [index + 1, node.link as usize];
            below[index] = match &leaf {
                Some(range) => range.clone(),
                None => below[children[0]].start..below[children[1]].end,
            };
            let of_children = || {
                let [left, right] = children.map(|child| volumes[child].as_ref());
                Some(left?.merged(right?))
            };
            let merged = if leaf.is_none() && self.merged { of_children() } else { None };
            volumes[index] = Some(merged.unwrap_or_else(|| {
                corners.clear();
                for &patch in &self.tree.order[below[index].clone()] {
                    let patch = self.patches.patch(patch as usize);
                    let of = |triangle| patch.corners(triangle, positions);
                    corners.extend(patch.triangles.iter().map(of));
                }
                V::fit_triangles(&corners)
            }));
        }
        for (node, volume) in self.tree.nodes.iter_mut().zip(volumes) {
            if let Some(volume) = volume {
                node.volume = volume;
            }
        }
    }
}

/// The least and the greatest corner of the box around each patch, by which the hierarchy is split.
fn boxes(patches: &Patches, positions: &[[f64; 3]]) -> Vec<[[f64; 3]; 2]> {
    let bounds = |vertices: &[u32]| {
        let bounds = Aabb::from_points(vertices.iter().map(|&v| positions[v as usize]));
        [bounds.min, bounds.max]
    };
    patches.iter().map(|patch| bounds(patch.vertices)).collect()
}
