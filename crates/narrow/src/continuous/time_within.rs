//! When two moving models first come within a distance.
//!
//! Conservative advancement (Mirtich 1996) by the distance of the whole models: while their distance exceeds the tolerance
//! by more than bounds on their motion let it shrink, they stay farther apart than that. Each step needs one query of
//! [`proximity`](crate::proximity), and is verified by one. Whether they are within the tolerance at a time is decided
//! exactly at the poses of that time.

use xcollide_math::vector::{largest, length, sub};
use xcollide_math::{Pose, Speed};
use xcollide_predicates::moving::TimeInterval;

use super::Moving;
use super::separation::broken_place;
use crate::proximity::{self, Nearness};
use crate::query::Deadline;
use crate::{PairCache, Placed, ProofError, Query, QueryError, Reason, Semantics};

/// When two moving models first come within a tolerance.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub enum WithinVerdict {
    /// They do.
    Near {
        /// They are within the tolerance at this time, between 0 and 1.
        at_most: f64,
        /// What is near then.
        nearness: Nearness,
        /// The proof that they are farther apart before; `None` if they are near at time 0.
        farther: Option<MotionClearance>,
    },
    /// They are farther apart at all times from 0 to 1.
    Farther(MotionClearance),
    /// It was not found out.
    Undecided {
        /// Why not.
        reason: Reason,
        /// The proof for the times for which they are known to be farther apart.
        farther: MotionClearance,
    },
}

impl WithinVerdict {
    /// The times that are left for the first moment within the tolerance: from the first for which more is not proved to the
    /// one at which they are near, or 1. `None` if they never are.
    #[must_use]
    pub fn interval(&self) -> Option<TimeInterval> {
        match self {
            Self::Near { at_most, farther, .. } => {
                let lo = farther.as_ref().map_or(0.0, MotionClearance::until);
                Some(TimeInterval { lo, hi: *at_most })
            }
            Self::Farther(_) => None,
            Self::Undecided { farther, .. } => Some(TimeInterval { lo: farther.until(), hi: 1.0 }),
        }
    }

    /// Verifies the proofs of this verdict, for the tolerance that was asked for.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(
        &self,
        a: Moving<'_>,
        b: Moving<'_>,
        tolerance: f64,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        let farther = match self {
            Self::Near { farther, .. } => farther.as_ref(),
            Self::Farther(farther) | Self::Undecided { farther, .. } => Some(farther),
        };
        if let Some(farther) = farther {
            farther.verify(a, b, tolerance, semantics)?;
        }
        match self {
            Self::Near { at_most, nearness, .. } => {
                let [of_a, of_b] = [a, b].map(|moving| moving.path().at(*at_most));
                let of_a = Placed::new(a.model(), &of_a).map_err(broken_place)?;
                let of_b = Placed::new(b.model(), &of_b).map_err(broken_place)?;
                nearness.verify(of_a, of_b, tolerance, semantics)
            }
            Self::Farther(farther) if farther.until() < 1.0 => {
                Err(ProofError::BrokenFront { what: "it ends before time 1" })
            }
            _ => Ok(()),
        }
    }
}

/// Proof that two moving models are farther apart than a tolerance from time 0 on, up to some time: a chain of steps, at the
/// beginning of which their distance exceeds the tolerance by more than they can come closer during the step.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MotionClearance {
    /// When the steps end.
    ends: Vec<f64>,
}

impl MotionClearance {
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

    /// Verifies the proof by an exact query of [`proximity::within`] for each step. The bounds of the paths are taken as
    /// they are.
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
            let poses = [a, b].map(|moving| moving.path().at(from));
            let of_a = Placed::new(a.model(), &poses[0]).map_err(broken_place)?;
            let of_b = Placed::new(b.model(), &poses[1]).map_err(broken_place)?;
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

/// When two moving models first come within a tolerance of each other, up to an interval of the given width in time.
///
/// `Farther` holds of every moment from 0 to 1, also between two numbers in f64; no model is within a negative tolerance or
/// NaN. `Near` has a time at which the exact query [`proximity::within`] holds of the poses of the paths; the models are
/// farther apart before that time less `width`. If they come within the tolerance for a moment too short for the width, or
/// only nearly, the interval is wider or the answer is `Undecided`, as after [`Query::budget`].
///
/// Takes a query of the distance for each step: few for bodies that pass each other, up to some dozen to come close, and as
/// many as the gap fits into the way of bodies that slide along each other.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_math::Motion;
/// use xcollide_narrow::continuous::{Moving, time_within};
/// use xcollide_narrow::{Model, Pose, Query};
///
/// # let (corners, faces) = xcollide_fixtures::cube();
/// # let unit_cube = PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let cube = Model::from_mesh(unit_cube)?;
/// let [start, end] = [-5.0, 5.0].map(|x| Pose::from_translation([x, 1.5, 0.0]));
/// let motion = Motion::linear(start, end)?;
/// let (passing, at_rest) = (Moving::new(&cube, &motion), Moving::new(&cube, &Pose::IDENTITY));
/// // It passes at a distance of 0.5, and is within 1 from a time before 4 of 10 units of the way on.
/// let verdict = time_within(passing, at_rest, 1.0, 1e-9, &Query::new())?;
/// let time = verdict.interval().ok_or("farther")?;
/// let expected = 0.4 - 0.1 * 0.75_f64.sqrt();
/// assert!(time.lo <= expected && expected <= time.hi && time.hi - time.lo <= 1e-9);
/// verdict.verify(passing, at_rest, 1.0, Default::default())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose of a path cannot place its model, or the width is NaN or negative.
pub fn time_within(
    a: Moving<'_>,
    b: Moving<'_>,
    tolerance: f64,
    width: f64,
    query: &Query,
) -> Result<WithinVerdict, QueryError> {
    if width.is_nan() || width < 0.0 {
        return Err(QueryError::Width { width });
    }
    if tolerance.is_nan() || tolerance < 0.0 {
        return Ok(WithinVerdict::Farther(MotionClearance { ends: vec![1.0] }));
    }
    if [a.model(), b.model()].iter().any(|model| model.formula().is_some()) {
        let farther = MotionClearance { ends: Vec::new() };
        let reason = Reason::NotAccepted;
        return Ok(WithinVerdict::Undecided { reason, farther });
    }
    Search { bodies: Bodies::new(a, b), tolerance, semantics: query.semantics }.run(width, query)
}

/// Two moving models, with bounds on how fast they come closer.
#[derive(Clone, Copy)]
struct Bodies<'a> {
    bodies: [Moving<'a>; 2],
    /// No point of the models is farther from the centers of their paths.
    arms: [f64; 2],
    /// By how much distances between points may be off at both ends of a step.
    rounding: f64,
}

impl<'a> Bodies<'a> {
    fn new(a: Moving<'a>, b: Moving<'a>) -> Self {
        let bodies = [a, b];
        let farthest = |moving: &Moving<'_>, from: [f64; 3]| {
            let local = moving.model().local_box();
            let side =
                |k: usize| (local.max[k] - from[k]).abs().max((from[k] - local.min[k]).abs());
            if local.is_empty() { 0.0 } else { 1.001 * length([side(0), side(1), side(2)]) }
        };
        let arms = bodies.map(|moving| farthest(&moving, moving.path().center()));
        let rounding =
            bodies.map(|moving| 2.0 * moving.path().rounding(farthest(&moving, [0.0; 3])));
        Self { bodies, arms, rounding: rounding[0] + rounding[1] }
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

    fn poses(&self, time: f64) -> [Pose; 2] {
        self.bodies.map(|moving| moving.path().at(time))
    }
}

struct Search<'a> {
    bodies: Bodies<'a>,
    tolerance: f64,
    semantics: Semantics,
}

/// A time at which they are near.
type Found = (f64, Nearness);

impl Search<'_> {
    fn run(&self, width: f64, query: &Query) -> Result<WithinVerdict, QueryError> {
        let mut deadline = Deadline::of(query, &PairCache::new());
        let near =
            |(at_most, nearness), farther| WithinVerdict::Near { at_most, nearness, farther };
        if let Some(found) = self.near(0.0)? {
            return Ok(near(found, None));
        }
        let mut farther = MotionClearance::default();
        for _ in 0..MOST_STEPS {
            let now = farther.until();
            if now >= 1.0 {
                return Ok(WithinVerdict::Farther(farther));
            }
            if deadline.passed() {
                return Ok(WithinVerdict::Undecided { reason: Reason::OutOfTime, farther });
            }
            let next = self.safe_until(now)?;
            if next < 1.0
                && next - now < 0.5 * width
                && let Some(found) = self.near_after(now, width)?
            {
                return Ok(near(found, Some(farther)));
            }
            if next <= now {
                break;
            }
            farther.ends.push(next);
        }
        Ok(match self.near_at_last(farther.until(), width, &mut deadline)? {
            Some(found) => near(found, Some(farther)),
            None => WithinVerdict::Undecided { reason: Reason::TooClose, farther },
        })
    }

    /// Until when they are certainly farther apart, given that they are now.
    fn safe_until(&self, now: f64) -> Result<f64, QueryError> {
        let poses = self.bodies.poses(now);
        let [a, b] = self.placed(&poses)?;
        // A model without faces is near nothing.
        let Some(distance) = proximity::distance(a, b, self.semantics) else { return Ok(1.0) };
        let sizes = [a, b].map(|placed| {
            let local = placed.model().local_box();
            let reach = largest(local.min).max(largest(local.max));
            1.8 * (reach + largest(placed.pose().translation()))
        });
        let off = 64.0 * f64::EPSILON * (distance.value + sizes[0] + sizes[1]);
        let gap = (distance.value - off - self.tolerance) * (1.0 - 1e-9);
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
    fn near_after(&self, now: f64, width: f64) -> Result<Option<Found>, QueryError> {
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
        &self,
        now: f64,
        width: f64,
        deadline: &mut Deadline,
    ) -> Result<Option<Found>, QueryError> {
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
    fn near(&self, time: f64) -> Result<Option<Found>, QueryError> {
        let poses = self.bodies.poses(time);
        let [a, b] = self.placed(&poses)?;
        let near = proximity::within(a, b, self.tolerance, self.semantics);
        Ok(near.map(|nearness| (time, nearness)))
    }

    fn placed<'p>(&'p self, [a, b]: &'p [Pose; 2]) -> Result<[Placed<'p>; 2], QueryError> {
        let [of_a, of_b] = self.bodies.bodies.map(|moving| moving.model());
        Ok([Placed::new(of_a, a)?, Placed::new(of_b, b)?])
    }
}
