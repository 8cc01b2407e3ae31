//! Whether two formulas meet, exactly, and a point near both where they do.

use xcollide_convex::shape::{Hull, PlacedShape};
use xcollide_math::vector::{add, largest, neg, scale};
use xcollide_predicates::{Point, Sign};

use super::common_point::nearest;
use super::pair::Side;
use crate::model::formula_side::placed_body;
use crate::{Placed, Pose};

/// How two formulas lie to each other: positive if they are apart, zero if they touch, negative if one has a point in the interior
/// of the other. Exact; `None` for meshes, and for two half spaces.
pub(crate) fn exact_gap(a: Placed<'_>, b: Placed<'_>) -> Option<Sign> {
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(..), Side::Shape(..)) => Some(placed_body(a)?.gap(&placed_body(b)?)),
        (Side::Shape(..), Side::HalfSpace(ground)) => lowest(a, ground.normal, ground.point),
        (Side::HalfSpace(ground), Side::Shape(..)) => lowest(b, ground.normal, ground.point),
        _ => None,
    }
}

fn lowest(body: Placed<'_>, normal: [f64; 3], point: Point) -> Option<Sign> {
    let [lowest, _] = placed_body(body)?.heights(normal, point);
    Some(lowest)
}

/// A point near both of two formulas that meet where rounding hides it.
pub(crate) fn point_between(a: Placed<'_>, b: Placed<'_>) -> Option<Point> {
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, shape), Side::HalfSpace(ground))
        | (Side::HalfSpace(ground), Side::Shape(_, shape)) => {
            Some(shape.farthest_point(neg(ground.up())))
        }
        _ => nearest(a, b).map(|[p, q]| scale(add(p, q), 0.5)),
    }
}

/// Whether a point is in a formula up to 2⁻²⁴ of the largest coordinate of both.
pub(crate) fn is_near_formula(placed: Placed<'_>, point: Point) -> bool {
    let size = largest(point).max(largest(placed.pose().translation()));
    match Side::of(placed) {
        Side::Shape(_, shape) => {
            let bounds = placed.world_box();
            let size = size.max(largest(bounds.min)).max(largest(bounds.max));
            let points = [point];
            let Ok(hull) = Hull::new(&points) else { return false };
            let Ok(hull) = PlacedShape::new(&hull, &Pose::IDENTITY) else { return false };
            shape.distance(&hull).at_least <= size * NEAR
        }
        Side::HalfSpace(ground) => {
            let (height, _) = ground.height(point);
            height <= size * NEAR
        }
        Side::Mesh(_) => false,
    }
}

/// 2⁻²⁴: nearest points of round bodies that nearly touch are off by some 1e-8.
const NEAR: f64 = 1.0 / (1_u64 << 24) as f64;
