//! How far a formula is from another one or from a mesh: bounds that are proved.

use std::cell::Cell;
use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_convex::shape::ShapeDistance;
use xcollide_math::vector::neg;

use super::half_spaces;
use super::mesh::{each_in_time, each_near, local_box, lowest_corner};
use super::pair::{Body, Side, verdict};
use super::triangle_distance::{between, half_space_and_points, to_triangle};
use crate::model::formula::{Formula, HalfSpace};
use crate::query::Deadline;
use crate::{Placed, Query, QueryError, Reason, Semantics, Verdict};

/// The distance of two placed models, at least one of them given by a formula: an interval that contains it, and the
/// nearest points, rounded. The bounds are 0 if the models are proved to meet.
///
/// The bounds mostly agree up to some units in the last place of the sizes for balls, capsules, boxes, half spaces and
/// rounded polytopes; for other curved bodies up to 1e-11 of the size. Near contact they differ by as much as rounding hides.
/// A mesh takes some microseconds and a hierarchy of boxes, built on the first query; a half space looks at all vertices.
///
/// ```
/// use xcollide_convex::shape::{Ball, Capsule};
/// use xcollide_narrow::{Formula, Model, Placed, Pose, Semantics, formula};
///
/// let ball = Model::from_formula(Formula::Ball(Ball::new(0.5)?));
/// let ground = Model::from_formula(Formula::HalfSpace);
/// let above = Pose::from_translation([7.0, 0.0, 2.0]);
/// let (a, b) = (Placed::new(&ball, &above)?, Placed::new(&ground, &Pose::IDENTITY)?);
/// let found = formula::distance(a, b, Semantics::Solid)?;
/// assert!(found.at_least <= 1.5 && 1.5 <= found.at_most && found.at_most < 1.5 + 1e-13);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Neither model is given by a formula, or a mesh has no faces.
pub fn distance(
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> Result<ShapeDistance, QueryError> {
    distance_in_time(a, b, semantics, &mut Deadline::never()).map(|(found, _)| found)
}

/// The same as far as it is known when the time is over, and how many triangles, boxes or vertices of a mesh were left then: the
/// nearest points that were found, and the least bound of what was left.
///
/// The lower bound is 0 while it is not known whether the mesh contains the body. Against other formulas there is no limit, as there
/// is no search.
pub(crate) fn distance_in_time(
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
    time: &mut Deadline,
) -> Result<(ShapeDistance, u32), QueryError> {
    let query = Query::new().semantics(semantics);
    let (answer, _) = verdict(a, b, &query, time);
    if let Verdict::Collides(witness) = &answer {
        let points = [witness.point; 2];
        let met = ShapeDistance { points, at_least: 0.0, at_most: 0.0, direction: [0.0; 3] };
        return Ok((met, 0));
    }
    let (mut found, mut left) = match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, of_a), Side::Shape(_, of_b)) => (of_a.distance(&of_b), 0),
        (Side::Shape(_, shape), Side::HalfSpace(half_space)) => {
            (swapped(half_space_and_shape(&half_space, &shape)), 0)
        }
        (Side::HalfSpace(half_space), Side::Shape(_, shape)) => {
            (half_space_and_shape(&half_space, &shape), 0)
        }
        (Side::Shape(formula, shape), Side::Mesh(mesh)) => {
            shape_and_mesh(formula, &shape, a, of_mesh(mesh, "second")?, time)
        }
        (Side::Mesh(mesh), Side::Shape(formula, shape)) => {
            let mesh = of_mesh(mesh, "first")?;
            let (found, left) = shape_and_mesh(formula, &shape, b, mesh, time);
            (swapped(found), left)
        }
        (Side::HalfSpace(half_space), Side::Mesh(mesh)) => {
            half_space_and_mesh(&half_space, of_mesh(mesh, "second")?, time)
        }
        (Side::Mesh(mesh), Side::HalfSpace(half_space)) => {
            let (found, left) = half_space_and_mesh(&half_space, of_mesh(mesh, "first")?, time);
            (swapped(found), left)
        }
        (Side::HalfSpace(of_a), Side::HalfSpace(of_b)) => (half_spaces::distance(&of_a, &of_b), 0),
        (Side::Mesh(_), Side::Mesh(_)) => {
            return Err(QueryError::Undecided(Reason::NotAccepted));
        }
    };
    if matches!(answer, Verdict::Undecided(reason) if reason.is_out_of_time()) {
        left = left.max(1);
        if semantics == Semantics::Solid {
            found.at_least = 0.0;
        }
    }
    Ok((found, left))
}

/// Whether two placed models, at least one of them given by a formula, are at most a tolerance apart: `None` if rounding
/// hides it, or [`distance`] has no answer. With a tolerance of 0: whether they meet.
#[must_use]
pub fn within(
    a: Placed<'_>,
    b: Placed<'_>,
    tolerance: f64,
    semantics: Semantics,
) -> Option<(bool, [[f64; 3]; 2])> {
    if tolerance.is_nan() || tolerance < 0.0 {
        return Some((false, [[0.0; 3]; 2]));
    }
    let found = distance(a, b, semantics).ok()?;
    if tolerance == 0.0 {
        let query = Query::new().semantics(semantics);
        let (answer, _) = verdict(a, b, &query, &mut Deadline::never());
        return Some((answer.decided()?, found.points));
    }
    let near = found.at_most <= tolerance;
    (near || found.at_least > tolerance).then_some((near, found.points))
}

/// The mesh, if it has faces.
fn of_mesh<'a>(mesh: Placed<'a>, side: &'static str) -> Result<Placed<'a>, QueryError> {
    let is_empty = mesh.model().triangulation().is_empty();
    if is_empty { Err(QueryError::NoFaces { side }) } else { Ok(mesh) }
}

fn swapped(found: ShapeDistance) -> ShapeDistance {
    let [p, q] = found.points;
    ShapeDistance { points: [q, p], direction: neg(found.direction), ..found }
}

fn half_space_and_shape(half_space: &HalfSpace, shape: &Body<'_>) -> ShapeDistance {
    let lowest = shape.farthest_point(neg(half_space.up()));
    between([half_space.foot(lowest), lowest], half_space.gap(shape))
}

/// The lowest vertex; of those that are left when the time is over, the box.
fn half_space_and_mesh(
    half_space: &HalfSpace,
    mesh: Placed<'_>,
    time: &mut Deadline,
) -> (ShapeDistance, u32) {
    let used = mesh.model().used_vertices();
    let mut left = 0;
    // The first one is always measured.
    let in_time = used.iter().enumerate().map_while(|(number, &vertex)| {
        let late = number > 0 && time.passed();
        left = if late { (used.len() - number) as u32 } else { 0 };
        (!late).then(|| mesh.position(vertex))
    });
    let mut found = half_space_and_points(half_space, in_time);
    if left > 0 {
        let lowest = lowest_corner(half_space, &mesh.world_box());
        let of_box = half_space_and_points(half_space, [lowest]);
        found.at_least = found.at_least.min(of_box.at_least);
    }
    (found, left)
}

/// The least distance of the triangles. They are searched in a box around the body that shrinks with the least distance.
fn shape_and_mesh(
    formula: &Formula,
    shape: &Body<'_>,
    body: Placed<'_>,
    mesh: Placed<'_>,
    time: &mut Deadline,
) -> (ShapeDistance, u32) {
    let center = body.pose().translation();
    let nearest_of =
        |number: u32| to_triangle(formula, shape, center, &mesh.triangle(number as usize));
    // Some triangle, for a start: that nearest to the center.
    let first = crate::nearest_point(mesh, center).ok().and_then(|found| found.triangle);
    let first = first.unwrap_or(0);
    let mut nearest = nearest_of(first);
    let mut at_least = nearest.at_least;
    let at_most = Cell::new(nearest.at_most);
    let consider = |number: u32| {
        let found = nearest_of(number);
        at_least = at_least.min(found.at_least);
        if found.at_most < at_most.get() {
            at_most.set(found.at_most);
            nearest = found;
        }
        ControlFlow::Continue(())
    };
    let around = local_box(shape, mesh);
    let gap = |bounds: &Aabb| {
        let limit = at_most.get() * (1.0 + 1e-5);
        let squared = around.distance_squared(bounds);
        let opens =
            around.expanded(limit).overlaps(bounds) && squared <= limit * limit * (1.0 + 1e-12);
        // The matrix may lengthen by 1e-6.
        opens.then(|| squared.sqrt() * (1.0 - 1e-5))
    };
    match each_in_time(mesh, gap, time, consider) {
        Some(left) => {
            (ShapeDistance { at_least: at_least.min(left.at_least), ..nearest }, left.parts)
        }
        None => (ShapeDistance { at_least, ..nearest }, 0),
    }
}

/// Calls `visit` with each triangle of a mesh that is not proved to be farther than `tolerance` from a formula, and with bounds of
/// its distance.
pub(crate) fn triangles_near(
    body: Placed<'_>,
    mesh: Placed<'_>,
    tolerance: f64,
    mut visit: impl FnMut(u32, ShapeDistance) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut consider = |number: u32, found: ShapeDistance| {
        if found.at_least <= tolerance { visit(number, found) } else { ControlFlow::Continue(()) }
    };
    match Side::of(body) {
        Side::Shape(formula, shape) => {
            let center = body.pose().translation();
            each_near(&shape, tolerance, mesh, |number| {
                let triangle = mesh.triangle(number as usize);
                consider(number, to_triangle(formula, &shape, center, &triangle))
            })
        }
        Side::HalfSpace(half_space) => {
            let mut triangles = 0..mesh.model().triangulation().len();
            triangles.try_for_each(|number| {
                consider(number as u32, half_space_and_points(&half_space, mesh.triangle(number)))
            })
        }
        Side::Mesh(_) => ControlFlow::Continue(()),
    }
}
