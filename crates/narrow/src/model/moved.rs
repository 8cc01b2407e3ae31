//! Models whose vertices move.
//!
//! What depends on the faces alone is kept: half-edges, interior, used vertices. The rest follows the vertices:
//! triangles of faces with more than three corners at once, [prepared data](PreparedData) by
//! [refitting](PreparedData::refitted), and the classification on demand.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use xcollide_brep::{MeshError, Triangulation};
use xcollide_math::PoseError;

use super::measures::{self, Measures};
use super::{Model, Shared};
use crate::Pose;

#[cfg(doc)]
use super::PreparedData;

/// Names the geometry of a model: equal only for handles of one model between two motions of its vertices.
///
/// What remembers something about a model from query to query, such as an own [`NarrowPhase`](crate::NarrowPhase) in a
/// [`PairCache`](crate::PairCache), compares versions. A handle kept instead would make the next
/// [`Model::set_positions`] copy the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelVersion(u64);

impl ModelVersion {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Any order will do, as versions are only compared.
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Why a model cannot move as asked for.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MovingMeshError {
    /// The pose cannot place the model.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The number of positions at time 1 is not that of the vertices, or a coordinate is not finite.
    #[error(transparent)]
    Vertices(#[from] MeshError),
}

impl Model {
    /// The version of this handle's geometry.
    #[inline]
    #[must_use]
    pub fn version(&self) -> ModelVersion {
        self.shared.version
    }

    /// The same faces over moved vertices, as a new model.
    ///
    /// Answers are those of [`from_mesh`](Self::from_mesh), bit for bit; only which of several contacts is the witness
    /// may differ. [`PreparedData`] (hierarchies and lists of edges) is refitted here. Hulls, ellipsoids and
    /// convex pieces, including [given](crate::compound::Pieces::keep) ones, are built again on demand.
    ///
    /// Takes linear time with the default hierarchy, but for faces that no fan tiles; other hierarchies are refitted in
    /// O(n log n). Hierarchies other than the default keep their structure, so queries become slower after large
    /// deformations.
    ///
    /// # Errors
    /// The number of positions differs from the number of vertices; a position is not finite.
    ///
    /// ```
    /// use xcollide_narrow::mesh::Wide;
    /// use xcollide_narrow::{Model, NarrowPhase};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// Wide::new().prepare(&model)?;
    /// let taller = model.mesh().positions().iter().map(|[x, y, z]| [*x, *y, 2.0 * z]).collect();
    /// let moved = model.moved(taller)?;
    /// assert_eq!(moved.local_box().max, [1.0, 1.0, 2.0]);
    /// assert!(Wide::new().prepared_bytes(&moved).is_some(), "its hierarchy is there already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        let mut moved = self.shared.copy(self.shared.brep.moved(positions)?);
        let triangles_kept = moved.follow_positions();
        let prepared = std::mem::take(&mut moved.prepared);
        let moved = Self { shared: Arc::new(moved) };
        prepared.refit_into(&moved, triangles_kept);
        Ok(moved)
    }

    /// Moves the vertices of this handle's model; other handles keep theirs.
    ///
    /// Answers are then those of [`moved`](Self::moved). If there is no other handle, the model is changed in place and
    /// nothing is allocated, if that holds of its prepared data and no face needs more than a fan; else it is copied
    /// first. So a body that deforms in each frame should be the only handle of its model.
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::{Model, Pose, intersects};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let mut cloth = Model::from_mesh(tetrahedron)?;
    /// let before = cloth.clone();
    /// let lifted: Vec<_> = cloth.mesh().positions().iter().map(|[x, y, z]| [*x, *y, z + 2.0]).collect();
    /// cloth.set_positions(&lifted)?;
    /// assert!(!intersects((&cloth, &Pose::IDENTITY), (&before, &Pose::IDENTITY))?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The number of positions differs from the number of vertices; a position is not finite. Nothing has changed then.
    pub fn set_positions(&mut self, positions: &[[f64; 3]]) -> Result<(), MeshError> {
        let Some(shared) = Arc::get_mut(&mut self.shared) else {
            *self = self.moved(positions.to_vec())?;
            return Ok(());
        };
        shared.brep.set_positions(positions)?;
        shared.version = ModelVersion::new();
        let triangles_kept = shared.follow_positions();
        let prepared = std::mem::take(&mut shared.prepared);
        prepared.refit_into(self, triangles_kept);
        Ok(())
    }

    /// Whether the vertices may [move](Self::set_positions) to these positions, with the model at a pose.
    ///
    /// # Errors
    /// There is not one position for each vertex; a coordinate is not finite; the pose cannot place the model there.
    pub fn check_positions(
        &self,
        positions: &[[f64; 3]],
        pose: &Pose,
    ) -> Result<(), MovingMeshError> {
        self.mesh().check_positions(positions)?;
        Ok(measures::check_positions(positions, self.used_vertices(), pose)?)
    }
}

impl Shared {
    /// A copy over another b-rep with the same faces.
    fn copy(&self, brep: xcollide_brep::Brep) -> Self {
        Self {
            brep,
            triangulation: self.triangulation.clone(),
            measures: self.measures,
            used_vertices: Arc::clone(&self.used_vertices),
            components: self.components.clone(),
            prepared: self.prepared.clone(),
            formula: self.formula.clone(),
            version: ModelVersion::new(),
            spare: Triangulation::default(),
        }
    }

    /// Adapts all but the prepared data to the positions of the b-rep. Returns whether the triangles are the same.
    fn follow_positions(&mut self) -> bool {
        let mesh = self.brep.mesh();
        let positions = mesh.positions();
        if self.formula.is_none() {
            self.measures = Measures::new(positions, &self.used_vertices);
        }
        let kept = self.triangulation.is_fixed() || {
            mesh.triangulate_into(&mut self.spare);
            std::mem::swap(&mut self.spare, &mut self.triangulation);
            self.spare == self.triangulation
        };
        match self.components.get_mut() {
            Some(components) if kept => components.measure(positions, &self.used_vertices),
            // Triangles may connect the contours of a face, or not.
            _ => drop(self.components.take()),
        }
        kept
    }
}
