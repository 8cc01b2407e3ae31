//! Rays from exact points against triangles, for both sides of a triangle that the point is on.
//!
//! # Why the sums are exact
//!
//! Let p be a point inside a triangle T of a closed surface S that is not parallel to a coordinate axis k, on no other
//! triangle of S but those in the plane of T that contain it in their insides. The points p − δe and p + δe, with e the
//! unit vector of the axis and δ > 0 small enough, are on both sides of T, and between them there are only the
//! triangles through p. Displace both points by (ε, ε²) on the two other axes, with ε much smaller than δ: as in
//! `ray.rs`, the ray in the direction of e then meets no edge, and a triangle counts by the winding number w of its
//! projection about the displaced point. If w ≠ 0, the line through p meets the closed triangle in one point: ahead of p,
//! behind it, or in p. In the last case the triangle is one of those through p: the ray from p − δe crosses it, that from
//! p + δe does not. In the other cases both rays cross it, or none does.

use std::cmp::Ordering;

use crate::exact::{self, Dyadic};
use crate::exact_point::ExactPoint;
use crate::orientation::{TrianglePlane, orient2d_near};
use crate::projected::{facing, project};
use crate::{Point, Sign};

/// How a ray passes a triangle; see [`ray_passage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Passage {
    /// The ray does not cross it.
    Missed,
    /// The ray crosses it ahead of its origin: 1 if it leaves through the front, −1 if it enters through it.
    Ahead(i32),
    /// The origin is on the triangle: the same for a ray that begins just before the origin. A ray that begins just
    /// behind it does not cross the triangle.
    Through(i32),
}

/// How the ray from `p` in the positive direction of an axis passes a triangle, under one fixed symbolic perturbation of
/// `p` on the two other axes, the same for all triangles. Exact for all finite coordinates.
///
/// For a closed surface, and a point in the inside of one of its triangles that is not parallel to the axis, and on the
/// border of no other: the sum over `Ahead` is the winding number of the points just behind `p` along the axis, and the
/// sum over `Ahead` and `Through` that of the points just before it. For a point that is not on the surface nothing is
/// `Through`, and the sum is that of [`ray_crossing`](crate::ray_crossing).
///
/// Some nanoseconds where f64 decides, else some microseconds.
///
/// ```
/// use xcollide_predicates::{ExactPoint, Passage, ray_passage};
///
/// let floor = [[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]];
/// let passage = |z| ray_passage(&ExactPoint::from([1.0, 1.0, z]), 2, &floor);
/// assert_eq!(passage(0.0), Passage::Ahead(1));
/// assert_eq!(passage(1.0), Passage::Through(1));
/// assert_eq!(passage(2.0), Passage::Missed);
/// ```
#[must_use]
pub fn ray_passage(p: &ExactPoint, axis: usize, triangle: &[Point; 3]) -> Passage {
    let axis = axis % 3;
    let orders = triangle.map(|corner| [0, 1, 2].map(|k| p.order(k, corner[k])));
    let all = |k: usize, order: Ordering| orders.iter().all(|corner| corner[k] == order);
    // Wholly beside, or behind.
    for k in [(axis + 1) % 3, (axis + 2) % 3] {
        if all(k, Ordering::Less) || all(k, Ordering::Greater) {
            return Passage::Missed;
        }
    }
    if all(axis, Ordering::Greater) {
        return Passage::Missed;
    }
    let height = (axis + 2) % 3;
    let mut winding = 0;
    for i in 0..3 {
        let (tail, head) = (i, (i + 1) % 3);
        let is_above = |corner: usize| orders[corner][height] == Ordering::Less;
        winding += match (is_above(tail), is_above(head)) {
            (false, true) => {
                i32::from(edge_side(p, axis, triangle[tail], triangle[head]).is_positive())
            }
            (true, false) => {
                -i32::from(edge_side(p, axis, triangle[tail], triangle[head]).is_negative())
            }
            _ => 0,
        };
    }
    if winding == 0 {
        return Passage::Missed;
    }
    if all(axis, Ordering::Less) {
        return Passage::Ahead(winding);
    }
    match plane_side_of(p, triangle) {
        Sign::Zero => Passage::Through(winding),
        side if side as i32 == -winding => Passage::Ahead(winding),
        _ => Passage::Missed,
    }
}

/// An axis that is not parallel to the plane of a triangle, as [`ray_passage`] needs it; `None` if its corners are
/// collinear. Exact.
#[must_use]
pub fn ray_axis(triangle: &[Point; 3]) -> Option<usize> {
    facing(triangle).map(|(axis, _)| axis)
}

impl ExactPoint {
    /// Whether the point is on a closed triangle, which may be a segment or a point. Exact for all finite coordinates.
    ///
    /// ```
    /// use xcollide_predicates::ExactPoint;
    ///
    /// let triangle = [[0.0; 3], [4.0, 0.0, 4.0], [0.0, 4.0, 4.0]];
    /// assert!(ExactPoint::from([2.0, 2.0, 4.0]).is_on_triangle(&triangle), "on an edge");
    /// assert!(!ExactPoint::from([2.0, 2.0, 4.1]).is_on_triangle(&triangle));
    /// ```
    #[must_use]
    pub fn is_on_triangle(&self, triangle: &[Point; 3]) -> bool {
        let is_beside = |k: usize| {
            let orders = triangle.map(|corner| self.order(k, corner[k]));
            orders[0].is_ne() && orders[0] == orders[1] && orders[1] == orders[2]
        };
        if (0..3).any(is_beside) {
            return false;
        }
        let edge =
            |axis: usize, i: usize| edge_side(self, axis, triangle[i], triangle[(i + 1) % 3]);
        match facing(triangle) {
            Some((axis, facing)) => {
                (0..3).all(|i| edge(axis, i) != -facing) && plane_side_of(self, triangle).is_zero()
            }
            // In the box, and on the line.
            None => (0..3).all(|axis| (0..3).all(|i| edge(axis, i).is_zero())),
        }
    }
}

/// `orient3d` of a triangle and a point.
pub(crate) fn plane_side_of(p: &ExactPoint, triangle: &[Point; 3]) -> Sign {
    TrianglePlane::new(triangle).side_near(&p.rounded(), &p.error()).unwrap_or_else(|| {
        let [a, b, c] = *triangle;
        let normal = exact::cross(&exact::difference(a, b), &exact::difference(a, c));
        exact::dot(&normal, &p.relative_to(a)).sign()
    })
}

/// `orient2d` of an edge and a point, projected along an axis.
fn edge_side(p: &ExactPoint, axis: usize, tail: Point, head: Point) -> Sign {
    let [a, b, q, error] = [tail, head, p.rounded(), p.error()].map(|x| project(x, axis));
    orient2d_near(a, b, q, error).unwrap_or_else(|| {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let along = |k: usize| &Dyadic::of(head[k]) - &Dyadic::of(tail[k]);
        let to = p.relative_to(tail);
        (&(&along(i) * &to[j]) - &(&along(j) * &to[i])).sign()
    })
}
