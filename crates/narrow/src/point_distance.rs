//! The nearest point of a model, and the distance with a sign.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Interior};
use xcollide_bvh::wide::{Traversal, WideTree, nearest_query};
use xcollide_convex::shape::{Hull, PlacedShape, Shape, SurfacePoint};
use xcollide_math::vector::{add, length, scale, sub};
use xcollide_predicates::{Point, closest_points, distance_bounds};

use crate::hierarchy::prepared::prepared;
use crate::model::formula::PlacedFormula;
use crate::parallel_for::answers;
use crate::point_in_polyhedron::{Location, locate};
use crate::query_error::check_point;
use crate::{Placed, Pose, QueryError};

/// The point of a surface that is nearest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct NearestPoint {
    /// The distance; from [`signed_distance`] negative inside of the body. The error is a few units in the last place of
    /// the value plus a few of the largest coordinate; 0 exactly on the surface.
    pub distance: f64,
    /// The nearest point, in world coordinates, rounded.
    pub point: [f64; 3],
    /// The face it lies on, the lowest of several; `None` on a [formula](crate::Formula).
    pub face: Option<FaceId>,
    /// The triangle of the model's [triangulation](crate::Model::triangulation), the lowest of several; `None` on a formula.
    pub triangle: Option<u32>,
}

/// The point of the surface of a placed model that is nearest to a point in the world. Rounded.
///
/// Takes some microseconds for a hundred thousand triangles. The first query of a model builds a hierarchy. Of a formula it takes
/// some nanoseconds; of an ellipsoid, or in a rounded polytope, some microseconds.
///
/// # Errors
/// The pose cannot place the model, the point is not finite, or the model has no faces.
pub fn nearest_point<'a, A>(a: A, point: Point) -> Result<NearestPoint, QueryError>
where
    A: TryInto<Placed<'a>>,
    QueryError: From<A::Error>,
{
    check_point("point", point)?;
    let placed = a.try_into()?;
    nearest(placed, point, &mut Traversal::new()).ok_or(QueryError::NoFaces { side: "first" })
}

/// The same with a negative distance for points inside of the body; the sign is exact.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Pose, signed_distance};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// let cube = Model::from_mesh(PolygonMesh::from_polygons(corners.to_vec(), faces)?)?;
/// let found = signed_distance((&cube, &Pose::IDENTITY), [0.5, 0.5, 0.75])?;
/// assert_eq!((found.distance, found.point), (-0.25, [0.5, 0.5, 1.0]));
/// let found = signed_distance((&cube, &Pose::IDENTITY), [0.5, 0.5, 3.0])?;
/// assert_eq!((found.distance, found.point), (2.0, [0.5, 0.5, 1.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`nearest_point`]; [`QueryError::NoBody`]: the surface of the model bounds no body.
pub fn signed_distance<'a, A>(a: A, point: Point) -> Result<NearestPoint, QueryError>
where
    A: TryInto<Placed<'a>>,
    QueryError: From<A::Error>,
{
    signed(a.try_into()?, point, &mut Traversal::new())
}

/// [`signed_distance`] with memory of one's own.
pub(crate) fn signed(
    placed: Placed<'_>,
    point: Point,
    scratch: &mut Traversal,
) -> Result<NearestPoint, QueryError> {
    let has_body =
        placed.model().formula().is_some() || placed.model().interior() != Interior::None;
    if !has_body {
        return Err(QueryError::NoBody { side: "first" });
    }
    check_point("point", point)?;
    let found = nearest(placed, point, scratch).ok_or(QueryError::NoFaces { side: "first" })?;
    Ok(match locate(placed, point) {
        Location::Inside => NearestPoint { distance: -found.distance, ..found },
        Location::OnSurface => NearestPoint { distance: 0.0, point, ..found },
        Location::Outside => found,
    })
}

/// [`signed_distance`] of each of some points, in their order: with the feature `parallel` on the threads of rayon's current
/// pool. The same at any number of threads.
///
/// # Errors
/// As [`signed_distance`]; of several points that of the first.
pub fn signed_distances(
    placed: Placed<'_>,
    points: &[Point],
) -> Result<Vec<NearestPoint>, QueryError> {
    each(placed, points, |scratch, &point| signed(placed, point, scratch))
}

/// [`nearest_point`] of each of some points; like [`signed_distances`] on several threads.
///
/// # Errors
/// As [`nearest_point`]; of several points that of the first.
pub fn nearest_points(
    placed: Placed<'_>,
    points: &[Point],
) -> Result<Vec<NearestPoint>, QueryError> {
    each(placed, points, |scratch, &point| {
        check_point("point", point)?;
        nearest(placed, point, scratch).ok_or(QueryError::NoFaces { side: "first" })
    })
}

/// The answers for some points, in their order, on the threads of rayon's current pool.
fn each(
    placed: Placed<'_>,
    points: &[Point],
    answer: impl Fn(&mut Traversal, &Point) -> Result<NearestPoint, QueryError> + Sync,
) -> Result<Vec<NearestPoint>, QueryError> {
    // Built once, not by each thread.
    if !points.is_empty() && placed.model().formula().is_none() {
        let _ = prepared::<WideTree>(placed.model());
    }
    answers(points, Traversal::new, answer).into_iter().collect()
}

/// The least distance as `closest_points` computes it, then the lowest number: bounds of it rule out most triangles.
fn nearest(placed: Placed<'_>, point: Point, scratch: &mut Traversal) -> Option<NearestPoint> {
    if placed.model().formula().is_some() {
        let on = on_surface(placed, point)?.point;
        let distance = length(sub(on, point));
        return Some(NearestPoint { distance, point: on, face: None, triangle: None });
    }
    let mut candidates: Vec<(f64, u32)> = Vec::new();
    let mut most = f64::INFINITY;
    let mut consider = |number: u32| {
        let [least, at_most] = distance_bounds(point, &placed.triangle(number as usize));
        if least <= most {
            candidates.push((least, number));
            most = most.min(at_most);
        }
        ControlFlow::Continue(most)
    };
    let _ = match prepared::<WideTree>(placed.model()) {
        Some(tree) => nearest_query((tree, placed.pose()), point, scratch, consider),
        None => (0..placed.model().triangulation().len() as u32)
            .try_for_each(|number| consider(number).map_continue(|_| ())),
    };
    let mut best: Option<NearestPoint> = None;
    for (_, triangle) in candidates.into_iter().filter(|(least, _)| *least <= most) {
        let found = closest_points(&[point], &placed.triangle(triangle as usize));
        let is_nearer = best.as_ref().is_none_or(|best| {
            let lower = Some(triangle).cmp(&best.triangle);
            found.distance.total_cmp(&best.distance).then(lower).is_lt()
        });
        if is_nearer {
            let face = placed.model().triangulation().face_of(triangle as usize);
            let (face, triangle) = (Some(face), Some(triangle));
            best = Some(NearestPoint { distance: found.distance, point: found.b, face, triangle });
        }
    }
    best
}

/// The point of the surface of a formula that is nearest to a point, rounded; `None` for a mesh.
pub(crate) fn on_surface(placed: Placed<'_>, point: Point) -> Option<SurfacePoint> {
    match placed.model().formula()?.placed(placed.pose()).ok()? {
        PlacedFormula::HalfSpace(half_space) => {
            Some(SurfacePoint { point: half_space.foot(point), normal: half_space.up() })
        }
        PlacedFormula::Shape(shape) => {
            shape.nearest_on_surface(point).or_else(|| on_rounded(&shape, point))
        }
    }
}

/// The same for a rounded polytope: outside by the distance, inside by the way out.
fn on_rounded(shape: &PlacedShape<'_, dyn Shape + '_>, point: Point) -> Option<SurfacePoint> {
    let points = [point];
    let hull = Hull::new(&points).ok()?;
    let there = PlacedShape::new(&hull, &Pose::IDENTITY).ok()?;
    let apart = shape.distance(&there);
    if apart.at_least > 0.0 {
        return Some(SurfacePoint { point: apart.points[0], normal: apart.direction });
    }
    let found = there.penetration(shape);
    let way = 0.5 * found.at_least + 0.5 * found.at_most;
    Some(SurfacePoint { point: add(point, scale(found.direction, way)), normal: found.direction })
}
