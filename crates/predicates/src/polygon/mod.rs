//! Points and segments against polygons in space, without copying them to the plane.
//!
//! Source: Zachmann, *Exact and Fast Collision Detection*, 1994, sections 3.2.2 and 3.3. A
//! [`Projection`] on a coordinate plane reads only two of the three coordinates. Four algorithms
//! give the same answers:
//!
//! | | polygons | time | needs |
//! |---|---|---|---|
//! | [`Projection::locate_by_angles`] | any contours | O(n) | – |
//! | [`Projection::locate_by_ray`] | any contours | O(n), the fastest for few vertices | – |
//! | [`ConvexPolygon::locate_by_wedges`] | convex | O(log n) | O(n) once |
//! | [`ConvexPolygon::locate_by_fibonacci`] | convex | O(log n) | O(n) once |
//!
//! All are exact for the projected polygon: they compare coordinates and signs of
//! [`orient2d`](crate::orient2d). A polygon may have several contours in any orientation, an outer one
//! and holes. By the **even-odd rule** a point is inside if a path to infinity crosses the contours an
//! odd number of times; the two crossings of a bridge to a hole cancel. The border belongs to the
//! polygon.

mod angles;
mod convex;
mod projection;
mod ray;
mod segment;

pub use convex::ConvexPolygon;
pub use projection::Projection;
pub use segment::{polygon_is_planar, segment_intersects_polygon};

use crate::Point;

/// A closed sequence of vertices: a contour of a polygon.
///
/// Arrays, slices and vectors of points are contours, and [`Indexed`] reads vertices by number.
pub trait Contour {
    /// Number of vertices.
    fn vertex_count(&self) -> usize;

    /// Vertex `i`, counted from 0.
    ///
    /// # Panics
    /// If `i` is out of range.
    fn vertex(&self, i: usize) -> Point;
}

impl<T: AsRef<[Point]> + ?Sized> Contour for T {
    #[inline]
    fn vertex_count(&self) -> usize {
        self.as_ref().len()
    }

    #[inline]
    fn vertex(&self, i: usize) -> Point {
        self.as_ref()[i]
    }
}

/// A contour given by vertex numbers, as in a mesh.
///
/// ```
/// use xcollide_predicates::polygon::{Indexed, point_in_polygon};
///
/// let positions = [[9.0; 3], [0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
/// let triangle = Indexed { positions: &positions, corners: &[1u32, 2, 3] };
/// assert!(point_in_polygon([1.0, 1.0, 1.0], &[triangle]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Indexed<'a, I> {
    /// Positions of all vertices.
    pub positions: &'a [Point],
    /// Vertex numbers of this contour, in order.
    pub corners: &'a [I],
}

impl<I: Copy + Into<u32>> Contour for Indexed<'_, I> {
    #[inline]
    fn vertex_count(&self) -> usize {
        self.corners.len()
    }

    #[inline]
    fn vertex(&self, i: usize) -> Point {
        let number: u32 = self.corners[i].into();
        self.positions[number as usize]
    }
}

/// Where a point is relative to a polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Location {
    /// Strictly inside.
    Inside,
    /// On an edge or a vertex.
    Border,
    /// Strictly outside.
    Outside,
}

impl Location {
    /// Whether the point belongs to the closed polygon: inside or on its border.
    #[inline]
    #[must_use]
    pub const fn is_contained(self) -> bool {
        !matches!(self, Self::Outside)
    }
}

/// Whether a point of a polygon's plane belongs to the closed polygon, by the even-odd rule. O(n).
///
/// Exact for the projections of point and polygon along the axis of the largest component of the
/// polygon's normal; that the point is in the plane is not checked. For many points keep the
/// [`Projection`], for convex polygons with many vertices a [`ConvexPolygon`].
///
/// ```
/// use xcollide_predicates::polygon::point_in_polygon;
///
/// let square = [[0.0, 0.0, 5.0], [8.0, 0.0, 5.0], [8.0, 8.0, 5.0], [0.0, 8.0, 5.0]];
/// let hole = [[2.0, 2.0, 5.0], [2.0, 6.0, 5.0], [6.0, 6.0, 5.0], [6.0, 2.0, 5.0]];
/// let frame = [square, hole];
/// assert!(point_in_polygon([1.0, 4.0, 5.0], &frame));
/// assert!(point_in_polygon([2.0, 4.0, 5.0], &frame), "the border belongs to it");
/// assert!(!point_in_polygon([4.0, 4.0, 5.0], &frame));
/// ```
#[must_use]
pub fn point_in_polygon<C: Contour>(p: Point, contours: &[C]) -> bool {
    Projection::of(contours).locate_by_ray(p, contours).is_contained()
}

/// The edges of a contour as pairs of vertices, from the edge last → first on.
fn edges<C: Contour + ?Sized>(contour: &C) -> impl Iterator<Item = (Point, Point)> + '_ {
    let count = contour.vertex_count();
    let mut tail = if count == 0 { [0.0; 3] } else { contour.vertex(count - 1) };
    (0..count).map(move |i| {
        let head = contour.vertex(i);
        (std::mem::replace(&mut tail, head), head)
    })
}
