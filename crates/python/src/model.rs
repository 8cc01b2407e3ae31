//! `Model`: a polyhedron for queries.

use std::path::PathBuf;

use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use xcollide::brep::{
    ConvexHull, Interior, MassProperties, PolygonMesh, RepairOptions, Topology, Weld, repair,
};
use xcollide::narrow::NarrowPhase;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::self_intersection::{SelfSearch, self_intersections};
use xcollide::narrow::{PairCache, Query};

use crate::arrays::{Floats, Rows, polygons, vector, vectors, wrong_shape};
use crate::classification::Classification;
use crate::errors;

/// A polyhedron for queries: vertices, faces, and what queries prepare for it.
///
/// Model(vertices, faces)
///
/// vertices: array of shape (n, 3), in any unit of length; all answers are in the same unit.
/// faces: array of integers of shape (m, k), or a list of lists of vertex numbers from 0; polygons may have
/// any number of corners, need be neither plane nor convex, and any mesh will do: soups, holes, and edges of
/// many faces included.
///
/// A model never changes and may be used by several threads. Placing it at a pose costs nothing: poses are
/// arguments of queries. The first query prepares a hierarchy, which later queries share; `prepare` does so
/// beforehand.
///
/// Raises `MeshError` if a coordinate is not finite or a face names a vertex that does not exist.
///
/// >>> import xcollide
/// >>> corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
/// >>> model = xcollide.Model(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])
/// >>> model
/// Model(vertices=4, faces=4, closed, convex)
/// >>> model.bounds.tolist()
/// [[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]]
#[pyclass(frozen, module = "xcollide")]
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) inner: xcollide::Model,
}

impl Model {
    pub(crate) fn of_mesh(mesh: PolygonMesh) -> PyResult<Self> {
        let inner = xcollide::Model::from_mesh(mesh).map_err(|error| errors::mesh(&error))?;
        Ok(Self { inner })
    }

    fn has(&self, topology: Topology) -> bool {
        self.inner.topology().contains(topology)
    }
}

#[pymethods]
impl Model {
    #[new]
    #[pyo3(signature = (vertices, faces))]
    fn new(
        py: Python<'_>,
        vertices: &Bound<'_, PyAny>,
        faces: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let vertices = Rows::<3>::read(vertices, "vertices")?;
        let faces = polygons(faces, "faces")?;
        let positions = vertices.rows();
        py.detach(|| Self::of_mesh(mesh_of(positions, &faces)?))
    }

    /// Reads a mesh file: OBJ, STL, PLY, OFF or glTF, by its ending and its content.
    ///
    /// path: a string or a path. Vertices of STL files are welded, as the format has none.
    ///
    /// Raises `FileFormatError` with the line or byte where something else was expected, or `OSError` if the
    /// file cannot be read.
    #[staticmethod]
    #[pyo3(signature = (path))]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| {
            Self::of_mesh(xcollide_io::read_path(path).map_err(|error| errors::read(&error))?)
        })
    }

    /// A generated shape by its specification, such as "shape:torus?faces=1000".
    ///
    /// Raises `ShapeError` with the shapes and parameters that there are.
    ///
    /// >>> import xcollide
    /// >>> xcollide.Model.shape("shape:box?x=1&y=1&z=1").face_count
    /// 6
    #[staticmethod]
    #[pyo3(signature = (spec))]
    fn shape(py: Python<'_>, spec: &str) -> PyResult<Self> {
        let made = py.detach(|| xcollide_scenes::shape(spec));
        Self::of_mesh(made.map_err(|error| errors::class::ShapeError::new_err(error.to_string()))?)
    }

    /// The ground under samples on a grid, as a closed body with vertical walls and a floor.
    ///
    /// Model.height_field(heights, cell, floor)
    ///
    /// heights: array of shape (rows, columns), the rows along y, two or more of both. cell: the distances of samples along x
    /// and y. floor: a height below all samples. The middle of the grid is at x = y = 0. Two triangles for each cell.
    ///
    /// Raises `ShapeError`.
    ///
    /// >>> import xcollide
    /// >>> ground = xcollide.Model.height_field([[0.0, 0.0, 1.0], [0.5, 0.0, 0.0]], [2.0, 1.0], -1.0)
    /// >>> xcollide.ray_cast(ground, None, [0.0, -0.25, 5.0], [0.0, 0.0, -1.0]).parameter
    /// 5.0
    #[staticmethod]
    #[pyo3(signature = (heights, cell, floor))]
    fn height_field(
        py: Python<'_>,
        heights: &Bound<'_, PyAny>,
        cell: &Bound<'_, PyAny>,
        floor: f64,
    ) -> PyResult<Self> {
        let (heights, cell) = (Floats::read(heights, "heights")?, vector(cell, "cell")?);
        let &[_, columns] = heights.shape() else {
            return Err(wrong_shape("heights", heights.shape(), "(rows, columns)"));
        };
        let numbers = heights.numbers();
        let made = py.detach(|| xcollide_scenes::height_field(numbers, columns, cell, floor));
        Self::of_mesh(made.map_err(|error| errors::class::ShapeError::new_err(error.to_string()))?)
    }

    /// The model of a `trimesh.Trimesh`: anything with `vertices` and `faces`.
    #[staticmethod]
    #[pyo3(signature = (mesh))]
    fn from_trimesh(py: Python<'_>, mesh: &Bound<'_, PyAny>) -> PyResult<Self> {
        Self::new(py, &mesh.getattr("vertices")?, &mesh.getattr("faces")?)
    }

    /// The convex hull of points, exactly: array of shape (n, 3), n at least 1.
    ///
    /// Raises `MeshError` if there is no point or a coordinate is not finite.
    #[staticmethod]
    #[pyo3(signature = (points))]
    fn hull(py: Python<'_>, points: &Bound<'_, PyAny>) -> PyResult<Self> {
        let points = Rows::<3>::read(points, "points")?;
        let rows = points.rows();
        let hull = py.detach(|| ConvexHull::of(rows));
        Self::of_mesh(hull.map_err(|error| errors::hull(&error))?.into_mesh())
    }

    /// Writes the mesh to a file: .obj, .ply and .off keep every bit, .stl rounds to float32.
    ///
    /// Raises `OSError` or `FileFormatError`.
    #[pyo3(signature = (path))]
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = py.detach(|| xcollide_io::write_path(path, self.inner.mesh()));
        written.map_err(|error| errors::write(&error))
    }

    /// The same faces over other vertices: array of shape (n, 3). Hierarchies are refitted, which is faster
    /// than to build them.
    #[pyo3(signature = (vertices))]
    fn moved(&self, py: Python<'_>, vertices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let vertices = Rows::<3>::read(vertices, "vertices")?;
        let rows = vertices.rows();
        let moved = py.detach(|| self.inner.moved(rows.to_vec()));
        Ok(Self { inner: moved.map_err(|error| errors::mesh(&error))? })
    }

    /// Prepares what the queries of the default algorithm need; returns the model itself.
    fn prepare<'py>(slf: &Bound<'py, Self>) -> Bound<'py, Self> {
        let model = &slf.get().inner;
        // The default algorithm refuses no model.
        let _ = slf.py().detach(|| Auto::new().prepare(model));
        slf.clone()
    }

    /// Vertices: array of shape (n, 3), a copy, in the frame of the model.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        vectors(py, self.inner.mesh().positions().to_vec())
    }

    /// Faces: a list of lists of vertex numbers, the outer contour of each.
    #[getter]
    fn faces(&self) -> Vec<Vec<u32>> {
        let contour = |face: xcollide::brep::Face<'_>| face.outer().iter().map(|v| v.0).collect();
        self.inner.mesh().faces().map(contour).collect()
    }

    /// Triangles that decide collisions: array of shape (t, 3) of vertex numbers.
    #[getter]
    fn triangles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let triangles = self.inner.triangulation().triangles().iter();
        vectors(py, triangles.map(|corners| corners.map(|vertex| vertex.0)).collect())
    }

    /// The face of each triangle: array of shape (t,).
    #[getter]
    fn triangle_faces<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        let triangulation = self.inner.triangulation();
        let faces = (0..triangulation.len()).map(|triangle| triangulation.face_of(triangle).0);
        faces.collect::<Vec<_>>().into_pyarray(py)
    }

    /// Lowest and highest coordinates of the vertices that faces use: array of shape (2, 3).
    #[getter]
    fn bounds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let bounds = self.inner.local_box();
        vectors(py, vec![bounds.min, bounds.max])
    }

    /// Number of vertices, used or not.
    #[getter]
    fn vertex_count(&self) -> usize {
        self.inner.mesh().vertex_count()
    }

    /// Number of faces.
    #[getter]
    fn face_count(&self) -> usize {
        self.inner.mesh().face_count()
    }

    /// Whether the mesh is the surface of a convex body.
    #[getter]
    fn is_convex(&self) -> bool {
        self.has(Topology::CONVEX)
    }

    /// Whether no edge has exactly one face.
    #[getter]
    fn is_closed(&self) -> bool {
        self.has(Topology::CLOSED)
    }

    /// Which points are in the body: "winding", "parity", or None for a model that is only its surface.
    #[getter]
    fn interior(&self) -> Option<&'static str> {
        interior_name(self.inner.interior())
    }

    /// What kind of polyhedron this is, and which of its elements violate what.
    fn classify(&self, py: Python<'_>) -> Classification {
        py.detach(|| Classification::of(&self.inner))
    }

    /// A model without the common defects of files: equal vertices welded, degenerate and duplicate faces
    /// dropped, surfaces oriented, closed ones outward.
    ///
    /// weld: "equal", "off", or a size of cells, in whose cubes vertices become one.
    ///
    /// >>> import xcollide
    /// >>> soup = xcollide.Model([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0], [1, 1, 0]],
    /// ...                       [[0, 1, 2], [3, 4, 5]])
    /// >>> repaired = soup.repair()
    /// >>> repaired.model.vertex_count, repaired.report
    /// (4, '2 vertices welded')
    #[pyo3(signature = (*, weld=None, drop_degenerate=true, drop_duplicates=true, split_non_manifold=true,
        orient=true, triangulate=false, drop_unused=true))]
    fn repair(
        &self,
        py: Python<'_>,
        weld: Option<&Bound<'_, PyAny>>,
        drop_degenerate: bool,
        drop_duplicates: bool,
        split_non_manifold: bool,
        orient: bool,
        triangulate: bool,
        drop_unused: bool,
    ) -> PyResult<Repaired> {
        let options = RepairOptions {
            weld: weld.map_or(Ok(Weld::Equal), weld_of)?,
            drop_degenerate,
            drop_duplicates,
            split_non_manifold,
            orient,
            triangulate,
            drop_unused,
        };
        let repaired = py.detach(|| repair(self.inner.mesh(), &options));
        Ok(Repaired {
            report: repaired.report.to_string(),
            vertex_origin: repaired.vertex_origin.iter().map(|vertex| vertex.0).collect(),
            face_origin: repaired.face_origin.iter().map(|face| face.0).collect(),
            is_clean: repaired.report.defects.is_empty(),
            model: Self::of_mesh(repaired.mesh)?,
        })
    }

    /// Volume (cubed unit), centroid (shape (3,)) and inertia tensor about it for density 1 (shape (3, 3)).
    ///
    /// Raises `MeshError` if the mesh is not closed and oriented, or has no volume.
    fn mass_properties<'py>(&self, py: Python<'py>) -> PyResult<Mass<'py>> {
        let mass = MassProperties::of(self.inner.mesh()).map_err(|error| errors::mass(&error))?;
        let centroid = mass.centroid.to_vec().into_pyarray(py);
        Ok((mass.volume, centroid, vectors(py, mass.inertia.to_vec())?))
    }

    /// Whether two different faces meet in more than the vertices and edges that both have. Exact.
    fn self_intersects(&self, py: Python<'_>) -> PyResult<bool> {
        let verdict =
            py.detach(|| SelfSearch::new().test(&self.inner, &Query::new(), &mut PairCache::new()));
        verdict.decided().ok_or_else(|| {
            errors::class::UndecidedError::new_err(
                "the model has too many triangles to be searched",
            )
        })
    }

    /// All pairs of faces that meet in more than the vertices and edges that both have: array of shape
    /// (n, 2), in ascending order. Exact.
    fn self_intersections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let found = py.detach(|| self_intersections(&self.inner, &Query::new()));
        vectors(py, found.pairs.iter().map(|faces| faces.map(|face| face.0)).collect())
    }

    fn __repr__(&self) -> String {
        let mut text =
            format!("Model(vertices={}, faces={}", self.vertex_count(), self.face_count());
        for (is_so, word) in [(self.is_closed(), ", closed"), (self.is_convex(), ", convex")] {
            text += if is_so { word } else { "" };
        }
        text + ")"
    }

    /// For `pickle` and `copy`: the mesh, bit for bit.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Reduced<'py>> {
        let mut bytes = Vec::new();
        ciborium::into_writer(slf.get().inner.mesh(), &mut bytes)
            .map_err(|error| errors::value(format!("the model cannot be stored: {error}")))?;
        let restore = slf.get_type().getattr("_from_bytes")?;
        Ok((restore, (PyBytes::new(slf.py(), &bytes),)))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        let mesh = ciborium::from_reader::<PolygonMesh, _>(bytes);
        Self::of_mesh(mesh.map_err(|error| errors::class::MeshError::new_err(error.to_string()))?)
    }
}

type Mass<'py> = (f64, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>);

type Reduced<'py> = (Bound<'py, PyAny>, (Bound<'py, PyBytes>,));

/// A repaired model, and what was done.
#[pyclass(frozen, module = "xcollide")]
pub(crate) struct Repaired {
    model: Model,
    report: String,
    is_clean: bool,
    vertex_origin: Vec<u32>,
    face_origin: Vec<u32>,
}

#[pymethods]
impl Repaired {
    /// The repaired model. Remaining faces and vertices keep their order.
    #[getter]
    fn model(&self) -> Model {
        self.model.clone()
    }

    /// Changes made and defects that remain, as a summary.
    #[getter]
    fn report(&self) -> &str {
        &self.report
    }

    /// Whether no defect remains.
    #[getter]
    fn is_clean(&self) -> bool {
        self.is_clean
    }

    /// For each vertex the one that it copies: array of shape (n,).
    #[getter]
    fn vertex_origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.vertex_origin.clone().into_pyarray(py)
    }

    /// For each face the one that it is part of: array of shape (m,).
    #[getter]
    fn face_origin<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        self.face_origin.clone().into_pyarray(py)
    }

    fn __repr__(&self) -> String {
        format!("Repaired({:?})", self.report)
    }
}

pub(crate) fn interior_name(interior: Interior) -> Option<&'static str> {
    match interior {
        Interior::Winding => Some("winding"),
        Interior::Parity => Some("parity"),
        Interior::None => None,
    }
}

fn weld_of(value: &Bound<'_, PyAny>) -> PyResult<Weld> {
    let size = value.extract::<f64>().ok().filter(|size| *size > 0.0 && size.is_finite());
    match (value.extract::<&str>().ok(), size) {
        (Some("equal"), _) => Ok(Weld::Equal),
        (Some("off"), _) => Ok(Weld::Off),
        (_, Some(size)) => Ok(Weld::Grid(size)),
        _ => Err(errors::value(format!(
            "weld is {}, expected \"equal\", \"off\", or a size above 0",
            value.repr()?
        ))),
    }
}

/// A mesh of polygons; numbers that no mesh has are told as those that this one lacks.
fn mesh_of(positions: &[[f64; 3]], faces: &[Vec<i64>]) -> PyResult<PolygonMesh> {
    let count = positions.len();
    let mut mesh =
        PolygonMesh::from_positions(positions.to_vec()).map_err(|error| errors::mesh(&error))?;
    let mut corners = Vec::new();
    for (face, polygon) in faces.iter().enumerate() {
        corners.clear();
        for (corner, &index) in polygon.iter().enumerate() {
            corners.push(u32::try_from(index).map_err(|_| {
                errors::class::MeshError::new_err(format!(
                    "face {face}, corner {corner}: vertex {index} does not exist, expected a number \
                     below {count}"
                ))
            })?);
        }
        mesh.push_face(&corners).map_err(|error| errors::mesh(&error))?;
    }
    Ok(mesh)
}
