//! The binary hierarchy that is collapsed to the wide one: ranges of triangles, split in two.
//!
//! A subtree over n triangles has n − 1 nodes, so the place of each node is known in advance and several
//! threads can build halves. `sah` and `morton` choose the splits, `slots` how the nodes are collapsed.

use super::primitive::{Outline, Primitive};
use super::sah::{Halves, split_in_parallel};
use super::slots::{Choice, Choose, Costs};
use super::vertices::Vertices;
use super::{morton, subtree};
use crate::fork_join;
use xcollide_simd::dispatch;

/// A range of at least two triangles of the order, split in two.
///
/// The node of the first half, if that has several triangles, follows its parent; that of the second half
/// follows the nodes of the first one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BinaryNode {
    /// Triangles in the first half.
    pub(super) first: u32,
    pub(super) choice: Choice,
}

/// The nodes, a parent before its halves, and the order of the triangles that their ranges refer to.
pub(super) struct BinaryTree {
    pub(super) nodes: Vec<BinaryNode>,
    pub(super) order: Vec<u32>,
}

/// From this depth on ranges are halved by number instead of by the heuristic: at most 30 more levels.
pub(super) const RULE_DEPTH: u32 = 90;

/// Subtrees up to this size are built by one thread.
pub(super) const TASK: usize = 512;

/// Triangles that one thread measures in turn.
const CHUNK: usize = 1 << 14;

/// How a [`WideBvh`](super::WideBvh) divides its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WideSplit {
    /// Where the surface area heuristic is least (Wald 2007), in 16 bins on each axis.
    #[default]
    SurfaceArea,
    /// Along Morton's space-filling curve (Lauterbach and others 2009).
    Morton,
}

/// Halves at least one triangle recursively. Leaves will have up to `most` triangles. O(n log n) on ordinary
/// meshes.
pub(super) fn build(vertices: &Vertices<'_>, split: WideSplit, most: usize) -> BinaryTree {
    let mut primitives: Vec<Primitive> =
        fork_join::numbered(&vertices.triangles, |index, triangle| {
            Primitive::new(index, vertices.corners(triangle))
        });
    let mut nodes = vec![BinaryNode::default(); primitives.len() - 1];
    let mut order = vec![0; primitives.len()];
    match split {
        WideSplit::SurfaceArea => {
            let mut scratch = primitives.clone();
            let outline = fork_join::merged(&primitives, CHUNK, &Outline::of, &Outline::merged);
            let part = Part {
                primitives: &mut primitives,
                scratch: &mut scratch,
                order: &mut order,
                nodes: &mut nodes,
                outline,
                depth: 0,
            };
            part.build(most);
        }
        WideSplit::Morton => morton::build(&primitives, &mut order, &mut nodes, most),
    }
    BinaryTree { nodes, order }
}

/// A range of triangles that is to be halved.
pub(super) struct Part<'p> {
    pub(super) primitives: &'p mut [Primitive],
    /// As many; their contents do not matter.
    pub(super) scratch: &'p mut [Primitive],
    /// The range of the order.
    pub(super) order: &'p mut [u32],
    /// The nodes, one less than triangles.
    pub(super) nodes: &'p mut [BinaryNode],
    pub(super) outline: Outline,
    pub(super) depth: u32,
}

impl Part<'_> {
    fn build(self, most: usize) -> Costs {
        let count = self.primitives.len();
        if count <= TASK {
            return subtree::build(self, most);
        }
        let Self { primitives, scratch, order, nodes, outline, depth } = self;
        let halves = if depth < RULE_DEPTH {
            split_in_parallel(primitives, scratch, &outline.centers)
        } else {
            scratch.copy_from_slice(primitives);
            Halves::equal(primitives)
        };
        let first = halves.first;
        let Some((node, below)) = nodes.split_first_mut() else { return Costs::NONE };
        let (left, right) = scratch.split_at_mut(first);
        let (scratch_left, scratch_right) = primitives.split_at_mut(first);
        let (order_left, order_right) = order.split_at_mut(first);
        let (nodes_left, nodes_right) = below.split_at_mut(first - 1);
        let [outline_left, outline_right] = halves.outlines;
        let depth = depth + 1;
        let left = Part {
            primitives: left,
            scratch: scratch_left,
            order: order_left,
            nodes: nodes_left,
            outline: outline_left,
            depth,
        };
        let right = Part {
            primitives: right,
            scratch: scratch_right,
            order: order_right,
            nodes: nodes_right,
            outline: outline_right,
            depth,
        };
        let (left, right) = fork_join::join(true, || left.build(most), || right.build(most));
        let area = outline.extent.area();
        let (costs, choice) = dispatch(Choose { area, count, most, halves: [&left, &right] });
        *node = BinaryNode { first: first as u32, choice };
        costs
    }
}

/// The hierarchy of triangles whose corners are below 1, with up to two triangles a leaf.
#[cfg(test)]
pub(super) fn of_soup(soup: &[[[f64; 3]; 3]], split: WideSplit) -> BinaryTree {
    use super::relative_transform::TreeFrame;
    let triangles: Vec<[u32; 3]> =
        (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let vertices = Vertices::new(&soup.concat(), &triangles, &TreeFrame::UNIT);
    build(&vertices, split, 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(triangles: &[[[f64; 3]; 3]]) {
        for split in [WideSplit::SurfaceArea, WideSplit::Morton] {
            check_split(triangles, split);
        }
    }

    fn check_split(triangles: &[[[f64; 3]; 3]], split: WideSplit) {
        let BinaryTree { nodes, order } = of_soup(triangles, split);
        assert_eq!(nodes.len(), triangles.len() - 1);
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &triangle)| i == triangle as usize));
        // Nodes and the numbers of their triangles.
        let mut waiting = vec![(0, triangles.len())];
        let mut seen = 0;
        while let Some((index, count)) = waiting.pop() {
            if count > 1 {
                assert_eq!(index, seen);
                seen += 1;
                let first = nodes[index].first as usize;
                assert!(first > 0 && first < count);
                waiting.push((index + first, count - first));
                waiting.push((index + 1, first));
            }
        }
        assert_eq!(seen, nodes.len());
    }

    #[test]
    fn every_range_is_halved_down_to_one_triangle() {
        let line: Vec<_> = (0..100).map(|i| [[f64::from(i) * 0.01, 0.0, 0.0]; 3]).collect();
        check(&line);
        check(&[[[0.5; 3]; 3]; 37]);
        let shrinking: Vec<_> = (0..300).map(|i| [[0.5_f64.powi(i), 0.0, 0.0]; 3]).collect();
        check(&shrinking);
    }
}
