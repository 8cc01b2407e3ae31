//! A model at a pose.

use xcollide_bounds::Aabb;
use xcollide_brep::VertexId;

use xcollide_math::PoseError;

use crate::{Model, Pose};

/// A model at a pose, as two references: the operand of queries.
///
/// The one-call functions such as [`intersects`](crate::intersects) take `(&model, &pose)` and check the pose in each
/// call. Make a `Placed` to check it once and ask several questions, and for the methods of a
/// [`NarrowPhase`](crate::NarrowPhase).
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Placed, Pose, distance, intersects};
///
/// # let mesh = PolygonMesh::from_polygons(vec![[0.0; 3], [1.0, 0.0, 0.0]], [[0, 1]])?;
/// let model = Model::from_mesh(mesh)?;
/// let (here, there) = (Pose::IDENTITY, Pose::from_translation([0.0, 0.0, 5.0]));
/// assert_eq!(distance((&model, &here), (&model, &there))?, 5.0);
///
/// let (a, b) = (Placed::new(&model, &here)?, Placed::new(&model, &there)?);
/// assert!(!intersects(a, b)?);
/// assert_eq!(distance(a, b)?, 5.0);
/// assert_eq!(b.position(1.into()), [1.0, 0.0, 5.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    model: &'a Model,
    pose: &'a Pose,
}

const _: () = assert!(size_of::<Placed<'_>>() == 2 * size_of::<usize>());

impl<'a> Placed<'a> {
    /// Places a model.
    ///
    /// # Errors
    /// The translation is not finite, or moves the model beyond the range of f64.
    #[inline]
    pub fn new(model: &'a Model, pose: &'a Pose) -> Result<Self, PoseError> {
        model.check(pose)?;
        Ok(Self { model, pose })
    }

    /// The model at the identity, where nothing is rounded, so that no coordinate is too large.
    pub(crate) fn unmoved(model: &'a Model) -> Self {
        Self { model, pose: &Pose::IDENTITY }
    }

    /// The model.
    #[inline]
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The pose.
    #[inline]
    #[must_use]
    pub fn pose(&self) -> &'a Pose {
        self.pose
    }

    /// The world position of a vertex.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: VertexId) -> [f64; 3] {
        self.pose.apply(self.model.mesh().position(vertex))
    }

    /// The world positions of the corners of a triangle of the model's [triangulation](Model::triangulation).
    #[inline]
    #[must_use]
    pub fn triangle(&self, triangle: usize) -> [[f64; 3]; 3] {
        let [p, q, r] = self.model.triangulation().triangles()[triangle];
        [self.position(p), self.position(q), self.position(r)]
    }

    /// A bounding box of the model in the world, not the smallest one, in constant time: from the model's box
    /// and the ball about its center that contains the vertices.
    #[inline]
    #[must_use]
    pub fn world_box(&self) -> Aabb {
        self.model.box_at(self.pose)
    }
}

impl<'a> TryFrom<(&'a Model, &'a Pose)> for Placed<'a> {
    type Error = PoseError;

    #[inline]
    fn try_from((model, pose): (&'a Model, &'a Pose)) -> Result<Self, PoseError> {
        Self::new(model, pose)
    }
}

impl<'a> From<&Placed<'a>> for Placed<'a> {
    #[inline]
    fn from(placed: &Self) -> Self {
        *placed
    }
}
