//! The volume that a formula has in common with another one or with a mesh, in an interval that is proved.
//!
//! Two balls, and a ball and a half space, have closed forms: sums of caps, whose volume grows with their height. Any other formula is
//! replaced by a polyhedron in it, and by one around it. The volumes of meshes are below and above then. Round formulas get
//! polyhedra with more and more corners, until the bounds are near each other. A half space becomes a box under its border that is larger
//! than the other model.

use std::f64::consts::PI;

use xcollide_brep::PolygonMesh;
use xcollide_convex::shape::{Core, Shape};
use xcollide_math::vector::{dot, largest, length, sub};

use crate::formula::pair::Side;
use crate::formula::polyhedra::polyhedron;
use crate::model::formula::{Formula, HalfSpace};
use crate::{Model, OverlapVolume, Placed, Pose, QueryError, overlap_volume};

/// The bounds for a round formula are at most this part of `at_most` apart, unless the last polyhedra are too coarse.
const WIDTH: f64 = 2e-3;

/// The corners around polyhedra, in turn.
const SIDES: [usize; 4] = [16, 32, 64, 128];

/// Of what has no closed form and is round this is the relative rounding of coordinates, with room.
const ROUNDING: f64 = 1e-12;

/// The volume of what two placed models have in common, of which at least one is a formula.
pub(crate) fn volume(a: Placed<'_>, b: Placed<'_>) -> Result<OverlapVolume, QueryError> {
    if let [Some(of_a), Some(of_b)] = [a, b].map(|placed| placed.model().formula()) {
        if matches!([of_a, of_b], [Formula::HalfSpace, Formula::HalfSpace]) {
            return Err(QueryError::Unbounded);
        }
        if let Some(found) = of_balls([(of_a, a), (of_b, b)]) {
            return Ok(found);
        }
    }
    if a.world_box().intersection(&b.world_box()).is_empty() {
        return Ok(OverlapVolume::default());
    }
    let mut best = OverlapVolume { at_least: 0.0, at_most: f64::INFINITY };
    for sides in SIDES {
        let [inner, outer] = [false, true].map(|around| -> Result<_, QueryError> {
            let models = [replaced(a, b, sides, around)?, replaced(b, a, sides, around)?];
            overlap_volume((&models[0], a.pose()), (&models[1], b.pose()))
        });
        best.at_least = best.at_least.max(inner?.at_least);
        best.at_most = best.at_most.min(outer?.at_most).max(best.at_least);
        let is_narrow = best.at_most - best.at_least <= WIDTH * best.at_most;
        if is_narrow || !is_round(a) && !is_round(b) {
            break;
        }
    }
    Ok(best)
}

/// Whether a polyhedron is not the formula.
fn is_round(placed: Placed<'_>) -> bool {
    let shape = placed.model().formula().and_then(Formula::shape);
    shape.is_some_and(|shape| {
        shape.radius() > 0.0
            || matches!(
                shape.core(),
                Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid { .. }
            )
    })
}

/// The model, or a polyhedron for its formula.
fn replaced(
    placed: Placed<'_>,
    other: Placed<'_>,
    sides: usize,
    around: bool,
) -> Result<Model, QueryError> {
    let too_large = QueryError::Scale { side: "first" };
    let Some(formula) = placed.model().formula() else { return Ok(placed.model().clone()) };
    let size = length(placed.model().local_box().size());
    let far = largest(placed.pose().translation());
    let mesh = match Side::of(placed) {
        Side::Shape(_, shape) => {
            // The rounding of a pose, in parts of the least extent; its matrix moves the core, and keeps the radius.
            let extents = placed.model().local_box().size();
            let least = extents.into_iter().fold(f64::INFINITY, f64::min);
            let kept = formula.shape().map_or(0.0, Shape::radius);
            let part = (ROUNDING * (size + far) + 8.0 * shape.drift() * kept) / least;
            polyhedron(formula, sides, around, part.min(0.5))
        }
        _ => below_border(placed.pose(), other, around),
    };
    let mesh = mesh.ok_or(too_large)?;
    Model::from_mesh(mesh).map_err(|_| too_large)
}

/// A box under the border of a half space, in its frame, that contains what another model has below it.
fn below_border(pose: &Pose, other: Placed<'_>, around: bool) -> Option<PolygonMesh> {
    let bounds = other.world_box();
    let center = sub(bounds.center(), pose.translation());
    let [r, s, t] = pose.rotation();
    let local = [0, 1, 2].map(|k| r[k] * center[0] + s[k] * center[1] + t[k] * center[2]);
    let reach = 2.0 * length(bounds.size());
    let size = reach + largest(local) + largest(pose.translation());
    // The border is perpendicular to the third column, to which the others may be at a right angle only nearly.
    let column = |k: usize| [r[k], s[k], t[k]];
    let skew = dot(column(0), column(2)).abs() + dot(column(1), column(2)).abs();
    let lost = (1e-14 + 2.0 * skew) * size;
    let top = if around { lost } else { -lost };
    let floor = (local[2] - reach).min(-reach);
    let corner = |i: usize| {
        let side = |k: usize| local[k] + if i >> k & 1 == 0 { -reach } else { reach };
        [side(0), side(1), if i >> 2 & 1 == 0 { floor } else { top }]
    };
    let faces =
        [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    PolygonMesh::from_polygons((0..8).map(corner).collect::<Vec<_>>(), faces).ok()
}

/// Of two balls, or a ball and a half space.
fn of_balls(sides: [(&Formula, Placed<'_>); 2]) -> Option<OverlapVolume> {
    match sides {
        [(Formula::Ball(one), a), (Formula::Ball(other), b)] => {
            let line = sub(b.pose().translation(), a.pose().translation());
            let distance = length(line);
            let error = 4.0 * f64::EPSILON * distance;
            Some(of_two_balls([one.radius(), other.radius()], [distance - error, distance + error]))
        }
        [(Formula::Ball(ball), a), (Formula::HalfSpace, b)]
        | [(Formula::HalfSpace, b), (Formula::Ball(ball), a)] => {
            let normal = b.pose().rotation().map(|row| row[2]);
            let ground = HalfSpace { normal, point: b.pose().translation() };
            let (height, error) = ground.height(a.pose().translation());
            let radius = ball.radius();
            let error = error + 8.0 * f64::EPSILON * (height.abs() + radius);
            let [low, high] = [radius - height - error, radius - height + error];
            Some(between(cap(radius, low), cap(radius, high)))
        }
        _ => None,
    }
}

/// With the rounding of a few operations.
fn between(low: f64, high: f64) -> OverlapVolume {
    const ROUNDING: f64 = 1e-14;
    let at_least = low * (1.0 - ROUNDING);
    OverlapVolume { at_least, at_most: (high * (1.0 + ROUNDING)).max(at_least) }
}

/// The volume of what is at most `height` from the lowest point of a ball.
fn cap(radius: f64, height: f64) -> f64 {
    let height = height.clamp(0.0, 2.0 * radius);
    PI / 3.0 * height * height * (3.0 * radius - height)
}

/// The nearer the centers, the larger the volume.
fn of_two_balls(radii: [f64; 2], [near, far]: [f64; 2]) -> OverlapVolume {
    let [smaller, larger] = [radii[0].min(radii[1]), radii[0].max(radii[1])];
    // At a distance the common part is a cap of each ball, or the smaller ball.
    let at = |distance: f64, side: f64| {
        if distance <= larger - smaller || distance <= 0.0 {
            return cap(smaller, 2.0 * smaller);
        }
        let heights = [[smaller, larger], [larger, smaller]].map(|[own, other]| {
            let [low, high] = [other - (distance - own), other + (distance - own)];
            let rounding = side * 8.0 * f64::EPSILON * (smaller + larger + distance);
            (low + rounding).max(0.0) * (high + rounding).max(0.0) / (2.0 * distance)
        });
        cap(smaller, heights[0]) + cap(larger, heights[1])
    };
    let whole = cap(smaller, 2.0 * smaller);
    between(at(far, -1.0).min(whole), at(near, 1.0).min(whole * (1.0 + 1e-14)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lenses_are_between_their_bounds() {
        // Equal balls of radius 1 at distance 1: 5π/12.
        let found = of_two_balls([1.0, 1.0], [1.0, 1.0]);
        let exact = 5.0 * PI / 12.0;
        assert!(found.at_least <= exact && exact <= found.at_most, "{found:?}");
        assert!(found.at_most - found.at_least < 1e-13);
        // A thin lens loses digits, but not its bounds.
        let thin = of_two_balls([1.0, 2.0], [3.0 - 1e-6; 2]);
        // π h² (R r / (R + r)) for the height h of the gap, to first order.
        let about = PI * 1e-12 * (2.0 / 3.0);
        assert!(thin.at_least < about && about * 0.999_99 < thin.at_most, "{thin:?} {about}");
        assert_eq!(of_two_balls([1.0, 2.0], [3.5, 3.5]).at_least, 0.0);
        let inside = of_two_balls([1.0, 4.0], [2.0, 2.0]);
        assert!((inside.at_most - 4.0 / 3.0 * PI).abs() < 1e-12);
    }
}
