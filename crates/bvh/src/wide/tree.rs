//! Building a wide hierarchy.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use super::binary::{self, WideSplit};
use super::collapse::{ChildRange, ChildRanges, collapse};
use super::compact_node::CompactNode;
use super::corners::Corners;
use super::fit::{Fit, fit};
use super::node::{ChildRef, Node, WideNode};
use super::refitting::Refitting;
use super::relative_transform::TreeFrame;
use super::unit::Unit;
use super::vertices::Vertices;
use crate::fork_join;
use xcollide_math::vector::dot;

/// How a [`WideBvh`] is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WideOptions {
    /// The effort for each box.
    pub fit: Fit,
    /// How triangles are divided among the boxes.
    pub split: WideSplit,
}

impl WideOptions {
    /// For trees that are built more often than queried: about three quarters of the time to build, but a quarter
    /// to two thirds more box tests, up to twice the triangle tests, and a sixth more memory.
    #[must_use]
    pub const fn fast() -> Self {
        Self { fit: Fit::Principal, split: WideSplit::Morton }
    }
}

/// A [`WideBvh`] with boxes in f32, up to two triangles a leaf and about 60 bytes a triangle.
pub type WideTree = WideBvh<WideNode>;

/// A [`WideBvh`] with boxes in numbers of 16 bits and up to four triangles a leaf. It takes a third of the
/// memory of a [`WideTree`] (about 20 bytes a triangle); queries take 15 to 40 % longer. For many large
/// models, or small caches.
pub type CompactTree = WideBvh<CompactNode>;

/// An 8-wide hierarchy of oriented boxes over the triangles of a mesh, as a [`WideTree`] or a
/// [`CompactTree`].
///
/// It is in the model's frame; queries take it with a pose.
///
/// ```
/// use xcollide_bvh::wide::{WideOptions, WideTree};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// assert_eq!(tree.triangle_count(), 4);
/// ```
#[derive(Clone)]
pub struct WideBvh<N> {
    /// Node 0 has the box of the whole in lane 0, and nothing else. Empty if there are no triangles.
    pub(super) nodes: Vec<N>,
    /// Numbers of triangles in the order of the leaves.
    pub(super) order: Vec<u32>,
    pub(super) frame: TreeFrame,
    pub(super) options: WideOptions,
    pub(super) identity: Identity,
    /// Made by the first refit.
    pub(super) refit: Option<Box<Refitting>>,
}

/// Identifies a tree between two refits: equal only for clones.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Identity(u64);

impl Default for Identity {
    fn default() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Any order will do, as identities are only compared.
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl<N: Node> WideBvh<N> {
    /// Builds the hierarchy of triangles given by three positions each. O(n log n).
    ///
    /// Deterministic on every platform and with any number of threads. Triangles may be degenerate, or
    /// none.
    ///
    /// # Panics
    /// A triangle refers to a position that does not exist, or there are half a billion triangles
    /// (2²⁹ − 1) or more.
    #[must_use]
    pub fn build(positions: &[[f64; 3]], triangles: &[[u32; 3]], options: WideOptions) -> Self {
        assert!(triangles.len() < ChildRef::LIMIT, "too many triangles for one tree");
        Self::build_in(frame_of(positions, triangles), positions, triangles, options)
    }

    /// The hierarchy in a given frame, whose reach is set.
    pub(super) fn build_in(
        frame: TreeFrame,
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        options: WideOptions,
    ) -> Self {
        let identity = Identity::default();
        let (nodes, order) = (Vec::new(), Vec::new());
        let mut tree = Self { nodes, order, frame, options, identity, refit: None };
        if triangles.is_empty() {
            return tree;
        }
        let vertices = Vertices::new(positions, triangles, &tree.frame);
        let binary = binary::build(&vertices, options.split, N::LEAF);
        let children = collapse(&binary);
        tree.order = binary.order;
        tree.nodes = vec![N::EMPTY; children.len()];
        for (node, children) in tree.nodes.iter_mut().zip(&children) {
            for (child, range) in node.children_mut().iter_mut().zip(children.iter()) {
                *child = range.child;
            }
        }
        tree.enclose(&vertices, &children);
        tree
    }

    /// Triangles in the tree.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.order.len()
    }

    /// Nodes of the tree, a parent before its children.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers of the triangles in the order of the leaves.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// For each [node](Self::node_count) the places of the triangles below it in the [order](Self::order); those of a node
    /// are among those of its parent. Linear time.
    #[must_use]
    pub fn triangles_below(&self) -> Vec<Range<usize>> {
        let mut below = vec![0..0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            let children = node.children().iter().filter(|&&child| child != ChildRef::NONE);
            let ranges = children.map(|child| {
                if child.is_leaf() { child.range() } else { below[child.index()].clone() }
            });
            let both = |a: Range<usize>, b: Range<usize>| a.start.min(b.start)..a.end.max(b.end);
            below[index] = ranges.reduce(both).unwrap_or_default();
        }
        below
    }

    /// Memory of the nodes and of the order of the triangles, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let refit = self.refit.as_ref().map_or(0, |refit| refit.bytes());
        self.nodes.len() * size_of::<N>() + self.order.len() * size_of::<u32>() + refit
    }

    /// Gives every child its box, and the tree its reach.
    pub(super) fn enclose(&mut self, vertices: &Vertices<'_>, children: &[ChildRanges]) {
        let corners = Corners::new(vertices, &self.order);
        let how = self.options.fit;
        let mut parts: Vec<_> = self.nodes.chunks_mut(NODES).zip(children.chunks(NODES)).collect();
        let reaches = fork_join::map_mut(&mut parts, |(nodes, children)| {
            let ranges: Vec<_> =
                children.iter().flat_map(|node| node.iter()).map(ChildRange::range).collect();
            let boxes = fit(&corners, &ranges, how);
            let mut first = 0;
            let mut farthest = 0.0_f64;
            for (node, children) in nodes.iter_mut().zip(children.iter()) {
                let next = first + children.len();
                node.enclose(&boxes[first..next], &corners, &ranges[first..next]);
                first = next;
                for bounds in node.boxes_present() {
                    let center = bounds.center.map(f64::from);
                    farthest = farthest.max(dot(center, center));
                }
            }
            farthest
        });
        let farthest = reaches.into_iter().fold(0.0, f64::max).sqrt() * (1.0 + 1e-12);
        // At least a small part of the unit, so that margins relative to it are not zero.
        self.frame.reach = farthest.max(corners.farthest()).max(1.0 / 1024.0);
    }
}

/// Nodes whose boxes are fitted by one thread in turn.
const NODES: usize = 32;

/// Triangles that one thread looks at in turn.
const CHUNK: usize = 1 << 12;

/// Chooses the frame of a tree, except for its reach.
pub(super) fn frame_of(positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> TreeFrame {
    let (mut low, mut high) = fork_join::merged(
        triangles,
        CHUNK,
        &|part: &[[u32; 3]]| {
            let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
            for &corner in part.iter().flatten() {
                for (axis, &x) in positions[corner as usize].iter().enumerate() {
                    low[axis] = if x < low[axis] { x } else { low[axis] };
                    high[axis] = if x > high[axis] { x } else { high[axis] };
                }
            }
            (low, high)
        },
        // Of equal numbers the first stays, as above: zeros may differ in sign.
        &|a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3])| {
            let low = |k| if b.0[k] < a.0[k] { b.0[k] } else { a.0[k] };
            let high = |k| if b.1[k] > a.1[k] { b.1[k] } else { a.1[k] };
            ([0, 1, 2].map(low), [0, 1, 2].map(high))
        },
    );
    if triangles.is_empty() {
        (low, high) = ([0.0; 3], [0.0; 3]);
    }
    frame_between(low, high)
}

/// The frame for contents between two corners; its reach is set later.
#[inline(always)]
pub(super) fn frame_between(low: [f64; 3], high: [f64; 3]) -> TreeFrame {
    let largest = |values: [f64; 3]| values.into_iter().fold(0.0, f64::max);
    let magnitude = largest([0, 1, 2].map(|axis| high[axis].max(-low[axis])));
    // Halves first: no overflow at the end of the range of f64.
    let origin = [0, 1, 2].map(|axis| 0.5 * low[axis] + 0.5 * high[axis]);
    let half = half_between(low, high);
    TreeFrame { origin, unit: Unit::above(largest(half)), reach: 0.0, magnitude }
}

/// Half the sides of the box between two corners.
#[inline(always)]
pub(super) fn half_between(low: [f64; 3], high: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|axis| 0.5 * high[axis] - 0.5 * low[axis])
}

/// The ranges of all children, from the leaves up.
pub(super) fn child_ranges<N: Node>(nodes: &[N]) -> Vec<ChildRanges> {
    let mut ranges = vec![ChildRanges::NONE; nodes.len()];
    // A node comes after its parent.
    for (index, node) in nodes.iter().enumerate().rev() {
        for &child in node.children().iter().filter(|&&child| child != ChildRef::NONE) {
            let (start, end) = if child.is_leaf() {
                let range = child.range();
                (range.start as u32, range.end as u32)
            } else {
                let below = &ranges[child.index()];
                let start = below.iter().map(|child| child.start).min().unwrap_or(0);
                (start, below.iter().map(|child| child.end).max().unwrap_or(start))
            };
            ranges[index].push(ChildRange { start, end, child });
        }
    }
    ranges
}

impl<N> fmt::Debug for WideBvh<N> {
    /// Its size, not its nodes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WideBvh")
            .field("triangles", &self.order.len())
            .field("nodes", &self.nodes.len())
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
