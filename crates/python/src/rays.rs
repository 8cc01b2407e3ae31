//! Rays, swept spheres and points against a model at one pose.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use xcollide::narrow::rays::{MovingSphere, sphere_cast};
use xcollide::narrow::{Placed, nearest_point, signed_distance};

use crate::arrays::{self, Floats, Rows, vectors};
use crate::batch::Batch;
use crate::errors;
use crate::errors::class::QueryError;
use crate::operand::model;
use crate::poses::pose;

type Object<'py> = Bound<'py, PyAny>;

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
/// (n,), from 0 on. Whether a sphere meets the model is exact, the time is rounded. Raises `QueryError` with the
/// number of the first row whose numbers are not finite or whose radius is negative.
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
