//! Cubes that contain an object in any orientation (Zachmann 1994, 5.2; I-COLLIDE 4.1).

use crate::{Aabb, BoundingVolume, Sphere};
use xcollide_math::Pose;

/// An axis-aligned cube in the world that contains an object in any orientation. Moving it maps one point.
///
/// As tight as a box for a nearly spherical object. A rod gets up to (√3 · length)³ of mostly empty space.
///
/// ```
/// use xcollide_bounds::FixedCube;
/// use xcollide_math::Pose;
///
/// let cube = FixedCube::around(&[[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
/// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let bounds = cube.at(&Pose::from_matrix(quarter_turn, [5.0, 0.0, 0.0])?);
/// assert!(bounds.contains([5.0, 1.0, 0.0]) && bounds.volume() < 8.0 + 1e-9);
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FixedCube {
    sphere: Sphere,
}

impl FixedCube {
    /// The cube of the smallest sphere around points; empty if there are none.
    #[must_use]
    pub fn around(points: &[[f64; 3]]) -> Self {
        Self { sphere: Sphere::fit(points) }
    }

    /// The cube in the world: nine multiplications, and the same size for every rotation up to rounding.
    #[must_use]
    pub fn at(&self, motion: &Pose) -> Aabb {
        let Sphere { center, radius } = self.sphere.transformed(motion);
        if radius < 0.0 {
            return Aabb::EMPTY;
        }
        Aabb {
            min: center.map(|x| (x - radius).next_down()),
            max: center.map(|x| (x + radius).next_up()),
        }
    }
}
