//! Keeps the pairs of static boxes, and searches those of moving boxes each frame.

use xcollide_bounds::Aabb;

use crate::stats::held;
use crate::{Mobility, PairCollector, PairFinder, PreviousBounds, Proxies, SearchStep};

/// A searchable set of boxes.
pub trait BoxSet: Default + Send {
    /// The name of the algorithm in programs.
    const NAME: &'static str;

    /// Replaces the set by all non-empty boxes of a kind, in order; they are [read](Self::read) next.
    fn sort(&mut self, proxies: &Proxies, mobility: Mobility, threads: bool);

    /// Reads the boxes that were sorted, which have not changed since.
    fn read(&mut self, proxies: &Proxies, threads: bool);

    /// Tests candidate pairs within the set: all steps together each pair once.
    fn pairs(&self, step: SearchStep, threads: bool, collector: &mut PairCollector<'_>);

    /// Tests candidate pairs of a box of this set and a box of another set: all steps together each pair once.
    fn pairs_with(
        &self,
        other: &Self,
        step: SearchStep,
        threads: bool,
        collector: &mut PairCollector<'_>,
    );

    /// Tests the candidate pairs of a non-empty box of `probes` and one of this set with another index.
    fn pairs_around(
        &self,
        probes: &[(u32, Aabb)],
        threads: bool,
        collector: &mut PairCollector<'_>,
    );

    /// Memory in use, in bytes.
    fn bytes(&self) -> usize;
}

/// The static boxes with their pairs, kept until one of them changes, and the moving boxes.
#[derive(Debug, Default)]
pub struct SplitFinder<S> {
    threads: bool,
    moving: S,
    /// The moving boxes of a search in several steps, until its last one.
    next: S,
    still: S,
    /// The overlapping pairs of static boxes, wanted or not.
    still_pairs: Vec<u64>,
    /// Whether the static boxes have not changed since `still` was filled.
    still_valid: bool,
}

impl<S: BoxSet> SplitFinder<S> {
    fn update_still(&mut self, proxies: &Proxies) {
        if self.still_valid {
            return;
        }
        self.still.sort(proxies, Mobility::Static, self.threads);
        self.still.read(proxies, self.threads);
        let mut keys = std::mem::take(&mut self.still_pairs);
        keys.clear();
        let mut all = PairCollector::boxes_onto(proxies, keys.into());
        self.still.pairs(SearchStep::WHOLE, self.threads, &mut all);
        self.still_pairs = all.found.into_keys(self.threads);
        self.still_valid = true;
    }
}

impl<S: BoxSet> PairFinder for SplitFinder<S> {
    fn name(&self) -> &'static str {
        S::NAME
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
        self.update_still(proxies);
        collector.accept_listed(&self.still_pairs, self.threads);
        self.find_moving(proxies, SearchStep::WHOLE, collector);
    }

    fn find_moving(
        &mut self,
        proxies: &Proxies,
        step: SearchStep,
        collector: &mut PairCollector<'_>,
    ) -> bool {
        let set = if step.is_whole() { &mut self.moving } else { &mut self.next };
        if step.sorts() {
            set.sort(proxies, Mobility::Moving, self.threads);
        }
        if step.reads() {
            set.read(proxies, self.threads);
            self.update_still(proxies);
        }
        if step.is_last() && !step.is_whole() {
            std::mem::swap(&mut self.moving, &mut self.next);
        }
        let set = if step.is_last() { &self.moving } else { &self.next };
        if let Some(step) = step.between() {
            set.pairs(step, self.threads, collector);
            set.pairs_with(&self.still, step, self.threads, collector);
        }
        true
    }

    fn find_around(&self, probes: &[(u32, Aabb)], collector: &mut PairCollector<'_>) -> bool {
        self.moving.pairs_around(probes, self.threads, collector);
        self.still.pairs_around(probes, self.threads, collector);
        true
    }

    fn use_threads(&mut self) {
        self.threads = true;
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.moving.bytes() + self.next.bytes() + self.still.bytes() + held(&self.still_pairs)
    }
}

/// Tests every pair of a box of one list and a box of another with a different index.
pub(crate) fn test_lists(
    one: &[(u32, Aabb)],
    other: &[(u32, Aabb)],
    collector: &mut PairCollector<'_>,
) {
    for (a, box_a) in one {
        for (b, box_b) in other.iter().filter(|(b, _)| a != b) {
            collector.test_boxes((*a, box_a), (*b, box_b));
        }
    }
}

/// Tests every pair within a list.
pub(crate) fn test_list(list: &[(u32, Aabb)], collector: &mut PairCollector<'_>) {
    for at in 0..list.len() {
        test_lists(&list[at..=at], &list[at + 1..], collector);
    }
}
