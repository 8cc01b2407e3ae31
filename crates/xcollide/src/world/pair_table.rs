//! The pairs whose boxes overlap, from check to check.
//!
//! The broad phase hands over an ordered list; what is kept of the pairs must not be moved about, for
//! it is some 200 bytes each. So there is an ordered table of rows, merged with the list in every
//! check, and an unordered one of states. Tests run over the latter, in any order and by any number
//! of threads; results are collected along the former. Three bits of each pair are kept apart from its
//! state, so that a pair of which there is nothing to be told is touched by its test alone.

use std::hint::black_box;

use super::pair_state::PairState;
use crate::broad::Pair;

/// Checks for which a pair is kept after its boxes have parted, with all that algorithms remember of
/// it: boxes of things that stay close part and meet again all the time.
const KEPT: u8 = 8;

/// Rows from one that is looked at to one whose state is fetched from memory meanwhile.
const AHEAD: usize = 8;

/// Rows in order, states in none.
#[derive(Debug, Default)]
pub(super) struct PairTable {
    rows: Vec<Row>,
    /// The memory of the rows before.
    spare: Vec<Row>,
    pub(super) states: Vec<PairState>,
    /// One for each state.
    pub(super) marks: Vec<Mark>,
    free: Vec<u32>,
    /// Whether new pairs remember more; see [`PairCache::coherent`](crate::narrow::PairCache).
    coherent: bool,
}

/// What has to be known of a pair before its state is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// Whether it is a candidate in this check.
    pub(super) active: bool,
    /// Whether there is nothing to be told: it is apart, and was before.
    pub(super) quiet: bool,
    /// Whether it was tested in this check.
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

    /// Makes the table one of these pairs, which are in order, and of those that were there shortly
    /// before. O(n), without memory of its own while their number stays about the same.
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

    /// Lets a check go by in which the candidates are those of the last one, and nothing is tested.
    pub(super) fn rest(&mut self) {
        for row in &mut self.rows {
            if row.absent > 0 {
                row.absent = row.absent.saturating_add(1);
            } else {
                self.marks[row.state as usize].tested = false;
            }
        }
    }

    /// Shows all pairs of which there is something to be told to `tell`, in order; forgets those that
    /// have been apart for long, and those of objects that are gone. Returns how many of the others
    /// were tested.
    pub(super) fn visit(
        &mut self,
        alive: impl Fn(Pair) -> bool,
        mut tell: impl FnMut(&mut PairState, Mark),
    ) -> usize {
        let Self { rows, spare, states, marks, free, .. } = self;
        let mut tested = 0;
        spare.clear();
        for (at, row) in rows.iter().enumerate() {
            if let Some(next) = rows.get(at + AHEAD).map(|next| next.state as usize)
                && !marks[next].quiet
            {
                // States are in no order, so the one that is needed soon is fetched now.
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
                tell(state, *mark);
            }
            if mark.active {
                spare.push(*row);
                continue;
            }
            mark.quiet = true;
            if row.absent <= KEPT && alive(row.pair) {
                spare.push(*row);
            } else {
                // Gives the memory back now, not when the place is used again.
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

    /// Gives back the memory of a crowd that has dissolved.
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

    /// Shows the states of the pairs that are candidates, in order.
    pub(super) fn each_active(&mut self, mut visit: impl FnMut(&mut PairState, &mut Mark)) {
        for row in self.rows.iter().filter(|row| row.absent == 0) {
            visit(&mut self.states[row.state as usize], &mut self.marks[row.state as usize]);
        }
    }

    /// All pairs that are kept, in order, and for how many checks their boxes have been apart.
    pub(super) fn all(&self) -> impl Iterator<Item = (&PairState, u8)> {
        self.rows.iter().map(|row| (&self.states[row.state as usize], row.absent))
    }

    /// Brings a pair back, which comes after all that are kept.
    pub(super) fn bring_back(&mut self, pair: Pair, absent: u8) -> &mut PairState {
        let state = self.states.len() as u32;
        self.rows.push(Row { pair, state, absent });
        self.marks.push(Mark { active: absent == 0, ..Mark::default() });
        self.states.push(PairState::new(pair, self.coherent));
        &mut self.states[state as usize]
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
            let tell = |state: &mut PairState, mark: Mark| {
                assert!(last < Some(state.pair), "out of order");
                last = Some(state.pair);
                if mark.active {
                    active.push(state.pair);
                    let before = known.insert(state.pair, check);
                    let kept = before.is_some_and(|at| check - at <= u64::from(KEPT) + 1);
                    assert_eq!(state.colliding, kept, "{:?} at {check}", state.pair);
                    remembered += u64::from(kept);
                    forgotten += u64::from(before.is_some() && !kept);
                    state.colliding = true;
                }
            };
            table.marks.iter_mut().for_each(|mark| mark.quiet = false);
            assert_eq!(table.visit(|_| true, tell), 0);
            assert_eq!(active, pairs);
            assert!(table.states.len() <= 4 * table.len() + 1024);
        }
        assert!(remembered > 1000 && forgotten > 300, "{remembered} {forgotten}");
    }
}
