//! A sweep over rectangles with an interval tree (I-COLLIDE 4.3).

mod interval_tree;

use interval_tree::IntervalTree;

use crate::classic::axis_sort::{axes_by_spread, spreads};
use crate::sample::Sample;
use crate::stats::held;
use crate::{PairCollector, PairFinder, PairManager, Proxies};

/// Finds the overlaps of the boxes' projections to a plane and tests those on the third axis
/// (I-COLLIDE 4.3, "Two-Dimensional Intersection Tests").
///
/// A line sweeps over the plane; an interval tree (Edelsbrunner 1983; here the augmented tree of Cormen et al.)
/// contains the rectangles that it crosses. The plane is that of the two axes with the widest spread.
/// O(n log n + p₂ log n) for p₂ overlapping rectangles, counted in [`Stats::tests`](crate::Stats::tests).
///
/// For crowds on a plane or in a valley. Starts from scratch in each call, so neither motion nor sizes matter.
pub type RectangleSweep = PairManager<RectangleSweepFinder>;

/// The algorithm of [`RectangleSweep`].
#[derive(Debug, Default)]
pub struct RectangleSweepFinder {
    /// The non-empty boxes, sorted by low side along the line's direction of motion.
    ranked: Vec<(f64, u32)>,
    /// Where the line enters and leaves each box.
    events: Vec<Event>,
    /// The boxes crossed by the line.
    met: IntervalTree,
    indices: Vec<u32>,
    sample: Sample,
}

/// Ordered by coordinate; at the same coordinate starts come before ends, as boxes that touch overlap.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Event {
    at: f64,
    is_end: bool,
    /// The index of the box in `ranked`.
    rank: u32,
}

impl PairFinder for RectangleSweepFinder {
    fn name(&self) -> &'static str {
        "rectangle-sweep"
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let Self { ranked, events, met, indices, sample } = self;
        let boxes = proxies.boxes();
        indices.clear();
        indices.extend((0..boxes.len() as u32).filter(|&k| !boxes[k as usize].is_empty()));
        let [across, along, third] = axes_by_spread(&spreads(sample, indices, boxes));

        ranked.clear();
        ranked.extend(indices.iter().map(|&index| (boxes[index as usize].min[along], index)));
        sort(ranked);
        met.reset(ranked.iter().map(|entry| entry.0));
        events.clear();
        for (rank, &(_, index)) in (0..).zip(ranked.iter()) {
            let aabb = &boxes[index as usize];
            events.push(Event { at: aabb.min[across], is_end: false, rank });
            events.push(Event { at: aabb.max[across], is_end: true, rank });
        }
        sort(events);

        for event in events.iter() {
            let rank = event.rank as usize;
            if event.is_end {
                met.remove(rank);
                continue;
            }
            let index = ranked[rank].1;
            let aabb = &boxes[index as usize];
            met.each_overlap(aabb.min[along], aabb.max[along], |other| {
                let other = ranked[other].1;
                let others = &boxes[other as usize];
                collector.count(1);
                if aabb.min[third] <= others.max[third] && others.min[third] <= aabb.max[third] {
                    collector.accept_boxes(index, other);
                }
            });
            met.insert(rank, aabb.max[along]);
        }
    }

    fn bytes(&self) -> usize {
        held(&self.ranked)
            + held(&self.events)
            + self.met.bytes()
            + held(&self.indices)
            + self.sample.bytes()
    }
}

/// Sorts values without NaN.
fn sort<T: PartialOrd>(items: &mut [T]) {
    items.sort_unstable_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
}
