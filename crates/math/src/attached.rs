//! Bodies at rest or in motion relative to one that moves.

use std::sync::Arc;

use crate::path::{Path, Speed};
use crate::pose::product;
use crate::vector::{add, cross, dot, length, sub};
use crate::{Pose, PoseError};

/// The path of a body relative to another one, which moves: a tool in a hand, a wheel on a car.
///
/// The path in the frame of the other is a [`Pose`] for a body that is fixed to it. At each time the pose in the world is
/// that of the other, times the one relative to it, rounded once.
///
/// ```
/// use xcollide_math::{Attached, Motion, Path, Pose};
///
/// let half_turn = Pose::from_axis_angle([0.0, 0.0, 1.0], 3.0, [0.0; 3])?;
/// let arm = Motion::linear(Pose::IDENTITY, half_turn)?;
/// let hand = Attached::new(arm, Pose::from_translation([2.0, 0.0, 0.0]))?;
/// let [x, y, _] = hand.at(0.5).translation();
/// assert!((x - 2.0 * 1.5f64.cos()).abs() < 1e-12 && (y - 2.0 * 1.5f64.sin()).abs() < 1e-12);
///
/// // A slide on the arm, from its end to the axis.
/// let [out, home] = [2.0, 0.0].map(|x| Pose::from_translation([x, 0.0, 0.0]));
/// let slide = Attached::new(arm, Motion::linear(out, home)?)?;
/// let [x, y, _] = slide.at(0.5).translation();
/// assert!((x - 1.5f64.cos()).abs() < 1e-12 && (y - 1.5f64.sin()).abs() < 1e-12);
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attached<P, L = Pose> {
    base: P,
    local: L,
    /// In the frame of this body: the center of the base's path if the body is fixed to it, else that of its own path.
    center: [f64; 3],
    /// If the body is fixed to the base: by how much the center may be off.
    offset: Option<f64>,
    /// No translation of the base, or of the path relative to it, is longer.
    farthest: [f64; 2],
}

/// The angular velocity of the base turns, and stretches, that of the other path: how matrices differ during a step.
struct Turn {
    /// By how much a matrix of the base may differ from the one in the middle of the step.
    change: f64,
    /// How far it is from orthonormal.
    skew: f64,
}

impl<P: Path, L: Path> Attached<P, L> {
    /// The path of a body whose path in the frame of another is `local`, and that of the other is `base`.
    ///
    /// # Errors
    /// A number is not finite.
    pub fn new(base: P, local: L) -> Result<Self, PoseError> {
        let [start, at_first] = [base.at(0.0), local.at(0.0)];
        start.check()?;
        at_first.check()?;
        let is_fixed = local.speed(0.0, 1.0) == Speed::REST;
        let (center, offset) = if is_fixed {
            let at = base.center();
            let center = at_first.inverse().apply(at);
            let sizes = length(at) + length(center) + length(at_first.translation());
            let off = length(sub(at_first.apply(center), at));
            (center, Some(1.002 * off + 16.0 * f64::EPSILON * sizes))
        } else {
            (local.center(), None)
        };
        let farthest = [farthest(&base), farthest(&local)];
        Ok(Self { base, local, center, offset, farthest })
    }

    /// How the base turns between two times.
    fn turn(&self, Speed { spin, spin_error, .. }: Speed, middle: &Pose, half: f64) -> Turn {
        // By how much an entry of the matrix, and its norm, may be rounded.
        let rounded = 8.0 * self.base.rounding(1.0);
        let [r, s, t] = middle.rotation();
        let products = [
            dot(*r, *r) - 1.0,
            dot(*s, *s) - 1.0,
            dot(*t, *t) - 1.0,
            2.0 * dot(*r, *s),
            2.0 * dot(*s, *t),
            2.0 * dot(*t, *r),
        ];
        let skew = products.iter().map(|product| product.abs()).sum::<f64>();
        Turn {
            change: 1.002 * (length(spin) + spin_error) * half + rounded,
            skew: skew + 2.01 * spin_error * half + 2.0 * rounded + 16.0 * f64::EPSILON,
        }
    }
}

/// A bound on the lengths of all translations of a path.
fn farthest(path: &impl Path) -> f64 {
    let Speed { velocity, velocity_error, spin, spin_error } = path.speed(0.0, 1.0);
    let turning = (length(spin) + spin_error) * length(path.center());
    1.01 * (length(path.at(0.0).translation()) + length(velocity) + velocity_error + turning)
}

impl<P: Path, L: Path> Path for Attached<P, L> {
    fn at(&self, time: f64) -> Pose {
        let (base, local) = (self.base.at(time), self.local.at(time));
        // Not as `*` does, which makes rows orthonormal where they drift: that would be a leap.
        let rotation = product(base.rotation(), local.rotation());
        Pose::from_parts(rotation, base.apply(local.translation()))
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }

    /// Let the base turn by R(t) about its center, with the angular velocity ω up to errors, and let a be the vector from
    /// there to the center of this path, in the world. With the velocity v and the angular velocity ω' of the other path, the
    /// center has the velocity of the base's, plus `ω × a + R v`, and the angular velocity is `ω + R ω'`. R and a are taken in
    /// the middle of the time, so that the errors are of first order in its length:
    ///
    /// - R differs from that by less than |ω| times half the time, and a by less than the way of the center;
    /// - R [ω'] R⁻¹ differs from [R ω'] by at most 4h|ω'| if R Rᵀ differs from the identity by h ≤ 0.003, and that changes at a
    ///   rate of twice the error of ω.
    fn speed(&self, from: f64, to: f64) -> Speed {
        let base = self.base.speed(from, to);
        if let Some(offset) = self.offset {
            let off = 1.002 * (length(base.spin) + base.spin_error) * offset;
            return Speed { velocity_error: base.velocity_error + off, ..base };
        }
        let local = self.local.speed(from, to);
        let middle = 0.5 * (from + to);
        let half = 0.5 * (to - from) + f64::EPSILON;
        let (of_base, of_local) = (self.base.at(middle), self.local.at(middle));
        let Turn { change, skew } = self.turn(base, &of_base, half);
        let tiny = 32.0 * f64::EPSILON;

        let (spin, of_local_spin) = (length(base.spin), length(local.spin));
        let most_spin = spin + base.spin_error;
        let of_local_velocity = length(local.velocity);
        let most_velocity = of_local_velocity + local.velocity_error;
        let at_center = self.base.center();
        let own = of_local.apply(self.center);
        let arm = sub(own, at_center);
        let arm_error = 2.0 * self.local.rounding(length(self.center))
            + tiny * (length(own) + length(at_center));
        let longest_arm = 1.002 * (length(arm) + arm_error + half * most_velocity);
        let arm_change = half * (most_spin * longest_arm + 1.002 * most_velocity)
            + change * length(arm)
            + 1.002 * arm_error;

        let arm_now = of_base.rotate(arm);
        let velocity =
            add(add(base.velocity, cross(base.spin, arm_now)), of_base.rotate(local.velocity));
        let sizes = length(base.velocity) + spin * length(arm) + of_local_velocity;
        let velocity_error = base.velocity_error
            + spin * arm_change
            + base.spin_error * longest_arm
            + 1.002 * local.velocity_error
            + change * of_local_velocity
            + tiny * sizes;
        Speed {
            velocity,
            velocity_error: 1.001 * velocity_error,
            spin: add(base.spin, of_base.rotate(local.spin)),
            spin_error: 1.001
                * (base.spin_error
                    + 1.01 * local.spin_error
                    + (change + 4.0 * skew.min(3e-3) + tiny) * of_local_spin
                    + tiny * spin),
        }
    }

    /// Those of both paths, and with u = 2⁻⁵³: the entries of the product are off by 3.1u, and a coordinate by
    /// 4.1u(1.8 reach + |t|) when the pose is applied, and by as much of its translation.
    fn rounding(&self, reach: f64) -> f64 {
        let [base, local] = self.farthest;
        let u = 0.5 * f64::EPSILON;
        let own = u * (32.0 * reach + 48.0 * local + 16.0 * base);
        let of_local = if self.offset.is_some() { 0.0 } else { 1.001 * self.local.rounding(reach) };
        self.base.rounding(1.001 * (reach + local)) + of_local + own
    }

    fn is_translation(&self) -> bool {
        self.base.is_translation() && self.local.is_translation()
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

    fn is_translation(&self) -> bool {
        (**self).is_translation()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Motion;
    use crate::vector::scale;

    type Outcome = Result<(), PoseError>;

    fn motions() -> Result<[Motion; 4], PoseError> {
        let end = Pose::from_axis_angle([1.0, 2.0, 2.0], 2.5, [3.0, -1.0, 4.0])?;
        Ok([
            Motion::linear(Pose::IDENTITY, end)?,
            Motion::about([5.0, 0.0, 1.0], Pose::from_translation([7.0, 7.0, 7.0]), end)?,
            Motion::spinning([1.0; 3], end, [1.0, 0.0, -2.0], [0.0, 9.0, 40.0])?,
            Motion::linear(end, end.with_translation([-5.0, 2.0, 1.0]))?,
        ])
    }

    /// All kinds of bases, each with a path of each kind relative to it.
    fn for_all_paths(check: impl Fn(&dyn Path, &dyn Path, &dyn Path)) -> Outcome {
        let skewed = Pose::from_matrix(
            [[1.0, 4e-7, 0.0], [0.0, 1.0, -3e-7], [0.0, 0.0, 1.0]],
            [1.0, 2.0, 3.0],
        )?;
        let poses = [
            Pose::from_translation([0.0, 2.0, 0.0]),
            Pose::from_axis_angle([0.0, 1.0, 0.0], 1.0, [-4.0, 3.0, 9.0])?,
            // A rotation only nearly.
            skewed,
        ];
        for base in motions()? {
            for local in poses {
                check(&Attached::new(base, local)?, &base, &local);
                check(&Attached::new(local, base)?, &local, &base);
            }
            for local in motions()? {
                let twice = Attached::new(base, local)?;
                check(&twice, &base, &local);
                check(&Attached::new(twice, local)?, &twice, &local);
                check(&Attached::new(base, twice)?, &base, &twice);
                let bent = Attached::new(skewed, twice)?;
                check(&Attached::new(bent, local)?, &bent, &local);
            }
        }
        Ok(())
    }

    /// At all times points are where the base has them, but for the stated rounding.
    #[test]
    fn points_are_where_the_base_has_them() -> Outcome {
        for_all_paths(|path, base, local| {
            for step in 0..=64 {
                let time = f64::from(step) / 64.0;
                for point in [[1.0, 0.0, 0.0], [0.3, -2.0, 1.1], [0.0; 3]] {
                    let carried = base.at(time).apply(local.at(time).apply(point));
                    let off = length(sub(path.at(time).apply(point), carried));
                    assert!(off <= path.rounding(length(point)), "{off} at {time}");
                }
            }
        })
    }

    /// Points move at the velocity that `speed` tells of them: between two close times by no more than the bound. Over such
    /// times the bound is narrow.
    #[test]
    fn points_move_as_the_speed_tells() -> Outcome {
        const STEPS: i32 = 1 << 12;
        for_all_paths(|path, _, _| {
            for step in (0..STEPS).step_by(97) {
                let [from, to] = [step, step + 1].map(|k| f64::from(k) / f64::from(STEPS));
                let (before, after) = (path.at(from), path.at(to));
                let Speed { velocity, velocity_error, spin, spin_error } = path.speed(from, to);
                let time = to - from;
                for point in [[1.0, 0.0, 0.0], [0.3, -2.0, 1.1], path.center()] {
                    let arm = sub(before.apply(point), before.apply(path.center()));
                    let expected = add(velocity, cross(spin, arm));
                    let moved = sub(after.apply(point), before.apply(point));
                    let off = length(sub(moved, expected.map(|rate| rate * time)));
                    let turned = (length(spin) + spin_error) * time;
                    let allowed = velocity_error * time
                        + (spin_error * time + turned * turned) * length(arm)
                        + 2.0 * path.rounding(length(point));
                    assert!(off <= allowed, "{off} > {allowed}");
                }
                let fastest = length(velocity) + length(spin);
                assert!(
                    velocity_error + spin_error <= 0.1 * fastest,
                    "{velocity_error} {spin_error}"
                );
            }
        })
    }

    /// Over any time, far moments included, points stay within the bound of the whole.
    #[test]
    fn points_stay_within_the_bound_of_a_long_time() -> Outcome {
        for_all_paths(|path, _, _| {
            for (from, to) in [(0.0, 1.0), (0.0, 0.4), (0.3, 0.8)] {
                let Speed { velocity, velocity_error, spin, spin_error } = path.speed(from, to);
                for step in 0..256 {
                    let [earlier, later] =
                        [step, step + 1].map(|k| from + (to - from) * f64::from(k) / 256.0);
                    let (before, after) = (path.at(earlier), path.at(later));
                    let time = later - earlier;
                    for point in [[0.3, -2.0, 1.1], path.center()] {
                        let arm = sub(before.apply(point), before.apply(path.center()));
                        let expected = add(velocity, cross(spin, arm));
                        let moved = sub(after.apply(point), before.apply(point));
                        let off = length(sub(moved, scale(expected, time)));
                        let turned = (length(spin) + spin_error) * time;
                        let allowed = velocity_error * time
                            + (spin_error * time + turned * turned) * length(arm)
                            + 2.0 * path.rounding(length(point));
                        assert!(off <= allowed, "{off} > {allowed}");
                    }
                }
            }
        })
    }

    /// A translation of a translation is one, and nothing else.
    #[test]
    fn translations_are_told() -> Outcome {
        let [turning, _, _, sliding] = motions()?;
        let resting = *sliding.start();
        assert!(resting.is_translation() && sliding.is_translation() && !turning.is_translation());
        let is = |path: &dyn Path| path.is_translation();
        assert!(is(&Attached::new(sliding, sliding)?) && is(&Attached::new(sliding, resting)?));
        assert!(is(&Arc::new(Attached::new(resting, sliding)?)));
        assert!(!is(&Attached::new(turning, resting)?) && !is(&Attached::new(sliding, turning)?));
        let both = Attached::new(sliding, sliding)?;
        assert_eq!(both.at(0.0).rotation(), both.at(1.0).rotation());
        Ok(())
    }
}
