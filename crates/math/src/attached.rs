//! Bodies at rest relative to one that moves.

use std::sync::Arc;

use crate::path::{Path, Speed};
use crate::pose::product;
use crate::vector::{length, sub};
use crate::{Pose, PoseError};

/// The path of a body at a fixed pose relative to another one, which moves: a tool in a hand, a wheel that is locked.
///
/// At each time its pose is that of the other, times the fixed one, rounded once.
///
/// ```
/// use xcollide_math::{Attached, Motion, Path, Pose};
///
/// let half_turn = Pose::from_axis_angle([0.0, 0.0, 1.0], 3.0, [0.0; 3])?;
/// let arm = Motion::linear(Pose::IDENTITY, half_turn)?;
/// let hand = Attached::new(arm, Pose::from_translation([2.0, 0.0, 0.0]))?;
/// let [x, y, _] = hand.at(0.5).translation();
/// assert!((x - 2.0 * 1.5f64.cos()).abs() < 1e-12 && (y - 2.0 * 1.5f64.sin()).abs() < 1e-12);
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attached<P> {
    base: P,
    local: Pose,
    /// The center of the base's path, in the frame of this body.
    center: [f64; 3],
    /// By how much that may be off.
    offset: f64,
    /// No translation of the base is longer.
    farthest: f64,
}

impl<P: Path> Attached<P> {
    /// The path of a body at the pose `local` in the frame of another with the path `base`.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn new(base: P, local: Pose) -> Result<Self, PoseError> {
        local.check()?;
        let start = base.at(0.0);
        start.check()?;
        let at = base.center();
        let center = local.inverse().apply(at);
        let sizes = length(at) + length(center) + length(local.translation());
        let offset = 1.002 * length(sub(local.apply(center), at)) + 16.0 * f64::EPSILON * sizes;
        let Speed { velocity, velocity_error, spin, spin_error } = base.speed(0.0, 1.0);
        let way = length(velocity) + velocity_error + (length(spin) + spin_error) * length(at);
        let farthest = 1.01 * (length(start.translation()) + way);
        Ok(Self { base, local, center, offset, farthest })
    }
}

impl<P: Path> Path for Attached<P> {
    fn at(&self, time: f64) -> Pose {
        let base = self.base.at(time);
        // Not as `*` does, which makes rows orthonormal where they drift: that would be a leap.
        let rotation = product(base.rotation(), self.local.rotation());
        Pose::from_parts(rotation, base.apply(self.local.translation()))
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }

    fn speed(&self, from: f64, to: f64) -> Speed {
        let mut speed = self.base.speed(from, to);
        speed.velocity_error += 1.002 * (length(speed.spin) + speed.spin_error) * self.offset;
        speed
    }

    /// That of the base, and with u = 2⁻⁵³: the entries of the product are off by 3.1u, and a coordinate by
    /// 4.1u(1.8 reach + |t|) when the pose is applied, and by as much of its translation.
    fn rounding(&self, reach: f64) -> f64 {
        let local = length(self.local.translation());
        let u = 0.5 * f64::EPSILON;
        let own = u * (32.0 * reach + 48.0 * local + 16.0 * self.farthest);
        self.base.rounding(1.001 * (reach + local)) + own
    }
}

/// The path that it points to.
impl<P: Path + Send + ?Sized> Path for Arc<P> {
    fn at(&self, time: f64) -> Pose {
        (**self).at(time)
    }

    fn center(&self) -> [f64; 3] {
        (**self).center()
    }

    fn speed(&self, from: f64, to: f64) -> Speed {
        (**self).speed(from, to)
    }

    fn rounding(&self, reach: f64) -> f64 {
        (**self).rounding(reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Motion;
    use crate::vector::add;

    type Outcome = Result<(), PoseError>;

    fn paths() -> Result<Vec<Attached<Motion>>, PoseError> {
        let end = Pose::from_axis_angle([1.0, 2.0, 2.0], 2.5, [3.0, -1.0, 4.0])?;
        let motions = [
            Motion::linear(Pose::IDENTITY, end)?,
            Motion::about([5.0, 0.0, 1.0], Pose::from_translation([7.0, 7.0, 7.0]), end)?,
            Motion::spinning([1.0; 3], end, [1.0, 0.0, -2.0], [0.0, 9.0, 40.0])?,
        ];
        let locals = [
            Pose::from_translation([0.0, 2.0, 0.0]),
            Pose::from_axis_angle([0.0, 1.0, 0.0], 1.0, [-4.0, 3.0, 9.0])?,
            // A rotation only nearly.
            Pose::from_matrix(
                [[1.0, 4e-7, 0.0], [0.0, 1.0, -3e-7], [0.0, 0.0, 1.0]],
                [1.0, 2.0, 3.0],
            )?,
        ];
        let all = motions.iter().flat_map(|&base| locals.map(|local| Attached::new(base, local)));
        all.collect()
    }

    /// At all times points are where the base has them, but for the stated rounding.
    #[test]
    fn points_are_where_the_base_has_them() -> Outcome {
        for path in paths()? {
            for step in 0..=64 {
                let time = f64::from(step) / 64.0;
                for point in [[1.0, 0.0, 0.0], [0.3, -2.0, 1.1], [0.0; 3]] {
                    let [own, carried] = [
                        path.at(time).apply(point),
                        path.base.at(time).apply(path.local.apply(point)),
                    ];
                    let off = length(sub(own, carried));
                    assert!(off <= path.rounding(length(point)), "{off} {path:?}");
                }
            }
        }
        Ok(())
    }

    /// Points move at the velocity that `speed` tells of them: between two close times by no more than the bound.
    #[test]
    fn points_move_as_the_speed_tells() -> Outcome {
        const STEPS: i32 = 1 << 12;
        for path in paths()? {
            for step in (0..STEPS).step_by(97) {
                let [from, to] = [step, step + 1].map(|k| f64::from(k) / f64::from(STEPS));
                let (before, after) = (path.at(from), path.at(to));
                let Speed { velocity, velocity_error, spin, spin_error } = path.speed(from, to);
                for point in [[1.0, 0.0, 0.0], [0.3, -2.0, 1.1]] {
                    let arm = sub(before.apply(point), before.apply(path.center()));
                    let [x, y, z] = crate::vector::cross(spin, arm);
                    let expected = add(velocity, [x, y, z]);
                    let time = to - from;
                    let moved = sub(after.apply(point), before.apply(point));
                    let off = length(sub(moved, expected.map(|rate| rate * time)));
                    let turned = (length(spin) + spin_error) * time;
                    let allowed = velocity_error * time
                        + (spin_error * time + turned * turned) * length(arm)
                        + 2.0 * path.rounding(length(point));
                    assert!(off <= allowed, "{off} > {allowed}");
                }
            }
        }
        Ok(())
    }
}
