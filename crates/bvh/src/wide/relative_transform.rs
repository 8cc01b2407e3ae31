//! The transform of boxes from the frame of one tree into that of the other, and the margin that covers all
//! its rounding errors.
//!
//! # Proof of the margin
//!
//! A node is pruned if the kernel finds a direction L along which the gap between two boxes is above 0. Then
//! the triangles in them, with corners rounded to f64 in the *world*, must have no common point. The errors,
//! and how they are covered (u = 2⁻²⁴, all lengths in the unit of the frame X of the test, Y the other tree,
//! |L| ≤ 1 + 2ε):
//!
//! 1. *World coordinates* are rounded f64, with errors that grow with the distance from the origin; the
//!    relative motion is computed in f64. [`Pose::relative_margin`] bounds the distance in the frame X of
//!    points whose rounded world positions coincide. Each tree is recentered: the subtraction is relative to
//!    its result, hence covered by the slack in the boxes; the contribution of the centers to the translation
//!    is rounded five times at the magnitude of the translation or of the model's coordinates, and three
//!    times more on the way back (7): 2⁻⁴⁷ of both is added.
//! 2. *The center of a Y box* c′ = s(R·c) + t in f32. With ρ the largest distance of a center of Y from its
//!    tree's origin, in the unit of X, and ρ′ that of X: rounding R to f32 moves it by at most 1.8uρ,
//!    products, sums and the scaling by 5u(√3ρ + |t|), rounding t by u|t|; the difference to the X box's
//!    center is rounded by u(ρ′ + ρ + |t|), its product with an axis by 3.1u of the same. Together less than
//!    16u(ρ′ + ρ + |t|) = 2⁻²⁰(ρ′ + ρ + |t|): part of `pad`.
//! 3. *The axes.* A box is |(p − c)·aⱼ| ≤ eⱼ for axes aⱼ rounded from orthonormal ones, so its points are
//!    c + Σ sⱼ a′ⱼ with |sⱼ| ≤ eⱼ and the dual basis a′, which is off from a by at most 2.6u. The computed
//!    bᵢ = R·aᵢ is off from the true R·a′ᵢ by at most 1.8u (rounding R), 5.3u (product) and 2.6u, less than
//!    10u; the computed products aⱼ·bᵢ by 3.1u more. Sums of up to eight terms add 8u relative to the extents.
//!    So the extent of a box along L, computed with |aⱼ·bᵢ|, is off by less than 21u < 2⁻¹⁹ of the sum of its
//!    extents; a third of this for X boxes along their own axes, where the test adds nothing, is in the
//!    extents (2⁻²⁰ of the sum, `fit`).
//! 4. *Motions that are no rotations*, such as that of a quaternion of length 1 + 10⁻⁶: the box becomes a
//!    parallelepiped, whose axes bᵢ differ from a dual basis by the entries of Rᵀ·R less the identity. Twice
//!    their largest row sum, and as much again for the way back (7), is part of `epsilon`; if it is above
//!    2⁻¹⁰, nothing is pruned.
//! 5. *Cross axes* L = c(i₁,j)·b(i₂) − c(i₂,j)·b(i₁) are directions whatever the rounding; T·L is computed
//!    from two products of 2, twice that margin. The extents along L need the minors of the matrix of
//!    cᵢⱼ = aⱼ·bᵢ, which are its entries up to four times the error of 3 and 4: 4·epsilon of the sum of all
//!    extents.
//! 6. *Range.* Coordinates are in units of each tree's size, powers of two, so f32 neither overflows nor
//!    loses small models. If the units differ by more than 2¹⁰⁰, or something is not finite, `pad` is
//!    infinite and nothing is pruned.
//! 7. *The way back* reuses the matrix: of M(q) = R(q − o) + o′ + T, where o and o′ are the origins of the
//!    trees Y and X, it is N(p) = Rᵀ(p − o′ − T) + o. For points p of X and q of Y,
//!    N(p) − q = Rᵀ(p − M(q)) + E(q − o) with E = Rᵀ·R − I, a symmetric matrix whose norm is at most its
//!    largest row sum σ. So |N(p) − q| ≤ (1 + σ)|p − M(q)| + σ times the reach of Y. The latter, and 2⁻³⁰ of
//!    the reach for the rounding of σ, is added to `pad`. N has R·Rᵀ − I in place of E, of the same norm,
//!    with row sums of at most √3σ.

use xcollide_math::Pose;
use xcollide_simd::{F32x4, F32x8, SimdFloat, vec3};

use super::fit::round_up;
use super::node::{Node, OrientedBox, WideNode};
use super::tree::WideBvh;
use super::unit::{Unit, power_of_two};

/// 2⁻²⁰, the relative error of centers (point 2).
const CENTER: f64 = 1.0 / (1 << 20) as f64;
/// The largest difference of the units of two trees, as a power of two.
const EXPONENTS: i32 = 100;

/// The transform of boxes from the frame of a tree Y into the frame of a tree X.
#[derive(Clone, Copy, Debug)]
pub(super) struct RelativeTransform {
    /// Columns of the matrix. The fourth lane is for SIMD.
    columns: [[f32; 4]; 3],
    translation: [f32; 4],
    /// Unit of Y over unit of X, in all lanes.
    scale: [f32; 4],
    pad: f32,
    epsilon: f32,
}

/// The frame of a tree in that of its model, and the size of the contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct TreeFrame {
    /// The tree's origin, in the model's frame.
    pub(super) origin: [f64; 3],
    /// The tree's unit, in the model's frame.
    pub(super) unit: Unit,
    /// The largest distance of contents and box centers from the tree's origin.
    pub(super) reach: f64,
    /// The largest magnitude of a coordinate in the model's frame.
    pub(super) magnitude: f64,
}

impl TreeFrame {
    /// The frame of contents between −1 and 1.
    #[cfg(test)]
    pub(super) const UNIT: Self =
        Self { origin: [0.0; 3], unit: Unit::ONE, reach: 0.0, magnitude: 1.0 };

    /// A point of the model in the tree's frame, rounded.
    #[inline(always)]
    pub(super) fn local(&self, point: [f64; 3]) -> [f32; 3] {
        let scale = self.unit.reciprocal();
        [0, 1, 2].map(|axis| ((point[axis] - self.origin[axis]) * scale) as f32)
    }
}

/// A box of one tree in the frame of the other, with its share of the margin.
#[derive(Clone, Copy, Debug)]
pub struct Probe {
    pub(super) center: [f32; 3],
    pub(super) axes: [[f32; 3]; 3],
    pub(super) extent: [f32; 3],
    /// The margin along face axes: `pad` and epsilon times the sum of extents. Along cross axes
    /// it is four times that.
    pub(super) face_margin: f32,
    pub(super) epsilon: f32,
}

/// A [`Probe`] with each of its numbers in all lanes.
pub(super) struct ProbeLanes<F> {
    pub(super) center: [F; 3],
    pub(super) axes: [[F; 3]; 3],
    pub(super) extent: [F; 3],
    pub(super) face_margin: F,
    pub(super) epsilon: F,
}

impl<F: F32x8> ProbeLanes<F> {
    #[inline(always)]
    pub(super) fn new(probe: &Probe) -> Self {
        let [a, b, c] = probe.axes;
        Self {
            center: vec3::splat(probe.center),
            axes: [vec3::splat(a), vec3::splat(b), vec3::splat(c)],
            extent: vec3::splat(probe.extent),
            face_margin: F::splat(probe.face_margin),
            epsilon: F::splat(probe.epsilon),
        }
    }
}

impl RelativeTransform {
    /// A box of Y in the frame of X.
    #[inline(always)]
    pub(super) fn probe(&self, bounds: &OrientedBox) -> Probe {
        let [x, y, z] = bounds.extent;
        let extent = [self.scaled(x), self.scaled(y), self.scaled(z)];
        let face_margin = self.pad + self.epsilon * (extent[0] + extent[1] + extent[2]);
        let [a, b, c] = bounds.axes;
        Probe {
            center: self.point(bounds.center),
            axes: [self.turn(a), self.turn(b), self.turn(c)],
            extent,
            face_margin,
            epsilon: self.epsilon,
        }
    }

    /// The center of a box of Y and its shortest axis in the frame of X, in all lanes.
    #[inline(always)]
    pub(super) fn center_and_normal<F: F32x8>(&self, bounds: &OrientedBox) -> ([F; 3], [F; 3]) {
        let scaled = self.turned_lanes::<F>(bounds.center).mul(F::repeat(&self.scale));
        let center = scaled.add(F::repeat(&self.translation)).spread_three();
        (center, self.turned_lanes::<F>(bounds.axes[2]).spread_three())
    }

    /// As [`probe`](Self::probe), in all lanes, with the center and the shortest axis that are known.
    #[inline(always)]
    pub(super) fn probe_lanes<F: F32x8>(
        &self,
        bounds: &OrientedBox,
        center: [F; 3],
        normal: [F; 3],
    ) -> ProbeLanes<F> {
        let extent = vec3::scale(vec3::splat(bounds.extent), F::repeat(&self.scale));
        let epsilon = F::splat(self.epsilon);
        let sum = extent[0].add(extent[1]).add(extent[2]);
        let [a, b, _] = bounds.axes;
        let axes = [
            self.turned_lanes::<F>(a).spread_three(),
            self.turned_lanes::<F>(b).spread_three(),
            normal,
        ];
        let face_margin = epsilon.mul(sum).add(F::splat(self.pad));
        ProbeLanes { center, axes, extent, face_margin, epsilon }
    }

    /// As [`turned`](Self::turned), twice.
    #[inline(always)]
    fn turned_lanes<F: F32x8>(&self, [x, y, z]: [f32; 3]) -> F {
        let [a, b, c] = &self.columns;
        let a = F::repeat(a).mul(F::splat(x));
        let b = F::repeat(b).mul(F::splat(y));
        let c = F::repeat(c).mul(F::splat(z));
        a.add(b).add(c)
    }

    /// A point of Y in the frame of X.
    #[inline(always)]
    fn point(&self, v: [f32; 3]) -> [f32; 3] {
        let scaled = self.turned(v).mul(F32x4::load(&self.scale));
        scaled.add(F32x4::load(&self.translation)).first_three()
    }

    /// A direction of Y in the frame of X.
    #[inline(always)]
    fn turn(&self, v: [f32; 3]) -> [f32; 3] {
        self.turned(v).first_three()
    }

    /// `((c₀x + c₁y) + c₂z)` for the columns c of the matrix.
    #[inline(always)]
    fn turned(&self, [x, y, z]: [f32; 3]) -> F32x4 {
        let [a, b, c] = &self.columns;
        let a = F32x4::load(a).mul(F32x4::splat(x));
        let b = F32x4::load(b).mul(F32x4::splat(y));
        let c = F32x4::load(c).mul(F32x4::splat(z));
        a.add(b).add(c)
    }

    /// A length of Y in the unit of X.
    #[inline(always)]
    pub(super) fn scaled(&self, length: f32) -> f32 {
        length * self.scale[0]
    }
}

#[inline(always)]
fn padded([x, y, z]: [f64; 3]) -> [f32; 4] {
    [x as f32, y as f32, z as f32, 0.0]
}

/// Two trees at two poses, and the transforms between them.
pub(super) struct PlacedTrees<'a, N = WideNode> {
    pub(super) a: &'a WideBvh<N>,
    pub(super) b: &'a WideBvh<N>,
    /// From the frame of `b` into the frame of `a`.
    pub(super) b_to_a: RelativeTransform,
    pub(super) a_to_b: RelativeTransform,
}

impl<'a, N: Node> PlacedTrees<'a, N> {
    /// `None` if one tree is empty, or the trees are so far apart that they cannot touch.
    #[inline(always)]
    pub(super) fn new(
        a: (&'a WideBvh<N>, &'a Pose),
        b: (&'a WideBvh<N>, &'a Pose),
    ) -> Option<Self> {
        Self::within(a, b, 0.0)
    }

    /// `None` if one tree is empty, or the trees are farther apart than a distance in the unit of the first.
    #[inline(always)]
    pub(super) fn within(
        a: (&'a WideBvh<N>, &Pose),
        b: (&'a WideBvh<N>, &Pose),
        distance: f64,
    ) -> Option<Self> {
        let (trees, poses) = ((a.0, b.0), (a.1, b.1));
        let (a, b) = trees;
        if a.nodes.is_empty() || b.nodes.is_empty() {
            return None;
        }
        let [b_to_a, a_to_b] = ways(&a.frame, poses.0, &b.frame, poses.1, N::EPSILON, distance)?;
        Some(Self { a, b, b_to_a, a_to_b })
    }
}

/// The transform from `y` to `x` and back; `None` if the distance alone shows that they are farther apart than `distance`, in
/// the unit of `x`.
///
/// Written out without closures: this is most of the cost of a query that ends early.
#[inline(always)]
pub(super) fn ways(
    x: &TreeFrame,
    x_to_world: &Pose,
    y: &TreeFrame,
    y_to_world: &Pose,
    relative_error: f64,
    distance: f64,
) -> Option<[RelativeTransform; 2]> {
    let relative = Pose::relative(x_to_world, y_to_world);
    let margin = Pose::relative_margin(x_to_world, y_to_world, x.magnitude, y.magnitude);
    let [r, s, t] = relative.rotation();
    let [tx, ty, tz] = relative.translation();
    let moved = relative.apply(y.origin);
    let there = [moved[0] - x.origin[0], moved[1] - x.origin[1], moved[2] - x.origin[2]];
    let mut back = [0.0; 3];
    for axis in 0..3 {
        back[axis] = -(r[axis] * there[0] + s[axis] * there[1] + t[axis] * there[2]);
    }
    let translation = tx.abs() + ty.abs() + tz.abs();
    let recentering = (x.magnitude + y.magnitude + translation) / (1_u64 << 47) as f64;
    let skew = skew(relative.rotation());
    // If the units differ even more, this is too large, which is harmless.
    let exponents = (y.unit.exponent() - x.unit.exponent()).clamp(-EXPONENTS - 1, EXPONENTS + 1);
    let (up, down) = (power_of_two(exponents), power_of_two(-exponents));
    let of_x = x.unit.reciprocal();
    // In the unit of X.
    let there = [there[0] * of_x, there[1] * of_x, there[2] * of_x];
    let offset = there[0].abs() + there[1].abs() + there[2].abs();
    let square = there[0] * there[0] + there[1] * there[1] + there[2] * there[2];
    let rounding = (margin + recentering) * of_x;
    let reach = x.reach + y.reach * up;
    let rigid = skew <= 1.0 / 1024.0;
    let (comparable, comparable_back) =
        (rigid && exponents <= EXPONENTS, rigid && exponents >= -EXPONENTS);
    // Contents of X lie within x.reach of its origin, those of Y, moved, within (1 + skew) y.reach of the
    // offset. NaN and overflow separate nothing, unless only the square of a large offset overflows.
    let parting = 1.002 * reach + 4.0 * rounding + CENTER + distance;
    if comparable && offset < f64::INFINITY && square > parting * parting {
        return None;
    }
    let largest = power_of_two(EXPONENTS);
    let pad = CENTER * (reach + offset) + 2.0 * rounding;
    let regular = comparable && offset <= largest && pad <= largest;
    // The way back, in the unit of Y.
    let pad_back = pad * down + (skew + CENTER / 1024.0) * y.reach;
    let regular_back = comparable_back && offset * down <= largest && pad_back <= largest;
    let of_y = y.unit.reciprocal();
    let epsilon = round_up(relative_error + 4.0 * skew);
    let back = [back[0] * of_y, back[1] * of_y, back[2] * of_y];
    Some([
        RelativeTransform {
            columns: [
                padded(column(r, s, t, 0)),
                padded(column(r, s, t, 1)),
                padded(column(r, s, t, 2)),
            ],
            translation: padded(there),
            scale: [up as f32; 4],
            pad: if regular { round_up(pad) } else { f32::INFINITY },
            epsilon: if regular { epsilon } else { 1.0 },
        },
        RelativeTransform {
            columns: [padded(*r), padded(*s), padded(*t)],
            translation: padded(back),
            scale: [down as f32; 4],
            pad: if regular_back { round_up(pad_back) } else { f32::INFINITY },
            epsilon: if regular_back { epsilon } else { 1.0 },
        },
    ])
}

#[inline(always)]
fn column(r: &[f64; 3], s: &[f64; 3], t: &[f64; 3], column: usize) -> [f64; 3] {
    [r[column], s[column], t[column]]
}

/// The largest row sum of |Rᵀ·R − I|; infinite if the matrix has NaN.
#[inline(always)]
pub(super) fn skew([r, s, t]: &[[f64; 3]; 3]) -> f64 {
    let product = |i: usize, j: usize| r[i] * r[j] + s[i] * s[j] + t[i] * t[j];
    let [xx, yy, zz] = [product(0, 0) - 1.0, product(1, 1) - 1.0, product(2, 2) - 1.0];
    let [xy, yz, zx] = [product(0, 1).abs(), product(1, 2).abs(), product(2, 0).abs()];
    let [x, y, z] = [xx.abs() + xy + zx, xy + yy.abs() + yz, zx + yz + zz.abs()];
    if (x + y + z).is_nan() {
        return f64::INFINITY;
    }
    let larger = if x > y { x } else { y };
    if larger > z { larger } else { z }
}
