//! Two half spaces: how they lie to each other is exact; points, distances and depths are rounded, with bounds that are proved.
//!
//! Unless their borders are parallel they overlap, whatever their places.

use xcollide_convex::shape::ShapeDistance;
use xcollide_convex::{Penetration, Plane};
use xcollide_math::vector::{add, cross, dot, length, neg, scale, sub};
use xcollide_predicates::{Point, Sign, orient2d};

use super::exact_contact::is_near_half_space;
use super::penetration::below;
use super::triangle_distance::{between, half_space_and_points};
use crate::QueryError;
use crate::model::formula::HalfSpace;
use crate::model::formula_side::half_space_side;

/// How the borders of two half spaces lie to each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Borders {
    /// In a line.
    Cross,
    /// Parallel, and both half spaces are on the same side of their borders.
    SameWay,
    /// Parallel, and the half spaces are on different sides.
    Opposite,
}

impl Borders {
    /// By the normals of both: exact.
    pub(crate) fn of(m: [f64; 3], n: [f64; 3]) -> Self {
        let is_parallel = [[0, 1], [1, 2], [2, 0]]
            .iter()
            .all(|&[i, j]| orient2d([0.0; 2], [m[i], m[j]], [n[i], n[j]]).is_zero());
        if !is_parallel {
            return Self::Cross;
        }
        let same_way = (0..3).any(|k| m[k] != 0.0 && (m[k] > 0.0) == (n[k] > 0.0) && n[k] != 0.0);
        if same_way { Self::SameWay } else { Self::Opposite }
    }
}

/// Positive if they are apart, zero if they touch, negative if their interiors meet.
pub(super) fn gap(a: &HalfSpace, b: &HalfSpace) -> Sign {
    match Borders::of(a.normal, b.normal) {
        Borders::Opposite => half_space_side(b, a.point),
        Borders::Cross | Borders::SameWay => Sign::Negative,
    }
}

/// A point in both of two half spaces that meet, or near both if rounding hides every point that was tried.
///
/// Borders that are parallel but for rounding cross far away, where f64 may have no point between them.
pub(super) fn common_point(a: &HalfSpace, b: &HalfSpace) -> Option<Point> {
    let is_common = |&p: &Point| [a, b].iter().all(|of| half_space_side(of, p) != Sign::Positive);
    if let Some(point) = [a.point, b.point].into_iter().find(is_common) {
        return Some(point);
    }
    // Each place is outside of the other half space. From the border of the one along its slope down to the line where both meet,
    // and on between both borders.
    let line = accurate_cross(a.normal, b.normal);
    let slope = neg(cross(line, a.normal));
    let (height, _) = b.height(a.point);
    let crossing = add(a.point, scale(slope, height / dot(line, line)));
    let onward = cross(line, sub(b.normal, a.normal));
    let step = scale(onward, length(sub(crossing, a.point)) / length(onward));
    let beyond = |part: f64| add(crossing, scale(step, part));
    let exact = [1e-3, 1.0, 1e3].map(beyond).into_iter().find(is_common);
    exact.or_else(|| [a, b].iter().all(|of| is_near_half_space(of, crossing)).then_some(crossing))
}

/// The cross product with a relative error of some units in the last place of each component: products are computed with their errors
/// (Kahan's difference of products).
fn accurate_cross(p: [f64; 3], q: [f64; 3]) -> [f64; 3] {
    let difference = |a: f64, b: f64, c: f64, d: f64| {
        let product = c * d;
        let error = (-c).mul_add(d, product);
        a.mul_add(b, -product) + error
    };
    [
        difference(p[1], q[2], p[2], q[1]),
        difference(p[2], q[0], p[0], q[2]),
        difference(p[0], q[1], p[1], q[0]),
    ]
}

/// In the middle between two that are apart.
pub(super) fn plane_between(a: &HalfSpace, b: &HalfSpace) -> Plane {
    let (height, _) = a.height(b.point);
    let middle = add(a.point, scale(a.up(), 0.5 * height));
    Plane { normal: a.normal, offset: dot(a.normal, middle) }
}

/// The distance; 0 if they meet, be it where f64 has no points.
pub(super) fn distance(a: &HalfSpace, b: &HalfSpace) -> ShapeDistance {
    let found = half_space_and_points(a, [b.point]);
    match gap(a, b) {
        Sign::Positive => found,
        Sign::Zero | Sign::Negative => between(found.points, [0.0; 2]),
    }
}

/// The depth of two that meet.
///
/// # Errors
/// [`QueryError::Unbounded`]: no translation parts them, as their borders cross or both are on the same side.
pub(super) fn penetration(a: &HalfSpace, b: &HalfSpace) -> Result<Penetration, QueryError> {
    if Borders::of(a.normal, b.normal) != Borders::Opposite {
        return Err(QueryError::Unbounded);
    }
    let (height, error) = a.height(b.point);
    Ok(below(a, b.point, [-height - error, -height + error]))
}
