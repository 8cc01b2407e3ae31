//! Segment query (ray casting): the triangles along a segment, or along the way of a sphere.
//!
//! A segment in the world is a flat box in a frame of its own, so the transform and margin of
//! `relative_transform` apply with the segment as the tree Y at the identity pose, and the same kernel tests
//! it against eight boxes at once.

use std::ops::ControlFlow;

use xcollide_math::Pose;
use xcollide_math::vector::{dot, sub};
use xcollide_simd::{Simd, SimdKernel, prefetch};

use super::descent::{doubled, with_children};
use super::fit::round_up;
use super::node::{ChildRef, Node, OrientedBox, WIDTH};
use super::relative_transform::{Probe, TreeFrame, ways};
use super::tree::{WideBvh, frame_between};
use super::vector::{IDENTITY, Vector, perpendiculars, unit};

/// A segment of the world in a tree's frame, enlarged by a radius; `None` if it is too far away to meet anything.
#[inline(always)]
pub(super) fn probe<N: Node>(
    tree: &WideBvh<N>,
    to_world: &Pose,
    segment: [[f64; 3]; 2],
    radius: f64,
) -> Option<Probe> {
    probe_within(tree, to_world, segment, radius, 0.0)
}

/// A point of the world in a tree's frame, however far away; `None` if the tree is empty.
#[inline(always)]
pub(super) fn point_probe<N: Node>(
    tree: &WideBvh<N>,
    to_world: &Pose,
    point: [f64; 3],
) -> Option<Probe> {
    probe_within(tree, to_world, [point; 2], 0.0, f64::INFINITY)
}

/// `None` if the tree is empty or farther away than a distance in its unit.
#[inline(always)]
fn probe_within<N: Node>(
    tree: &WideBvh<N>,
    to_world: &Pose,
    [start, end]: [[f64; 3]; 2],
    radius: f64,
    distance: f64,
) -> Option<Probe> {
    /// The enlarged segment and its box's center are in the unit cube about the origin of the segment's frame.
    const REACH: f64 = 2.0;
    if tree.nodes.is_empty() {
        return None;
    }
    let (mut low, mut high) = (start, start);
    for axis in 0..3 {
        low[axis] = if end[axis] < low[axis] { end[axis] } else { low[axis] };
        high[axis] = if end[axis] > high[axis] { end[axis] } else { high[axis] };
    }
    if radius > 0.0 {
        (low, high) = (low.map(|x| x - radius), high.map(|x| x + radius));
    }
    let frame = TreeFrame { reach: REACH, ..frame_between(low, high) };
    let (origin, scale) = (frame.origin, frame.unit.reciprocal());
    let [start, end] = [start, end].map(|p| [0, 1, 2].map(|axis| (p[axis] - origin[axis]) * scale));
    let [way, _] = ways(&tree.frame, to_world, &frame, &Pose::IDENTITY, N::EPSILON, distance)?;
    Some(way.probe(&flat_box(start, end, radius * scale)))
}

/// The box around a segment with coordinates up to 1, in f64, enlarged by a radius. Axes and center are rounded to f32
/// first; then the extents are measured from the rounded center along the rounded axes, and enlarged by the radius (the
/// axes are unit vectors up to 2⁻²²), by 2⁻²⁰ of their sum (see `relative_transform`) and by 2⁻⁴⁴ for the rounding of the
/// coordinates.
#[inline(always)]
fn flat_box(start: Vector, end: Vector, radius: f64) -> OrientedBox {
    let frame = unit(sub(end, start)).and_then(|u| perpendiculars(u).map(|[v, w]| [u, v, w]));
    let axes = frame.unwrap_or(IDENTITY).map(|axis| axis.map(|x| x as f32));
    let center = [0, 1, 2].map(|k| (0.5 * (start[k] + end[k])) as f32);
    let extent = axes.map(|axis| {
        let along = |p: Vector| dot(sub(p, center.map(f64::from)), axis.map(f64::from)).abs();
        along(start).max(along(end)) + radius
    });
    let slack = extent.iter().sum::<f64>() / f64::from(1 << 20) + 1.0 / (1_u64 << 44) as f64;
    OrientedBox { center, extent: extent.map(|extent| round_up(extent + slack)), axes }
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
