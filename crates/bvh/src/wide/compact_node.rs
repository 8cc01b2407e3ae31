//! Eight oriented boxes in 192 bytes instead of 512: numbers of 16 bits in a frame of the node.
//!
//! Centers and extents are multiples of the node's step, about 2⁻¹⁶ of its size. The rotation of a box is
//! three components of a unit quaternion in 16 bits; the fourth follows. Decoding takes some forty
//! instructions for all eight boxes.
//!
//! Boxes contain their triangles whatever the rounding: rotation and center are rounded first and decoded
//! as a query decodes them; then the extents are measured in f64 from the decoded center along the decoded
//! axes, enlarged as in `fit` and rounded up to the next multiple.
//!
//! # The margin
//!
//! With u = 2⁻²⁴: x, y, z are exact multiples of 2⁻¹⁵ with x² + y² + z² ≤ 1; the computed
//! w² = 1 − x² − y² − z² is off by less than 4u, and its root's square by another u, so |q|² = 1 + δ
//! with |δ| ≤ 5u. The matrix of 1 − 2(y² + z²), 2(xy + wz), … is R + δ(R − I) for a true rotation R,
//! plus 4u an entry for its own rounding: each axis is off from an orthonormal one by less than
//! 10u + 7u, and from its dual basis by less than 64u. With this in place of 2.6u, the sum of point
//! 3 of `relative_transform` is below 128u = 2⁻¹⁷, which is [`EPSILON`](Node::EPSILON) here.

use std::ops::Range;

use xcollide_math::vector::{cross, dot};
use xcollide_simd::{F32x8, SimdFloat};

use super::corners::Corners;
use super::fit::{RELATIVE, round_up};
use super::kernel::Boxes;
use super::node::{ChildRef, Node, OrientedBox, WIDTH, at};

/// A node of a [`CompactTree`](super::CompactTree): eight boxes in numbers of 16 bits.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C, align(64))]
pub struct CompactNode {
    origin: [f32; 3],
    step: f32,
    children: [ChildRef; WIDTH],
    /// Steps from the origin.
    center: [[u16; WIDTH]; 3],
    extent: [[u16; WIDTH]; 3],
    /// x, y, z of a quaternion of length 1 with w ≥ 0, times 2¹⁵.
    turn: [[i16; WIDTH]; 3],
}

// Three cache lines of 64 bytes, nothing between.
const _: () = assert!(size_of::<CompactNode>() == 192);

/// The unit of the turn.
const TURN: f32 = 1.0 / 32768.0;

impl CompactNode {
    /// Writes a box around triangles; false if the step is too small for it.
    fn set(
        &mut self,
        lane: usize,
        bounds: &OrientedBox,
        corners: &Corners<'_>,
        triangles: Range<usize>,
    ) -> bool {
        for (k, turn) in turn_of(&bounds.axes).into_iter().enumerate() {
            self.turn[k][lane] = turn;
            let steps = (bounds.center[k] - self.origin[k]) / self.step;
            self.center[k][lane] = steps.round() as u16;
            self.extent[k][lane] = 0;
        }
        let rounded = self.get(lane);
        let (low, high) = corners.extremes(triangles, rounded.center, &rounded.axes);
        let extent = [0, 1, 2].map(|j| high[j].max(-low[j]));
        let slack = extent.iter().sum::<f32>() * RELATIVE + corners.slack();
        for j in 0..3 {
            let wanted = f64::from(extent[j] + slack);
            let mut steps = (wanted / f64::from(self.step)).ceil();
            // A query rounds this product once more.
            while f64::from(steps as f32 * self.step) < wanted {
                steps += 1.0;
            }
            if steps > f64::from(u16::MAX) {
                return false;
            }
            self.extent[j][lane] = steps as u16;
        }
        true
    }
}

impl Node for CompactNode {
    const EMPTY: Self = Self {
        origin: [0.0; 3],
        step: 0.0,
        children: [ChildRef::NONE; WIDTH],
        center: [[0; WIDTH]; 3],
        extent: [[0; WIDTH]; 3],
        turn: [[0; WIDTH]; 3],
    };

    const EPSILON: f64 = 1.0 / (1 << 17) as f64;

    const LEAF: usize = 4;

    #[inline(always)]
    fn children(&self) -> &[ChildRef; WIDTH] {
        &self.children
    }

    #[inline(always)]
    fn children_mut(&mut self) -> &mut [ChildRef; WIDTH] {
        &mut self.children
    }

    #[inline(always)]
    fn boxes<F: F32x8>(&self) -> Boxes<F> {
        let step = F::splat(self.step);
        let center = |k: usize| F::from_u16(&self.center[k]);
        let extent = |k: usize| F::from_u16(&self.extent[k]).mul(step);
        let turn = |k: usize| F::from_i16(&self.turn[k]).mul(F::splat(TURN));
        let center = [center(0), center(1), center(2)];
        let origin = self.origin;
        Boxes {
            center: [
                placed(center[0], step, F::splat(origin[0])),
                placed(center[1], step, F::splat(origin[1])),
                placed(center[2], step, F::splat(origin[2])),
            ],
            extent: [extent(0), extent(1), extent(2)],
            axes: axes([turn(0), turn(1), turn(2)]),
        }
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> OrientedBox {
        let lane = lane % WIDTH;
        let extent = |k: usize| f32::from(self.extent[k][lane]) * self.step;
        let turn = |k: usize| f32::from(self.turn[k][lane]) * TURN;
        let steps = at(&self.center, lane).map(f32::from);
        OrientedBox {
            center: [0, 1, 2].map(|k| placed(steps[k], self.step, self.origin[k])),
            extent: [extent(0), extent(1), extent(2)],
            axes: axes([turn(0), turn(1), turn(2)]),
        }
    }

    #[inline(always)]
    fn size(&self, lane: usize) -> f32 {
        let [x, y, z] = at(&self.extent, lane % WIDTH).map(f32::from);
        (x + y + z) * self.step
    }

    fn enclose(&mut self, boxes: &[OrientedBox], corners: &Corners<'_>, ranges: &[Range<usize>]) {
        let (mut low, mut high, mut largest) = ([f32::MAX; 3], [f32::MIN; 3], 0.0_f32);
        for bounds in boxes {
            for k in 0..3 {
                low[k] = low[k].min(bounds.center[k]);
                high[k] = high[k].max(bounds.center[k]);
                largest = largest.max(bounds.extent[k]);
            }
        }
        let width = (0..3).map(|k| high[k] - low[k]).fold(1.02 * largest, f32::max);
        self.origin = low;
        self.step = round_up(f64::from(width) / 65_000.0).max(f32::MIN_POSITIVE);
        // Too small only for boxes that are hardly larger than rounding errors.
        let fits = |node: &mut Self| {
            let mut lanes = boxes.iter().zip(ranges).enumerate();
            lanes.all(|(lane, (bounds, range))| node.set(lane, bounds, corners, range.clone()))
        };
        while !fits(self) {
            self.step *= 2.0;
        }
    }
}

/// One computation for one box and for eight, so that they cannot differ.
#[inline(always)]
fn placed<F: SimdFloat>(steps: F, step: F, origin: F) -> F {
    steps.mul(step).add(origin)
}

/// The axes of the frame that a quaternion turns the coordinate axes to.
#[inline(always)]
fn axes<F: SimdFloat<Scalar = f32>>([x, y, z]: [F; 3]) -> [[F; 3]; 3] {
    let (one, zero) = (F::splat(1.0), F::splat(0.0));
    let w = one.sub(x.mul(x).add(y.mul(y)).add(z.mul(z))).max(zero).sqrt();
    let (x2, y2, z2) = (x.add(x), y.add(y), z.add(z));
    let (xx, yy, zz) = (x.mul(x2), y.mul(y2), z.mul(z2));
    let (xy, xz, yz) = (x.mul(y2), x.mul(z2), y.mul(z2));
    let (wx, wy, wz) = (w.mul(x2), w.mul(y2), w.mul(z2));
    [
        [one.sub(yy.add(zz)), xy.add(wz), xz.sub(wy)],
        [xy.sub(wz), one.sub(xx.add(zz)), yz.add(wx)],
        [xz.add(wy), yz.sub(wx), one.sub(xx.add(yy))],
    ]
}

/// The quaternion that turns the coordinate axes to these (the last one may be negated), times 2¹⁵ and
/// rounded, but never longer than 1.
fn turn_of(axes: &[[f32; 3]; 3]) -> [i16; 3] {
    let [a, b, mut c] = axes.map(|axis| axis.map(f64::from));
    if dot(cross(a, b), c) < 0.0 {
        c = c.map(|x| -x);
    }
    // The largest of the four squares, times four, for precision (Shepperd 1978).
    let squares = [
        1.0 + a[0] + b[1] + c[2],
        1.0 + a[0] - b[1] - c[2],
        1.0 - a[0] + b[1] - c[2],
        1.0 - a[0] - b[1] + c[2],
    ];
    let largest = (1..4).fold(0, |best, i| if squares[i] > squares[best] { i } else { best });
    let (p, q, r) = (b[2] - c[1], c[0] - a[2], a[1] - b[0]);
    let (s, t, v) = (a[1] + b[0], c[0] + a[2], b[2] + c[1]);
    let [w, x, y, z] = match largest {
        0 => [squares[0], p, q, r],
        1 => [p, squares[1], s, t],
        2 => [q, s, squares[2], v],
        _ => [r, t, v, squares[3]],
    };
    let length = (w * w + x * x + y * y + z * z).sqrt();
    let unit = 32_768.0 / if w < 0.0 { -length } else { length };
    let mut turn = [x, y, z].map(|k| (k * unit).round().clamp(-32_767.0, 32_767.0) as i16);
    let squared = |turn: &[i16; 3]| turn.iter().map(|&k| i64::from(k).pow(2)).sum::<i64>();
    while squared(&turn) > 1 << 30 {
        let largest = (1..3).fold(0, |m, i| if turn[i].abs() > turn[m].abs() { i } else { m });
        turn[largest] -= turn[largest].signum();
    }
    turn
}
