//! When a shape that moves straight first meets another one.
//!
//! The distance of two convex shapes is a convex function of the time. At any time a plane between them bounds it from below for
//! all times, so the time at which that bound is zero is reached without contact: the steps are those of Newton's method, and of
//! ray casting by support mappings (van den Bergen, *Ray casting against general convex objects with application to
//! continuous collision detection*, 2004). They end where rounding hides the gap. From there small steps further prove contact.

use super::Shape;
use super::gap::ShapeVerdict;
use super::placed::PlacedShape;
use crate::body::UNIT;
use xcollide_math::vector::{dot, scale, taxicab};

/// Whether and when a moving shape meets another one: times are from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ShapeCast {
    /// They do not meet: proved.
    Misses,
    /// They meet: proved.
    Meets {
        /// Before the first time they do not meet, at the second one they do.
        time: [f64; 2],
        /// A point of the resting shape that is nearest to the moving one at the first time, rounded.
        point: [f64; 3],
        /// From the resting shape to the moving one there, of length 1, rounded; zero if they meet at time 0.
        normal: [f64; 3],
    },
    /// They come so near that rounding hides whether they meet: before this time they do not.
    Undecided {
        /// The time.
        time: f64,
        /// As of `Meets`.
        point: [f64; 3],
        /// As of `Meets`.
        normal: [f64; 3],
    },
}

/// Steps that end where the shapes nearly touch all the way.
const MOST_STEPS: usize = 100;

impl<A: Shape + ?Sized> PlacedShape<'_, A> {
    /// When another shape first meets this one, which rests, if the other one moves by `way` between the times 0 and 1.
    ///
    /// A contact is found within the margin in which [`collide`](Self::collide) is undecided, over the speed of approach.
    ///
    /// ```
    /// use xcollide_math::Pose;
    /// use xcollide_convex::shape::{Ball, Cone, PlacedShape, ShapeCast};
    ///
    /// let (cone, ball) = (Cone::new(1.0, 1.0)?, Ball::new(0.5)?);
    /// let cone = PlacedShape::new(&cone, &Pose::IDENTITY)?;
    /// let ball = PlacedShape::new(&ball, &Pose::from_translation([0.0, 0.0, -5.5]))?;
    /// let ShapeCast::Meets { time, .. } = cone.cast(&ball, [0.0, 0.0, 8.0]) else { return Err("missed".into()) };
    /// assert!(time[0] <= 0.5 && 0.5 <= time[1] && time[1] - time[0] < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cast<B: Shape + ?Sized>(&self, other: &PlacedShape<'_, B>, way: [f64; 3]) -> ShapeCast {
        let at = |time: f64| other.translated(scale(way, time));
        // The translations at a time, and products with the speed.
        let coordinates = taxicab(other.center()) + taxicab(way);
        let rounding = 8.0 * UNIT * coordinates;
        let (mut time, mut speed) = (0.0, 0.0);
        let (mut point, mut normal) = (self.inner_point(), [0.0; 3]);
        for _ in 0..MOST_STEPS {
            let found = self.distance(&at(time));
            if normal == [0.0; 3] {
                point = found.points[0];
            }
            let gap = found.at_least - rounding;
            if gap <= 0.0 {
                break;
            }
            (point, normal) = (found.points[0], found.direction);
            speed = -dot(normal, way);
            // The plane between them stays one unless they approach.
            if gap - (speed + rounding) * (1.0 - time) > 0.0 {
                return ShapeCast::Misses;
            }
            let next = time + gap / (speed + rounding) * (1.0 - 8.0 * UNIT);
            if next <= time {
                break;
            }
            time = next;
        }
        let (mut from, mut step) = (time, 4.0 * (rounding + self.error + other.error));
        step /= if speed > 0.0 { speed } else { taxicab(way).max(f64::MIN_POSITIVE) };
        let mut to = from;
        loop {
            match self.collide(&at(to)) {
                ShapeVerdict::Collides(_) => {
                    return ShapeCast::Meets { time: [from, to], point, normal };
                }
                // They approach that plane, so they were apart before.
                ShapeVerdict::Apart(plane) if -dot(plane.normal, way) > rounding => from = to,
                // Past it.
                ShapeVerdict::Apart(_) if to > from => break,
                _ => {}
            }
            if to >= 1.0 || step.is_nan() {
                break;
            }
            to = (from + step).min(1.0);
            step *= 2.0;
        }
        ShapeCast::Undecided { time: from, point, normal }
    }
}
