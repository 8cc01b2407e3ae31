//! Whether two triangles are within a tolerance of each other, decided exactly.

use crate::distance::{Closest, dot, length};
use crate::exact::{self, Dyadic, Vector};
use crate::triangle_pair::triangles_intersect;
use crate::{Point, Sign};

/// Bound on the rounding errors in the scaled frame; see [`filtered`].
const MARGIN: f64 = 1.0 / (1u64 << 44) as f64;

/// Whether the distance of two closed triangles is at most `tolerance`. Both may be degenerate.
///
/// Exact for all finite coordinates and tolerances. False for a negative tolerance or NaN, true for
/// infinity; with tolerance 0, whether they intersect. Takes less than 1 µs where f64 decides, 50 to
/// 100 µs where distance and tolerance agree to 12 digits.
///
/// ```
/// use xcollide_predicates::triangles_within;
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let above = [[1.0, 1.0, 0.1], [5.0, 5.0, 9.0], [3.0, 5.0, 9.0]];
/// assert!(triangles_within(&floor, &above, 0.1));
/// assert!(!triangles_within(&floor, &above, 0.1f64.next_down()));
/// ```
#[must_use]
pub fn triangles_within(a: &[Point; 3], b: &[Point; 3], tolerance: f64) -> bool {
    if tolerance.is_nan() || tolerance < 0.0 {
        return false;
    }
    if tolerance == f64::INFINITY || triangles_intersect(a, b) {
        return true;
    }
    tolerance > 0.0 && filtered(a, b, tolerance).unwrap_or_else(|| within_exactly(a, b, tolerance))
}

/// The answer if f64 can decide it.
///
/// In the scaled frame every difference of coordinates is below 4 and carries one rounding, ε
/// relative. *Near:* the closest points are differences plus two products of parameters in [0, 1]
/// with differences, at most 10 roundings of numbers below 12 an axis (a sum of parameters that
/// exceeds 1 by rounding is one of them), so the distance of two points of the true triangles is
/// below the computed one by no more than √3·120ε < 2⁻⁴⁵. *Apart:* for any direction d the sets are
/// at least (min b·d − max a·d)/|d| apart; products, sums and the division are off by less than
/// 100ε < 2⁻⁴⁵. The tolerance is scaled exactly, unless it underflows far below the margin.
fn filtered(a: &[Point; 3], b: &[Point; 3], tolerance: f64) -> Option<bool> {
    let closest = Closest::of(a, b);
    let frame = &closest.frame;
    let tolerance = frame.scale(tolerance);
    let distance = closest.scaled_distance();
    if distance + MARGIN <= tolerance {
        return Some(true);
    }
    let unit = closest.apart.map(|x| x / distance);
    let along = |p: Point| dot(frame.vector(a[0], p), unit);
    let highest = a.iter().map(|&p| along(p)).fold(f64::NEG_INFINITY, f64::max);
    let lowest = b.iter().map(|&p| along(p)).fold(f64::INFINITY, f64::min);
    let gap = (lowest - highest) / length(unit);
    (gap - MARGIN > tolerance).then_some(false)
}

/// Compares the candidates of [`Closest`] without a division: the squared distance of two features
/// whose closest points are inside both is a fraction of two positive numbers. The least candidate is
/// the distance, so one candidate within the tolerance suffices.
#[cold]
fn within_exactly(a: &[Point; 3], b: &[Point; 3], tolerance: f64) -> bool {
    let limit = Dyadic::of(tolerance).squared();
    a.iter().any(|&p| corner_within(p, b, &limit))
        || b.iter().any(|&p| corner_within(p, a, &limit))
        || (0..3).any(|i| (0..3).any(|j| edges_within(edge(a, i), edge(b, j), &limit)))
}

fn edge(triangle: &[Point; 3], i: usize) -> [Point; 2] {
    [triangle[i], triangle[(i + 1) % 3]]
}

fn corner_within(p: Point, triangle: &[Point; 3], limit: &Dyadic) -> bool {
    let within_corner = |&corner: &Point| {
        let w = exact::difference(corner, p);
        exact::dot(&w, &w) <= *limit
    };
    // |w|² − (w·u)²/|u|² ≤ limit
    let within_edge = |i: usize| {
        let [tail, head] = edge(triangle, i);
        let (u, w) = (exact::difference(tail, head), exact::difference(tail, p));
        let (along, square) = (exact::dot(&w, &u), exact::dot(&u, &u));
        is_between(&along, &square) && {
            let apart = &(&exact::dot(&w, &w) * &square) - &along.squared();
            apart <= limit * &square
        }
    };
    // (w·n)²/|n|² ≤ limit
    let within_face = || {
        let [a, b, c] = *triangle;
        let (u, v) = (exact::difference(a, b), exact::difference(a, c));
        let (n, w) = (exact::cross(&u, &v), exact::difference(a, p));
        let square = exact::dot(&n, &n);
        let s = exact::dot(&exact::cross(&w, &v), &n);
        let t = exact::dot(&exact::cross(&u, &w), &n);
        square.sign().is_positive()
            && !s.sign().is_negative()
            && !t.sign().is_negative()
            && &s + &t <= square
            && exact::dot(&w, &n).squared() <= limit * &square
    };
    triangle.iter().any(within_corner) || (0..3).any(within_edge) || within_face()
}

fn edges_within(a: [Point; 2], b: [Point; 2], limit: &Dyadic) -> bool {
    let directed = |edge: [Point; 2]| -> Vector { exact::difference(edge[0], edge[1]) };
    let (u, v, w) = (directed(a), directed(b), exact::difference(a[0], b[0]));
    let n = exact::cross(&u, &v);
    let square = exact::dot(&n, &n);
    square.sign().is_positive()
        && is_between(&exact::dot(&exact::cross(&w, &v), &n), &square)
        && is_between(&exact::dot(&exact::cross(&w, &u), &n), &square)
        && exact::dot(&w, &n).squared() <= limit * &square
}

/// Whether 0 ≤ numerator/denominator ≤ 1 for a denominator that is not negative; false for 0.
fn is_between(numerator: &Dyadic, denominator: &Dyadic) -> bool {
    denominator.sign() == Sign::Positive
        && !numerator.sign().is_negative()
        && numerator <= denominator
}
