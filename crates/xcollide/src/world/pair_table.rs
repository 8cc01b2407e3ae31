//! The pairs with overlapping boxes, from check to check.
//!
//! The broad phase returns an ordered list. Each check merges it into an ordered table of rows, which refer
//! to an unordered table of states, as these have some 200 bytes and should not move. Tests run over the
//! states in any order on any number of threads; results are collected along the rows.

use super::Frame;
use super::cost_estimate::CostEstimate;
use super::frame_parts::FrameParts;
use super::jobs::PairsJob;
use super::mark::Mark;
use super::pair_state::{PREFETCH_DISTANCE, PairState, Testing};
use super::rows::{Row, Rows};
use super::rows_job::RowsJob;
use crate::broad::Pair;
use crate::execution::{Execution, Job};

/// How many pairs a part has on several threads: some dozens of microseconds of work.
const PART: usize = 2048;

/// Ordered rows, unordered states.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    /// The rows, in parts, one after another.
    parts: Vec<Rows>,
    /// The parts before the last merge, for reuse.
    spare: Vec<Rows>,
    states: Vec<PairState>,
    /// Parallel to `states`.
    marks: Vec<Mark>,
    free: Vec<u32>,
    /// Whether new caches are [coherent](crate::narrow::PairCache::coherent).
    coherent: bool,
    /// Cost of merging a pair.
    merging: CostEstimate,
    /// Cost of collecting the result of a pair.
    collecting: CostEstimate,
    /// Cost of copying a result into the frame.
    joining: CostEstimate,
}

impl PairTable {
    pub(super) fn new(coherent: bool) -> Self {
        Self { coherent, ..Self::default() }
    }

    /// Replaces the candidates by `overlapping`, which is ordered; keeps recent pairs. O(n), and without allocation
    /// on one thread while their number stays about the same.
    pub(super) fn renew(&mut self, overlapping: &[Pair], execution: &dyn Execution) {
        let (pairs, old, marks) = (overlapping.len(), &self.parts, &self.marks);
        let count = if execution.is_parallel() { pairs.div_ceil(PART).max(1) } else { 1 };
        self.spare.resize_with(count, Rows::default);
        let start = |number: usize| pairs * number / count;
        let merge = |number: usize, rows: &mut Rows| {
            let (first, end) = (start(number), start(number + 1));
            let from = (number > 0).then(|| overlapping[first]);
            let to = (number + 1 < count).then(|| overlapping[end]);
            rows.merge(&overlapping[first..end], old, [from, to], marks);
        };
        let all = pairs.max(self.len());
        let job = RowsJob::new(&mut self.spare, all, &merge, &self.merging);
        execution.run(Job::of_rows(job));
        self.merging.settle();
        std::mem::swap(&mut self.parts, &mut self.spare);
        let Self { parts, states, marks, free, coherent, .. } = self;
        for rows in parts {
            rows.place_fresh(|pair| {
                let mark = Mark::new(Mark::ACTIVE);
                match free.pop() {
                    Some(state) => {
                        if let Some(next) = free.len().checked_sub(PREFETCH_DISTANCE) {
                            states[free[next] as usize].touch();
                        }
                        states[state as usize].reuse_for(pair);
                        marks[state as usize] = mark;
                        state
                    }
                    None => {
                        states.push(PairState::new(pair, *coherent));
                        marks.push(mark);
                        states.len() as u32 - 1
                    }
                }
            });
        }
    }

    /// The tests of all pairs; about `due` of them need one.
    pub(super) fn tests<'a>(&'a mut self, due: usize, testing: Testing<'a>) -> PairsJob<'a> {
        PairsJob::new(&mut self.states, &self.marks, due, testing)
    }

    /// Calls `report` for all pairs with something to report, to write to the frame in order. Drops pairs that have
    /// been apart for long and those of removed objects. Counts those of the others that were tested. `unchanged`: the
    /// candidates are those of the last check, and none was tested.
    pub(super) fn collect(
        &mut self,
        (frame, former): (&mut Frame, &mut Frame),
        execution: &dyn Execution,
        unchanged: bool,
        alive: impl Fn(Pair) -> bool + Sync,
        report: impl Fn(&PairState, &Mark, &mut Frame) + Sync,
    ) {
        let (pairs, states, marks) = (self.len(), &self.states, &self.marks);
        let visit =
            |_: usize, rows: &mut Rows| rows.visit(states, marks, unchanged, &alive, &report);
        let job = RowsJob::new(&mut self.parts, pairs, &visit, &self.collecting);
        execution.run(Job::of_rows(job));
        self.collecting.settle();
        let Self { parts, states, marks, free, joining, .. } = self;
        FrameParts { parts, execution, cost: joining }.join(frame, former);
        joining.settle();
        for rows in parts {
            for (at, &state) in rows.freed.iter().enumerate() {
                if let Some(&next) = rows.freed.get(at + PREFETCH_DISTANCE) {
                    states[next as usize].touch();
                }
                states[state as usize].release();
                marks[state as usize] = Mark::default();
            }
            free.append(&mut rows.freed);
        }
        if self.states.len() > 4 * self.len() + 1024 {
            self.compact();
        }
    }

    /// Frees memory after the number of pairs has dropped.
    fn compact(&mut self) {
        let mut marks = std::mem::take(&mut self.marks);
        let mut states: Vec<Option<PairState>> = self.states.drain(..).map(Some).collect();
        for row in self.parts.iter_mut().flat_map(|rows| &mut rows.list) {
            if let Some(state) = states[row.state as usize].take() {
                self.marks.push(std::mem::take(&mut marks[row.state as usize]));
                row.state = self.states.len() as u32;
                self.states.push(state);
            }
        }
        self.states.shrink_to_fit();
        self.free = Vec::new();
        self.spare = Vec::new();
    }

    /// Calls `visit` for all candidates, in order.
    pub(super) fn each_active(&mut self, mut visit: impl FnMut(&mut PairState, &Mark)) {
        let rows = self.parts.iter().flat_map(|rows| &rows.list);
        for row in rows.filter(|row| row.absent == 0) {
            visit(&mut self.states[row.state as usize], &self.marks[row.state as usize]);
        }
    }

    /// All pairs, in order, with their marks and the number of checks for which their boxes have been apart.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PairState, &Mark, u8)> {
        let rows = self.parts.iter().flat_map(|rows| &rows.list);
        rows.map(|row| {
            let state = row.state as usize;
            (&self.states[state], &self.marks[state], row.absent)
        })
    }

    /// Appends a pair of a snapshot, which follows all others.
    pub(super) fn restore(&mut self, pair: Pair, absent: u8, colliding: bool) -> &mut PairState {
        let state = self.states.len() as u32;
        if self.parts.is_empty() {
            self.parts.push(Rows::default());
        }
        self.parts[0].list.push(Row { pair, state, absent });
        let mark = Mark::default();
        mark.set(Mark::ACTIVE, absent == 0);
        mark.set(Mark::COLLIDING, colliding);
        self.marks.push(mark);
        self.states.push(PairState::new(pair, self.coherent));
        &mut self.states[state as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.parts.iter().map(|rows| rows.list.len()).sum()
    }

    pub(super) fn forget_caches(&mut self) {
        self.states.iter_mut().for_each(|state| state.cache.clear());
    }
}

#[cfg(test)]
mod tests {
    use super::super::ObjectPair;
    use super::super::rows::CHECKS_AFTER_PARTING;
    use super::*;
    use crate::broad::ProxyId;
    use crate::execution::Serial;
    use crate::narrow::Reason;
    use std::collections::BTreeMap;
    use xcollide_scenes::Random;

    /// Finishes the parts of a job from the last to the first.
    struct Backwards;

    impl Execution for Backwards {
        fn name(&self) -> &'static str {
            "backwards"
        }

        fn run(&self, job: Job<'_>) {
            let (first, second) = job.split();
            match second {
                Some(second) => {
                    self.run(second);
                    self.run(first);
                }
                None => first.finish(),
            }
        }

        fn is_parallel(&self) -> bool {
            true
        }
    }

    /// States stay with their pairs while these are kept, in any number of parts, and memory does not grow.
    #[test]
    fn states_stay_with_their_pairs() {
        let mut random = Random::new(2);
        let (mut table, mut serial) = (PairTable::default(), PairTable::default());
        // By pair: the last check it was in.
        let mut known: BTreeMap<Pair, u64> = BTreeMap::new();
        let (mut remembered, mut forgotten, mut most_parts) = (0, 0, 0);
        for check in 0..3000_u64 {
            let (many, ids) = match check % 500 {
                0..20 => (400, 7.0),
                20..30 => (9000, 120.0),
                _ => (12, 7.0),
            };
            let mut pairs: Vec<Pair> = (0..many)
                .map(|_| {
                    let mut id = || ProxyId::new(random.between(0.0, ids) as u32, 0);
                    Pair::new(id(), id())
                })
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            table.renew(&pairs, &Backwards);
            serial.renew(&pairs, &Serial);
            most_parts = most_parts.max(table.parts.len());
            let report = |state: &PairState, mark: &Mark, frame: &mut Frame| {
                if mark.has(Mark::ACTIVE) {
                    let met = mark.set(Mark::COLLIDING, true);
                    let reason = if met { Reason::OutOfTime } else { Reason::NotAccepted };
                    frame.undecided.push((ObjectPair::from(state.pair), reason));
                }
            };
            let [frame, expected] =
                [(&mut table, &Backwards as &dyn Execution), (&mut serial, &Serial)].map(
                    |(table, execution)| {
                        table.marks.iter().for_each(|mark| _ = mark.set(Mark::QUIET, false));
                        let mut frame = Frame::new();
                        let former = &mut Frame::new();
                        table.collect((&mut frame, former), execution, false, |_| true, report);
                        assert!(table.states.len() <= 4 * table.len() + 1024);
                        frame
                    },
                );
            assert!(frame.undecided == expected.undecided);
            let places = |table: &PairTable| -> Vec<_> {
                let rows = table.parts.iter().flat_map(|rows| &rows.list);
                rows.map(|row| (row.pair, row.state, row.absent)).collect()
            };
            assert!(places(&table) == places(&serial), "the number of parts changes nothing");
            let reported = frame.undecided.iter().map(|(pair, _)| *pair);
            assert!(reported.eq(pairs.iter().map(|&pair| ObjectPair::from(pair))));
            for (&pair, (_, reason)) in pairs.iter().zip(&frame.undecided) {
                let before = known.insert(pair, check);
                let kept =
                    before.is_some_and(|at| check - at <= u64::from(CHECKS_AFTER_PARTING) + 1);
                assert_eq!(*reason == Reason::OutOfTime, kept, "{pair:?} at {check}");
                remembered += u64::from(kept);
                forgotten += u64::from(before.is_some() && !kept);
            }
        }
        assert!(remembered > 1000 && forgotten > 300, "{remembered} {forgotten}");
        assert!(most_parts > 2, "{most_parts}");
    }
}
