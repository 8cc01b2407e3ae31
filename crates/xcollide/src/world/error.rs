//! What can be wrong with a call.

use super::ObjectId;
use crate::narrow::PoseError;

/// Why a call was refused. The world is as it was before.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// The id names no object: it was removed, or is of another world.
    #[error("no object {id} here: it was removed, or belongs to another world")]
    Stale {
        /// The id that was given.
        id: ObjectId,
    },
    /// The pose cannot place the model.
    #[error("cannot place the model: {0}")]
    Pose(#[from] PoseError),
    /// A promise about the motion of an object has a NaN.
    #[error("the motion bound of object {id} is not a number")]
    Motion {
        /// The object.
        id: ObjectId,
    },
    /// An object would be among its own ancestors.
    #[error("cannot attach object {child} to {parent}, which hangs on {child} itself")]
    Cycle {
        /// The object that was to be attached.
        child: ObjectId,
        /// What it was to be attached to.
        parent: ObjectId,
    },
}
