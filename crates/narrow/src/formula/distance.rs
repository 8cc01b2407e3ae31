//! How far a formula is from another one or from a mesh: bounds that are proved.

use std::cell::Cell;
use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_bvh::binary::Bvh;
use xcollide_convex::shape::{Hull, PlacedShape, ShapeDistance};
use xcollide_math::vector::{add, largest, length, neg, scale, sub};
use xcollide_predicates::{closest_points, distance_bounds, triangles_within};

use super::mesh::{each_near, local_box};
use super::pair::{Body, Side, verdict};
use crate::hierarchy::prepared::prepared;
use crate::model::formula::{Formula, HalfSpace};
use crate::query::Deadline;
use crate::{Placed, Pose, Query, QueryError, Reason, Semantics, Verdict};

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
/// Neither model is given by a formula, both are half spaces, or a mesh has no faces.
pub fn distance(
    a: Placed<'_>,
    b: Placed<'_>,
    semantics: Semantics,
) -> Result<ShapeDistance, QueryError> {
    let query = Query::new().semantics(semantics);
    let (answer, _) = verdict(a, b, &query, &mut Deadline::never());
    if let Verdict::Collides(witness) = &answer {
        let points = [witness.point; 2];
        return Ok(ShapeDistance { points, at_least: 0.0, at_most: 0.0, direction: [0.0; 3] });
    }
    match (Side::of(a), Side::of(b)) {
        (Side::Shape(_, of_a), Side::Shape(_, of_b)) => Ok(of_a.distance(&of_b)),
        (Side::Shape(_, shape), Side::HalfSpace(half_space)) => {
            Ok(swapped(half_space_and_shape(&half_space, &shape)))
        }
        (Side::HalfSpace(half_space), Side::Shape(_, shape)) => {
            Ok(half_space_and_shape(&half_space, &shape))
        }
        (Side::Shape(formula, shape), Side::Mesh(mesh)) => {
            Ok(shape_and_mesh(formula, &shape, a, of_mesh(mesh, "second")?))
        }
        (Side::Mesh(mesh), Side::Shape(formula, shape)) => {
            Ok(swapped(shape_and_mesh(formula, &shape, b, of_mesh(mesh, "first")?)))
        }
        (Side::HalfSpace(half_space), Side::Mesh(mesh)) => {
            Ok(half_space_and_mesh(&half_space, of_mesh(mesh, "second")?))
        }
        (Side::Mesh(mesh), Side::HalfSpace(half_space)) => {
            Ok(swapped(half_space_and_mesh(&half_space, of_mesh(mesh, "first")?)))
        }
        (Side::Mesh(_), Side::Mesh(_)) | (Side::HalfSpace(_), Side::HalfSpace(_)) => {
            Err(QueryError::Undecided(Reason::NotAccepted))
        }
    }
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

/// Bounds with the direction of two points.
fn between(points: [[f64; 3]; 2], [at_least, at_most]: [f64; 2]) -> ShapeDistance {
    let line = sub(points[1], points[0]);
    let size = length(line);
    let known = at_least > 0.0 && size > 0.0;
    let direction = if known { scale(line, 1.0 / size) } else { [0.0; 3] };
    ShapeDistance { points, at_least: at_least.max(0.0), at_most: at_most.max(0.0), direction }
}

fn half_space_and_shape(half_space: &HalfSpace, shape: &Body<'_>) -> ShapeDistance {
    let lowest = shape.farthest_point(neg(half_space.up()));
    between([half_space.foot(lowest), lowest], half_space.gap(shape))
}

fn half_space_and_mesh(half_space: &HalfSpace, mesh: Placed<'_>) -> ShapeDistance {
    let used = mesh.model().used_vertices().iter();
    half_space_and_points(half_space, used.map(|&vertex| mesh.position(vertex)))
}

fn half_space_and_points(
    half_space: &HalfSpace,
    points: impl IntoIterator<Item = [f64; 3]>,
) -> ShapeDistance {
    let mut lowest = (f64::INFINITY, 0.0, [0.0; 3]);
    for point in points {
        let (height, error) = half_space.height(point);
        if height < lowest.0 {
            lowest = (height, lowest.1, point);
        }
        lowest.1 = f64::max(lowest.1, error);
    }
    let (height, error, point) = lowest;
    between([half_space.foot(point), point], [height - error, height + error])
}

/// The least distance of the triangles. They are searched in a box around the body that shrinks with the least distance.
fn shape_and_mesh(
    formula: &Formula,
    shape: &Body<'_>,
    body: Placed<'_>,
    mesh: Placed<'_>,
) -> ShapeDistance {
    let center = body.pose().translation();
    let nearest_of =
        |number: u32| to_triangle(formula, shape, center, &mesh.triangle(number as usize));
    let triangles = mesh.model().triangulation().len() as u32;
    // Some triangle, for a start: that nearest to the center.
    let first = crate::nearest_point(mesh, center).ok().and_then(|found| found.triangle);
    let first = first.unwrap_or(0);
    let mut nearest = nearest_of(first);
    let mut at_least = nearest.at_least;
    let at_most = Cell::new(nearest.at_most);
    let mut consider = |number: u32| {
        let found = nearest_of(number);
        at_least = at_least.min(found.at_least);
        if found.at_most < at_most.get() {
            at_most.set(found.at_most);
            nearest = found;
        }
        ControlFlow::Continue(())
    };
    let around = local_box(shape, mesh);
    let opens = |bounds: &Aabb| {
        let limit = at_most.get() * (1.0 + 1e-5);
        around.expanded(limit).overlaps(bounds)
            && around.distance_squared(bounds) <= limit * limit * (1.0 + 1e-12)
    };
    let _ = match prepared::<Bvh<Aabb>>(mesh.model()) {
        Some(tree) => tree.search(opens, &mut consider),
        None => (0..triangles).try_for_each(&mut consider),
    };
    ShapeDistance { at_least, ..nearest }
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

/// Bounds of the distance of a point and a triangle: close to what was computed, if exact comparisons say so.
fn tight_bounds(point: [f64; 3], triangle: &[[f64; 3]; 3], computed: f64) -> [f64; 2] {
    let rounding = 4.0 * f64::EPSILON * (computed + largest(point));
    let [low, high] = [(computed - rounding).max(0.0), computed + rounding];
    let [at_least, at_most] = distance_bounds(point, triangle);
    let within = |limit| triangles_within(&[point; 3], triangle, limit);
    [
        if at_least < low && !within(low) { low } else { at_least },
        if high < at_most && within(high) { high } else { at_most },
    ]
}

fn to_triangle(
    formula: &Formula,
    shape: &Body<'_>,
    center: [f64; 3],
    triangle: &[[f64; 3]; 3],
) -> ShapeDistance {
    if let (Formula::Ball(_), Some(ball)) = (formula, formula.shape()) {
        let found = closest_points(&[center], triangle);
        let [at_least, at_most] = tight_bounds(center, triangle, found.distance);
        let line = sub(found.b, center);
        let part = ball.radius() / length(line).max(f64::MIN_POSITIVE);
        let on_ball = add(center, scale(line, part));
        let [low, high] =
            [(at_least - ball.radius()).next_down(), (at_most - ball.radius()).next_up()];
        return between([on_ball, found.b], [low, high]);
    }
    let far = ShapeDistance {
        points: [center, triangle[0]],
        at_least: 0.0,
        at_most: f64::INFINITY,
        direction: [0.0; 3],
    };
    let Ok(hull) = Hull::new(triangle) else { return far };
    PlacedShape::new(&hull, &Pose::IDENTITY).map_or(far, |hull| shape.distance(&hull))
}
