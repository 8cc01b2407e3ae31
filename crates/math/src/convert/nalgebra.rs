//! Conversions from and to nalgebra.

use nalgebra::{Isometry3, Matrix4, Quaternion, Translation3, UnitQuaternion};

use super::parts::{of_rows, rows};
use crate::{Pose, PoseError};

/// By [`Pose::from_quaternion`].
impl TryFrom<&Isometry3<f64>> for Pose {
    type Error = PoseError;

    #[inline]
    fn try_from(isometry: &Isometry3<f64>) -> Result<Self, PoseError> {
        let (q, t) = (&isometry.rotation.coords, &isometry.translation.vector);
        Self::from_quaternion([q.x, q.y, q.z, q.w], [t.x, t.y, t.z])
    }
}

/// By [`Pose::from_quaternion`].
impl TryFrom<Isometry3<f64>> for Pose {
    type Error = PoseError;

    #[inline]
    fn try_from(isometry: Isometry3<f64>) -> Result<Self, PoseError> {
        Self::try_from(&isometry)
    }
}

/// By [`Pose::from_matrix`]; the last row must be `0 0 0 1`.
impl TryFrom<Matrix4<f64>> for Pose {
    type Error = PoseError;

    fn try_from(matrix: Matrix4<f64>) -> Result<Self, PoseError> {
        of_rows(matrix.transpose().into())
    }
}

impl From<Pose> for Matrix4<f64> {
    fn from(pose: Pose) -> Self {
        Self::from(rows(&pose)).transpose()
    }
}

/// Rounded: an isometry has a quaternion in place of the matrix.
impl From<Pose> for Isometry3<f64> {
    fn from(pose: Pose) -> Self {
        let [x, y, z, w] = pose.to_quaternion();
        let turn = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        Self::from_parts(Translation3::from(pose.translation()), turn)
    }
}
