//! Random placements of objects for tests and measurements.

use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion};

use xcollide_math::Pose;

use crate::Random;

/// A rigid motion: rotation about the origin, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// The unit quaternion (x, y, z, w) of the rotation.
    pub rotation: [f64; 4],
    /// The image of the origin.
    pub translation: [f64; 3],
}

impl Placement {
    /// The identity.
    pub const IDENTITY: Self = Self { rotation: [0.0, 0.0, 0.0, 1.0], translation: [0.0; 3] };

    /// The seven numbers `tx ty tz qx qy qz qw`, ordered as in pose files.
    #[must_use]
    pub fn numbers(&self) -> [f64; 7] {
        let ([x, y, z], [a, b, c, d]) = (self.translation, self.rotation);
        [x, y, z, a, b, c, d]
    }
}

impl Placement {
    /// The product `self` · `inner`: with `inner` relative to a parent placed by `self`, the world pose.
    /// Rounded; the rotation is normalized.
    #[must_use]
    pub fn after(&self, inner: &Self) -> Self {
        let moved = rotate(self.rotation, inner.translation);
        Self {
            rotation: unit(product(self.rotation, inner.rotation)),
            translation: [0, 1, 2].map(|k| self.translation[k] + moved[k]),
        }
    }

    /// The matrix and vector, by [`Pose::from_quaternion`]. What is no unit quaternion does not turn.
    #[must_use]
    pub fn pose(&self) -> Pose {
        let turn = Pose::from_quaternion(self.rotation, [0.0; 3]).unwrap_or_default();
        turn.with_translation(self.translation)
    }

    /// The inverse, rounded.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let [x, y, z, w] = self.rotation;
        let rotation = [-x, -y, -z, w];
        // Adding zero turns −0 into 0, for files.
        let rotation = rotation.map(|value| value + 0.0);
        let translation = rotate(rotation, self.translation).map(|value| 0.0 - value);
        Self { rotation, translation }
    }
}

/// Copies the numbers: the rotation must have unit length.
impl From<Placement> for Isometry3<f64> {
    fn from(placement: Placement) -> Self {
        let ([x, y, z], [i, j, k, w]) = (placement.translation, placement.rotation);
        let rotation = UnitQuaternion::new_unchecked(Quaternion::new(w, i, j, k));
        Self::from_parts(Translation3::new(x, y, z), rotation)
    }
}

/// Copies the numbers.
impl From<Isometry3<f64>> for Placement {
    fn from(pose: Isometry3<f64>) -> Self {
        let [i, j, k, w] = [pose.rotation.i, pose.rotation.j, pose.rotation.k, pose.rotation.w];
        let [x, y, z] = [pose.translation.x, pose.translation.y, pose.translation.z];
        Self { rotation: [i, j, k, w], translation: [x, y, z] }
    }
}

/// Generates random [`Placement`]s, the same for a seed on every platform.
///
/// ```
/// use xcollide_scenes::{Placement, Poses};
///
/// // A thousand poses of two equal objects, their centers 2.1 apart.
/// let mut poses = Poses::new(1);
/// for _ in 0..1000 {
///     let [a, b] = poses.apart(2.1);
///     let [x, y, z] = b.translation;
///     assert!((x * x + y * y + z * z - 2.1 * 2.1).abs() < 1e-12);
///     assert_eq!(a.translation, [0.0; 3]);
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Poses {
    random: Random,
}

impl Poses {
    /// The generator of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { random: Random::new(seed) }
    }

    /// A uniformly random rotation as a unit quaternion (x, y, z, w).
    pub fn rotation(&mut self) -> [f64; 4] {
        self.random.rotation()
    }

    /// A uniformly random unit vector.
    pub fn direction(&mut self) -> [f64; 3] {
        self.random.direction()
    }

    /// A point of the cube of side `2 * half` about the origin.
    pub fn translation(&mut self, half: f64) -> [f64; 3] {
        [0; 3].map(|_| self.random.between(-half, half))
    }

    /// A random rotation, and a translation in the cube of side `2 * half` about the origin.
    pub fn within(&mut self, half: f64) -> Placement {
        Placement { rotation: self.rotation(), translation: self.translation(half) }
    }

    /// A random rotation, and a translation by `distance` in a random direction.
    pub fn at_distance(&mut self, distance: f64) -> Placement {
        let translation = self.direction().map(|value| distance * value);
        Placement { rotation: self.rotation(), translation }
    }

    /// Two objects with random rotations, the first at the origin, the second at `distance` from it.
    pub fn apart(&mut self, distance: f64) -> [Placement; 2] {
        let first = Placement { rotation: self.rotation(), translation: [0.0; 3] };
        [first, self.at_distance(distance)]
    }

    /// `placement` moved by `step` in a random direction and turned by `angle` radians about a random axis
    /// through the object's origin, as from one frame to the next.
    pub fn nudged(&mut self, placement: &Placement, step: f64, angle: f64) -> Placement {
        let [move_by, axis] = [self.direction(), self.direction()];
        let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
        let turn = [sine * axis[0], sine * axis[1], sine * axis[2], cosine];
        Placement {
            rotation: unit(product(turn, placement.rotation)),
            translation: [0, 1, 2].map(|k| placement.translation[k] + step * move_by[k]),
        }
    }
}

/// The product of two rotations: first `b`, then `a`.
pub(crate) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

pub(crate) fn unit(q: [f64; 4]) -> [f64; 4] {
    let length = (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    q.map(|value| value / length)
}

/// The rotated vector v + 2 w (u × v) + 2 u × (u × v).
pub(crate) fn rotate([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let t = cross(u, v).map(|value| value + value);
    let s = cross(u, t);
    [0, 1, 2].map(|k| v[k] + w * t[k] + s[k])
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nudge_moves_and_turns_by_as_much_as_asked() {
        let mut poses = Poses::new(5);
        let mut placement = poses.within(3.0);
        for _ in 0..1000 {
            let next = poses.nudged(&placement, 0.05, 0.2);
            let [x, y, z] = [0, 1, 2].map(|k| next.translation[k] - placement.translation[k]);
            assert!(((x * x + y * y + z * z).sqrt() - 0.05).abs() < 1e-14);
            let cosine: f64 = (0..4).map(|k| next.rotation[k] * placement.rotation[k]).sum();
            assert!((cosine.abs() - libm::cos(0.1)).abs() < 1e-14);
            placement = next;
        }
        let length: f64 = placement.rotation.iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_undoes_a_placement_does_so_from_both_sides() {
        let mut poses = Poses::new(8);
        for _ in 0..1000 {
            let at = poses.within(5.0);
            for both in [at.after(&at.inverse()), at.inverse().after(&at)] {
                assert!(both.translation.iter().all(|value| value.abs() < 1e-14));
                assert!(both.rotation[3].abs() > 1.0 - 1e-14);
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
        let about_x = [half, 0.0, 0.0, half];
        let both = product(quarter, about_x);
        let expected = [0.5, 0.5, 0.5, 0.5];
        assert!((0..4).all(|k| (both[k] - expected[k]).abs() < 1e-15), "{both:?}");
    }
}
