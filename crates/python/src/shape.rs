//! `Shape`: convex bodies given by formulas.

use std::sync::Arc;

use pyo3::prelude::*;
use xcollide::brep::ConvexHull;
use xcollide::convex::shape::{
    Ball, Capsule, Cone, Cuboid, Cylinder, Ellipsoid, Rounded, ShapeError,
};
use xcollide::narrow::convex::polytope_of;
use xcollide::{Formula, Model};

use crate::arrays::{Rows, vector};
use crate::errors;
use crate::errors::class::ShapeError as PyShapeError;

/// A body given by a formula, about the origin of its frame, its axis along z: no mesh, and moved by a pose without
/// rounding. It is a model for queries, worlds and robots, against other shapes and against meshes; it has no faces.
///
/// Whether two bodies meet is exact: touching is colliding. Lengths are between 1e-60 and 1e60, else `ShapeError` is raised.
///
/// >>> import xcollide
/// >>> ball, box = xcollide.Shape.ball(0.5), xcollide.Shape.box([1.0, 1.0, 0.25])
/// >>> above = ([0, 0, 0, 1], [0.0, 0.0, 1.0])
/// >>> xcollide.intersects(ball, above, box, None)
/// False
/// >>> xcollide.distance(ball, above, box, None)
/// 0.25
/// >>> xcollide.intersects(ball, above, xcollide.Model.shape("shape:box?x=1&y=1&z=1"), None)
/// True
#[pyclass(frozen, module = "xcollide")]
#[derive(Clone)]
pub(crate) struct Shape {
    pub(crate) inner: Model,
    text: Arc<str>,
}

impl Shape {
    /// The shape of a model that is given by a formula; `None` for a mesh.
    pub(crate) fn of_model(model: &Model) -> Option<Self> {
        let text = model.formula()?.name().into();
        Some(Self { inner: model.clone(), text })
    }
}

fn made(formula: Result<Formula, ShapeError>, text: String) -> PyResult<Shape> {
    let formula = formula.map_err(|error| PyShapeError::new_err(error.to_string()))?;
    Ok(Shape { inner: Model::from_formula(formula), text: text.into() })
}

#[pymethods]
impl Shape {
    /// A ball about the origin, by its radius.
    #[staticmethod]
    fn ball(radius: f64) -> PyResult<Self> {
        made(Ball::new(radius).map(Formula::Ball), format!("ball(radius={radius})"))
    }

    /// A box about the origin, by half its extents along x, y and z: shape (3,).
    #[staticmethod]
    #[pyo3(name = "box")]
    fn cuboid(half_extents: &Bound<'_, PyAny>) -> PyResult<Self> {
        let half = vector(half_extents, "half_extents")?;
        made(Cuboid::new(half).map(Formula::Cuboid), format!("box(half_extents={half:?})"))
    }

    /// All points within the radius of the z-axis from −half_length to half_length.
    #[staticmethod]
    fn capsule(half_length: f64, radius: f64) -> PyResult<Self> {
        let text = format!("capsule(half_length={half_length}, radius={radius})");
        made(Capsule::new(half_length, radius).map(Formula::Capsule), text)
    }

    /// A cylinder about the z-axis, from −half_height to half_height.
    #[staticmethod]
    fn cylinder(half_height: f64, radius: f64) -> PyResult<Self> {
        let text = format!("cylinder(half_height={half_height}, radius={radius})");
        made(Cylinder::new(half_height, radius).map(Formula::Cylinder), text)
    }

    /// A cone about the z-axis: its base at −half_height, its apex at half_height.
    #[staticmethod]
    fn cone(half_height: f64, radius: f64) -> PyResult<Self> {
        let text = format!("cone(half_height={half_height}, radius={radius})");
        made(Cone::new(half_height, radius).map(Formula::Cone), text)
    }

    /// An ellipsoid about the origin, by its half axes along x, y and z: shape (3,).
    #[staticmethod]
    fn ellipsoid(half_axes: &Bound<'_, PyAny>) -> PyResult<Self> {
        let half = vector(half_axes, "half_axes")?;
        made(Ellipsoid::new(half).map(Formula::Ellipsoid), format!("ellipsoid(half_axes={half:?})"))
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
        made(Rounded::new(polytope, radius).map(Formula::Rounded), text)
    }

    /// All points with z ≤ 0.
    #[staticmethod]
    fn half_space() -> Self {
        let inner = Model::from_formula(Formula::HalfSpace);
        Self { inner, text: "half_space()".into() }
    }

    fn __repr__(&self) -> String {
        format!("Shape.{}", self.text)
    }
}
