//! Whether two triangles are within a tolerance of each other, decided exactly.

use crate::distance::{Closest, dot, length};
use crate::exact::{self, Dyadic, Vector, minus, vector};
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

#[cold]
fn within_exactly(a: &[Point; 3], b: &[Point; 3], tolerance: f64) -> bool {
    let limit = Dyadic::of(tolerance).squared();
    !gap_sign(&a.map(vector), &b.map(vector), &limit, Sign::Zero).is_positive()
}

/// The sign of the squared distance of two triangles less a limit, of those that do not pass through each other; both may be
/// degenerate. Once the sign is known to be as small as `enough`, it is returned, which may be more than the true one.
///
/// Compares the candidates of [`Closest`] without a division: the squared distance of two features
/// whose closest points are inside both is a fraction of two positive numbers. The least candidate is
/// the distance, so it decides.
pub(crate) fn gap_sign(a: &[Vector; 3], b: &[Vector; 3], limit: &Dyadic, enough: Sign) -> Sign {
    let corners = a.iter().map(|p| (p, b)).chain(b.iter().map(|p| (p, a)));
    let of_corners = corners.map(|(p, triangle)| corner_gap(p, triangle, limit, enough));
    let edges = (0..9).map(|i| (edge(a, i / 3), edge(b, i % 3)));
    least(of_corners.chain(edges.map(|(one, other)| edges_gap(one, other, limit))), enough)
}

/// The least of some signs, up to the first that is enough.
fn least(signs: impl Iterator<Item = Sign>, enough: Sign) -> Sign {
    let mut least = Sign::Positive;
    for sign in signs {
        least = least.min(sign);
        if least <= enough {
            break;
        }
    }
    least
}

fn edge(triangle: &[Vector; 3], i: usize) -> [&Vector; 2] {
    [&triangle[i], &triangle[(i + 1) % 3]]
}

/// Of a corner and a triangle; positive, too, where the closest point is not inside of a feature.
fn corner_gap(p: &Vector, triangle: &[Vector; 3], limit: &Dyadic, enough: Sign) -> Sign {
    let of_corner = |corner: &Vector| {
        let w = minus(p, corner);
        (&exact::dot(&w, &w) - limit).sign()
    };
    // |w|² − (w·u)²/|u|² compared with the limit
    let of_edge = |i: usize| {
        let [tail, head] = edge(triangle, i);
        let (u, w) = (minus(head, tail), minus(p, tail));
        let (along, square) = (exact::dot(&w, &u), exact::dot(&u, &u));
        if !is_between(&along, &square) {
            return Sign::Positive;
        }
        let apart = &(&exact::dot(&w, &w) * &square) - &along.squared();
        (&apart - &(limit * &square)).sign()
    };
    // (w·n)²/|n|² compared with the limit
    let of_face = || {
        let [a, b, c] = triangle;
        let (u, v) = (minus(b, a), minus(c, a));
        let (n, w) = (exact::cross(&u, &v), minus(p, a));
        let square = exact::dot(&n, &n);
        let s = exact::dot(&exact::cross(&w, &v), &n);
        let t = exact::dot(&exact::cross(&u, &w), &n);
        let is_above = square.sign().is_positive()
            && !s.sign().is_negative()
            && !t.sign().is_negative()
            && &s + &t <= square;
        if !is_above {
            return Sign::Positive;
        }
        (&exact::dot(&w, &n).squared() - &(limit * &square)).sign()
    };
    let signs = triangle.iter().map(of_corner).chain((0..3).map(of_edge));
    match least(signs, enough) {
        found if found <= enough => found,
        found => found.min(of_face()),
    }
}

/// Of two edges; positive, too, where the closest points are not inside of both.
fn edges_gap(a: [&Vector; 2], b: [&Vector; 2], limit: &Dyadic) -> Sign {
    let (u, v, w) = (minus(a[1], a[0]), minus(b[1], b[0]), minus(b[0], a[0]));
    let n = exact::cross(&u, &v);
    let square = exact::dot(&n, &n);
    let is_inside = square.sign().is_positive()
        && is_between(&exact::dot(&exact::cross(&w, &v), &n), &square)
        && is_between(&exact::dot(&exact::cross(&w, &u), &n), &square);
    if !is_inside {
        return Sign::Positive;
    }
    (&exact::dot(&w, &n).squared() - &(limit * &square)).sign()
}

/// Whether 0 ≤ numerator/denominator ≤ 1 for a denominator that is not negative; false for 0.
fn is_between(numerator: &Dyadic, denominator: &Dyadic) -> bool {
    denominator.sign() == Sign::Positive
        && !numerator.sign().is_negative()
        && numerator <= denominator
}
