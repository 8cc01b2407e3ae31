//! Poses and the one way in which they map a vertex to the world.
//!
//! Which numbers a moved vertex has decides, in the last bit, whether two polyhedra touch. So the
//! map is fixed here, once, for every algorithm: a pose becomes a matrix by one formula, and the
//! matrix maps a vertex by one sequence of f64 operations without fused multiply-add. The same
//! pose gives the same bits on every platform (invariant 2 of the architecture).

use xcollide_bounds::Motion;

/// A rigid motion from a model's frame to the world: rotation by a unit quaternion, then
/// translation.
pub type Pose = nalgebra::Isometry3<f64>;

/// A pose as the matrix and vector that are applied to vertices.
///
/// ```
/// use xcollide_narrow::{Pose, Transform};
///
/// let pose = Pose::translation(1.0, 2.0, 3.0);
/// assert_eq!(Transform::new(&pose)?.apply([1.0, 1.0, 1.0]), [2.0, 3.0, 4.0]);
/// # Ok::<(), xcollide_narrow::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    motion: Motion,
}

/// Why a pose cannot place a model.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PoseError {
    /// A number of the pose is NaN or infinite.
    #[error("the pose has a {value} in its {part}, expected finite numbers")]
    NonFinite {
        /// `"rotation"` or `"translation"`.
        part: &'static str,
        /// What was found.
        value: f64,
    },
    /// The quaternion does not have length 1 within 1e-6.
    #[error("the pose's quaternion has length {length}, expected 1 within 1e-6")]
    NotUnit {
        /// What was found.
        length: f64,
    },
    /// The rows of a matrix are not perpendicular, or not of length 1, within 1e-5.
    #[error("the matrix is no rotation: it is off by {deviation}, expected at most 1e-5")]
    NoRotation {
        /// The largest difference of a product of two rows from what it should be.
        deviation: f64,
    },
    /// The moved model would reach beyond the range of f64.
    #[error(
        "the pose moves a model of extent {extent:e} by {translation:e}: beyond the range of f64"
    )]
    OutOfRange {
        /// The largest magnitude of a coordinate of the model.
        extent: f64,
        /// The largest magnitude of a coordinate of the translation.
        translation: f64,
    },
}

/// How far the length of a quaternion may be from 1: a check of the input, which decides no
/// collision.
const UNIT_TOLERANCE: f64 = 1e-6;

/// What that makes of the products of the rows of its matrix, and some rounding.
const MATRIX_TOLERANCE: f64 = 1e-5;

impl Transform {
    /// The map that leaves every point where it is, bit for bit.
    pub const IDENTITY: Self = Self { motion: Motion::IDENTITY };

    /// The matrix of a pose: with the quaternion (x, y, z, w), the first row is
    /// `1 − 2(yy + zz)`, `2(xy − wz)`, `2(xz + wy)`, and so on cyclically.
    ///
    /// # Errors
    /// The pose has non-finite numbers or is no rotation.
    #[inline]
    pub fn new(pose: &Pose) -> Result<Self, PoseError> {
        let q = pose.rotation.coords;
        let (x, y, z, w) = (q.x, q.y, q.z, q.w);
        let t = pose.translation.vector;
        // What is nearly always so: without a root, and without a question for each number.
        let square = x * x + y * y + z * z + w * w;
        let is_unit = (square - 1.0).abs() < UNIT_TOLERANCE;
        let is_finite = 0.0 * t.x + 0.0 * t.y + 0.0 * t.z == 0.0;
        if !(is_unit && is_finite) {
            check(pose)?;
        }
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Ok(Self { motion: Motion::new(rotation, [t.x, t.y, t.z]) })
    }

    /// The map of a matrix and vector that [`motion`](Self::motion) gave, bit for bit: to bring back
    /// what was stored. A new one is made of a pose.
    ///
    /// # Errors
    /// The numbers are not finite, or the matrix is no rotation.
    pub fn from_motion(motion: &Motion) -> Result<Self, PoseError> {
        let Motion { rotation, translation } = *motion;
        let parts = [("rotation", rotation.as_flattened()), ("translation", &translation[..])];
        for (part, numbers) in parts {
            if let Some(&value) = numbers.iter().find(|value| !value.is_finite()) {
                return Err(PoseError::NonFinite { part, value });
            }
        }
        for (i, row) in rotation.iter().enumerate() {
            for (j, other) in rotation.iter().enumerate() {
                let product: f64 = row.iter().zip(other).map(|(x, y)| x * y).sum();
                let deviation = (product - f64::from(i == j)).abs();
                if deviation.is_nan() || deviation > MATRIX_TOLERANCE {
                    return Err(PoseError::NoRotation { deviation });
                }
            }
        }
        Ok(Self { motion: *motion })
    }

    /// Where a point of the model lies in the world: `((r₀x + r₁y) + r₂z) + t` for each row r,
    /// each operation rounded on its own.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        self.motion.apply(point)
    }

    /// The matrix and vector.
    #[inline]
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// Rows of the rotation matrix.
    #[must_use]
    pub fn rotation(&self) -> &[[f64; 3]; 3] {
        &self.motion.rotation
    }

    /// The translation.
    #[must_use]
    pub fn translation(&self) -> [f64; 3] {
        self.motion.translation
    }
}

/// Whether a pose is a rigid motion of finite numbers.
#[cold]
fn check(pose: &Pose) -> Result<(), PoseError> {
    let q = pose.rotation.coords;
    if let Some(&value) = q.iter().find(|value| !value.is_finite()) {
        return Err(PoseError::NonFinite { part: "rotation", value });
    }
    if let Some(&value) = pose.translation.vector.iter().find(|value| !value.is_finite()) {
        return Err(PoseError::NonFinite { part: "translation", value });
    }
    let length = (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w).sqrt();
    if (length - 1.0).abs() > UNIT_TOLERANCE {
        return Err(PoseError::NotUnit { length });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Quaternion, Translation3, UnitQuaternion, Vector3};

    #[test]
    fn the_matrix_is_that_of_the_quaternion() -> Result<(), PoseError> {
        let pose = Pose::new(Vector3::new(1.0, -2.0, 0.5), Vector3::new(0.3, -0.7, 1.1));
        let transform = Transform::new(&pose)?;
        let p = [0.25, -3.0, 8.0];
        let expected = pose.transform_point(&p.into());
        for axis in 0..3 {
            assert!((transform.apply(p)[axis] - expected[axis]).abs() < 1e-14);
        }
        Ok(())
    }

    /// What a pose can give comes back as it was; what is no rigid motion is refused.
    #[test]
    fn stored_transforms_come_back_bit_for_bit() -> Result<(), PoseError> {
        for length in [1.0, 1.0 + 9e-7, 1.0 - 9e-7] {
            let turn = UnitQuaternion::new(Vector3::new(0.3, -0.7, 1.1)).into_inner() * length;
            let turn = UnitQuaternion::new_unchecked(turn);
            let pose = Pose::from_parts(Translation3::new(-1e300, 0.1, 7.0), turn);
            let transform = Transform::new(&pose)?;
            assert_eq!(Transform::from_motion(transform.motion())?, transform);
        }
        let mut motion = Motion::IDENTITY;
        motion.rotation[1][0] = 1e-4;
        assert!(matches!(Transform::from_motion(&motion), Err(PoseError::NoRotation { .. })));
        motion.rotation[1][0] = f64::NAN;
        assert!(matches!(Transform::from_motion(&motion), Err(PoseError::NonFinite { .. })));
        motion = Motion { translation: [0.0, f64::INFINITY, 0.0], ..Motion::IDENTITY };
        assert!(matches!(Transform::from_motion(&motion), Err(PoseError::NonFinite { .. })));
        Ok(())
    }

    #[test]
    fn the_identity_changes_no_bit() -> Result<(), PoseError> {
        let transform = Transform::new(&Pose::identity())?;
        for p in [[0.1, -7e-301, 3e200], [0.3, f64::MIN_POSITIVE, -1e-310]] {
            assert_eq!(transform.apply(p), p);
        }
        Ok(())
    }

    #[test]
    fn poses_that_are_no_motion_are_refused() {
        let with = |w: f64, x: f64| {
            let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, 0.0, 0.0, 0.0));
            Transform::new(&Pose::from_parts(Translation3::new(x, 0.0, 0.0), rotation))
        };
        assert!(with(1.0, 0.0).is_ok());
        assert_eq!(with(1.1, 0.0), Err(PoseError::NotUnit { length: 1.1 }));
        assert!(matches!(with(f64::NAN, 0.0), Err(PoseError::NonFinite { part: "rotation", .. })));
        assert!(matches!(
            with(1.0, f64::INFINITY),
            Err(PoseError::NonFinite { part: "translation", .. })
        ));
    }
}
