//! What lists cost, by counts.

/// Costs in nanoseconds, as once measured with ten thousand boxes: only their ratios matter, and those
/// of a test and an escaped box are the ones with which frames of 1000 to 100,000 boxes were the shortest.
mod price {
    /// To enlarge a box and to keep it in a table, moving or not.
    pub(super) const BOX: f64 = 20.0;
    /// To see that a box rests, and that there is nothing to do.
    pub(super) const RESTING: f64 = 2.5;
    /// To find the neighbours of a moving one.
    pub(super) const SEARCH: f64 = 60.0;
    /// To put a pair on the list.
    pub(super) const LISTED: f64 = 25.0;
    /// To compare a pair on the list.
    pub(super) const TEST: f64 = 8.0;
    /// To give a new place to a box that has left its own.
    pub(super) const ESCAPE: f64 = 500.0;
}

/// The account of the list in use, and a summary of those before.
#[derive(Clone, Debug, Default)]
pub(super) struct CostModel {
    /// Frames that the list has served.
    age: u32,
    /// What it cost to make.
    making: f64,
    /// That and what its frames have cost.
    spent: f64,
    /// What it costs to ask the other algorithm in a frame, apart from the pairs it finds.
    asking: f64,
    /// What asking it in each of the list's frames would have cost.
    direct: f64,
    /// What is spent on pairs of the list that are none, in a frame.
    idle: f64,
    /// What has been spent on escaped boxes.
    lost: f64,
    /// Cost of a frame over the last lists, relative to the other algorithm; the newer the more.
    share: Option<f64>,
    /// How many lists that is of.
    lists: u32,
}

impl CostModel {
    /// A list is made, of some boxes of which some may move, and of which some rest and keep their
    /// pairs; with so many other pairs on it.
    pub(super) fn open(&mut self, [boxes, moving, resting]: [usize; 3], listed: usize) {
        if self.age > 0 && self.direct > 0.0 {
            let share = self.spent / self.direct;
            // The first list knows nothing of the motion, so the second is made soon after.
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
        self.making = self.asking - kept + price::LISTED * listed as f64;
        self.spent = self.making;
        self.lost = 0.0;
    }

    /// Whether escaped boxes would have cost as much as a new list, with so many that need a new place.
    /// Whatever the motion, no other rule that cannot look ahead is sure to do better than half as
    /// well as one that can.
    pub(super) fn is_exhausted(&self, escaped: usize) -> bool {
        self.lost + price::ESCAPE * escaped as f64 > self.making
    }

    /// Whether that will be so in two or three frames.
    pub(super) fn is_nearly_exhausted(&self, escaped: usize) -> bool {
        self.is_exhausted(3 * escaped)
    }

    /// A frame in which so many pairs were compared, of which so many overlapped, and so many more that
    /// are not on the list, or because a static box was an escaped box; and escaped boxes needed so many places.
    pub(super) fn note_frame(&mut self, listed: usize, hits: usize, escaped: usize, more: usize) {
        self.age += 1;
        let lost = price::ESCAPE * escaped as f64 + price::TEST * more as f64;
        self.lost += lost;
        self.spent += lost + price::TEST * listed as f64;
        self.direct += self.asking + price::LISTED * hits as f64;
        self.idle = price::TEST * (listed - hits) as f64;
    }

    /// Frames that the list has served.
    pub(super) fn age(&self) -> u32 {
        self.age
    }

    /// What was spent on making the list, relative to what was spent on pairs that are none. Lists
    /// that last longer, and are longer, are cheaper where this is above 1.
    pub(super) fn shortness(&self) -> f64 {
        self.making / (self.idle * f64::from(self.age)).max(1.0)
    }

    /// Whether lists have lately cost less than the other algorithm would have, by itself. `None`
    /// before there have been enough.
    pub(super) fn pays(&self) -> Option<bool> {
        if self.age > 12 {
            return Some(true);
        }
        // What costs nearly twice as much will not soon cost less.
        let is_hopeless = |share: &f64| self.lists > 4 && *share > 1.6;
        self.share.filter(|share| self.lists > 8 || is_hopeless(share)).map(|share| share < 0.9)
    }
}
