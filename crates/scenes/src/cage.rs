//! Objects that bounce about in a cage: the scene on which the sources measured whole pipelines
//! (Zachmann 1994, 3.6.4 and 6.6; I-COLLIDE 5.3).

use crate::poses::{product, unit};
use crate::{Placement, Poses};

/// A cubic cage about the origin with bodies that move straight on and spin, and turn round at its
/// walls. The same seed gives the same motion, bit for bit, on every platform.
///
/// Bodies go through each other, unless somebody who detects collisions makes them
/// [bounce](Self::bounce).
///
/// ```
/// use xcollide_scenes::Cage;
///
/// // Ten bodies; a step of 0.1 and a turn of 10 degrees a frame.
/// let mut cage = Cage::new(1, 10, 5.0).motion(0.1, 10.0_f64.to_radians());
/// let before = cage.bodies()[3].placement;
/// cage.step();
/// let after = cage.bodies()[3].placement;
/// let moved: f64 = (0..3).map(|k| (after.translation[k] - before.translation[k]).powi(2)).sum();
/// assert!((moved.sqrt() - 0.1).abs() < 1e-12);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Cage {
    half: f64,
    bodies: Vec<Body>,
}

/// A body in a [`Cage`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Where it is.
    pub placement: Placement,
    /// How far it moves in a frame.
    pub velocity: [f64; 3],
    /// About which axis it spins, a unit vector.
    pub axis: [f64; 3],
    /// How it turns in a frame, as the unit quaternion (x, y, z, w).
    pub spin: [f64; 4],
}

impl Cage {
    /// So many bodies, placed anyhow in a cage of side `2 * half`. They rest.
    #[must_use]
    pub fn new(seed: u64, count: usize, half: f64) -> Self {
        let mut poses = Poses::new(seed);
        let body = |_| {
            let placement = poses.within(half);
            let (velocity, axis) = (poses.direction(), poses.direction());
            Body { placement, velocity, axis, spin: Placement::IDENTITY.rotation }
        };
        let bodies = (0..count).map(body).collect();
        Self { half, bodies }.motion(0.0, 0.0)
    }

    /// A cage that so many bodies of a volume each fill to a density: the ratio of the bodies' volume
    /// to that of the cage, which I-COLLIDE varies.
    #[must_use]
    pub fn with_density(seed: u64, count: usize, volume: f64, density: f64) -> Self {
        Self::new(seed, count, 0.5 * libm::cbrt(count as f64 * volume / density))
    }

    /// Sets how far every body moves in a frame, in directions of its own, and by what angle it
    /// turns.
    #[must_use]
    pub fn motion(mut self, step: f64, angle: f64) -> Self {
        let (sine, cosine) = (libm::sin(0.5 * angle), libm::cos(0.5 * angle));
        for body in &mut self.bodies {
            let [x, y, z] = body.velocity;
            let length = (x * x + y * y + z * z).sqrt();
            // Directions outlive a speed of 0: they are those of the axes then.
            let way = if length > 0.0 { body.velocity.map(|v| v / length) } else { body.axis };
            body.velocity = way.map(|v| v * step);
            let [x, y, z] = body.axis;
            body.spin = [sine * x, sine * y, sine * z, cosine];
        }
        self
    }

    /// Half the side of the cage.
    #[must_use]
    pub fn half(&self) -> f64 {
        self.half
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Moves all bodies by a frame.
    pub fn step(&mut self) {
        for body in &mut self.bodies {
            let Body { placement, velocity, spin, .. } = body;
            placement.rotation = unit(product(*spin, placement.rotation));
            for axis in 0..3 {
                let at = placement.translation[axis];
                if at < -self.half {
                    velocity[axis] = velocity[axis].abs();
                } else if at > self.half {
                    velocity[axis] = -velocity[axis].abs();
                }
                placement.translation[axis] = at + velocity[axis];
            }
        }
    }

    /// Makes two bodies bounce as I-COLLIDE does it: they exchange their velocities, "to simulate an
    /// elastic reaction"; turned so that they part.
    ///
    /// # Panics
    /// There are no such bodies.
    pub fn bounce(&mut self, i: usize, j: usize) {
        let (p, q) = (self.bodies[i].placement.translation, self.bodies[j].placement.translation);
        let (v, w) = (self.bodies[i].velocity, self.bodies[j].velocity);
        let approach: f64 = (0..3).map(|k| (q[k] - p[k]) * (v[k] - w[k])).sum();
        if approach > 0.0 {
            (self.bodies[i].velocity, self.bodies[j].velocity) = (w, v);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_stay_in_the_cage_and_keep_their_speed() {
        let mut cage = Cage::with_density(3, 50, 1.0, 0.1).motion(0.2, 0.3);
        assert!((cage.half() - 0.5 * libm::cbrt(500.0)).abs() < 1e-12);
        for frame in 0..1000 {
            cage.step();
            if frame % 7 == 0 {
                cage.bounce(frame % 50, (frame + 1) % 50);
            }
            for body in cage.bodies() {
                let outermost =
                    body.placement.translation.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
                assert!(outermost <= cage.half() + 0.21);
                let [x, y, z] = body.velocity;
                assert!(((x * x + y * y + z * z).sqrt() - 0.2).abs() < 1e-12);
                let length: f64 = body.placement.rotation.iter().map(|value| value * value).sum();
                assert!((length - 1.0).abs() < 1e-14);
            }
        }
    }
}
