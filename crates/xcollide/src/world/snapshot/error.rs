//! Errors of restoring a snapshot.

use crate::ObjectId;
use crate::brep::MeshError;
use crate::narrow::PoseError;

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
    /// The mesh of a model is invalid.
    #[error("model {model}: {source}")]
    Mesh {
        /// The index of the model in the snapshot.
        model: usize,
        /// What is wrong.
        source: MeshError,
    },
    /// Faces and contours of a model do not add up.
    #[error("model {model}: its faces do not add up to {corners} corners")]
    Faces {
        /// The index of the model in the snapshot.
        model: usize,
        /// Number of corners.
        corners: usize,
    },
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
    #[error("object {object}: {source}")]
    Pose {
        /// The object.
        object: ObjectId,
        /// What is wrong.
        source: PoseError,
    },
    /// The free indices are not those without object.
    #[error("the free indices are not those without object")]
    FreeIndices,
    /// An attachment is invalid: the parent does not exist, the child has two, or is its own.
    #[error("object {child} cannot hang on object {parent}")]
    Parent {
        /// The index of the object.
        child: u32,
        /// The index of the parent.
        parent: u32,
    },
    /// The interest matrix is inconsistent.
    #[error("the interest matrix: {what}")]
    Interest {
        /// What is wrong.
        what: &'static str,
    },
    /// A pair is out of order or refers to something that does not exist.
    #[error("pair {place}: {what}")]
    Pair {
        /// The index of the pair in the snapshot.
        place: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The number of a check is larger than that of the last one.
    #[error("check {found} is said to have been, after the last one, {last}")]
    Check {
        /// The number in the snapshot.
        found: u64,
        /// The largest possible number.
        last: u64,
    },
}
