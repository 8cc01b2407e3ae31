//! Node transforms with the rigid motion separate from the scale. A matrix that is a rotation is kept
//! unchanged. Rotations are combined as matrices, so that right angles stay exact.

use ::gltf::json::scene::Node;
use xcollide_math::Pose;
use xcollide_math::vector::{dot, length};

use super::transform::{affine_rows, determinant};
use crate::error::Problem;

pub(super) type Matrix = [[f64; 3]; 3];

/// A transform of a node, to its parent or to the world: scale and shear, then a rigid motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Placement {
    pub(super) pose: Pose,
    pub(super) shape: Matrix,
}

impl Placement {
    pub(super) const IDENTITY: Self = Self { pose: Pose::IDENTITY, shape: IDENTITY };

    pub(super) fn of(node: &Node) -> Result<Self, Problem> {
        if let Some(columns) = &node.matrix {
            let rows = affine_rows(&columns.map(f64::from))?;
            return Ok(Self::of_matrix(rows));
        }
        let translation = node.translation.unwrap_or_default().map(f64::from);
        let shape = diagonal(node.scale.unwrap_or([1.0; 3]).map(f64::from));
        let mut local = Self { pose: Pose::from_translation(translation), shape };
        let rotation = node.rotation.unwrap_or_default().0.map(f64::from);
        let Some(rotation) = unit(rotation) else {
            let found = format!("the rotation {rotation:?}");
            return Err(Problem::unexpected(found, "a unit quaternion"));
        };
        local.turn(rotation);
        Ok(local)
    }

    /// Replaces the rotation by that of a unit quaternion.
    pub(super) fn turn(&mut self, rotation: [f64; 4]) {
        let turned = Pose::from_quaternion(rotation, [0.0; 3]).unwrap_or_default();
        self.pose = turned.with_translation(self.pose.translation());
    }

    /// The transform of an affine map given by rows. If the map is a rotation, it is kept; if its columns
    /// are orthogonal, it is split into rotation and scale; otherwise all of it is shape.
    fn of_matrix(rows: [[f64; 4]; 3]) -> Self {
        let linear = rows.map(|[a, b, c, _]| [a, b, c]);
        let translation = rows.map(|row| row[3]);
        if let Ok(turned) = Pose::from_matrix(linear, [0.0; 3]) {
            return Self { pose: turned.with_translation(translation), shape: IDENTITY };
        }
        let sign = if determinant(linear) < 0.0 { -1.0 } else { 1.0 };
        let axes = transposed(linear);
        let lengths = axes.map(|axis| sign * length(axis));
        let rows = transposed([0, 1, 2].map(|k| axes[k].map(|value| value / lengths[k])));
        match Pose::from_matrix(rows, [0.0; 3]) {
            Ok(turned) => {
                Self { pose: turned.with_translation(translation), shape: diagonal(lengths) }
            }
            Err(_) => Self { pose: Pose::from_translation(translation), shape: linear },
        }
    }

    /// The product `self` · `local`.
    pub(super) fn then(&self, local: &Placement) -> Self {
        let inner = local.pose;
        let translation = self.pose.apply(apply(self.shape, inner.translation()));
        Self {
            pose: (self.pose * inner).with_translation(translation),
            shape: after(self.within(inner.rotation()), local.shape),
        }
    }

    /// The shape in the frame of a child rotated by `rotation`: R⁻¹ · shape · R.
    fn within(&self, rotation: &Matrix) -> Matrix {
        let factor = self.shape[0][0];
        // A uniform scale is the same in every frame.
        if self.shape == diagonal([factor; 3]) || *rotation == IDENTITY {
            return self.shape;
        }
        after(transposed(*rotation), after(self.shape, *rotation))
    }

    /// Whether it maps everything to one point, which hides the mesh.
    pub(super) fn is_hidden(&self) -> bool {
        self.shape.iter().flatten().all(|&value| value == 0.0)
    }
}

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

pub(super) fn diagonal(scale: [f64; 3]) -> Matrix {
    [0, 1, 2].map(|row| [0, 1, 2].map(|k| if row == k { scale[k] } else { 0.0 }))
}

fn transposed(matrix: Matrix) -> Matrix {
    [0, 1, 2].map(|row| matrix.map(|other| other[row]))
}

fn apply(matrix: Matrix, v: [f64; 3]) -> [f64; 3] {
    matrix.map(|row| dot(row, v))
}

fn after(a: Matrix, b: Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

/// The normalized quaternion, unless it is zero or not finite.
pub(super) fn unit(q: [f64; 4]) -> Option<[f64; 4]> {
    let length = q.iter().map(|value| value * value).sum::<f64>().sqrt();
    (length > 0.0 && length.is_finite()).then(|| q.map(|value| value / length))
}

#[cfg(test)]
mod tests {
    use xcollide_math::vector::scale;

    use super::*;

    /// Rotations about all axes by all kinds of angles.
    fn rotations() -> impl Iterator<Item = Matrix> {
        let parts = [-1.0, -0.3, 0.0, 0.7, 2.0];
        let all = (0..625).map(move |n| [n % 5, n / 5 % 5, n / 25 % 5, n / 125].map(|k| parts[k]));
        let turned = |q| Pose::from_quaternion(unit(q)?, [0.0; 3]).ok();
        all.filter_map(move |q| turned(q).map(|pose| *pose.rotation()))
    }

    fn node(linear: Matrix, translation: [f64; 3]) -> Result<Placement, Problem> {
        let columns = transposed(linear);
        let mut all = [0.0; 16];
        for (k, column) in columns.into_iter().chain([translation]).enumerate() {
            all[4 * k..4 * k + 3].copy_from_slice(&column);
        }
        all[15] = 1.0;
        affine_rows(&all).map(Placement::of_matrix)
    }

    #[test]
    fn rotations_are_kept_bit_for_bit() -> Result<(), Problem> {
        for turned in rotations() {
            let world = Placement::IDENTITY.then(&node(turned, [3.0, 0.1, -7.0])?);
            assert_eq!((world.pose.rotation(), world.shape), (&turned, IDENTITY));
            assert_eq!(world.pose.translation(), [3.0, 0.1, -7.0]);
        }
        Ok(())
    }

    /// Even below a uniform scale.
    #[test]
    fn nested_quarter_turns_stay_on_the_grid() -> Result<(), Problem> {
        let quarter = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
        let doubled = quarter.map(|row| scale(row, 2.0));
        let outer = Placement::IDENTITY.then(&node(doubled, [1.0, 0.0, 0.0])?);
        let inner = outer.then(&node(quarter, [3.0, 0.0, 5.0])?);
        assert_eq!(inner.pose.rotation(), &[[-1., 0., 0.], [0., -1., 0.], [0., 0., 1.]]);
        assert_eq!(inner.pose.translation(), [1.0, 6.0, 10.0]);
        assert_eq!(inner.shape, diagonal([2.0; 3]));
        Ok(())
    }

    #[test]
    fn a_scaled_or_mirrored_rotation_splits_into_rotation_and_scale() -> Result<(), Problem> {
        for turned in rotations() {
            let linear = after(turned, diagonal([2.0, -0.5, 3.0]));
            let world = Placement::IDENTITY.then(&node(linear, [0.0; 3])?);
            let found = after(*world.pose.rotation(), world.shape);
            let gaps = found.as_flattened().iter().zip(linear.as_flattened());
            assert!(gaps.into_iter().all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
            assert_eq!(world.shape, diagonal([0, 1, 2].map(|k| world.shape[k][k])));
        }
        Ok(())
    }

    /// The child's frame is rotated, so the scale of its parent is a shear there.
    #[test]
    fn a_scale_by_axis_above_a_turn_shears() -> Result<(), Problem> {
        for turned in rotations() {
            let outer = Placement::IDENTITY.then(&node(diagonal([2.0, 1.0, 0.25]), [0.0; 3])?);
            let world = outer.then(&node(turned, [1.0, 2.0, 3.0])?);
            let found = after(*world.pose.rotation(), world.shape);
            let expected = after(diagonal([2.0, 1.0, 0.25]), turned);
            let gaps = found.as_flattened().iter().zip(expected.as_flattened());
            assert!(gaps.into_iter().all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
            assert_eq!(world.pose.translation(), [2.0, 2.0, 0.75]);
        }
        Ok(())
    }
}
