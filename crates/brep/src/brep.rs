//! A mesh together with its half-edges and its classification (Zachmann 1994, chapter 4).

use std::sync::Arc;

use crate::classification::OnDemand;
use crate::{Classification, Dcel, Interior, MeshError, PolygonMesh, Topology};

/// A polygon mesh with its DCEL and its classification. Its faces never change; its vertices may [move](Self::moved).
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
    /// Depends on the faces alone.
    dcel: Arc<Dcel>,
    interior: Interior,
    classification: OnDemand,
}

impl Brep {
    /// Builds the DCEL of a mesh and classifies it. O(n) in the corners.
    ///
    /// # Errors
    /// None at present: every [`PolygonMesh`] has a b-rep, even an empty one.
    pub fn new(mesh: PolygonMesh) -> Result<Self, MeshError> {
        let dcel = Dcel::new(&mesh);
        let classification = Classification::new(&mesh, &dcel);
        let interior = classification.interior();
        let classification = OnDemand::new(classification);
        Ok(Self { mesh, dcel: Arc::new(dcel), interior, classification })
    }

    /// The same faces over other vertex positions. Keeps all that depends only on the faces; the rest of the
    /// classification is renewed on demand, in linear time. O(n), without any search.
    ///
    /// # Errors
    /// As for [`PolygonMesh::moved`].
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        let mut classification = self.classification.clone();
        classification.outdate();
        let (mesh, dcel) = (self.mesh.moved(positions)?, Arc::clone(&self.dcel));
        Ok(Self { mesh, dcel, classification, ..*self })
    }

    /// [`moved`](Self::moved) in place: copies the positions and allocates nothing.
    ///
    /// # Errors
    /// As for [`PolygonMesh::moved`]; then nothing has changed.
    pub fn set_positions(&mut self, positions: &[[f64; 3]]) -> Result<(), MeshError> {
        self.mesh.set_positions(positions)?;
        self.classification.outdate();
        Ok(())
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

    /// The properties of the mesh as flags. After vertices moved, the first call takes O(n).
    #[must_use]
    pub fn topology(&self) -> Topology {
        self.classification.topology(&self.mesh, &self.dcel)
    }

    /// Which points the mesh encloses. Does not depend on the positions.
    #[must_use]
    pub fn interior(&self) -> Interior {
        self.interior
    }

    /// The properties of the mesh with counts and lists of violating elements. After vertices moved, the first call
    /// takes O(n).
    #[must_use]
    pub fn classification(&self) -> &Classification {
        self.classification.classification(&self.mesh, &self.dcel)
    }

    /// Returns the mesh.
    #[must_use]
    pub fn into_mesh(self) -> PolygonMesh {
        self.mesh
    }
}
