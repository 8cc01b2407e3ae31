//! `Classification`: what kind of polyhedron a model is.

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use xcollide::brep::{Classification as Found, EdgeId, FaceId, Topology};

use crate::arrays::vectors;
use crate::model::interior_name;

/// What kind of polyhedron a model is, and which of its elements violate what. Exact, but for faces with
/// rounded corners, which count as plane within a tolerance.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Classification {
    model: xcollide::Model,
}

impl Classification {
    pub(crate) fn of(model: &xcollide::Model) -> Self {
        // Made on the first call, and kept with the model.
        let _ = model.brep().classification();
        Self { model: model.clone() }
    }

    fn found(&self) -> &Found {
        self.model.brep().classification()
    }

    fn edges(&self, edges: &[EdgeId]) -> Vec<[u32; 2]> {
        let dcel = self.model.brep().dcel();
        edges.iter().map(|&edge| dcel.ends(edge).map(|vertex| vertex.0)).collect()
    }
}

fn faces<'py>(py: Python<'py>, faces: &[FaceId]) -> Bound<'py, PyArray1<u32>> {
    faces.iter().map(|face| face.0).collect::<Vec<_>>().into_pyarray(py)
}

#[pymethods]
impl Classification {
    /// Number of vertices, used or not.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.found().vertices
    }

    /// Number of faces.
    #[getter]
    fn face_count(&self) -> usize {
        self.found().faces
    }

    /// Number of edges.
    #[getter]
    fn edge_count(&self) -> usize {
        self.found().edges
    }

    /// Number of pieces that share no vertex.
    #[getter]
    fn component_count(&self) -> usize {
        self.found().components
    }

    /// V − E + F: 2 (1 − genus) for each closed piece that is an orientable manifold.
    #[getter]
    fn euler_characteristic(&self) -> i64 {
        self.found().euler_characteristic
    }

    /// The properties that hold: "manifold", "closed", "oriented", "planar-faces", "convex-faces", "convex",
    /// "connected".
    #[getter]
    fn properties(&self) -> Vec<&'static str> {
        let names = [
            (Topology::MANIFOLD, "manifold"),
            (Topology::CLOSED, "closed"),
            (Topology::ORIENTED, "oriented"),
            (Topology::PLANAR_FACES, "planar-faces"),
            (Topology::CONVEX_FACES, "convex-faces"),
            (Topology::CONVEX, "convex"),
            (Topology::CONNECTED, "connected"),
        ];
        let found = self.found().topology();
        names.iter().filter(|(flag, _)| found.contains(*flag)).map(|&(_, name)| name).collect()
    }

    /// Which points are in the body: "winding", "parity" or None.
    #[getter]
    fn interior(&self) -> Option<&'static str> {
        interior_name(self.found().interior())
    }

    /// Edges of exactly one face, by their vertices: array of shape (n, 2).
    #[getter]
    fn boundary_edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        vectors(py, self.edges(&self.found().boundary_edges))
    }

    /// Edges of more than two faces, by their vertices: array of shape (n, 2).
    #[getter]
    fn nonmanifold_edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        vectors(py, self.edges(&self.found().nonmanifold_edges))
    }

    /// Edges that two faces traverse in the same direction: array of shape (n, 2).
    #[getter]
    fn misoriented_edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let edges: Vec<EdgeId> =
            self.found().misoriented_edges.iter().map(|conflict| conflict.edge).collect();
        vectors(py, self.edges(&edges))
    }

    /// Vertices whose faces form not exactly one fan or ring: array of shape (n,).
    #[getter]
    fn nonmanifold_vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let vertices = self.found().nonmanifold_vertices.iter();
        vertices.map(|vertex| vertex.0).collect::<Vec<_>>().into_pyarray(py)
    }

    /// Faces without area: array of shape (n,).
    #[getter]
    fn degenerate_faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        faces(py, &self.found().degenerate_faces)
    }

    /// Faces that repeat an earlier one: array of shape (n,).
    #[getter]
    fn duplicate_faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let repeated = self.found().duplicate_faces.iter();
        faces(py, &repeated.map(|duplicate| duplicate.face).collect::<Vec<_>>())
    }

    /// Faces that are not plane within the tolerance: array of shape (n,).
    #[getter]
    fn nonplanar_faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        faces(py, &self.found().nonplanar_faces)
    }

    /// Vertices that no face uses: array of shape (n,).
    #[getter]
    fn unused_vertices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let vertices = self.found().unused_vertices.iter();
        vertices.map(|vertex| vertex.0).collect::<Vec<_>>().into_pyarray(py)
    }

    fn __repr__(&self) -> String {
        format!("Classification({})", self.properties().join(", "))
    }
}
