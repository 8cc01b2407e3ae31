//! A model and where it is, both borrowed.

use xcollide_bounds::Motion;

use crate::{Model, Placed, PoseError, Transform};

/// A model at a transform that somebody else keeps: what a [`PairQuery`](crate::PairQuery) is about.
///
/// A [`Placed`] has its transform in it, which is what a single query reads fastest. Of many queries at once
/// that would be most of what is written and read, so here is the same as two references.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::{Model, Placed, Placement, Pose, Transform};
///
/// # let mesh = PolygonMesh::from_polygons(vec![[0.0; 3], [1.0, 0.0, 0.0]], [[0, 1]])?;
/// let model = Model::from_mesh(mesh)?;
/// let transform = Transform::new(&Pose::translation(0.0, 0.0, 5.0))?;
/// let placement = Placement::new(&model, &transform)?;
/// assert_eq!(placement.placed().position(1.into()), [1.0, 0.0, 5.0]);
///
/// let placed = Placed::new(&model, &Pose::identity())?;
/// assert_eq!(Placement::from(&placed).transform(), &Transform::IDENTITY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placement<'a> {
    model: &'a Model,
    transform: &'a Transform,
}

impl<'a> Placement<'a> {
    /// A model and where it is.
    ///
    /// # Errors
    /// The transform moves the model beyond the range of f64.
    #[inline]
    pub fn new(model: &'a Model, transform: &'a Transform) -> Result<Self, PoseError> {
        model.check(transform)?;
        Ok(Self { model, transform })
    }

    /// The model.
    #[inline]
    #[must_use]
    pub fn model(&self) -> &'a Model {
        self.model
    }

    /// The map to the world.
    #[inline]
    #[must_use]
    pub fn transform(&self) -> &'a Transform {
        self.transform
    }

    /// The same with a transform of its own.
    #[inline]
    #[must_use]
    pub fn placed(&self) -> Placed<'a> {
        Placed::checked(self.model, *self.transform)
    }

    /// How points move.
    #[inline]
    pub(crate) fn motion(&self) -> &'a Motion {
        self.transform.motion()
    }
}

impl<'a> From<&'a Placed<'_>> for Placement<'a> {
    #[inline]
    fn from(placed: &'a Placed<'_>) -> Self {
        Self { model: placed.model(), transform: placed.transform() }
    }
}
