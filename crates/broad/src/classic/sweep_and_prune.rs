//! Sweep and prune on three axes, kept sorted between frames (I-COLLIDE, 4.2).

use rustc_hash::FxHashSet;
use xcollide_bounds::Aabb;

use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies, Stats};

/// Keeps the ends of all boxes sorted on three axes by insertion sort and watches the exchanges
/// (I-COLLIDE, 4.2; Baraff 1992; Zachmann, lecture slides, "Plane Sweep").
///
/// When a low end and a high end pass each other, the overlap of two boxes on this axis begins or ends; on the
/// other axes the boxes are compared. O(n + s) for s exchanges ([`Stats::exchanges`]): few if little moves, up
/// to n² if boxes jump. After many insertions or removals all ends are sorted from scratch.
///
/// Boxes may be refitted each frame or be the fixed cubes of I-COLLIDE 4.1, which need fewer exchanges and yield
/// more pairs.
pub type SweepAndPrune = PairManager<SweepAndPruneFinder>;

/// The algorithm of [`SweepAndPrune`].
#[derive(Debug, Default)]
pub struct SweepAndPruneFinder {
    /// By axis, the ends of all non-empty boxes, ascending.
    ends: [Vec<End>; 3],
    /// The pairs of overlapping boxes, wanted or not.
    overlapping: FxHashSet<(u32, u32)>,
    /// By index, whether a box has ends in the lists.
    listed: Vec<bool>,
    exchanges: u64,
}

/// One end of a box on an axis. Ordered by coordinate; at the same coordinate low ends come first, as boxes
/// that touch overlap.
#[derive(Clone, Copy, Debug)]
struct End {
    at: f64,
    /// Twice the index, plus 1 for a high end.
    tag: u32,
}

impl End {
    #[inline]
    fn is_high(self) -> bool {
        self.tag & 1 == 1
    }

    #[inline]
    fn index(self) -> u32 {
        self.tag >> 1
    }

    #[inline]
    fn is_after(self, other: Self) -> bool {
        self.at > other.at || self.at == other.at && self.is_high() && !other.is_high()
    }
}

impl SweepAndPruneFinder {
    /// Removes the ends of removed or empty boxes, appends those of new boxes, and reads all coordinates;
    /// sorting puts the ends in place. Returns the number of new boxes.
    fn refill(&mut self, boxes: &[Aabb]) -> usize {
        let Self { ends, overlapping, listed, .. } = self;
        listed.resize(boxes.len(), false);
        let (mut leavers, mut newcomers) = (0, 0);
        for ((index, aabb), listed) in (0..).zip(boxes).zip(listed) {
            match (*listed, !aabb.is_empty()) {
                (true, false) => leavers += 1,
                (false, true) => {
                    newcomers += 1;
                    for ends in &mut *ends {
                        ends.extend([0, 1].map(|high| End { at: 0.0, tag: index << 1 | high }));
                    }
                }
                _ => {}
            }
            *listed = !aabb.is_empty();
        }
        if leavers > 0 {
            let gone = |index: u32| boxes[index as usize].is_empty();
            for ends in &mut *ends {
                ends.retain(|end| !gone(end.index()));
            }
            overlapping.retain(|&(a, b)| !gone(a) && !gone(b));
        }
        for (axis, ends) in self.ends.iter_mut().enumerate() {
            for end in ends {
                let aabb = &boxes[end.index() as usize];
                end.at = if end.is_high() { aabb.max[axis] } else { aabb.min[axis] };
            }
        }
        newcomers
    }

    fn sort(&mut self, axis: usize, boxes: &[Aabb]) {
        let ends = &mut self.ends[axis];
        for place in 1..ends.len() {
            let end = ends[place];
            let mut hole = place;
            while hole > 0 && ends[hole - 1].is_after(end) {
                let passed = ends[hole - 1];
                ends[hole] = passed;
                hole -= 1;
                self.exchanges += 1;
                if passed.is_high() == end.is_high() || passed.index() == end.index() {
                    continue;
                }
                let (a, b) = (passed.index(), end.index());
                let pair = (a.min(b), a.max(b));
                if boxes[a as usize].overlaps(&boxes[b as usize]) {
                    self.overlapping.insert(pair);
                } else if end.is_high() {
                    self.overlapping.remove(&pair);
                }
            }
            ends[hole] = end;
        }
    }

    fn rebuild(&mut self, boxes: &[Aabb]) {
        for ends in &mut self.ends {
            ends.sort_unstable_by(|a, b| {
                a.at.partial_cmp(&b.at)
                    .unwrap_or(std::cmp::Ordering::Equal)
                    .then(a.is_high().cmp(&b.is_high()))
                    .then(a.tag.cmp(&b.tag))
            });
        }
        self.overlapping.clear();
        let mut open: Vec<u32> = Vec::new();
        for end in &self.ends[0] {
            let index = end.index();
            if end.is_high() {
                open.retain(|&other| other != index);
                continue;
            }
            for &other in &open {
                if boxes[index as usize].overlaps(&boxes[other as usize]) {
                    self.overlapping.insert((index.min(other), index.max(other)));
                }
            }
            open.push(index);
        }
    }
}

impl PairFinder for SweepAndPruneFinder {
    fn name(&self) -> &'static str {
        "sweep-and-prune"
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let boxes = proxies.boxes();
        self.exchanges = 0;
        let newcomers = self.refill(boxes);
        // Insertion moves a new box through half of the list, so many new boxes cost as much as sorting.
        let all = self.ends[0].len() / 2;
        if newcomers > 8 + all / 64 {
            self.rebuild(boxes);
        } else {
            for axis in 0..3 {
                self.sort(axis, boxes);
            }
        }
        collector.count(self.overlapping.len() as u64);
        for &(a, b) in &self.overlapping {
            collector.accept_boxes(a, b);
        }
    }

    fn bytes(&self) -> usize {
        self.ends.iter().map(held).sum::<usize>()
            // A hash set has 8 places for 7 entries, and one more byte for each place.
            + self.overlapping.capacity() * 8 / 7 * (size_of::<(u32, u32)>() + 1)
            + held(&self.listed)
    }

    fn stats(&self) -> Stats {
        Stats { exchanges: self.exchanges, ..Stats::default() }
    }
}
