//! Placed instances of models, as a table has them.

use xcollide_bounds::Aabb;
use xcollide_math::{Pose, PoseError};
use xcollide_narrow::{Model, Placed};

/// A row of a table: an instance of a model at a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Instance {
    /// Its name in results; unique in a set.
    pub id: String,
    /// The reference to its model, which the loader of the set understands, such as a path.
    pub model: String,
    /// The rows of the 3×4 matrix [R|t], one after the other, in the units of the models.
    pub pose: [f64; 12],
    /// The group that rules and results name; may be empty.
    pub group: String,
    /// Further properties by name, for rules and results.
    pub attributes: Vec<(String, String)>,
}

impl Instance {
    /// The twelve numbers of a pose: the rows of [R|t].
    #[must_use]
    pub fn numbers(pose: &Pose) -> [f64; 12] {
        let ([r, s, t], [x, y, z]) = (*pose.rotation(), pose.translation());
        [r[0], r[1], r[2], x, s[0], s[1], s[2], y, t[0], t[1], t[2], z]
    }

    /// The pose of the twelve numbers, kept bit for bit.
    ///
    /// # Errors
    /// A number is not finite, or the matrix is no rotation within 1e-6.
    pub fn pose(&self) -> Result<Pose, PoseError> {
        let m = &self.pose;
        let rows = [[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]];
        Pose::from_matrix(rows, [m[3], m[7], m[11]])
    }

    /// The model, the pose, and a box that contains the instance, if they are sound.
    ///
    /// `model`: the model, or why it cannot be loaded. Takes constant time.
    ///
    /// # Errors
    /// The twelve numbers are no pose, the model cannot be loaded, or it has no faces.
    pub fn place<'m>(
        &self,
        model: Result<&'m Model, &str>,
    ) -> Result<(&'m Model, Pose, Aabb), InstanceError> {
        let pose = self.pose()?;
        let reference = || self.model.clone();
        let model = model.map_err(|message| InstanceError::Model {
            model: reference(),
            message: message.to_owned(),
        })?;
        if model.triangulation().is_empty() {
            return Err(InstanceError::NoFaces { model: reference() });
        }
        let bounds = Placed::new(model, &pose)?.world_box();
        Ok((model, pose, bounds))
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// The number of an instance in its [`InstanceSet`](crate::InstanceSet), in the order of the ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(u32);

impl InstanceId {
    pub(crate) const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The number, from 0.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why an instance cannot be tested. The others are.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InstanceError {
    /// The twelve numbers are no pose, or it places the model beyond the range of f64.
    #[error(transparent)]
    Pose(#[from] PoseError),
    /// The model cannot be loaded.
    #[error("the model `{model}`: {message}")]
    Model {
        /// The reference to it.
        model: String,
        /// What the loader says.
        message: String,
    },
    /// The model has no faces, so nothing collides with it.
    #[error("the model `{model}`: found no faces, expected at least one")]
    NoFaces {
        /// The reference to it.
        model: String,
    },
    /// An earlier instance has the same id.
    #[error("found the id a second time, expected each id once")]
    RepeatedId,
}
