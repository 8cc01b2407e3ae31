//! Whether two formulas meet, exactly, and a point near both where they do.

use xcollide_convex::shape::{Hull, PlacedShape};
use xcollide_math::vector::{add, largest, neg, scale};
use xcollide_predicates::{Point, Sign};

use super::common_point::nearest;
use super::half_spaces;
use super::pair::Side;
use crate::model::formula::HalfSpace;
use crate::model::formula_side::placed_body;
use crate::point_distance::on_surface;
use crate::point_in_polyhedron::{Location, locate};
use crate::{Placed, Pose};

/// How two formulas lie to each other: positive if they are apart, zero if they touch, negative if one has a point in the interior
/// of the other. Exact; `None` for meshes.
pub(crate) fn exact_gap(a: Placed<'_>, b: Placed<'_>) -> Option<Sign> {
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(..), Side::Shape(..)) => Some(placed_body(a)?.gap(&placed_body(b)?)),
        (Side::Shape(..), Side::HalfSpace(ground)) => lowest(a, ground.normal, ground.point),
        (Side::HalfSpace(ground), Side::Shape(..)) => lowest(b, ground.normal, ground.point),
        (Side::HalfSpace(of_a), Side::HalfSpace(of_b)) => Some(half_spaces::gap(&of_a, &of_b)),
        _ => None,
    }
}

fn lowest(body: Placed<'_>, normal: [f64; 3], point: Point) -> Option<Sign> {
    let [lowest, _] = placed_body(body)?.heights(normal, point);
    Some(lowest)
}

/// A point near both of two formulas that meet where rounding hides it: [`is_near_formula`] holds for both.
pub(crate) fn point_between(a: Placed<'_>, b: Placed<'_>) -> Option<Point> {
    /// A search for nearest points may be off by some 1e-6; each step takes most of that away.
    const STEPS: usize = 32;
    let mut point = match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, shape), Side::HalfSpace(ground))
        | (Side::HalfSpace(ground), Side::Shape(_, shape)) => {
            shape.farthest_point(neg(ground.up()))
        }
        _ => nearest(a, b).map(|[p, q]| scale(add(p, q), 0.5))?,
    };
    for _ in 0..STEPS {
        if is_near_formula(a, point) && is_near_formula(b, point) {
            return Some(point);
        }
        // Onto one and then onto the other (von Neumann's alternating projections).
        for placed in [a, b] {
            if locate(placed, point) == Location::Outside {
                point = on_surface(placed, point)?.point;
            }
        }
    }
    None
}

/// Whether a point is in a formula up to 2⁻²⁴ of the largest coordinate of both.
pub(crate) fn is_near_formula(placed: Placed<'_>, point: Point) -> bool {
    match Side::of(placed) {
        Side::Shape(_, shape) => {
            let bounds = placed.world_box();
            let size = largest(point).max(largest(placed.pose().translation()));
            let size = size.max(largest(bounds.min)).max(largest(bounds.max));
            let points = [point];
            let Ok(hull) = Hull::new(&points) else { return false };
            let Ok(hull) = PlacedShape::new(&hull, &Pose::IDENTITY) else { return false };
            shape.distance(&hull).at_least <= size * NEAR
        }
        Side::HalfSpace(ground) => is_near_half_space(&ground, point),
        Side::Mesh(_) => false,
    }
}

/// The same for a half space.
pub(super) fn is_near_half_space(ground: &HalfSpace, point: Point) -> bool {
    let (height, _) = ground.height(point);
    height <= largest(point).max(largest(ground.point)) * NEAR
}

/// 2⁻²⁴: nearest points of round bodies that nearly touch are off by some 1e-8.
const NEAR: f64 = 1.0 / (1_u64 << 24) as f64;
