//! Queries about two bodies at one pose each.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use xcollide::convex::shape::ShapeDistance;
use xcollide::math::vector;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::convex::Hybrid;
use xcollide::narrow::{NarrowPhase, PairCache, Placed, Query, Semantics, formula, proximity};

use crate::arrays::vectors;
use crate::contacts::Contacts;
use crate::errors;
use crate::errors::class::QueryError;
use crate::near_regions::NearRegions;
use crate::operand::{Pair, semantics};
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
/// Raises `PoseError`.
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
/// whatever reaches into it; what rounding hides counts as near.
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
    QueryError::new_err("a model has no faces, so there is no distance")
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
/// Raises `QueryError` for models of a size that leaves rounding without a bound, and for two half spaces that
/// no translation parts, as they do not face each other.
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
