//! Points that two bodies have in common where rounding hides it from a search: guesses that are tested exactly.
//!
//! Where bodies touch, it is mostly at points that f64 has: the corner of a box, the middle of a base, the lowest point of a
//! ball. They are found by rounding, and proved by the side on which each is of either surface.

use std::cmp::Ordering;

use xcollide_math::vector::{neg, sub, unit};
use xcollide_predicates::{Point, Solid};

use super::pair::Side;
use crate::Placed;
use crate::model::formula_side::moved_solid;
use crate::point_distance::on_surface;
use crate::point_in_polyhedron::{Location, locate};

/// Directions in which a plane may part two formulas: along their axes, and between the nearest points. None is zero: that would
/// be no plane.
pub(crate) fn parting_normals(a: Placed<'_>, b: Placed<'_>) -> Vec<[f64; 3]> {
    let mut normals = Vec::new();
    for placed in [a, b] {
        let rotation = placed.pose().rotation();
        normals.extend((0..3).map(|axis| rotation.map(|row| row[axis])));
    }
    normals.extend(nearest(a, b).and_then(|[p, q]| unit(sub(q, p))));
    normals.sort_by(|one, other| one.partial_cmp(other).unwrap_or(Ordering::Equal));
    normals.dedup();
    normals
}

/// Points that two formulas have in common: proved.
pub(crate) fn common_points<'a, 'b>(
    a: Placed<'a>,
    b: Placed<'b>,
    normals: &[[f64; 3]],
) -> impl Iterator<Item = Point> + use<'a, 'b> {
    located(a, b, normals).filter(|(_, places)| is_common(places)).map(|(point, _)| point)
}

/// Whether a point with these places is in both models.
pub(crate) fn is_common(places: &[Location; 2]) -> bool {
    places.iter().all(|place| *place != Location::Outside)
}

/// Points near the contact of two formulas, with their exact places in both: the nearest points, the points farthest along each
/// normal, the centers, ends of axes and middles of the faces of boxes, and the surface points nearest to these.
pub(crate) fn located<'a, 'b>(
    a: Placed<'a>,
    b: Placed<'b>,
    normals: &[[f64; 3]],
) -> impl Iterator<Item = (Point, [Location; 2])> + use<'a, 'b> {
    let mut points: Vec<Point> = nearest(a, b).into_iter().flatten().collect();
    for placed in [a, b] {
        let Side::Shape(_, shape) = Side::of(placed) else { continue };
        for &normal in normals {
            points.extend([normal, neg(normal)].map(|way| shape.farthest_point(way)));
        }
        let apply = |local| placed.pose().apply(local);
        points.push(placed.pose().translation());
        match moved_solid(placed).map(|moved| moved.solid) {
            Some(Solid::Cylinder { half, .. } | Solid::Cone { half, .. }) => {
                points.extend([-half, half].map(|z| apply([0.0, 0.0, z])));
            }
            Some(Solid::Cuboid { half: [x, y, z] }) => {
                points.extend([-1.0, 1.0].map(|side| apply([side * x, 0.0, 0.0])));
                points.extend([-1.0, 1.0].map(|side| apply([0.0, side * y, 0.0])));
                points.extend([-1.0, 1.0].map(|side| apply([0.0, 0.0, side * z])));
            }
            _ => {}
        }
    }
    for placed in [a, b] {
        let beside = |&p: &Point| Some(on_surface(placed, p)?.point);
        points.extend(points.iter().filter_map(beside).collect::<Vec<_>>());
    }
    points.into_iter().map(move |point| (point, [locate(a, point), locate(b, point)]))
}

/// The nearest points of two bounded formulas, rounded.
pub(crate) fn nearest(a: Placed<'_>, b: Placed<'_>) -> Option<[Point; 2]> {
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, one), Side::Shape(_, other)) => Some(one.distance(&other).points),
        _ => None,
    }
}
