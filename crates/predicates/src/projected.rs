//! Planar predicates of points in space, decided in their projections on a coordinate plane.
//!
//! Dropping a coordinate maps any plane that is not parallel to its axis one to one and affinely,
//! without rounding, and so preserves incidence and order.

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

/// The axis along which a vector has its largest component.
#[inline]
pub(crate) fn main_axis(vector: [f64; 3]) -> usize {
    let [x, y, z] = vector.map(f64::abs);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}

/// The sign of component `axis` of (b − a) × (c − a).
#[inline]
pub(crate) fn turn(axis: usize, a: Point, b: Point, c: Point) -> Sign {
    orient2d(project(a, axis), project(b, axis), project(c, axis))
}

/// Whether three points lie on a line; two may coincide.
pub(crate) fn collinear(a: Point, b: Point, c: Point) -> bool {
    (0..3).all(|axis| turn(axis, a, b, c).is_zero())
}

/// An axis along which a triangle can be projected without degenerating, and whether it is then
/// counter-clockwise (positive) or clockwise; `None` if its corners are collinear.
///
/// The axes are tried in the order of the rounded normal's components; the exact turn decides.
pub(crate) fn facing(triangle: &[Point; 3]) -> Option<(usize, Sign)> {
    let [a, b, c] = *triangle;
    let normal = TrianglePlane::new(triangle).normal().map(f64::abs);
    let mut axes = [0, 1, 2];
    // A NaN can disturb the order, but all three axes are tried.
    axes.sort_by(|&i, &j| normal[j].total_cmp(&normal[i]));
    axes.into_iter().map(|axis| (axis, turn(axis, a, b, c))).find(|(_, turn)| !turn.is_zero())
}

/// The projection of the triangle along `axis`, counter-clockwise.
pub(crate) fn project_counter_clockwise(
    triangle: &[Point; 3],
    axis: usize,
    facing: Sign,
) -> [Point2; 3] {
    let [a, b, c] = triangle.map(|corner| project(corner, axis));
    if facing.is_negative() { [a, c, b] } else { [a, b, c] }
}

/// Whether two convex polygons of at most three corners meet, as closed sets. Both are
/// counter-clockwise; one may be a segment or a point, a polygon of two or one corners.
///
/// Disjoint convex polygons are separated strictly by a line along an edge of one of them, because
/// their difference has no other edge directions.
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
        // Neither line has the other segment strictly on one side. (If a segment is a point on the
        // other's line, all sides are zero.)
        return true;
    }
    // All on one line, where points are ordered as their coordinates are.
    (0..2).all(|k| ranges_meet([a[0][k], a[1][k]], [b[0][k], b[1][k]]))
}

fn ranges_meet(a: [f64; 2], b: [f64; 2]) -> bool {
    a[0].min(a[1]) <= b[0].max(b[1]) && b[0].min(b[1]) <= a[0].max(a[1])
}
