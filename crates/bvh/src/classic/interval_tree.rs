//! The restricted box-tree (slides, "Restricted Boxtrees"), also known as bounding interval
//! hierarchy or spatial kd-tree.
//!
//! ```text
//!  +-------------+       The box of a child is that of its parent with one side moved inward, so a
//!  |   :/\  |    |       node is one coordinate: the left child loses a part on the right of some
//!  | /\:__\ |/\  |       axis, the right child a part on the left. Unlike the halves of a box-tree,
//!  |/__\____/__\_|       the children may overlap or leave a gap, and each triangle is in exactly
//!  |   :    |    |       one of them.
//!  +-------------+
//!      :    +- the left child ends here
//!      +------ the right child begins here
//! ```
//!
//! A node with a single child cuts off empty space.
//!
//! This is the smallest hierarchy here: 8 bytes a node, with the coordinate in f32 relative to the middle of
//! the whole, rounded outward. Boxes are tested by re-alignment, as in
//! [`BoxTest::Realigned`](super::box_tree::BoxTest::Realigned).

mod build;
mod traversal;

use xcollide_bounds::Aabb;
use xcollide_math::{f32_above, f32_below};

use crate::BuildError;
use crate::build_error::check;
use crate::classic::cut_tree::{CutNode, CutTree};
use crate::fork_join;

pub use build::IntervalSplit;
pub use traversal::{IntervalTreePart, IntervalTreeTraversal};

/// A restricted box-tree over triangles.
///
/// The tree stores numbers of triangles. Each is in exactly one leaf, and in the boxes of all nodes above.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::Candidates;
/// use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree = IntervalTree::new(&strip, IntervalSplit::default(), 1)?;
/// assert!(tree.bytes() <= strip.len() * 20);
///
/// let upright = Pose::from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]], [50.0, 0.0, 0.0])?;
/// let world = |motion: &Pose, i: u32| strip[i as usize].map(|corner| motion.apply(corner));
/// let hits = IntervalTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &upright))
///     .all(|a, b| triangles_intersect(&world(&Pose::IDENTITY, a), &world(&upright, b)));
/// assert!(!hits.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct IntervalTree {
    /// The root first, which has no plane. Siblings stand side by side, children after their parents.
    nodes: Vec<Node>,
    /// The triangles in the order of the leaves; [`LAST`] marks the last one of each leaf.
    order: Vec<u32>,
    /// The box of the root.
    cell: Aabb,
    /// The largest magnitude of a coordinate.
    reach: f64,
    depth: u32,
}

/// A node as stored: the plane that bounds it, and its content.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Node {
    /// The coordinate of the moved side relative to the middle of the root's box: the upper side of a left
    /// child, the lower side of a right child.
    plane: f32,
    /// The [`Kind`] in the four lowest bits. Above them the number of the first child, or the place in
    /// `order` of a leaf's first triangle.
    link: u32,
}

const _: () = assert!(size_of::<Node>() == 8);

/// The kind of a node, with its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Triangles.
    Leaf,
    /// Two children: the left one is cut off above, the right one below.
    Cut(usize),
    /// One child, without empty space at the upper end.
    TrimAbove(usize),
    /// One child, without empty space at the lower end.
    TrimBelow(usize),
}

impl Node {
    /// The kind, and the child or place.
    #[inline]
    fn content(self) -> (Kind, usize) {
        let axis = (self.link & 3) as usize;
        let kind = match (self.link >> 2 & 3, axis) {
            (0, 3) => Kind::Leaf,
            (0, _) => Kind::Cut(axis),
            (1, _) => Kind::TrimAbove(axis),
            _ => Kind::TrimBelow(axis),
        };
        (kind, (self.link >> 4) as usize)
    }

    /// Sets the kind, and the child or place.
    fn set(&mut self, kind: Kind, below: usize) {
        let bits = match kind {
            Kind::Leaf => 3,
            Kind::Cut(axis) => axis as u32,
            Kind::TrimAbove(axis) => 4 | axis as u32,
            Kind::TrimBelow(axis) => 8 | axis as u32,
        };
        self.link = (below as u32) << 4 | bits;
    }
}

/// The mark of the last triangle in a leaf.
const LAST: u32 = 1 << 31;

/// Links have 28 bits.
const MOST: usize = (1 << 28) - 1;

impl IntervalTree {
    /// Builds the tree down to `leaf_size` triangles a leaf (0 counts as 1), in O(n log n) a level.
    ///
    /// Triangles may be degenerate. The same input gives the same tree with any number of threads.
    ///
    /// # Errors
    /// Coordinates that are not finite; 2²⁸ or more triangles or nodes.
    pub fn new(
        triangles: &[[[f64; 3]; 3]],
        split: IntervalSplit,
        leaf_size: u32,
    ) -> Result<Self, BuildError> {
        if triangles.len() > MOST {
            return Err(BuildError::TooMany { found: triangles.len(), limit: MOST });
        }
        let reach = check(triangles)?;
        let boxes = boxes(triangles);
        let cell = boxes.iter().fold(Aabb::EMPTY, |cell, item| cell.merged(item));
        let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
        let (nodes, depth) = build::build(&boxes, &mut order, split, leaf_size.max(1) as usize);
        if nodes.len() > MOST {
            return Err(BuildError::TooMany { found: nodes.len(), limit: MOST });
        }
        let mut tree = Self { nodes, order, cell, reach, depth };
        tree.place_planes(&boxes);
        Ok(tree)
    }

    /// Adapts the planes to moved vertices in O(n); the triangles stay in their leaves.
    ///
    /// # Errors
    /// Another number of triangles; coordinates that are not finite. The tree is then unchanged.
    pub fn refit(&mut self, triangles: &[[[f64; 3]; 3]]) -> Result<(), BuildError> {
        if triangles.len() != self.order.len() {
            let (found, expected) = (triangles.len(), self.order.len());
            return Err(BuildError::Count { found, expected });
        }
        self.reach = check(triangles)?;
        let boxes = boxes(triangles);
        self.cell = boxes.iter().fold(Aabb::EMPTY, |cell, item| cell.merged(item));
        self.place_planes(&boxes);
        Ok(())
    }

    /// The largest magnitude of a coordinate.
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Bytes on the heap.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.order.len() * size_of::<u32>()
    }

    /// Sets the planes of all nodes, from the leaves up.
    fn place_planes(&mut self, boxes: &[Aabb]) {
        let mut around = vec![Aabb::EMPTY; self.nodes.len()];
        let middle = self.cell.center();
        for node in (0..self.nodes.len()).rev() {
            let (kind, below) = self.nodes[node].content();
            // The difference is rounded to nearest first, so one step more is needed.
            let upper =
                |around: &Aabb, axis: usize| f32_above((around.max[axis] - middle[axis]).next_up());
            let lower = |around: &Aabb, axis: usize| {
                f32_below((around.min[axis] - middle[axis]).next_down())
            };
            around[node] = match kind {
                Kind::Leaf => self
                    .leaf(below)
                    .fold(Aabb::EMPTY, |all, item| all.merged(&boxes[item as usize])),
                Kind::Cut(axis) => {
                    let (left, right) = (around[below], around[below + 1]);
                    self.nodes[below].plane = upper(&left, axis);
                    self.nodes[below + 1].plane = lower(&right, axis);
                    left.merged(&right)
                }
                Kind::TrimAbove(axis) => {
                    self.nodes[below].plane = upper(&around[below], axis);
                    around[below]
                }
                Kind::TrimBelow(axis) => {
                    self.nodes[below].plane = lower(&around[below], axis);
                    around[below]
                }
            };
        }
    }
}

/// The boxes of triangles.
fn boxes(triangles: &[[[f64; 3]; 3]]) -> Vec<Aabb> {
    fork_join::map(triangles, |corners| Aabb::from_points(*corners))
}

impl CutTree for IntervalTree {
    /// `start`: the place of the first triangle in `order`.
    fn leaf(&self, start: usize) -> impl Iterator<Item = u32> {
        let mut last = false;
        self.order[start..].iter().map_while(move |&entry| {
            let triangle = (!last).then_some(entry & !LAST);
            last |= entry & LAST != 0;
            triangle
        })
    }

    fn cell(&self) -> &Aabb {
        &self.cell
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    #[inline]
    fn open(&self, node: u32) -> CutNode {
        let (kind, below) = self.nodes[node as usize].content();
        let middle = self.cell.center();
        let above = |child: usize, axis: usize| {
            (f64::from(self.nodes[child].plane) + middle[axis]).next_up()
        };
        let below_of = |child: usize, axis: usize| {
            (f64::from(self.nodes[child].plane) + middle[axis]).next_down()
        };
        // A trimmed node has one child; a plane at infinity leaves nothing of the other.
        let (axis, planes, second) = match kind {
            Kind::Leaf => return CutNode::Leaf(below),
            Kind::Cut(axis) => (axis, [above(below, axis), below_of(below + 1, axis)], below + 1),
            Kind::TrimAbove(axis) => (axis, [above(below, axis), f64::INFINITY], below),
            Kind::TrimBelow(axis) => (axis, [f64::NEG_INFINITY, below_of(below, axis)], below),
        };
        CutNode::Inner { axis, planes, children: [below as u32, second as u32] }
    }
}
