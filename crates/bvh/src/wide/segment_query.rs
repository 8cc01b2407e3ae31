//! Segment query (ray casting): the triangles along a segment.
//!
//! A segment in the world is a flat box in a frame of its own, so the transform and margin of
//! `relative_transform` apply with the segment as the tree Y at the identity pose, and the same kernel tests
//! it against eight boxes at once.

use std::ops::ControlFlow;

use xcollide_math::Pose;
use xcollide_simd::{Simd, SimdKernel, prefetch};

use super::descent::{doubled, with_children};
use super::fit::{Fit, fit};
use super::node::{ChildRef, Node, WIDTH};
use super::relative_transform::{Probe, TreeFrame, ways};
use super::tree::{WideBvh, frame_between};

/// A segment of the world in a tree's frame; `None` if it is too far away to meet anything.
#[inline(always)]
pub(super) fn probe<N: Node>(
    tree: &WideBvh<N>,
    to_world: &Pose,
    [start, end]: [[f64; 3]; 2],
) -> Option<Probe> {
    /// Segment and box center are in the unit cube about the origin of the segment's frame.
    const REACH: f64 = 2.0;
    if tree.nodes.is_empty() {
        return None;
    }
    let (mut low, mut high) = (start, start);
    for axis in 0..3 {
        low[axis] = if end[axis] < low[axis] { end[axis] } else { low[axis] };
        high[axis] = if end[axis] > high[axis] { end[axis] } else { high[axis] };
    }
    let frame = TreeFrame { reach: REACH, ..frame_between(low, high) };
    let (origin, scale) = (frame.origin, frame.unit.reciprocal());
    let [start, end] = [start, end].map(|p| [0, 1, 2].map(|axis| (p[axis] - origin[axis]) * scale));
    let [way, _] = ways(&tree.frame, to_world, &frame, &Pose::IDENTITY, N::EPSILON)?;
    Some(way.probe(&fit(&[[start, end, end]], Fit::Principal)))
}

/// The kernel that passes `visit` the triangles of all leaves whose boxes a probe overlaps.
pub(super) struct SegmentQuery<'d, N, V> {
    pub(super) tree: &'d WideBvh<N>,
    pub(super) probe: Probe,
    pub(super) deep: &'d mut Vec<ChildRef>,
    pub(super) visit: V,
}

/// Children on the processor's stack. Few segments in a million triangles need more.
const FEW: usize = 128;

impl<N, V> SimdKernel for SegmentQuery<'_, N, V>
where
    N: Node,
    V: FnMut(u32) -> ControlFlow<()>,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { tree, probe, deep, mut visit } = self;
        let (nodes, order) = (&tree.nodes, &tree.order);
        let mut few = [ChildRef::FIRST; FEW];
        let mut stack: &mut [ChildRef] = &mut few;
        // Node 0 has the box of the whole.
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let child = stack[height];
            if child.is_leaf() {
                for &triangle in &order[child.range()] {
                    visit(triangle)?;
                }
                continue;
            }
            if stack.len() < height + WIDTH {
                if stack.len() == FEW {
                    deep.clear();
                    deep.extend_from_slice(&few);
                }
                stack = doubled(deep, ChildRef::FIRST);
            }
            let node = &nodes[child.index()];
            let mut left = with_children(node, node.gaps::<S::F32x8>(&probe).overlapping);
            while left != 0 {
                let child = node.children()[left.trailing_zeros() as usize % WIDTH];
                left &= left - 1;
                match nodes.get(child.index()) {
                    Some(node) => prefetch(node),
                    None => prefetch(&order[child.range().start]),
                }
                stack[height] = child;
                height += 1;
            }
        }
        ControlFlow::Continue(())
    }
}
