//! Where the boxes are, how wide, and when to look again.

use xcollide_bounds::Aabb;

use crate::sample::Sample;

/// A place for most of the boxes: a few that are far away do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent {
    pub(crate) low: [f64; 3],
    pub(crate) high: [f64; 3],
    /// The average longest side of a box. Those of more than eight times the median count as that
    /// long, so that a wall does not spoil it.
    pub(crate) diameter: f64,
}

impl Extent {
    /// The longest side.
    pub(crate) fn side(&self) -> f64 {
        (0..3).map(|axis| self.high[axis] - self.low[axis]).fold(0.0, f64::max)
    }

    /// Whether sizes are so different that what was made for the one is bad for the other.
    pub(crate) fn differs_from(&self, other: &Self) -> bool {
        let differ = |a: f64, b: f64| a > 2.0 * b || b > 2.0 * a;
        differ(self.diameter, other.diameter) || differ(self.side(), other.side())
    }
}

/// Looks at a few of the boxes. Its memory is used again.
#[derive(Debug, Default)]
pub(crate) struct ExtentEstimator {
    sample: Sample,
    indices: Vec<u32>,
}

impl ExtentEstimator {
    /// Where most of the boxes are; some place if there are none.
    pub(crate) fn measure(&mut self, boxes: &[Aabb]) -> Extent {
        // Beyond this, differences of coordinates need not be finite.
        const FAR: f64 = 1e150;
        let is_near = |aabb: &Aabb| (0..3).all(|k| aabb.min[k] > -FAR && aabb.max[k] < FAR);
        let filled = |index: &u32| {
            let aabb = &boxes[*index as usize];
            !aabb.is_empty() && is_near(aabb)
        };
        self.indices.clear();
        self.indices.extend((0..boxes.len() as u32).filter(filled));
        if self.indices.is_empty() {
            return Extent { low: [0.0; 3], high: [1.0; 3], diameter: 1.0 };
        }
        let longest = |aabb: &Aabb| aabb.size().into_iter().fold(0.0, f64::max);
        let mut diameter = self.sample.median(&self.indices, boxes, longest);
        if diameter > 0.0 {
            diameter = self.average(boxes, |aabb| longest(aabb).min(8.0 * diameter));
        }
        let mut edge = |axis: usize, high: bool| {
            let side = |aabb: &Aabb| if high { aabb.max[axis] } else { aabb.min[axis] };
            let quantile = if high { 15.0 / 16.0 } else { 1.0 / 16.0 };
            let [edge] = self.sample.quantiles(&self.indices, boxes, side, [quantile]);
            edge
        };
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let (from, to) = (edge(axis, false), edge(axis, true));
            // To hold the rest of them if they are spread evenly, and some room to move.
            let margin = 0.125 * (to - from).max(0.0) + 0.5 * diameter;
            (low[axis], high[axis]) = (from.min(to) - margin, from.max(to) + margin);
        }
        let mut extent = Extent { low, high, diameter };
        // At least as wide as the rounding of such numbers, and not flat.
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

    /// The average over about a hundred of the boxes.
    fn average(&self, boxes: &[Aabb], measure: impl Fn(&Aabb) -> f64) -> f64 {
        let some = || self.indices.iter().step_by(self.indices.len() / 128 + 1);
        some().map(|&index| measure(&boxes[index as usize])).sum::<f64>() / some().count() as f64
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.sample.bytes() + self.indices.capacity() * size_of::<u32>()
    }
}

/// What a structure was made for. It is made anew when too much has changed since.
#[derive(Debug, Default)]
pub(crate) struct RebuildTrigger {
    boxes: usize,
    misfits: usize,
    changes: usize,
    /// By when to look whether sizes and places are still the same.
    look_at: usize,
}

impl RebuildTrigger {
    /// For `boxes`, of which `misfits` fitted badly.
    pub(crate) fn new(boxes: usize, misfits: usize) -> Self {
        Self { boxes, misfits, changes: 0, look_at: 16 * boxes + 64 }
    }

    /// Takes note of changes to single boxes.
    pub(crate) fn note(&mut self, changes: usize) {
        self.changes += changes;
    }

    /// Whether there are many more boxes or misfits than there were, or far fewer boxes.
    pub(crate) fn is_outgrown(&self, boxes: usize, misfits: usize) -> bool {
        boxes > 4 * self.boxes + 16
            || self.boxes > 4 * boxes + 64
            || misfits > 2 * self.misfits + boxes / 8 + 8
    }

    /// Whether it is time to look. Says so once.
    pub(crate) fn is_time_to_look(&mut self) -> bool {
        let due = self.changes >= self.look_at;
        if due {
            self.changes = 0;
            self.look_at = 16 * self.boxes + 64;
        }
        due
    }
}

/// The boxes with changes since the last call of `pairs`, each once (Zachmann 1994, 7.0.2,
/// "moved-object buffers").
#[derive(Debug, Default)]
pub(crate) struct Changed {
    list: Vec<u32>,
    is_listed: Vec<bool>,
}

impl Changed {
    #[inline]
    pub(crate) fn note(&mut self, index: u32) {
        let place = index as usize;
        if self.is_listed.len() <= place {
            self.is_listed.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.is_listed[place], true) {
            self.list.push(index);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    /// Calls `f` for each, and forgets them.
    pub(crate) fn drain(&mut self, mut f: impl FnMut(u32)) {
        let Self { list, is_listed } = self;
        for index in list.drain(..) {
            is_listed[index as usize] = false;
            f(index);
        }
    }

    /// Memory in use, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.list.capacity() * size_of::<u32>() + self.is_listed.capacity()
    }
}
