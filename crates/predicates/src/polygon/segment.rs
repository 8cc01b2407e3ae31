//! Segment against polygon.

use super::projection::{Span, spanning_points};
use super::{Contour, Projection, edges};
use crate::orientation::{TrianglePlane, orient3d};
use crate::segment::segments_intersect;
use crate::{Point, Sign};

/// Whether a closed segment and a closed planar polygon have a point in common; even-odd rule,
/// the border belongs to the polygon. The segment may be a point; a polygon whose vertices are on
/// one line is its edges.
///
/// O(n); exact for all finite coordinates if the polygon is exactly planar ([`polygon_is_planar`]).
/// For other polygons the border is still tested exactly; the inside is that of the polygon as seen
/// along the segment, which must cross the plane of the first three non-collinear vertices. Triangulate
/// such polygons if their inside must be well defined.
///
/// ```
/// use xcollide_predicates::polygon::segment_intersects_polygon;
///
/// let ell = [[
///     [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 1.0, 0.0],
///     [1.0, 1.0, 0.0], [1.0, 4.0, 0.0], [0.0, 4.0, 0.0],
/// ]];
/// assert!(segment_intersects_polygon(&[[0.5, 3.0, -1.0], [0.5, 3.0, 1.0]], &ell));
/// assert!(!segment_intersects_polygon(&[[3.0, 3.0, -1.0], [3.0, 3.0, 1.0]], &ell));
/// assert!(segment_intersects_polygon(&[[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]], &ell));
/// ```
#[must_use]
pub fn segment_intersects_polygon<C: Contour>(segment: &[Point; 2], contours: &[C]) -> bool {
    let [p, q] = *segment;
    let touches = |tail: Point, head: Point| segments_intersect(segment, &[tail, head]);
    let Span::Plane(corners) = spanning_points(contours) else {
        return contours.iter().flat_map(edges).any(|(tail, head)| touches(tail, head));
    };
    let plane = TrianglePlane::new(&corners);
    let sides = segment.map(|end| plane.side(end));
    if !sides[0].is_zero() && sides[0] == sides[1] && polygon_is_planar(contours) {
        return false;
    }
    // The even-odd rule in the view along the segment, in which the segment is a point and `orient2d`
    // is the `orient3d` of the segment and two points. The ray goes through this vertex, which is not
    // on the line of the segment because no border is touched.
    let reference = corners[0];
    let is_beyond = |vertex: Point| orient3d(p, q, reference, vertex).is_positive();
    let mut inside = false;
    for (tail, head) in contours.iter().flat_map(edges) {
        let passes = orient3d(p, q, tail, head);
        if passes.is_zero() && touches(tail, head) {
            return true;
        }
        match (is_beyond(tail), is_beyond(head)) {
            (false, true) => inside ^= passes.is_positive(),
            (true, false) => inside ^= passes.is_negative(),
            _ => {}
        }
    }
    match sides {
        // In the plane, without touching the border: all inside or all outside.
        [Sign::Zero, Sign::Zero] => {
            Projection::of(contours).locate_by_ray(p, contours).is_contained()
        }
        [p_side, q_side] => p_side != q_side && inside,
    }
}

/// Whether all vertices lie exactly in one plane. O(n); exact for all finite coordinates.
///
/// ```
/// use xcollide_predicates::polygon::polygon_is_planar;
///
/// let mut square = [[[0.0, 0.0, 0.0], [1.0, 0.0, 0.1], [1.0, 1.0, 0.1], [0.0, 1.0, 0.0]]];
/// assert!(polygon_is_planar(&square));
/// square[0][2][2] = 0.1f64.next_up();
/// assert!(!polygon_is_planar(&square));
/// ```
#[must_use]
pub fn polygon_is_planar<C: Contour>(contours: &[C]) -> bool {
    match spanning_points(contours) {
        Span::Point | Span::Line(_) => true,
        Span::Plane(corners) => {
            let plane = TrianglePlane::new(&corners);
            contours.iter().flat_map(edges).all(|(_, vertex)| plane.side(vertex).is_zero())
        }
    }
}
