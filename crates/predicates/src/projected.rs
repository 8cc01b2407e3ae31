//! Planar questions about points in space, asked of their projections on a coordinate plane.
//!
//! Leaving out one coordinate maps a plane that is not parallel to the left-out axis one to one
//! and affinely, so every question about incidence and order in that plane has the same answer
//! after the projection, and coordinates stay as exact as they were.

use crate::orientation::{TrianglePlane, orient2d};
use crate::{Point, Point2, Sign};

/// `p` without the coordinate `axis`. A triangle whose normal has a positive component along
/// `axis` is counter-clockwise in the projection.
#[inline]
pub(crate) fn project(p: Point, axis: usize) -> Point2 {
    match axis {
        0 => [p[1], p[2]],
        1 => [p[2], p[0]],
        _ => [p[0], p[1]],
    }
}

/// The sign of component `axis` of (b − a) × (c − a).
#[inline]
pub(crate) fn turn(axis: usize, a: Point, b: Point, c: Point) -> Sign {
    orient2d(project(a, axis), project(b, axis), project(c, axis))
}

/// Whether three points lie on a line (or two of them coincide).
pub(crate) fn collinear(a: Point, b: Point, c: Point) -> bool {
    (0..3).all(|axis| turn(axis, a, b, c).is_zero())
}

/// Along which axis a triangle may be projected without degenerating, and whether it is then
/// counter-clockwise (positive) or clockwise; nothing if its corners are collinear.
///
/// The rounded normal proposes the axis it is steepest along, the exact turn decides.
pub(crate) fn facing(triangle: &[Point; 3]) -> Option<(usize, Sign)> {
    let [a, b, c] = *triangle;
    let normal = TrianglePlane::new(triangle).normal().map(f64::abs);
    let mut axes = [0, 1, 2];
    // Whatever the order, also one disturbed by NaN, all three are tried.
    axes.sort_by(|&i, &j| normal[j].total_cmp(&normal[i]));
    axes.into_iter().map(|axis| (axis, turn(axis, a, b, c))).find(|(_, turn)| !turn.is_zero())
}

/// The same triangle, or what `axis` leaves of it, counter-clockwise.
pub(crate) fn project_counter_clockwise(
    triangle: &[Point; 3],
    axis: usize,
    facing: Sign,
) -> [Point2; 3] {
    let [a, b, c] = triangle.map(|corner| project(corner, axis));
    if facing.is_negative() { [a, c, b] } else { [a, b, c] }
}

/// Whether two convex polygons of at most three corners meet, as closed sets. Counter-clockwise;
/// one of them may be a segment or a point, which is a polygon of two or one corners.
///
/// Disjoint convex polygons are separated by a line along an edge of one of them, as the
/// difference of the two polygons has no other edge directions. Touching ones are not separated
/// strictly.
pub(crate) fn convex_polygons_meet(a: &[Point2], b: &[Point2]) -> bool {
    !has_separating_edge(a, b) && !has_separating_edge(b, a)
}

fn has_separating_edge(a: &[Point2], b: &[Point2]) -> bool {
    (0..a.len()).any(|i| {
        let (tail, head) = (a[i], a[(i + 1) % a.len()]);
        b.iter().all(|&point| orient2d(tail, head, point).is_negative())
    })
}

/// Whether two segments in the plane meet, as closed sets; each may be a point.
pub(crate) fn segments_meet(a: &[Point2; 2], b: &[Point2; 2]) -> bool {
    let sides = [orient2d(a[0], a[1], b[0]), orient2d(a[0], a[1], b[1])];
    if (sides[0] * sides[1]).is_positive() {
        return false;
    }
    let back = [orient2d(b[0], b[1], a[0]), orient2d(b[0], b[1], a[1])];
    if (back[0] * back[1]).is_positive() {
        return false;
    }
    if [sides, back].as_flattened().iter().any(|side| !side.is_zero()) {
        // Each line has the ends of the other segment on both sides or on itself. (A segment
        // that is a point has two zero sides, so its point is on the other one's line; then all
        // sides are zero.)
        return true;
    }
    // All on one line: along it, points are ordered as their coordinates are.
    (0..2).all(|k| ranges_meet([a[0][k], a[1][k]], [b[0][k], b[1][k]]))
}

fn ranges_meet(a: [f64; 2], b: [f64; 2]) -> bool {
    a[0].min(a[1]) <= b[0].max(b[1]) && b[0].min(b[1]) <= a[0].max(a[1])
}
