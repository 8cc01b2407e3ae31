//! The convex hull of a few points, such as a triangle of a mesh.

use super::{Shape, ShapeError};
use xcollide_math::vector::{dot, length_squared};

/// The convex hull of some points, without a radius: a triangle, or all vertices of a mesh. A search step looks at every
/// point.
///
/// It has no inner ball, so contact is proved by what the other shape has: two hulls are never proved to meet.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_convex::shape::{Cylinder, Hull, PlacedShape, ShapeVerdict};
///
/// let corners = [[0.5, 0.0, 0.0], [2.0, -1.0, 0.0], [2.0, 1.0, 0.0]];
/// let (triangle, cylinder) = (Hull::new(&corners)?, Cylinder::new(1.0, 0.625)?);
/// let here = PlacedShape::new(&triangle, &Pose::IDENTITY)?;
/// let meets = PlacedShape::new(&cylinder, &Pose::IDENTITY)?;
/// assert!(matches!(here.collide(&meets), ShapeVerdict::Collides(_)));
/// let beside = PlacedShape::new(&cylinder, &Pose::from_translation([-0.25, 0.0, 0.0]))?;
/// assert!(matches!(here.collide(&beside), ShapeVerdict::Apart(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hull<'a> {
    points: &'a [[f64; 3]],
    reach: f64,
}

impl<'a> Hull<'a> {
    /// The hull of these points. O(n).
    ///
    /// # Errors
    /// There are no points, or one is not finite or beyond 1e60.
    pub fn new(points: &'a [[f64; 3]]) -> Result<Self, ShapeError> {
        let largest = points.iter().map(|&point| length_squared(point)).fold(0.0, f64::max);
        let is_bounded = |point: &[f64; 3]| point.iter().all(|x| x.abs() < 1e60);
        if points.is_empty() || !points.iter().all(is_bounded) {
            return Err(ShapeError::Polytope);
        }
        // Squares below the range of f64 count as the smallest that is not.
        Ok(Self { points, reach: largest.sqrt() * (1.0 + 1e-14) + 1e-150 })
    }
}

impl Shape for Hull<'_> {
    fn farthest(&self, direction: [f64; 3]) -> [f64; 3] {
        let mut best = (f64::NEG_INFINITY, self.points[0]);
        for &point in self.points {
            let height = dot(direction, point);
            if height > best.0 {
                best = (height, point);
            }
        }
        best.1
    }

    fn reach(&self) -> f64 {
        self.reach
    }

    /// Heights are compared rounded.
    fn slack(&self) -> f64 {
        8.0
    }
}
