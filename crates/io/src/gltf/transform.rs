//! Node transforms in f64.

use ::gltf::json::scene::Node;

use crate::error::Problem;

/// An affine map: a 3×3 matrix by rows, each followed by its translation component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transform {
    rows: [[f64; 4]; 3],
    /// Whether it reverses orientation.
    pub(super) mirrors: bool,
}

impl Transform {
    pub(super) const IDENTITY: Self = Self {
        rows: [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]],
        mirrors: false,
    };

    /// The transform from a node's frame to that of its parent.
    pub(super) fn of(node: &Node) -> Result<Self, Problem> {
        match &node.matrix {
            Some(columns) => affine_rows(&columns.map(f64::from)).map(Self::of_rows),
            None => Self::of_parts(
                node.translation.unwrap_or_default().map(f64::from),
                node.rotation.unwrap_or_default().0.map(f64::from),
                node.scale.unwrap_or([1.0; 3]).map(f64::from),
            ),
        }
    }

    /// The product `self` · `inner`.
    pub(super) fn after(&self, inner: &Self) -> Self {
        let mut rows = [[0.0; 4]; 3];
        for (row, outer) in rows.iter_mut().zip(&self.rows) {
            for (column, value) in row.iter_mut().enumerate() {
                let [x, y, z] = inner.rows.map(|row| row[column]);
                *value = outer[0] * x + outer[1] * y + outer[2] * z;
            }
            row[3] += outer[3];
        }
        Self { rows, mirrors: self.mirrors != inner.mirrors }
    }

    pub(super) fn apply(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| row[0] * x + row[1] * y + row[2] * z + row[3])
    }

    pub(super) fn linear(rows: [[f64; 3]; 3]) -> Self {
        let mirrors = determinant(rows) < 0.0;
        Self { rows: rows.map(|[a, b, c]| [a, b, c, 0.0]), mirrors }
    }

    /// A matrix by columns that is affine but for rounding.
    pub(super) fn of_rounded_matrix(columns: &[f64; 16]) -> Result<Self, Problem> {
        let mut columns = *columns;
        let expected = [0.0, 0.0, 0.0, 1.0];
        for (column, last) in expected.into_iter().enumerate() {
            let value = &mut columns[4 * column + 3];
            if (*value - last).abs() < 1e-4 {
                *value = last;
            }
        }
        affine_rows(&columns).map(Self::of_rows)
    }

    fn of_rows(rows: [[f64; 4]; 3]) -> Self {
        let mirrors = determinant(rows.map(|[a, b, c, _]| [a, b, c])) < 0.0;
        Self { rows, mirrors }
    }

    pub(super) fn of_parts(
        translation: [f64; 3],
        rotation: [f64; 4],
        scale: [f64; 3],
    ) -> Result<Self, Problem> {
        let [x, y, z, w] = rotation;
        // Unit length in f32 is not exact in f64; the division makes it a rotation again.
        let square = x * x + y * y + z * z + w * w;
        if !(square > 0.0 && square.is_finite()) {
            let found = format!("the rotation {rotation:?}");
            return Err(Problem::unexpected(found, "a unit quaternion"));
        }
        // Dividing last keeps quarter turns exact.
        let twice = |sum: f64| 2.0 * sum / square;
        let turned = [
            [1.0 - twice(y * y + z * z), twice(x * y - w * z), twice(x * z + w * y)],
            [twice(x * y + w * z), 1.0 - twice(x * x + z * z), twice(y * z - w * x)],
            [twice(x * z - w * y), twice(y * z + w * x), 1.0 - twice(x * x + y * y)],
        ];
        let [sx, sy, sz] = scale;
        let mut rows = [[0.0; 4]; 3];
        for (axis, row) in rows.iter_mut().enumerate() {
            let [a, b, c] = turned[axis];
            *row = [a * sx, b * sy, c * sz, translation[axis]];
        }
        let negative = scale.iter().filter(|factor| **factor < 0.0).count();
        Ok(Self { rows, mirrors: negative % 2 == 1 })
    }
}

/// The first three rows of a matrix given by columns; an error if it is not an affine map.
pub(super) fn affine_rows(columns: &[f64; 16]) -> Result<[[f64; 4]; 3], Problem> {
    let [x, y, z, last] =
        [0, 1, 2, 3].map(|row| [0, 1, 2, 3].map(|column| columns[4 * column + row]));
    if last != [0.0, 0.0, 0.0, 1.0] {
        return Err(Problem::unexpected("a matrix with another last row", "0, 0, 0, 1"));
    }
    Ok([x, y, z])
}

pub(super) fn determinant([a, b, c]: [[f64; 3]; 3]) -> f64 {
    a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0])
        + a[2] * (b[0] * c[1] - b[1] * c[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scale by 2, quarter turn about z, translation.
    #[test]
    fn parts_and_matrix_agree_and_compose() -> Result<(), Problem> {
        let half = f64::from(std::f32::consts::FRAC_1_SQRT_2);
        let parts = Transform::of_parts([1.0, 2.0, 3.0], [0.0, 0.0, half, half], [2.0, 2.0, -2.0])?;
        let columns =
            [0.0, 2.0, 0.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, -2.0, 0.0, 1.0, 2.0, 3.0, 1.0];
        let matrix = Transform::of_rounded_matrix(&columns)?;
        assert_eq!(parts, matrix);
        assert!(matrix.mirrors);
        assert_eq!(matrix.apply([1.0, 0.0, 1.0]), [1.0, 4.0, 1.0]);
        let twice = matrix.after(&parts);
        assert!(!twice.mirrors);
        let p = [0.25, -4.0, 8.0];
        assert_eq!(twice.apply(p), matrix.apply(parts.apply(p)));
        assert_eq!(Transform::IDENTITY.after(&matrix), matrix);
        Ok(())
    }

    #[test]
    fn what_is_no_affine_map_is_refused() {
        assert!(Transform::of_parts([0.0; 3], [0.0; 4], [1.0; 3]).is_err());
        assert!(Transform::of_parts([0.0; 3], [f64::INFINITY; 4], [1.0; 3]).is_err());
        assert!(Transform::of_rounded_matrix(&[1.0; 16]).is_err());
    }
}
