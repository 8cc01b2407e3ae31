//! Work on the list of pairs, spread over threads.

use std::time::Duration;

use super::cost_estimate::CostEstimate;
use super::rows::Rows;

/// Work on the parts of the list of pairs.
pub(crate) struct RowsJob<'a> {
    parts: &'a mut [Rows],
    /// The number of the first part.
    first: usize,
    pairs: usize,
    work: &'a (dyn Fn(usize, &mut Rows) + Sync),
    cost: &'a CostEstimate,
}

impl<'a> RowsJob<'a> {
    /// The job that calls `work` with each part and its number. All together have this many pairs.
    pub(super) fn new(
        parts: &'a mut [Rows],
        pairs: usize,
        work: &'a (dyn Fn(usize, &mut Rows) + Sync),
        cost: &'a CostEstimate,
    ) -> Self {
        Self { parts, first: 0, pairs, work, cost }
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs
    }

    /// Estimated time of one thread.
    pub(crate) fn work(&self) -> Duration {
        self.cost.estimate(0, self.pairs)
    }

    pub(crate) fn split(self) -> (Self, Option<Self>) {
        if self.parts.len() < 2 {
            return (self, None);
        }
        let Self { parts, first, pairs, work, cost } = self;
        let middle = parts.len() / 2;
        let (parts, others) = parts.split_at_mut(middle);
        let (pairs, other_pairs) = (pairs.div_ceil(2), pairs / 2);
        let other = Self { parts: others, first: first + middle, pairs: other_pairs, work, cost };
        (Self { parts, first, pairs, work, cost }, Some(other))
    }

    pub(crate) fn finish(self) {
        let Self { parts, first, pairs, work, cost } = self;
        cost.measure(0, || {
            for (number, part) in (first..).zip(parts) {
                work(number, part);
            }
            pairs as u64
        });
    }
}
