//! The cost of lists, from counts.

/// Costs in nanoseconds, measured with ten thousand boxes; only their ratios matter.
mod price {
    /// To enlarge a box and keep it in a table, moving or not.
    pub(super) const BOX: f64 = 20.0;
    /// To skip a resting box.
    pub(super) const RESTING: f64 = 2.5;
    /// To find the neighbours of a moving box.
    pub(super) const SEARCH: f64 = 60.0;
    /// To put a pair on the list.
    pub(super) const LISTED: f64 = 25.0;
    /// To compare a pair on the list.
    pub(super) const TEST: f64 = 8.0;
    /// To give an escaped box a new fat box.
    pub(super) const ESCAPE: f64 = 500.0;
}

/// The costs of the current list, and a summary of earlier ones.
#[derive(Clone, Debug, Default)]
pub(super) struct CostModel {
    /// Frames since the list was made.
    pub(super) age: u32,
    /// Cost of making the list.
    making: f64,
    /// The part of it for its pairs.
    listing: f64,
    /// Cost of making the list and of its frames.
    spent: f64,
    /// Cost of the other algorithm in a frame, without the pairs it finds.
    asking: f64,
    /// Cost that the other algorithm would have had in the frames of the list.
    direct: f64,
    /// Cost a frame of listed pairs that do not overlap.
    idle: f64,
    /// Cost of escaped boxes.
    lost: f64,
    /// Moving average of the cost of lists relative to the other algorithm.
    share: Option<f64>,
    /// Number of lists in that average.
    lists: u32,
}

impl CostModel {
    /// Starts a list with `listed` pairs of fat boxes.
    pub(super) fn open(&mut self, [boxes, moving, resting]: [usize; 3], listed: usize) {
        if self.age > 0 && self.direct > 0.0 {
            let share = self.relative();
            // The first list is made without known velocities, so a second one follows soon.
            self.share = match self.share {
                Some(before) if self.lists > 2 => Some(0.5 * (before + share)),
                _ => Some(share),
            };
            self.lists += 1;
        }
        self.age = 0;
        self.asking = price::BOX * boxes as f64 + price::SEARCH * moving as f64;
        self.direct = 0.0;
        let kept = (price::BOX - price::RESTING) * resting as f64;
        self.listing = price::LISTED * listed as f64;
        self.making = self.asking - kept + self.listing;
        self.spent = self.making;
        self.lost = 0.0;
    }

    /// Whether escaped boxes, with these new ones, have cost as much as `most` new lists. For any motion, this rule
    /// costs at most twice the optimum for one; no rule without foresight has a better bound.
    pub(super) fn is_exhausted(&self, escaped: usize, most: f64) -> bool {
        self.lost + price::ESCAPE * escaped as f64 > most * self.making
    }

    /// Whether escaped boxes have cost half of a new list, so that one should be begun.
    pub(super) fn is_waning(&self) -> bool {
        2.0 * self.lost > self.making
    }

    /// Counts a frame with `listed` active pairs, `hits` overlaps, `escaped` new fat boxes and `more` comparisons
    /// beside the list.
    pub(super) fn note_frame(&mut self, listed: usize, hits: usize, escaped: usize, more: usize) {
        self.age += 1;
        let lost = price::ESCAPE * escaped as f64 + price::TEST * more as f64;
        self.lost += lost;
        self.spent += lost + price::TEST * listed as f64;
        self.direct += self.asking + price::LISTED * hits as f64;
        self.idle = price::TEST * (listed - hits) as f64;
    }

    /// The cost of the list relative to that of the other algorithm in its frames; infinite before the first one.
    pub(super) fn relative(&self) -> f64 {
        if self.direct > 0.0 { self.spent / self.direct } else { f64::INFINITY }
    }

    /// How much longer lists should last, squared: the cost of making one apart from its pairs, which they share,
    /// relative to the costs that grow with a list's life: of its pairs, which are more than that life, and of active
    /// pairs that do not overlap.
    pub(super) fn shortness(&self) -> f64 {
        let growing = self.listing + self.idle * f64::from(self.age);
        (self.making - self.listing) / growing.max(1.0)
    }

    /// Whether lists have lately cost less than the other algorithm alone; `None` before enough lists.
    pub(super) fn pays(&self) -> Option<bool> {
        if self.age > 12 {
            return Some(true);
        }
        let is_hopeless = |share: &f64| self.lists > 4 && *share > 1.6;
        self.share.filter(|share| self.lists > 8 || is_hopeless(share)).map(|share| share < 0.9)
    }
}
