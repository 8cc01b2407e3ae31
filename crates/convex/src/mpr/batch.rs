//! The portals of eight pairs, and how they are borrowed and narrowed.

use super::MprBatch;
use crate::batch::{Eight, Three, chosen, cross, dot, minus, plus, taxicab, times};

/// The portals of eight pairs.
pub(crate) struct Portals<E> {
    center: Three<E>,
    pub(crate) corners: [Three<E>; 3],
    /// In which step each corner was met; below zero of those that are borrowed.
    pub(crate) met: Three<E>,
}

/// Where borrowed corners are: so far along the ray, and aside of it, as parts of the height of the border
/// for sets of no roundness, and how much more of it for round ones: where the border of round ones is, and for
/// edgy ones before it. Measured on hulls of 8 to 1000 points.
const ALONG: [f64; 2] = [0.12, 0.88];
const ASIDE: [f64; 2] = [0.38, -0.13];

/// What is left of the way from the center to a borrowed corner that is outside.
const WITHDRAWN: f64 = 0.8;

/// Directions more aside of the ray than by this cosine are not begun with.
const ASKEW: f64 = 0.1;

/// What is less farther than this part of the size is no farther.
const FINE: f64 = 1e-14;

/// 120°.
const COSINE: f64 = -0.5;
const SINE: f64 = 0.866_025_403_784_438_6;

impl<E: Eight> Portals<E> {
    /// Borrowed ones around the rays, and what is too fine to be seen; first directions that are aside of the
    /// rays are replaced by those.
    #[inline(always)]
    pub(crate) fn borrowed<S>(searches: &mut MprBatch<'_, E, S>) -> (Self, E) {
        let &mut MprBatch { center, direction, height, roundness, .. } = searches;
        let (zero, one) = (E::splat(0.0), E::splat(1.0));
        let (distance, length) = (dot(center, center), dot(direction, direction));
        let both = dot(direction, center);
        let least = E::splat(ASKEW * ASKEW).times(distance).times(length);
        let fits = E::and(both.above(zero), both.times(both).above(least));
        let direction = chosen(fits, direction, center);
        let scale = one.over(length.chosen(fits, distance).root());
        let unit = times(direction, scale);
        let height = height.chosen(fits, distance).times(scale);
        let along = height.times(E::splat(ALONG[0]).plus(E::splat(ALONG[1]).times(roundness)));
        let aside = height.times(E::splat(ASIDE[0]).plus(E::splat(ASIDE[1]).times(roundness)));
        // Square to the direction, without a branch (Duff et al., Building an orthonormal basis, 2017).
        let [x, y, z] = unit;
        let sign = E::splat(-1.0).chosen(zero.above(z), one);
        let part = zero.minus(one.over(sign.plus(z)));
        let both = x.times(y).times(part);
        let first = [
            one.plus(sign.times(x.times(x)).times(part)),
            sign.times(both),
            zero.minus(sign.times(x)),
        ];
        let second = [both, sign.plus(y.times(y).times(part)), zero.minus(y)];
        // In such an order that the portal is seen counterclockwise from the center.
        let (near, far) = (times(first, aside), times(second, aside.times(E::splat(SINE))));
        let back = times(near, E::splat(COSINE));
        let middle = times(center, one.minus(along.over(dot(unit, center))));
        let corners =
            [plus(middle, near), plus(middle, minus(back, far)), plus(middle, plus(back, far))];
        searches.direction = direction;
        let fine = E::splat(FINE).times(taxicab(center).plus(height));
        (Self { center, corners, met: [E::splat(-1.0); 3] }, fine)
    }

    /// From the portals back to the centers.
    #[inline(always)]
    pub(crate) fn normal(&self) -> Three<E> {
        let [a, b, c] = self.corners;
        cross(minus(c, a), minus(b, a))
    }

    /// Where all corners are differences.
    #[inline(always)]
    pub(crate) fn are_met(&self) -> E::Mask {
        let least = E::splat(-0.5);
        let [a, b, c] = self.met;
        E::and(E::and(a.above(least), b.above(least)), c.above(least))
    }

    /// Borrowed corners nearer to the center.
    #[inline(always)]
    pub(crate) fn withdraw(&mut self, lanes: E::Mask) {
        let (zero, part) = (E::splat(0.0), E::splat(WITHDRAWN));
        for (corner, met) in self.corners.iter_mut().zip(self.met) {
            let nearer = plus(self.center, times(minus(*corner, self.center), part));
            *corner = chosen(E::and(lanes, zero.above(met)), nearer, *corner);
        }
    }

    /// The parts through which the rays go, of three that points beyond the portals make. Returns where
    /// there was one.
    #[inline(always)]
    pub(crate) fn narrow(&mut self, lanes: E::Mask, point: Three<E>, step: E) -> E::Mask {
        let zero = E::splat(0.0);
        // Across the plane of ray and point, to the left as seen from the center.
        let across = cross(point, self.center);
        let left = [
            dot(across, self.corners[0]).above(zero),
            dot(across, self.corners[1]).above(zero),
            dot(across, self.corners[2]).above(zero),
        ];
        let mut any = E::mask(0);
        for number in 0..3 {
            let (next, last) = (left[(number + 1) % 3], left[(number + 2) % 3]);
            let replaced = E::and(lanes, E::and_not(next, last));
            self.corners[number] = chosen(replaced, point, self.corners[number]);
            self.met[number] = step.chosen(replaced, self.met[number]);
            any = E::or(any, replaced);
        }
        any
    }
}
