//! How deep a formula is in another one or in a mesh, in an interval that is proved.
//!
//! Two formulas are convex, as is a mesh that fills its hull: their depth is that of the [shapes](PlacedShape::penetration). The hull of
//! any other mesh gives the first upper bound, from which [`depth`](crate::penetration) goes on.

use xcollide_convex::shape::{PlacedShape, Rounded};
use xcollide_convex::{Penetration, Polytope};
use xcollide_math::vector::{dot, neg};

use super::half_spaces;
use super::pair::{Body, Side, verdict};
use crate::convex::{Hybrid, polytope_of};
use crate::model::formula::HalfSpace;
use crate::query::Deadline;
use crate::{Placed, Query, QueryError, Reason, Verdict};

/// The depth of two placed models, at least one of them given by a formula, that of a mesh by its hull; `None` if they are
/// apart. `at_least` is 0 if the mesh does not fill its hull.
///
/// # Errors
/// No translation parts both, as they are half spaces whose borders cross or are on the same side; or a mesh reaches beyond 1e60.
pub(crate) fn hull_penetration(
    a: Placed<'_>,
    b: Placed<'_>,
) -> Result<Option<Penetration>, QueryError> {
    match verdict(a, b, &Query::new(), &mut Deadline::never()).0 {
        Verdict::Collides(_) => {}
        Verdict::Apart(_) => return Ok(None),
        Verdict::Undecided(reason) => return Err(QueryError::Undecided(reason)),
    }
    Ok(Some(match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, of_a), Side::Shape(_, of_b)) => of_a.penetration(&of_b),
        (Side::HalfSpace(ground), Side::Shape(_, shape)) => ground_and_shape(&ground, &shape),
        (Side::Shape(_, shape), Side::HalfSpace(ground)) => {
            swapped(ground_and_shape(&ground, &shape))
        }
        (Side::HalfSpace(ground), Side::Mesh(mesh)) => ground_and_mesh(&ground, mesh),
        (Side::Mesh(mesh), Side::HalfSpace(ground)) => swapped(ground_and_mesh(&ground, mesh)),
        (Side::Shape(_, shape), Side::Mesh(mesh)) => shape_and_hull(&shape, mesh, "second")?,
        (Side::Mesh(mesh), Side::Shape(_, shape)) => {
            swapped(shape_and_hull(&shape, mesh, "first")?)
        }
        (Side::HalfSpace(of_a), Side::HalfSpace(of_b)) => half_spaces::penetration(&of_a, &of_b)?,
        (Side::Mesh(_), Side::Mesh(_)) => {
            return Err(QueryError::Undecided(Reason::NotAccepted));
        }
    }))
}

/// With the two models exchanged.
fn swapped(found: Penetration) -> Penetration {
    let [p, q] = found.points;
    Penetration { direction: neg(found.direction), points: [q, p], ..found }
}

/// Of a half space, the first, and what reaches down to a point at most so much below its border.
pub(super) fn below(
    ground: &HalfSpace,
    lowest: [f64; 3],
    [at_least, at_most]: [f64; 2],
) -> Penetration {
    let (direction, points) = (neg(ground.up()), [ground.foot(lowest), lowest]);
    let at_most = at_most.max(0.0);
    Penetration { direction, points, at_least: at_least.clamp(0.0, at_most), at_most, probes: 1 }
}

fn ground_and_shape(ground: &HalfSpace, shape: &Body<'_>) -> Penetration {
    let [at_least, at_most] = ground.gap(shape);
    below(ground, shape.farthest_point(neg(ground.up())), [-at_most, -at_least])
}

fn ground_and_mesh(ground: &HalfSpace, mesh: Placed<'_>) -> Penetration {
    let mut lowest = (f64::INFINITY, 0.0, [0.0; 3]);
    for &vertex in mesh.model().used_vertices() {
        let point = mesh.position(vertex);
        let (height, error) = ground.height(point);
        lowest.1 = f64::max(lowest.1, error);
        if height < lowest.0 {
            (lowest.0, lowest.2) = (height, point);
        }
    }
    let (height, error, point) = lowest;
    below(ground, point, [-height - error, -height + error])
}

fn shape_and_hull(
    shape: &Body<'_>,
    mesh: Placed<'_>,
    side: &'static str,
) -> Result<Penetration, QueryError> {
    let polytope = polytope_of(mesh.model());
    let Ok(hull) = Rounded::new(polytope.clone(), 0.0) else {
        return Err(QueryError::Scale { side });
    };
    let mut found = shape.penetration(&PlacedShape::new(&hull, mesh.pose())?);
    let lost =
        if Hybrid::fills_hull(mesh.model()) { dents(&polytope, mesh) } else { f64::INFINITY };
    found.at_least = (found.at_least - lost).max(0.0);
    Ok(found)
}

/// How far a vertex of the hull may move when it is shrunk about its center until it is in the body.
fn dents(polytope: &Polytope, mesh: Placed<'_>) -> f64 {
    /// For the matrix, which is a rotation up to 1e-5 only.
    const SAFETY: f64 = 1.02;
    // Of a polygon nothing is lost.
    let Some(solidity) = polytope.solidity() else { return 0.0 };
    let place = mesh.pose().translation();
    let rounding = 16.0 * f64::EPSILON * (polytope.reach() + dot(place, place).sqrt());
    2.0 * SAFETY * polytope.reach() * (SAFETY * (solidity.dent + rounding) / solidity.inner)
}
