//! Conversions from and to glam.

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

use super::parts::{of_rows, rows, transposed};
use crate::{Pose, PoseError};

/// By [`Pose::from_matrix`]; the last row must be `0 0 0 1`.
impl TryFrom<DMat4> for Pose {
    type Error = PoseError;

    fn try_from(matrix: DMat4) -> Result<Self, PoseError> {
        of_rows(transposed(matrix.to_cols_array_2d()))
    }
}

/// By [`Pose::from_matrix`].
impl TryFrom<DAffine3> for Pose {
    type Error = PoseError;

    fn try_from(affine: DAffine3) -> Result<Self, PoseError> {
        let rows = transposed(affine.matrix3.to_cols_array_2d());
        Self::from_matrix(rows, affine.translation.to_array())
    }
}

/// By [`Pose::from_quaternion`].
impl TryFrom<(DQuat, DVec3)> for Pose {
    type Error = PoseError;

    fn try_from((rotation, translation): (DQuat, DVec3)) -> Result<Self, PoseError> {
        Self::from_quaternion(rotation.to_array(), translation.to_array())
    }
}

impl From<Pose> for DMat4 {
    fn from(pose: Pose) -> Self {
        Self::from_cols_array_2d(&transposed(rows(&pose)))
    }
}

impl From<Pose> for DAffine3 {
    fn from(pose: Pose) -> Self {
        Self {
            matrix3: DMat3::from_cols_array_2d(&transposed(*pose.rotation())),
            translation: DVec3::from_array(pose.translation()),
        }
    }
}

/// Rounded: a quaternion takes the place of the matrix.
impl From<Pose> for (DQuat, DVec3) {
    fn from(pose: Pose) -> Self {
        (DQuat::from_array(pose.to_quaternion()), DVec3::from_array(pose.translation()))
    }
}
