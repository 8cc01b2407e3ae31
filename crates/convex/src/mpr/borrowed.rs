//! First portals, borrowed: estimates of the border around the ray from an inner difference to the origin.
//!
//! The corners lie around the ray at some part of the way to the border along a first direction: on the border of round sets and
//! before that of edgy ones.

use xcollide_simd::vec3::{dot, scale, select};
use xcollide_simd::{SimdFloat, SimdMask};

/// An equilateral triangle across a direction, around a point of the ray.
pub(crate) struct Borrowed<F> {
    /// The first direction, or that of the ray if it is aside.
    pub(crate) direction: [F; 3],
    pub(crate) middle: [F; 3],
    /// From the middle to the first corner, and as far square to that: counterclockwise as seen from the center.
    pub(crate) sides: [[F; 3]; 2],
}

/// The place of the corners along the ray for roundness 0 and 1, and their distance from it, as parts of the distance from the
/// center to the border. Measured on hulls of 8 to 500 points.
const ALONG: [f32; 2] = [0.37, 1.0];
const ASIDE: f32 = 0.4;

/// First directions must have at least this cosine with the ray.
const ASKEW: f32 = 0.1;

/// The cosine and the sine of 120°, between the corners.
pub(crate) const TURN: [f32; 2] = [-0.5, 0.866_025_4];

/// The factor by which a borrowed corner that is outside moves towards the center.
pub(crate) const WITHDRAWN: f32 = 0.8;

impl<F: SimdFloat> Borrowed<F> {
    /// For a first direction, an estimate of the distance from the center to the border against it, times its length, and the
    /// roundness of the sets.
    #[inline(always)]
    pub(crate) fn new(center: [F; 3], direction: [F; 3], height: F, roundness: F) -> Self {
        let (zero, one): (F, F) = (number(0.0), number(1.0));
        let (distance, square) = (dot(center, center), dot(direction, direction));
        let both = dot(direction, center);
        let least = number::<F>(ASKEW * ASKEW).mul(distance).mul(square);
        let fits = both.gt(zero).and(both.mul(both).gt(least));
        let height = F::select(fits, height, distance);
        let direction = select(fits, direction, center);
        let (square, both) = (F::select(fits, square, distance), F::select(fits, both, distance));
        // Square to the direction, without a branch (Duff et al., Building an orthonormal basis, 2017), and without a unit
        // vector: that would take one more division, for which the next would wait.
        let [x, y, z] = direction;
        let length = square.sqrt();
        let length = F::select(zero.gt(z), zero.sub(length), length);
        let sum = length.add(z);
        let part = one.div(length.mul(sum));
        let inverse = sum.mul(part);
        let product = zero.sub(x.mul(y).mul(part));
        let first = [one.sub(x.mul(x).mul(part)), product, zero.sub(x.mul(inverse))];
        let second = [product, one.sub(y.mul(y).mul(part)), zero.sub(y.mul(inverse))];
        let [edgy, round] = ALONG;
        let along = number::<F>(edgy).add(number::<F>(round - edgy).mul(roundness));
        let middle = scale(center, one.sub(height.mul(along).div(both)));
        let aside = height.mul(inverse).mul(number(ASIDE));
        Self { direction, middle, sides: [scale(first, aside.abs()), scale(second, aside)] }
    }
}

/// A number in all lanes.
#[inline(always)]
fn number<F: SimdFloat>(value: f32) -> F {
    F::splat(value.into())
}
