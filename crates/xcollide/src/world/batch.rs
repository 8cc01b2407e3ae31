//! Batches of yes/no queries, answered by one narrow-phase call.
//!
//! Memory latency dominates a single test. An algorithm with [many
//! pairs](crate::narrow::NarrowPhase::test_many) works on one while it waits for the data of another. Each
//! verdict depends only on its pair and the pair's cache.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::mark::Mark;
use super::pair_state::{PairState, Testing, outcome};
use crate::narrow::{PairQuery, Placed, Verdict};

/// The most pairs of a batch: enough to amortise its overhead, few enough for the cache.
const MOST: usize = 256;

/// Pairs that wait for their test.
#[derive(Default)]
pub(super) struct Batch<'s, 'o> {
    waiting: Vec<Waiting<'s>>,
    /// The two objects of each pair.
    placements: Vec<[Placed<'o>; 2]>,
    /// Reused memory; empty outside `test_together`.
    queries: Vec<PairQuery<'static>>,
    /// Reused memory; empty outside a test.
    pub(super) verdicts: Vec<Verdict>,
}

struct Waiting<'s> {
    state: &'s mut PairState,
    mark: &'s Mark,
}

impl<'s, 'o> Batch<'s, 'o> {
    /// Adds a pair whose test has [begun](PairState::begin). Tests the batch when it is full.
    #[inline]
    pub(super) fn add(&mut self, state: &'s mut PairState, mark: &'s Mark, testing: &Testing<'o>) {
        let Some(placements) = state.place(testing.objects) else {
            return state.update_mark(mark, testing);
        };
        self.placements.push(placements);
        self.waiting.push(Waiting { state, mark });
        if self.placements.len() == MOST {
            self.test(testing);
        }
    }

    /// Tests all waiting pairs.
    pub(super) fn test(&mut self, testing: &Testing<'o>) {
        match &mut self.waiting[..] {
            [] => return,
            [one] => one.state.test_alone(testing, &mut self.verdicts),
            _ => self.test_together(testing),
        }
        for Waiting { state, mark } in self.waiting.drain(..) {
            state.update_mark(mark, testing);
        }
        self.placements.clear();
    }

    /// Gives each pair a verdict or a failure.
    fn test_together(&mut self, testing: &Testing<'o>) {
        let Self { waiting, placements, queries, verdicts } = self;
        let mut asked: Vec<PairQuery<'_>> = reused(std::mem::take(queries));
        let pairs = waiting.iter_mut().zip(&*placements);
        asked.extend(pairs.map(|(pair, [a, b])| PairQuery::new(*a, *b, &mut pair.state.cache)));
        let test = || testing.narrow.test_many(&mut asked, testing.query, verdicts);
        let has_verdicts = catch_unwind(AssertUnwindSafe(test)).is_ok();
        *queries = reused(asked);
        if has_verdicts && verdicts.len() == waiting.len() {
            for (pair, verdict) in waiting.iter_mut().zip(verdicts.drain(..)) {
                pair.state.outcome = outcome(verdict);
            }
        } else {
            // A pair made the call panic and may have left caches half written. Testing each pair alone finds
            // out which.
            for pair in waiting {
                pair.state.cache.clear();
                pair.state.test_alone(testing, verdicts);
            }
        }
    }
}

/// Memory of batches, reused from check to check.
#[derive(Default)]
pub(super) struct Batches(Mutex<Vec<Batch<'static, 'static>>>);

impl Batches {
    /// An empty batch in reused memory.
    pub(super) fn take<'s, 'o>(&self) -> Batch<'s, 'o> {
        let Batch { waiting, placements, queries, verdicts } =
            self.lock().pop().unwrap_or_default();
        Batch { waiting: reused(waiting), placements: reused(placements), queries, verdicts }
    }

    /// Stores the memory of a batch.
    pub(super) fn give_back(&self, batch: Batch<'_, '_>) {
        let Batch { waiting, placements, queries, verdicts } = batch;
        let (waiting, placements) = (reused(waiting), reused(placements));
        self.lock().push(Batch { waiting, placements, queries, verdicts });
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Batch<'static, 'static>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The memory of a list, for a list with other lifetimes: the standard library collects in place between
/// types of the same layout.
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
