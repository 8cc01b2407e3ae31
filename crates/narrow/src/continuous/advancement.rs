//! Conservative advancement (Mirtich 1996) by the distance of the whole models: while their distance exceeds a tolerance
//! by more than bounds on their motion let it shrink, they stay farther apart than that. Each step needs one query of the
//! distance, and is verified by one. Whether something is near at a time is decided at the poses of that time.

use xcollide_math::Speed;
use xcollide_math::vector::{largest, length, sub};

use super::separation::broken_place;
use super::{AtTime, Moving};
use crate::formula::{self, any_formula};
use crate::query::Deadline;
use crate::{
    Formula, PairCache, Placed, ProofError, Query, QueryError, Reason, Semantics, proximity,
};

/// Proof that two moving models are farther apart than a tolerance from time 0 on, up to some time: a chain of steps, at the
/// beginning of which their distance exceeds the tolerance by more than they can come closer during the step.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionClearance {
    /// When the steps end.
    ends: Vec<f64>,
}

impl MotionClearance {
    /// That of models which are never near.
    pub(super) fn always() -> Self {
        Self { ends: vec![1.0] }
    }

    /// The models are farther apart than the tolerance from 0 up to this time, which is included.
    #[must_use]
    pub fn until(&self) -> f64 {
        self.ends.last().copied().unwrap_or(0.0)
    }

    /// The number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.ends.len()
    }

    /// Verifies the proof by a query of [`proximity::within`] for each step. The bounds of the paths are taken as they are.
    ///
    /// # Errors
    /// The first condition that does not hold, or a pose cannot place a model.
    pub fn verify(
        &self,
        a: Moving<'_>,
        b: Moving<'_>,
        tolerance: f64,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let broken = |what| Err(ProofError::BrokenFront { what });
        if tolerance.is_nan() || tolerance < 0.0 {
            return Ok(());
        }
        let bodies = Bodies::new(a, b);
        let mut from = 0.0;
        for &end in &self.ends {
            if !(from..=1.0).contains(&end) {
                return broken("its steps are not in order");
            }
            let approach = bodies.approach(from, end);
            if approach.is_nan() {
                return broken("a bound on the motion is no number");
            }
            let [of_a, of_b] = [a, b].map(|moving| moving.at(from));
            let of_a = of_a.placed().map_err(broken_place)?;
            let of_b = of_b.placed().map_err(broken_place)?;
            if proximity::within(of_a, of_b, tolerance + approach, semantics).is_some() {
                return broken("a step is longer than the bounds on the motion allow");
            }
            from = end;
        }
        Ok(())
    }
}

/// The most steps of one query. Some dozen suffice unless the distance stays just above the tolerance.
const MOST_STEPS: usize = 1 << 11;

/// What a search ends with.
pub(super) enum Advanced<T> {
    /// Something was found at a time; before, up to the clearance, the models are farther apart.
    Found {
        time: f64,
        what: T,
        farther: MotionClearance,
    },
    Farther(MotionClearance),
    Stopped {
        reason: Reason,
        farther: MotionClearance,
    },
}

/// A search for the first time at which two moving models are within a tolerance.
pub(super) struct Advancement<'a, F> {
    bodies: Bodies<'a>,
    tolerance: f64,
    semantics: Semantics,
    /// What is near at the poses of a time.
    find: F,
}

impl<'a, T, F: FnMut(Placed<'_>, Placed<'_>) -> Option<T>> Advancement<'a, F> {
    pub(super) fn new(
        a: Moving<'a>,
        b: Moving<'a>,
        tolerance: f64,
        semantics: Semantics,
        find: F,
    ) -> Self {
        Self { bodies: Bodies::new(a, b), tolerance, semantics, find }
    }

    /// Searches up to an interval of the given width in time.
    pub(super) fn run(&mut self, width: f64, query: &Query) -> Result<Advanced<T>, QueryError> {
        let mut deadline = Deadline::of(query, &PairCache::new());
        let mut farther = MotionClearance::default();
        if let Some((time, what)) = self.near(0.0)? {
            return Ok(Advanced::Found { time, what, farther });
        }
        for _ in 0..MOST_STEPS {
            let now = farther.until();
            if now >= 1.0 {
                return Ok(Advanced::Farther(farther));
            }
            if deadline.passed() {
                return Ok(Advanced::Stopped { reason: Reason::OutOfTime, farther });
            }
            let next = self.safe_until(now)?;
            if next < 1.0
                && next - now < 0.5 * width
                && let Some((time, what)) = self.near_after(now, width)?
            {
                return Ok(Advanced::Found { time, what, farther });
            }
            if next <= now {
                break;
            }
            farther.ends.push(next);
        }
        Ok(match self.near_at_last(farther.until(), width, &mut deadline)? {
            Some((time, what)) => Advanced::Found { time, what, farther },
            None => Advanced::Stopped { reason: Reason::TooClose, farther },
        })
    }

    /// Until when they are certainly farther apart, given that they are now.
    fn safe_until(&self, now: f64) -> Result<f64, QueryError> {
        let bodies = self.bodies.at(now);
        let [a, b] = [bodies[0].placed()?, bodies[1].placed()?];
        // A model without faces is near nothing.
        let Some(distance) = least_distance(a, b, self.semantics) else { return Ok(1.0) };
        let gap = (distance - self.tolerance) * (1.0 - 1e-9);
        let room = gap - self.bodies.rounding;
        // NaN where bounds are no numbers.
        if room.is_nan() || room <= 0.0 {
            return Ok(now);
        }
        let fits = |end: f64| self.bodies.approach(now, end) <= gap;
        if fits(1.0) {
            return Ok(1.0);
        }
        // Over a shorter time the bounds may be narrower.
        let mut end = now + room / self.bodies.rate(now, 1.0);
        let horizon = now + 4.0 * (end - now);
        if horizon < 1.0 {
            let nearer = now + room / self.bodies.rate(now, horizon);
            end = end.max(nearer.min(horizon));
        }
        // Less than rounding may have added.
        let mut step = (end - now) * (1.0 - 1e-12);
        for _ in 0..8 {
            let end = (now + step).min(1.0);
            if fits(end) {
                return Ok(end);
            }
            step *= 0.5;
        }
        Ok(now)
    }

    /// A time at which they are near, at most `width` after another.
    fn near_after(&mut self, now: f64, width: f64) -> Result<Option<(f64, T)>, QueryError> {
        /// Parts of the width, for bodies that are past each other sooner.
        const PARTS: [f64; 3] = [1.0, 0.25, 0.0625];
        for part in PARTS {
            let time = (now + part * width).min(1.0);
            // At most so wide, whatever the rounding.
            let time = if time - now > width { time.next_down() } else { time };
            if let Some(found) = self.near(time)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// A time at or after another at which they are near, by steps that double, and then as early as bisection tells.
    fn near_at_last(
        &mut self,
        now: f64,
        width: f64,
        deadline: &mut Deadline,
    ) -> Result<Option<(f64, T)>, QueryError> {
        let mut before = now;
        let mut step = width.max(f64::EPSILON);
        let mut found = self.near(now)?;
        while found.is_none() && before < 1.0 && !deadline.passed() {
            let time = (now + step).min(1.0);
            found = self.near(time)?;
            before = if found.is_none() { time } else { before };
            step *= 2.0;
        }
        let Some(mut found) = found else { return Ok(None) };
        loop {
            let middle = before.midpoint(found.0);
            if middle <= before || middle >= found.0 || deadline.passed() {
                return Ok(Some(found));
            }
            match self.near(middle)? {
                Some(earlier) => found = earlier,
                None => before = middle,
            }
        }
    }

    /// What is near at a time.
    fn near(&mut self, time: f64) -> Result<Option<(f64, T)>, QueryError> {
        let bodies = self.bodies.at(time);
        let [a, b] = [bodies[0].placed()?, bodies[1].placed()?];
        Ok((self.find)(a, b).map(|what| (time, what)))
    }
}

/// The models are at least so far apart; `None` if one has no faces.
fn least_distance(a: Placed<'_>, b: Placed<'_>, semantics: Semantics) -> Option<f64> {
    if any_formula(a, b) {
        let found = formula::distance(a, b, semantics).ok()?;
        // A proof adds the tolerance and the way, rounded.
        return Some(found.at_least * (1.0 - 4.0 * f64::EPSILON));
    }
    let distance = proximity::distance(a, b, semantics)?;
    let sizes = [a, b].map(|placed| {
        let local = placed.model().local_box();
        let reach = largest(local.min).max(largest(local.max));
        1.8 * (reach + largest(placed.pose().translation()))
    });
    Some(distance.value - 64.0 * f64::EPSILON * (distance.value + sizes[0] + sizes[1]))
}

fn is_half_space(moving: &Moving<'_>) -> bool {
    matches!(moving.model().formula(), Some(Formula::HalfSpace))
}

/// Whether bounds on their motion tell how fast two models come closer: not for a half space that turns, whose far points
/// move at any speed.
pub(super) fn are_bounded(bodies: [&Moving<'_>; 2]) -> bool {
    let turns = |moving: &&Moving<'_>| is_half_space(moving) && !moving.path().is_translation();
    !bodies.iter().any(turns)
}

/// Two moving models, with bounds on how fast they come closer.
#[derive(Clone, Copy)]
struct Bodies<'a> {
    bodies: [Moving<'a>; 2],
    /// No point of the models is farther from the centers of their paths; 0 of a half space, which does not turn.
    arms: [f64; 2],
    /// By how much distances between points may be off at both ends of a step.
    rounding: f64,
}

impl<'a> Bodies<'a> {
    fn new(a: Moving<'a>, b: Moving<'a>) -> Self {
        let bodies = [a, b];
        let farthest = |moving: &Moving<'_>, from: [f64; 3]| {
            if let Some(mesh) = moving.deforming {
                return mesh.drift().farthest();
            }
            let local = moving.model().local_box();
            let side =
                |k: usize| (local.max[k] - from[k]).abs().max((from[k] - local.min[k]).abs());
            if local.is_empty() || is_half_space(moving) {
                0.0
            } else {
                1.001 * length([side(0), side(1), side(2)])
            }
        };
        let arms = bodies.map(|moving| farthest(&moving, moving.path().center()));
        let mut pair = Self { bodies, arms, rounding: 0.0 };
        // Of a half space those points count that the other body may be near.
        let around = |half_space: usize| {
            let (border, other) = (bodies[half_space].path(), bodies[1 - half_space].path());
            let center = other.at(0.0).apply(other.center());
            let apart = length(sub(center, border.at(0.0).translation()));
            apart + pair.rate(0.0, 1.0) + 2.0 * arms[1 - half_space]
        };
        let rounding = |k: usize| {
            let moving = &bodies[k];
            let reach = if is_half_space(moving) { around(k) } else { farthest(moving, [0.0; 3]) };
            2.0 * moving.path().rounding(reach)
        };
        pair.rounding = rounding(0) + rounding(1);
        pair
    }

    /// How fast two points of the two models come closer, at most.
    fn rate(&self, from: f64, to: f64) -> f64 {
        let speeds = self.bodies.map(|moving| moving.path().speed(from, to));
        let turning = |k: usize| {
            let Speed { spin, spin_error, .. } = speeds[k];
            (length(spin) + spin_error) * self.arms[k]
        };
        let between = length(sub(speeds[0].velocity, speeds[1].velocity));
        let errors = speeds[0].velocity_error + speeds[1].velocity_error;
        // A thousandth for the lengths of arms.
        (between + errors) * (1.0 + 16.0 * f64::EPSILON) + 1.002 * (turning(0) + turning(1))
    }

    /// How much closer they come during a step, at most.
    fn approach(&self, from: f64, to: f64) -> f64 {
        (to - from) * (1.0 + 4.0 * f64::EPSILON) * self.rate(from, to) + self.rounding
    }

    fn at(&self, time: f64) -> [AtTime<'a>; 2] {
        self.bodies.map(|moving| moving.at(time))
    }
}
