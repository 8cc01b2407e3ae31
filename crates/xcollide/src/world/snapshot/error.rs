//! Errors of restoring a snapshot.

use crate::ObjectId;
use crate::PoseError;
use crate::brep::MeshError;

/// Why a snapshot cannot be restored: it has another version or was damaged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// It was written by another version of this library.
    #[error("a snapshot of version {found}, expected version {known}")]
    Version {
        /// The version of the snapshot.
        found: u32,
        /// The version that this library reads.
        known: u32,
    },
    /// The mesh of a model, given by its index in the snapshot, is invalid.
    #[error("model {0}: {1}")]
    Mesh(usize, #[source] MeshError),
    /// The faces, contours and corners of a model, given by its index, do not add up.
    #[error("model {0}: its faces, contours and corners do not add up")]
    Faces(usize),
    /// An object refers to a model that does not exist.
    #[error("object {object}: model {model} does not exist, expected a number below {models}")]
    DanglingModel {
        /// The object.
        object: ObjectId,
        /// The number in the snapshot.
        model: u32,
        /// Number of models.
        models: usize,
    },
    /// The pose of an object is invalid.
    #[error("object {0}: {1}")]
    Pose(ObjectId, #[source] PoseError),
    /// The free indices are not those without object.
    #[error("the free indices are not those without object")]
    FreeIndices,
    /// An attachment of a child to a parent, given by their indices, is invalid: the parent does not exist, or
    /// the child has two or is its own.
    #[error("object {0} cannot be attached to object {1}")]
    Parent(u32, u32),
    /// The interest matrix is inconsistent.
    #[error("the interest matrix: {0}")]
    Interest(&'static str),
    /// A pair, given by its index, is out of order or refers to something that does not exist.
    #[error("pair {0}: {1}")]
    Pair(usize, &'static str),
    /// The number of a check is larger than that of the last one.
    #[error("check {found} is later than the last possible one, {last}")]
    Check {
        /// The number in the snapshot.
        found: u64,
        /// The largest possible number.
        last: u64,
    },
}
