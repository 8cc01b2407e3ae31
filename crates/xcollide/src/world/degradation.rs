//! Approximate tests while exact ones take too long: "if the overall frame rate decreases below a 'tolerable' threshold, then
//! the collision detection module could switch over to non-exact algorithms" (Zachmann 1994, 1.2.2, adaptive collision
//! detection).

use std::time::Duration;

use crate::narrow::NarrowPhase;

/// A narrow phase for checks that would otherwise take too long.
///
/// Before its tests, a check estimates their time from what exact tests took, pair by pair. If the whole check would exceed
/// the limit, all its pairs are tested by the approximate algorithm, and [`Frame::approximate`](super::Frame::approximate) is
/// set. What that algorithm proves counts; other pairs are [undecided](super::Frame::undecided), with what it knows, keep
/// their state and are tested again by the next check. Distances, tolerances, formulas and objects in motion stay exact.
///
/// Exact tests return as soon as the estimate permits, in a check before which nothing has moved, and for a try after 4
/// approximate checks, then after 8, 16, … 256, so that the estimate does not become stale.
///
/// The choice depends on the clock, except with a limit of zero, which makes all checks approximate before which something
/// has moved.
///
/// ```
/// use std::time::Duration;
/// use xcollide::narrow::classic::PreChecks;
/// use xcollide::{Degradation, World};
///
/// let mut world = World::new();
/// world.set_degradation(Some(Degradation::new(Duration::from_millis(8), PreChecks::Wide)));
/// assert!(!world.check().approximate);
/// ```
pub struct Degradation {
    limit: Duration,
    approximate: Box<dyn NarrowPhase>,
    /// Mean seconds of a test, measured in the last check with exact ones.
    exact_test: Option<f64>,
    /// Approximate checks before the next try, and before the one after.
    left: u32,
    wait: u32,
}

/// Approximate checks before the first try of exact ones.
const FIRST_WAIT: u32 = 4;

/// The most approximate checks before a try.
const LONGEST_WAIT: u32 = 256;

impl Degradation {
    /// Tests by `approximate` in checks that would take longer than `limit`, callbacks not included. The algorithm must
    /// [accept](NarrowPhase::accepts) the models; pairs that it refuses stay undecided.
    #[must_use]
    pub fn new(limit: Duration, approximate: impl NarrowPhase + 'static) -> Self {
        Self::boxed(limit, Box::new(approximate))
    }

    /// As [`new`](Self::new), chosen at run time.
    #[must_use]
    pub fn boxed(limit: Duration, approximate: Box<dyn NarrowPhase>) -> Self {
        Self { limit, approximate, exact_test: None, left: FIRST_WAIT, wait: FIRST_WAIT }
    }

    /// The approximate algorithm, if a check should use it that has taken some time `so_far` and has about `due` pairs to
    /// test, after `moved` objects have moved.
    pub(super) fn choose(
        &mut self,
        so_far: Duration,
        due: usize,
        moved: usize,
    ) -> Option<&dyn NarrowPhase> {
        let is_over = if self.limit.is_zero() {
            true
        } else {
            let test = self.exact_test?;
            so_far.as_secs_f64() + test * due as f64 > self.limit.as_secs_f64()
        };
        if !is_over {
            (self.left, self.wait) = (FIRST_WAIT, FIRST_WAIT);
            return None;
        }
        if moved == 0 {
            return None;
        }
        if self.left == 0 && !self.limit.is_zero() {
            self.wait = (2 * self.wait).min(LONGEST_WAIT);
            self.left = self.wait;
            return None;
        }
        self.left = self.left.saturating_sub(1);
        Some(&*self.approximate)
    }

    /// Notes the time of exact tests.
    pub(super) fn note(&mut self, time: Duration, tested: usize) {
        if tested > 0 {
            self.exact_test = Some(time.as_secs_f64() / tested as f64);
        }
    }

    /// Forgets what exact tests took.
    pub(super) fn forget(&mut self) {
        self.exact_test = None;
    }
}

impl std::fmt::Debug for Degradation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Degradation")
            .field("limit", &self.limit)
            .field("approximate", &self.approximate.name())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::mesh::BruteForce;

    const NO_TIME: Duration = Duration::ZERO;

    /// Which of so many checks are approximate, with so many pairs to test.
    fn course(degradation: &mut Degradation, checks: usize, due: usize) -> Vec<bool> {
        (0..checks).map(|_| degradation.choose(NO_TIME, due, 1).is_some()).collect()
    }

    #[test]
    fn exact_tests_come_back_when_they_fit_and_are_tried_now_and_then() {
        let mut degradation = Degradation::new(Duration::from_millis(10), BruteForce);
        assert_eq!(course(&mut degradation, 3, 1000), [false; 3], "nothing is known yet");
        degradation.note(Duration::from_millis(40), 1000);
        let tries: Vec<usize> = (0..300)
            .filter(|_| degradation.choose(NO_TIME, 1000, 1).is_none())
            .scan(0, |_, check| Some(check))
            .collect();
        assert_eq!(tries, [4, 13, 30, 63, 128, 257]);
        assert!(degradation.choose(NO_TIME, 1000, 0).is_none(), "nothing has moved");
        assert_eq!(course(&mut degradation, 3, 200), [false; 3], "8 ms are within the limit");
        assert_eq!(course(&mut degradation, 5, 300), [true, true, true, true, false]);
        let late = Duration::from_millis(9);
        assert!(degradation.choose(late, 200, 1).is_some(), "other stages count");
        degradation.forget();
        assert!(degradation.choose(late, 200, 1).is_none());
    }

    #[test]
    fn without_any_time_all_checks_are_approximate() {
        let mut degradation = Degradation::new(NO_TIME, BruteForce);
        assert_eq!(course(&mut degradation, 50, 1), [true; 50]);
        assert!(degradation.choose(NO_TIME, 1, 0).is_none());
    }
}
