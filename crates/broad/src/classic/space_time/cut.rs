//! The hyperplane that cuts a horn (Hubbard 1993; Zachmann 1994, 2.7).
//!
//! ```text
//!   along d                  If acceleration never points along d, nothing of the box gets ahead of the plane that
//!    |      cut  ____ /      moves with the velocity, so what the horn has beyond it is cut off. In space-time, the
//!    |  ____----    /        plane is a hyperplane.
//!    | /  horn ----
//!    |_\___________\_ time
//! ```

use xcollide_bounds::Aabb;

/// A plane that moves at constant speed and has a box behind it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// With a largest component of ±1.
    normal: [f64; 3],
    /// The height of the box along the normal at the first call.
    start: f64,
    /// By how much the plane moves in a call.
    speed: f64,
}

impl Cut {
    /// `None` for a direction of zeros, or one that is infinite.
    pub(super) fn new(start: &Aabb, velocity: [f64; 3], direction: [f64; 3]) -> Option<Self> {
        let largest = direction.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        if !(f64::MIN_POSITIVE..f64::INFINITY).contains(&largest) {
            return None;
        }
        let normal = direction.map(|value| value / largest);
        let speed = (0..3).map(|axis| normal[axis] * velocity[axis]).sum();
        Some(Self { normal, start: highest(normal, start), speed })
    }

    /// The height of the plane after some calls.
    #[inline]
    pub(super) fn height(&self, calls: u64) -> f64 {
        self.start + self.speed * calls as f64
    }

    /// The height of the lowest corner of a box.
    #[inline]
    pub(super) fn lowest(&self, aabb: &Aabb) -> f64 {
        -highest(self.normal.map(|value| -value), aabb)
    }

    /// Whether a box is behind the plane.
    pub(super) fn holds(&self, aabb: &Aabb, calls: u64) -> bool {
        highest(self.normal, aabb) <= self.height(calls)
    }

    /// A box around the part of a box that the plane has behind it at some time up to `calls`. A side of the box is moved
    /// only as far as rounding allows for.
    pub(super) fn clip(&self, aabb: &Aabb, calls: u64) -> Aabb {
        let height = self.start.max(self.height(calls));
        let lowest = self.lowest(aabb);
        let size = (0..3).fold(height.abs(), |most, axis| {
            most.max(aabb.min[axis].abs()).max(aabb.max[axis].abs())
        });
        // How far the part reaches above the lowest corner, and more than the roundings here.
        let room = height - lowest + size / (1_u64 << 44) as f64;
        let mut clipped = *aabb;
        for axis in 0..3 {
            let slope = self.normal[axis];
            if slope > 0.0 {
                clipped.max[axis] = clipped.max[axis].min(aabb.min[axis] + room / slope);
            } else if slope < 0.0 {
                clipped.min[axis] = clipped.min[axis].max(aabb.max[axis] + room / slope);
            }
        }
        // NaN where the box has no bounds; a plane in front of the whole box clips nothing that is there.
        if (0..3).all(|axis| clipped.min[axis] <= clipped.max[axis]) { clipped } else { *aabb }
    }
}

/// The height of the highest corner of a box.
#[inline]
fn highest(normal: [f64; 3], aabb: &Aabb) -> f64 {
    let top = |axis: usize| {
        let slope = normal[axis];
        // Without a product of zero and infinity.
        match slope {
            0.0 => 0.0,
            _ => slope * if slope > 0.0 { aabb.max[axis] } else { aabb.min[axis] },
        }
    };
    top(0) + top(1) + top(2)
}
