//! The extent of the boxes, and when to rebuild a structure for them.

use xcollide_bounds::Aabb;

use crate::Proxies;
use crate::index_set::IndexSet;
use crate::sample::Sample;
use crate::sides::{is_ordinary, longest_side};
use crate::stats::held;

/// The position and size of most boxes, without a few outliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
    /// The average longest side of a box. Sides count as at most eight times the median, so that one wall does
    /// not distort the average.
    pub(crate) diameter: f64,
}

impl Default for Extent {
    fn default() -> Self {
        Self { low: [0.0; 3], high: [1.0; 3], diameter: 1.0 }
    }
}

impl Extent {
    fn side(&self) -> f64 {
        (0..3).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max)
    }

    /// Whether a structure built for one extent is bad for the other.
    fn differs_from(&self, other: &Self) -> bool {
        let differ = |a: f64, b: f64| a > 2.0 * b || b > 2.0 * a;
        differ(self.diameter, other.diameter) || differ(self.side(), other.side())
    }
}

/// A structure that is updated box by box, and rebuilt when the boxes differ too much from those for which it
/// was built.
pub(crate) trait Adaptive {
    fn upkeep(&mut self) -> &mut Upkeep;

    /// Removes all boxes and lays the structure out for this extent and number of boxes.
    fn reset(&mut self, extent: &Extent, boxes: usize);

    /// Moves a box to its current cells, and counts it in [`Upkeep::misfits`].
    fn put(&mut self, proxies: &Proxies, index: u32);

    /// Moves many different boxes.
    fn put_all(&mut self, proxies: &Proxies, indices: &[u32]) {
        for &index in indices {
            self.put(proxies, index);
        }
    }

    /// Whether most of the memory is unused.
    fn is_hollow(&self) -> bool {
        false
    }

    /// Applies all changes since the last call.
    fn update(&mut self, proxies: &Proxies) {
        let mut changed = std::mem::take(&mut self.upkeep().changed);
        let upkeep = self.upkeep();
        upkeep.changes += changed.as_slice().len();
        let mut is_unfit = upkeep.is_outgrown(proxies.len(), 0);
        if !is_unfit {
            self.put_all(proxies, changed.as_slice());
            is_unfit = self.is_hollow() || self.upkeep().is_unfit(proxies);
        }
        changed.clear();
        self.upkeep().changed = changed;
        if is_unfit {
            self.rebuild(proxies);
        }
    }

    fn rebuild(&mut self, proxies: &Proxies) {
        let upkeep = self.upkeep();
        let extent = upkeep.measure(proxies.boxes());
        (upkeep.extent, upkeep.misfits) = (extent, 0);
        self.reset(&extent, proxies.len());
        let all: Vec<u32> = (0..proxies.boxes().len() as u32).collect();
        self.put_all(proxies, &all);
        let upkeep = self.upkeep();
        (upkeep.boxes, upkeep.usual_misfits) = (proxies.len(), upkeep.misfits);
        upkeep.changes = 0;
    }
}

/// Pending changes of a structure, and the boxes for which it was built.
#[derive(Debug, Default)]
pub(crate) struct Upkeep {
    pub(crate) changed: IndexSet,
    /// Number of boxes that fit the structure badly.
    pub(crate) misfits: usize,
    extent: Extent,
    sample: Sample,
    /// Reused memory for the indices of measured boxes.
    indices: Vec<u32>,
    /// Numbers of boxes and of misfits when the structure was built.
    boxes: usize,
    usual_misfits: usize,
    /// Changes to single boxes since the extent was last measured.
    changes: usize,
}

impl Upkeep {
    /// The extent of the boxes; the default if there are none.
    fn measure(&mut self, boxes: &[Aabb]) -> Extent {
        self.indices.clear();
        let all = 0..boxes.len() as u32;
        self.indices.extend(all.filter(|&index| is_ordinary(&boxes[index as usize])));
        if self.indices.is_empty() {
            return Extent::default();
        }
        let mut diameter = self.sample.median(&self.indices, boxes, longest_side);
        if diameter > 0.0 {
            // The average of about a hundred boxes.
            let some = || self.indices.iter().step_by(self.indices.len() / 128 + 1);
            let side = |&index| longest_side(&boxes[index as usize]).min(8.0 * diameter);
            diameter = some().map(side).sum::<f64>() / some().count() as f64;
        }
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let Self { sample, indices, .. } = self;
            let [from] = sample.quantiles(indices, boxes, |aabb| aabb.min[axis], [1.0 / 16.0]);
            let [to] = sample.quantiles(indices, boxes, |aabb| aabb.max[axis], [15.0 / 16.0]);
            // Room for boxes outside the sample, if they are spread evenly, and for motion.
            let margin = 0.125 * (to - from).max(0.0) + 0.5 * diameter;
            (low[axis], high[axis]) = (from.min(to) - margin, from.max(to) + margin);
        }
        let mut extent = Extent { low, high, diameter };
        // Not flat, and wider than the rounding errors of the coordinates.
        let numbers = low.iter().chain(&high).fold(1e-150, |most: f64, x| most.max(x.abs()));
        let side = extent.side().max(1e-9 * numbers);
        for axis in 0..3 {
            extent.high[axis] = extent.high[axis].max(extent.low[axis] + 1e-3 * side);
        }
        if diameter <= 1e-9 * side {
            extent.diameter = side / 64.0; // points
        }
        extent
    }

    /// Whether there are many more boxes or misfits than when it was built, or far fewer boxes.
    fn is_outgrown(&self, boxes: usize, misfits: usize) -> bool {
        boxes > 4 * self.boxes + 16
            || self.boxes > 4 * boxes + 64
            || misfits > 2 * self.usual_misfits + boxes / 8 + 8
    }

    /// Whether the structure no longer suits the boxes, which are measured now and then.
    fn is_unfit(&mut self, proxies: &Proxies) -> bool {
        if self.is_outgrown(proxies.len(), self.misfits) {
            return true;
        }
        let is_due = self.changes >= 16 * self.boxes + 64;
        if is_due {
            self.changes = 0;
        }
        is_due && self.measure(proxies.boxes()).differs_from(&self.extent)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.sample.bytes() + held(&self.indices) + self.changed.bytes()
    }
}
