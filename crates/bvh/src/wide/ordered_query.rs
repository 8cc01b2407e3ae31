//! Queries that visit the nearest boxes first: along a ray from its origin (ray casting), and around a point (closest
//! point).
//!
//! The visitor tells after each triangle how far others may still matter; boxes beyond are skipped. A node's eight boxes
//! are tested at once, and those that remain are opened in the order of a lower bound on where they begin.
//!
//! # Proof of the margins
//!
//! The query is a flat box Q in a frame of its own (`segment_query`), so the points of a segment are c + t u + r, where
//! c, u and the extents of Q in the frame of the tree are those of the [`Probe`], r is covered by the two shorter extents,
//! and by `relative_transform` all rounding is covered by `face_margin` along the axes aⱼ of a box. For a point in the
//! box
//!
//! > |(b − c)·aⱼ − t u·aⱼ| ≤ eⱼ + margin
//!
//! for its center b and extents eⱼ. These are bounds of t for each axis, with a relative rounding of 4u (u = 2⁻²⁴). If
//! |u·aⱼ| is below 2⁻⁴⁰, it is replaced by that, which moves the left side by less than 2⁻³⁹ |t|, part of the margin.
//! A point at the fraction f of the segment has t = (2f − 1)h up to 2⁻¹⁸h, where h is the longest extent, and up to the
//! radius by which Q is enlarged.
//!
//! A point at the center of Q is at least as far from a box as the excess of |(b − c)·aⱼ| above eⱼ and the margin for each
//! axis; the axes are orthonormal up to rounding, so the squares of these add up, with an error below 2⁻²⁰ of the sum.

use std::ops::ControlFlow;

use xcollide_simd::vec3::{dot, splat, sub};
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask, prefetch};

use super::descent::{doubled, with_children};
use super::kernel::Boxes;
use super::node::{ChildRef, Node, WIDTH};
use super::relative_transform::Probe;
use super::tree::WideBvh;
use super::unit::Unit;

/// 2⁻¹⁷, above all relative errors of t.
const SLACK: f32 = 1.0 / (1 << 17) as f32;
/// 2⁻⁴⁰: slower boxes count as that fast.
const SLOWEST: f32 = 1.0 / (1_u64 << 40) as f32;

/// What the boxes are ordered by.
pub(super) trait Order {
    /// The key up to which boxes matter, for the number that the visitor returned; NaN: all.
    fn limit(&self, told: f64) -> f32;
    /// Lower bounds of the keys of the boxes, and the lanes of those that begin before the limit.
    fn keys<F: F32x8>(&self, boxes: &Boxes<F>, limit: f32) -> (u32, [f32; WIDTH]);
}

/// The order along a segment; the visitor tells fractions of it.
pub(super) struct AlongSegment {
    probe: Probe,
    margin: f32,
    end: f32,
}

impl AlongSegment {
    #[inline(always)]
    pub(super) fn new(probe: Probe) -> Self {
        let [half, wide, thick] = probe.extent;
        let margin = (probe.face_margin + wide + thick + 4.0 * SLOWEST * half) * (1.0 + SLACK);
        Self { end: half * (1.0 + SLACK) + 2.0 * wide + probe.face_margin, probe, margin }
    }
}

impl Order for AlongSegment {
    #[inline(always)]
    fn limit(&self, told: f64) -> f32 {
        let half = self.probe.extent[0];
        let limit = (2.0 * told - 2.0) as f32 * half + self.end;
        if limit < self.end { limit } else { self.end }
    }

    #[inline(always)]
    fn keys<F: F32x8>(&self, boxes: &Boxes<F>, limit: f32) -> (u32, [f32; WIDTH]) {
        let between = sub(boxes.center, splat(self.probe.center));
        let direction: [F; 3] = splat(self.probe.axes[0]);
        let (margin, slowest, one) = (F::splat(self.margin), F::splat(SLOWEST), F::splat(1.0));
        let (mut from, mut to) = (F::splat(-self.end), F::splat(limit));
        for axis in 0..3 {
            let place = dot(between, boxes.axes[axis]);
            let speed = dot(direction, boxes.axes[axis]);
            let inverse = one.div(F::select(speed.abs().lt(slowest), slowest, speed));
            let reach = boxes.extent[axis].add(margin);
            let near = place.sub(reach).mul(inverse);
            let far = place.add(reach).mul(inverse);
            // NaN leaves the bounds as they are.
            from = near.min(far).max(from);
            to = near.max(far).min(to);
        }
        let misses = from.gt(to.add(F::splat(SLACK * self.end)));
        (!misses.to_bits() & ALL, from.to_array())
    }
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

const ALL: u32 = (1 << WIDTH) - 1;

/// A child to open, and its key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    key: f32,
    child: ChildRef,
}

impl Ranked {
    const NONE: Self = Self { key: 0.0, child: ChildRef::FIRST };
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
const FEW: usize = 96;

impl<N: Node, O: Order> SimdKernel for OrderedQuery<'_, '_, N, O> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { tree, order, deep, visit } = self;
        let (nodes, triangles) = (&tree.nodes, &tree.order);
        let mut few = [Ranked::NONE; FEW];
        let mut stack: &mut [Ranked] = &mut few;
        let mut limit = order.limit(f64::NAN);
        // Node 0 has the box of the whole.
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
