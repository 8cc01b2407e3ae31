//! Queries about two bodies at one pose each, and about rays and points.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use xcollide::convex::shape::ShapeDistance;
use xcollide::math::vector;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::rays::{MovingSphere, sphere_cast};
use xcollide::narrow::{
    NarrowPhase, PairCache, Placed, Query, Semantics, formula, nearest_point, proximity,
    signed_distance,
};

use crate::arrays::{self, Floats, Rows, vectors};
use crate::batch::Batch;
use crate::contacts::Contacts;
use crate::errors;
use crate::errors::class::QueryError;
use crate::near_regions::NearRegions;
use crate::operand::{Pair, model, semantics};
use crate::poses::pose;
use crate::verdict::{Verdict, decided};

type Object<'py> = Bound<'py, PyAny>;

/// Whether two bodies have a point in common; touching ones do. Exact.
///
/// intersects(a, pose_a, b, pose_b, *, semantics="solid")
///
/// a, b: models: meshes or shapes.
/// pose_a, pose_b: None for the identity; a 4×4 matrix, kept bit for bit, whose upper left 3×3 part is a
/// rotation within 1e-6; or a tuple of a unit quaternion (x, y, z, w) and a translation.
/// semantics: "solid", where a closed model is the body that it bounds, or "surface", where only faces count.
///
/// Raises `PoseError`, and where a shape nearly touches the other body `UndecidedError`.
///
/// >>> import numpy, xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> beside = numpy.eye(4)
/// >>> beside[0, 3] = 1.0
/// >>> xcollide.intersects(box, None, box, beside)
/// True
/// >>> beside[0, 3] = numpy.nextafter(1.0, 2.0)
/// >>> xcollide.intersects(box, None, box, beside)
/// False
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, semantics="solid"))]
pub(crate) fn intersects(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    semantics: &str,
) -> PyResult<bool> {
    let query = Query::new().semantics(self::semantics(semantics)?);
    let pair = Pair::read(a, pose_a, b, pose_b)?;
    let [a, b] = pair.placed()?;
    decided(&py.detach(|| Auto::new().test(a, b, &query, &mut PairCache::new())))
}

/// Whether two models have a point in common, with a proof that can be verified without the search.
///
/// check(a, pose_a, b, pose_b, *, semantics="solid") -> Verdict
///
/// The verdict has a witness, or a separating plane, or for tangled models a front of separated parts. Arguments
/// and errors as of `intersects`, for models.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> verdict = xcollide.check(box, None, box, ([0, 0, 0, 1], [3.0, 0.0, 0.0]))
/// >>> bool(verdict), verdict.kind
/// (False, 'plane')
/// >>> verdict.verify()
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, semantics="solid"))]
pub(crate) fn check(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    semantics: &str,
) -> PyResult<Verdict> {
    let semantics = self::semantics(semantics)?;
    Verdict::find(py, Pair::read(a, pose_a, b, pose_b)?, semantics)
}

/// All pairs of faces that have a point in common, with their common points. Which faces meet is exact; the points
/// are rounded.
///
/// contacts(a, pose_a, b, pose_b) -> Contacts
///
/// Empty if the models are apart, or if one body contains the other without touching it.
#[pyfunction]
pub(crate) fn contacts(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
) -> PyResult<Contacts> {
    Contacts::find(py, Pair::read(a, pose_a, b, pose_b)?)
}

/// The distance of two bodies in units of length; 0 if they collide. Rounded.
///
/// distance(a, pose_a, b, pose_b, *, semantics="solid")
///
/// Raises `QueryError` for a model without faces.
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, semantics="solid"))]
pub(crate) fn distance(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    semantics: &str,
) -> PyResult<f64> {
    Ok(closest_points(py, a, pose_a, b, pose_b, semantics)?.distance)
}

/// All places where two models are at most `tolerance` apart, their surfaces or their shapes: one for each pair of regions, the nearest
/// first.
///
/// near_regions(a, pose_a, b, pose_b, tolerance) -> NearRegions
///
/// Two pairs of triangles within the tolerance are of one pair of regions if they share a corner on both models, or a chain of
/// such pairs leads from one to the other. Which triangles are within the tolerance is exact. A shape is one region, and near
/// whatever reaches into it; what rounding hides counts as near. Raises `QueryError` for two half spaces.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> found = xcollide.near_regions(box, None, box, ([0, 0, 0, 1], [1.125, 0.0, 0.0]), 0.25)
/// >>> len(found), found.distances.tolist(), found.normals.tolist()
/// (1, [0.125], [[1.0, 0.0, 0.0]])
#[pyfunction]
pub(crate) fn near_regions(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    tolerance: f64,
) -> PyResult<NearRegions> {
    NearRegions::find(py, Pair::read(a, pose_a, b, pose_b)?, tolerance)
}

/// The nearest points of two bodies, with their distance. Rounded.
///
/// closest_points(a, pose_a, b, pose_b, *, semantics="solid") -> ClosestPoints
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> found = xcollide.closest_points(box, None, box, ([0, 0, 0, 1], [3.0, 0.0, 0.0]))
/// >>> found.distance, found.points[:, 0].tolist()
/// (2.0, [0.5, 2.5])
#[pyfunction]
#[pyo3(signature = (a, pose_a, b, pose_b, *, semantics="solid"))]
pub(crate) fn closest_points(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
    semantics: &str,
) -> PyResult<ClosestPoints> {
    let semantics = self::semantics(semantics)?;
    let pair = Pair::read(a, pose_a, b, pose_b)?;
    let [a, b] = pair.placed()?;
    py.detach(|| nearest(a, b, semantics)).ok_or_else(no_faces)
}

/// The nearest points. A distance to a shape is that of these points.
pub(crate) fn nearest(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<ClosestPoints> {
    if is_shape(a) || is_shape(b) {
        let ShapeDistance { points, direction, .. } = formula::distance(a, b, semantics).ok()?;
        let [p, q] = points;
        let is_apart = direction != [0.0; 3];
        let distance = if is_apart { vector::length(vector::sub(q, p)) } else { 0.0 };
        return Some(ClosestPoints { distance, points, faces: None });
    }
    let found = proximity::distance(a, b, semantics)?;
    let faces = found.faces.map(|faces| faces.map(|face| face.0));
    Some(ClosestPoints { distance: found.value, points: found.points, faces })
}

/// Whether the model is given by a formula.
fn is_shape(placed: Placed<'_>) -> bool {
    placed.model().formula().is_some()
}

pub(crate) fn no_faces() -> PyErr {
    QueryError::new_err("a model has no faces, or both are half spaces, so there is no distance")
}

/// The nearest points of two bodies.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct ClosestPoints {
    pub(crate) distance: f64,
    pub(crate) points: [[f64; 3]; 2],
    pub(crate) faces: Option<[u32; 2]>,
}

#[pymethods]
impl ClosestPoints {
    /// Their distance, in units of length; 0 if the bodies collide.
    #[getter]
    fn distance(&self) -> f64 {
        self.distance
    }

    /// The two points in the world: array of shape (2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.points.to_vec())
    }

    /// The faces on which they lie; None if one body contains the other, and for shapes.
    #[getter]
    fn faces(&self) -> Option<(u32, u32)> {
        self.faces.map(|[a, b]| (a, b))
    }

    fn __repr__(&self) -> String {
        format!("ClosestPoints(distance={:?}, points={:?})", self.distance, self.points)
    }
}

/// The penetration depth of two models, with bounds; None if they are apart.
///
/// penetration(a, pose_a, b, pose_b) -> Penetration | None
///
/// The upper bound holds for any models, the lower one for convex ones; both hold for shapes.
///
/// Raises `QueryError` for models of a size that leaves rounding without a bound, and for shapes where rounding hides whether
/// they touch.
#[pyfunction]
pub(crate) fn penetration(
    py: Python<'_>,
    a: &Object<'_>,
    pose_a: &Object<'_>,
    b: &Object<'_>,
    pose_b: &Object<'_>,
) -> PyResult<Option<Penetration>> {
    let pair = Pair::read(a, pose_a, b, pose_b)?;
    let [a, b] = pair.placed()?;
    let found = py.detach(|| match is_shape(a) || is_shape(b) {
        true => xcollide::penetration(a, b),
        false => Hybrid::penetration(a, b, &mut PairCache::new()),
    });
    Ok(found.map_err(|error| errors::query(&error))?.map(Penetration))
}

/// How deep two models are in each other.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Penetration(xcollide::convex::Penetration);

#[pymethods]
impl Penetration {
    /// Of length 1, from the second model to the first: moving the first along it separates the two soonest: shape (3,).
    #[getter]
    fn direction<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.direction.to_vec().into_pyarray(py)
    }

    /// The deepest point of the first in the second, and of the second in the first: array of shape (2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.0.points.to_vec())
    }

    /// Moved by less than this, anywhere, the models still collide; 0 if that is not known.
    #[getter]
    fn at_least(&self) -> f64 {
        self.0.at_least
    }

    /// Moved by this along the direction, the models are apart.
    #[getter]
    fn at_most(&self) -> f64 {
        self.0.at_most
    }

    fn __repr__(&self) -> String {
        format!("Penetration(at_least={:?}, at_most={:?})", self.0.at_least, self.0.at_most)
    }
}

/// Where a ray first meets the surface of a placed model, a mesh or a shape: None, or the face, the point and the parameter.
///
/// ray_cast(model, pose, origin, direction, reach=inf) -> RayHit | None
///
/// origin, direction: shape (3,), in the world. The ray is origin + s · direction for 0 ≤ s ≤ reach. Which faces it
/// meets is exact; the point is rounded.
///
/// Raises `QueryError` if a number is not finite or the direction is zero.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> xcollide.ray_cast(box, None, [0.25, 0.125, 5.0], [0.0, 0.0, -2.0]).parameter
/// 2.25
#[pyfunction]
#[pyo3(signature = (model, pose, origin, direction, reach=f64::INFINITY))]
pub(crate) fn ray_cast(
    py: Python<'_>,
    model: &Object<'_>,
    pose: &Object<'_>,
    origin: &Object<'_>,
    direction: &Object<'_>,
    reach: f64,
) -> PyResult<Option<RayHit>> {
    let (model, pose) = (self::model(model, "model")?, self::pose(pose, "pose")?);
    let (origin, direction) =
        (arrays::vector(origin, "origin")?, arrays::vector(direction, "direction")?);
    let hit = py.detach(|| xcollide::ray_cast((&model, &pose), origin, direction, reach));
    Ok(hit.map_err(|error| errors::query(&error))?.map(RayHit))
}

/// Where a ray first meets a model.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct RayHit(xcollide::RayHit);

#[pymethods]
impl RayHit {
    /// The face; None on a shape.
    #[getter]
    fn face(&self) -> Option<u32> {
        self.0.face.map(|face| face.0)
    }

    /// The point in the world: shape (3,).
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.0.point.to_vec().into_pyarray(py)
    }

    /// The point is origin + parameter · direction, rounded.
    #[getter]
    fn parameter(&self) -> f64 {
        self.0.parameter
    }

    fn __repr__(&self) -> String {
        let xcollide::RayHit { face, point, parameter, .. } = self.0;
        let face = face.map_or("None".into(), |face| face.to_string());
        format!("RayHit(face={face}, point={point:?}, parameter={parameter:?})")
    }
}

/// Parameters and faces.
type Hits<'py> = (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<i64>>);

/// Where rays first meet a placed model: parameters, shape (n,), inf where a ray meets nothing, and faces, shape (n,),
/// −1 there, and for shapes.
///
/// ray_cast_many(model, pose, origins, directions, reach=inf, *, threads=None)
///
/// origins, directions: arrays of shape (n, 3). Otherwise as `ray_cast`; the error of a ray names its number.
#[pyfunction]
#[pyo3(signature = (model, pose, origins, directions, reach=f64::INFINITY, *, threads=None))]
pub(crate) fn ray_cast_many<'py>(
    py: Python<'py>,
    model: &Object<'py>,
    pose: &Object<'py>,
    origins: &Object<'py>,
    directions: &Object<'py>,
    reach: f64,
    threads: Option<usize>,
) -> PyResult<Hits<'py>> {
    let (model, pose) = (self::model(model, "model")?, self::pose(pose, "pose")?);
    let rays = row_pairs([origins, directions], ["origins", "directions"])?;
    let batch = Batch::new(rays.len(), threads)?;
    let hits = py.detach(|| {
        batch.run(
            (f64::INFINITY, -1_i64),
            || (),
            |(), ray| {
                let [origin, direction] = rays[ray];
                let hit = xcollide::ray_cast((&model, &pose), origin, direction, reach)?;
                Ok(hit.map_or((f64::INFINITY, -1), |hit| (hit.parameter, face_number(hit.face))))
            },
        )
    });
    let hits = hits.map_err(|(ray, error): (usize, xcollide::QueryError)| {
        QueryError::new_err(format!("ray {ray}: {error}"))
    })?;
    let (parameters, faces): (Vec<f64>, Vec<i64>) = hits.into_iter().unzip();
    Ok((parameters.into_pyarray(py), faces.into_pyarray(py)))
}

/// Where spheres that move along segments first meet the surface of a placed model: times from 0 to 1, shape (n,), inf where
/// a sphere meets nothing, and faces, shape (n,), −1 there.
///
/// sphere_cast_many(model, pose, starts, ends, radii, *, threads=None)
///
/// starts, ends: the first and the last centers in the world, arrays of shape (n, 3); a start may be the end. radii: shape
/// (n,), from 0 on. Whether a sphere meets the model is exact, the time is rounded. Raises `QueryError` that names the first
/// sphere that is none.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> times, faces = xcollide.sphere_cast_many(box, None, [[0.0, 0.0, 5.0]], [[0.0, 0.0, 1.0]], [0.5])
/// >>> times.tolist()
/// [1.0]
#[pyfunction]
#[pyo3(signature = (model, pose, starts, ends, radii, *, threads=None))]
pub(crate) fn sphere_cast_many<'py>(
    py: Python<'py>,
    model: &Object<'py>,
    pose: &Object<'py>,
    starts: &Object<'py>,
    ends: &Object<'py>,
    radii: &Object<'py>,
    threads: Option<usize>,
) -> PyResult<Hits<'py>> {
    let (model, pose) = (self::model(model, "model")?, self::pose(pose, "pose")?);
    let spheres = spheres(starts, ends, radii)?;
    let placed = Placed::new(&model, &pose).map_err(|error| errors::query(&error.into()))?;
    let batch = Batch::new(spheres.len(), threads)?;
    let hits = py.detach(|| {
        let cast = |(): &mut (), number: usize| {
            let MovingSphere { segment, radius } = spheres[number];
            let hit = sphere_cast(placed, segment, radius)?;
            Ok(hit.map_or((f64::INFINITY, -1), |hit| (hit.parameter, face_number(hit.face))))
        };
        batch.run((f64::INFINITY, -1_i64), || (), cast)
    });
    let hits = hits.map_err(|(sphere, error): (usize, xcollide::QueryError)| {
        QueryError::new_err(format!("sphere {sphere}: {error}"))
    })?;
    let (times, faces): (Vec<f64>, Vec<i64>) = hits.into_iter().unzip();
    Ok((times.into_pyarray(py), faces.into_pyarray(py)))
}

/// Origins and directions of rays, or starts and ends of segments, as many of both.
pub(crate) fn row_pairs(
    [one, other]: [&Object<'_>; 2],
    [of_one, of_other]: [&str; 2],
) -> PyResult<Vec<[[f64; 3]; 2]>> {
    let (one, other) = (Rows::<3>::read(one, of_one)?, Rows::<3>::read(other, of_other)?);
    let (expected, found) = (one.rows().len(), other.rows().len());
    if found != expected {
        let text = format!("found {found} {of_other} for {expected} {of_one}, expected as many");
        return Err(errors::class::ArrayError::new_err(text));
    }
    Ok(one.rows().iter().zip(other.rows()).map(|(&one, &other)| [one, other]).collect())
}

/// Moving spheres from arrays.
pub(crate) fn spheres(
    starts: &Object<'_>,
    ends: &Object<'_>,
    radii: &Object<'_>,
) -> PyResult<Vec<MovingSphere>> {
    let segments = row_pairs([starts, ends], ["starts", "ends"])?;
    let radii = Floats::read(radii, "radii")?;
    if *radii.shape() != [segments.len()] {
        let expected = format!("({},)", segments.len());
        return Err(arrays::wrong_shape("radii", radii.shape(), &expected));
    }
    let pairs = segments.into_iter().zip(radii.numbers());
    Ok(pairs.map(|(segment, &radius)| MovingSphere { segment, radius }).collect())
}

/// Whether points are in the body of a placed model, or on its surface. Exact.
///
/// contains(model, pose, points, *, threads=None)
///
/// points: shape (3,) for a bool, or shape (n, 3) for an array of bools of shape (n,), in the world. A model that
/// bounds no body contains the points of its surface.
///
/// >>> import xcollide
/// >>> xcollide.contains(xcollide.Model.shape("shape:box?x=1&y=1&z=1"), None, [[0.5, 0, 0], [0.75, 0, 0]]).tolist()
/// [True, False]
#[pyfunction]
#[pyo3(signature = (model, pose, points, *, threads=None))]
pub(crate) fn contains<'py>(
    py: Python<'py>,
    model: &Object<'py>,
    pose: &Object<'py>,
    points: &Object<'py>,
    threads: Option<usize>,
) -> PyResult<Object<'py>> {
    let (model, pose) = (self::model(model, "model")?, self::pose(pose, "pose")?);
    if Floats::read(points, "points")?.shape() == [3] {
        let point = arrays::vector(points, "points")?;
        let answer = py.detach(|| xcollide::contains_point((&model, &pose), point));
        let answer = answer.map_err(|error| errors::query(&error))?;
        return Ok(answer.into_pyobject(py)?.to_owned().into_any());
    }
    let points = Rows::<3>::read(points, "points")?;
    let rows = points.rows();
    let batch = Batch::new(rows.len(), threads)?;
    let answers = py.detach(|| {
        let answer =
            |(): &mut (), point: usize| xcollide::contains_point((&model, &pose), rows[point]);
        batch.run(false, || (), answer)
    });
    let answers =
        answers.map_err(|(point, error)| QueryError::new_err(format!("point {point}: {error}")))?;
    Ok(answers.into_pyarray(py).into_any())
}

/// Distances, points and faces.
type Nearest<'py> =
    (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<i64>>);

/// The points of the surface of a placed model that are nearest to other points: distances, shape (n,); points in the world, shape
/// (n, 3); faces, shape (n,), −1 for shapes.
///
/// nearest_points(model, pose, points, *, signed=False, threads=None)
///
/// points: array of shape (n, 3), in the world. signed: whether distances of points in the body are negative; the sign is exact.
/// Raises `QueryError` that names the first point that has no answer, as for a model without faces, or signed without a body.
///
/// >>> import xcollide
/// >>> box = xcollide.Model.shape("shape:box?x=1&y=1&z=1")
/// >>> distances, points, faces = xcollide.nearest_points(box, None, [[2.0, 0, 0], [0.25, 0, 0]], signed=True)
/// >>> distances.tolist(), points[:, 0].tolist()
/// ([1.5, -0.25], [0.5, 0.5])
#[pyfunction]
#[pyo3(signature = (model, pose, points, *, signed=false, threads=None))]
pub(crate) fn nearest_points<'py>(
    py: Python<'py>,
    model: &Object<'py>,
    pose: &Object<'py>,
    points: &Object<'py>,
    signed: bool,
    threads: Option<usize>,
) -> PyResult<Nearest<'py>> {
    let (model, pose) = (self::model(model, "model")?, self::pose(pose, "pose")?);
    let placed = Placed::new(&model, &pose).map_err(|error| errors::query(&error.into()))?;
    let points = Rows::<3>::read(points, "points")?;
    let rows = points.rows();
    let batch = Batch::new(rows.len(), threads)?;
    let found = py.detach(|| {
        let answer = |(): &mut (), number: usize| {
            let point = rows[number];
            let found = match signed {
                true => signed_distance(placed, point),
                false => nearest_point(placed, point),
            }?;
            Ok((found.distance, found.point, face_number(found.face)))
        };
        batch.run((0.0, [0.0; 3], -1_i64), || (), answer)
    });
    let found = found.map_err(|(point, error): (usize, xcollide::QueryError)| {
        QueryError::new_err(format!("point {point}: {error}"))
    })?;
    let distances: Vec<f64> = found.iter().map(|(distance, ..)| *distance).collect();
    let faces: Vec<i64> = found.iter().map(|(.., face)| *face).collect();
    let points = vectors(py, found.iter().map(|(_, point, _)| *point).collect())?;
    Ok((distances.into_pyarray(py), points, faces.into_pyarray(py)))
}

/// The number of a face that was hit; −1 of a model given by a formula, which has none.
pub(crate) fn face_number(face: Option<xcollide::brep::FaceId>) -> i64 {
    face.map_or(-1, |face| i64::from(face.0))
}
