//! A model and where it is, both borrowed.

use crate::{Model, Placed, Pose, PoseError};

/// A model at a pose that somebody else keeps: what a [`PairQuery`](crate::PairQuery) is about.
///
/// A [`Placed`] has its pose in it, which is what a single query reads fastest. Of many queries at once
/// that would be most of what is written and read, so here is the same as two references.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Placed, Placement, Pose};
///
/// # let mesh = PolygonMesh::from_polygons(vec![[0.0; 3], [1.0, 0.0, 0.0]], [[0, 1]])?;
/// let model = Model::from_mesh(mesh)?;
/// let pose = Pose::from_translation([0.0, 0.0, 5.0]);
/// let placement = Placement::new(&model, &pose)?;
/// assert_eq!(placement.placed().position(1.into()), [1.0, 0.0, 5.0]);
///
/// let placed = Placed::new(&model, &Pose::IDENTITY)?;
/// assert_eq!(Placement::from(&placed).pose(), &Pose::IDENTITY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placement<'a> {
    model: &'a Model,
    pose: &'a Pose,
}

impl<'a> Placement<'a> {
    /// A model and where it is.
    ///
    /// # Errors
    /// The translation is not finite, or moves the model beyond the range of f64.
    #[inline]
    pub fn new(model: &'a Model, pose: &'a Pose) -> Result<Self, PoseError> {
        model.check(pose)?;
        Ok(Self { model, pose })
    }

    /// The model.
    #[inline]
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// Where it is.
    #[inline]
    #[must_use]
    pub fn pose(&self) -> &'a Pose {
        self.pose
    }

    /// The same with a pose of its own.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> Placed<'a> {
        Placed::checked(self.model, self.pose)
    }
}

impl<'a> From<&'a Placed<'_>> for Placement<'a> {
    #[inline]
    fn from(placed: &'a Placed<'_>) -> Self {
        Self { model: placed.model(), pose: placed.pose() }
    }
}
