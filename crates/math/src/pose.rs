//! Rigid motions, kept as the matrix and vector that are applied.
//!
//! Which numbers a moved vertex has decides, in the last bit, whether two polyhedra touch. So the
//! map is fixed here, once, for every algorithm: a matrix is kept as it is given, a quaternion
//! becomes one by one formula, and the matrix maps a point by one sequence of f64 operations
//! without fused multiply-add. The same pose gives the same bits on every platform.

use std::fmt::{self, Debug, Formatter};
use std::ops::Mul;

use crate::PoseError;
use crate::vector::{add, cross, dot, largest, neg, scale, sub, unit};

/// A rigid motion, the map `x ↦ rotation · x + translation`: from a model's frame to the world.
///
/// The rotation is finite, right-handed and orthonormal within 1e-5: no scalar product of two of
/// its rows differs by more from what it should be. Given as a matrix it must be so within 1e-6 and
/// is kept bit for bit. The translation is any; models cannot be placed with one that is not finite.
///
/// Points are columns, and the matrix stands before them: [`rotation`](Self::rotation) has its rows, and its columns
/// are the axes of the model, in world coordinates. With the translation as a fourth column these are the first three
/// rows of a homogeneous matrix as robotics writes it. Graphics libraries store that matrix by columns, so transpose
/// theirs; a rotation that is transposed by mistake turns the other way, which no check can tell.
///
/// ```
/// use xcollide_math::Pose;
///
/// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let a = Pose::from_matrix(quarter_turn, [5.0, 0.0, 0.0])?;
/// let b = Pose::from_matrix(quarter_turn, [5.0, 2.0, 0.0])?;
/// // From the frame of b into the frame of a.
/// let relative = Pose::relative(&a, &b);
/// assert_eq!(relative.apply([0.0; 3]), [2.0, 0.0, 0.0]);
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[repr(C)]
pub struct Pose {
    /// First, because a pose is copied by stores of 16 bytes: a load of two numbers of the translation must not cross two of these
    /// stores, or the processor waits until both have reached the cache (no store-to-load forwarding).
    translation: [f64; 3],
    rotation: [[f64; 3]; 3],
}

const _: () = assert!(size_of::<Pose>() == 96);

/// How far the length of a quaternion, and the products of the rows of a matrix, may be off: a
/// check of the input, which decides no collision.
const GIVEN: f64 = 1e-6;

/// What holds of every pose. (The matrix of a quaternion of length 1 + 1e-6 is off by 8e-6.)
const INVARIANT: f64 = 1e-5;

impl Debug for Pose {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { translation, rotation } = self;
        f.debug_struct("Pose")
            .field("rotation", rotation)
            .field("translation", translation)
            .finish()
    }
}

impl Default for Pose {
    /// The identity.
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// The pose that leaves every point where it is, bit for bit.
    pub const IDENTITY: Self = Self::from_translation([0.0; 3]);

    /// A pose that does not turn. A translation that is not finite is refused where a model is
    /// placed with it.
    #[inline]
    #[must_use]
    pub const fn from_translation(translation: [f64; 3]) -> Self {
        Self { rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], translation }
    }

    /// The pose with this rotation, by rows, and translation, kept bit for bit.
    ///
    /// ```
    /// use xcollide_math::Pose;
    ///
    /// // A quarter turn about z, from x to y, and 5 along x; by columns, as graphics libraries have it.
    /// let columns: [[f64; 4]; 4] =
    ///     [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [5.0, 0.0, 0.0, 1.0]];
    /// let rows = [0, 1, 2].map(|row| [0, 1, 2].map(|column| columns[column][row]));
    /// let [x, y, z, _] = columns[3];
    /// let pose = Pose::from_matrix(rows, [x, y, z])?;
    /// assert_eq!(pose.apply([1.0, 0.0, 0.0]), [5.0, 1.0, 0.0]);
    /// # Ok::<(), xcollide_math::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite, a product of two rows is off by more than 1e-6, or the matrix mirrors.
    pub fn from_matrix(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, PoseError> {
        Self::within(GIVEN, rows, translation)
    }

    /// Brings back the [`rotation`](Self::rotation) and [`translation`](Self::translation) of a pose
    /// that were stored, bit for bit: those of a quaternion are off by more than
    /// [`from_matrix`](Self::from_matrix) accepts.
    ///
    /// # Errors
    /// A number is not finite, a product of two rows is off by more than 1e-5, or the matrix mirrors.
    pub fn from_stored(rows: [[f64; 3]; 3], translation: [f64; 3]) -> Result<Self, PoseError> {
        Self::within(INVARIANT, rows, translation)
    }

    fn within(
        tolerance: f64,
        rotation: [[f64; 3]; 3],
        translation: [f64; 3],
    ) -> Result<Self, PoseError> {
        finite("rotation", rotation.as_flattened())?;
        finite("translation", &translation)?;
        let deviation = deviation(&rotation);
        // Of an overflow, NaN.
        if deviation.is_nan() || deviation > tolerance {
            return Err(PoseError::NoRotation { deviation });
        }
        if dot(rotation[0], cross(rotation[1], rotation[2])) < 0.0 {
            return Err(PoseError::Mirrored);
        }
        Ok(Self { translation, rotation })
    }

    /// The pose with the rotation of a quaternion `[x, y, z, w]`: the first row is
    /// `1 − 2(yy + zz)`, `2(xy − wz)`, `2(xz + wy)`, and so on cyclically.
    ///
    /// # Errors
    /// A number is not finite, or the length of the quaternion is not 1 within 1e-6.
    #[inline]
    pub fn from_quaternion(quaternion: [f64; 4], translation: [f64; 3]) -> Result<Self, PoseError> {
        let ([x, y, z, w], [dx, dy, dz]) = (quaternion, translation);
        // What is nearly always so: without a root, and without a question for each number.
        let square = x * x + y * y + z * z + w * w;
        let is_unit = (square - 1.0).abs() < GIVEN;
        let is_finite = 0.0 * dx + 0.0 * dy + 0.0 * dz == 0.0;
        if !(is_unit && is_finite) {
            // Arrays made only here, so that the numbers need not be in memory.
            check_quaternion([x, y, z, w], [dx, dy, dz])?;
        }
        let rotation = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        Ok(Self { translation, rotation })
    }

    /// The pose that turns by an angle in radians about an axis of any length but 0, as the right
    /// hand does, and moves then: that of the rounded [quaternion](Self::from_quaternion).
    ///
    /// ```
    /// use xcollide_math::Pose;
    ///
    /// let half_turn = Pose::from_axis_angle([0.0, 0.0, 2.0], std::f64::consts::PI, [1.0; 3])?;
    /// assert_eq!(half_turn.rotation()[0][0], -1.0);
    /// # Ok::<(), xcollide_math::PoseError>(())
    /// ```
    ///
    /// # Errors
    /// A number is not finite, or the axis has length 0.
    pub fn from_axis_angle(
        axis: [f64; 3],
        angle: f64,
        translation: [f64; 3],
    ) -> Result<Self, PoseError> {
        finite("axis", &axis)?;
        finite("angle", &[angle])?;
        let magnitude = largest(axis);
        if magnitude == 0.0 {
            return Err(PoseError::NoAxis);
        }
        // So that no square leaves the range of f64.
        let [x, y, z] = unit(axis.map(|value| value / magnitude)).ok_or(PoseError::NoAxis)?;
        let (sine, cosine) = libm::sincos(0.5 * angle);
        Self::from_quaternion([x * sine, y * sine, z * sine, cosine], translation)
    }

    /// A unit quaternion `[x, y, z, w]` of the rotation, rounded. The largest coordinate comes from the
    /// diagonal, the others from sums and differences of entries that have it as a factor.
    #[must_use]
    pub fn to_quaternion(&self) -> [f64; 4] {
        let [r, s, t] = self.rotation;
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

    /// A pose of parts that are known to be nearly a rotation and finite, or are checked later.
    #[inline]
    pub(crate) const fn from_parts(rotation: [[f64; 3]; 3], translation: [f64; 3]) -> Self {
        Self { translation, rotation }
    }

    /// Rows of the rotation matrix.
    #[inline]
    #[must_use]
    pub const fn rotation(&self) -> &[[f64; 3]; 3] {
        &self.rotation
    }

    /// Where the origin goes.
    #[inline]
    #[must_use]
    pub const fn translation(&self) -> [f64; 3] {
        self.translation
    }

    /// The [`translation`](Self::translation) by reference, for SIMD loads, which would wait for a copy.
    #[inline]
    #[must_use]
    pub const fn translation_ref(&self) -> &[f64; 3] {
        &self.translation
    }

    /// The same rotation with another translation.
    #[inline]
    #[must_use]
    pub const fn with_translation(&self, translation: [f64; 3]) -> Self {
        Self { rotation: self.rotation, translation }
    }

    /// Whether the translation is finite: the rotation is.
    ///
    /// # Errors
    /// It is not.
    #[inline]
    pub fn check(&self) -> Result<(), PoseError> {
        finite("translation", &self.translation)
    }

    /// Where a point goes: `((r₀x + r₁y) + r₂z) + t` for each row r, each operation rounded on its
    /// own.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.rotate(point), self.translation)
    }

    /// Where a direction goes: the rotation without the translation.
    #[inline]
    #[must_use]
    pub fn rotate(&self, direction: [f64; 3]) -> [f64; 3] {
        rotated(&self.rotation, direction)
    }

    /// The pose back, rounded. The matrix is inverted, not transposed: so it is the inverse also
    /// of a matrix that is a rotation only nearly.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = sound(inverse_matrix(&self.rotation), INVARIANT);
        Self { rotation, translation: neg(rotated(&rotation, self.translation)) }
    }

    /// From the frame of `b` into the frame of `a`: `inverse(a) ∘ b`, rounded.
    ///
    /// How far the rounding, here and of world coordinates, moves points:
    /// [`relative_margin`](Self::relative_margin). For its sake the rotation is left as it comes
    /// out, off by up to 2.1e-5.
    #[inline]
    #[must_use]
    pub fn relative(a: &Self, b: &Self) -> Self {
        let back = inverse_matrix(&a.rotation);
        let rotation = product(&back, &b.rotation);
        Self { rotation, translation: rotated(&back, sub(b.translation, a.translation)) }
    }

    /// A point and a direction of the world in the frame of this pose: where [`relative`](Self::relative) has the origin of a frame at
    /// the point, and what its rotation makes of the direction.
    #[inline]
    #[must_use]
    pub fn to_local(&self, point: [f64; 3], direction: [f64; 3]) -> [[f64; 3]; 2] {
        let back = inverse_matrix(&self.rotation);
        [rotated(&back, sub(point, self.translation)), rotated(&back, direction)]
    }

    /// How far apart, at most, two local points can be after [`relative`](Self::relative) whose
    /// rounded world positions coincide.
    ///
    /// `reach_a` and `reach_b` bound the magnitudes of the local coordinates. Let the triangles
    /// over the world points `a.apply(p)` and `b.apply(q)`, all rounded, have a common point. It
    /// is a combination of corners in each; the same combinations of the local corners are points
    /// p̄, q̄ of the local bodies, and `p̄` and `relative(a, b)(q̄)`, without further rounding, are
    /// no further apart than this (Euclidean). So volumes of the local bodies that are grown by
    /// the margin (one of the two is enough) overlap wherever the rounded world bodies do.
    ///
    /// With u = 2⁻⁵³: a world coordinate is off by less than 4.1u(1.8 · reach + |t|); the inverse
    /// matrix and the product by less than 32u an entry, the relative translation by less than 60u
    /// of its size. Mapped back and made Euclidean (a factor of 3), this sums to less than 16u
    /// of the translations and 256u of reach and relative translation.
    #[inline]
    #[must_use]
    pub fn relative_margin(a: &Self, b: &Self, reach_a: f64, reach_b: f64) -> f64 {
        const UNIT: f64 = f64::EPSILON / 2.0;
        let (p, q) = (a.translation, b.translation);
        let (ta, tb) = (largest(p), largest(q));
        let between = largest(sub(q, p));
        UNIT * (16.0 * (ta + tb) + 256.0 * (reach_a + reach_b + between)) + f64::MIN_POSITIVE
    }
}

/// `a * b` maps as `b` does and then as `a` does, but for rounding: the products of the matrices
/// are rounded, and where they drift from a rotation by more than 1e-6 the rows are made
/// orthonormal.
impl Mul for Pose {
    type Output = Self;

    fn mul(self, b: Self) -> Self {
        let rotation = sound(product(&self.rotation, &b.rotation), GIVEN);
        Self { rotation, translation: self.apply(b.translation) }
    }
}

#[inline]
pub(crate) fn rotated([r, s, t]: &[[f64; 3]; 3], direction: [f64; 3]) -> [f64; 3] {
    [dot(*r, direction), dot(*s, direction), dot(*t, direction)]
}

/// The product of two matrices.
#[inline]
pub(crate) fn product(a: &[[f64; 3]; 3], [x, y, z]: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    // Loops, not `map` with closures: this is most of what a query costs that finds its models
    // far apart.
    let mut product = [[0.0; 3]; 3];
    for (row, of_a) in product.iter_mut().zip(a) {
        for column in 0..3 {
            row[column] = of_a[0] * x[column] + of_a[1] * y[column] + of_a[2] * z[column];
        }
    }
    product
}

/// Inverse by cofactors. Each entry is off by less than 32u for a matrix that is nearly a rotation:
/// a cofactor by 3.1u, the determinant by 10u, its reciprocal and the product by u each.
#[inline]
fn inverse_matrix(m: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    let cofactors = [cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])];
    // One division, not nine.
    let reciprocal = 1.0 / dot(m[0], cofactors[0]);
    let mut inverse = [[0.0; 3]; 3];
    for row in 0..3 {
        for column in 0..3 {
            inverse[row][column] = cofactors[column][row] * reciprocal;
        }
    }
    inverse
}

/// The largest difference of a product of two rows from what it is for a rotation.
fn deviation([r, s, t]: &[[f64; 3]; 3]) -> f64 {
    let lengths = [dot(*r, *r) - 1.0, dot(*s, *s) - 1.0, dot(*t, *t) - 1.0];
    let angles = [dot(*r, *s), dot(*s, *t), dot(*t, *r)];
    let all = lengths.iter().chain(&angles).map(|value| value.abs());
    // Unlike `f64::max`, NaN stays.
    all.fold(0.0, |most, value| if value <= most { most } else { value })
}

/// The matrix, or where it has drifted too far from a rotation, the nearest that Gram and Schmidt
/// find.
fn sound(m: [[f64; 3]; 3], tolerance: f64) -> [[f64; 3]; 3] {
    if deviation(&m) <= tolerance {
        return m;
    }
    // Rows that have drifted are still far from 0.
    let at_length_one = |v: [f64; 3]| unit(v).unwrap_or(v);
    let first = at_length_one(m[0]);
    let second = at_length_one(sub(m[1], scale(first, dot(first, m[1]))));
    [first, second, cross(first, second)]
}

pub(crate) fn finite(part: &'static str, numbers: &[f64]) -> Result<(), PoseError> {
    match numbers.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(PoseError::NonFinite { part, value }),
        None => Ok(()),
    }
}

#[cold]
fn check_quaternion(quaternion: [f64; 4], translation: [f64; 3]) -> Result<(), PoseError> {
    finite("rotation", &quaternion)?;
    finite("translation", &translation)?;
    let [x, y, z, w] = quaternion;
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if (length - 1.0).abs() > GIVEN {
        return Err(PoseError::NotUnit { length });
    }
    Ok(())
}

#[cfg(test)]
mod tests;
