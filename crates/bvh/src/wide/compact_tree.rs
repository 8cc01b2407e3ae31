//! The hierarchy of [compact nodes](super::compact_node): building, refitting and measuring it.

#[cfg(feature = "serde")]
mod stored;

use std::fmt;

use super::WideOptions;
use super::binary;
use super::collapse::{ChildRanges, collapse};
use super::compact_node::CompactNode;
use super::fit::Fit;
use super::node::{ChildRef, Node, Tree, WIDTH};
use super::relative_transform::Frame;
use super::tree::{localize, parts};
use crate::fork_join;

/// An 8-wide hierarchy of oriented boxes in numbers of 16 bits, with up to four triangles a leaf. A third
/// of the memory of [`WideTree`](super::WideTree) (about 20 bytes a triangle); queries take 15 to 40 %
/// longer. For many large models, or small caches.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_bvh::wide::{self, CompactTree, Traversal, WideOptions, WidePlaced};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = CompactTree::build(&positions, &triangles, WideOptions::default());
/// let here = WidePlaced { tree: &tree, motion: Pose::IDENTITY };
/// let any = |_, _| true; // An exact test belongs here.
/// assert!(wide::first_hit(here, here, &mut Traversal::new(), any).is_some());
/// ```
#[derive(Clone)]
pub struct CompactTree {
    nodes: Vec<CompactNode>,
    order: Vec<u32>,
    frame: Frame,
    fit: Fit,
}

impl CompactTree {
    /// Builds the hierarchy of triangles given by three positions each. O(n log n).
    ///
    /// Deterministic, as [`WideTree::build`](super::WideTree::build) is.
    ///
    /// # Panics
    /// A triangle refers to a position that does not exist, or there are half a billion triangles
    /// (2²⁹ − 1) or more.
    #[must_use]
    pub fn build(positions: &[[f64; 3]], triangles: &[[u32; 3]], options: WideOptions) -> Self {
        assert!(triangles.len() < ChildRef::LIMIT, "too many triangles for one tree");
        let (frame, local) = localize(positions, triangles);
        let mut tree = Self { nodes: Vec::new(), order: Vec::new(), frame, fit: options.fit };
        if local.is_empty() {
            return tree;
        }
        let (binary, order) = binary::build(&local, options.split);
        let parts = collapse(&binary, CompactNode::LEAF);
        drop(binary);
        tree.order = order;
        tree.nodes = vec![CompactNode::EMPTY; parts.len()];
        for (node, parts) in tree.nodes.iter_mut().zip(&parts) {
            for (child, part) in node.children_mut().iter_mut().zip(parts.iter()) {
                *child = part.child;
            }
        }
        tree.enclose(&local, &parts);
        tree
    }

    /// Fits the boxes to moved positions of the same triangles, as
    /// [`WideTree::refit`](super::WideTree::refit) does.
    ///
    /// # Panics
    /// There are not as many triangles as before, or one refers to a position that does not exist.
    pub fn refit(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        assert_eq!(triangles.len(), self.order.len(), "the triangles are not those of the tree");
        let (frame, local) = localize(positions, triangles);
        self.frame = frame;
        let parts = parts(&self.nodes);
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
        self.nodes.len() * size_of::<CompactNode>() + self.order.len() * size_of::<u32>()
    }

    /// Gives every child its volume, and the tree its reach.
    fn enclose(&mut self, local: &[[[f64; 3]; 3]], parts: &[ChildRanges]) {
        let ordered: Vec<_> = fork_join::map(&self.order, |&triangle| local[triangle as usize]);
        let how = self.fit;
        fork_join::zip(&mut self.nodes, parts, |node: &mut CompactNode, parts: &ChildRanges| {
            let range = |i: usize| &ordered[parts[i].start as usize..parts[i].end as usize];
            let mut ranges: [&[_]; WIDTH] = [&[]; WIDTH];
            for i in 0..parts.len() {
                ranges[i] = range(i);
            }
            node.enclose(&ranges[..parts.len()], how);
        });
        let length = |v: [f64; 3]| (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
        let farthest = local.iter().flatten().map(|&p| length(p)).fold(0.0, f64::max);
        let centers = self.nodes.iter().flat_map(|node| {
            (0..WIDTH)
                .filter(|&lane| node.children()[lane] != ChildRef::NONE)
                .map(|lane| length(node.center(lane).map(f64::from)))
        });
        // No less than a part of the unit, so that margins in proportion to it are no zero.
        self.frame.reach = centers.fold(farthest.max(1.0 / 1024.0), f64::max) * (1.0 + 1e-12);
    }
}

impl Tree for CompactTree {
    type Node = CompactNode;

    #[inline(always)]
    fn nodes(&self) -> &[CompactNode] {
        &self.nodes
    }

    #[inline(always)]
    fn order(&self) -> &[u32] {
        &self.order
    }

    fn frame(&self) -> Frame {
        self.frame
    }
}

impl fmt::Debug for CompactTree {
    /// Its size, not its nodes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CompactTree")
            .field("triangles", &self.order.len())
            .field("nodes", &self.nodes.len())
            .field("fit", &self.fit)
            .finish_non_exhaustive()
    }
}
