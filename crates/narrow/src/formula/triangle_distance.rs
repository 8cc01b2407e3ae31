//! How far a body is from one triangle, or a half space from some points: bounds that are proved.

use xcollide_convex::shape::{Hull, PlacedShape, ShapeDistance};
use xcollide_math::vector::{add, largest, length, scale, sub};
use xcollide_predicates::{closest_points, distance_bounds, triangles_within};

use super::pair::{Body, Side};
use crate::model::formula::{Formula, HalfSpace};
use crate::{Placed, Pose};

/// Bounds of the distance of a formula and a triangle in the world; `None` of a mesh.
pub(crate) fn distance_to_triangle(
    body: Placed<'_>,
    triangle: &[[f64; 3]; 3],
) -> Option<ShapeDistance> {
    match Side::of(body) {
        Side::Shape(formula, shape) => {
            Some(to_triangle(formula, &shape, body.pose().translation(), triangle))
        }
        Side::HalfSpace(half_space) => Some(half_space_and_points(&half_space, *triangle)),
        Side::Mesh(_) => None,
    }
}

/// Bounds of the distance of a body at a pose and a triangle in the world.
pub(crate) fn to_triangle(
    formula: &Formula,
    shape: &Body<'_>,
    center: [f64; 3],
    triangle: &[[f64; 3]; 3],
) -> ShapeDistance {
    if let (Formula::Ball(_), Some(ball)) = (formula, formula.shape()) {
        let found = closest_points(&[center], triangle);
        let [at_least, at_most] = tight_bounds(center, triangle, found.distance);
        let line = sub(found.b, center);
        let part = ball.radius() / length(line).max(f64::MIN_POSITIVE);
        let on_ball = add(center, scale(line, part));
        let [low, high] =
            [(at_least - ball.radius()).next_down(), (at_most - ball.radius()).next_up()];
        return between([on_ball, found.b], [low, high]);
    }
    let far = ShapeDistance {
        points: [center, triangle[0]],
        at_least: 0.0,
        at_most: f64::INFINITY,
        direction: [0.0; 3],
    };
    let Ok(hull) = Hull::new(triangle) else { return far };
    PlacedShape::new(&hull, &Pose::IDENTITY).map_or(far, |hull| shape.distance(&hull))
}

/// Bounds of the distance of a point and a triangle: close to what was computed, if exact comparisons say so.
fn tight_bounds(point: [f64; 3], triangle: &[[f64; 3]; 3], computed: f64) -> [f64; 2] {
    let rounding = 4.0 * f64::EPSILON * (computed + largest(point));
    let [low, high] = [(computed - rounding).max(0.0), computed + rounding];
    let [at_least, at_most] = distance_bounds(point, triangle);
    let within = |limit| triangles_within(&[point; 3], triangle, limit);
    [
        if at_least < low && !within(low) { low } else { at_least },
        if high < at_most && within(high) { high } else { at_most },
    ]
}

/// The height of the lowest of some points.
pub(crate) fn half_space_and_points(
    half_space: &HalfSpace,
    points: impl IntoIterator<Item = [f64; 3]>,
) -> ShapeDistance {
    let mut lowest = (f64::INFINITY, 0.0, [0.0; 3]);
    for point in points {
        let (height, error) = half_space.height(point);
        if height < lowest.0 {
            lowest = (height, lowest.1, point);
        }
        lowest.1 = f64::max(lowest.1, error);
    }
    let (height, error, point) = lowest;
    between([half_space.foot(point), point], [height - error, height + error])
}

/// Bounds with the direction of two points.
pub(crate) fn between(points: [[f64; 3]; 2], [at_least, at_most]: [f64; 2]) -> ShapeDistance {
    let line = sub(points[1], points[0]);
    let size = length(line);
    let known = at_least > 0.0 && size > 0.0;
    let direction = if known { scale(line, 1.0 / size) } else { [0.0; 3] };
    ShapeDistance { points, at_least: at_least.max(0.0), at_most: at_most.max(0.0), direction }
}
