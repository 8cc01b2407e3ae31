//! Eight boxes parallel to the axes, each cut by a slab: 352 bytes instead of 512.
//!
//! A volume is all points p with |p − c| ≤ e in each coordinate and |(p − c)·n| ≤ h, n being the
//! direction in which its triangles are flattest. On smooth surfaces such volumes get thin as fast as oriented
//! boxes do, and they need no frame. Eight directions are looked at: the three faces of each, and
//! the normal of each slab.
//!
//! # Along a direction
//!
//! The part of a volume along L is at most |λ|h + Σ eᵢ|L − λn|ᵢ, *for every* λ: of two parallel
//! constraints each point takes its share. λ = n·L does well, and as any λ will do, its rounding
//! does not matter.
//!
//! # The margin
//!
//! With u = 2⁻²⁴, as in `passage`: rounding of the center's way is the same. Along X's faces and slab
//! the part of X is exact as it stands. The part of Y along L is its part along Rᵀ·L in its own frame.
//! Rᵀ is computed from columns rounded once, n′ = R·n by 6u; so Rᵀ(L − λn′) is off from
//! Rᵀ·L − λn by less than 20u and the skew of R a coordinate, and the rounding of products and sums adds less
//! than 10u. Along Y's faces and slab the part of Y is as it stands but for 8u and the skew, and that of X
//! is rounded by 8u. All of it is below 2⁻¹⁸ of the sum of e and h, which is
//! [`EPSILON`](Node::EPSILON) here, and twice the skew.

use std::slice::from_ref;

use xcollide_simd::F32x8;
use xcollide_simd::vec3::{abs, dot, load, scale, splat, sub};

use super::fit::{Fit, SLACK, fit, round_up};
use super::kernel::Gaps;
use super::node::{ChildRef, Node, WIDTH, at};
use super::packed::Fitted;
use super::relative_transform::RelativeTransform;
use super::vector;

#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C, align(32))]
pub(super) struct SlabNode {
    center: [[f32; WIDTH]; 3],
    extent: [[f32; WIDTH]; 3],
    normal: [[f32; WIDTH]; 3],
    /// Half the thickness of the slab.
    height: [f32; WIDTH],
    children: [ChildRef; WIDTH],
}

const _: () = assert!(size_of::<SlabNode>() == 352);

/// A volume of one tree in the frame of the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlabProbe {
    center: [f32; 3],
    /// Along the axes of its own frame.
    extent: [f32; 3],
    /// The directions of those axes.
    columns: [[f32; 3]; 3],
    /// Half sides of the box, parallel to the axes of this frame, around the box.
    reach: [f32; 3],
    normal: [f32; 3],
    height: f32,
    margin: f32,
    epsilon: f32,
}

impl Node for SlabNode {
    type Probe = SlabProbe;

    const EMPTY: Self = Self {
        center: [[1e15; WIDTH]; 3],
        extent: [[0.0; WIDTH]; 3],
        normal: [[1.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]],
        height: [0.0; WIDTH],
        children: [ChildRef::NONE; WIDTH],
    };

    const EPSILON: f64 = 1.0 / (1 << 18) as f64;

    #[inline(always)]
    fn children(&self) -> &[ChildRef; WIDTH] {
        &self.children
    }

    #[inline(always)]
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH] {
        &mut self.children
    }

    #[inline(always)]
    fn size(&self, lane: usize) -> f32 {
        let [x, y, z] = at(&self.extent, lane % WIDTH);
        x.max(y).max(z)
    }

    #[inline(always)]
    fn probe(&self, lane: usize, passage: &RelativeTransform) -> SlabProbe {
        let lane = lane % WIDTH;
        let [x, y, z] = at(&self.extent, lane);
        let extent = [passage.scaled(x), passage.scaled(y), passage.scaled(z)];
        let height = passage.scaled(self.height[lane]);
        let columns = [passage.column(0), passage.column(1), passage.column(2)];
        let [a, b, c] = &columns;
        let reach =
            |k: usize| a[k].abs() * extent[0] + b[k].abs() * extent[1] + c[k].abs() * extent[2];
        SlabProbe {
            center: passage.point(at(&self.center, lane)),
            extent,
            reach: [reach(0), reach(1), reach(2)],
            normal: passage.turn(at(&self.normal, lane)),
            height,
            margin: passage.margin(extent[0] + extent[1] + extent[2] + height),
            epsilon: passage.epsilon(),
            columns,
        }
    }

    #[inline(always)]
    fn probe_around(triangle: &[[f64; 3]; 3], passage: &RelativeTransform) -> SlabProbe {
        let mut node = Self::EMPTY;
        node.enclose(&[from_ref(triangle)], Fit::Principal);
        node.probe(0, passage)
    }

    #[inline(always)]
    fn gaps<F: F32x8>(&self, probe: &SlabProbe) -> Gaps {
        let (center, extent): ([F; 3], [F; 3]) = (load(&self.center), load(&self.extent));
        let (normal, height) = (load::<F>(&self.normal), F::load(&self.height));
        let between = sub(center, splat(probe.center));
        let (probe_normal, probe_height) = (splat(probe.normal), F::splat(probe.height));
        let cosine = dot(probe_normal, normal);
        let shared = cosine.abs();

        // Along the faces of the boxes, and the normals of their slabs.
        let mut own = F::splat(f32::MIN);
        for k in 0..3 {
            own = between[k].abs().sub(extent[k].add(F::splat(probe.reach[k]))).max(own);
        }
        let rest = sub(normal, scale(probe_normal, cosine));
        let mut part = shared.mul(probe_height).add(height);
        for i in 0..3 {
            let along = dot(splat(probe.columns[i]), rest).abs();
            part = part.add(along.mul(F::splat(probe.extent[i])));
        }
        own = dot(between, normal).abs().sub(part).max(own);

        // Along the normal of the probe's slab, and its faces.
        let rest = sub(probe_normal, scale(normal, cosine));
        let rest = abs(rest);
        let part = shared.mul(height).add(probe_height).add(dot(extent, rest));
        let mut others = dot(between, probe_normal).abs().sub(part);
        for i in 0..3 {
            let column = splat::<F>(probe.columns[i]);
            let part = dot(extent, abs(column)).add(F::splat(probe.extent[i]));
            others = dot(between, column).abs().sub(part).max(others);
        }

        let sum = extent[0].add(extent[1]).add(extent[2]).add(height);
        let margin = sum.mul(F::splat(probe.epsilon)).add(F::splat(probe.margin));
        Gaps::of(others.sub(margin).max(own.sub(F::splat(probe.margin))))
    }

    #[inline(always)]
    fn nearness<F: F32x8>(&self, probe: &SlabProbe) -> [f32; WIDTH] {
        let between = sub(load::<F>(&self.center), splat(probe.center));
        let extent: [F; 3] = load(&self.extent);
        let mean = extent[0].add(extent[1]).add(extent[2]).mul(F::splat(1.0 / 3.0));
        dot(between, between).sqrt().sub(mean).to_array()
    }
}

impl Fitted for SlabNode {
    const LEAF: usize = 4;

    fn enclose(&mut self, ranges: &[&[[[f64; 3]; 3]]], how: Fit) {
        for (lane, range) in ranges.iter().enumerate() {
            // The shortest side of the oriented box; measured from its rounded center.
            let bounds = fit(range, how);
            let (center, normal) = (bounds.center.map(f64::from), bounds.axes[2].map(f64::from));
            let (mut extent, mut height) = ([0.0_f64; 3], 0.0_f64);
            for &point in range.iter().flatten() {
                let d = vector::sub(point, center);
                height = height.max(vector::dot(d, normal).abs());
                for k in 0..3 {
                    extent[k] = extent[k].max(d[k].abs());
                }
            }
            let sum = extent.iter().sum::<f64>() + height;
            let slack = sum * (1.0 / f64::from(1 << 20)) + SLACK;
            for k in 0..3 {
                self.center[k][lane] = bounds.center[k];
                self.extent[k][lane] = round_up(extent[k] + slack);
                self.normal[k][lane] = bounds.axes[2][k];
            }
            self.height[lane] = round_up(height + slack);
        }
    }

    #[inline(always)]
    fn center(&self, lane: usize) -> [f32; 3] {
        at(&self.center, lane)
    }
}
