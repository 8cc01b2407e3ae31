//! Poses of other libraries.

#[cfg(feature = "glam")]
mod glam;
#[cfg(feature = "mint")]
mod mint;
#[cfg(feature = "nalgebra")]
mod nalgebra;

#[cfg(any(feature = "glam", feature = "mint", feature = "nalgebra"))]
mod parts {
    use crate::{Pose, PoseError};

    /// The pose of a 4×4 matrix, by rows.
    pub(super) fn of_rows([r, s, t, last_row]: [[f64; 4]; 4]) -> Result<Pose, PoseError> {
        if last_row != [0.0, 0.0, 0.0, 1.0] {
            return Err(PoseError::NotAffine { last_row });
        }
        let rows = [[r[0], r[1], r[2]], [s[0], s[1], s[2]], [t[0], t[1], t[2]]];
        Pose::from_matrix(rows, [r[3], s[3], t[3]])
    }

    /// The 4×4 matrix of a pose, by rows.
    pub(super) fn rows(pose: &Pose) -> [[f64; 4]; 4] {
        let ([r, s, t], [x, y, z]) = (pose.rotation(), pose.translation());
        [[r[0], r[1], r[2], x], [s[0], s[1], s[2], y], [t[0], t[1], t[2], z], [0.0, 0.0, 0.0, 1.0]]
    }

    /// Rows of columns, and columns of rows.
    #[cfg(any(feature = "glam", feature = "mint"))]
    pub(super) fn transposed<const N: usize>(m: [[f64; N]; N]) -> [[f64; N]; N] {
        std::array::from_fn(|row| m.map(|column| column[row]))
    }
}
