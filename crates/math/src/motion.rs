//! The motion from one pose to another at constant velocity and constant angular velocity.

use crate::path::{Path, Speed};
use crate::pose::{finite, product, rotated};
use crate::vector::{add, cross, dot, largest, length, scale, sub, unit};
use crate::{Pose, PoseError};

/// A motion from a pose, at time 0, to another, at time 1: a chosen point of the body moves along a line at constant
/// velocity, and the body turns about it at constant angular velocity (translation and spherical linear
/// interpolation, Shoemake 1985).
///
/// At time 0 and 1 it has the given poses bit for bit. Between them the rotation is
/// `exp(t·ω) (R₀ + t·D)`, where D, of some 1e-16 for matrices that are rotations to the last bit and at most 1e-4 for
/// any [`Pose`], makes the end exact.
///
/// ```
/// use xcollide_math::{Motion, Path, Pose};
///
/// let quarter_turn = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
/// let end = Pose::from_matrix(quarter_turn, [4.0, 0.0, 0.0])?;
/// let motion = Motion::linear(Pose::IDENTITY, end)?;
/// assert_eq!(motion.at(1.0), end);
/// let halfway = motion.at(0.5);
/// assert_eq!(halfway.translation(), [2.0, 0.0, 0.0]);
/// assert!((halfway.rotation()[1][0] - 0.5_f64.sqrt()).abs() < 1e-15);
///
/// // About another point of the body, which then moves along a line.
/// let hinge = [1.0, 0.0, 0.0];
/// let swing = Motion::about(hinge, Pose::IDENTITY, end)?;
/// assert!((swing.at(0.5).apply(hinge)[0] - 0.5 * (1.0 + end.apply(hinge)[0])).abs() < 1e-15);
/// # Ok::<(), xcollide_math::PoseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Motion {
    start: Pose,
    end: Pose,
    /// The point that moves along a line, in the frame of the model.
    center: [f64; 3],
    /// Where it is at first.
    from: [f64; 3],
    velocity: [f64; 3],
    /// The direction of the axis, of length 1, or zeros.
    axis: [f64; 3],
    /// Radians per unit of time, not negative.
    angle: f64,
    /// D.
    residual: [[f64; 3]; 3],
}

impl Motion {
    /// From one pose to another: the origin of the model moves along a line, and the model turns the shorter way. If
    /// the rotations are the same, bit for bit, it does not turn at all.
    ///
    /// # Errors
    /// A translation is not finite, or their difference overflows.
    pub fn linear(start: Pose, end: Pose) -> Result<Self, PoseError> {
        Self::about([0.0; 3], start, end)
    }

    /// As [`linear`](Self::linear), but it is this point of the model, in its own frame, that moves along a line.
    ///
    /// # Errors
    /// A number is not finite, or the way overflows.
    pub fn about(center: [f64; 3], start: Pose, end: Pose) -> Result<Self, PoseError> {
        let (axis, angle) = between(&start, &end);
        Self::with_spin(center, start, end, axis, angle)
    }

    /// The screw motion from one pose to another (Chasles): about an axis in space and along it, both at constant
    /// speed, by the shorter way. Without rotation there is no axis, and it is a translation.
    ///
    /// # Errors
    /// A translation is not finite, or the way overflows.
    pub fn screw(start: Pose, end: Pose) -> Result<Self, PoseError> {
        let (axis, angle) = between(&start, &end);
        let way = sub(end.translation(), start.translation());
        let across = sub(way, scale(axis, dot(way, axis)));
        let (sine, cosine) = libm::sincos(0.5 * angle);
        // From the origin of the model to the nearest point of the axis, in the world.
        let to_axis = scale(add(across, scale(cross(axis, across), cosine / sine)), 0.5);
        // Of no angle, NaN.
        let is_near = largest(to_axis) <= 1e6 * (1.0 + largest(way));
        if angle == 0.0 || !is_near {
            return Self::with_spin([0.0; 3], start, end, axis, angle);
        }
        let [r, s, t] = start.rotation();
        let center = [0, 1, 2].map(|k| r[k] * to_axis[0] + s[k] * to_axis[1] + t[k] * to_axis[2]);
        Self::with_spin(center, start, end, axis, angle)
    }

    /// From a pose on, for one unit of time: a point of the model, in its own frame, at constant `velocity`, and the
    /// model about it with the angular velocity `spin`, the axis at the length of the radians, any number of turns.
    /// Both are in world coordinates.
    ///
    /// # Errors
    /// A number is not finite, or the way overflows.
    pub fn spinning(
        center: [f64; 3],
        start: Pose,
        velocity: [f64; 3],
        spin: [f64; 3],
    ) -> Result<Self, PoseError> {
        finite("axis", &spin)?;
        finite("translation", &velocity)?;
        let angle = length(spin);
        finite("angle", &[angle])?;
        let axis = unit(spin).unwrap_or([0.0; 3]);
        let angle = if axis == [0.0; 3] { 0.0 } else { angle };
        let turned = product(&turn(axis, angle), start.rotation());
        let from = start.apply(center);
        let translation = sub(add(from, velocity), rotated(&turned, center));
        let end = Pose::from_parts(turned, translation);
        Self::with_spin(center, start, end, axis, angle)
    }

    fn with_spin(
        center: [f64; 3],
        start: Pose,
        end: Pose,
        axis: [f64; 3],
        angle: f64,
    ) -> Result<Self, PoseError> {
        finite("translation", &center)?;
        start.check()?;
        end.check()?;
        let from = start.apply(center);
        let velocity = sub(end.apply(center), from);
        finite("translation", &from)?;
        finite("translation", &velocity)?;
        let back = turn(axis, -angle);
        let residual = if angle == 0.0 {
            difference(end.rotation(), start.rotation())
        } else {
            difference(&product(&back, end.rotation()), start.rotation())
        };
        Ok(Self { start, end, center, from, velocity, axis, angle, residual })
    }

    /// The pose at time 0.
    #[must_use]
    pub const fn start(&self) -> &Pose {
        &self.start
    }

    /// The pose at time 1.
    #[must_use]
    pub const fn end(&self) -> &Pose {
        &self.end
    }

    /// The same motion backwards. The poses between the ends are rounded on their own.
    ///
    /// # Errors
    /// None where this motion is finite.
    pub fn reversed(&self) -> Result<Self, PoseError> {
        let axis = scale(self.axis, -1.0);
        Self::with_spin(self.center, self.end, self.start, axis, self.angle)
    }
}

impl Path for Motion {
    /// Times before 0 are 0, times after 1 are 1; NaN is 0.
    fn at(&self, time: f64) -> Pose {
        if time >= 1.0 {
            return self.end;
        }
        if time.is_nan() || time <= 0.0 {
            return self.start;
        }
        let mut rotation = *self.start.rotation();
        for (row, residual) in rotation.iter_mut().zip(&self.residual) {
            *row = add(*row, scale(*residual, time));
        }
        if self.angle > 0.0 {
            rotation = product(&turn(self.axis, time * self.angle), &rotation);
        }
        let center = add(self.from, scale(self.velocity, time));
        // Nothing is subtracted where the center is the origin.
        Pose::from_parts(rotation, sub(center, rotated(&rotation, self.center)))
    }

    fn center(&self) -> [f64; 3] {
        self.center
    }

    fn speed(&self, _from: f64, _to: f64) -> Speed {
        // Frobenius; a thousandth for the lengths of arms and all rounding.
        let residual = self.residual.as_flattened().iter().map(|x| x * x).sum::<f64>().sqrt();
        let tiny = 8.0 * f64::EPSILON;
        Speed {
            velocity: self.velocity,
            velocity_error: tiny * length(self.velocity),
            spin: scale(self.axis, self.angle),
            spin_error: 1.001 * residual + tiny * self.angle,
        }
    }

    /// With u = 2⁻⁵³ and an angle of α radians: the sine and the cosine are off by (α + 2)u, an entry of the turn by
    /// (2α + 6)u and one of the rotation by (3.5α + 18)u. A coordinate of a turned vector of length r is off by
    /// (6.1α + 35)ur, of a sum of these with the center and the translation by 6u of their coordinates more; and a
    /// point by √3 times as much.
    fn rounding(&self, reach: f64) -> f64 {
        let turned = reach + length(self.center);
        let moved = largest(self.from) + largest(self.velocity) + largest(self.end.translation());
        let u = 0.5 * f64::EPSILON;
        u * ((11.0 * self.angle + 64.0) * turned + 16.0 * moved) + f64::MIN_POSITIVE
    }

    fn is_translation(&self) -> bool {
        self.angle == 0.0 && self.start.rotation() == self.end.rotation()
    }
}

/// The axis, of length 1, and the angle from 0 to π of the rotation from one pose to another.
fn between(start: &Pose, end: &Pose) -> ([f64; 3], f64) {
    if start.rotation() == end.rotation() {
        return ([0.0; 3], 0.0);
    }
    let ([a, b, c], e) = (*start.rotation(), end.rotation());
    let transposed = [0, 1, 2].map(|k| [a[k], b[k], c[k]]);
    let turned = Pose::from_parts(product(e, &transposed), [0.0; 3]);
    let [x, y, z, w] = turned.to_quaternion();
    let side = if w < 0.0 { -1.0 } else { 1.0 };
    let sine = length([x, y, z]);
    let angle = 2.0 * libm::atan2(sine, w.abs());
    match unit([x, y, z]) {
        Some(axis) if angle > 0.0 => (scale(axis, side), angle),
        _ => ([0.0; 3], 0.0),
    }
}

/// The matrix that turns about an axis of length 1 (Rodrigues); the identity for an axis of zeros and angle 0.
fn turn([x, y, z]: [f64; 3], angle: f64) -> [[f64; 3]; 3] {
    let (sine, cosine) = libm::sincos(angle);
    // 1 − cosine without cancellation.
    let half = libm::sin(0.5 * angle);
    let rest = 2.0 * half * half;
    let [sx, sy, sz] = [x * sine, y * sine, z * sine];
    let entry = |a: f64, b: f64| rest * (a * b);
    [
        [cosine + entry(x, x), entry(x, y) - sz, entry(x, z) + sy],
        [entry(x, y) + sz, cosine + entry(y, y), entry(y, z) - sx],
        [entry(x, z) - sy, entry(y, z) + sx, cosine + entry(z, z)],
    ]
}

fn difference(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
    [0, 1, 2].map(|row| sub(a[row], b[row]))
}

#[cfg(test)]
mod tests;
