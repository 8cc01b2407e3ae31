//! Node transforms with the rotation kept apart from the scale.

use ::gltf::json::scene::Node;

use super::parts::Pose;
use super::transform::determinant;
use crate::error::Problem;

type Matrix = [[f64; 3]; 3];

/// A node's own transform: scale and shear, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Local {
    pub(super) translation: [f64; 3],
    pub(super) rotation: [f64; 4],
    shape: Matrix,
}

/// A node's transform to the world: a linear map, the rotation in it, and a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct World {
    linear: Matrix,
    rotation: [f64; 4],
    translation: [f64; 3],
}

impl Local {
    pub(super) fn of(node: &Node) -> Result<Self, Problem> {
        if let Some(columns) = &node.matrix {
            return Self::of_matrix(&columns.map(f64::from));
        }
        let rotation = node.rotation.unwrap_or_default().0.map(f64::from);
        let Some(rotation) = unit(rotation) else {
            let found = format!("the rotation {rotation:?}");
            return Err(Problem::unexpected(found, "a unit quaternion"));
        };
        let translation = node.translation.unwrap_or_default().map(f64::from);
        let mut local = Self { translation, rotation, shape: IDENTITY };
        local.set_scale(node.scale.unwrap_or([1.0; 3]).map(f64::from));
        Ok(local)
    }

    pub(super) fn set_scale(&mut self, scale: [f64; 3]) {
        self.shape = [0, 1, 2].map(|row| [0, 1, 2].map(|k| if row == k { scale[k] } else { 0.0 }));
    }

    /// From a matrix by columns. If these are orthogonal it is rotation and scale; otherwise all of it is
    /// shape.
    fn of_matrix(columns: &[f64; 16]) -> Result<Self, Problem> {
        let at = |row: usize, column: usize| columns[4 * column + row];
        if [0, 1, 2, 3].map(|column| at(3, column)) != [0.0, 0.0, 0.0, 1.0] {
            return Err(Problem::unexpected("a matrix with another last row", "0, 0, 0, 1"));
        }
        let linear: Matrix = [0, 1, 2].map(|row| [0, 1, 2].map(|column| at(row, column)));
        let translation = [0, 1, 2].map(|row| at(row, 3));
        let axis = |k: usize| linear.map(|row| row[k]);
        let lengths = [0, 1, 2].map(|k| dot(axis(k), axis(k)).sqrt());
        let is_square =
            |i: usize, j: usize| dot(axis(i), axis(j)).abs() <= 1e-6 * lengths[i] * lengths[j];
        let sign = if determinant(linear) < 0.0 { -1.0 } else { 1.0 };
        let right = is_square(0, 1) && is_square(1, 2) && is_square(2, 0);
        let whole = lengths.iter().all(|length| *length > 0.0 && length.is_finite());
        let rotation = if right && whole {
            quaternion(linear.map(|row| [0, 1, 2].map(|k| sign * row[k] / lengths[k])))
        } else {
            [0.0, 0.0, 0.0, 1.0]
        };
        // The linear map without the rotation.
        let shape = after(matrix(invert(rotation)), linear);
        Ok(Self { translation, rotation, shape })
    }
}

impl World {
    pub(super) const IDENTITY: Self =
        Self { linear: IDENTITY, rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3] };

    pub(super) fn of(local: &Local) -> Self {
        Self::IDENTITY.then(local)
    }

    pub(super) fn then(&self, local: &Local) -> Self {
        let moved = apply(self.linear, local.translation);
        Self {
            linear: after(after(self.linear, matrix(local.rotation)), local.shape),
            rotation: multiply(self.rotation, local.rotation),
            translation: [0, 1, 2].map(|k| self.translation[k] + moved[k]),
        }
    }

    pub(super) fn pose(&self) -> Pose {
        Pose { rotation: self.rotation, translation: self.translation }
    }

    /// Whether it maps everything to one point, which hides the mesh.
    pub(super) fn is_hidden(&self) -> bool {
        self.linear.iter().flatten().all(|&value| value == 0.0)
    }

    pub(super) fn shape(&self) -> Matrix {
        // Exact without rotation.
        if self.rotation == [0.0, 0.0, 0.0, 1.0] {
            return self.linear;
        }
        after(matrix(invert(self.rotation)), self.linear)
    }
}

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn apply(matrix: Matrix, v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, v))
}

/// The product `a` · `b`.
fn after(a: Matrix, b: Matrix) -> Matrix {
    a.map(|row| [0, 1, 2].map(|k| dot(row, b.map(|other| other[k]))))
}

/// The normalized quaternion, unless it is zero or not finite.
pub(super) fn unit(q: [f64; 4]) -> Option<[f64; 4]> {
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| q.map(|value| value / length))
}

pub(super) fn invert([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [0.0 - x, 0.0 - y, 0.0 - z, w]
}

/// The product `a` · `b`: first `b`, then `a`.
pub(super) fn multiply(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let product = [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ];
    unit(product).unwrap_or(product)
}

pub(super) fn rotate(q: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    apply(matrix(q), v)
}

/// The matrix of a unit quaternion.
fn matrix([x, y, z, w]: [f64; 4]) -> Matrix {
    [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
}

/// The unit quaternion of a rotation matrix, largest component first (Shepperd, "Quaternion from
/// rotation matrix", 1978).
fn quaternion(m: Matrix) -> [f64; 4] {
    let trace = m[0][0] + m[1][1] + m[2][2];
    let squares = [m[0][0], m[1][1], m[2][2], trace];
    let largest = (0..4).fold(0, |best, k| if squares[k] > squares[best] { k } else { best });
    let found = if largest == 3 {
        [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1.0 + trace]
    } else {
        let (i, j, k) = (largest, (largest + 1) % 3, (largest + 2) % 3);
        let mut q = [0.0; 4];
        q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
        q[j] = m[i][j] + m[j][i];
        q[k] = m[i][k] + m[k][i];
        q[3] = m[k][j] - m[j][k];
        q
    };
    unit(found).unwrap_or([0.0, 0.0, 0.0, 1.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Turns about all axes by all kinds of angles.
    fn rotations() -> impl Iterator<Item = [f64; 4]> {
        let parts = [-1.0, -0.3, 0.0, 0.7, 2.0];
        let all = (0..625).map(move |n| [n % 5, n / 5 % 5, n / 25 % 5, n / 125].map(|k| parts[k]));
        all.filter_map(unit)
    }

    #[test]
    fn matrices_and_quaternions_say_the_same() {
        for q in rotations() {
            let back = quaternion(matrix(q));
            let cosine: f64 = (0..4).map(|k| q[k] * back[k]).sum();
            assert!(cosine.abs() > 1.0 - 1e-12, "{q:?} {back:?}");
        }
    }

    #[test]
    fn what_turns_scales_and_mirrors_comes_apart_into_a_rotation_and_a_scale() -> Result<(), Problem>
    {
        for q in rotations() {
            let turned = matrix(q);
            let scale = [2.0, -0.5, 3.0];
            let mut columns = [0.0; 16];
            for column in 0..3 {
                for row in 0..3 {
                    columns[4 * column + row] = turned[row][column] * scale[column];
                }
            }
            columns[15] = 1.0;
            let local = Local::of_matrix(&columns)?;
            let world = World::of(&local);
            for (row, (found, turned)) in world.linear.iter().zip(&turned).enumerate() {
                for k in 0..3 {
                    assert!((found[k] - turned[k] * scale[k]).abs() < 1e-12);
                    let off = row != k;
                    assert!(!off || local.shape[row][k].abs() < 1e-12, "{:?}", local.shape);
                }
            }
        }
        Ok(())
    }
}
