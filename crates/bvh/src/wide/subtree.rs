//! A subtree of the binary hierarchy, built by one thread.

use xcollide_simd::{Simd, SimdKernel, dispatch};

use super::binary::{BinaryNode, Part, RULE_DEPTH};
use super::few::{FEW, Few};
use super::primitive::Outline;
use super::sah::{Halves, split};
use super::slots::{Costs, choose, choose_of_pair};

/// A range of triangles of a subtree.
#[derive(Clone, Copy)]
struct Range {
    start: usize,
    end: usize,
    /// Its node.
    index: usize,
    depth: u32,
    /// Whether its triangles are in the scratch memory.
    is_moved: bool,
    outline: Outline,
}

/// A node of a subtree.
#[derive(Clone, Copy, Default)]
pub(super) struct Draft {
    pub(super) start: u32,
    pub(super) count: u32,
    pub(super) area: f32,
}

/// Builds a subtree over at least one triangle: the nodes and the order. Returns the costs of its root.
pub(super) fn build(part: Part<'_>, most: usize) -> Costs {
    let Part { primitives, scratch, order, nodes, outline, depth } = part;
    let count = primitives.len();
    let mut triangles = vec![0.0; count];
    let mut drafts = vec![Draft::default(); nodes.len()];
    let mut waiting = Vec::with_capacity(64);
    waiting.push(Range { start: 0, end: count, index: 0, depth, is_moved: false, outline });
    while let Some(range) = waiting.pop() {
        let Range { start, end, index, depth, is_moved, outline } = range;
        let count = end - start;
        let [from, to] = if is_moved {
            [&mut scratch[start..end], &mut primitives[start..end]]
        } else {
            [&mut primitives[start..end], &mut scratch[start..end]]
        };
        let area = outline.extent.area();
        if count <= FEW {
            if count > 1 {
                let below = index..index + count - 1;
                let (nodes, drafts) = (&mut nodes[below.clone()], &mut drafts[below]);
                dispatch(Few { triangles: from, nodes, drafts, start, area });
            }
            for (place, triangle) in (start..).zip(&*from) {
                order[place] = triangle.triangle();
                triangles[place] = triangle.extent.area();
            }
            continue;
        }
        drafts[index] = Draft { start: start as u32, count: count as u32, area };
        let halves = if depth >= RULE_DEPTH {
            to.copy_from_slice(from);
            Halves::equal(from)
        } else {
            split(from, to, &outline.centers)
        };
        let is_moved = !is_moved;
        let first = halves.first;
        nodes[index].first = first as u32;
        let [left, right] = halves.outlines;
        let (middle, depth) = (start + first, depth + 1);
        let (behind, next) = (index + first, index + 1);
        waiting.push(Range { start: middle, end, index: behind, depth, is_moved, outline: right });
        waiting.push(Range { start, end: middle, index: next, depth, is_moved, outline: left });
    }
    dispatch(Collapse { nodes, drafts: &drafts, triangles: &triangles, most })
}

/// Chooses how the nodes of a subtree are collapsed, from the leaves up. Returns the costs of the root, or of the only
/// triangle.
pub(super) struct Collapse<'c> {
    pub(super) nodes: &'c mut [BinaryNode],
    pub(super) drafts: &'c [Draft],
    pub(super) triangles: &'c [f32],
    pub(super) most: usize,
}

impl SimdKernel for Collapse<'_> {
    type Output = Costs;

    #[inline(always)]
    fn run<S: Simd>(self) -> Costs {
        let Self { nodes, drafts, triangles, most } = self;
        let mut costs = vec![Costs::NONE; nodes.len().max(1)];
        if let [area] = triangles {
            costs[0] = Costs::of_triangle(*area);
        }
        for (index, (node, draft)) in nodes.iter_mut().zip(drafts).enumerate().rev() {
            let Draft { start, count, area } = *draft;
            let (start, count, first) = (start as usize, count as usize, node.first as usize);
            if count == 2 {
                let of_both = [triangles[start], triangles[start + 1]];
                (costs[index], node.choice) = choose_of_pair(area, of_both, most);
                continue;
            }
            let single;
            let [left, right] = if first == 1 {
                single = Costs::of_triangle(triangles[start]);
                [&single, &costs[index + 1]]
            } else if count - first == 1 {
                single = Costs::of_triangle(triangles[start + first]);
                [&costs[index + 1], &single]
            } else {
                [&costs[index + 1], &costs[index + first]]
            };
            (costs[index], node.choice) = choose::<S::F32x8>(area, count, most, [left, right]);
        }
        costs[0]
    }
}
