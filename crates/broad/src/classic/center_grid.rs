//! A grid of cells that are larger than any box (Daneu 2002, 4.1.2 "Grid", there in the plane).
//!
//! Each box is in the cell of its center. Boxes two cells apart cannot overlap, so each box is compared with
//! those of its own cell and of 13 of the 26 neighbours; the boxes in the other 13 are compared with it. Cells
//! are not stored: boxes are sorted by cell number, row by row, and a scan of a row advances along the
//! neighbouring rows at the same time.

use xcollide_bounds::Aabb;

use crate::sample::Sample;
use crate::sides::longest_side;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies, Stats};

/// A grid with a single entry for each box. For c pairs in neighbouring cells O(n log n + c), or O(n + c) if no
/// box changes its cell. [`Stats::tests`] counts the pairs, [`Stats::moves`] changes of cell.
///
/// For boxes of similar size: the largest sets the cell size. Boxes 16 times as large as the typical one are
/// compared with all others instead. [`HashGrid`](crate::HashGrid) handles any range of sizes.
pub type CenterGrid = PairManager<CenterGridFinder>;

/// The algorithm of [`CenterGrid`].
#[derive(Debug, Default)]
pub struct CenterGridFinder {
    cells: Cells,
    /// The cell of a box by index, or [`NO_CELL`] or [`NO_BOX`].
    numbers: Vec<u128>,
    /// The boxes in cells, sorted by cell.
    sorted: Vec<(u128, u32)>,
    /// The boxes without cells.
    rest: Vec<u32>,
    /// The length of `rest` when the cells were laid out.
    usual_rest: usize,
    moves: u64,
    indices: Vec<u32>,
    sample: Sample,
}

/// The cell of boxes that are too large, too far away, or unbounded.
const NO_CELL: u128 = u128::MAX - 1;
/// The cell of empty boxes.
const NO_BOX: u128 = u128::MAX;

/// Boxes more than this many times as large as the median have no cells.
const LARGE: f64 = 16.0;

impl CenterGridFinder {
    fn lay_out(&mut self, boxes: &[Aabb]) {
        let Self { cells, indices, sample, .. } = self;
        indices.clear();
        let is_finite = |&k: &u32| {
            !boxes[k as usize].is_empty() && longest_side(&boxes[k as usize]) <= f64::MAX
        };
        indices.extend((0..boxes.len() as u32).filter(is_finite));
        *cells = Cells::default();
        if indices.is_empty() {
            return;
        }
        let typical = sample.median(indices, boxes, longest_side);
        let limit = if typical > 0.0 { LARGE * typical } else { 0.0 };
        indices.retain(|&k| longest_side(&boxes[k as usize]) <= limit);
        let mut widest = [0.0; 3];
        for &index in indices.iter() {
            let aabb = &boxes[index as usize];
            widest = [0, 1, 2].map(|axis| f64::max(widest[axis], aabb.max[axis] - aabb.min[axis]));
        }
        // Points and flat boxes would allow cells of size zero. These get the width of the other axes, or a
        // width for about one box a cell.
        let thickest = widest.iter().copied().fold(0.0, f64::max);
        let finest = [0, 1, 2].map(|axis| {
            let [low, high] = sample.quantiles(indices, boxes, |aabb| aabb.min[axis], [0.1, 0.9]);
            (high - low) / libm::cbrt(indices.len() as f64)
        });
        let finest = finest.iter().copied().fold(0.0, f64::max);
        let spare = [thickest, finest, 1.0].into_iter().find(|&side| side > 0.0).unwrap_or(1.0);
        *cells = Cells {
            origin: [0, 1, 2].map(|axis| sample.median(indices, boxes, |aabb| aabb.min[axis])),
            widest,
            sides: widest.map(|side| SLACK * if side > 0.0 { side } else { spare }),
        };
    }

    /// Computes the cells of all boxes. Returns how many changed.
    fn sort_into_cells(&mut self, boxes: &[Aabb]) {
        let Self { cells, numbers, rest, moves, .. } = self;
        numbers.resize(boxes.len(), NO_BOX);
        rest.clear();
        *moves = 0;
        for ((index, aabb), old) in (0..).zip(boxes).zip(numbers) {
            let number = if aabb.is_empty() { NO_BOX } else { cells.number(aabb) };
            *moves += u64::from(*old != number);
            *old = number;
            if number == NO_CELL {
                rest.push(index);
            }
        }
    }

    /// Whether other cells may be better: many boxes have no cell, or all are much smaller than the cells, or
    /// most are very much smaller.
    fn is_outgrown(&self, boxes: &[Aabb]) -> bool {
        let widest = self.cells.widest;
        let thickest = widest.iter().copied().fold(0.0, f64::max);
        let (mut occupants, mut tiny, mut wide) = (0, 0, 0);
        for (aabb, _) in boxes.iter().zip(&self.numbers).filter(|(_, number)| **number < NO_CELL) {
            let fills = |axis: usize| 2.0 * (aabb.max[axis] - aabb.min[axis]) >= widest[axis];
            occupants += 1;
            tiny += usize::from(4.0 * LARGE * longest_side(aabb) < thickest);
            wide += usize::from((0..3).any(fills));
        }
        self.rest.len() > self.usual_rest + 4 + boxes.len() / 32
            || 2 * tiny > occupants
            || wide == 0 && occupants > 0
    }

    fn compare_neighbours(&self, collector: &mut PairCollector<'_>) {
        let sorted = &self.sorted;
        // The positions in the four later rows beside this one.
        let mut rows = [ROW, TIER - ROW, TIER, TIER + ROW].map(|ahead| (ahead, 0));
        for (at, &(number, index)) in sorted.iter().enumerate() {
            for other in sorted[at + 1..].iter().take_while(|other| other.0 <= number + 1) {
                collector.test(index, other.1);
            }
            for (ahead, start) in &mut rows {
                let middle = number + *ahead;
                while *start < sorted.len() && sorted[*start].0 < middle - 1 {
                    *start += 1;
                }
                for other in sorted[*start..].iter().take_while(|other| other.0 <= middle + 1) {
                    collector.test(index, other.1);
                }
            }
        }
    }
}

impl PairFinder for CenterGridFinder {
    fn name(&self) -> &'static str {
        "centre-grid"
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let boxes = proxies.boxes();
        self.sort_into_cells(boxes);
        if self.is_outgrown(boxes) {
            self.lay_out(boxes);
            self.sort_into_cells(boxes);
            self.usual_rest = self.rest.len();
            self.moves = boxes.len() as u64;
        }
        if self.moves > 0 {
            self.sorted.clear();
            let numbered = self.numbers.iter().copied().zip(0..);
            self.sorted.extend(numbered.filter(|&(number, _)| number < NO_CELL));
            self.sorted.sort_unstable();
        }
        self.compare_neighbours(collector);
        for (at, &index) in self.rest.iter().enumerate() {
            let others = self.sorted.iter().map(|entry| entry.1);
            for other in others.chain(self.rest[at + 1..].iter().copied()) {
                collector.test(index, other);
            }
        }
    }

    fn bytes(&self) -> usize {
        held(&self.numbers)
            + held(&self.sorted)
            + held(&self.rest)
            + held(&self.indices)
            + self.sample.bytes()
    }

    fn stats(&self) -> Stats {
        Stats { moves: self.moves, ..Stats::default() }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Cells {
    origin: [f64; 3],
    /// The largest permitted sides of boxes in cells.
    widest: [f64; 3],
    /// The sides of a cell, slightly wider; 0 if there are no cells.
    sides: [f64; 3],
}

/// How much wider a cell is than a box. Covers rounding: a coordinate is below [`FARTHEST`] cells, so its
/// error is below `2⁻¹⁵` of a cell.
const SLACK: f64 = 1.001;
/// The number of cells on each side of the origin.
const FARTHEST: f64 = (1_u64 << 36) as f64;
/// The distance to the next cell along y, and along z. x has 40 bits of the number, which leaves room for the
/// neighbours of the last cell of a row.
const ROW: u128 = 1 << 40;
const TIER: u128 = 1 << 80;

impl Cells {
    /// The cell of a non-empty box, or [`NO_CELL`].
    fn number(&self, aabb: &Aabb) -> u128 {
        let mut number = 0;
        for axis in (0..3).rev() {
            let Self { origin, widest, sides } = self;
            if !(aabb.max[axis] - aabb.min[axis] <= widest[axis] && sides[axis] > 0.0) {
                return NO_CELL;
            }
            // Subtracts first: the sum of large coordinates would lose too many digits.
            let middle = 0.5 * (aabb.min[axis] - origin[axis] + (aabb.max[axis] - origin[axis]));
            let place = (middle / sides[axis]).floor();
            if place.abs() < FARTHEST {
                number = number * ROW + (place + 2.0 * FARTHEST) as u128;
            } else {
                return NO_CELL;
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AllPairs, BroadPhase as _, Everything, Pairs, ProxyError, ProxyIds};

    #[test]
    fn no_neighbour_is_forgotten_and_none_is_seen_twice() -> Result<(), ProxyError> {
        let mut ids = ProxyIds::new();
        let (mut broad, mut referee) = (CenterGrid::new(), AllPairs::new());
        // Each touches its 26 neighbours, to the last bit.
        for k in 0..343_i32 {
            let at = [k % 7, k / 7 % 7, k / 49].map(f64::from);
            let bounds = Aabb::new(at, at.map(|c| c + 1.0)).into();
            let id = ids.issue();
            broad.insert(id, &bounds)?;
            referee.insert(id, &bounds)?;
        }
        let (mut found, mut expected) = (Pairs::new(), Pairs::new());
        broad.pairs(&Everything, &mut found);
        referee.pairs(&Everything, &mut expected);
        assert_eq!(found, expected);
        assert_eq!(found.overlapping.len(), 3 * 6 * 49 + 6 * 36 * 7 + 4 * 216);
        // Hardly more candidates than pairs.
        assert!(broad.stats().tests < 2 * found.overlapping.len() as u64);
        Ok(())
    }

    #[test]
    fn cells_follow_the_sizes_of_the_boxes() -> Result<(), ProxyError> {
        let mut ids = ProxyIds::new();
        let all: Vec<_> = (0..200).map(|_| ids.issue()).collect();
        let mut broad = CenterGrid::new();
        let mut pairs = Pairs::new();
        for (call, side) in [1.0, 1.0, 100.0, 100.0, 1e-3, 1e-3].into_iter().enumerate() {
            for (k, id) in (0_i32..).zip(&all) {
                let at = 3.5 * side * f64::from(k);
                let bounds = Aabb::new([at, 0.0, 0.0], [at + side, side, side]).into();
                broad.update(*id, &bounds).or_else(|_| broad.insert(*id, &bounds))?;
            }
            broad.pairs(&Everything, &mut pairs);
            assert_eq!(broad.stats().tests, 0, "{side}");
            assert_eq!(broad.stats().moves > 0, call % 2 == 0);
        }
        // The result does not depend on the order of insertion.
        let mut broad = CenterGrid::new();
        broad.insert(ids.issue(), &Aabb::new([0.0, 0.0, 50.0], [1e3; 3]).into())?;
        broad.pairs(&Everything, &mut pairs);
        for (k, id) in (0_i32..).zip(&all) {
            let at = 3.5 * f64::from(k);
            broad.insert(*id, &Aabb::new([at, 0.0, 0.0], [at + 1.0, 1.0, 1.0]).into())?;
        }
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().tests, pairs.overlapping.len()), (200, 0));
        // A floor has no cell and does not affect the cells of others.
        let floor = Aabb::new([-1e9, -1e9, -1.0], [1e9, 1e9, 0.0]).into();
        broad.insert(ids.issue(), &floor)?;
        broad.pairs(&Everything, &mut pairs);
        assert_eq!((broad.stats().tests, pairs.overlapping.len()), (401, 200));
        Ok(())
    }
}
