//! What lists cost, by counts.

/// Costs in nanoseconds, as measured once with ten thousand boxes; only their ratios matter.
mod price {
    /// To enlarge a box and to keep it in a table, moving or not.
    pub(super) const BOX: f64 = 25.0;
    /// To find the neighbours of a moving one.
    pub(super) const SEARCH: f64 = 75.0;
    /// To put a pair on the list.
    pub(super) const LISTED: f64 = 10.0;
    /// To compare a pair on the list.
    pub(super) const TEST: f64 = 2.5;
    /// To look up a box that has left its enlarged one.
    pub(super) const STRAY: f64 = 250.0;
}

/// The account of the list in use, and a summary of those before.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    /// Frames that the list has served.
    age: u32,
    /// What it cost to make.
    making: f64,
    /// That and what its frames have cost.
    spent: f64,
    /// What the other algorithm costs by itself in a frame.
    direct: f64,
    /// What is spent on the pairs of the list that are none, in a frame.
    idle: f64,
    strays: usize,
    /// Cost of a frame over the last lists, relative to the other algorithm; the newer the more.
    share: Option<f64>,
    /// How many lists that is of.
    lists: u32,
}

impl Ledger {
    /// A list is made, of some boxes of which some may move, with so many pairs on it.
    pub(super) fn open(&mut self, boxes: usize, moving: usize, listed: usize) {
        if self.age > 0 && self.direct > 0.0 {
            let share = self.spent / (f64::from(self.age) * self.direct);
            // The first list knows nothing of the motion, so the second is made soon after.
            self.share = match self.share {
                Some(before) if self.lists > 2 => Some(0.5 * (before + share)),
                _ => Some(share),
            };
            self.lists += 1;
        }
        self.age = 0;
        self.direct = price::BOX * boxes as f64 + price::SEARCH * moving as f64;
        self.making = self.direct + price::LISTED * listed as f64;
        self.spent = self.making;
    }

    /// Whether the next frame would cost more than the frames until now did on average, with so
    /// many pairs on the list and so many strays.
    pub(super) fn is_due(&self, listed: usize, strays: usize) -> bool {
        strays > 0 && Self::frame(listed, strays) * f64::from(self.age) > self.spent
    }

    /// A frame in which so many pairs were compared, of which so many overlapped.
    pub(super) fn note_frame(&mut self, listed: usize, hits: usize, strays: usize) {
        self.age += 1;
        self.spent += Self::frame(listed, strays);
        self.idle = price::TEST * (listed - hits) as f64;
        self.strays = strays;
    }

    fn frame(listed: usize, strays: usize) -> f64 {
        price::TEST * listed as f64 + price::STRAY * strays as f64
    }

    /// Frames that the list has served.
    pub(super) fn age(&self) -> u32 {
        self.age
    }

    /// Whether lists that last longer, and are longer, would be cheaper if they lasted.
    pub(super) fn is_short(&self) -> bool {
        self.making > self.idle * f64::from(self.age)
    }

    /// Whether lists have lately cost less than the other algorithm would have, by itself. `None`
    /// before there have been enough.
    pub(super) fn pays(&self) -> Option<bool> {
        if self.age > 8 {
            return Some(true);
        }
        self.share.filter(|_| self.lists > 2).map(|share| share < 0.9)
    }
}
