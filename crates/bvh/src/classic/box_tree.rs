//! The box-tree (Zachmann 1994, 3.6): boxes halved by cut-planes, edges and polygons at the leaves.
//!
//! ```text
//!  +----------+-----+     A node stores only an axis and the place of its cut-plane: the box of a
//!  |      /\  |     |     node follows from the boxes above. The two boxes of a cut share its plane,
//!  |     /  \_|__   |     so they *partition* the box, and a polygon that crosses the plane belongs
//!  |    /____ | /   |     to both (here the upper one). Only leaves list polygons; most polygons
//!  |   __     |/    |     that cross are discarded further down (figure 3.27).
//!  |  /_/     |     |
//!  +----------+-----+
//! ```
//!
//! When a box is halved, most results for its twelve edges and another box hold for the halves too: see
//! [`BoxTest::LineTables`].
//!
//! # Why no colliding pair is lost
//!
//! A cut has a thickness (3.6.3): a polygon with the extent `[low, high]` along the axis goes to the left
//! only if `high ≤ c + δ`, to the right only if `low ≥ c − δ`, else to both. *Claim:* each point of a
//! polygon lies in the box of some leaf that lists the polygon, or within δ of it on every axis. That holds
//! for the root. If it holds for a node and the polygon goes to both children, the point is on one side of
//! c. If the polygon goes to the left only, the point's coordinate is at most `c + δ`, so within δ of the
//! left box. ∎
//!
//! If two world triangles meet, their local bodies have points p̄ and q̄ that the relative motion brings
//! within the [margin μ](xcollide_math::Pose::relative_margin) of each other
//! ([proof](crate::binary#why-no-colliding-pair-is-lost)). By the claim, two leaves that list the triangles,
//! and all boxes above them, come as near as `δ_a + δ_b + μ`. The tests of boxes cover that distance, and
//! their own rounding, by a margin of `2 (δ_a + δ_b) + 16 μ` on every plane at which edges are clipped.

mod cut;
mod edge_lines;
mod grow;
mod options;
mod tables;
mod traversal;

use xcollide_bounds::Aabb;

use crate::BuildError;
use crate::build_error::check;
use crate::classic::cut_tree::{CutNode, CutTree};
use crate::fork_join;

pub use options::{BoxTreeOptions, CutSearch};
pub use traversal::{BoxTest, BoxTreePart, BoxTreeTraversal, EdgeFace};

use grow::{Grown, Plan, Work};

/// A box-tree over triangles and, optionally, edges.
///
/// Leaves list triangles and edges by their numbers. Building takes O(n log n) to O(n log² n); the tree has
/// O(n) nodes, as [`BoxTreeOptions::max_copies`] limits copies.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::Candidates;
/// use xcollide_bvh::classic::box_tree::{BoxTree, BoxTreeOptions, BoxTreeTraversal};
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree = BoxTree::new(&strip, &[], &BoxTreeOptions::default())?;
/// let upright = Pose::from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]], [50.0, 0.0, 0.0])?;
///
/// let world = |motion: &Pose, i: u32| strip[i as usize].map(|corner| motion.apply(corner));
/// let hits = BoxTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &upright))
///     .all(|a, b| triangles_intersect(&world(&Pose::IDENTITY, a), &world(&upright, b)));
/// assert!(!hits.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct BoxTree {
    /// The root first; the two children of a node stand side by side.
    nodes: Vec<Node>,
    /// Where the lists of triangles and edges of each leaf end. The lists of the next leaf begin there.
    ends: Vec<[u32; 2]>,
    /// The lists of all leaves: triangles, edges.
    lists: [Vec<u32>; 2],
    /// The boxes of the items themselves: triangles, edges.
    boxes: [Vec<Aabb>; 2],
    /// The box of the root.
    cell: Aabb,
    /// The largest magnitude of a coordinate.
    reach: f64,
    /// Half the thickness of cut-planes relative to the longest side, as in the options.
    relative_thickness: f64,
    /// Half the thickness of cut-planes.
    thickness: f64,
    depth: u32,
}

/// A node as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node {
    /// Where the axis is cut.
    cut: f64,
    /// The number of a leaf, else the left child; the right one follows it.
    first: u32,
    /// The axis of the cut, or [`LEAF`].
    axis: u32,
}

const _: () = assert!(size_of::<Node>() == 16);

/// The axis of leaves.
const LEAF: u32 = 3;

/// The limit of items, and of entries in leaves.
const MOST: usize = i32::MAX as usize;

/// The index of triangles in pairs of lists.
const TRIANGLES: usize = 0;
/// The index of edges in pairs of lists.
const EDGES: usize = 1;

impl BoxTree {
    /// Builds the tree. Without edges it serves for pairs of triangles only.
    ///
    /// Triangles may be degenerate. The same input gives the same tree with any number of threads.
    ///
    /// # Errors
    /// Coordinates that are not finite; 2³¹ triangles or edges, or that many entries in leaves.
    pub fn new(
        triangles: &[[[f64; 3]; 3]],
        edges: &[[[f64; 3]; 2]],
        options: &BoxTreeOptions,
    ) -> Result<Self, BuildError> {
        let thickness = options.thickness.clamp(0.0, 0.01);
        Self::unbuilt(triangles, edges, thickness)?.grown(Plan::Search(options))
    }

    /// Adapts the tree to moved vertices, in O(n · depth): the cuts keep their place relative to the box of
    /// the whole, and the items are sorted into the leaves again.
    ///
    /// # Errors
    /// Another number of triangles or edges; coordinates that are not finite. The tree is then
    /// unchanged.
    pub fn refit(
        &mut self,
        triangles: &[[[f64; 3]; 3]],
        edges: &[[[f64; 3]; 2]],
    ) -> Result<(), BuildError> {
        let counts = [triangles.len(), edges.len()];
        for (found, boxes) in counts.into_iter().zip(&self.boxes) {
            if found != boxes.len() {
                return Err(BuildError::Count { found, expected: boxes.len() });
            }
        }
        let tree = Self::unbuilt(triangles, edges, self.relative_thickness)?;
        let plan = Plan::Keep { nodes: &self.nodes, before: self.cell, now: tree.cell };
        *self = tree.grown(plan)?;
        Ok(())
    }

    /// The largest magnitude of a coordinate.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Bytes on the heap: nodes, lists, and the boxes of the items.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lists: usize = self.lists.iter().map(Vec::len).sum();
        let boxes: usize = self.boxes.iter().map(Vec::len).sum();
        self.nodes.len() * size_of::<Node>()
            + self.ends.len() * size_of::<[u32; 2]>()
            + lists * size_of::<u32>()
            + boxes * size_of::<Aabb>()
    }

    fn triangles(&self) -> usize {
        self.boxes[TRIANGLES].len()
    }

    /// The items that a leaf lists, of one kind.
    fn leaf_items(&self, leaf: usize, kind: usize) -> &[u32] {
        let start = if leaf == 0 { 0 } else { self.ends[leaf - 1][kind] };
        &self.lists[kind][start as usize..self.ends[leaf][kind] as usize]
    }

    /// A tree without nodes: the boxes of the items, and the values that follow from them.
    fn unbuilt(
        triangles: &[[[f64; 3]; 3]],
        edges: &[[[f64; 3]; 2]],
        relative_thickness: f64,
    ) -> Result<Self, BuildError> {
        for found in [triangles.len(), edges.len()] {
            if found > MOST {
                return Err(BuildError::TooMany { found, limit: MOST });
            }
        }
        check(triangles)?;
        check(edges)?;
        let around = |corners: &[[f64; 3]]| Aabb::from_points(corners.iter().copied());
        let boxes = [
            fork_join::map(triangles, |corners| around(corners)),
            fork_join::map(edges, |corners| around(corners)),
        ];
        let cell = boxes.iter().flatten().fold(Aabb::EMPTY, |cell, item| cell.merged(item));
        let corners = cell.min.into_iter().chain(cell.max);
        let reach = corners.map(f64::abs).filter(|value| value.is_finite()).fold(0.0, f64::max);
        let longest = cell.size().into_iter().fold(0.0, f64::max);
        Ok(Self {
            nodes: Vec::new(),
            ends: Vec::new(),
            lists: Default::default(),
            boxes,
            cell,
            reach,
            relative_thickness,
            // Never thinner than the rounding of coordinates.
            thickness: (relative_thickness * longest).max(8.0 * f64::EPSILON * reach),
            depth: 0,
        })
    }

    /// The tree with its cuts, and the items sorted into leaves.
    fn grown(mut self, plan: Plan<'_>) -> Result<Self, BuildError> {
        let work = Work { boxes: &self.boxes, thickness: self.thickness, plan };
        let Grown { nodes, ends, lists, depth } = work.grow(self.cell);
        if let Some(list) = lists.iter().find(|list| list.len() > MOST) {
            return Err(BuildError::TooMany { found: list.len(), limit: MOST });
        }
        (self.nodes, self.ends, self.lists, self.depth) = (nodes, ends, lists, depth);
        self.nodes.shrink_to_fit();
        self.ends.shrink_to_fit();
        self.lists.iter_mut().for_each(Vec::shrink_to_fit);
        Ok(self)
    }
}

impl CutTree for BoxTree {
    fn leaf(&self, leaf: usize) -> impl Iterator<Item = u32> {
        self.leaf_items(leaf, TRIANGLES).iter().copied()
    }

    fn cell(&self) -> &Aabb {
        if self.triangles() > 0 { &self.cell } else { &Aabb::EMPTY }
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    fn thickness(&self) -> f64 {
        self.thickness
    }

    #[inline]
    fn open(&self, node: u32) -> CutNode {
        let Node { cut, first, axis } = self.nodes[node as usize];
        if axis == LEAF {
            CutNode::Leaf(first as usize)
        } else {
            CutNode::Inner { axis: axis as usize, planes: [cut; 2], children: [first, first + 1] }
        }
    }
}
