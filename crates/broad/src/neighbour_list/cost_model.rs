//! The cost of lists, from counts.

/// Costs in nanoseconds, measured with ten thousand boxes; only their ratios matter.
mod price {
    /// To begin the course of a box and keep its fat box in a table, moving or not.
    pub(super) const BOX: f64 = 20.0;
    /// To skip a resting box.
    pub(super) const RESTING: f64 = 2.5;
    /// To find the neighbours of a moving fat box.
    pub(super) const SEARCH: f64 = 60.0;
    /// To put a pair on the list.
    pub(super) const LISTED: f64 = 25.0;
    /// To compare a pair on the list.
    pub(super) const TEST: f64 = 8.0;
    /// To give an escaped box a new fat box.
    pub(super) const ESCAPE: f64 = 500.0;
    /// What the other algorithm takes for the boxes, of its time for the fat boxes and their courses.
    pub(super) const ALONE: f64 = 0.4;
    /// To sort an overlapping pair that the other algorithm finds.
    pub(super) const FOUND: f64 = 15.0;
}

/// What is left of the sums of recent lists after a frame.
const FADING: f64 = 0.98;

/// Lists that are made before it is decided whether they pay: in the first ones the predictor learns.
const LEARNING: u32 = 24;

/// Lists that cost much more than the other algorithm are given up sooner: after more lists than the first number if their
/// relative cost exceeds the second. Lists of the triangles of a mesh do, as each triangle overlaps its neighbours.
const HOPELESS: [(u32, f64); 3] = [(3, 2.0), (8, 1.6), (14, 1.2)];

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
    /// The cost of recent lists, and that of the other algorithm in their frames.
    recent: [f64; 2],
    /// Number of lists in these sums.
    lists: u32,
}

impl CostModel {
    /// Starts a list with `listed` pairs of fat boxes.
    pub(super) fn open(&mut self, [boxes, moving, resting]: [usize; 3], listed: usize) {
        if self.age > 0 && self.direct > 0.0 {
            // The first list is made without known velocities, so a second one follows soon.
            let left = if self.lists > 2 { FADING.powf(f64::from(self.age)) } else { 0.0 };
            let [spent, direct] = &mut self.recent;
            *spent = left * *spent + self.spent;
            *direct = left * *direct + self.direct;
            self.lists += 1;
        }
        self.age = 0;
        let asking = price::BOX * boxes as f64 + price::SEARCH * moving as f64;
        self.asking = price::ALONE * asking;
        self.direct = 0.0;
        let kept = (price::BOX - price::RESTING) * resting as f64;
        self.listing = price::LISTED * listed as f64;
        self.making = asking - kept + self.listing;
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
        self.direct += self.asking + price::FOUND * hits as f64;
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

    /// Whether lists have lately cost less than the other algorithm alone; `None` before enough lists: in the first ones
    /// the predictor learns how boxes move.
    pub(super) fn pays(&self) -> Option<bool> {
        if self.age > 12 {
            return Some(true);
        }
        let [spent, direct] = self.recent;
        let is_hopeless = |(lists, share)| self.lists > lists && spent > share * direct;
        let is_known = self.lists > LEARNING || HOPELESS.into_iter().any(is_hopeless);
        is_known.then_some(spent < 0.9 * direct)
    }
}

#[cfg(test)]
mod tests {
    use super::CostModel;

    /// The relative costs of lists of 10,000 boxes in a hash grid, as measured, by kind of motion: age; pairs listed; by frame,
    /// active pairs, overlaps and escaped boxes.
    #[test]
    fn lists_pay_where_they_take_less_time() {
        for (kind, age, listed, [active, hits, escaped], measured) in [
            ("straight", 29, 26_954, [4153, 3865, 35], 0.38),
            ("another direction each frame", 10, 10_643, [12_848, 3900, 149], 0.77),
            ("tumbling", 5, 24_295, [21_317, 1924, 157], 1.5),
            ("tumbling, a tenth as dense", 17, 6347, [1991, 191, 102], 0.6),
        ] {
            let mut costs = CostModel::default();
            for _ in 0..30 {
                costs.open([10_000, 10_000, 0], listed);
                (0..age).for_each(|_| costs.note_frame(active, hits, escaped, 0));
            }
            let relative = costs.relative();
            assert!((0.6..1.4).contains(&(relative / measured)), "{kind}: {relative:.2}");
            costs.open([10_000, 10_000, 0], listed);
            assert_eq!(costs.pays(), Some(measured < 1.0), "{kind}");
        }
    }

    /// The more lists cost, the sooner they are given up.
    #[test]
    fn lists_that_cost_much_are_given_up_soon() {
        for (listed, active, given_up) in
            [(1_200_000, 900_000, 4), (300_000, 300_000, 9), (200_000, 200_000, 15)]
        {
            let mut costs = CostModel::default();
            let mut lists = 0;
            while costs.pays().is_none() {
                costs.open([20_000, 20_000, 0], listed);
                (0..7).for_each(|_| costs.note_frame(active, 100_000, 200, 0));
                lists += 1;
                assert!(lists < 40);
            }
            assert_eq!(
                (costs.pays(), lists - 1),
                (Some(false), given_up),
                "{:.2}",
                costs.relative()
            );
        }
    }
}
