//! On which side of a body given by a formula a point is.

use xcollide_convex::shape::{Core, Hull, PlacedShape, Shape};
use xcollide_predicates::{ConvexBody, MovedSolid, Sign, Solid, dot_sign, solid_side};

use super::formula::{Formula, HalfSpace};
use crate::{Placed, Pose};

/// Negative inside, zero on the surface. Exact.
pub(crate) fn formula_side(formula: &Formula, pose: &Pose, point: [f64; 3]) -> Sign {
    if !point.iter().all(|x| x.is_finite()) {
        return Sign::Positive;
    }
    match solid(formula) {
        Some(solid) => solid_side(&solid, pose.rotation(), pose.translation(), point),
        None => distance_side(formula, pose, point),
    }
}

/// On which side of the border a point is: positive beyond the half space. Exact.
pub(crate) fn half_space_side(half_space: &HalfSpace, point: [f64; 3]) -> Sign {
    dot_sign([0.0; 3], half_space.normal, half_space.point, point)
}

/// The formula for exact tests; a rounded polytope has none.
pub(crate) fn solid(formula: &Formula) -> Option<Solid> {
    let Some(shape) = formula.shape() else { return Some(Solid::HalfSpace) };
    let radius = shape.radius();
    Some(match shape.core() {
        Core::Point => Solid::Capsule { half: 0.0, radius },
        Core::Segment { half } => Solid::Capsule { half, radius },
        Core::Cuboid { half } => Solid::Cuboid { half },
        Core::Cylinder { half, radius } => Solid::Cylinder { half, radius },
        Core::Cone { half, radius } => Solid::Cone { half, radius },
        Core::Ellipsoid { half } => Solid::Ellipsoid { half },
        _ => return None,
    })
}

/// The same where the model is; `None` for meshes, too.
pub(crate) fn moved_solid(placed: Placed<'_>) -> Option<MovedSolid> {
    let (solid, pose) = (solid(placed.model().formula()?)?, placed.pose());
    Some(MovedSolid { solid, matrix: *pose.rotation(), translation: pose.translation() })
}

/// A bounded formula at a pose for exact comparisons; `None` for half spaces.
pub(crate) fn convex_body(formula: &Formula, pose: &Pose) -> Option<ConvexBody> {
    let (matrix, translation) = (*pose.rotation(), pose.translation());
    if let Formula::Rounded(rounded) = formula {
        let (polytope, radius) = (rounded.polytope(), rounded.radius());
        let vertices = polytope.positions();
        return ConvexBody::rounded(vertices, polytope.facets(), radius, matrix, translation);
    }
    ConvexBody::of(&MovedSolid { solid: solid(formula)?, matrix, translation })
}

/// The same where the model is; `None` for meshes, too.
pub(crate) fn placed_body(placed: Placed<'_>) -> Option<ConvexBody> {
    convex_body(placed.model().formula()?, placed.pose())
}

/// By the distance of the point, and where rounding hides it exactly.
fn distance_side(formula: &Formula, pose: &Pose, point: [f64; 3]) -> Sign {
    use xcollide_convex::shape::ShapeVerdict;
    let points = [point];
    let (Some(shape), Ok(hull)) = (formula.shape(), Hull::new(&points)) else {
        return Sign::Positive;
    };
    let (Ok(shape), Ok(hull)) =
        (PlacedShape::new(shape, pose), PlacedShape::new(&hull, &Pose::IDENTITY))
    else {
        return Sign::Positive;
    };
    match shape.collide(&hull) {
        ShapeVerdict::Apart(_) => Sign::Positive,
        // The true point, as its coordinates are the hull's only one.
        ShapeVerdict::Collides(_) => Sign::Negative,
        ShapeVerdict::Undecided => {
            convex_body(formula, pose).map_or(Sign::Zero, |body| body.side(point))
        }
    }
}
