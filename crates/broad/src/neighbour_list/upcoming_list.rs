//! The next list, made in steps.

use super::ListSpan;
use super::pair_schedule::NewPairs;
use crate::courses::Courses;
use crate::stats::held;
use crate::{PairCollector, PairFinder, Proxies, SearchStep};

/// A list in the making. The work is spread over frames in which the current list serves, so that no frame takes much
/// longer than the others.
#[derive(Debug, Default)]
pub(super) struct UpcomingList {
    pub(super) courses: Courses,
    pub(super) span: ListSpan,
    /// How many of its boxes may move.
    pub(super) moving: usize,
    /// The pairs that were found so far.
    pub(super) pairs: NewPairs,
    /// How many pairs of fat boxes the search has found so far.
    pub(super) found: usize,
    /// Reused memory for the pairs of a step.
    keys: Vec<u64>,
    /// The steps that were made.
    made: usize,
    /// All steps; 0 if no list is in the making.
    steps: usize,
    /// For how many lists to make them at once.
    pause: u32,
    /// How many lists in a row were made in vain, up to [`MOST_FAILURES`].
    failures: u32,
}

/// After three lists in a row that were made in vain, one is made at once; twice as many after each further one, up
/// to 32.
const MOST_FAILURES: u32 = 8;

impl UpcomingList {
    /// Begins the search among the fat boxes, in this many steps. `moving` of them belong to boxes that may move.
    pub(super) fn begin(&mut self, moving: usize, steps: usize) {
        self.pairs.clear();
        (self.moving, self.made, self.steps, self.found) = (moving, 0, steps, 0);
    }

    pub(super) fn give_up(&mut self) {
        self.steps = 0;
    }

    /// Notes that a list came into use.
    pub(super) fn list_is_made(&mut self) {
        self.pause = self.pause.saturating_sub(1);
    }

    /// Notes whether the list was made in vain: the last one was of no use before it was ready or lived no longer than
    /// its making took, or boxes that left the new one by then cost half of it. So it is where velocities do not last.
    pub(super) fn judge(&mut self, in_vain: bool) {
        self.failures = if in_vain { (self.failures + 1).min(MOST_FAILURES) } else { 0 };
        self.pause = (1 << self.failures) >> 3;
    }

    /// Whether lists in steps have lately been of use.
    pub(super) const fn is_worthwhile(&self) -> bool {
        self.pause == 0
    }

    pub(super) const fn is_begun(&self) -> bool {
        self.steps > 0
    }

    /// Whether all pairs were found.
    pub(super) const fn is_searched(&self) -> bool {
        self.made == self.steps
    }

    /// Makes one step of the search among the fat boxes. False if the algorithm cannot.
    pub(super) fn search<F: PairFinder>(
        &mut self,
        finder: &mut F,
        enlarged: &Proxies,
        threads: bool,
    ) -> bool {
        let step = SearchStep::new(self.made, self.steps);
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let mut all = PairCollector::boxes_onto(enlarged, keys);
        let is_able = finder.find_moving(enlarged, step, &mut all);
        self.keys = all.found.keys;
        self.pairs.add(&self.keys, &self.courses, self.span.frames, threads);
        self.found += self.keys.len();
        self.made += 1;
        is_able
    }

    pub(super) fn bytes(&self) -> usize {
        self.courses.bytes() + self.pairs.bytes() + held(&self.keys)
    }
}
