//! `Shape`: convex bodies given by formulas.

use std::sync::Arc;

use pyo3::prelude::*;
use xcollide::Model;
use xcollide::brep::ConvexHull;
use xcollide::convex::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Rounded, Shape as Formula, ShapeError,
};
use xcollide::narrow::convex::polytope_of;

use crate::arrays::{Rows, vector};
use crate::errors;
use crate::errors::class::ShapeError as PyShapeError;

/// A convex body given by a formula, about the origin of its frame, its axis along z. It is moved by a pose
/// without rounding.
///
/// Queries of shapes prove "apart" and "collides"; if two nearly touch, `UndecidedError` is raised. Lengths are
/// between 1e-60 and 1e60, else `ShapeError` is raised. Shapes meet shapes: for a query with a mesh, make a model
/// of the shape ("shape:sphere?faces=5000"), or a `Shape.hull` of a convex mesh.
///
/// >>> import xcollide
/// >>> ball, box = xcollide.Shape.ball(0.5), xcollide.Shape.box([1.0, 1.0, 0.25])
/// >>> above = ([0, 0, 0, 1], [0.0, 0.0, 1.0])
/// >>> xcollide.intersects(ball, above, box, None)
/// False
/// >>> xcollide.distance(ball, above, box, None)
/// 0.25
#[pyclass(frozen, module = "xcollide")]
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) formula: Arc<dyn Formula>,
    text: Arc<str>,
}

fn made<S: Formula + 'static>(shape: Result<S, ShapeError>, text: String) -> PyResult<Shape> {
    let formula = shape.map_err(|error| PyShapeError::new_err(error.to_string()))?;
    Ok(Shape { formula: Arc::new(formula), text: text.into() })
}

#[pymethods]
impl Shape {
    /// A ball about the origin, by its radius.
    #[staticmethod]
    fn ball(radius: f64) -> PyResult<Self> {
        made(Ball::new(radius), format!("ball(radius={radius})"))
    }

    /// A box about the origin, by half its extents along x, y and z: shape (3,).
    #[staticmethod]
    #[pyo3(name = "box")]
    fn cuboid(half_extents: &Bound<'_, PyAny>) -> PyResult<Self> {
        let half = vector(half_extents, "half_extents")?;
        made(Cuboid::new(half), format!("box(half_extents={half:?})"))
    }

    /// All points within the radius of the z-axis from −half_length to half_length.
    #[staticmethod]
    fn capsule(half_length: f64, radius: f64) -> PyResult<Self> {
        let text = format!("capsule(half_length={half_length}, radius={radius})");
        made(Capsule::new(half_length, radius), text)
    }

    /// A cylinder about the z-axis, from −half_height to half_height.
    #[staticmethod]
    fn cylinder(half_height: f64, radius: f64) -> PyResult<Self> {
        let text = format!("cylinder(half_height={half_height}, radius={radius})");
        made(Cylinder::new(half_height, radius), text)
    }

    /// A cone about the z-axis: its base at −half_height, its apex at half_height.
    #[staticmethod]
    fn cone(half_height: f64, radius: f64) -> PyResult<Self> {
        let text = format!("cone(half_height={half_height}, radius={radius})");
        made(Cone::new(half_height, radius), text)
    }

    /// An ellipsoid about the origin, by its half axes along x, y and z: shape (3,).
    #[staticmethod]
    fn ellipsoid(half_axes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let half = vector(half_axes, "half_axes")?;
        made(Ellipsoid::new(half), format!("ellipsoid(half_axes={half:?})"))
    }

    /// The convex hull of points, array of shape (n, 3), and all points within a radius of it.
    #[staticmethod]
    #[pyo3(signature = (points, radius=0.0))]
    fn hull(py: Python<'_>, points: &Bound<'_, PyAny>, radius: f64) -> PyResult<Self> {
        let points = Rows::<3>::read(points, "points")?;
        let rows = points.rows();
        let hull = py.detach(|| ConvexHull::of(rows)).map_err(|error| errors::hull(&error))?;
        let model = Model::from_mesh(hull.into_mesh()).map_err(|error| errors::mesh(&error))?;
        let polytope = polytope_of(&model);
        let text = format!("hull({} vertices, radius={radius})", polytope.len());
        made(Rounded::new(polytope, radius), text)
    }

    fn __repr__(&self) -> String {
        format!("Shape.{}", self.text)
    }
}
