//! A mesh together with its half-edges and its classification.
//!
//! Source: Zachmann 1994, chapter 4: "if we want to exploit topological and geometrical properties
//! of polyhedra for collision detection, we first have to determine them."

use crate::{Classification, Dcel, MeshError, PolygonMesh, Topology};

/// A polygon mesh that has been looked at: its DCEL and what kind of polyhedron it is.
///
/// Immutable, so the three always agree.
///
/// ```
/// use xcollide_brep::{Brep, Interior, Topology};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let brep = Brep::from_polygons(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// assert_eq!(brep.topology(), Topology::all());
/// assert_eq!(brep.classification().interior(), Interior::Winding);
/// assert_eq!(brep.dcel().edge_count(), 6);
/// # Ok::<(), xcollide_brep::BrepError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Brep {
    mesh: PolygonMesh,
    dcel: Dcel,
    classification: Classification,
}

/// Why a b-rep could not be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BrepError {
    /// The input is not a mesh.
    #[error(transparent)]
    Mesh(#[from] MeshError),
}

impl Brep {
    /// Builds the DCEL of a mesh and classifies it, in time linear in the corners.
    ///
    /// # Errors
    /// None at present: every [`PolygonMesh`] has a b-rep, the empty one too, because what a mesh
    /// cannot hold it has refused already.
    pub fn new(mesh: PolygonMesh) -> Result<Self, BrepError> {
        let dcel = Dcel::new(&mesh);
        let classification = Classification::new(&mesh, &dcel);
        Ok(Self { mesh, dcel, classification })
    }

    /// The same faces over moved vertices: the DCEL stays, the classification is made anew.
    ///
    /// # Errors
    /// What [`PolygonMesh::moved`] refuses.
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, BrepError> {
        let mesh = self.mesh.moved(positions)?;
        // Half-edges depend on the faces alone.
        let dcel = self.dcel.clone();
        let classification = Classification::new(&mesh, &dcel);
        Ok(Self { mesh, dcel, classification })
    }

    /// The same from vertex positions and polygons as lists of vertex numbers.
    ///
    /// # Errors
    /// What [`PolygonMesh::from_polygons`] refuses.
    pub fn from_polygons<P: AsRef<[u32]>>(
        positions: Vec<[f64; 3]>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Result<Self, BrepError> {
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

    /// What kind of polyhedron this is, as flags.
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.classification.topology()
    }

    /// What kind of polyhedron this is, with counts and the elements that stand against it.
    #[must_use]
    pub fn classification(&self) -> &Classification {
        &self.classification
    }

    /// Gives the mesh back.
    #[must_use]
    pub fn into_mesh(self) -> PolygonMesh {
        self.mesh
    }
}
