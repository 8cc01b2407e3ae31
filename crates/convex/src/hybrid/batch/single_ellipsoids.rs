//! The [ellipsoids](super::ellipsoids) of eight pairs in single precision, with bounds of their errors.
//!
//! Lengths are in units of the sum of both radii. With ρ the radius of a body in this unit, the entries of its turned
//! shape A are off by less than 12u ρ² (u = 2⁻²⁴): a matrix, a shape and two products of three terms each, where the sum of
//! all |rᵢ Sᵢⱼ sⱼ| is at most the trace. So, along a direction u of taxicab length 1, A u and uᵀA u are off by less than
//! 64u ρ² ([`ERROR`]). Points and planes are proved for the direction that was found; how good it is does not matter.

use xcollide_simd::vec3::{add, dot, scale, sub, taxicab};
use xcollide_simd::{F32x8, SimdFloat, SimdMask};

use crate::batch::EIGHT;
use crate::batch_data::FewVertices;
use crate::ellipsoid::lanes::{adjugate, product, rotated};

/// See the head of the module.
const ERROR: f32 = 64.0 / (1 << 24) as f32;

/// The part of the inner ellipsoids that is left out. Half of it covers the errors of points.
const RIM: f32 = 2e-3;

/// The depth of inner points, as a part of that of the center.
pub(crate) const DEPTH: f64 = 0.5 * RIM as f64;

/// Covers the rounding of a few products.
const MORE: f32 = 1.0 + 1e-6;

/// Eight bodies: their numbers, the rows of their matrices times ρ, and ρ.
pub(crate) struct Turned<'p, F> {
    pub(crate) numbers: [&'p FewVertices; EIGHT],
    pub(crate) rotation: [[F; 3]; 3],
    pub(crate) radius: F,
}

/// The ellipsoids of eight pairs.
pub(crate) struct SingleEllipsoids<F: SimdFloat> {
    /// The direction u of w, of taxicab length 1; shorter or 0 where the centers hardly differ.
    pub(crate) direction: [F; 3],
    /// The length of w, in units of u.
    pub(crate) length: F,
    /// A u and B u.
    pub(crate) products: [[F; 3]; 2],
    /// Bounds of how far the ellipsoids reach along u.
    pub(crate) half_widths: [F; 2],
    /// The filled parts.
    pub(crate) inner: [F; 2],
    /// The lanes whose points A w and d − B w are deep in the ellipsoids inside of both bodies, and nearly the same.
    pub(crate) inside: F::Mask,
}

impl<F: F32x8> SingleEllipsoids<F> {
    #[inline(always)]
    pub(crate) fn of(bodies: &[Turned<'_, F>; 2], between: [F; 3]) -> Self {
        let (zero, one) = (F::splat(0.0), F::splat(1.0));
        let [(a, inner_a, ball_a), (b, inner_b, ball_b)] = [bodies[0].shape(), bodies[1].shape()];
        let mut sum = a;
        for (sum, of_b) in sum.iter_mut().zip(b) {
            *sum = sum.add(of_b);
        }
        let (adjugate, determinant) = adjugate(&sum);
        let direction = product(&adjugate, between);
        let length = taxicab(direction);
        let direction = scale(direction, one.div(length.max(F::splat(1e-30))));
        let length = length.div(determinant);
        let products = [product(&a, direction), product(&b, direction)];
        let mut half_widths = [zero; 2];
        let mut inside = length.ge(zero);
        // How far A w + B w is from d.
        let miss = sub(between, scale(add(products[0], products[1]), length));
        let (rim, miss) = (F::splat(RIM), taxicab(miss).mul(F::splat(8.0)));
        let (inner, balls) = ([inner_a, inner_b], [ball_a, ball_b]);
        for (number, body) in bodies.iter().enumerate() {
            let doubt = F::splat(ERROR).mul(body.radius.mul(body.radius));
            let square = dot(products[number], direction).max(zero).add(doubt);
            half_widths[number] = square.sqrt().mul(F::splat(MORE));
            let limit = one.sub(rim).mul(inner[number]);
            let depth = rim.mul(balls[number].mul(body.radius));
            inside = inside
                .and(limit.gt(half_widths[number].mul(length)))
                .and(depth.gt(doubt.mul(length).mul(F::splat(2.1))))
                .and(depth.gt(miss));
        }
        Self { direction, length, products, half_widths, inner, inside }
    }

    /// Whether the direction separates the ellipsoids of any lane, but for rounding.
    #[inline(always)]
    pub(crate) fn any_apart(&self, between: [F; 3]) -> bool {
        let [of_a, of_b] = self.half_widths;
        dot(self.direction, between).gt(of_a.add(of_b)).any()
    }
}

impl<F: F32x8> Turned<'_, F> {
    /// The shape in the frame of the search, the filled part, and the depth of the center in units of the radius.
    #[inline(always)]
    fn shape(&self) -> ([F; 6], F, F) {
        let [xx, yy, zz, xy, xz, yz, inner, ball] =
            F::transpose(self.numbers.map(|few| &few.ellipsoid));
        (rotated(&[xx, yy, zz, xy, xz, yz], self.rotation), inner, ball)
    }

    /// The mean of the vertices relative to the center of the ellipsoid, in the frame of the search, and the factor by
    /// which the body must be shrunk for its dents and a distance.
    #[inline(always)]
    pub(crate) fn solid(&self, distance: F) -> ([F; 3], F) {
        let [x, y, z, of_dent, of_distance, ..] = F::transpose(self.numbers.map(|few| &few.solid));
        let [r, s, t] = self.rotation;
        let center = [dot(r, [x, y, z]), dot(s, [x, y, z]), dot(t, [x, y, z])];
        (center, of_dent.add(distance.div(self.radius).mul(of_distance)))
    }
}

#[cfg(test)]
mod tests;
