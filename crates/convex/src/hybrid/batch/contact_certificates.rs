//! Certificates of contact for eight pairs, lane by lane: a portal and the center make a point in both bodies.
//!
//! [`ContactCertificate`](crate::ContactCertificate) shrinks both hulls before the search. Here the center c is a corner of
//! each tetrahedron that holds the origin, so nothing needs to be shrunk: with the weights w, the point w₀c + Σ wᵢpᵢ of the
//! first body is in its hull shrunk about c by w₀, at least w₀ times the radius of the ball about c deep in the hull. Its twin
//! in the second body is farther by w₀(d − c) + Σ wᵢ(qᵢ − pᵢ), which is 0 but for rounding.

use xcollide_simd::vec3::{add, cross, dot, scale, sub, taxicab};
use xcollide_simd::{FloatX8, SimdMask};

use crate::mpr::batch::Portals;

pub(crate) struct ContactCertificates<F: FloatX8> {
    /// The centers of the first bodies.
    origin: [F; 3],
    /// The difference of the centers.
    pub(crate) center: [F; 3],
    /// The least weights of the centers of both bodies; NaN without a certificate.
    least: [F; 2],
    /// The greatest distance of two points that count as one.
    tolerance: F,
}

impl<F: FloatX8> ContactCertificates<F> {
    /// From the centers of the bodies, the factors by which each must be shrunk, NaN without solidity, and the greatest
    /// distance of two points that count as one.
    #[inline(always)]
    pub(crate) fn new([a, b]: [[F; 3]; 2], needed: [F; 2], tolerance: F) -> Self {
        Self { origin: a, center: sub(b, a), least: needed, tolerance }
    }

    /// The lanes that have a point in both bodies, and the points. The corners must be differences.
    #[inline(always)]
    pub(crate) fn common_points(&self, portals: &Portals<F>) -> (F::Mask, [F; 3]) {
        let (zero, a, [b, c, d]) = (F::rounded(0.0), self.center, portals.corners);
        // Barycentric coordinates of the origin, up to a factor.
        let (ab, cd) = (cross(a, b), cross(c, d));
        let of_center = dot(b, cd);
        let [u, v, w] = [zero.sub(dot(a, cd)), dot(d, ab), zero.sub(dot(c, ab))];
        let inverse = F::rounded(1.0).div(of_center.add(u).add(v.add(w)));
        let of_center = of_center.mul(inverse);
        let weights = [u.mul(inverse), v.mul(inverse), w.mul(inverse)];
        // Relative to the center, so that its weight is not needed.
        let [p, q, r] = portals.points;
        let corners = [sub(p, self.origin), sub(q, self.origin), sub(r, self.origin)];
        let point = add(self.origin, weighed(corners, weights));
        let to_twin = add(scale(a, of_center), weighed([b, c, d], weights));
        // False for NaN.
        let deep = of_center.gt(self.least[0]).and(of_center.gt(self.least[1]));
        let [u, v, w] = weights;
        let deep = deep.and(u.ge(zero)).and(v.ge(zero).and(w.ge(zero)));
        (deep.and(self.tolerance.gt(taxicab(to_twin))), point)
    }
}

/// The weighted sum.
#[inline(always)]
fn weighed<F: FloatX8>([a, b, c]: [[F; 3]; 3], weights: [F; 3]) -> [F; 3] {
    add(add(scale(a, weights[0]), scale(b, weights[1])), scale(c, weights[2]))
}
