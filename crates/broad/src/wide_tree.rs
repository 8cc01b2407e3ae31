//! A hierarchy of boxes, eight children a node, built anew each frame.
//!
//! The boxes are sorted along a Morton curve and bound in groups of eight, those in groups of eight again,
//! and so on. There are no pointers: the children of node `i` of a tier are nodes `8 i` to `8 i + 7` of
//! the tier below. One descent for eight neighbouring boxes finds the groups that they may touch; only
//! later groups are searched, so each pair comes once.
//!
//! Static boxes have a hierarchy of their own; it and its pairs are kept until one of them changes.

mod descent;
mod forest;
mod morton;

use forest::Forest;
use xcollide_bounds::Aabb;

use crate::{Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies};

/// For boxes of very different sizes: its cost hardly depends on them. O(n log n + p) for n boxes with p
/// pairs, unless very many overlap in one place.
pub type WideTree = PairManager<WideTreeFinder>;

impl WideTree {
    /// An empty hierarchy, to be sorted anew each frame, that uses one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::refitted(1)
    }

    /// An empty hierarchy whose moving boxes are sorted anew only in every so many frames, and
    /// otherwise refitted to the boxes in the order that they had. Saves the sorting, a fifth to a
    /// third of the time, where boxes move by less than their size in that many frames.
    #[must_use]
    pub fn refitted(resort_every: u32) -> Self {
        Self::over(WideTreeFinder { resort_every, ..WideTreeFinder::default() })
    }

    /// An empty hierarchy that is searched on the threads of rayon's current pool. The pairs and
    /// their order are the same.
    #[cfg(feature = "parallel")]
    #[must_use]
    pub fn parallel() -> Self {
        Self::over(WideTreeFinder::on(true))
    }
}

/// The algorithm of [`WideTree`].
#[derive(Debug, Default)]
pub struct WideTreeFinder {
    threads: bool,
    resort_every: u32,
    /// Frames since the moving boxes were sorted.
    age: u32,
    moving: Forest,
    still: Forest,
    /// The overlapping pairs of static boxes, wanted or not.
    still_pairs: Vec<(u32, u32)>,
    /// Whether the static boxes are as they were when `still` was filled.
    still_valid: bool,
    /// Whether the moving ones are those that `moving` was filled with.
    moving_valid: bool,
}

impl WideTreeFinder {
    /// Empty, to be sorted anew each frame; on several threads or one.
    pub(crate) fn on(threads: bool) -> Self {
        Self { threads, resort_every: 1, ..Self::default() }
    }

    /// Brings what is known of static boxes up to date.
    fn keep_still(&mut self, proxies: &Proxies) {
        if self.still_valid {
            return;
        }
        self.still.fill(of(proxies, Mobility::Static), proxies.boxes(), self.threads);
        let mut all = PairCollector::boxes_only(proxies);
        self.still.pairs(self.threads, &mut all);
        self.still_pairs.clear();
        self.still_pairs.extend(all.pairs());
        self.still_valid = true;
    }

    /// Offers the pairs of moving boxes with all.
    fn search(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let boxes = proxies.boxes();
        self.age += 1;
        if !self.moving_valid || self.age >= self.resort_every {
            self.moving.fill(of(proxies, Mobility::Moving), boxes, self.threads);
            self.moving_valid = true;
            self.age = 0;
        } else {
            self.moving.refit(boxes, self.threads);
        }
        self.moving.pairs(self.threads, collector);
        self.moving.pairs_with(&self.still, self.threads, collector);
    }

    /// Takes note that boxes have come to or gone from those of a kind.
    fn upset(&mut self, mobility: Mobility) {
        match mobility {
            Mobility::Static => self.still_valid = false,
            Mobility::Moving => self.moving_valid = false,
        }
    }
}

/// The indices of the boxes of a kind.
fn of(proxies: &Proxies, mobility: Mobility) -> impl Iterator<Item = u32> + '_ {
    let indices = 0..proxies.boxes().len() as u32;
    indices.filter(move |&index| proxies.mobility(index) == mobility)
}

impl PairFinder for WideTreeFinder {
    fn name(&self) -> &'static str {
        "wide-tree"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.upset(proxies.mobility(index));
    }

    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        let now = proxies.mobility(index);
        if now != before.mobility {
            self.upset(now);
            self.upset(before.mobility);
            return;
        }
        let (old, new) = (&before.aabb, &proxies.boxes()[index as usize]);
        match now {
            Mobility::Static => self.still_valid &= old == new,
            // A box that was out of the hierarchy, or is to be.
            Mobility::Moving => {
                self.moving_valid &= Forest::has_place(old) && Forest::has_place(new);
            }
        }
    }

    fn removed(&mut self, _: &Proxies, _: u32, before: &PreviousBounds) {
        self.upset(before.mobility);
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
