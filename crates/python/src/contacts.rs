//! `Contacts`: pairs of faces that meet, as arrays.

use numpy::PyArray2;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use xcollide::narrow::Contact;

use crate::arrays::vectors;
use crate::errors;
use crate::operand::Pair;

/// Pairs of triangles of two models that meet, in the order of their faces.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Contacts {
    /// What the contacts are about, if they can be verified here.
    pair: Pair,
    list: Vec<Contact>,
}

impl Contacts {
    pub(crate) fn find(py: Python<'_>, pair: Pair) -> PyResult<Self> {
        let [a, b] = pair.placed()?;
        let list = py.detach(|| xcollide::contacts(a, b)).map_err(|error| errors::query(&error))?;
        Ok(Self { pair, list })
    }
}

#[pymethods]
impl Contacts {
    fn __len__(&self) -> usize {
        self.list.len()
    }

    /// The face of the first and of the second model: array of shape (n, 2).
    #[getter]
    fn faces<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        vectors(py, self.list.iter().map(|contact| contact.faces.map(|face| face.0)).collect())
    }

    /// Their triangles, rows of `Model.triangles`: array of shape (n, 2).
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let triangles = self.list.iter().map(|contact| contact.triangles.map(|t| t as u64));
        vectors(py, triangles.collect())
    }

    /// The first end of each intersection, in the world: array of shape (n, 3). Equal to the second if the
    /// triangles meet in a point.
    #[getter]
    fn starts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.list.iter().map(|contact| contact.segment()[0]).collect())
    }

    /// The second end of each intersection, in the world: array of shape (n, 3).
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.list.iter().map(|contact| contact.segment()[1]).collect())
    }

    /// All corners of one intersection: array of shape (k, 3), k = 1 for a point, 2 for a segment, more for a polygon
    /// in a common plane.
    fn corners<'py>(&self, py: Python<'py>, number: usize) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let Some(contact) = self.list.get(number) else {
            let text = format!("contact {number} of {}", self.list.len());
            return Err(PyIndexError::new_err(text));
        };
        vectors(py, contact.overlap.corners().to_vec())
    }

    /// Verifies all contacts, exactly, without the search. Raises `ProofError` if one does not hold.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        let [a, b] = self.pair.placed()?;
        let verified = py.detach(|| self.list.iter().try_for_each(|contact| contact.verify(a, b)));
        verified.map_err(|error| errors::proof(&error))
    }

    fn __repr__(&self) -> String {
        format!("Contacts({})", self.list.len())
    }
}
