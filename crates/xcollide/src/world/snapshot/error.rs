//! What can be wrong with a snapshot.

use crate::ObjectId;
use crate::brep::MeshError;
use crate::narrow::PoseError;

/// Why no world can be made of a snapshot: it is of another version, or was damaged.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// It was written by another version of this library.
    #[error("a snapshot of version {found}, expected version {known}")]
    Version {
        /// The version of the snapshot.
        found: u32,
        /// The one that is known here.
        known: u32,
    },
    /// The geometry of a model is none.
    #[error("model {model}: {source}")]
    Mesh {
        /// The place among the models of the snapshot.
        model: usize,
        /// What is wrong.
        source: MeshError,
    },
    /// Faces and contours of a model do not add up.
    #[error("model {model}: its faces do not add up to {corners} corners")]
    Faces {
        /// The place among the models of the snapshot.
        model: usize,
        /// How many there are.
        corners: usize,
    },
    /// An object has a model that is not there.
    #[error("object {object}: model {model} does not exist, expected a number below {models}")]
    DanglingModel {
        /// The object.
        object: ObjectId,
        /// The number found.
        model: u32,
        /// How many models there are.
        models: usize,
    },
    /// An object cannot be where it is said to be.
    #[error("object {object}: {source}")]
    Pose {
        /// The object.
        object: ObjectId,
        /// What is wrong.
        source: PoseError,
    },
    /// The list of free indices is not that of the indices without object.
    #[error("the free indices are not those without object")]
    FreeIndices,
    /// An object hangs on one that is not there, on two, or on itself.
    #[error("object {child} cannot hang on object {parent}")]
    Parent {
        /// The index of the object.
        child: u32,
        /// The index of what it is said to hang on.
        parent: u32,
    },
    /// The interest matrix holds what cannot be.
    #[error("the interest matrix: {what}")]
    Interest {
        /// What is wrong.
        what: &'static str,
    },
    /// A pair is not in its place, or speaks of what is not there.
    #[error("pair {place}: {what}")]
    Pair {
        /// The place among the pairs of the snapshot.
        place: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// A check is said to have been after the last one.
    #[error("check {found} is said to have been, after the last one, {last}")]
    Check {
        /// The number found.
        found: u64,
        /// The largest that can be.
        last: u64,
    },
}
