//! The way of boxes from the frame of one tree into that of the other, and the margin that makes
//! up for every rounding on it.
//!
//! # What has to be shown
//!
//! A node is pruned if the kernel finds a direction L along which the gap between two boxes is
//! above 0. Then the triangles in them, with corners rounded to f64 in the *world*, must have no
//! common point. What can spoil this, and where it is covered (u = 2⁻²⁴, all lengths in the unit
//! of the frame X in which the test happens, Y the other tree, |L| ≤ 1 + 2ε):
//!
//! 1. *World coordinates* are rounded f64, with errors that grow with the distance from the
//!    origin; the relative motion is computed in f64. [`Motion::relative_margin`] bounds how far
//!    apart points can be in the frame X whose rounded world positions coincide. Each tree is
//!    recentred: the subtraction is relative to its result, hence covered by the slack in the
//!    boxes; the centres' way into the translation is rounded five times at the magnitude of the
//!    translation or of the model's coordinates, which [`Passage::new`] adds as 2⁻⁴⁸ of both.
//! 2. *The centre of a Y box* c′ = s(R·c) + t in f32. With ρ the largest distance of a centre of Y
//!    from its tree's origin, in the unit of X, and ρ′ that of X: rounding R to f32 moves it by at most 1.8uρ,
//!    products, sums and the scaling by 5u(√3ρ + |t|), rounding t by u|t|; the difference to the
//!    X box's centre is rounded by u(ρ′ + ρ + |t|), its product with an axis by 3.1u of the
//!    same. Together less than 16u(ρ′ + ρ + |t|) = 2⁻²⁰(ρ′ + ρ + |t|): part of `pad`.
//! 3. *The axes.* A box is |(p − c)·aⱼ| ≤ eⱼ for axes aⱼ rounded from orthonormal ones, so its
//!    points are c + Σ sⱼ a′ⱼ with |sⱼ| ≤ eⱼ and the dual basis a′, which is off from a by at
//!    most 2.6u. The computed bᵢ = R·aᵢ is off from the true R·a′ᵢ by at most 1.8u (rounding R)
//!    and 5.3u (product) and 2.6u, less than 10u; the computed products aⱼ·bᵢ by 3.1u more. Sums of up to
//!    eight terms add 8u relative to the extents. So the extent of a box along L, computed
//!    with |aⱼ·bᵢ|, is off by less than 21u < 2⁻¹⁹ of the sum of its extents; a third of this
//!    for X boxes along their own axes, where the test adds nothing, is in the extents (2⁻²⁰ of
//!    the sum, `fit`).
//! 4. *Motions that are no rotations*, such as that of a quaternion of length 1 + 10⁻⁶: the box
//!    becomes a parallelepiped, whose axes bᵢ differ from a dual basis by the entries of
//!    Rᵀ·R less the identity. Twice the largest row sum of them is part of `epsilon`; where it is
//!    above 2⁻¹⁰, nothing is pruned.
//! 5. *Cross axes* L = c(i₁,j)·b(i₂) − c(i₂,j)·b(i₁) are directions whatever the rounding; T·L is
//!    computed from two products of 2, twice that margin. The extents along L need the minors of
//!    the matrix of cᵢⱼ = aⱼ·bᵢ, which are its entries up to four times the error of 3 and 4:
//!    4·epsilon of the sum of all extents.
//! 6. *Range.* Coordinates are in units of each tree's size, powers of two, so f32 neither
//!    overflows nor loses small models; where the trees' units differ by more than 2¹⁰⁰, or
//!    something is not finite, `pad` is infinite, no gap is above 0, and nothing is pruned.

use xcollide_bounds::Motion;

use super::fit::round_up;
use super::node::{Node, OrientedBox, Tree};
#[cfg(not(target_arch = "x86_64"))]
use super::quad;
#[cfg(target_arch = "x86_64")]
use super::simd_sse2 as quad;
use super::tree::WideTree;
use super::unit::{Unit, power_of_two};

/// 2⁻²⁰, the relative error of centres (point 2).
const CENTER: f64 = 1.0 / (1 << 20) as f64;
/// How far the units of two trees may be apart, as a power of two.
const EXPONENTS: i32 = 100;

/// The way of boxes from the frame of a tree Y into the frame of a tree X.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passage {
    /// Columns of the matrix. (The fourth lane is for the processor.)
    columns: [[f32; 4]; 3],
    translation: [f32; 4],
    /// Unit of Y over unit of X.
    scale: f32,
    pad: f32,
    epsilon: f32,
}

/// Where a tree's own frame is in its model's, and how large its contents are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The point of the model's frame that is the origin of the tree's.
    pub(super) origin: [f64; 3],
    /// The length in the model's frame that is 1 in the tree's.
    pub(super) unit: Unit,
    /// No point of a box's contents, and no centre, is farther from the tree's origin.
    pub(super) reach: f64,
    /// The largest magnitude of a coordinate in the model's frame.
    pub(super) magnitude: f64,
}

/// A box of one tree in the frame of the other, with its share of the margin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub(super) center: [f32; 3],
    pub(super) axes: [[f32; 3]; 3],
    pub(super) extent: [f32; 3],
    /// The margin along face axes: `pad` and epsilon times the sum of extents. Along cross axes
    /// it is four times that.
    pub(super) face_margin: f32,
    pub(super) epsilon: f32,
}

impl Passage {
    /// The way from `y` to `x`, both placed; also whether the distance alone parts them.
    fn new(
        x: &Frame,
        to_world: &Motion,
        y: &Frame,
        y_to_world: &Motion,
        relative_error: f64,
    ) -> (Self, bool) {
        let relative = Motion::relative(to_world, y_to_world);
        let margin = Motion::relative_margin(to_world, y_to_world, x.magnitude, y.magnitude);
        let centered = relative.apply(y.origin);
        let translation = [0, 1, 2].map(|axis| centered[axis] - x.origin[axis]);
        let largest = |v: [f64; 3]| v.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let recentring =
            (x.magnitude + y.magnitude + largest(relative.translation)) / (1_u64 << 48) as f64;
        let into_unit = |value: f64| value * x.unit.reciprocal();
        let translation = translation.map(into_unit);
        let exponents = y.unit.exponent() - x.unit.exponent();
        let scale = power_of_two(exponents.clamp(-EXPONENTS, EXPONENTS));
        // The largest coordinate bounds the distance from below, twice of it from above; no squares
        // that could overflow.
        let offset = largest(translation);
        let skew = skew(&relative.rotation);
        let rounding = into_unit(margin) + into_unit(recentring);
        let reach = x.reach + y.reach * scale;
        let pad = CENTER * (reach + 2.0 * offset) + 2.0 * rounding;
        let comparable = exponents <= EXPONENTS && skew <= 1.0 / 1024.0;
        let regular =
            comparable && offset <= power_of_two(EXPONENTS) && pad <= power_of_two(EXPONENTS);
        // Contents of X lie within x.reach of its origin, those of Y, moved, within
        // (1 + skew) y.reach of the offset; what overflowed parts nothing.
        let parted =
            comparable && offset.is_finite() && offset > 1.01 * reach + 4.0 * rounding + CENTER;
        let passage = Self {
            columns: columns(&relative.rotation),
            translation: padded(translation),
            scale: scale as f32,
            pad: if regular { round_up(pad) } else { f32::INFINITY },
            epsilon: if regular { round_up(relative_error + 2.0 * skew) } else { 1.0 },
        };
        (passage, parted)
    }

    /// A box of Y in the frame of X.
    #[inline(always)]
    pub(super) fn probe(&self, bounds: &OrientedBox) -> Probe {
        let [x, y, z] = bounds.extent;
        let extent = [x * self.scale, y * self.scale, z * self.scale];
        let [a, b, c] = bounds.axes;
        let face_margin = self.margin(extent[0] + extent[1] + extent[2]);
        Probe {
            center: self.point(bounds.center),
            axes: [self.turn(a), self.turn(b), self.turn(c)],
            extent,
            face_margin,
            epsilon: self.epsilon,
        }
    }

    /// A point of Y in the frame of X.
    #[inline(always)]
    pub(super) fn point(&self, v: [f32; 3]) -> [f32; 3] {
        let turned = quad::turn(&self.columns, v);
        quad::first_three(quad::shifted(turned, self.scale, &self.translation))
    }

    /// A direction of Y in the frame of X.
    #[inline(always)]
    pub(super) fn turn(&self, v: [f32; 3]) -> [f32; 3] {
        quad::first_three(quad::turn(&self.columns, v))
    }

    /// The direction of coordinate `axis` of Y in the frame of X.
    #[inline(always)]
    pub(super) fn column(&self, axis: usize) -> [f32; 3] {
        let [x, y, z, _] = self.columns[axis];
        [x, y, z]
    }

    /// The margin along face axes for a volume of Y, scaled, whose extents have this sum.
    #[inline(always)]
    pub(super) fn margin(&self, extents: f32) -> f32 {
        self.pad + self.epsilon * extents
    }

    #[inline(always)]
    pub(super) fn epsilon(&self) -> f32 {
        self.epsilon
    }

    /// A length of Y in the unit of X.
    #[inline(always)]
    pub(super) fn scaled(&self, length: f32) -> f32 {
        length * self.scale
    }
}

fn padded([x, y, z]: [f64; 3]) -> [f32; 4] {
    [x as f32, y as f32, z as f32, 0.0]
}

fn columns([x, y, z]: &[[f64; 3]; 3]) -> [[f32; 4]; 3] {
    [padded([x[0], y[0], z[0]]), padded([x[1], y[1], z[1]]), padded([x[2], y[2], z[2]])]
}

/// Two placed trees and the ways between them.
pub(super) struct Pairing<'a, T = WideTree> {
    pub(super) a: &'a T,
    pub(super) b: &'a T,
    /// From the frame of `b` into the frame of `a`.
    pub(super) b_to_a: Passage,
    pub(super) a_to_b: Passage,
}

impl<'a, T: Tree> Pairing<'a, T> {
    /// `None` where the trees are so far apart that nothing of them can meet, or one is empty.
    pub(super) fn new(
        a: &'a T,
        a_to_world: &Motion,
        b: &'a T,
        b_to_world: &Motion,
    ) -> Option<Self> {
        if a.nodes().is_empty() || b.nodes().is_empty() {
            return None;
        }
        let (x, y, error) = (a.frame(), b.frame(), T::Node::EPSILON);
        let (b_to_a, parted_in_a) = Passage::new(&x, a_to_world, &y, b_to_world, error);
        let (a_to_b, parted_in_b) = Passage::new(&y, b_to_world, &x, a_to_world, error);
        (!parted_in_a && !parted_in_b).then_some(Self { a, b, b_to_a, a_to_b })
    }
}

/// The largest row sum of |Rᵀ·R − I|; infinite where the matrix is no number.
pub(super) fn skew(rotation: &[[f64; 3]; 3]) -> f64 {
    let mut largest = 0.0;
    for i in 0..3 {
        let mut sum = 0.0;
        for j in 0..3 {
            let product = (0..3).map(|k| rotation[k][i] * rotation[k][j]).sum::<f64>();
            sum += (product - if i == j { 1.0 } else { 0.0 }).abs();
        }
        if sum.is_nan() {
            return f64::INFINITY;
        }
        largest = sum.max(largest);
    }
    largest
}
