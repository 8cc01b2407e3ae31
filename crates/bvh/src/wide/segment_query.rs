//! Segment query, or ray casting: the triangles along a segment.
//!
//! A segment in the world is a flat box in a frame of its own, so the transform and margin for boxes of
//! another tree apply (the head of `relative_transform`: the tree Y is the segment, its motion the
//! identity), and the same kernel tests it against eight volumes at once.

use std::ops::ControlFlow;

use xcollide_math::Pose;
use xcollide_simd::{Simd, SimdKernel, prefetch};

use super::descent::with_children;
use super::fit::{Fit, fit};
use super::node::{ChildRef, Node, WIDTH};
use super::relative_transform::{Frame, Probe, ways};
use super::tree::{WideBvh, frame_between};

/// A segment of the world in a tree's frame; `None` where it is so far away that it meets nothing.
#[inline(always)]
pub(super) fn probe<N: Node>(
    tree: &WideBvh<N>,
    to_world: &Pose,
    [start, end]: [[f64; 3]; 2],
) -> Option<Probe> {
    /// The segment is in the unit cube about its frame's origin, and so is the center of its box.
    const REACH: f64 = 2.0;
    if tree.nodes.is_empty() {
        return None;
    }
    let (mut low, mut high) = (start, start);
    for axis in 0..3 {
        low[axis] = if end[axis] < low[axis] { end[axis] } else { low[axis] };
        high[axis] = if end[axis] > high[axis] { end[axis] } else { high[axis] };
    }
    let frame = Frame { reach: REACH, ..frame_between(low, high) };
    let (origin, scale) = (frame.origin, frame.unit.reciprocal());
    let [start, end] = [start, end].map(|p| [0, 1, 2].map(|axis| (p[axis] - origin[axis]) * scale));
    let [way, _] = ways(&tree.frame, to_world, &frame, &Pose::IDENTITY, N::EPSILON)?;
    Some(way.probe(&fit(&[[start, end, end]], Fit::Principal)))
}

/// Showing `visit` the triangles of all leaves whose volumes a probe overlaps.
pub(super) struct SegmentQuery<'d, N, V> {
    pub(super) tree: &'d WideBvh<N>,
    pub(super) probe: Probe,
    pub(super) visit: V,
}

/// Children for which there is room before memory is asked for: of a million triangles few segments
/// need more.
const CHILDREN: usize = 128;

impl<N, V> SimdKernel for SegmentQuery<'_, N, V>
where
    N: Node,
    V: FnMut(u32) -> ControlFlow<()>,
{
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { tree, probe, mut visit } = self;
        let (nodes, order) = (&tree.nodes, &tree.order);
        let mut few = [ChildRef::FIRST; CHILDREN];
        let mut many;
        let mut stack: &mut [ChildRef] = &mut few;
        // Node 0 has the volume of the whole.
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
                many = grown(stack);
                stack = &mut many;
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

/// The same stack with twice the room.
#[cold]
#[inline(never)]
fn grown(stack: &[ChildRef]) -> Vec<ChildRef> {
    let mut twice = stack.to_vec();
    twice.resize(2 * stack.len(), ChildRef::FIRST);
    twice
}
