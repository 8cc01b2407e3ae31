//! Points with rational coordinates, such as the common point of three planes.

use crate::Point;
use crate::exact::{Dyadic, Vector, vector};

/// A point with exact rational coordinates.
///
/// [`triangle_cells`](crate::triangle_cells) and [`segment_cells`](crate::segment_cells) make such points;
/// [`ray_passage`](crate::ray_passage) and [`is_on_triangle`](Self::is_on_triangle) take them.
///
/// ```
/// use xcollide_predicates::ExactPoint;
///
/// let point = ExactPoint::from([0.1, 0.2, 0.3]);
/// assert_eq!(point.rounded(), [0.1, 0.2, 0.3]);
/// assert_eq!(point.error(), [0.0; 3]);
/// ```
#[derive(Clone, Debug)]
pub struct ExactPoint {
    /// Homogeneous coordinates; the last one is positive.
    homogeneous: [Dyadic; 4],
    rounded: Point,
    error: Point,
}

impl ExactPoint {
    /// A point in the inside of a triangle with area, by its barycentric coordinates, which need not add up to 1; `None`
    /// unless all of them are positive and finite.
    ///
    /// ```
    /// use xcollide_predicates::ExactPoint;
    ///
    /// let triangle = [[0.0; 3], [3.0, 0.0, 0.0], [0.0, 3.0, 0.0]];
    /// let center = ExactPoint::in_triangle(&triangle, [1.0; 3]);
    /// assert_eq!(center.map(|point| point.rounded()), Some([1.0, 1.0, 0.0]));
    /// ```
    #[must_use]
    pub fn in_triangle(triangle: &[Point; 3], weights: [f64; 3]) -> Option<Self> {
        let is_inside = weights.iter().all(|&weight| weight > 0.0 && weight < f64::INFINITY);
        is_inside.then(|| Self::weighted(&triangle.map(vector), &weights.map(Dyadic::of)))
    }

    /// A sum of points, each times a weight; the weights are not negative, their sum is positive.
    pub(crate) fn weighted<const N: usize>(points: &[Vector; N], weights: &[Dyadic; N]) -> Self {
        let mut homogeneous = [Dyadic::of(0.0), Dyadic::of(0.0), Dyadic::of(0.0), Dyadic::of(0.0)];
        for (point, weight) in points.iter().zip(weights) {
            for (sum, x) in homogeneous.iter_mut().zip(point) {
                *sum = &*sum + &(weight * x);
            }
            homogeneous[3] = &homogeneous[3] + weight;
        }
        Self::homogeneous(homogeneous)
    }

    /// The point with these homogeneous coordinates; the last one must be positive.
    pub(crate) fn homogeneous(homogeneous: [Dyadic; 4]) -> Self {
        let rounded = [0, 1, 2].map(|k| homogeneous[k].ratio(&homogeneous[3]));
        // Less than one unit in the last place.
        let error = rounded.map(|x: f64| (x.abs() * f64::EPSILON).max(f64::from_bits(1)));
        Self { homogeneous, rounded, error }
    }

    /// The coordinates, each rounded by at most [`error`](Self::error).
    #[must_use]
    pub fn rounded(&self) -> Point {
        self.rounded
    }

    /// A bound on the rounding error of each of the [`rounded`](Self::rounded) coordinates.
    #[must_use]
    pub fn error(&self) -> Point {
        self.error
    }

    /// The sign of this coordinate minus a number, as an order.
    pub(crate) fn order(&self, axis: usize, number: f64) -> std::cmp::Ordering {
        let difference = self.rounded[axis] - number;
        if difference.abs() > self.error[axis] * (1.0 + 4.0 * f64::EPSILON) {
            return difference.total_cmp(&0.0);
        }
        let [.., w] = &self.homogeneous;
        let exact = &self.homogeneous[axis] - &(&Dyadic::of(number) * w);
        exact.partial_cmp(&Dyadic::of(0.0)).unwrap_or(std::cmp::Ordering::Equal)
    }

    /// The vector from a point to this one, times a positive number.
    pub(crate) fn relative_to(&self, origin: Point) -> Vector {
        let [.., w] = &self.homogeneous;
        [0, 1, 2].map(|k| &self.homogeneous[k] - &(&Dyadic::of(origin[k]) * w))
    }
}

impl From<Point> for ExactPoint {
    /// Coordinates that are not finite count as 0.
    fn from(point: Point) -> Self {
        let [x, y, z] = point.map(Dyadic::of);
        let rounded = point.map(|x| if x.is_finite() { x } else { 0.0 });
        Self { homogeneous: [x, y, z, Dyadic::of(1.0)], rounded, error: [0.0; 3] }
    }
}
