//! A hierarchy of any kind of wide node: building, refitting and measuring it. The variants of
//! [`WideTree`](super::WideTree) are made of it.

#[cfg(feature = "serde")]
mod stored;

use std::fmt;

use super::WideOptions;
use super::binary;
use super::collapse::{Parts, collapse};
use super::fit::Fit;
use super::node::{ChildRef, Node, Tree, WIDTH};
use super::relative_transform::Frame;
use super::tree::{localize, parts};
use crate::fork_join;

/// A node that is made around triangles.
pub(super) trait Fitted: Node {
    /// Triangles that a leaf may hold, four at most.
    const LEAF: usize;

    /// Writes the volumes around ranges of triangles with coordinates up to about 1 into the first
    /// lanes.
    fn enclose(&mut self, ranges: &[&[[[f64; 3]; 3]]], how: Fit);

    fn center(&self, lane: usize) -> [f32; 3];
}

#[derive(Clone)]
pub(super) struct Packed<N> {
    nodes: Vec<N>,
    order: Vec<u32>,
    frame: Frame,
    fit: Fit,
}

impl<N: Fitted> Packed<N> {
    pub(super) fn build(
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        options: WideOptions,
    ) -> Self {
        assert!(triangles.len() < ChildRef::LIMIT, "too many triangles for one tree");
        let (frame, local) = localize(positions, triangles);
        let mut tree = Self { nodes: Vec::new(), order: Vec::new(), frame, fit: options.fit };
        if local.is_empty() {
            return tree;
        }
        let (binary, order) = binary::build(&local, options.split);
        let parts = collapse(&binary, N::LEAF);
        drop(binary);
        tree.order = order;
        tree.nodes = vec![N::EMPTY; parts.len()];
        for (node, parts) in tree.nodes.iter_mut().zip(&parts) {
            for (child, part) in node.children_mut().iter_mut().zip(parts.iter()) {
                *child = part.child;
            }
        }
        tree.enclose(&local, &parts);
        tree
    }

    pub(super) fn refit(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        assert_eq!(triangles.len(), self.order.len(), "the triangles are not those of the tree");
        let (frame, local) = localize(positions, triangles);
        self.frame = frame;
        let parts = parts(&self.nodes);
        self.enclose(&local, &parts);
    }

    pub(super) fn triangle_count(&self) -> usize {
        self.order.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<N>() + self.order.len() * size_of::<u32>()
    }

    /// Gives every child its volume, and the tree its reach.
    fn enclose(&mut self, local: &[[[f64; 3]; 3]], parts: &[Parts]) {
        let ordered: Vec<_> = fork_join::map(&self.order, |&triangle| local[triangle as usize]);
        let how = self.fit;
        fork_join::zip(&mut self.nodes, parts, |node: &mut N, parts: &Parts| {
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

impl<N: Node> Tree for Packed<N> {
    type Node = N;

    #[inline(always)]
    fn nodes(&self) -> &[N] {
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

impl<N> fmt::Debug for Packed<N> {
    /// Its size, not its nodes.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Packed")
            .field("triangles", &self.order.len())
            .field("nodes", &self.nodes.len())
            .field("fit", &self.fit)
            .finish_non_exhaustive()
    }
}
