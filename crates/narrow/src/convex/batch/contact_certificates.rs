//! Proofs that eight pairs meet, at once: insets and the weights of their corners, as
//! [`ContactCertificate`](crate::convex::ContactCertificate) says, lane by lane.

use xcollide_convex::batch::{EIGHT, Eight, Three, cross, dot, minus, plus, rows, taxicab, times};

use super::bodies::Bodies;
use crate::convex::contact_certificate::{LARGEST_FACTOR, TOLERANCE};

/// The insets of eight pairs.
pub(crate) struct Insets<E: Eight> {
    centers: [Three<E>; 2],
    /// s / (1 − s); NaN where there is no inset.
    part: E,
    /// What to subtract from each difference; 0 where there is no inset.
    pub(crate) shift: Three<E>,
    /// The difference of the centers, less the shift.
    pub(crate) center: Three<E>,
    /// What two points may differ by and still be one.
    tolerance: E,
}

impl<E: Eight> Insets<E> {
    #[inline(always)]
    pub(crate) fn of([a, b]: &[Bodies<'_, '_, E>; 2]) -> Self {
        let noise = a.noise().plus(b.noise());
        let (needed_a, center_a) = needed(a, noise);
        let (needed_b, center_b) = needed(b, noise);
        let limit = E::splat(LARGEST_FACTOR);
        // False for NaN.
        let exist = E::and(limit.above(needed_a), limit.above(needed_b));
        let factor = needed_a.greater(needed_b);
        // A little more than factor / (1 − factor), as far as that goes.
        let part = factor.times(E::splat(1.0).plus(E::splat(1.5).times(factor)));
        let shift = times(minus(center_a, center_b), part.chosen(exist, E::splat(0.0)));
        Self {
            centers: [center_a, center_b],
            part: part.chosen(exist, E::splat(f64::NAN)),
            shift,
            center: minus(minus(center_b, center_a), shift),
            tolerance: E::splat(TOLERANCE).times(noise),
        }
    }

    /// Where there are points in both bodies, computed from the weights with which the center and three shifted
    /// differences make the origin; and those points. The corners are vertices of the first and of the
    /// second bodies.
    #[inline(always)]
    pub(crate) fn common_points(
        &self,
        of_a: &[Three<E>; 3],
        of_b: &[Three<E>; 3],
    ) -> (E::Mask, Three<E>) {
        let a = self.center;
        let b = minus(minus(of_b[0], of_a[0]), self.shift);
        let c = minus(minus(of_b[1], of_a[1]), self.shift);
        let d = minus(minus(of_b[2], of_a[2]), self.shift);
        // Barycentric coordinates of the origin, up to a factor.
        let zero = E::splat(0.0);
        let (ab, cd) = (cross(a, b), cross(c, d));
        let of_center = dot(b, cd);
        let weights = [zero.minus(dot(a, cd)), dot(d, ab), zero.minus(dot(c, ab))];
        let sum = of_center.plus(weights[0]).plus(weights[1].plus(weights[2]));
        let scale = E::splat(1.0).over(sum);
        let [u, v, w] = [weights[0].times(scale), weights[1].times(scale), weights[2].times(scale)];
        let negative = E::or(
            E::or(zero.above(of_center.times(scale)), zero.above(u)),
            E::or(zero.above(v), zero.above(w)),
        );
        // Times 1 − s; from the centers, so that theirs take no part.
        let left = E::splat(1.0).over(E::splat(1.0).plus(self.part));
        let weights = [u.times(left), v.times(left), w.times(left)];
        let point = weighed(of_a, weights, self.centers[0]);
        let twin = weighed(of_b, weights, self.centers[1]);
        // False for what is not a number, as the points then are none either.
        let one = self.tolerance.above(taxicab(minus(point, twin)));
        (E::and_not(one, negative), point)
    }
}

/// The factors by which bodies must be shrunk, NaN for what is none; and their centers.
#[inline(always)]
fn needed<E: Eight>(bodies: &Bodies<'_, '_, E>, noise: E) -> (E, Three<E>) {
    let [dent, factor, _] = E::columns(rows(&bodies.portraits, |portrait| &portrait.solidity));
    let depth = dent.plus(E::splat(2.0).times(noise));
    let center = bodies.place(rows(&bodies.portraits, |portrait| &portrait.center));
    (depth.times(factor), center)
}

/// Points so far from the centers as the corners with these weights are.
#[inline(always)]
fn weighed<E: Eight>(corners: &[Three<E>; 3], weights: [E; 3], center: Three<E>) -> Three<E> {
    let a = times(minus(corners[0], center), weights[0]);
    let b = times(minus(corners[1], center), weights[1]);
    let c = times(minus(corners[2], center), weights[2]);
    plus(center, plus(plus(a, b), c))
}

/// Vertices of eight bodies.
#[inline(always)]
pub(crate) fn corners<E: Eight>(bodies: &Bodies<'_, '_, E>, numbers: &[u32; EIGHT]) -> Three<E> {
    let mut rows = [&[0.0; 3]; EIGHT];
    for (row, (body, &number)) in rows.iter_mut().zip(bodies.each.iter().zip(numbers)) {
        *row = &body.polytope().positions()[number as usize];
    }
    bodies.place(rows)
}
