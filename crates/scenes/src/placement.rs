//! Poses of bodies in scenes, in the representation in which they were given.

use xcollide_math::Pose;
use xcollide_math::vector::{add, cross, dot, scale};

use crate::message_number::number;

/// A rotation followed by a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placement {
    /// The rotation about the origin.
    pub rotation: Rotation,
    /// The image of the origin.
    pub translation: [f64; 3],
}

/// A rotation as it was given. Computed rotations are quaternions; a matrix is applied bit for bit and never
/// converted to a quaternion.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Rotation {
    /// The unit quaternion (x, y, z, w).
    Quaternion([f64; 4]),
    /// The rows of the matrix.
    Matrix([[f64; 3]; 3]),
}

/// Why numbers are not a [`Placement`].
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PlacementError {
    /// There are not 3, 7, 12 or 16 numbers.
    #[error("found {found} numbers, expected {}", Placement::NUMBERS)]
    Count {
        /// Number of numbers.
        found: usize,
    },
    /// The last row of a 4×4 matrix is not 0 0 0 1.
    #[error("the last row of the matrix is {found:?}, expected 0 0 0 1")]
    LastRow {
        /// The last row.
        found: [f64; 4],
    },
    /// The quaternion does not have length 1.
    #[error("the quaternion has length {}, expected 1 within 1e-6", number(*.length))]
    QuaternionLength {
        /// Its length.
        length: f64,
    },
    /// A row of the matrix does not have length 1.
    #[error("row {row} of the matrix has length {}, expected 1 within 1e-6", number(*.length))]
    RowLength {
        /// The row, counted from 1.
        row: usize,
        /// Its length.
        length: f64,
    },
    /// Two rows of the matrix are not perpendicular.
    #[error("rows {rows:?} of the matrix have the dot product {}, expected 0 within 1e-6", number(*.dot))]
    NotPerpendicular {
        /// The rows, counted from 1.
        rows: [usize; 2],
        /// Their dot product.
        dot: f64,
    },
    /// The matrix is a reflection.
    #[error("the matrix is a reflection (determinant -1), expected a rotation (determinant 1)")]
    Reflection,
    /// An entry of the matrix differs from the nearest rotation's.
    #[error(
        "row {row}, column {column} of the matrix is {}, expected {} within 1e-6 \
         (the nearest rotation)",
        number(*.found),
        number(*.nearest)
    )]
    NotNear {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The entry.
        found: f64,
        /// The entry of the nearest rotation.
        nearest: f64,
    },
}

impl Placement {
    /// The identity.
    pub const IDENTITY: Self = Self::at([0.0; 3]);

    /// The permitted counts of numbers, and their meaning.
    pub const NUMBERS: &'static str =
        "3 numbers (tx ty tz), 7 (tx ty tz qx qy qz qw), 12 (rows of [R|t]) or 16 (and 0 0 0 1)";

    /// A translation.
    #[must_use]
    pub const fn at(translation: [f64; 3]) -> Self {
        Self { rotation: Rotation::IDENTITY, translation }
    }

    /// The rotation of a unit quaternion (x, y, z, w), then a translation.
    #[must_use]
    pub const fn turned(quaternion: [f64; 4], translation: [f64; 3]) -> Self {
        Self { rotation: Rotation::Quaternion(quaternion), translation }
    }

    /// The placement given by 3, 7, 12 or 16 numbers ([`NUMBERS`](Self::NUMBERS)); does not
    /// [`check`](Self::check) it.
    ///
    /// ```
    /// use xcollide_scenes::Placement;
    ///
    /// let quarter_turn = [0., -1., 0., 5., 1., 0., 0., 0., 0., 0., 1., 0.];
    /// let placement = Placement::from_numbers(&quarter_turn)?;
    /// assert_eq!(placement.pose().apply([1., 0., 0.]), [5., 1., 0.]);
    /// assert_eq!(placement.numbers(), quarter_turn);
    /// # Ok::<(), xcollide_scenes::PlacementError>(())
    /// ```
    ///
    /// # Errors
    /// The count is another one, or the last row of 16 numbers is not 0 0 0 1.
    pub fn from_numbers(numbers: &[f64]) -> Result<Self, PlacementError> {
        match *numbers {
            [x, y, z] => Ok(Self::at([x, y, z])),
            [x, y, z, qx, qy, qz, qw] => Ok(Self::turned([qx, qy, qz, qw], [x, y, z])),
            [a, b, c, x, d, e, f, y, g, h, i, z] => Ok(Self {
                rotation: Rotation::Matrix([[a, b, c], [d, e, f], [g, h, i]]),
                translation: [x, y, z],
            }),
            [ref rows @ .., a, b, c, d] if rows.len() == 12 => {
                if [a, b, c, d] == [0.0, 0.0, 0.0, 1.0] {
                    Self::from_numbers(rows)
                } else {
                    Err(PlacementError::LastRow { found: [a, b, c, d] })
                }
            }
            _ => Err(PlacementError::Count { found: numbers.len() }),
        }
    }

    /// The numbers of the placement: 7 with a quaternion, 12 with a matrix.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        let [x, y, z] = self.translation;
        match self.rotation {
            Rotation::Quaternion([a, b, c, d]) => vec![x, y, z, a, b, c, d],
            Rotation::Matrix([r, s, t]) => [(r, x), (s, y), (t, z)]
                .iter()
                .flat_map(|&([a, b, c], translation)| [a, b, c, translation])
                .collect(),
        }
    }

    /// Checks the rotation: a quaternion has length 1 within 1e-6, and each entry of a matrix is within 1e-6 of
    /// the nearest rotation's, to allow for six decimals.
    ///
    /// # Errors
    /// The first violation.
    pub fn check(&self) -> Result<(), PlacementError> {
        match self.rotation {
            Rotation::Quaternion(quaternion) => check_quaternion(quaternion),
            Rotation::Matrix(rows) => check_matrix(&rows),
        }
    }

    /// The pose that is applied: [`Pose::from_quaternion`] of a quaternion, a given matrix unchanged. Invalid
    /// rotations count as the identity.
    #[inline(always)]
    #[must_use]
    pub fn pose(&self) -> Pose {
        let turn = match &self.rotation {
            Rotation::Quaternion(quaternion) => Pose::from_quaternion(*quaternion, [0.0; 3]).ok(),
            Rotation::Matrix(rows) => of_matrix(rows),
        };
        match turn {
            Some(turn) => turn.with_translation(self.translation),
            None => Pose::from_translation(self.translation),
        }
    }

    /// The product `self` · `inner`: the world pose of a child with pose `inner` relative to a parent with pose
    /// `self`. Rounded; quaternions are normalized.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        Self {
            rotation: self.rotation.after(&inner.rotation),
            translation: add(self.translation, self.rotation.rotate(inner.translation)),
        }
    }

    /// The inverse, rounded.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        Self { rotation, translation: rotation.rotate(self.translation).map(|value| 0.0 - value) }
    }

    /// Normalizes the quaternion, unless its length is 1 up to rounding, so that writing and reading preserves
    /// placements.
    #[must_use]
    pub fn normalized(mut self) -> Self {
        if let Rotation::Quaternion(quaternion) = &mut self.rotation {
            let squared: f64 = quaternion.iter().map(|value| value * value).sum();
            if (squared - 1.0).abs() > 16.0 * f64::EPSILON {
                *quaternion = unit(*quaternion);
            }
        }
        self
    }
}

/// Keeps the matrix.
impl From<Pose> for Placement {
    fn from(pose: Pose) -> Self {
        Self { rotation: Rotation::Matrix(*pose.rotation()), translation: pose.translation() }
    }
}

impl Rotation {
    /// The identity, as a quaternion.
    pub const IDENTITY: Self = Self::Quaternion([0.0, 0.0, 0.0, 1.0]);

    /// The rotation by `inner` and then by `self`: a quaternion if both are.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        match (*self, *inner) {
            (Self::Quaternion(a), Self::Quaternion(b)) => Self::Quaternion(unit(product(a, b))),
            _ => Self::Matrix(*(self.pose() * inner.pose()).rotation()),
        }
    }

    /// Turns by a unit quaternion: `self` becomes the quaternion's rotation [after](Self::after) it, in place.
    #[inline]
    pub(crate) fn turn(&mut self, by: [f64; 4]) {
        match self {
            Self::Quaternion(quaternion) => *quaternion = unit(product(by, *quaternion)),
            Self::Matrix(_) => *self = Self::Quaternion(by).after(self),
        }
    }

    /// The rotated vector, rounded.
    #[must_use]
    pub fn rotate(&self, v: [f64; 3]) -> [f64; 3] {
        match *self {
            // v + 2 w (u × v) + 2 u × (u × v).
            Self::Quaternion([x, y, z, w]) => {
                let t = cross([x, y, z], v).map(|value| value + value);
                add(add(v, scale(t, w)), cross([x, y, z], t))
            }
            Self::Matrix(rows) => rows.map(|row| dot(row, v)),
        }
    }

    /// A unit quaternion (x, y, z, w) of the rotation: as given, or computed from the matrix.
    #[must_use]
    pub fn quaternion(&self) -> [f64; 4] {
        match *self {
            Self::Quaternion(quaternion) => quaternion,
            Self::Matrix(_) => self.pose().to_quaternion(),
        }
    }

    fn inverse(&self) -> Self {
        match *self {
            // Adding zero turns −0 into 0, for files.
            Self::Quaternion([x, y, z, w]) => {
                Self::Quaternion([-x, -y, -z, w].map(|value| value + 0.0))
            }
            Self::Matrix(_) => Self::Matrix(*self.pose().inverse().rotation()),
        }
    }

    fn pose(&self) -> Pose {
        Placement { rotation: *self, translation: [0.0; 3] }.pose()
    }
}

/// The rotation of a given matrix, if it is one. Out of line, so that [`Placement::pose`] stays short.
#[inline(never)]
fn of_matrix(rows: &[[f64; 3]; 3]) -> Option<Pose> {
    Pose::from_stored(*rows, [0.0; 3]).ok()
}

/// The largest permitted error of an entry.
const TOLERANCE: f64 = 1e-6;

fn check_quaternion(quaternion: [f64; 4]) -> Result<(), PlacementError> {
    let length = quaternion.iter().map(|value| value * value).sum::<f64>().sqrt();
    if (length - 1.0).abs() <= TOLERANCE {
        return Ok(());
    }
    Err(PlacementError::QuaternionLength { length })
}

fn check_matrix(rows: &[[f64; 3]; 3]) -> Result<(), PlacementError> {
    // If entries are within the tolerance of a rotation's, a product of two rows changes by at most 2√3 times
    // that. So for larger deviations the nearest rotation need not be computed.
    for (row, values) in rows.iter().enumerate() {
        let length = dot(*values, *values).sqrt();
        if length.is_nan() || (length - 1.0).abs() > 4.0 * TOLERANCE {
            return Err(PlacementError::RowLength { row: row + 1, length });
        }
    }
    for [i, j] in [[0, 1], [0, 2], [1, 2]] {
        let dot = dot(rows[i], rows[j]);
        if dot.abs() > 4.0 * TOLERANCE {
            return Err(PlacementError::NotPerpendicular { rows: [i + 1, j + 1], dot });
        }
    }
    if dot(rows[0], cross(rows[1], rows[2])) < 0.0 {
        return Err(PlacementError::Reflection);
    }
    let nearest = nearest_rotation(*rows);
    for row in 0..3 {
        for column in 0..3 {
            let (found, nearest) = (rows[row][column], nearest[row][column]);
            if (found - nearest).abs() > TOLERANCE {
                let (row, column) = (row + 1, column + 1);
                return Err(PlacementError::NotNear { row, column, found, nearest });
            }
        }
    }
    Ok(())
}

/// The rotation of the polar decomposition, by two steps of Newton's iteration R ← ½ (R + R⁻ᵀ) (Higham 1986,
/// "Computing the polar decomposition", 3). Each step squares the error of 1e-6.
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

/// The product of two quaternions: rotates by `b`, then by `a`.
#[inline]
pub(crate) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

#[inline]
pub(crate) fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    q.map(|value| value / length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Poses, Random};

    const QUARTER: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

    fn with_matrix(rows: [[f64; 3]; 3]) -> Placement {
        Placement { rotation: Rotation::Matrix(rows), translation: [0.0; 3] }
    }

    /// Quaternions over a small grid, with all signs and orders of magnitudes.
    fn rotations() -> impl Iterator<Item = Pose> {
        (0..625).filter(|&n| n != 312).map(|n| {
            let digit = |place: u32| f64::from(n / 5_i32.pow(place) % 5 - 2);
            Placement::turned(unit([0, 1, 2, 3].map(digit)), [0.0; 3]).pose()
        })
    }

    #[test]
    fn the_inverse_undoes_a_placement_from_both_sides() {
        let mut poses = Poses::new(8);
        for _ in 0..1000 {
            let at = poses.within(5.0);
            for at in [at, Placement::from(at.pose())] {
                for both in [at.after(&at.inverse()), at.inverse().after(&at)] {
                    assert!(both.translation.iter().all(|value| value.abs() < 1e-14));
                    assert!(both.rotation.quaternion()[3].abs() > 1.0 - 1e-14);
                }
            }
        }
    }

    #[test]
    fn rotations_combine_in_order() {
        let half = 0.5f64.sqrt();
        let quarter = [0.0, 0.0, half, half];
        let [x, y, z, w] = product(quarter, quarter);
        assert_eq!([x, y], [0.0, 0.0]);
        assert!((z - 1.0).abs() < 1e-15 && w.abs() < 1e-15);
        // About x and then about z: a cyclic permutation, y to z, z to x, x to y.
        let about_x = Rotation::Quaternion([half, 0.0, 0.0, half]);
        for about_z in [Rotation::Quaternion(quarter), Rotation::Matrix(QUARTER)] {
            let both = about_z.after(&about_x).quaternion();
            assert!(both.iter().all(|value| (value - 0.5).abs() < 1e-15), "{both:?}");
        }
    }

    #[test]
    fn products_rotate_as_their_factors_in_turn() {
        let mut random = Random::new(4);
        for round in 0..1000 {
            let ([a, b], v) = ([random.rotation(), random.rotation()], random.in_ball());
            let a = match Rotation::Quaternion(a) {
                quaternion if round % 2 == 0 => quaternion,
                quaternion => Rotation::Matrix(*quaternion.pose().rotation()),
            };
            let b = Rotation::Quaternion(b);
            let [one, two] = [a.rotate(b.rotate(v)), a.after(&b).rotate(v)];
            assert!((0..3).all(|k| (one[k] - two[k]).abs() < 1e-14));
        }
    }

    /// Descendants of a body at quarter turns keep integer coordinates.
    #[test]
    fn quarter_turns_by_matrices_are_exact() {
        let quarter = Placement { translation: [3.0, 0.0, 1.0], ..with_matrix(QUARTER) };
        let twice = quarter.after(&quarter);
        assert_eq!(twice.pose().rotation(), &[[-1., 0., 0.], [0., -1., 0.], [0., 0., 1.]]);
        assert_eq!(twice.translation, [3.0, 3.0, 2.0]);
        assert_eq!(twice.after(&twice.inverse()).pose(), Pose::IDENTITY);
        assert_eq!(Placement::IDENTITY.after(&quarter).pose(), quarter.pose());
    }

    #[test]
    fn quaternions_of_unit_length_up_to_rounding_are_left_alone() {
        let mut random = Random::new(9);
        for _ in 0..1000 {
            let at = Placement::turned(unit(random.rotation()), [0.0; 3]);
            assert_eq!(at.normalized(), at);
        }
        let long = Placement::turned([0.0, 0.0, 0.6, 0.800_000_5], [0.0; 3]).normalized();
        let length: f64 = long.rotation.quaternion().iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-15);
    }

    #[test]
    fn matrices_written_with_six_decimals_are_accepted() -> Result<(), PlacementError> {
        for pose in rotations() {
            let rounded = pose.rotation().map(|row| row.map(|x| (x * 1e6).round() / 1e6));
            with_matrix(rounded).check()?;
            assert_eq!(with_matrix(rounded).pose().rotation(), &rounded);
        }
        Ok(())
    }

    #[test]
    fn a_matrix_off_by_more_is_refused_in_whichever_entry() {
        let mut refused = 0;
        for pose in rotations() {
            for entry in 0..9 {
                let mut rows = *pose.rotation();
                rows[entry / 3][entry % 3] += 1e-4;
                // A change that is nearly a rotation is accepted.
                refused += usize::from(with_matrix(rows).check().is_err());
            }
        }
        assert!(refused > 624 * 9 * 3 / 4, "only {refused}");
    }

    #[test]
    fn errors_name_what_is_wrong() {
        let changed = |row: usize, column: usize, value: f64| {
            let mut rows = *Pose::IDENTITY.rotation();
            rows[row][column] = value;
            with_matrix(rows).check()
        };
        assert_eq!(changed(1, 1, 2.0), Err(PlacementError::RowLength { row: 2, length: 2.0 }));
        assert_eq!(changed(2, 2, -1.0), Err(PlacementError::Reflection));
        assert!(matches!(changed(0, 2, 1e-5), Err(PlacementError::NotPerpendicular { .. })));
        assert!(matches!(changed(0, 0, 1.000_003), Err(PlacementError::NotNear { .. })));
        assert!(matches!(changed(0, 0, f64::INFINITY), Err(PlacementError::RowLength { .. })));
        assert!(matches!(changed(0, 0, f64::NAN), Err(PlacementError::RowLength { .. })));
        assert_eq!(changed(0, 0, 1.000_000_9), Ok(()));
        for wrong in [[0.0, 0.0, 0.0, 1.01], [1e200, 0.0, 0.0, 0.0], [f64::NAN; 4]] {
            let found = Placement::turned(wrong, [0.0; 3]).check();
            assert!(matches!(found, Err(PlacementError::QuaternionLength { .. })));
        }
        let mut whole = [1., 0., 0., 5., 0., 1., 0., 6., 0., 0., 1., 7., 0., 0., 0., 1.];
        assert_eq!(Placement::from_numbers(&whole).map(|at| at.translation), Ok([5.0, 6.0, 7.0]));
        whole[15] = 2.0;
        let found = [0.0, 0.0, 0.0, 2.0];
        assert_eq!(Placement::from_numbers(&whole), Err(PlacementError::LastRow { found }));
        for count in (0..20).filter(|count| ![3, 7, 12, 16].contains(count)) {
            let found = Placement::from_numbers(&vec![0.0; count]);
            assert_eq!(found, Err(PlacementError::Count { found: count }));
        }
    }
}
