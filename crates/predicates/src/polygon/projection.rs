//! Projection of a polygon on a coordinate plane.

use super::{Contour, edges};
use crate::exact::{self, Dyadic};
use crate::orientation::minus;
use crate::projected::{collinear, project};
use crate::{Point, Point2, Sign};

/// The coordinate plane to which a polygon is most parallel.
///
/// Chosen by the largest component of the polygon's normal, which is twice the signed area of the
/// projection (Newell's formula; thesis section 3.2.2, where some printed signs are wrong).
///
/// ```
/// use xcollide_predicates::polygon::{Location, Projection};
///
/// let wall = [[[0.0, 7.0, 0.0], [4.0, 7.0, 0.0], [4.0, 7.0, 4.0], [0.0, 7.0, 4.0]]];
/// let projection = Projection::of(&wall);
/// assert_eq!(projection.axis(), 1);
/// assert_eq!(projection.locate_by_ray([1.0, 7.0, 1.0], &wall), Location::Inside);
/// assert_eq!(projection.locate_by_angles([4.0, 7.0, 2.0], &wall), Location::Border);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Projection {
    axis: u8,
}

impl Projection {
    /// The best projection of a polygon. O(n).
    ///
    /// For an exactly planar polygon the projection is one to one on its plane: exact arithmetic
    /// decides where the rounded normal is doubtful, and for polygons without area. If all vertices
    /// are on a line, the projection is one to one on that line.
    #[must_use]
    pub fn of<C: Contour>(contours: &[C]) -> Self {
        Self::by_rounded_normal(contours).unwrap_or_else(|| Self::exactly(contours))
    }

    /// The projection for a known normal of any length, whose largest component should be far from zero.
    #[must_use]
    pub fn of_normal(normal: [f64; 3]) -> Self {
        Self { axis: largest(&normal.map(f64::abs)) }
    }

    /// The dropped coordinate: 0, 1 or 2 for x, y or z.
    #[must_use]
    pub fn axis(self) -> usize {
        self.axis.into()
    }

    /// The other two coordinates, ordered so that a polygon with a positive normal component along
    /// the axis is counter-clockwise.
    #[inline]
    #[must_use]
    pub fn apply(self, p: Point) -> Point2 {
        project(p, self.axis.into())
    }

    /// By Newell's normal relative to the first vertex in f64, if its largest component is certainly
    /// not zero: each of the n products of differences is off by 4ε relative to the sum of absolute
    /// products, adding them up costs nε, and f64's smallest normal number covers what n < 2⁵⁰
    /// products can lose by underflow. Overflow makes the bound infinite.
    fn by_rounded_normal<C: Contour>(contours: &[C]) -> Option<Self> {
        let origin = contours.iter().find(|contour| contour.vertex_count() > 0)?.vertex(0);
        let (mut normal, mut magnitude, mut count) = ([0.0; 3], [0.0; 3], 0.0);
        for (tail, head) in contours.iter().flat_map(edges) {
            let (u, v) = (minus(tail, origin), minus(head, origin));
            for (k, i, j) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
                let (left, right) = (u[i] * v[j], u[j] * v[i]);
                normal[k] += left - right;
                magnitude[k] += left.abs() + right.abs();
            }
            count += 1.0;
        }
        let projection = Self::of_normal(normal);
        let axis = projection.axis();
        let bound = (count + 8.0) * f64::EPSILON * magnitude[axis] + f64::MIN_POSITIVE;
        (normal[axis].abs() > bound).then_some(projection)
    }

    #[cold]
    fn exactly<C: Contour>(contours: &[C]) -> Self {
        let zero = || Dyadic::of(0.0);
        let mut normal = [zero(), zero(), zero()];
        for (tail, head) in contours.iter().flat_map(edges) {
            let product = exact::cross(&tail.map(Dyadic::of), &head.map(Dyadic::of));
            normal = [0, 1, 2].map(|k| &normal[k] + &product[k]);
        }
        if let Some(projection) = Self::of_exact_normal(&normal) {
            return projection;
        }
        match spanning_points(contours) {
            Span::Plane([a, b, c]) => {
                let normal = exact::cross(&exact::difference(a, b), &exact::difference(a, c));
                Self::of_exact_normal(&normal).unwrap_or(Self { axis: 2 })
            }
            Span::Line([a, b]) => {
                // Not an axis along which the line extends.
                let kept = (0..3).find(|&k| a[k] != b[k]).unwrap_or(0);
                Self { axis: (kept as u8 + 1) % 3 }
            }
            Span::Point => Self { axis: 2 },
        }
    }

    fn of_exact_normal(normal: &exact::Vector) -> Option<Self> {
        let squares = [0, 1, 2].map(|k| normal[k].squared());
        let axis = largest(&squares);
        (squares[usize::from(axis)].sign() == Sign::Positive).then_some(Self { axis })
    }
}

/// The index of the largest number.
fn largest<T: PartialOrd>([x, y, z]: &[T; 3]) -> u8 {
    if x > y && x > z {
        0
    } else if y > z {
        1
    } else {
        2
    }
}

/// The affine span of a polygon's vertices, by the first vertices that span it.
pub(super) enum Span {
    Point,
    Line([Point; 2]),
    Plane([Point; 3]),
}

pub(super) fn spanning_points<C: Contour>(contours: &[C]) -> Span {
    let mut vertices = contours.iter().flat_map(|c| (0..c.vertex_count()).map(|i| c.vertex(i)));
    let Some(a) = vertices.next() else { return Span::Point };
    let Some(b) = vertices.find(|&p| p != a) else { return Span::Point };
    match vertices.find(|&p| !collinear(a, b, p)) {
        Some(c) => Span::Plane([a, b, c]),
        None => Span::Line([a, b]),
    }
}
