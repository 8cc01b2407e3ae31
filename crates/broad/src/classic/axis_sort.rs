//! A sweep along one axis, kept sorted from frame to frame (Daneu 2002, 4.1.1).

use xcollide_bounds::Aabb;

use crate::sample::Sample;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies, Stats};

/// Keeps the boxes sorted along one axis by insertion sort, and compares those whose projections
/// overlap (Daneu 2002, 4.1.1 "Axis sort").
///
/// O(n + s + p₁) for s exchanges ([`Stats::exchanges`], up to n² if boxes jump) and p₁ pairs that overlap on the
/// axis ([`Stats::tests`], about n^(5/3) in a cube of evenly spread boxes). For sparse or long worlds;
/// [`Sweep`](crate::Sweep) is a faster variant.
///
/// The axis is that of the widest spread; only one with twice the spread replaces it. After a change of the
/// axis, or many insertions, all boxes are sorted from scratch.
pub type AxisSort = PairManager<AxisSortFinder>;

/// The algorithm of [`AxisSort`].
#[derive(Debug, Default)]
pub struct AxisSortFinder {
    axis: usize,
    /// The projections of the boxes, sorted by low side.
    sorted: Vec<Interval>,
    /// Whether a box is in the list, by index.
    is_listed: Vec<bool>,
    exchanges: u64,
    indices: Vec<u32>,
    sample: Sample,
}

#[derive(Clone, Copy, Debug)]
struct Interval {
    low: f64,
    high: f64,
    index: u32,
}

/// Another axis must have this many times the spread of the current one to replace it.
const CLEARLY: f64 = 2.0;

impl AxisSortFinder {
    /// Updates the list without sorting it. Returns whether sorting from scratch is cheaper.
    fn refill(&mut self, boxes: &[Aabb]) -> bool {
        let Self { axis, sorted, is_listed, indices, sample, .. } = self;
        is_listed.resize(boxes.len(), false);
        sorted.retain(|interval| {
            let stays = !boxes[interval.index as usize].is_empty();
            is_listed[interval.index as usize] = stays;
            stays
        });
        let old = sorted.len();
        indices.clear();
        for (index, aabb) in (0..).zip(boxes) {
            if aabb.is_empty() {
                continue;
            }
            indices.push(index);
            if !std::mem::replace(&mut is_listed[index as usize], true) {
                sorted.push(Interval { low: 0.0, high: 0.0, index });
            }
        }
        let spreads = spreads(sample, indices, boxes);
        let widest = axes_by_spread(&spreads)[0];
        let turns = spreads[widest] > CLEARLY * spreads[*axis];
        if turns {
            *axis = widest;
        }
        for interval in sorted.iter_mut() {
            let aabb = &boxes[interval.index as usize];
            (interval.low, interval.high) = (aabb.min[*axis], aabb.max[*axis]);
        }
        // Insertion moves a new box through half of the list, so many new boxes cost as much as sorting.
        turns || sorted.len() - old > 8 + old / 64
    }

    fn sort_in_place(&mut self) {
        let sorted = &mut self.sorted;
        for place in 1..sorted.len() {
            let interval = sorted[place];
            let mut hole = place;
            while hole > 0 && sorted[hole - 1].low > interval.low {
                sorted[hole] = sorted[hole - 1];
                hole -= 1;
            }
            sorted[hole] = interval;
            self.exchanges += (place - hole) as u64;
        }
    }
}

impl PairFinder for AxisSortFinder {
    fn name(&self) -> &'static str {
        "axis-sort"
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.exchanges = 0;
        if self.refill(proxies.boxes()) {
            self.sorted
                .sort_unstable_by(|a, b| a.low.total_cmp(&b.low).then(a.index.cmp(&b.index)));
        }
        // Needed after sorting from scratch too, which orders -0 before 0.
        self.sort_in_place();
        for (at, interval) in self.sorted.iter().enumerate() {
            let others = self.sorted[at + 1..].iter();
            for other in others.take_while(|other| other.low <= interval.high) {
                collector.test(interval.index, other.index);
            }
        }
    }

    fn bytes(&self) -> usize {
        held(&self.sorted) + held(&self.is_listed) + held(&self.indices) + self.sample.bytes()
    }

    fn stats(&self) -> Stats {
        Stats { exchanges: self.exchanges, ..Stats::default() }
    }
}

/// The spread of these boxes on each axis, without the outer tenths.
pub(crate) fn spreads(sample: &mut Sample, indices: &[u32], boxes: &[Aabb]) -> [f64; 3] {
    [0, 1, 2].map(|axis| {
        let [low, high] = sample.quantiles(indices, boxes, |aabb| aabb.min[axis], [0.1, 0.9]);
        // Infinite sides yield NaN, which `max` replaces by 0.
        (high - low).max(0.0)
    })
}

/// The axes, the one with the largest spread first.
pub(crate) fn axes_by_spread(spreads: &[f64; 3]) -> [usize; 3] {
    let mut axes = [0, 1, 2];
    axes.sort_by(|&a, &b| spreads[b].total_cmp(&spreads[a]));
    axes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BroadPhase as _, Everything, Pairs, ProxyError, ProxyIds};

    #[test]
    fn the_axis_follows_the_boxes() -> Result<(), ProxyError> {
        let mut ids = ProxyIds::new();
        let mut broad = AxisSort::new();
        let mut pairs = Pairs::new();
        let all: Vec<_> = (0..60).map(|_| ids.issue()).collect();
        for axis in [1, 2, 0] {
            for (k, id) in (0_i32..).zip(&all) {
                let mut corner = [0.0; 3];
                corner[axis] = 2.0 * f64::from(k);
                let bounds = Aabb::new(corner, corner.map(|c| c + 1.0)).into();
                broad.update(*id, &bounds).or_else(|_| broad.insert(*id, &bounds))?;
            }
            broad.pairs(&Everything, &mut pairs);
            assert_eq!((broad.finder().axis, broad.stats().tests), (axis, 0));
            assert_eq!(broad.stats().exchanges, 0);
        }
        Ok(())
    }
}
