//! The ordered list of pairs, in parts for several threads.

use super::Frame;
use super::mark::Mark;
use super::pair_state::{PREFETCH_DISTANCE, PairState};
use crate::broad::Pair;

/// Checks for which a pair is kept after its boxes have separated, as boxes of close objects soon meet again.
pub(super) const CHECKS_AFTER_PARTING: u8 = 8;

/// The state of a new pair until it has one.
const NONE: u32 = u32::MAX;

/// A pair of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) pair: Pair,
    /// The place of its state.
    pub(super) state: u32,
    /// For how many checks the boxes have been apart.
    pub(super) absent: u8,
}

/// Consecutive rows, in order.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    pub(super) list: Vec<Row>,
    /// The places in the list of rows that have no state yet.
    fresh: Vec<u32>,
    /// States that are no longer needed.
    pub(super) freed: Vec<u32>,
    /// The results of these rows.
    pub(super) results: Frame,
}

impl Rows {
    /// Replaces the rows by those of the candidates `overlapping` and the rows of `old` between `from` and `to`.
    /// Both lists are ordered.
    pub(super) fn merge(
        &mut self,
        overlapping: &[Pair],
        old: &[Self],
        [from, to]: [Option<Pair>; 2],
        marks: &[Mark],
    ) {
        self.list.clear();
        self.fresh.clear();
        let mut new = overlapping;
        for rows in old {
            let start = from.map_or(0, |from| rows.list.partition_point(|row| row.pair < from));
            let end = to.map_or(rows.list.len(), |to| {
                start + rows.list[start..].partition_point(|row| row.pair < to)
            });
            if let Some(last) = rows.list[start..end].last() {
                let (before, after) = new.split_at(new.partition_point(|&pair| pair <= last.pair));
                self.merge_two(before, &rows.list[start..end], marks);
                new = after;
            }
        }
        self.merge_two(new, &[], marks);
    }

    fn merge_two(&mut self, new: &[Pair], old: &[Row], marks: &[Mark]) {
        let absent = |row: &Row| {
            if row.absent == 0 {
                marks[row.state as usize].set(Mark::ACTIVE, false);
            }
            Row { absent: row.absent.saturating_add(1), ..*row }
        };
        let mut old = old.iter();
        for &pair in new {
            let mut next = old.as_slice().first();
            while let Some(row) = next.filter(|row| row.pair < pair) {
                self.list.push(absent(row));
                old.next();
                next = old.as_slice().first();
            }
            if let Some(row) = next.filter(|row| row.pair == pair) {
                if row.absent > 0 {
                    marks[row.state as usize].set(Mark::ACTIVE, true);
                }
                self.list.push(Row { absent: 0, ..*row });
                old.next();
            } else {
                self.fresh.push(self.list.len() as u32);
                self.list.push(Row { pair, state: NONE, absent: 0 });
            }
        }
        self.list.extend(old.map(absent));
    }

    /// Gives the new pairs states.
    pub(super) fn place_fresh(&mut self, mut place: impl FnMut(Pair) -> u32) {
        for at in self.fresh.drain(..) {
            let row = &mut self.list[at as usize];
            row.state = place(row.pair);
        }
    }

    /// Calls `report` for all pairs with something to report, in order, to write to [`results`](Self::results). Drops
    /// pairs that have been apart for long and those of removed objects. `unchanged`: the candidates are those of the last
    /// check, and none was tested.
    pub(super) fn visit(
        &mut self,
        states: &[PairState],
        marks: &[Mark],
        unchanged: bool,
        alive: &impl Fn(Pair) -> bool,
        report: &impl Fn(&PairState, &Mark, &mut Frame),
    ) {
        let Self { list, freed, results, .. } = self;
        results.clear(0);
        let (mut kept, mut quiet) = (0, 0);
        for at in 0..list.len() {
            if let Some(next) = list.get(at + PREFETCH_DISTANCE).map(|next| next.state as usize)
                && !marks[next].has(Mark::QUIET)
            {
                states[next].touch();
            }
            let mut row = list[at];
            let mark = &marks[row.state as usize];
            if unchanged {
                row.absent = row.absent.saturating_add(u8::from(row.absent > 0));
                mark.set(Mark::TESTED, false);
            }
            if mark.has(Mark::ACTIVE | Mark::QUIET) {
                quiet += usize::from(mark.has(Mark::TESTED));
            } else {
                if !mark.has(Mark::QUIET) {
                    report(&states[row.state as usize], mark, results);
                }
                if !mark.has(Mark::ACTIVE) {
                    mark.set(Mark::QUIET, true);
                    if row.absent > CHECKS_AFTER_PARTING || !alive(row.pair) {
                        freed.push(row.state);
                        continue;
                    }
                }
            }
            list[kept] = row;
            kept += 1;
        }
        list.truncate(kept);
        results.stats.tested += quiet;
    }
}
