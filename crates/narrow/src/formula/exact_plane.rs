//! Planes between two bodies that are nearer than rounding: guesses that are tested exactly.

use xcollide_convex::Plane;
use xcollide_math::vector::{dot, neg};
use xcollide_predicates::Point;

use super::pair::Side;
use super::verify::verify_plane;
use crate::{Placed, Separation};

/// A proof that two formulas are apart: a plane across one of some normals, through the highest point of one of them.
pub(crate) fn exact_separation(
    a: Placed<'_>,
    b: Placed<'_>,
    normals: &[[f64; 3]],
) -> Option<Separation> {
    let both_ways = normals.iter().flat_map(|&normal| [normal, neg(normal)]);
    let mut planes = both_ways.flat_map(|normal| {
        let points = [(a, normal), (b, neg(normal))].map(|(placed, way)| highest(placed, way));
        points.into_iter().flatten().map(move |p| Plane { normal, offset: dot(normal, p) })
    });
    let plane = planes.find(|plane| verify_plane(plane, a, b).is_ok())?;
    Some(Separation::Plane(plane))
}

/// The point of a formula that is farthest along a direction, rounded.
fn highest(placed: Placed<'_>, direction: [f64; 3]) -> Option<Point> {
    match Side::of(placed) {
        Side::Shape(_, shape) => Some(shape.farthest_point(direction)),
        Side::HalfSpace(half_space) => (half_space.normal == direction).then_some(half_space.point),
        Side::Mesh(_) => None,
    }
}
