//! Conversions from and to mint.

use mint::{ColumnMatrix4, Quaternion, RowMatrix4, Vector3};

use super::parts::{of_rows, rows, transposed};
use crate::{Pose, PoseError};

/// By [`Pose::from_matrix`]; the last row must be `0 0 0 1`.
impl TryFrom<ColumnMatrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: ColumnMatrix4<f64>) -> Result<Self, PoseError> {
        of_rows(transposed(matrix.into()))
    }
}

/// By [`Pose::from_matrix`]; the last row must be `0 0 0 1`.
impl TryFrom<RowMatrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: RowMatrix4<f64>) -> Result<Self, PoseError> {
        of_rows(matrix.into())
    }
}

/// By [`Pose::from_quaternion`].
impl TryFrom<(Quaternion<f64>, Vector3<f64>)> for Pose {
    type Error = PoseError;

    fn try_from(parts: (Quaternion<f64>, Vector3<f64>)) -> Result<Self, PoseError> {
        let (Quaternion { v, s }, translation) = parts;
        Self::from_quaternion([v.x, v.y, v.z, s], translation.into())
    }
}

impl From<Pose> for ColumnMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        transposed(rows(&pose)).into()
    }
}

impl From<Pose> for RowMatrix4<f64> {
    fn from(pose: Pose) -> Self {
        rows(&pose).into()
    }
}

/// Rounded: a quaternion takes the place of the matrix.
impl From<Pose> for (Quaternion<f64>, Vector3<f64>) {
    fn from(pose: Pose) -> Self {
        let [x, y, z, w] = pose.to_quaternion();
        (Quaternion { v: [x, y, z].into(), s: w }, pose.translation().into())
    }
}
