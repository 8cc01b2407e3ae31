//! The portals of eight pairs: how they are borrowed and narrowed.

use xcollide_simd::vec3::{add, cross, dot, scale, select, sub, taxicab};
use xcollide_simd::{FloatX8, SimdMask};

use super::MprBatch;

pub(crate) struct Portals<F> {
    pub(crate) center: [F; 3],
    /// Differences, or borrowed.
    pub(crate) corners: [[F; 3]; 3],
    /// Their points p; any for borrowed ones.
    pub(crate) points: [[F; 3]; 3],
    /// The step that found each corner; below zero for borrowed ones.
    pub(crate) met: [F; 3],
}

/// The distances of borrowed corners along the ray and aside of it, as parts of the height of the border: for roundness
/// 0, and the increase up to roundness 1. They are on the border of round sets and before that of edgy ones. Measured on
/// hulls of 8 to 1000 points.
const ALONG: [f64; 2] = [0.12, 0.88];
const ASIDE: [f64; 2] = [0.38, -0.13];

/// The factor by which a borrowed corner that is outside moves towards the center.
const WITHDRAWN: f64 = 0.8;

/// First directions must have at least this cosine with the ray.
const ASKEW: f64 = 0.1;

/// 120°.
const COSINE: f64 = -0.5;
const SINE: f64 = 0.866_025_403_784_438_6;

impl<F: FloatX8> Portals<F> {
    /// Borrowed portals around the rays, and the least distance that counts as farther. Replaces first directions that
    /// are aside of their rays.
    #[inline(always)]
    pub(crate) fn borrowed<P>(searches: &mut MprBatch<'_, F, P>) -> (Self, F) {
        let &mut MprBatch { center, direction, height, roundness, resolution, .. } = searches;
        let (zero, one) = (F::rounded(0.0), F::rounded(1.0));
        let (distance, length) = (dot(center, center), dot(direction, direction));
        let both = dot(direction, center);
        let least = F::rounded(ASKEW * ASKEW).mul(distance).mul(length);
        let fits = both.gt(zero).and(both.mul(both).gt(least));
        let direction = select(fits, direction, center);
        let inverse = one.div(F::select(fits, length, distance).sqrt());
        let unit = scale(direction, inverse);
        let height = F::select(fits, height, distance).mul(inverse);
        let along = height.mul(F::rounded(ALONG[0]).add(F::rounded(ALONG[1]).mul(roundness)));
        let aside = height.mul(F::rounded(ASIDE[0]).add(F::rounded(ASIDE[1]).mul(roundness)));
        // Square to the direction, without a branch (Duff et al., Building an orthonormal basis, 2017).
        let [x, y, z] = unit;
        let sign = F::select(zero.gt(z), F::rounded(-1.0), one);
        let part = zero.sub(one.div(sign.add(z)));
        let both = x.mul(y).mul(part);
        let first = [one.add(sign.mul(x.mul(x)).mul(part)), sign.mul(both), zero.sub(sign.mul(x))];
        let second = [both, sign.add(y.mul(y).mul(part)), zero.sub(y)];
        // Counterclockwise as seen from the center.
        let (near, far) = (scale(first, aside), scale(second, aside.mul(F::rounded(SINE))));
        let back = scale(near, F::rounded(COSINE));
        let middle = scale(center, one.sub(along.div(dot(unit, center))));
        let corners = [add(middle, near), add(middle, sub(back, far)), add(middle, add(back, far))];
        searches.direction = direction;
        let fine = F::rounded(resolution).mul(taxicab(center).add(height));
        let points = [[zero; 3]; 3];
        (Self { center, corners, points, met: [F::rounded(-1.0); 3] }, fine)
    }

    /// The normals of the portals, towards the centers.
    #[inline(always)]
    pub(crate) fn normal(&self) -> [F; 3] {
        let [a, b, c] = self.corners;
        cross(sub(c, a), sub(b, a))
    }

    /// The lanes whose corners are all differences.
    #[inline(always)]
    pub(crate) fn are_met(&self) -> F::Mask {
        let least = F::rounded(-0.5);
        let [a, b, c] = self.met;
        a.gt(least).and(b.gt(least)).and(c.gt(least))
    }

    /// Moves borrowed corners nearer to the center.
    #[inline(always)]
    pub(crate) fn withdraw(&mut self, lanes: F::Mask) {
        let (zero, part) = (F::rounded(0.0), F::rounded(WITHDRAWN));
        for (corner, met) in self.corners.iter_mut().zip(self.met) {
            let nearer = add(self.center, scale(sub(*corner, self.center), part));
            *corner = select(lanes.and(zero.gt(met)), nearer, *corner);
        }
    }

    /// Divides the portals by corners beyond them, and keeps the parts through which the rays go. Returns the lanes that
    /// had one.
    #[inline(always)]
    pub(crate) fn narrow(
        &mut self,
        lanes: F::Mask,
        corner: [F; 3],
        point: [F; 3],
        step: F,
    ) -> F::Mask {
        let zero = F::rounded(0.0);
        // Normal of the plane of ray and corner, to the left as seen from the center.
        let across = cross(corner, self.center);
        let left = [
            dot(across, self.corners[0]).gt(zero),
            dot(across, self.corners[1]).gt(zero),
            dot(across, self.corners[2]).gt(zero),
        ];
        let mut any = F::Mask::from_bits(0);
        for number in 0..3 {
            let (next, last) = (left[(number + 1) % 3], left[(number + 2) % 3]);
            let replaced = lanes.and(next.and_not(last));
            self.corners[number] = select(replaced, corner, self.corners[number]);
            self.points[number] = select(replaced, point, self.points[number]);
            self.met[number] = F::select(replaced, step, self.met[number]);
            any = any.or(replaced);
        }
        any
    }
}
