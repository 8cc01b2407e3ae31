//! [`ContactCertificate`](crate::ContactCertificate) for eight pairs, lane by lane.

use crate::batch::rows;
use xcollide_simd::vec3::{add, cross, dot, scale, sub, taxicab};
use xcollide_simd::{F64x8, SimdMask};

use super::bodies::Bodies;
use crate::contact_certificate::{LARGEST_FACTOR, TOLERANCE};

pub(crate) struct ContactCertificates<F: F64x8> {
    centers: [[F; 3]; 2],
    /// s / (1 − s); NaN without a certificate.
    part: F,
    /// Is subtracted from each difference; 0 without a certificate.
    pub(crate) shift: [F; 3],
    /// The difference of the centers, less the shift.
    pub(crate) center: [F; 3],
    /// The greatest distance of two points that count as one.
    tolerance: F,
}

impl<F: F64x8> ContactCertificates<F> {
    #[inline(always)]
    pub(crate) fn of([a, b]: &[Bodies<'_, '_, F>; 2]) -> Self {
        let noise = a.noise().add(b.noise());
        let (needed_a, center_a) = needed(a, noise);
        let (needed_b, center_b) = needed(b, noise);
        let limit = F::splat(LARGEST_FACTOR);
        // False for NaN.
        let exist = limit.gt(needed_a).and(limit.gt(needed_b));
        let factor = needed_a.max(needed_b);
        // Slightly more than factor / (1 − factor).
        let part = factor.mul(F::splat(1.0).add(F::splat(1.5).mul(factor)));
        let shift = scale(sub(center_a, center_b), F::select(exist, part, F::splat(0.0)));
        Self {
            centers: [center_a, center_b],
            part: F::select(exist, part, F::splat(f64::NAN)),
            shift,
            center: sub(sub(center_b, center_a), shift),
            tolerance: F::splat(TOLERANCE).mul(noise),
        }
    }

    /// Points in both bodies, from the weights with which the center and three shifted differences make the origin, and
    /// the lanes that have one. The corners are vertices of the first and of the second bodies.
    #[inline(always)]
    pub(crate) fn common_points(
        &self,
        of_a: &[[F; 3]; 3],
        of_b: &[[F; 3]; 3],
    ) -> (F::Mask, [F; 3]) {
        let a = self.center;
        let b = sub(sub(of_b[0], of_a[0]), self.shift);
        let c = sub(sub(of_b[1], of_a[1]), self.shift);
        let d = sub(sub(of_b[2], of_a[2]), self.shift);
        // Barycentric coordinates of the origin, up to a factor.
        let zero = F::splat(0.0);
        let (ab, cd) = (cross(a, b), cross(c, d));
        let of_center = dot(b, cd);
        let weights = [zero.sub(dot(a, cd)), dot(d, ab), zero.sub(dot(c, ab))];
        let sum = of_center.add(weights[0]).add(weights[1].add(weights[2]));
        let scale = F::splat(1.0).div(sum);
        let [u, v, w] = [weights[0].mul(scale), weights[1].mul(scale), weights[2].mul(scale)];
        let negative = zero.gt(of_center.mul(scale)).or(zero.gt(u)).or(zero.gt(v).or(zero.gt(w)));
        // Times 1 − s. Relative to the centers, so that the weights of those are not needed.
        let left = F::splat(1.0).div(F::splat(1.0).add(self.part));
        let weights = [u.mul(left), v.mul(left), w.mul(left)];
        let point = weighed(of_a, weights, self.centers[0]);
        let twin = weighed(of_b, weights, self.centers[1]);
        // False for NaN.
        let one = self.tolerance.gt(taxicab(sub(point, twin)));
        (one.and_not(negative), point)
    }
}

/// The factors by which bodies must be shrunk, NaN without solidity, and the centers of the bodies.
#[inline(always)]
fn needed<F: F64x8>(bodies: &Bodies<'_, '_, F>, noise: F) -> (F, [F; 3]) {
    let [dent, factor, _] = F::from_vectors(rows(bodies.data, |data| &data.solidity.0));
    let depth = dent.add(F::splat(2.0).mul(noise));
    let center = bodies.place(rows(bodies.data, |data| &data.center.0));
    (depth.mul(factor), center)
}

/// The centers plus the weighted sums of the corners relative to them.
#[inline(always)]
fn weighed<F: F64x8>(corners: &[[F; 3]; 3], weights: [F; 3], center: [F; 3]) -> [F; 3] {
    let a = scale(sub(corners[0], center), weights[0]);
    let b = scale(sub(corners[1], center), weights[1]);
    let c = scale(sub(corners[2], center), weights[2]);
    add(center, add(add(a, b), c))
}
