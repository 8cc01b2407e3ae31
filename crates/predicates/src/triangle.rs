//! Intersection of points and segments with triangles, in space.

use crate::Point;
use crate::orientation::{TrianglePlane, volume_sign};
use crate::projected::{convex_polygons_meet, facing, project, project_counter_clockwise};
use crate::segment::{point_on_segment, segments_intersect};

/// Whether a point lies on a closed triangle. The triangle may be a segment or a point. Exact for all
/// finite coordinates.
///
/// ```
/// use xcollide_predicates::point_on_triangle;
///
/// let triangle = [[0.0; 3], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]];
/// assert!(point_on_triangle([1.0, 1.0, 2.0], &triangle));
/// assert!(point_on_triangle([2.0, 2.0, 4.0], &triangle), "on an edge");
/// assert!(!point_on_triangle([1.0, 1.0, 2.0 - 1e-15], &triangle));
/// ```
#[must_use]
pub fn point_on_triangle(p: Point, triangle: &[Point; 3]) -> bool {
    TrianglePlane::new(triangle).side(p).is_zero()
        && match facing(triangle) {
            Some((axis, facing)) => {
                let corners = project_counter_clockwise(triangle, axis, facing);
                convex_polygons_meet(&[project(p, axis)], &corners)
            }
            None => point_on_segment(p, &hull_of_collinear(triangle)),
        }
}

/// Whether a closed segment and a closed triangle have a point in common. The segment may be a
/// point, the triangle a segment or a point. Exact for all finite coordinates.
///
/// Takes two plane sides and at most three signs of volumes, unless both ends of the segment lie in
/// the triangle's plane.
///
/// ```
/// use xcollide_predicates::segment_intersects_triangle;
///
/// let triangle = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// assert!(segment_intersects_triangle(&[[0.2, 0.2, 1.0], [0.2, 0.2, -1.0]], &triangle));
/// assert!(segment_intersects_triangle(&[[0.5, 0.5, 0.0], [1.0, 1.0, 1.0]], &triangle));
/// assert!(!segment_intersects_triangle(&[[0.2, 0.2, 1.0], [0.2, 0.2, 1e-300]], &triangle));
/// ```
#[inline]
#[must_use]
pub fn segment_intersects_triangle(segment: &[Point; 2], triangle: &[Point; 3]) -> bool {
    let plane = TrianglePlane::new(triangle);
    let sides = [plane.side_of(&segment[0]), plane.side_of(&segment[1])];
    if sides[0] == sides[1] {
        return sides[0].is_zero() && segment_in_plane_meets(segment, triangle);
    }
    line_pierces(segment, triangle)
}

/// [`segment_intersects_triangle`] for ends that are not on the same side of the triangle's plane.
#[inline(always)]
pub(crate) fn line_pierces(segment: &[Point; 2], triangle: &[Point; 3]) -> bool {
    // The line pierces the plane in one point of the segment, which is in the triangle if the line
    // passes all edges on the same side.
    let [p, q] = segment;
    let [a, b, c] = triangle;
    let first = volume_sign(p, q, a, b);
    let second = volume_sign(p, q, b, c);
    !(first * second).is_negative() && {
        let third = volume_sign(p, q, c, a);
        !(first * third).is_negative() && !(second * third).is_negative()
    }
}

/// [`segment_intersects_triangle`] if both ends are in the triangle's plane, or it has no plane.
#[cold]
#[inline(never)]
fn segment_in_plane_meets(segment: &[Point; 2], triangle: &[Point; 3]) -> bool {
    match facing(triangle) {
        Some((axis, facing)) => {
            let corners = project_counter_clockwise(triangle, axis, facing);
            convex_polygons_meet(&segment.map(|end| project(end, axis)), &corners)
        }
        None => segments_intersect(segment, &hull_of_collinear(triangle)),
    }
}

/// The segment that a triangle with collinear corners is; a point is given twice.
pub(crate) fn hull_of_collinear(triangle: &[Point; 3]) -> [Point; 2] {
    let [a, b, c] = *triangle;
    let min = |p: Point, q: Point| if q < p { q } else { p };
    let max = |p: Point, q: Point| if q > p { q } else { p };
    [min(min(a, b), c), max(max(a, b), c)]
}
