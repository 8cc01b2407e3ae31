//! What a first pass over the boxes decides: which levels of the grid are used, which cells are occupied, and which are split.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::StoredBox;
use crate::cell_pairs::Role;
use crate::grid::{CellKey, Level, TOP};

/// How boxes are assigned to cells.
///
/// A box is in the cells that it covers on its level, where it is *own*, and on all coarser ones that are used, where it is
/// *projected* only. So two boxes come together in the cells of the coarser one of their levels, where one of them is own.
///
/// A plan is a literal in the logical plan, so all machines have the same one. Any plan gives the same pairs, if its levels
/// reach up to that of each box; a good one gives them sooner.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CellPlan {
    /// The levels that are used, ascending; the last one is [`TOP`].
    levels: Vec<Level>,
    /// For some levels, all cells with an own box. Others need no projected one.
    occupied: BTreeMap<Level, BTreeSet<CellKey>>,
    /// The number of parts of cells with many boxes. A box is projected in one part and own in all.
    parts: BTreeMap<CellKey, u16>,
}

/// The largest number of parts of a cell.
pub const MAX_PARTS: u16 = 1 << crate::grid::PART_BITS;

/// Levels with a smaller share of the boxes, and none finer, are not used; their boxes go to the next coarser one.
const FINEST_SHARE: f64 = 0.05;

/// The coarsest levels get a list of their occupied cells, as long as they have at most this many boxes in all.
const LISTED_BOXES: u64 = 2000;

impl CellPlan {
    /// Creates a plan from the number of boxes on each level.
    #[must_use]
    pub fn new(boxes: &BTreeMap<Level, u64>) -> Self {
        let all: u64 = boxes.values().sum();
        let mut levels = Vec::new();
        let mut below = 0;
        for (&level, &count) in boxes {
            below += count;
            if below as f64 >= FINEST_SHARE * all as f64 {
                levels.push(level);
            }
        }
        if levels.last() != Some(&TOP) {
            levels.push(TOP);
        }
        Self { levels, occupied: BTreeMap::new(), parts: BTreeMap::new() }
    }

    /// The coarsest levels, which have so few boxes that their occupied cells can be listed, and the coarsest one that has too
    /// many; given the number of boxes of each level.
    #[must_use]
    pub fn sparse_levels(&self, boxes: &BTreeMap<Level, u64>) -> (Vec<Level>, Option<Level>) {
        let mut counts: BTreeMap<Level, u64> =
            self.levels.iter().map(|&level| (level, 0)).collect();
        for (&level, &count) in boxes {
            if let Some((_, sum)) = counts.range_mut(level..).next() {
                *sum += count;
            }
        }
        let mut sum = 0;
        let mut sparse = Vec::new();
        for (level, count) in counts.into_iter().rev() {
            sum += count;
            if sum > LISTED_BOXES {
                return (sparse, Some(level));
            }
            sparse.push(level);
        }
        (sparse, None)
    }

    /// Lists the cells of a level that have an own box: all of them.
    pub fn set_occupied(&mut self, level: Level, cells: impl IntoIterator<Item = CellKey>) {
        self.occupied.insert(level, cells.into_iter().collect());
    }

    /// Splits a cell in parts, at most [`MAX_PARTS`].
    pub fn split(&mut self, cell: CellKey, parts: u16) {
        self.parts.insert(cell, parts.clamp(1, MAX_PARTS));
    }

    /// The number of cells that are split.
    #[must_use]
    pub fn split_cells(&self) -> usize {
        self.parts.len()
    }

    /// The level that a box is assigned to: the finest one that is used and at least its own.
    #[inline]
    #[must_use]
    pub fn level(&self, of: &StoredBox) -> Level {
        let own = of.level();
        self.levels.iter().copied().find(|&level| level >= own).unwrap_or(TOP)
    }

    /// Appends the cells that a box is in, each once, with its role there. `row` chooses the part of cells that are split.
    pub fn cells(&self, of: &StoredBox, row: u64, cells: &mut Vec<(CellKey, Role)>) {
        let start = cells.len();
        let mixed = row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let parts = |cell| self.parts.get(&cell).map_or(1, |&parts| u64::from(parts));
        let level = self.level(of);
        let role = Role { level, is_own: true, is_projected: true };
        of.cells(level, |cell| {
            let parts = parts(cell);
            let chosen = mixed % parts;
            cells.extend((0..parts).map(|part| {
                let is_projected = part == chosen;
                (cell | part, Role { is_projected, ..role })
            }));
        });
        let role = Role { is_own: false, ..role };
        for &level in self.levels.iter().filter(|&&coarser| coarser > level) {
            let occupied = self.occupied.get(&level);
            if occupied.is_some_and(BTreeSet::is_empty) {
                continue;
            }
            of.cells(level, |cell| {
                if occupied.is_none_or(|occupied| occupied.contains(&cell)) {
                    cells.push((cell | (mixed % parts(cell)), role));
                }
            });
        }
        merge(cells, start);
    }
}

/// Merges entries with one key from `start` on: different cells may have one.
fn merge(cells: &mut Vec<(CellKey, Role)>, start: usize) {
    if cells.len() - start < 2 {
        return;
    }
    cells[start..].sort_unstable_by_key(|(key, _)| *key);
    let mut last = start;
    for place in start + 1..cells.len() {
        let (key, role) = cells[place];
        if key == cells[last].0 {
            cells[last].1.is_own |= role.is_own;
            cells[last].1.is_projected |= role.is_projected;
        } else {
            last += 1;
            cells[last] = cells[place];
        }
    }
    cells.truncate(last + 1);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cell_pairs::{CellEntry, cell_pairs};

    /// Random boxes of many sizes at integer coordinates, negative ones included; many of them touch.
    fn boxes(count: usize, mut seed: u64) -> Vec<StoredBox> {
        let mut next = |limit: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % limit
        };
        let mut all = Vec::new();
        for _ in 0..count {
            let size = 1 << next(7);
            let min = [0; 3].map(|_| next(100) as f32 - 50.0);
            let max = min.map(|low| low + next(size) as f32);
            all.push(StoredBox { min, max });
        }
        all
    }

    /// The pairs that are found in all cells, each as often as it is.
    fn joined(plan: &CellPlan, all: &[StoredBox]) -> Vec<[u64; 2]> {
        let mut entries: BTreeMap<CellKey, Vec<CellEntry>> = BTreeMap::new();
        let mut cells = Vec::new();
        for (row, of) in all.iter().enumerate() {
            let row = row as u64;
            cells.clear();
            plan.cells(of, row, &mut cells);
            for &(key, role) in &cells {
                entries.entry(key).or_default().push(CellEntry { row, of: *of, role });
            }
        }
        let mut pairs = Vec::new();
        for (key, entries) in &mut entries {
            cell_pairs(*key, entries, |pair| pairs.push(pair));
        }
        pairs.sort_unstable();
        pairs
    }

    #[test]
    fn each_plan_tells_the_pairs_of_brute_force_once() {
        for seed in 0..8 {
            let all = boxes(300, seed);
            let mut expected = Vec::new();
            for (b, of) in all.iter().enumerate() {
                let others = all[..b].iter().enumerate().filter(|(_, other)| other.overlaps(of));
                expected.extend(others.map(|(a, _)| [a as u64, b as u64]));
            }
            expected.sort_unstable();
            assert!(expected.len() > 100);
            let mut counts = BTreeMap::new();
            all.iter().for_each(|of| *counts.entry(of.level()).or_default() += 1);
            let mut plan = CellPlan::new(&counts);
            assert_eq!(joined(&plan, &all), expected);
            for level in plan.sparse_levels(&counts).0 {
                let mut cells = Vec::new();
                for of in all.iter().filter(|of| plan.level(of) == level) {
                    of.cells(level, |cell| cells.push(cell));
                }
                plan.set_occupied(level, cells);
            }
            assert_eq!(joined(&plan, &all), expected);
            for (number, of) in all.iter().enumerate().step_by(3) {
                let level = plan.level(of);
                of.cells(level, |cell| plan.split(cell, number as u16 % 9));
            }
            assert_eq!(joined(&plan, &all), expected);
            // The coarsest plan of all.
            let one = CellPlan::new(&BTreeMap::from([(TOP, 300)]));
            assert_eq!(joined(&one, &all), expected);
        }
    }

    #[test]
    fn few_fine_boxes_go_to_a_coarser_level() {
        let counts = BTreeMap::from([(-9, 3), (-2, 40), (3, 50), (7, 1)]);
        let plan = CellPlan::new(&counts);
        assert_eq!(plan.levels, [-2, 3, 7, TOP]);
        assert_eq!(plan.sparse_levels(&counts), (vec![TOP, 7, 3, -2], None));
        let many = BTreeMap::from([(-2, LISTED_BOXES + 1), (7, 1)]);
        assert_eq!(CellPlan::new(&many).sparse_levels(&many), (vec![TOP, 7], Some(-2)));
    }
}
