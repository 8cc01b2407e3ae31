//! The next list, made in steps.

use std::mem::take;
use std::ops::Range;

use super::ListSpan;
use super::new_pairs::NewPairs;
use super::pair_schedule::PairSchedule;
use crate::courses::Courses;
use crate::found_pairs::FoundPairs;
use crate::{PairCollector, PairFinder, Proxies, SearchStep};

/// A step of making a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Begins the courses of some boxes and computes their fat boxes.
    Enlarge(SearchStep),
    /// Searches pairs of fat boxes.
    Search(SearchStep),
    /// Sorts the pairs by when they may overlap, in one or two steps.
    Schedule(SearchStep),
}

/// The number of frames over which a list is made that is for `horizon` frames: about half of them, so that none takes much
/// longer than the others. In more of them, more boxes would leave their courses before it comes into use.
pub(super) fn steps(horizon: f64) -> usize {
    const FEWEST: f64 = 7.0;
    const MOST: f64 = 32.0;
    (0.52 * horizon).clamp(FEWEST, MOST) as usize
}

/// A list in the making. The work is spread over frames in which the current list serves, so that no frame takes much
/// longer than the others.
#[derive(Debug, Default)]
pub(super) struct UpcomingList {
    pub(super) courses: Courses,
    pub(super) span: ListSpan,
    /// How many of its boxes may move.
    pub(super) moving: usize,
    /// The pairs that were found so far, and their number before those that cannot overlap were left out.
    pairs: NewPairs,
    pub(super) candidates: usize,
    /// The same by when they may overlap, once all were found.
    pub(super) schedule: PairSchedule,
    /// The pairs that were found in a step.
    pub(super) found: FoundPairs,
    /// How many boxes have their courses and fat boxes.
    enlarged: usize,
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
    /// Forgets all boxes and pairs.
    pub(super) fn clear(&mut self) {
        self.pairs.clear();
        (self.moving, self.candidates, self.enlarged) = (0, 0, 0);
    }

    /// Begins a list in at least seven steps.
    pub(super) fn begin(&mut self, steps: usize) {
        (self.made, self.steps) = (0, steps);
    }

    /// The next step. The last one, before the list comes into use, is that of the search.
    pub(super) fn next_step(&mut self) -> Step {
        let number = self.made;
        self.made += 1;
        let [enlarging, finishing] = [self.enlarging(), self.finishing()];
        let searching = self.steps - enlarging - finishing;
        let search = |number: usize| Step::Search(SearchStep::new(number, searching));
        match number.checked_sub(enlarging) {
            None => Step::Enlarge(SearchStep::new(number, enlarging)),
            Some(number) if number + 1 < searching => search(number),
            Some(number) if number + 1 < searching + finishing => {
                Step::Schedule(SearchStep::new(number + 1 - searching, finishing))
            }
            Some(_) => search(searching - 1),
        }
    }

    /// How many steps begin courses; a third one where there are steps enough, as these are among the longest.
    const fn enlarging(&self) -> usize {
        if self.steps < 13 { 2 } else { 3 }
    }

    /// How many steps sort the pairs that were found; in the last one of the search, if none.
    const fn finishing(&self) -> usize {
        match self.steps {
            ..9 => 0,
            9..12 => 1,
            _ => 2,
        }
    }

    /// Which of `len` boxes to enlarge in a step.
    pub(super) fn next_boxes(&mut self, step: SearchStep, len: usize) -> Range<usize> {
        let first = self.enlarged;
        // There may be more boxes than in the step before.
        self.enlarged = step.range(len).end.max(first);
        first..self.enlarged
    }

    /// Whether all boxes have their courses.
    pub(super) const fn is_enlarged(&self) -> bool {
        self.made >= self.enlarging()
    }

    /// Called when all boxes have their courses. If none is moving the list lasts, unless that is not known yet.
    pub(super) fn end_enlarging(&mut self, is_known: bool) {
        self.courses.knows_static = true;
        if !self.courses.are_moving() && (is_known || self.moving == 0) {
            self.span.frames[1] = ListSpan::FOREVER;
        }
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

    /// Whether all steps were made.
    pub(super) const fn is_ready(&self) -> bool {
        self.made == self.steps
    }

    /// In how many steps the list is made.
    pub(super) const fn steps(&self) -> usize {
        self.steps
    }

    /// Makes one step of the search among the fat boxes. False if the algorithm cannot.
    pub(super) fn search<F: PairFinder>(
        &mut self,
        step: SearchStep,
        finder: &mut F,
        enlarged: &Proxies,
        threads: bool,
    ) -> bool {
        let mut found = take(&mut self.found);
        found.clear();
        let mut all = PairCollector::boxes_onto(enlarged, found);
        let is_able = finder.find_moving(enlarged, step, &mut all);
        self.found = all.found;
        self.add_found(threads);
        if step.is_last() && self.finishing() == 0 {
            self.schedule(SearchStep::WHOLE, enlarged.boxes().len(), threads);
        }
        is_able
    }

    /// Adds the pairs that were found, whose fat boxes overlap.
    pub(super) fn add_found(&mut self, threads: bool) {
        let Self { pairs, found, courses, span, .. } = self;
        pairs.add(found, courses, span.frames, threads);
        self.candidates += found.len();
    }

    /// Sorts the pairs that were found by when they may overlap, and makes those active that may in the first frame.
    pub(super) fn schedule(&mut self, step: SearchStep, boxes: usize, threads: bool) {
        if step.is_first() {
            self.schedule.fill(&mut self.pairs, threads);
        }
        if step.is_last() {
            let [first, _] = self.span.frames;
            self.schedule.begin(first, boxes, threads);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.courses.bytes() + self.pairs.bytes() + self.schedule.bytes() + self.found.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_made_in_order() {
        for (at, all) in [7, 8, 9, 12, 13, 20].into_iter().enumerate() {
            let mut list = UpcomingList::default();
            list.clear();
            list.begin(all);
            let steps: Vec<Step> = (0..all).map(|_| list.next_step()).collect();
            assert!(list.is_ready(), "{all}");
            let searches: Vec<SearchStep> = steps
                .iter()
                .filter_map(|step| if let Step::Search(step) = step { Some(*step) } else { None })
                .collect();
            let expected: Vec<SearchStep> =
                (0..searches.len()).map(|number| SearchStep::new(number, searches.len())).collect();
            assert_eq!(searches, expected);
            let enlarging = steps.iter().take_while(|step| matches!(step, Step::Enlarge(_)));
            let finishing = &steps[enlarging.count() + searches.len() - 1..all - 1];
            assert!(finishing.iter().all(|step| matches!(step, Step::Schedule(_))));
            assert_eq!(finishing.len(), [0, 0, 1, 2, 2, 2][at]);
            // Some searching is between preparing and ending it.
            assert!(searches.iter().filter(|step| step.between().is_some()).count() > 0);
        }
    }

    #[test]
    fn all_boxes_are_enlarged_once_even_if_there_are_more_meanwhile() {
        let mut list = UpcomingList::default();
        list.clear();
        list.begin(12);
        let mut end = 0;
        for len in [100, 150] {
            let Step::Enlarge(step) = list.next_step() else { panic!("boxes come first") };
            let boxes = list.next_boxes(step, len);
            assert_eq!(boxes.start, end);
            end = boxes.end;
        }
        assert!(end == 150 && list.is_enlarged());
    }
}
