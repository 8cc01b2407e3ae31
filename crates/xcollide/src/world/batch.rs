//! Pairs of which only is asked whether they touch, asked about together.
//!
//! A test waits for its own results most of the time, so an algorithm that is asked about
//! [many](crate::narrow::NarrowPhase::test_many) may work on one pair while another waits. What it says of a
//! pair depends on nothing but the pair and what is remembered of it. So it is all the same which pairs
//! are in a batch, and on how many threads batches are made.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pair_state::{Outcome, PairState, Testing, outcome};
use super::pair_table::Mark;
use crate::narrow::{PairQuery, Placement, Verdict};

/// The most pairs of a batch: many, so that little time is spent on beginning and ending it, and so few
/// that what is kept of them is near when it is needed.
const MOST: usize = 256;

/// Pairs that wait to be asked about.
#[derive(Default)]
pub(super) struct Batch<'s, 'o> {
    waiting: Vec<Waiting<'s>>,
    /// The objects of each.
    placements: Vec<[Placement<'o>; 2]>,
    /// Empty but while they are asked.
    questions: Vec<PairQuery<'static>>,
    /// The same, of the answers.
    pub(super) verdicts: Vec<Verdict>,
}

struct Waiting<'s> {
    state: &'s mut PairState,
    mark: &'s mut Mark,
}

impl<'s, 'o> Batch<'s, 'o> {
    /// Adds a pair whose test has [begun](PairState::begin), and asks about all when there are enough.
    #[inline]
    pub(super) fn add(
        &mut self,
        state: &'s mut PairState,
        mark: &'s mut Mark,
        testing: &Testing<'o>,
    ) {
        let Some(placements) = state.placements(testing.objects) else {
            state.outcome = Outcome::Apart;
            return state.write_down(mark, testing);
        };
        self.placements.push(placements);
        self.waiting.push(Waiting { state, mark });
        if self.placements.len() == MOST {
            self.ask(testing);
        }
    }

    /// Asks about all that wait.
    pub(super) fn ask(&mut self, testing: &Testing<'o>) {
        match &mut self.waiting[..] {
            [] => return,
            [one] => one.state.test_alone(testing, &mut self.verdicts),
            _ => self.ask_together(testing),
        }
        for Waiting { state, mark } in self.waiting.drain(..) {
            state.write_down(mark, testing);
        }
        self.placements.clear();
    }

    /// Each gets its verdict, or fails.
    fn ask_together(&mut self, testing: &Testing<'o>) {
        let Self { waiting, placements, questions, verdicts } = self;
        let mut asked: Vec<PairQuery<'_>> = reused(std::mem::take(questions));
        let pairs = waiting.iter_mut().zip(&*placements);
        asked.extend(pairs.map(|(pair, [a, b])| PairQuery::new(*a, *b, pair.state.cache())));
        let ask = || testing.narrow.test_many(&mut asked, testing.query, verdicts);
        let has_answered = catch_unwind(AssertUnwindSafe(ask)).is_ok();
        *questions = reused(asked);
        if has_answered && verdicts.len() == waiting.len() {
            for (pair, verdict) in waiting.iter_mut().zip(verdicts.drain(..)) {
                pair.state.outcome = outcome(verdict);
            }
        } else {
            // One of them made it panic. What that left behind may be half done, in the memory of any;
            // which one it was comes out when each is asked about alone.
            for pair in waiting {
                pair.state.forget();
                pair.state.test_alone(testing, verdicts);
            }
        }
    }
}

/// The memory of batches between checks: of as many as there were at a time.
#[derive(Default)]
pub(super) struct Batches(Mutex<Vec<Batch<'static, 'static>>>);

impl Batches {
    /// An empty batch, with the memory of one that was given back.
    pub(super) fn take<'s, 'o>(&self) -> Batch<'s, 'o> {
        let Batch { waiting, placements, questions, verdicts } =
            self.lock().pop().unwrap_or_default();
        Batch { waiting: reused(waiting), placements: reused(placements), questions, verdicts }
    }

    /// Keeps the memory of a batch.
    pub(super) fn give_back(&self, batch: Batch<'_, '_>) {
        let Batch { waiting, placements, questions, verdicts } = batch;
        let (waiting, placements) = (reused(waiting), reused(placements));
        self.lock().push(Batch { waiting, placements, questions, verdicts });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Batch<'static, 'static>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of a list for one of other borrows: the standard library collects in place what is of the
/// same layout.
fn reused<T, U>(list: Vec<T>) -> Vec<U> {
    list.into_iter().filter_map(|_| None).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A list keeps its place in memory from borrow to borrow, and none of what was in it.
    #[test]
    fn lists_keep_their_memory() {
        let mut numbers = vec![1, 2, 3];
        let mut list: Vec<&mut i32> = Vec::with_capacity(50);
        list.extend(numbers.iter_mut());
        let before = (list.as_ptr().addr(), list.capacity());
        let kept: Vec<&'static mut i32> = reused(list);
        assert_eq!((kept.as_ptr().addr(), kept.capacity()), before);
        assert!(kept.is_empty());
        numbers.clear();
        let again: Vec<&mut i32> = reused(kept);
        assert_eq!((again.as_ptr().addr(), again.capacity()), before);
    }
}
