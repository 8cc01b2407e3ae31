//! Random placements of objects for tests and measurements.

use crate::{Placement, Random, Rotation};

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

    /// A uniformly distributed random rotation as a unit quaternion (x, y, z, w).
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
        Placement::turned(self.rotation(), self.translation(half))
    }

    /// A random rotation, and a translation by `distance` in a random direction.
    pub fn at_distance(&mut self, distance: f64) -> Placement {
        let translation = self.direction().map(|value| distance * value);
        Placement::turned(self.rotation(), translation)
    }

    /// Two objects with random rotations, the first at the origin, the second at `distance` from it.
    pub fn apart(&mut self, distance: f64) -> [Placement; 2] {
        let first = Placement::turned(self.rotation(), [0.0; 3]);
        [first, self.at_distance(distance)]
    }

    /// `placement` moved by `step` in a random direction and rotated by `angle` radians about a random axis
    /// through the object's origin, as from one frame to the next.
    pub fn nudged(&mut self, placement: &Placement, step: f64, angle: f64) -> Placement {
        let [move_by, axis] = [self.direction(), self.direction()];
        let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
        let turn = [sine * axis[0], sine * axis[1], sine * axis[2], cosine];
        Placement {
            rotation: Rotation::Quaternion(turn).after(&placement.rotation),
            translation: [0, 1, 2].map(|k| placement.translation[k] + step * move_by[k]),
        }
    }
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
            let [p, q] = [placement, next].map(|at| at.rotation.quaternion());
            let cosine: f64 = (0..4).map(|k| p[k] * q[k]).sum();
            assert!((cosine.abs() - libm::cos(0.1)).abs() < 1e-14);
            placement = next;
        }
        let length: f64 = placement.rotation.quaternion().iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-15);
    }
}
