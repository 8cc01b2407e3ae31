//! Paths of rigid bodies in time, with bounds on how fast they are.

use crate::Pose;
use crate::vector::{cross, dot, length};

/// The path of a rigid body: a pose for each time from 0 to 1, and bounds on how fast it changes.
///
/// [`at`](Self::at) *is* the path: a body touches another at a time if it does in the pose of that time.
/// [`speed`](Self::speed) bounds how far points move between two times, which is what proves that bodies are apart
/// throughout. [`Motion`](crate::Motion) is the path between two poses; a [`Pose`] is a path at rest.
///
/// An own path implements both; bounds that are too low make proofs wrong, and such that are too high cost time. The
/// stop of a wheel that turns by 3 radians in t² of the way:
///
/// ```
/// use xcollide_math::{Path, Pose, Speed};
///
/// struct Braked;
///
/// impl Path for Braked {
///     fn at(&self, time: f64) -> Pose {
///         let angle = 3.0 * (2.0 * time - time * time);
///         Pose::from_axis_angle([0.0, 0.0, 1.0], angle, [0.0; 3]).unwrap_or_default()
///     }
///
///     fn center(&self) -> [f64; 3] {
///         [0.0; 3]
///     }
///
///     fn speed(&self, from: f64, to: f64) -> Speed {
///         let [fastest, slowest] = [from, to].map(|time| 6.0 * (1.0 - time));
///         let mean = 0.5 * (fastest + slowest);
///         let spin_error = 0.5 * (fastest - slowest) + 1e-12;
///         Speed { spin: [0.0, 0.0, mean], spin_error, ..Speed::REST }
///     }
///
///     fn rounding(&self, reach: f64) -> f64 {
///         1e-13 * reach
///     }
/// }
/// ```
pub trait Path: Sync {
    /// The pose at a time from 0 to 1. The same time gives the same pose, bit for bit.
    fn at(&self, time: f64) -> Pose;

    /// The point, in the model's frame, that [`speed`](Self::speed) refers to.
    fn center(&self) -> [f64; 3];

    /// The speed in all moments between two times, `from ≤ to`.
    fn speed(&self, from: f64, to: f64) -> Speed;

    /// How far points at most `reach` from the model's origin, moved by [`Pose::apply`] of [`at`](Self::at), may be from
    /// where a path without rounding, whose speed is bounded by [`speed`](Self::speed), has them.
    fn rounding(&self, reach: f64) -> f64;

    /// Whether this is a translation at constant velocity: all points go straight and evenly from where [`at`](Self::at)
    /// has them at time 0 to where it has them at time 1, up to [`rounding`](Self::rounding), and the rotation is the same
    /// at both, bit for bit. `false`, the default, where it is not known.
    fn is_translation(&self) -> bool {
        false
    }
}

/// Bounds on the velocity of a rigid body during an interval of time.
///
/// A point whose arm, the vector from the center to it, is r has the velocity `v + ω × r + e`, in lengths per unit of
/// time in the world: v differs from `velocity` by at most `velocity_error`, ω from `spin` by at most δ, and e has at
/// most the length `ε |r|`, with `δ + ε = spin_error`. All lengths are Euclidean. Arms keep their length but for a
/// part in a thousand.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Speed {
    /// The velocity of the center.
    pub velocity: [f64; 3],
    /// By how much the velocity may differ from that.
    pub velocity_error: f64,
    /// The angular velocity: the axis, at the length of the radians per unit of time.
    pub spin: [f64; 3],
    /// By how much the angular velocity may differ from that, with all else that moves points against the center.
    pub spin_error: f64,
}

impl Speed {
    /// No motion.
    pub const REST: Self =
        Self { velocity: [0.0; 3], velocity_error: 0.0, spin: [0.0; 3], spin_error: 0.0 };

    /// The vector m for which a point with the arm r moves at the rate `velocity · direction + m · r` along a
    /// direction, but for the errors: `direction × spin`.
    #[inline]
    #[must_use]
    pub fn lever(&self, direction: [f64; 3]) -> [f64; 3] {
        cross(direction, self.spin)
    }

    /// How fast points get along a direction of length 1.
    #[inline]
    #[must_use]
    pub fn along(&self, direction: [f64; 3]) -> Progress {
        // A thousandth for the lengths of arms, and the rounding of all terms.
        let (arm, tiny) = (1.002, 16.0 * f64::EPSILON);
        let spin = length(self.spin);
        let most_spin = spin + self.spin_error;
        let lever = self.lever(direction);
        Progress {
            lever,
            rate: dot(self.velocity, direction)
                + self.velocity_error
                + tiny * length(self.velocity),
            rate_of_arm: arm * (self.spin_error + tiny * spin),
            change_of_arm: arm * most_spin * (0.501 * length(lever) + tiny * spin),
        }
    }

    /// How far a point with an arm of at most the length `arm` may be, at any moment of an interval of the length
    /// `duration`, from where it would be if it went straight and evenly from its first to its last position.
    ///
    /// Proof: `velocity + ω × r`, for the spin without error, changes at a rate of at most
    /// `|ω| (|ω| + spin_error) |r|`, and what changes at a rate of at most a is off by at most a/8 of the square of
    /// the duration. The rest of the velocity is at most e, and adds at most e/2 times the duration. The result is
    /// rounded up.
    #[inline]
    #[must_use]
    pub fn deviation(&self, arm: f64, duration: f64) -> f64 {
        let arm = 1.002 * arm;
        let spin = length(self.spin);
        let change = spin * (spin + self.spin_error) * arm;
        let errors = self.velocity_error + self.spin_error * arm;
        let tiny = 8.0 * f64::EPSILON * (length(self.velocity) + spin * arm);
        duration * (0.126 * change * duration + 0.501 * errors + tiny)
    }
}

/// How fast the points of a body get along a direction, by [`Speed::along`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The [lever](Speed::lever) of the direction.
    pub lever: [f64; 3],
    rate: f64,
    rate_of_arm: f64,
    change_of_arm: f64,
}

impl Progress {
    /// The rate, and half the change of the rate: in a time τ no point gets farther than `rate · τ + half_change · τ²`.
    ///
    /// The points have arms of at most the length `arm`, and at the beginning `lever · r` is at most `most`. Proof:
    /// `direction · (ω × r)` is `lever · r` plus at most `spin_error |r|`, and r changes at a rate of at most
    /// `(|spin| + spin_error) |r|`. The results are rounded up.
    #[inline]
    #[must_use]
    pub fn of(&self, most: f64, arm: f64) -> [f64; 2] {
        [self.rate + most + self.rate_of_arm * arm, self.change_of_arm * arm]
    }
}

/// At rest: the same pose at all times.
impl Path for Pose {
    fn at(&self, _time: f64) -> Pose {
        *self
    }

    fn center(&self) -> [f64; 3] {
        [0.0; 3]
    }

    fn speed(&self, _from: f64, _to: f64) -> Speed {
        Speed::REST
    }

    /// The rounding of [`Pose::apply`]: at most 4.1 · 2⁻⁵³ (1.8 reach + |t|) a coordinate.
    fn rounding(&self, reach: f64) -> f64 {
        let [x, y, z] = self.translation().map(f64::abs);
        f64::EPSILON * 4.0 * (1.8 * reach + x.max(y).max(z)) + f64::MIN_POSITIVE
    }

    fn is_translation(&self) -> bool {
        true
    }
}
