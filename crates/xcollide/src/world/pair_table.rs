//! The pairs with overlapping boxes, from check to check.
//!
//! The broad phase returns an ordered list. Each check merges it into an ordered table of rows, which refer
//! to an unordered table of states, as these have some 200 bytes and should not move. Tests run over the
//! states in any order on any number of threads; results are collected along the rows. Three flags of each
//! pair are stored apart from its state, so that collecting skips unchanged pairs.

use std::hint::black_box;

use super::pair_state::PairState;
use crate::broad::Pair;

/// Checks for which a pair is kept after its boxes have separated, as boxes of close objects soon meet again.
const CHECKS_AFTER_PARTING: u8 = 8;

/// How many rows ahead a state is prefetched.
const PREFETCH_DISTANCE: usize = 8;

/// Ordered rows, unordered states.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    rows: Vec<Row>,
    /// The rows before the last merge, for reuse.
    spare: Vec<Row>,
    pub(super) states: Vec<PairState>,
    /// Parallel to `states`.
    pub(super) marks: Vec<Mark>,
    free: Vec<u32>,
    /// Whether new caches are [coherent](crate::narrow::PairCache::coherent).
    coherent: bool,
}

/// Flags that are read before the state.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// Whether the pair is a candidate in this check.
    pub(super) active: bool,
    /// Whether there is nothing to report: the pair is apart and was before.
    pub(super) quiet: bool,
    /// Whether this check tested it.
    pub(super) tested: bool,
}

#[derive(Clone, Copy, Debug)]
struct Row {
    pair: Pair,
    state: u32,
    /// For how many checks the boxes have been apart.
    absent: u8,
}

impl PairTable {
    pub(super) fn new(coherent: bool) -> Self {
        Self { coherent, ..Self::default() }
    }

    /// Replaces the candidates by `overlapping`, which is ordered; keeps recent pairs. O(n),
    /// without allocation while their number stays about the same.
    pub(super) fn renew(&mut self, overlapping: &[Pair]) {
        let Self { rows, spare, states, marks, free, coherent } = self;
        spare.clear();
        let mut old = rows.iter().peekable();
        let absent = |row: &Row, spare: &mut Vec<Row>, marks: &mut [Mark]| {
            marks[row.state as usize].active = false;
            spare.push(Row { absent: row.absent.saturating_add(1), ..*row });
        };
        for &pair in overlapping {
            while let Some(row) = old.next_if(|row| row.pair < pair) {
                absent(row, spare, marks);
            }
            if let Some(row) = old.next_if(|row| row.pair == pair) {
                marks[row.state as usize].active = true;
                spare.push(Row { absent: 0, ..*row });
                continue;
            }
            let fresh = PairState::new(pair, *coherent);
            let state = match free.pop() {
                Some(state) => {
                    states[state as usize] = fresh;
                    state
                }
                None => {
                    states.push(fresh);
                    marks.push(Mark::default());
                    states.len() as u32 - 1
                }
            };
            marks[state as usize] = Mark { active: true, ..Mark::default() };
            spare.push(Row { pair, state, absent: 0 });
        }
        for row in old {
            absent(row, spare, marks);
        }
        std::mem::swap(rows, spare);
    }

    /// Counts a check with unchanged candidates and no tests.
    pub(super) fn skip_check(&mut self) {
        for row in &mut self.rows {
            if row.absent > 0 {
                row.absent = row.absent.saturating_add(1);
            } else {
                self.marks[row.state as usize].tested = false;
            }
        }
    }

    /// Calls `report` for all pairs with something to report, in order. Drops pairs that have been
    /// apart for long and those of removed objects. Returns how many of the others were tested.
    pub(super) fn visit(
        &mut self,
        alive: impl Fn(Pair) -> bool,
        mut report: impl FnMut(&mut PairState, Mark),
    ) -> usize {
        let Self { rows, spare, states, marks, free, .. } = self;
        let mut tested = 0;
        spare.clear();
        for (at, row) in rows.iter().enumerate() {
            if let Some(next) = rows.get(at + PREFETCH_DISTANCE).map(|next| next.state as usize)
                && !marks[next].quiet
            {
                // Prefetches a state, as these are unordered.
                black_box((states[next].colliding, states[next].late));
            }
            let mark = &mut marks[row.state as usize];
            if mark.active && mark.quiet {
                tested += usize::from(mark.tested);
                spare.push(*row);
                continue;
            }
            let state = &mut states[row.state as usize];
            if !mark.quiet {
                report(state, *mark);
            }
            if mark.active {
                spare.push(*row);
                continue;
            }
            mark.quiet = true;
            if row.absent <= CHECKS_AFTER_PARTING && alive(row.pair) {
                spare.push(*row);
            } else {
                // Frees the memory now.
                *state = PairState::new(row.pair, false);
                *mark = Mark::default();
                free.push(row.state);
            }
        }
        std::mem::swap(rows, spare);
        if states.len() > 4 * rows.len() + 1024 {
            self.compact();
        }
        tested
    }

    /// Frees memory after the number of pairs has dropped.
    fn compact(&mut self) {
        let marks = std::mem::take(&mut self.marks);
        let mut states: Vec<Option<PairState>> = self.states.drain(..).map(Some).collect();
        for row in &mut self.rows {
            if let Some(state) = states[row.state as usize].take() {
                self.marks.push(marks[row.state as usize]);
                row.state = self.states.len() as u32;
                self.states.push(state);
            }
        }
        self.states.shrink_to_fit();
        self.free = Vec::new();
        self.spare = Vec::new();
    }

    /// Calls `visit` for all candidates, in order.
    pub(super) fn each_active(&mut self, mut visit: impl FnMut(&mut PairState, &mut Mark)) {
        for row in self.rows.iter().filter(|row| row.absent == 0) {
            visit(&mut self.states[row.state as usize], &mut self.marks[row.state as usize]);
        }
    }

    /// All pairs, in order, with the number of checks for which their boxes have been apart.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PairState, u8)> {
        self.rows.iter().map(|row| (&self.states[row.state as usize], row.absent))
    }

    /// Appends a pair of a snapshot, which follows all others.
    pub(super) fn restore(&mut self, pair: Pair, absent: u8) -> &mut PairState {
        let state = self.states.len() as u32;
        self.rows.push(Row { pair, state, absent });
        self.marks.push(Mark { active: absent == 0, ..Mark::default() });
        self.states.push(PairState::new(pair, self.coherent));
        &mut self.states[state as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn forget_caches(&mut self) {
        self.states.iter_mut().for_each(|state| state.cache.clear());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::ProxyId;
    use std::collections::BTreeMap;
    use xcollide_scenes::Random;

    /// States stay with their pairs while these are kept, and memory does not grow.
    #[test]
    fn states_stay_with_their_pairs() {
        let mut random = Random::new(2);
        let mut table = PairTable::default();
        // By pair: whether the state was marked, and the last check it was in.
        let mut known: BTreeMap<Pair, u64> = BTreeMap::new();
        let (mut remembered, mut forgotten) = (0, 0);
        for check in 0..3000_u64 {
            let many = if check % 500 < 20 { 400.0 } else { 12.0 };
            let mut pairs: Vec<Pair> = (0..many as u32)
                .map(|_| {
                    let mut id = || ProxyId::new(random.between(0.0, 7.0) as u32, 0);
                    Pair::new(id(), id())
                })
                .collect();
            pairs.sort_unstable();
            pairs.dedup();
            table.renew(&pairs);
            let mut active = Vec::new();
            let mut last = None;
            let report = |state: &mut PairState, mark: Mark| {
                assert!(last < Some(state.pair), "out of order");
                last = Some(state.pair);
                if mark.active {
                    active.push(state.pair);
                    let before = known.insert(state.pair, check);
                    let kept =
                        before.is_some_and(|at| check - at <= u64::from(CHECKS_AFTER_PARTING) + 1);
                    assert_eq!(state.colliding, kept, "{:?} at {check}", state.pair);
                    remembered += u64::from(kept);
                    forgotten += u64::from(before.is_some() && !kept);
                    state.colliding = true;
                }
            };
            table.marks.iter_mut().for_each(|mark| mark.quiet = false);
            assert_eq!(table.visit(|_| true, report), 0);
            assert_eq!(active, pairs);
            assert!(table.states.len() <= 4 * table.len() + 1024);
        }
        assert!(remembered > 1000 && forgotten > 300, "{remembered} {forgotten}");
    }
}
