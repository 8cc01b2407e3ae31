//! `NearRegions`: where two models are near each other, as arrays.

use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray3, PyArrayMethods};
use pyo3::prelude::*;
use xcollide::brep::FaceId;
use xcollide::narrow::Semantics;
use xcollide::narrow::proximity::{self, NearRegions as Found, Nearness};

use crate::arrays::vectors;
use crate::errors;
use crate::operand::Pair;

/// Pairs of regions of two models that are within a tolerance of each other, the nearest first.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct NearRegions {
    /// What the regions are about, if they can be verified here.
    pair: Pair,
    tolerance: f64,
    list: Vec<Found>,
}

impl NearRegions {
    pub(crate) fn find(py: Python<'_>, pair: Pair, tolerance: f64) -> PyResult<Self> {
        let [a, b] = pair.placed()?;
        let list = py.detach(|| proximity::near_regions(a, b, tolerance));
        Ok(Self { pair, tolerance, list })
    }
}

#[pymethods]
impl NearRegions {
    fn __len__(&self) -> usize {
        self.list.len()
    }

    /// The distance of each pair of regions: array of shape (n,).
    #[getter]
    fn distances<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.list.iter().map(|of| of.distance).collect::<Vec<_>>().into_pyarray(py)
    }

    /// The nearest points on the first and on the second model, in the world: array of shape (n, 2, 3).
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let points: Vec<[f64; 3]> = self.list.iter().flat_map(|of| of.points).collect();
        vectors(py, points)?.reshape([self.list.len(), 2, 3])
    }

    /// From the first point to the second, of length 1; where they are one, out of the face of the first model: array of shape
    /// (n, 3).
    #[getter]
    fn normals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.list.iter().map(|of| of.normal).collect())
    }

    /// The faces of the points: array of shape (n, 2); −1 with shapes.
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let numbers = |faces: [FaceId; 2]| faces.map(|face| i64::from(face.0));
        vectors(py, self.list.iter().map(|of| of.faces.map_or([-1; 2], numbers)).collect())
    }

    /// How many pairs of triangles of each pair of regions are within the tolerance, where a shape counts as one triangle: array of
    /// shape (n,).
    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        self.list.iter().map(|of| of.pairs as u64).collect::<Vec<_>>().into_pyarray(py)
    }

    /// Verifies that the faces are within the tolerance, exactly, without the search. Raises `ProofError` if one is not.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let [a, b] = self.pair.placed()?;
        let is_near =
            |&of: &Found| Nearness::from(of).verify(a, b, self.tolerance, Semantics::Surface);
        let verified = py.detach(|| self.list.iter().try_for_each(is_near));
        verified.map_err(|error| errors::proof(&error))
    }

    fn __repr__(&self) -> String {
        format!("NearRegions({})", self.list.len())
    }
}
