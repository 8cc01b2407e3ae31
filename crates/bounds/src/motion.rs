//! Rigid motions as matrices, and the motion of one frame seen from another.

/// The map `x ↦ rotation · x + translation`, rows of the matrix first.
///
/// A rigid motion, or very nearly one: everything here stays valid for a matrix that is a rotation
/// only up to a relative 1e-5, such as the matrix of a quaternion of length 1 + 1e-6.
///
/// ```
/// use xcollide_bounds::Motion;
///
/// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let a = Motion::new(quarter_turn, [5.0, 0.0, 0.0]);
/// let b = Motion::new(quarter_turn, [5.0, 2.0, 0.0]);
/// // From the frame of b into the frame of a.
/// let relative = Motion::relative(&a, &b);
/// assert_eq!(relative.apply([0.0; 3]), [2.0, 0.0, 0.0]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Motion {
    /// Rows of the rotation matrix.
    pub rotation: [[f64; 3]; 3],
    /// Where the origin goes.
    pub translation: [f64; 3],
}

impl Default for Motion {
    /// The identity.
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Motion {
    /// The motion that leaves every point where it is, bit for bit.
    pub const IDENTITY: Self = Self {
        rotation: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        translation: [0.0; 3],
    };

    /// The motion with this rotation (rows) and translation.
    #[inline]
    #[must_use]
    pub const fn new(rotation: [[f64; 3]; 3], translation: [f64; 3]) -> Self {
        Self { rotation, translation }
    }

    /// Where a point goes: `((r₀x + r₁y) + r₂z) + t` for each row r, each operation rounded on its
    /// own.
    #[inline]
    #[must_use]
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        let ([x, y, z], [dx, dy, dz]) = (self.turn(point), self.translation);
        [x + dx, y + dy, z + dz]
    }

    /// Where a direction goes: the rotation without the translation.
    #[inline]
    #[must_use]
    pub fn turn(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let [r, s, t] = &self.rotation;
        [
            r[0] * x + r[1] * y + r[2] * z,
            s[0] * x + s[1] * y + s[2] * z,
            t[0] * x + t[1] * y + t[2] * z,
        ]
    }

    /// The motion back, rounded. The matrix is inverted, not transposed: so it is the inverse also
    /// of a matrix that is a rotation only nearly.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = inverse_matrix(&self.rotation);
        let back = Self { rotation, translation: [0.0; 3] }.turn(self.translation);
        Self { rotation, translation: back.map(|value| -value) }
    }

    /// From the frame of `b` into the frame of `a`: `inverse(a) ∘ b`, rounded.
    ///
    /// How far the rounding, here and of world coordinates, moves points:
    /// [`relative_margin`](Self::relative_margin).
    #[inline]
    #[must_use]
    pub fn relative(a: &Self, b: &Self) -> Self {
        let back = Self { rotation: inverse_matrix(&a.rotation), translation: [0.0; 3] };
        // Loops, not `map` with closures: this is most of what a query costs that finds its models
        // far apart.
        let mut rotation = [[0.0; 3]; 3];
        let [x, y, z] = &b.rotation;
        for (row, back) in rotation.iter_mut().zip(&back.rotation) {
            for column in 0..3 {
                row[column] = back[0] * x[column] + back[1] * y[column] + back[2] * z[column];
            }
        }
        let (ta, tb) = (a.translation, b.translation);
        Self { rotation, translation: back.turn([tb[0] - ta[0], tb[1] - ta[1], tb[2] - ta[2]]) }
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
        let between = largest([q[0] - p[0], q[1] - p[1], q[2] - p[2]]);
        UNIT * (16.0 * (ta + tb) + 256.0 * (reach_a + reach_b + between)) + f64::MIN_POSITIVE
    }
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

/// The largest magnitude; of what is no number, none.
#[inline]
fn largest([x, y, z]: [f64; 3]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    larger(larger(larger(0.0, x.abs()), y.abs()), z.abs())
}

#[inline]
pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline]
pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Made of 3-4-5 and 5-12-13 turns, so its entries are not exact in binary.
    const TILTED: Motion = Motion::new(
        [
            [0.6, -0.8, 0.0],
            [0.8 * 5.0 / 13.0, 0.6 * 5.0 / 13.0, -12.0 / 13.0],
            [0.8 * 12.0 / 13.0, 0.6 * 12.0 / 13.0, 5.0 / 13.0],
        ],
        [3.0, -7.0, 11.0],
    );

    #[test]
    fn the_inverse_leads_back() {
        let p = [0.3, -2.0, 5.0];
        let back = TILTED.inverse().apply(TILTED.apply(p));
        assert!((0..3).all(|axis| (back[axis] - p[axis]).abs() < 1e-14));
    }

    /// The inverse of a stretched rotation is a shrunken one; its transpose would be wrong.
    #[test]
    fn nearly_a_rotation_is_inverted_exactly() {
        let stretched =
            Motion::new(TILTED.rotation.map(|row| row.map(|x| x * (1.0 + 1e-6))), [0.0; 3]);
        let p = [0.3, -2.0, 5.0];
        let back = stretched.inverse().apply(stretched.apply(p));
        assert!((0..3).all(|axis| (back[axis] - p[axis]).abs() < 1e-14));
    }

    #[test]
    fn relative_is_the_way_from_b_over_the_world_to_a() {
        let b = Motion::new(TILTED.inverse().rotation, [-1.0, 0.5, 2.0]);
        let p = [0.3, -2.0, 5.0];
        let through_world = TILTED.inverse().apply(b.apply(p));
        let direct = Motion::relative(&TILTED, &b).apply(p);
        assert!((0..3).all(|axis| (direct[axis] - through_world[axis]).abs() < 1e-13));
    }
}
