//! Comparisons of the sides of boxes.

use xcollide_bounds::Aabb;

/// The largest coordinate of an ordinary box, for which no difference or area overflows.
pub(crate) const FARTHEST: f64 = 1e150;

/// Whether a box needs no special treatment: it is neither empty nor very far out.
#[inline]
pub(crate) fn is_ordinary(aabb: &Aabb) -> bool {
    (0..3).fold(true, |all, axis| {
        let (low, high) = (aabb.min[axis], aabb.max[axis]);
        all & (low <= high) & (low >= -FARTHEST) & (high <= FARTHEST)
    })
}

/// The longest side of a box; infinite if it overflows.
#[inline]
pub(crate) fn longest_side(aabb: &Aabb) -> f64 {
    (0..3).map(|axis| aabb.max[axis] - aabb.min[axis]).fold(0.0, greatest)
}

/// `f64::max` for numbers that are not NaN, in one instruction.
#[inline(always)]
pub(crate) fn greatest(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// `f64::min` for numbers that are not NaN, in one instruction.
#[inline(always)]
pub(crate) fn least(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Whether no side of `inner` is outside `outer`.
#[inline]
pub(crate) fn holds(outer: &Aabb, inner: &Aabb) -> bool {
    // Branchless, because most boxes pass.
    (0..3).fold(true, |all, axis| {
        all & (outer.min[axis] <= inner.min[axis]) & (inner.max[axis] <= outer.max[axis])
    })
}

/// Whether a side is not a number. Branchless, because hardly any is.
#[inline]
pub(crate) fn is_nan(aabb: &Aabb) -> bool {
    aabb.min.iter().chain(&aabb.max).fold(false, |nan, side| nan | side.is_nan())
}
