//! Building, refitting and measuring the hierarchy.

use std::fmt;

use super::binary::{self, WideSplit};
use super::collapse::{ChildRange, ChildRanges, LEAF_TRIANGLES, collapse};
use super::fit::{Fit, fit, reach};
use super::node::{ChildRef, Node, WIDTH, WideNode};
use super::relative_transform::Frame;
use super::temporal_front::Identity;
use super::unit::Unit;
use crate::fork_join;

/// How a [`WideTree`] is built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WideOptions {
    /// How much work goes into each box.
    pub fit: Fit,
    /// How triangles are divided among the boxes.
    pub split: WideSplit,
}

impl WideOptions {
    /// For trees that are built more often than queried: about 60 % of the time to build, but a quarter
    /// to two thirds more box tests, many times the triangle tests where surfaces run close together,
    /// and a sixth more memory.
    #[must_use]
    pub const fn fast() -> Self {
        Self { fit: Fit::Principal, split: WideSplit::Morton }
    }
}

/// An 8-wide hierarchy of oriented boxes in f32 over the triangles of a mesh.
///
/// It is in the model's frame; each query passes the pose in a [`WidePlaced`](super::WidePlaced). 512
/// bytes a node, about 60 bytes a triangle.
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
pub struct WideTree {
    /// Node 0 has the box of the whole in lane 0, and nothing else. Empty where there are no
    /// triangles.
    pub(super) nodes: Vec<WideNode>,
    /// Numbers of triangles in the order in which leaves refer to them.
    pub(super) order: Vec<u32>,
    /// The point of the model's frame that is the origin of the tree's.
    pub(super) origin: [f64; 3],
    /// The length in the model's frame that is 1 in the tree's.
    pub(super) unit: Unit,
    /// No point of a box's contents, and no center, is farther from the tree's origin.
    pub(super) reach: f64,
    /// The largest magnitude of a coordinate in the model's frame.
    pub(super) magnitude: f64,
    /// Another one after each refitting.
    pub(super) identity: Identity,
    pub(super) fit: Fit,
}

impl WideTree {
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
        let mut tree = Self {
            nodes: Vec::new(),
            order: Vec::new(),
            origin: [0.0; 3],
            unit: Unit::above(1.0),
            reach: 0.0,
            magnitude: 0.0,
            identity: Identity::default(),
            fit: options.fit,
        };
        let local = tree.localize(positions, triangles);
        if local.is_empty() {
            return tree;
        }
        let (binary, order) = binary::build(&local, options.split);
        let parts = collapse(&binary, LEAF_TRIANGLES);
        drop(binary);
        tree.order = order;
        tree.nodes = vec![WideNode::EMPTY; parts.len()];
        for (node, parts) in tree.nodes.iter_mut().zip(&parts) {
            for (lane, part) in parts.iter().enumerate() {
                node.children[lane] = part.child;
            }
        }
        tree.enclose(&local, &parts);
        tree
    }

    /// Fits the boxes to moved positions of the same triangles, in the order of
    /// [`build`](Self::build), and keeps the nesting. O(n log n), somewhat faster than building; after
    /// large deformations a new tree is faster to query.
    ///
    /// # Panics
    /// There are not as many triangles as before, or one refers to a position that does not exist.
    pub fn refit(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        assert_eq!(triangles.len(), self.order.len(), "the triangles are not those of the tree");
        let local = self.localize(positions, triangles);
        if local.is_empty() {
            return;
        }
        let parts = parts(&self.nodes);
        self.identity = Identity::default();
        self.enclose(&local, &parts);
    }

    /// Triangles in the tree.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.order.len()
    }

    /// Memory of the nodes and of the order of the triangles, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<WideNode>() + self.order.len() * size_of::<u32>()
    }

    /// Chooses origin and unit, and gives the triangles in the tree's frame.
    fn localize(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<[[f64; 3]; 3]> {
        let (frame, local) = localize(positions, triangles);
        (self.origin, self.unit, self.magnitude) = (frame.origin, frame.unit, frame.magnitude);
        local
    }

    /// Gives every child its box.
    fn enclose(&mut self, local: &[[[f64; 3]; 3]], parts: &[ChildRanges]) {
        let ordered: Vec<_> = fork_join::map(&self.order, |&triangle| local[triangle as usize]);
        let how = self.fit;
        fork_join::zip(&mut self.nodes, parts, |node: &mut WideNode, parts: &ChildRanges| {
            for (lane, part) in parts.iter().enumerate() {
                node.set(lane, &fit(&ordered[part.start as usize..part.end as usize], how));
            }
        });

        let square = |p: &[f64; 3]| p.iter().map(|x| x * x).sum::<f64>();
        let most = |part: &[[[f64; 3]; 3]]| part.iter().flatten().map(square).fold(0.0, f64::max);
        let farthest = fork_join::merged(local, CHUNK, &most, &f64::max).sqrt();
        // No less than a part of the unit, so that margins in proportion to it are no zero.
        let reach = |nodes: &[WideNode]| {
            nodes
                .iter()
                .flat_map(|node| {
                    (0..WIDTH)
                        .filter(|&lane| node.children[lane] != ChildRef::NONE)
                        .map(|lane| reach(&node.get(lane), farthest))
                })
                .fold(1.0 / 1024.0, f64::max)
        };
        self.reach = fork_join::merged(&self.nodes, CHUNK, &reach, &f64::max);
    }
}

/// So many triangles or nodes are looked at by one thread.
const CHUNK: usize = 1 << 12;

/// Chooses origin and unit, and gives the triangles in the frame of a tree; its reach is not yet known.
pub(super) fn localize(
    positions: &[[f64; 3]],
    triangles: &[[u32; 3]],
) -> (Frame, Vec<[[f64; 3]; 3]>) {
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
        // Of zeros of either sign the first stays, as above.
        &|a: ([f64; 3], [f64; 3]), b: ([f64; 3], [f64; 3])| {
            let low = |k| if b.0[k] < a.0[k] { b.0[k] } else { a.0[k] };
            let high = |k| if b.1[k] > a.1[k] { b.1[k] } else { a.1[k] };
            ([0, 1, 2].map(low), [0, 1, 2].map(high))
        },
    );
    if triangles.is_empty() {
        (low, high) = ([0.0; 3], [0.0; 3]);
    }
    let frame = frame_between(low, high);
    let (origin, scale) = (frame.origin, frame.unit.reciprocal());
    let local = fork_join::map(triangles, |corners| {
        corners.map(|corner| {
            let p = positions[corner as usize];
            [0, 1, 2].map(|axis| (p[axis] - origin[axis]) * scale)
        })
    });
    (frame, local)
}

/// The frame for contents between two corners; its reach is not yet known.
#[inline(always)]
pub(super) fn frame_between(low: [f64; 3], high: [f64; 3]) -> Frame {
    let largest = |values: [f64; 3]| values.into_iter().fold(0.0, f64::max);
    let magnitude = largest([0, 1, 2].map(|axis| high[axis].max(-low[axis])));
    // Halves first: no overflow at the end of the range of f64.
    let origin = [0, 1, 2].map(|axis| 0.5 * low[axis] + 0.5 * high[axis]);
    let half = [0, 1, 2].map(|axis| 0.5 * high[axis] - 0.5 * low[axis]);
    Frame { origin, unit: Unit::above(largest(half)), reach: 0.0, magnitude }
}

/// The ranges of all children, from the leaves up.
pub(super) fn parts<N: Node>(nodes: &[N]) -> Vec<ChildRanges> {
    let mut parts = vec![ChildRanges::NONE; nodes.len()];
    // Nodes come after those that lead to them.
    for (index, node) in nodes.iter().enumerate().rev() {
        for &child in node.children().iter().filter(|&&child| child != ChildRef::NONE) {
            let (start, end) = if child.is_leaf() {
                let range = child.range();
                (range.start as u32, range.end as u32)
            } else {
                let below = &parts[child.index()];
                let start = below.iter().map(|part| part.start).min().unwrap_or(0);
                (start, below.iter().map(|part| part.end).max().unwrap_or(start))
            };
            parts[index].push(ChildRange { start, end, child });
        }
    }
    parts
}

impl fmt::Debug for WideTree {
    /// Its size, not its nodes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("WideTree")
            .field("triangles", &self.order.len())
            .field("nodes", &self.nodes.len())
            .field("fit", &self.fit)
            .finish_non_exhaustive()
    }
}
