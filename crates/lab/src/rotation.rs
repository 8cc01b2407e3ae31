//! From numbers that people and programs write down to rotations.
//!
//! Numbers in files are rounded, so what is within 1e-6 of a rotation is accepted, and anything else
//! is refused: it would deform the model.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion};

/// How far an input may be from a rotation.
pub const TOLERANCE: f64 = 1e-6;

/// Why numbers are no rotation.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RotationError {
    /// A quaternion must have length 1.
    #[error("the quaternion has length {length}, expected 1 within 1e-6")]
    QuaternionLength {
        /// What was found.
        length: f64,
    },
    /// Each row of a rotation matrix has length 1.
    #[error("row {row} of the matrix has length {length}, expected 1 within 1e-6")]
    RowLength {
        /// Counted from 1.
        row: usize,
        /// What was found.
        length: f64,
    },
    /// Any two rows of a rotation matrix are at right angles.
    #[error("rows {rows:?} of the matrix have the dot product {dot}, expected 0 within 1e-6")]
    NotPerpendicular {
        /// Counted from 1.
        rows: [usize; 2],
        /// What was found.
        dot: f64,
    },
    /// The determinant is −1.
    #[error("the matrix is a reflection (determinant -1), expected a rotation (determinant 1)")]
    Reflection,
    /// An entry differs from the nearest rotation's.
    #[error(
        "row {row}, column {column} of the matrix is {found}, expected {nearest} within 1e-6 \
         (the nearest rotation)"
    )]
    NotNear {
        /// Counted from 1.
        row: usize,
        /// Counted from 1.
        column: usize,
        /// What was found.
        found: f64,
        /// What the nearest rotation has there.
        nearest: f64,
    },
}

/// The rotation of a quaternion `[x, y, z, w]` of length 1 within 1e-6.
///
/// One whose length is 1 up to rounding is taken as it is, to the last bit, so that a pose that
/// was written in full places a model exactly where it was; others are normalised.
///
/// # Errors
/// The length is another.
pub fn from_quaternion([x, y, z, w]: [f64; 4]) -> Result<UnitQuaternion<f64>, RotationError> {
    /// What normalising leaves of the square of a length.
    const ROUNDING: f64 = 8.0 * f64::EPSILON;
    let squared = x * x + y * y + z * z + w * w;
    let length = squared.sqrt();
    if (length - 1.0).abs() > TOLERANCE || !length.is_finite() {
        return Err(RotationError::QuaternionLength { length });
    }
    let scale = if (squared - 1.0).abs() <= ROUNDING { 1.0 } else { length };
    let [x, y, z, w] = [x, y, z, w].map(|value| value / scale);
    Ok(UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z)))
}

/// Accepts a matrix, given by its rows, no entry of which is farther than 1e-6 from the nearest
/// rotation's, and returns that rotation. A pose keeps the matrix as it is given.
///
/// # Errors
/// The first way in which the matrix is no rotation.
pub fn nearest(rows: [[f64; 3]; 3]) -> Result<[[f64; 3]; 3], RotationError> {
    refuse_what_is_far(&rows)?;
    let nearest = nearest_rotation(rows);
    for row in 0..3 {
        for column in 0..3 {
            let (found, nearest) = (rows[row][column], nearest[row][column]);
            if (found - nearest).abs() > TOLERANCE {
                let (row, column) = (row + 1, column + 1);
                return Err(RotationError::NotNear { row, column, found, nearest });
            }
        }
    }
    Ok(nearest)
}

/// The quaternion of the rotation [nearest] to a matrix, rounded: for bodies of scenes, which turn
/// by quaternions.
///
/// # Errors
/// The first way in which the matrix is no rotation.
pub fn from_matrix(rows: [[f64; 3]; 3]) -> Result<UnitQuaternion<f64>, RotationError> {
    let nearest = nearest(rows)?;
    let matrix = Matrix3::from_fn(|row, column| nearest[row][column]);
    let rotation = Rotation3::from_matrix_unchecked(matrix);
    let q = UnitQuaternion::from_rotation_matrix(&rotation).into_inner();
    from_quaternion([q.i, q.j, q.k, q.w])
}

/// Names what is plainly wrong. Entries within 1e-6 of a rotation's change a product of two rows
/// by at most 2√3 times that; what lies between is judged by comparing entries.
fn refuse_what_is_far(rows: &[[f64; 3]; 3]) -> Result<(), RotationError> {
    for row in 0..3 {
        let length = dot(rows[row], rows[row]).sqrt();
        if (length - 1.0).abs() > 4.0 * TOLERANCE {
            return Err(RotationError::RowLength { row: row + 1, length });
        }
    }
    for [i, j] in [[0, 1], [0, 2], [1, 2]] {
        let dot = dot(rows[i], rows[j]);
        if dot.abs() > 4.0 * TOLERANCE {
            return Err(RotationError::NotPerpendicular { rows: [i + 1, j + 1], dot });
        }
    }
    if dot(rows[0], cross(rows[1], rows[2])) < 0.0 {
        return Err(RotationError::Reflection);
    }
    Ok(())
}

/// The rotation of the polar decomposition by Newton's iteration R ← ½ (R + R⁻ᵀ) (Higham 1986,
/// "Computing the polar decomposition", 3). Twice: the error of 1e-6 is squared each time.
fn nearest_rotation(mut rows: [[f64; 3]; 3]) -> [[f64; 3]; 3] {
    for _ in 0..2 {
        let [a, b, c] = rows;
        let cofactors = [cross(b, c), cross(c, a), cross(a, b)];
        let determinant = dot(a, cofactors[0]);
        for row in 0..3 {
            for column in 0..3 {
                let inverse = cofactors[row][column] / determinant;
                rows[row][column] = 0.5 * (rows[row][column] + inverse);
            }
        }
    }
    rows
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of the matrix of a quaternion.
    fn matrix(q: &UnitQuaternion<f64>) -> [[f64; 3]; 3] {
        let matrix = q.to_rotation_matrix();
        [0, 1, 2].map(|row| [0, 1, 2].map(|column| matrix[(row, column)]))
    }

    /// Quaternions over a small grid, normalised: every sign, every order of magnitudes.
    fn rotations() -> impl Iterator<Item = UnitQuaternion<f64>> {
        (0..625).filter(|&n| n != 312).map(|n| {
            let digit = |place: i32| f64::from(n / 5_i32.pow(place as u32) % 5 - 2);
            UnitQuaternion::new_normalize(Quaternion::new(digit(0), digit(1), digit(2), digit(3)))
        })
    }

    #[test]
    fn a_matrix_and_its_quaternion_are_the_same_rotation() -> Result<(), RotationError> {
        for q in rotations() {
            let back = from_matrix(matrix(&q))?;
            assert!(back.angle_to(&q) < 1e-7, "{q} became {back}");
        }
        Ok(())
    }

    #[test]
    fn matrices_written_with_six_decimals_are_accepted() -> Result<(), RotationError> {
        for q in rotations() {
            let rounded = matrix(&q).map(|row| row.map(|x| (x * 1e6).round() / 1e6));
            assert!(from_matrix(rounded)?.angle_to(&q) < 2e-6);
        }
        Ok(())
    }

    #[test]
    fn a_matrix_off_by_more_is_refused_in_whichever_entry() {
        let mut refused = 0;
        for q in rotations() {
            for entry in 0..9 {
                let mut rows = matrix(&q);
                rows[entry / 3][entry % 3] += 1e-4;
                // A turn is no deformation: where the change is nearly one, it is accepted.
                refused += usize::from(from_matrix(rows).is_err());
            }
        }
        assert!(refused > 624 * 9 * 3 / 4, "only {refused}");
    }

    #[test]
    fn what_is_no_rotation_is_named() {
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let changed = |row: usize, column: usize, value: f64| {
            let mut rows = identity;
            rows[row][column] = value;
            from_matrix(rows)
        };
        assert_eq!(changed(1, 1, 2.0), Err(RotationError::RowLength { row: 2, length: 2.0 }));
        assert_eq!(changed(2, 2, -1.0), Err(RotationError::Reflection));
        assert!(matches!(changed(0, 2, 1e-5), Err(RotationError::NotPerpendicular { .. })));
        assert!(matches!(changed(0, 0, 1.000_003), Err(RotationError::NotNear { .. })));
        assert!(matches!(changed(0, 0, f64::INFINITY), Err(RotationError::RowLength { .. })));
        assert!(changed(0, 0, 1.000_000_9).is_ok());
        assert!(matches!(
            from_quaternion([0.0, 0.0, 0.0, 1.01]),
            Err(RotationError::QuaternionLength { .. })
        ));
        assert!(from_quaternion([1e200, 0.0, 0.0, 0.0]).is_err());
    }

    #[test]
    fn a_unit_quaternion_keeps_every_bit() -> Result<(), RotationError> {
        for q in rotations() {
            assert_eq!(from_quaternion([q.i, q.j, q.k, q.w])?.into_inner(), q.into_inner());
        }
        let off = from_quaternion([0.0, 0.0, 0.0, 1.0 + 5e-7])?;
        assert_eq!(off.into_inner(), Quaternion::new(1.0, 0.0, 0.0, 0.0));
        Ok(())
    }
}
