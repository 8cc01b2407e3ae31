//! A common point of two intersecting sets, rounded to f64.
//!
//! Exact signs decide whether a common point exists. Its coordinates are computed in f64 if the
//! predicates' error bounds show that this is accurate enough, otherwise in exact fractions.

use crate::exact::{self, Dyadic};
use crate::orientation::{TrianglePlane, minus};
use crate::projected::facing;
use crate::segment::{point_on_segment, segments_intersect};
use crate::triangle::{
    hull_of_collinear, line_pierces, point_on_triangle, segment_intersects_triangle,
};
use crate::triangle_pair::{Crossing, on_one_side};
use crate::{Point, Sign};

/// Largest error of a parameter along the segment with which the f64 result is used.
const PARAMETER_ERROR: f64 = 1.0 / (1u64 << 42) as f64;

/// A common point of a closed segment and a closed triangle, or `None` exactly if there is none.
/// Both may be degenerate.
///
/// On every axis k the point is within the range of the segment p, q, and within 2⁻⁴⁰·|qₖ − pₖ| plus one
/// unit in the last place of max(|pₖ|, |qₖ|) of a true common point. If an end of the segment or a corner
/// of the triangle is returned, it is not rounded.
///
/// ```
/// use xcollide_predicates::segment_triangle_point;
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let segment = [[0.25, 0.25, -1.0], [0.25, 0.25, 3.0]];
/// assert_eq!(segment_triangle_point(&segment, &triangle), Some([0.25, 0.25, 0.0]));
/// ```
#[must_use]
pub fn segment_triangle_point(segment: &[Point; 2], triangle: &[Point; 3]) -> Option<Point> {
    if !segment_intersects_triangle(segment, triangle) {
        return None;
    }
    let plane = TrianglePlane::new(triangle);
    let sides = segment.map(|end| plane.side(end));
    if sides == [Sign::Zero; 2] {
        return Some(point_in_plane(segment, triangle));
    }
    Some(point_across(segment, sides, triangle, &plane))
}

/// A common point of two closed triangles, or `None` exactly if there is none. Both may be degenerate.
///
/// The point is on an edge of one of them, with the accuracy of [`segment_triangle_point`] for that edge.
///
/// ```
/// use xcollide_predicates::triangle_pair_point;
///
/// let floor = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
/// let wall = [[1.0, -1.0, 1.0], [1.0, -1.0, -1.0], [1.0, 9.0, 0.0]];
/// assert_eq!(triangle_pair_point(&floor, &wall), Some([1.0, 3.0, 0.0]));
/// ```
#[inline]
#[must_use]
pub fn triangle_pair_point(a: &[Point; 3], b: &[Point; 3]) -> Option<Point> {
    // As in `triangles_intersect`, so that disjoint pairs take no more time.
    let plane = TrianglePlane::new(a);
    let b_sides = [plane.side_of(&b[0]), plane.side_of(&b[1]), plane.side_of(&b[2])];
    if on_one_side(b_sides) {
        return None;
    }
    let plane = TrianglePlane::new(b);
    let a_sides = [plane.side_of(&a[0]), plane.side_of(&a[1]), plane.side_of(&a[2])];
    if on_one_side(a_sides) {
        return None;
    }
    point_of_pair(a, b, a_sides, b_sides)
}

/// The common point of two triangles whose corners are on the given sides of the other's plane.
#[inline(never)]
fn point_of_pair(
    a: &[Point; 3],
    b: &[Point; 3],
    a_sides: [Sign; 3],
    b_sides: [Sign; 3],
) -> Option<Point> {
    let Some(crossing) = Crossing::new(a, b, a_sides, b_sides) else {
        return flat_point(a, a_sides, b, b_sides);
    };
    if !crossing.is_met() {
        return None;
    }
    let (edge, of_a) = crossing.upper_edge();
    let triangle = if of_a { b } else { a };
    let plane = TrianglePlane::new(triangle);
    let sides = [plane.side_of(&edge[0]), plane.side_of(&edge[1])];
    Some(point_across(&edge, sides, triangle, &plane))
}

/// [`point_of_pair`] for triangles, one of which lies in a plane of the other.
#[cold]
fn flat_point(
    a: &[Point; 3],
    a_sides: [Sign; 3],
    b: &[Point; 3],
    b_sides: [Sign; 3],
) -> Option<Point> {
    let (plane_a, plane_b) = (TrianglePlane::new(a), TrianglePlane::new(b));
    // The common set is convex and has an extreme point on the border of one of the triangles.
    point_on_edges(a, a_sides, b, &plane_b).or_else(|| point_on_edges(b, b_sides, a, &plane_a))
}

/// The common point of `triangle` with the first edge of `outline` that has one; `sides` are those of
/// the corners of `outline`.
fn point_on_edges(
    outline: &[Point; 3],
    sides: [Sign; 3],
    triangle: &[Point; 3],
    plane: &TrianglePlane<'_>,
) -> Option<Point> {
    [(0, 1), (1, 2), (2, 0)].into_iter().find_map(|(i, j)| {
        let edge = [outline[i], outline[j]];
        if sides[i] == sides[j] {
            // Both ends are in the plane, or strictly on one side.
            return sides[i].is_zero().then(|| segment_triangle_point(&edge, triangle)).flatten();
        }
        line_pierces(&edge, triangle)
            .then(|| point_across(&edge, [sides[i], sides[j]], triangle, plane))
    })
}

/// The common point of a triangle and a segment that meets it, with its ends on different sides of
/// the plane or one of them on it.
fn point_across(
    segment: &[Point; 2],
    sides: [Sign; 2],
    triangle: &[Point; 3],
    plane: &TrianglePlane<'_>,
) -> Point {
    match sides.map(Sign::is_zero) {
        [true, _] => segment[0],
        [false, true] => segment[1],
        [false, false] => {
            let exactly = || along(segment, &piercing_parameter(segment, triangle));
            pierced_point(segment, plane).unwrap_or_else(exactly)
        }
    }
}

/// The point where a segment with its ends on different sides of the plane pierces it, in f64; `None` if
/// it is not accurate enough.
///
/// Let g, h be the true heights of the ends and g + γ, h + ϑ the computed ones. The parameter g/(g − h)
/// is then off by (γ(1 − t) + ϑt)/(g + γ − h − ϑ), at most the larger of the two errors divided by the
/// computed difference, and by two roundings: less than 2⁻⁴¹ under the condition below. The roundings of
/// q − p and of the product stay below 2⁻⁴¹|q − p|; that of the sum is one unit in the last place.
fn pierced_point(segment: &[Point; 2], plane: &TrianglePlane<'_>) -> Option<Point> {
    let [p, q] = *segment;
    let [(g, g_error), (h, h_error)] = [plane.height(&p), plane.height(&q)];
    let (rise, direction) = (g - h, minus(q, p));
    let finite = rise.is_finite() && direction.iter().all(|value| value.is_finite());
    // A NaN bound fails the comparison.
    if !(finite && g_error.max(h_error) <= PARAMETER_ERROR * rise.abs() && g_error + h_error >= 0.0)
    {
        return None;
    }
    let t = g / rise;
    Some([0, 1, 2].map(|k| (p[k] + t * direction[k]).clamp(p[k].min(q[k]), p[k].max(q[k]))))
}

/// The parameter g/(g − h) at which a segment pierces the plane of a triangle, as an exact fraction.
pub(crate) fn piercing_parameter(segment: &[Point; 2], triangle: &[Point; 3]) -> [Dyadic; 2] {
    let [a, b, c] = *triangle;
    let normal = exact::cross(&exact::difference(a, b), &exact::difference(a, c));
    let [g, h] = segment.map(|end| exact::dot(&normal, &exact::difference(a, end)));
    let rise = &g - &h;
    [g, rise]
}

/// A common point of a segment and a triangle in its plane, or without a plane.
#[cold]
fn point_in_plane(segment: &[Point; 2], triangle: &[Point; 3]) -> Point {
    if let Some(&end) = segment.iter().find(|&&end| point_on_triangle(end, triangle)) {
        return end;
    }
    if let Some(&corner) = triangle.iter().find(|&&corner| point_on_segment(corner, segment)) {
        return corner;
    }
    // No end of one is on the other, so the segment crosses an edge, or the segment that a
    // degenerate triangle is.
    let [a, b, c] = *triangle;
    let edges = match facing(triangle) {
        Some(_) => [[a, b], [b, c], [c, a]],
        None => [hull_of_collinear(triangle); 3],
    };
    let edge = edges.iter().find(|edge| segments_intersect(segment, edge)).unwrap_or(&edges[0]);
    along(segment, &crossing_parameter(segment, edge))
}

/// The parameter at which a segment crosses a coplanar one that is not on its line, as an exact
/// fraction.
pub(crate) fn crossing_parameter(segment: &[Point; 2], other: &[Point; 2]) -> [Dyadic; 2] {
    let along_other = exact::difference(other[0], other[1]);
    let apart = exact::cross(&exact::difference(segment[0], other[0]), &along_other);
    let normal = exact::cross(&exact::difference(segment[0], segment[1]), &along_other);
    let axis = (0..3).find(|&k| !normal[k].sign().is_zero()).unwrap_or(0);
    [apart[axis].clone(), normal[axis].clone()]
}

/// The point of a segment at a parameter, each coordinate rounded once.
#[cold]
fn along(segment: &[Point; 2], parameter: &[Dyadic; 2]) -> Point {
    numerators(segment, parameter).map(|numerator| numerator.ratio(&parameter[1]))
}

/// The exact point of a segment at a parameter, times the denominator of the parameter.
pub(crate) fn numerators(
    segment: &[Point; 2],
    [numerator, denominator]: &[Dyadic; 2],
) -> exact::Vector {
    [0, 1, 2].map(|k| {
        let [p, q] = segment.map(|end| Dyadic::of(end[k]));
        &(&p * denominator) + &(&(&q - &p) * numerator)
    })
}
