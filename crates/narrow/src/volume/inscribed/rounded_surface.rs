//! Where the surface of a polytope with a radius is nearest to a point.
//!
//! Any point of the polytope tells that a ball of what is left of the radius is inside, so that the nearest one may be rounded.

use xcollide_convex::Polytope;
use xcollide_math::vector::{add, cross, dot, largest, length, scale, sub, unit};
use xcollide_predicates::Point;

use super::of_formula::normal_of;
use crate::Pose;

/// All points at most a radius from a polytope.
pub(super) struct RoundedSurface {
    facets: Vec<Facet>,
    has_inside: bool,
    radius: f64,
    /// The greatest magnitude of a coordinate of the polytope.
    far: f64,
}

/// A convex polygon, counter-clockwise seen from outside.
struct Facet {
    normal: [f64; 3],
    /// Of the normal.
    error: f64,
    corners: Vec<Point>,
}

impl RoundedSurface {
    /// `None` for a point or a segment.
    pub(super) fn new(polytope: &Polytope, pose: &Pose, radius: f64) -> Option<Self> {
        if polytope.dimension() < 2 {
            return None;
        }
        let positions: Vec<Point> = polytope.positions().iter().map(|&p| pose.apply(p)).collect();
        let facet = |polygon: &[u32]| {
            let (normal, error) = normal_of(polygon, &positions);
            let corners = polygon.iter().map(|&v| positions[v as usize]).collect();
            Facet { normal, error, corners }
        };
        let far = positions.iter().map(|&p| largest(p)).fold(0.0, f64::max);
        let has_inside = polytope.dimension() == 3;
        Some(Self { facets: polytope.facets().map(facet).collect(), has_inside, radius, far })
    }

    /// A lower bound of the depth of a point, and the normal of the surface near it, rounded.
    pub(super) fn at(&self, point: Point) -> (f64, [f64; 3]) {
        let rounding = 64.0 * f64::EPSILON * (self.far + largest(point));
        let mut best = (f64::NEG_INFINITY, [0.0, 0.0, 1.0]);
        let mut least = (f64::INFINITY, [0.0, 0.0, 1.0]);
        for facet in &self.facets {
            let line = sub(point, facet.corners[0]);
            let (height, error) = (dot(facet.normal, line), facet.error * length(line));
            if -height - error < least.0 {
                least = (-height - error, facet.normal);
            }
            if height > 0.0 || !self.has_inside {
                let line = sub(point, facet.nearest(point));
                let depth = self.radius - length(line) - error;
                if depth > best.0 {
                    best = (depth, unit(line).unwrap_or(facet.normal));
                }
            }
        }
        let (depth, normal) = match best.0.is_finite() {
            true => best,
            false => (self.radius + least.0, least.1),
        };
        (depth - rounding, normal)
    }
}

impl Facet {
    /// The nearest of its points, rounded.
    fn nearest(&self, point: Point) -> Point {
        let count = self.corners.len();
        let side = |k: usize| (self.corners[k], self.corners[(k + 1) % count]);
        let is_beyond =
            |&(p, q): &(Point, Point)| dot(cross(self.normal, sub(q, p)), sub(point, p)) < 0.0;
        let on_side = |(p, q): (Point, Point)| {
            let along = sub(q, p);
            let part = dot(along, sub(point, p)) / dot(along, along);
            add(p, scale(along, part.clamp(0.0, 1.0)))
        };
        let on_sides = (0..count).map(side).filter(is_beyond).map(on_side);
        let square = |&q: &Point| dot(sub(point, q), sub(point, q));
        let nearest = on_sides.min_by(|one, other| square(one).total_cmp(&square(other)));
        nearest.unwrap_or_else(|| {
            let height = dot(self.normal, sub(point, self.corners[0]));
            sub(point, scale(self.normal, height))
        })
    }
}
