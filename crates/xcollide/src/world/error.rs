//! Errors of calls to a world.

use super::ObjectId;
use crate::PoseError;
use crate::narrow::QueryError;
use crate::narrow::continuous::MovingMeshError;

/// Why a call was refused. Except by [`World::set_poses`](super::World::set_poses), the world is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WorldError {
    /// No such object: it was removed, or belongs to another world.
    #[error("no object {id} here: it was removed, or belongs to another world")]
    Stale {
        /// The id that was given.
        id: ObjectId,
    },
    /// The pose cannot place the model.
    #[error("cannot place the model: {0}")]
    Pose(#[from] PoseError),
    /// One of many poses cannot place the model.
    #[error("cannot place the model of object {id}: {error}")]
    PoseOf {
        /// The object.
        id: ObjectId,
        /// What is wrong.
        error: PoseError,
    },
    /// The vertices of an object cannot move as asked for.
    #[error("cannot move the vertices of object {id}: {error}")]
    Vertices {
        /// The object.
        id: ObjectId,
        /// What is wrong.
        error: MovingMeshError,
    },
    /// A motion bound contains a NaN.
    #[error("the motion bound of object {id} is not a number")]
    Motion {
        /// The object.
        id: ObjectId,
    },
    /// A width of time is NaN or negative.
    #[error("the width of a time interval is {width}, expected a number of at least 0")]
    TimeWidth {
        /// The width that was given.
        width: f64,
    },
    /// A moving sphere has a coordinate that is not finite, or a radius that is negative or not finite; or rounding hides whether
    /// it touches a formula.
    #[error(transparent)]
    Sphere(QueryError),
    /// An object would become its own ancestor.
    #[error("cannot attach object {child} to {parent}, which is attached to {child} itself")]
    Cycle {
        /// The object to attach.
        child: ObjectId,
        /// The intended parent.
        parent: ObjectId,
    },
}

impl WorldError {
    /// The error of one object among many, by its id.
    #[cold]
    pub(super) fn of_many(self, id: ObjectId) -> Self {
        match self {
            Self::Pose(error) => Self::PoseOf { id, error },
            other => other,
        }
    }
}
