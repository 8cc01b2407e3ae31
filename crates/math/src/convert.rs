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

    /// A unit quaternion `[x, y, z, w]` of a rotation, rounded: the largest coordinate comes from the
    /// diagonal, the others from the sums and differences of entries that it is a factor of.
    pub(super) fn quaternion(pose: &Pose) -> [f64; 4] {
        let [r, s, t] = pose.rotation();
        // 4xx, 4yy, 4zz, 4ww.
        let squares = [
            1.0 + r[0] - s[1] - t[2],
            1.0 - r[0] + s[1] - t[2],
            1.0 - r[0] - s[1] + t[2],
            1.0 + r[0] + s[1] + t[2],
        ];
        // 4 times the products of two coordinates.
        let [xy, xz, yz] = [r[1] + s[0], r[2] + t[0], s[2] + t[1]];
        let [xw, yw, zw] = [t[1] - s[2], r[2] - t[0], s[0] - r[1]];
        let products = [
            [squares[0], xy, xz, xw],
            [xy, squares[1], yz, yw],
            [xz, yz, squares[2], zw],
            [xw, yw, zw, squares[3]],
        ];
        let first = (0..4).fold(3, |best, k| if squares[k] > squares[best] { k } else { best });
        let row = products[first];
        let length = row.iter().map(|value| value * value).sum::<f64>().sqrt();
        row.map(|value| value / length)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn quaternions_lead_back() -> Result<(), PoseError> {
            let halves = [-0.5, 0.5];
            let mut all = vec![[1.0, 0.0, 0.0, 0.0], [0.0, 0.8, -0.6, 0.0], [0.0, 0.0, 0.0, 1.0]];
            for n in 0..16 {
                all.push([0, 1, 2, 3].map(|k| halves[n >> k & 1]));
                all.push([0.1, 0.7, 0.1, 0.7].map(|x: f64| x * f64::from(1 - 2 * (n as i32 & 1))));
            }
            for q in all {
                let pose = Pose::from_quaternion(q, [1.0, 2.0, 3.0])?;
                let found = quaternion(&pose);
                let cosine: f64 = q.iter().zip(found).map(|(a, b)| a * b).sum();
                assert!(cosine.abs() > 1.0 - 1e-15, "{q:?} {found:?}");
            }
            Ok(())
        }
    }
}
