//! A mesh together with its half-edges and its classification (Zachmann 1994, chapter 4).

use crate::{Classification, Dcel, MeshError, PolygonMesh, Topology};

/// An immutable polygon mesh with its DCEL and its classification.
///
/// ```
/// use xcollide_brep::{Brep, Interior, Topology};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let brep = Brep::from_polygons(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert_eq!(brep.topology(), Topology::all());
/// assert_eq!(brep.classification().interior(), Interior::Winding);
/// assert_eq!(brep.dcel().edge_count(), 6);
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Brep {
    mesh: PolygonMesh,
    dcel: Dcel,
    classification: Classification,
}

impl Brep {
    /// Builds the DCEL of a mesh and classifies it. O(n) in the corners.
    ///
    /// # Errors
    /// None at present: every [`PolygonMesh`] has a b-rep, even an empty one.
    pub fn new(mesh: PolygonMesh) -> Result<Self, MeshError> {
        let dcel = Dcel::new(&mesh);
        let classification = Classification::new(&mesh, &dcel);
        Ok(Self { mesh, dcel, classification })
    }

    /// Replaces the vertex positions. Keeps the DCEL, which depends only on the faces, and classifies
    /// again.
    ///
    /// # Errors
    /// As for [`PolygonMesh::moved`].
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        let (mesh, dcel) = (self.mesh.moved(positions)?, self.dcel.clone());
        let classification = Classification::new(&mesh, &dcel);
        Ok(Self { mesh, dcel, classification })
    }

    /// Builds a b-rep from vertex positions and polygons as lists of vertex numbers.
    ///
    /// # Errors
    /// As for [`PolygonMesh::from_polygons`].
    pub fn from_polygons<P: AsRef<[u32]>>(
        positions: Vec<[f64; 3]>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Result<Self, MeshError> {
        Self::new(PolygonMesh::from_polygons(positions, polygons)?)
    }

    /// The vertices and faces.
    #[must_use]
    pub fn mesh(&self) -> &PolygonMesh {
        &self.mesh
    }

    /// The half-edges.
    #[must_use]
    pub fn dcel(&self) -> &Dcel {
        &self.dcel
    }

    /// The properties of the mesh as flags.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.classification.topology()
    }

    /// The properties of the mesh with counts and lists of violating elements.
    #[must_use]
    pub fn classification(&self) -> &Classification {
        &self.classification
    }

    /// Returns the mesh.
    #[must_use]
    pub fn into_mesh(self) -> PolygonMesh {
        self.mesh
    }
}
