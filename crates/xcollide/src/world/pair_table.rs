//! The pairs whose boxes overlap, from check to check.
//!
//! The broad phase hands over an ordered list; what is kept of the pairs must not be moved about, for
//! it is some 200 bytes each. So there is an ordered table of rows, merged with the list in every
//! check, and an unordered one of states. Tests run over the latter, in any order and by any number
//! of threads; results are collected along the former.

use super::pair_state::PairState;
use crate::broad::Pair;

/// Checks for which a pair is kept after its boxes have parted, with all that algorithms remember of
/// it: boxes of things that stay close part and meet again all the time.
const KEPT: u8 = 8;

/// Rows in order, states in none.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    rows: Vec<Row>,
    /// The memory of the rows before.
    spare: Vec<Row>,
    pub(super) states: Vec<PairState>,
    free: Vec<u32>,
    /// Whether new pairs remember more; see [`PairCache::coherent`](crate::narrow::PairCache).
    coherent: bool,
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

    /// Makes the table one of these pairs, which are in order, and of those that were there shortly
    /// before. O(n), without memory of its own while their number stays about the same.
    pub(super) fn renew(&mut self, overlapping: &[Pair]) {
        let Self { rows, spare, states, free, coherent } = self;
        spare.clear();
        let mut old = rows.iter().peekable();
        let absent = |row: &Row, spare: &mut Vec<Row>, states: &mut [PairState]| {
            states[row.state as usize].active = false;
            spare.push(Row { absent: row.absent.saturating_add(1), ..*row });
        };
        for &pair in overlapping {
            while let Some(row) = old.next_if(|row| row.pair < pair) {
                absent(row, spare, states);
            }
            if let Some(row) = old.next_if(|row| row.pair == pair) {
                states[row.state as usize].active = true;
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
                    states.len() as u32 - 1
                }
            };
            spare.push(Row { pair, state, absent: 0 });
        }
        for row in old {
            absent(row, spare, states);
        }
        std::mem::swap(rows, spare);
    }

    /// Shows all pairs in order, and forgets those that have been apart for long, or of which `keep`
    /// says no.
    pub(super) fn visit(&mut self, mut keep: impl FnMut(&mut PairState) -> bool) {
        let Self { rows, states, free, .. } = self;
        rows.retain(|row| {
            let state = &mut states[row.state as usize];
            let kept = keep(state) && row.absent <= KEPT;
            if !kept {
                // Gives the memory back now, not when the place is used again.
                *state = PairState::new(row.pair, false);
                state.active = false;
                free.push(row.state);
            }
            kept
        });
        if states.len() > 4 * rows.len() + 1024 {
            self.compact();
        }
    }

    /// Gives back the memory of a crowd that has dissolved.
    fn compact(&mut self) {
        let mut states: Vec<Option<PairState>> = self.states.drain(..).map(Some).collect();
        for row in &mut self.rows {
            if let Some(state) = states[row.state as usize].take() {
                row.state = self.states.len() as u32;
                self.states.push(state);
            }
        }
        self.states.shrink_to_fit();
        self.free = Vec::new();
        self.spare = Vec::new();
    }

    /// Shows the states of the pairs that are candidates, in order.
    pub(super) fn each_active(&mut self, mut visit: impl FnMut(&mut PairState)) {
        for row in self.rows.iter().filter(|row| row.absent == 0) {
            visit(&mut self.states[row.state as usize]);
        }
    }

    /// How many pairs are kept.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Forgets what algorithms remember.
    pub(super) fn forget_caches(&mut self) {
        self.states.iter_mut().for_each(PairState::forget);
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
            table.visit(|state| {
                assert!(last < Some(state.pair), "out of order");
                last = Some(state.pair);
                if state.active {
                    active.push(state.pair);
                    let before = known.insert(state.pair, check);
                    let kept = before.is_some_and(|at| check - at <= u64::from(KEPT) + 1);
                    assert_eq!(state.colliding, kept, "{:?} at {check}", state.pair);
                    remembered += u64::from(kept);
                    forgotten += u64::from(before.is_some() && !kept);
                    state.colliding = true;
                }
                true
            });
            assert_eq!(active, pairs);
            assert!(table.states.len() <= 4 * table.len() + 1024);
        }
        assert!(remembered > 1000 && forgotten > 300, "{remembered} {forgotten}");
    }
}
