//! Cubes that hold an object however it is turned (Zachmann 1994, 5.2; I-COLLIDE 4.1).

use crate::sphere::length_above;
use crate::{Aabb, BoundingVolume, Sphere};
use xcollide_math::Pose;

/// A cube, axis-aligned in the world, that holds an object at any orientation: made once, and
/// moved with the object by mapping one point.
///
/// For a nearly spherical object as tight as a box; for a rod up to (√3 · length)³ of mostly empty
/// space where a moved box would be thin.
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
    /// The smallest such cube around points: that of their smallest sphere. Empty where there are
    /// none.
    #[must_use]
    pub fn around(points: &[[f64; 3]]) -> Self {
        Self { sphere: Sphere::fit(points) }
    }

    /// The smallest such cube with its center at a given point of the object, such as its pivot.
    #[must_use]
    pub fn about(center: [f64; 3], points: &[[f64; 3]]) -> Self {
        Self { sphere: Sphere::about(center, points) }
    }

    /// Such a cube around a box in the object's frame: from the box's diagonal.
    #[must_use]
    pub fn around_box(bounds: &Aabb) -> Self {
        if bounds.is_empty() {
            return Self { sphere: Sphere::EMPTY };
        }
        let center = bounds.center();
        let reach = [0, 1, 2].map(|k| (bounds.max[k] - center[k]).max(center[k] - bounds.min[k]));
        Self { sphere: Sphere { center, radius: length_above(reach) } }
    }

    /// The center, in the object's frame.
    #[must_use]
    pub fn center(&self) -> [f64; 3] {
        self.sphere.center
    }

    /// Half the side of the cube; negative where it is empty.
    #[must_use]
    pub fn radius(&self) -> f64 {
        self.sphere.radius
    }

    /// The cube in the world: nine multiplications, the same size at every rotation but for
    /// rounding.
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
