//! Points that two bodies have in common where rounding hides it from a search: guesses that are tested exactly.
//!
//! Where bodies touch, it is mostly at points that f64 has: the corner of a box, the middle of a base, the lowest point of a
//! ball. They are found by rounding, and proved by the side on which each is of either surface.

use std::cmp::Ordering;

use xcollide_math::vector::{cross, neg, sub, unit};
use xcollide_predicates::{Point, Solid};

use super::mesh::each_meeting;
use super::pair::Side;
use crate::Placed;
use crate::model::formula_side::moved_solid;
use crate::point_distance::on_surface;
use crate::point_in_polyhedron::{Location, locate};

/// Directions in which a plane may part two models: along their axes, across the triangles in contact, and between the nearest
/// points. None is zero: that would be no plane.
pub(crate) fn parting_normals(a: Placed<'_>, b: Placed<'_>) -> Vec<[f64; 3]> {
    let mut normals = Vec::new();
    for placed in [a, b] {
        let rotation = placed.pose().rotation();
        normals.extend((0..3).map(|axis| rotation.map(|row| row[axis])));
    }
    each_meeting(a, b, |[p, q, r]| normals.push(cross(sub(q, p), sub(r, p))));
    normals.extend(nearest(a, b).and_then(|[p, q]| unit(sub(q, p))));
    // Of a triangle without area, or too small or large for f64, nothing is known.
    normals.retain(|normal| normal.iter().all(|x| x.is_finite()) && *normal != [0.0; 3]);
    normals.sort_by(|one, other| one.partial_cmp(other).unwrap_or(Ordering::Equal));
    normals.dedup();
    normals
}

/// Points that two models, at least one of them given by a formula, have in common: proved.
pub(crate) fn common_points<'a, 'b>(
    a: Placed<'a>,
    b: Placed<'b>,
    normals: &[[f64; 3]],
) -> impl Iterator<Item = Point> + use<'a, 'b> {
    located(a, b, normals).filter(|(_, places)| is_common(places)).map(|(point, _)| point)
}

/// Whether a point with these places is in both models.
pub(crate) fn is_common(places: &[Option<Location>; 2]) -> bool {
    places.iter().all(|place| place.is_some_and(|place| place != Location::Outside))
}

/// Points near the contact of two models, at least one of them given by a formula, with their exact places in both: the nearest points,
/// the points farthest along each normal, the centers, ends of axes and middles of the faces of boxes, the corners of triangles in contact, and the surface points nearest
/// to these. `None`: rounding hides on which side of a rounded polytope the point is.
pub(crate) fn located<'a, 'b>(
    a: Placed<'a>,
    b: Placed<'b>,
    normals: &[[f64; 3]],
) -> impl Iterator<Item = (Point, [Option<Location>; 2])> + use<'a, 'b> {
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
    each_meeting(a, b, |triangle| points.extend(triangle));
    for placed in [a, b] {
        let beside = |&p: &Point| Some(on_surface(placed, p)?.point);
        points.extend(points.iter().filter_map(beside).collect::<Vec<_>>());
    }
    points.into_iter().map(move |point| {
        let place = |placed: Placed<'_>| match locate(placed, point) {
            Location::OnSurface
                if placed.model().formula().is_some() && moved_solid(placed).is_none() =>
            {
                None
            }
            place => Some(place),
        };
        (point, [place(a), place(b)])
    })
}

/// The nearest points of two bounded formulas, rounded.
fn nearest(a: Placed<'_>, b: Placed<'_>) -> Option<[Point; 2]> {
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, one), Side::Shape(_, other)) => Some(one.distance(&other).points),
        _ => None,
    }
}
