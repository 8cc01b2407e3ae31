//! A hash grid: unbounded, its cells hashed.
//!
//! Every frame one counting sort puts the boxes into the cells of their low corners, and each box is
//! compared with those in half of the cells around its own (Zachmann, lecture slides, "Grid"; half of the
//! neighbours as in Daneu 2002, 4.1.2). Cells are as wide as the widest box in them; boxes more than twice
//! as wide as is typical go to a table of their own with wider cells, and so on. Far cells share places in
//! the table.
//!
//! Static boxes have tables of their own; these and their pairs are kept until one of them changes.

mod layout;
mod levels;
mod search;
mod table;

pub(crate) use levels::Levels;

use xcollide_bounds::Aabb;

use crate::{Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies};

/// The fastest broad phase for boxes of similar sizes, and for many static ones. O(n + p) for n boxes with
/// p pairs, unless many overlap in one place.
pub type HashGrid = PairManager<HashGridFinder>;

impl HashGrid {
    /// An empty grid that uses one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty grid that searches on the threads of rayon's current pool. The pairs and their
    /// order are the same.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel() -> Self {
        Self::over(HashGridFinder::on(true))
    }
}

/// The algorithm of [`HashGrid`].
#[derive(Debug, Default)]
pub struct HashGridFinder {
    threads: bool,
    moving: Levels,
    still: Levels,
    /// The overlapping pairs of static boxes, wanted or not.
    still_pairs: Vec<(u32, u32)>,
    /// Whether the static boxes are as they were when `still` was filled.
    still_valid: bool,
}

impl HashGridFinder {
    /// Empty; on several threads or one.
    pub(crate) fn on(threads: bool) -> Self {
        Self { threads, ..Self::default() }
    }

    /// Brings what is known of static boxes up to date.
    fn keep_still(&mut self, proxies: &Proxies) {
        if self.still_valid {
            return;
        }
        let (boxes, threads) = (proxies.boxes(), self.threads);
        self.still.fill(boxes.len(), of(proxies, Mobility::Static), boxes, threads);
        let mut all = PairCollector::boxes_only(proxies);
        self.still.pairs(threads, &mut all);
        self.still_pairs.clear();
        self.still_pairs.extend(all.pairs());
        self.still_valid = true;
    }

    /// Offers the pairs of moving boxes with all.
    fn search(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let (boxes, threads) = (proxies.boxes(), self.threads);
        self.moving.fill(boxes.len(), of(proxies, Mobility::Moving), boxes, threads);
        self.moving.pairs(threads, collector);
        self.moving.pairs_with(&self.still, threads, collector);
    }
}

/// The boxes of a kind, by number.
fn of(proxies: &Proxies, mobility: Mobility) -> impl Fn(usize) -> Option<u32> + Sync + '_ {
    move |number| Some(number as u32).filter(|&index| proxies.mobility(index) == mobility)
}

impl PairFinder for HashGridFinder {
    fn name(&self) -> &'static str {
        "hash-grid"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.still_valid &= proxies.mobility(index) == Mobility::Moving;
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        let now = proxies.mobility(index);
        let stays = now == Mobility::Moving || proxies.boxes()[index as usize] == before.aabb;
        self.still_valid &= now == before.mobility && stays;
    }

    fn removed(&mut self, _: &Proxies, _: u32, before: &PreviousBounds) {
        self.still_valid &= before.mobility == Mobility::Moving;
    }

    fn may_skip_updates(&self) -> bool {
        true
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.keep_still(proxies);
        for &(a, b) in &self.still_pairs {
            collector.accept_boxes(a, b);
        }
        self.search(proxies, collector);
    }

    fn find_moving(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) -> bool {
        self.keep_still(proxies);
        self.search(proxies, collector);
        true
    }

    fn find_around(&self, probes: &[(u32, Aabb)], collector: &mut PairCollector<'_>) -> bool {
        self.moving.pairs_around(probes, self.threads, collector);
        self.still.pairs_around(probes, self.threads, collector);
        true
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.moving.bytes()
            + self.still.bytes()
            + self.still_pairs.capacity() * size_of::<(u32, u32)>()
    }
}
