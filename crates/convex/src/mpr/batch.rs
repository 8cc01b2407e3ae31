//! The portals of eight pairs: how they are borrowed and narrowed.

use xcollide_simd::vec3::{add, cross, dot, scale, select, sub, taxicab};
use xcollide_simd::{FloatX8, SimdMask};

use super::MprBatch;
use super::borrowed::{Borrowed, TURN, WITHDRAWN};

pub(crate) struct Portals<F> {
    pub(crate) center: [F; 3],
    /// Differences, or borrowed.
    pub(crate) corners: [[F; 3]; 3],
    /// Their points p; any for borrowed ones.
    pub(crate) points: [[F; 3]; 3],
    /// The step that found each corner; below zero for borrowed ones.
    pub(crate) met: [F; 3],
}

impl<F: FloatX8> Portals<F> {
    /// Borrowed portals around the rays, and the least distance that counts as farther. Replaces first directions that
    /// are aside of their rays.
    #[inline(always)]
    pub(crate) fn borrowed<P>(searches: &mut MprBatch<'_, F, P>) -> (Self, F) {
        let &mut MprBatch { center, direction, height, roundness, resolution, .. } = searches;
        let Borrowed { direction, middle, sides: [near, far] } =
            Borrowed::new(center, direction, height, roundness);
        searches.direction = direction;
        let [cosine, sine] = [F::rounded(TURN[0].into()), F::rounded(TURN[1].into())];
        let (back, far) = (scale(near, cosine), scale(far, sine));
        let corners = [add(middle, near), add(middle, sub(back, far)), add(middle, add(back, far))];
        let [p, q] = searches.points;
        let fine = F::rounded(resolution).mul(taxicab(center).add(taxicab(sub(q, p))));
        let zero = F::rounded(0.0);
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
        let (zero, part) = (F::rounded(0.0), F::rounded(WITHDRAWN.into()));
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
