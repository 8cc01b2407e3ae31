//! How fast the vertices of a [`MovingMesh`] go, as bounds on a path.

use xcollide_math::vector::{add, largest, length, scale, sub};
use xcollide_math::{Path, Pose, Speed};

use super::MovingMesh;

/// The motion of all points of a mesh whose vertices move linearly: one velocity, and by how much that of a point may
/// differ. The mesh itself is in the world at each time, so the pose is the identity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Drift {
    speed: Speed,
    /// The largest magnitude of a coordinate.
    reach: f64,
}

impl Drift {
    /// Linear time.
    pub(super) fn of(mesh: &MovingMesh) -> Self {
        let (mut low, mut high, mut reach) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3], 0.0_f64);
        for &vertex in mesh.model().used_vertices() {
            let moving = mesh.vertex(vertex);
            let way = sub(moving.end, moving.start);
            for axis in 0..3 {
                low[axis] = low[axis].min(way[axis]);
                high[axis] = high[axis].max(way[axis]);
            }
            reach = reach.max(largest(moving.start)).max(largest(moving.end));
        }
        if reach == 0.0 {
            return Self { speed: Speed::REST, reach };
        }
        let velocity = scale(add(low, high), 0.5);
        let [x, y] = [sub(high, velocity), sub(velocity, low)];
        let farthest = [0, 1, 2].map(|axis| x[axis].max(y[axis]));
        // Ways, their sum and the differences are each rounded once, to numbers that are not larger than twice the reach.
        let rounding = 8.0 * f64::EPSILON * reach;
        let velocity_error = length(farthest) * (1.0 + 8.0 * f64::EPSILON) + rounding;
        Self { speed: Speed { velocity, velocity_error, ..Speed::REST }, reach }
    }

    /// No point is ever farther from the origin.
    pub(super) fn farthest(&self) -> f64 {
        1.8 * self.reach
    }
}

impl Path for Drift {
    fn at(&self, _time: f64) -> Pose {
        Pose::IDENTITY
    }

    fn center(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn speed(&self, _from: f64, _to: f64) -> Speed {
        self.speed
    }

    /// Of [`MovingMesh::positions_at`]: two products and a sum, and the part of the time that is left.
    fn rounding(&self, _reach: f64) -> f64 {
        8.0 * f64::EPSILON * self.reach + f64::MIN_POSITIVE
    }
}
