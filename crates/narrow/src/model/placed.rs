//! A model at a pose.

use xcollide_bounds::Aabb;
use xcollide_brep::VertexId;

use crate::model::Shared;
use crate::{Model, Pose, PoseError};

/// A model placed in the world; what a query is about.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let mesh = PolygonMesh::from_polygons(vec![[0.0; 3], [1.0, 0.0, 0.0]], [[0, 1]])?;
/// let model = Model::from_mesh(mesh)?;
/// let placed = Placed::new(&model, &Pose::from_translation([0.0, 0.0, 5.0]))?;
/// assert_eq!(placed.position(1.into()), [1.0, 0.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    model: &'a Model,
    /// One step nearer to what a query reads than the handle.
    shared: &'a Shared,
    pose: Pose,
}

impl<'a> Placed<'a> {
    /// Places a model.
    ///
    /// # Errors
    /// The translation is not finite, or moves the model beyond the range of f64.
    #[inline]
    pub fn new(model: &'a Model, pose: &Pose) -> Result<Self, PoseError> {
        model.check(pose)?;
        Ok(Self::checked(model, pose))
    }

    /// The same of a pose that was [checked](Model::check).
    #[inline]
    pub(crate) fn checked(model: &'a Model, pose: &Pose) -> Self {
        Self { model, shared: model.shared(), pose: *pose }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// What the model consists of.
    #[inline]
    pub(crate) fn shared(&self) -> &'a Shared {
        self.shared
    }

    /// Where it is.
    #[must_use]
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// Where a vertex is in the world.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: VertexId) -> [f64; 3] {
        self.pose.apply(self.model.mesh().position(vertex))
    }

    /// The corners of a triangle of the model's [triangulation](Model::triangulation) in the
    /// world.
    #[inline]
    #[must_use]
    pub fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let [p, q, r] = self.model.triangulation().triangles()[triangle];
        [self.position(p), self.position(q), self.position(r)]
    }

    /// A box that holds the model in the world, in constant time: from the model's own box, and the
    /// ball about its middle that holds the vertices. It is not the smallest one.
    #[inline]
    #[must_use]
    pub fn world_box(&self) -> Aabb {
        self.model.box_at(&self.pose)
    }
}
