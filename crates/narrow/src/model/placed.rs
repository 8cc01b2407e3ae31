//! A model at a pose.

use xcollide_bounds::Aabb;
use xcollide_brep::VertexId;

use crate::model::Shared;
use crate::{Model, Pose, PoseError, Transform};

/// A model placed in the world; what a query is about.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let mesh = PolygonMesh::from_polygons(vec![[0.0; 3], [1.0, 0.0, 0.0]], [[0, 1]])?;
/// let model = Model::from_mesh(mesh)?;
/// let placed = Placed::new(&model, &Pose::translation(0.0, 0.0, 5.0))?;
/// assert_eq!(placed.position(1.into()), [1.0, 0.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    model: &'a Model,
    /// One step nearer to what a query reads than the handle.
    shared: &'a Shared,
    transform: Transform,
}

impl<'a> Placed<'a> {
    /// Places a model.
    ///
    /// # Errors
    /// The pose is no rigid motion of finite numbers, or moves the model beyond the range of f64.
    pub fn new(model: &'a Model, pose: &Pose) -> Result<Self, PoseError> {
        Self::at(model, Transform::new(pose)?)
    }

    /// Places a model where the pose has been made a [`Transform`] before: for those who place one
    /// model in many queries.
    ///
    /// # Errors
    /// The transform moves the model beyond the range of f64.
    #[inline]
    pub fn at(model: &'a Model, transform: Transform) -> Result<Self, PoseError> {
        model.check(&transform)?;
        Ok(Self::checked(model, transform))
    }

    /// The same of a transform that was [checked](Model::check).
    #[inline]
    pub(crate) fn checked(model: &'a Model, transform: Transform) -> Self {
        Self { model, shared: model.shared(), transform }
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

    /// The map to the world.
    #[must_use]
    pub fn transform(&self) -> &Transform {
        &self.transform
    }

    /// Where a vertex is in the world.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: VertexId) -> [f64; 3] {
        self.transform.apply(self.model.mesh().position(vertex))
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
        self.model.box_at(&self.transform)
    }
}
