//! Queries that visit the nearest boxes first: along a ray from its origin (ray casting), and around a point (closest
//! point).
//!
//! The visitor tells after each triangle how far others may still matter; boxes beyond are skipped. A node's eight boxes
//! are tested at once, and those that remain are opened in the order of a lower bound on where they begin.
//!
//! # Proof of the margins around a point
//!
//! The point is a box Q without extent (`segment_query`) in a frame of its own, whose center in the frame of the tree is that of
//! the [`Probe`]; by `relative_transform` all rounding is covered by `face_margin` along the axes of a box. Its center is at
//! least as far from a box as the excess of |(b − c)·aⱼ| above eⱼ and the margin for each axis, for the center b, the axes aⱼ
//! and the extents eⱼ of the box; the axes are orthonormal up to rounding, so the squares of these add up, with an error
//! below 2⁻²⁰ of the sum. The margins along a ray are derived in `ray_query`.

use std::ops::ControlFlow;

use xcollide_simd::vec3::{dot, splat, sub};
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask, prefetch};

use super::descent::{doubled, with_children};
use super::kernel::Boxes;
use super::node::{ChildRef, Node, WIDTH};
use super::relative_transform::Probe;
use super::tree::WideBvh;
use super::unit::Unit;

/// 2⁻¹⁷, above all relative errors of the keys.
pub(super) const SLACK: f32 = 1.0 / (1 << 17) as f32;

/// What the boxes are ordered by.
pub(super) trait Order {
    /// The key up to which boxes matter, for the number that the visitor returned; NaN: all.
    fn limit(&self, told: f64) -> f32;
    /// Lower bounds of the keys of the boxes, and the lanes of those that begin before the limit.
    fn keys<F: F32x8>(&self, boxes: &Boxes<F>, limit: f32) -> (u32, [f32; WIDTH]);
}

/// The order by the distance from a point; the visitor tells distances in the world.
pub(super) struct AroundPoint {
    probe: Probe,
    margin: f32,
    unit: Unit,
}

impl AroundPoint {
    #[inline(always)]
    pub(super) fn new(probe: Probe, unit: Unit) -> Self {
        let [half, wide, thick] = probe.extent;
        let margin = (probe.face_margin + half + wide + thick) * (1.0 + SLACK);
        Self { probe, margin, unit }
    }
}

impl Order for AroundPoint {
    /// The square of the distance in the tree's unit.
    #[inline(always)]
    fn limit(&self, told: f64) -> f32 {
        let stretch = 1.0 + f64::from(SLACK) + f64::from(self.probe.epsilon);
        let limit = (told * self.unit.reciprocal() * stretch) as f32 + self.margin;
        if limit < f32::INFINITY { limit * limit } else { f32::INFINITY }
    }

    #[inline(always)]
    fn keys<F: F32x8>(&self, boxes: &Boxes<F>, limit: f32) -> (u32, [f32; WIDTH]) {
        let between = sub(boxes.center, splat(self.probe.center));
        let (margin, zero) = (F::splat(self.margin), F::splat(0.0));
        let mut square = zero;
        for axis in 0..3 {
            let place = dot(between, boxes.axes[axis]).abs();
            // NaN counts as 0.
            let excess = place.sub(boxes.extent[axis].add(margin)).max(zero);
            square = square.add(excess.mul(excess));
        }
        (!square.gt(F::splat(limit)).to_bits() & ALL, square.to_array())
    }
}

/// All lanes.
pub(super) const ALL: u32 = (1 << WIDTH) - 1;

/// A child to open, and its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    key: f32,
    child: ChildRef,
}

impl Ranked {
    const NONE: Self = Self { key: f32::NEG_INFINITY, child: ChildRef::FIRST };
}

/// The visitor of triangles: breaks, or tells up to where others matter.
pub(super) type VisitInOrder<'v> = &'v mut dyn FnMut(u32) -> ControlFlow<(), f64>;

/// The kernel that shows `visit` the triangles of the leaves, the nearest boxes first.
pub(super) struct OrderedQuery<'d, 'v, N, O> {
    pub(super) tree: &'d WideBvh<N>,
    pub(super) order: O,
    pub(super) deep: &'d mut Vec<Ranked>,
    pub(super) visit: VisitInOrder<'v>,
}

/// Children on the processor's stack.
const FEW: usize = 48;

impl<N: Node, O: Order> SimdKernel for OrderedQuery<'_, '_, N, O> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { tree, order, deep, visit } = self;
        let (nodes, triangles) = (&tree.nodes, &tree.order);
        let mut few = [Ranked::NONE; FEW];
        // Node 0 has nothing but the box of the whole.
        few[0].child = nodes[0].children()[0];
        let mut stack: &mut [Ranked] = &mut few;
        let mut limit = order.limit(f64::NAN);
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let Ranked { key, child } = stack[height];
            if key > limit {
                continue;
            }
            if child.is_leaf() {
                for &triangle in &triangles[child.range()] {
                    limit = order.limit(visit(triangle)?);
                }
                continue;
            }
            if stack.len() < height + WIDTH {
                if stack.len() == FEW {
                    deep.clear();
                    deep.extend_from_slice(&few);
                }
                stack = doubled(deep, Ranked::NONE);
            }
            let node = &nodes[child.index()];
            let (lanes, keys) = order.keys(&node.boxes::<S::F32x8>(), limit);
            let mut left = with_children(node, lanes);
            let first = height;
            while left != 0 {
                let lane = left.trailing_zeros() as usize % WIDTH;
                left &= left - 1;
                let ranked = Ranked { key: keys[lane], child: node.children()[lane] };
                match nodes.get(ranked.child.index()) {
                    Some(node) => prefetch(node),
                    None => prefetch(&triangles[ranked.child.range().start]),
                }
                // The least key on top.
                let mut place = height;
                while place > first && stack[place - 1].key < ranked.key {
                    stack[place] = stack[place - 1];
                    place -= 1;
                }
                stack[place] = ranked;
                height += 1;
            }
        }
        ControlFlow::Continue(())
    }
}
