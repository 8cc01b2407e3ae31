//! The verdict about two placed models, at least one of them a formula.

use xcollide_convex::Plane;
use xcollide_convex::shape::{PlacedShape, Shape, ShapeVerdict};
use xcollide_math::vector::{add, dot, neg, scale, sub};

use super::half_spaces;
use super::verify::verify_plane;
use super::{common_points, exact_gap, exact_separation, mesh, parting_normals, point_between};
use crate::model::formula::{Formula, HalfSpace, PlacedFormula};
use crate::proof::separation::between_boxes;
use crate::query::Deadline;
use crate::{Certificate, Placed, Query, Reason, Semantics, Separation, Stats, Verdict, Witness};
use xcollide_predicates::Sign;

/// A convex body at a pose.
pub(crate) type Body<'a> = PlacedShape<'a, dyn Shape + 'a>;

/// A placed model by what it is.
pub(crate) enum Side<'a> {
    Shape(&'a Formula, Body<'a>),
    HalfSpace(HalfSpace),
    Mesh(Placed<'a>),
}

impl<'a> Side<'a> {
    pub(crate) fn of(placed: Placed<'a>) -> Self {
        let Some(formula) = placed.model().formula() else { return Self::Mesh(placed) };
        match formula.placed(placed.pose()) {
            Ok(PlacedFormula::Shape(shape)) => Self::Shape(formula, shape),
            Ok(PlacedFormula::HalfSpace(half_space)) => Self::HalfSpace(half_space),
            // The pose was checked when the model was placed.
            Err(_) => Self::Mesh(placed),
        }
    }
}

pub(crate) const TOO_CLOSE: Verdict = Verdict::Undecided(Reason::TooClose);

/// The verdict, and the work.
pub(crate) fn verdict(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    time: &mut Deadline,
) -> (Verdict, Stats) {
    let (verdict, stats) = verdict_of_insides(a, b, query, time);
    if verdict != TOO_CLOSE {
        return (verdict, stats);
    }
    // A point that rounding did not hide, mostly of bodies that touch; or a plane between bodies that nearly do.
    let normals = parting_normals(a, b);
    let mut common = common_points(a, b, &normals).chain(common_points(b, a, &normals));
    if let Some(point) = common.next() {
        return (Verdict::Collides(Witness::common(point)), stats);
    }
    if let Some(separation) = exact_separation(a, b, &normals) {
        return (Verdict::Apart(separation), stats);
    }
    let verdict = match (exact_gap(a, b), point_between(a, b)) {
        (Some(Sign::Positive), _) => Verdict::Apart(Separation::Pairwise),
        (Some(_), Some(point)) => Verdict::Collides(Witness::common(point)),
        _ => TOO_CLOSE,
    };
    (verdict, stats)
}

/// The verdict that a search finds. Two formulas that collide have a point inside of both, a formula and a mesh one in both or
/// a triangle that meets the formula.
pub(crate) fn verdict_of_insides(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    time: &mut Deadline,
) -> (Verdict, Stats) {
    let mut stats = Stats::default();
    let verdict = match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, a), Side::Shape(_, b)) => of_shapes(&a, &b),
        (Side::Shape(_, of_a), Side::HalfSpace(of_b)) => {
            swapped(half_space_and_shape(&of_b, &of_a))
        }
        (Side::HalfSpace(of_a), Side::Shape(_, of_b)) => half_space_and_shape(&of_a, &of_b),
        (Side::Shape(formula, shape), Side::Mesh(mesh)) => {
            mesh::and_shape(formula, &shape, a, mesh, query, time, &mut stats)
        }
        (Side::Mesh(mesh), Side::Shape(formula, shape)) => {
            swapped(mesh::and_shape(formula, &shape, b, mesh, query, time, &mut stats))
        }
        (Side::HalfSpace(half_space), Side::Mesh(mesh)) => {
            mesh::and_half_space(&half_space, mesh, time, &mut stats)
        }
        (Side::Mesh(mesh), Side::HalfSpace(half_space)) => {
            swapped(mesh::and_half_space(&half_space, mesh, time, &mut stats))
        }
        (Side::HalfSpace(of_a), Side::HalfSpace(of_b)) => of_half_spaces(a, b, &of_a, &of_b),
        (Side::Mesh(_), Side::Mesh(_)) => Verdict::Undecided(Reason::NotAccepted),
    };
    (verdict, stats)
}

fn of_shapes(a: &Body<'_>, b: &Body<'_>) -> Verdict {
    match a.collide(b) {
        ShapeVerdict::Apart(plane) => Verdict::Apart(Separation::Plane(plane)),
        ShapeVerdict::Collides(point) => Verdict::Collides(Witness::common(point)),
        ShapeVerdict::Undecided => TOO_CLOSE,
    }
}

fn half_space_and_shape(half_space: &HalfSpace, shape: &Body<'_>) -> Verdict {
    let [at_least, at_most] = half_space.gap(shape);
    if at_least > 0.0 {
        let plane = half_space.plane_before(at_least, shape);
        return Verdict::Apart(plane.map_or(Separation::Pairwise, Separation::Plane));
    }
    if at_most >= 0.0 {
        return TOO_CLOSE;
    }
    // From the lowest point towards the center, where the shape is deep, up to half of the depth below the border.
    let down = neg(half_space.up());
    let lowest = shape.farthest_point(down);
    let line = sub(shape.inner_point(), lowest);
    let rise = -dot(down, line);
    let part = if rise > 0.0 { (-0.5 * at_most / rise).min(1.0) } else { 1.0 };
    Verdict::Collides(Witness::common(add(lowest, scale(line, part))))
}

fn of_half_spaces(a: Placed<'_>, b: Placed<'_>, of_a: &HalfSpace, of_b: &HalfSpace) -> Verdict {
    if half_spaces::gap(of_a, of_b) == Sign::Positive {
        let plane = half_spaces::plane_between(of_a, of_b);
        let holds = verify_plane(&plane, a, b).is_ok();
        return Verdict::Apart(if holds { Separation::Plane(plane) } else { Separation::Pairwise });
    }
    let point = half_spaces::common_point(of_a, of_b);
    point.map_or(TOO_CLOSE, |point| Verdict::Collides(Witness::common(point)))
}

/// The verdict with the models exchanged.
pub(crate) fn swapped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Collides(witness) => Verdict::Collides(witness.swapped()),
        Verdict::Apart(Separation::Plane(Plane { normal, offset })) => {
            Verdict::Apart(Separation::Plane(Plane { normal: neg(normal), offset: -offset }))
        }
        Verdict::Undecided(Reason::Unfinished { near, parts }) => {
            Verdict::Undecided(Reason::Unfinished { near: near.swapped(), parts })
        }
        other => other,
    }
}

/// A plane between two models, if there is a proof by one.
pub(crate) fn find_plane(a: Placed<'_>, b: Placed<'_>) -> Option<Plane> {
    let query = Query::new().semantics(Semantics::Surface).certificate(Certificate::Plane);
    match verdict(a, b, &query, &mut Deadline::never()) {
        (Verdict::Apart(Separation::Plane(plane)), _) => Some(plane),
        _ => None,
    }
}

/// Apart by the boxes, if they are.
pub(crate) fn by_boxes(a: Placed<'_>, b: Placed<'_>) -> Option<Verdict> {
    let [of_a, of_b] = [a.world_box(), b.world_box()];
    between_boxes(&of_a, &of_b)?;
    // In the middle of the widest gap, as bodies must be strictly on their sides.
    let gap = |axis: usize| {
        let [up, down] = [of_b.min[axis] - of_a.max[axis], of_a.min[axis] - of_b.max[axis]];
        let mut normal = [0.0; 3];
        normal[axis] = if up > down { 1.0 } else { -1.0 };
        let offset = if up > down {
            0.5 * of_a.max[axis] + 0.5 * of_b.min[axis]
        } else {
            -0.5 * of_a.min[axis] - 0.5 * of_b.max[axis]
        };
        (up.max(down), Plane { normal, offset })
    };
    let (_, plane) = (0..3).map(gap).max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let holds = verify_plane(&plane, a, b).is_ok();
    Some(Verdict::Apart(if holds { Separation::Plane(plane) } else { Separation::Pairwise }))
}
