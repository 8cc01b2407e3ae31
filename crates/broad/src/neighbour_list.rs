//! A neighbour list (Verlet list) over another broad phase.

mod cost_model;
mod escaped_boxes;
mod list_making;
mod motion_predictor;
mod upcoming_list;

use std::mem::take;

use cost_model::CostModel;
use escaped_boxes::EscapedBoxes;
use motion_predictor::MotionPredictor;
use upcoming_list::UpcomingList;
use xcollide_bounds::Aabb;

use crate::pair_sorter::PairSorter;
use crate::parallel::{LIGHT, PROBES, fill_per_chunk, find_in_chunks};
use crate::proxies::holds;
use crate::stats::held;
use crate::{
    HashGridFinder, Mobility, PairCollector, PairFinder, PairManager, PreviousBounds, Proxies,
    Stats,
};

/// Keeps a list of pairs that may overlap soon, for many frames (Verlet 1967).
///
/// Each box gets a fat box: its sides extrapolated at their recent velocities over the expected life of the
/// list, plus a margin. Another algorithm finds the pairs of fat boxes; each frame compares only the boxes of
/// these pairs. A box that leaves its fat box, or is new, is *escaped*: it gets a new fat box, and its pairs are
/// searched once.
///
/// O(n + c + s) in an ordinary frame, for c listed pairs and s escaped boxes, plus the cost of the other
/// algorithm when a list is made; pairs of static boxes are kept. A new list is made when escaped boxes have
/// cost as much as one, so unpredictable motion costs at most about twice the other algorithm alone. The
/// look-ahead adapts until, per frame, listed pairs that do not overlap cost as much as making lists. Costs are
/// counted, not timed.
///
/// The fastest broad phase here for smooth motion and for resting boxes of any sizes. With 1024 moving boxes or more,
/// the next list is made in seven steps, one a frame, while the last one serves: the longest frame takes about
/// twice the median. It is made at once, in about seven times the median, where that cannot be foreseen: in the first
/// frames, when many boxes jump or change their velocities every few frames, and when static boxes change.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{
///     BroadPhase, Everything, NeighbourListFinder, PairManager, Pairs, ProxyIds, SweepFinder,
/// };
///
/// let mut ids = ProxyIds::new();
/// let mut broad = PairManager::over(NeighbourListFinder::<SweepFinder>::with_margin(0.2));
/// let (a, b) = (ids.issue(), ids.issue());
/// broad.insert(a, &Aabb::new([0.0; 3], [1.0; 3]).into())?;
/// let mut pairs = Pairs::new();
/// for (x, lists_made) in [(1.3, 1), (1.2, 0), (1.1, 0), (1.0, 1)] {
///     let aabb = Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
///     if broad.update(b, &aabb.into()).is_err() {
///         broad.insert(b, &aabb.into())?;
///     }
///     broad.pairs(&Everything, &mut pairs);
///     assert_eq!(broad.stats().moves, lists_made);
/// }
/// assert_eq!(pairs.appeared.len(), 1); // they touch
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub type NeighbourList = PairManager<NeighbourListFinder>;

/// The algorithm of [`NeighbourList`], over another one that decides by axis-aligned boxes.
#[derive(Debug, Default)]
pub struct NeighbourListFinder<F = HashGridFinder> {
    finder: F,
    /// Predicted if not given.
    margin: Option<f64>,
    threads: bool,
    predictor: MotionPredictor,
    costs: CostModel,
    /// The fat boxes, on which the other algorithm runs.
    enlarged: Proxies,
    /// The pairs of fat boxes, in order.
    candidates: Vec<u64>,
    /// The pairs of static boxes, in order. They overlap until a static box changes.
    fixed: Vec<u64>,
    /// How many boxes of the list may move.
    moving: usize,
    /// Whether a static box has changed.
    is_disturbed: bool,
    order: PairSorter,
    escaped: EscapedBoxes,
    upcoming: UpcomingList,
    /// The boxes updated since the last search, with their former bounds. They are checked together later, as
    /// reading a box just after writing it is slow.
    updated: Vec<(u32, Aabb)>,
    /// Reused memory for those of them that have left their fat boxes, by chunk.
    found: Vec<Vec<(u32, Aabb)>>,
    /// Reused memory for the boxes that are enlarged one by one.
    others: Vec<u32>,
    /// Whether the next search makes a new list at once: too many boxes have escaped, or a list cannot be made in
    /// steps.
    is_lost: bool,
    is_made: bool,
    lists_made: u64,
}

impl<F: PairFinder + Default> NeighbourListFinder<F> {
    /// The algorithm with the same margin on every side of every box.
    #[must_use]
    pub fn with_margin(margin: f64) -> Self {
        Self { margin: Some(margin), ..Self::default() }
    }
}

impl<F: PairFinder> NeighbourListFinder<F> {
    /// Whether the lists have lately cost less than the other algorithm alone; `None` if unknown.
    pub(crate) fn pays(&self) -> Option<bool> {
        self.costs.pays()
    }

    fn find_escaped(&mut self, proxies: &Proxies) {
        let updated = take(&mut self.updated);
        let (boxes, enlarged, escaped) = (proxies.boxes(), self.enlarged.boxes(), &self.escaped);
        let has_left = |&(index, _): &(u32, Aabb)| {
            let place = enlarged.get(index as usize).or_else(|| escaped.place(index));
            !place.is_some_and(|place| holds(place, &boxes[index as usize]))
        };
        let mut found = take(&mut self.found);
        fill_per_chunk(updated.len(), PROBES, self.threads, &mut found, |part, found| {
            found.clear();
            found.extend(updated[part].iter().copied().filter(has_left));
        });
        self.note_escaped(&found);
        (self.updated, self.found) = (updated, found);
        self.updated.clear();
    }

    /// Notes boxes that have left their fat boxes, with their former bounds.
    fn note_escaped(&mut self, found: &[Vec<(u32, Aabb)>]) {
        let fresh = self.escaped.fresh.len() + found.iter().map(Vec::len).sum::<usize>();
        self.is_lost |= self.costs.is_exhausted(fresh);
        for &(index, before) in found.iter().flatten() {
            // If a new list is made, only static boxes matter.
            if !self.is_lost || self.is_static(index) {
                self.escape(index, &before);
            }
        }
    }

    /// Whether a box was static when the list was made.
    fn is_static(&self, index: u32) -> bool {
        self.enlarged.is_alive(index) && self.enlarged.mobility(index) == Mobility::Static
    }

    #[cold]
    fn escape(&mut self, index: u32, before: &Aabb) {
        self.escaped.note(index, before, &self.enlarged);
        self.is_disturbed |= self.is_static(index);
    }

    /// Gives escaped boxes new fat boxes and finds their pairs; false if the other algorithm cannot.
    fn place_escaped(&mut self, proxies: &Proxies) -> bool {
        let margin = self.margin;
        let Self { escaped, enlarged, finder, predictor, threads, .. } = self;
        let place = |index: u32, before: &Aabb| {
            let aabb = &proxies.boxes()[index as usize];
            fat_box(margin, aabb, proxies.mobility(index), || predictor.rest_of_way(before, aabb))
        };
        escaped.settle(place, enlarged, finder, *threads)
    }
}

/// The box with a margin, or its predicted swept space.
fn fat_box(
    margin: Option<f64>,
    aabb: &Aabb,
    mobility: Mobility,
    way: impl FnOnce() -> Aabb,
) -> Aabb {
    match margin {
        _ if aabb.is_empty() => *aabb,
        Some(margin) => aabb.expanded(margin),
        None if mobility == Mobility::Static => *aabb,
        None => way(),
    }
}

impl<F: PairFinder> PairFinder for NeighbourListFinder<F> {
    fn name(&self) -> &'static str {
        "neighbour-list"
    }

    fn inserted(&mut self, proxies: &Proxies, index: u32) {
        self.escape(index, &proxies.boxes()[index as usize]);
    }

    #[inline]
    fn updated(&mut self, proxies: &Proxies, index: u32, before: &PreviousBounds) {
        if self.updated.len() >= proxies.boxes().len() {
            // The box was updated more than once since the last search.
            self.find_escaped(proxies);
        }
        self.updated.push((index, before.aabb));
        if before.mobility == Mobility::Static {
            // A static box disturbs the fixed pairs even if it stays within its fat box.
            let aabb = &proxies.boxes()[index as usize];
            self.is_disturbed |=
                before.aabb != *aabb || proxies.mobility(index) != Mobility::Static;
        }
    }

    fn fat_boxes(&self) -> Option<&[Aabb]> {
        Some(self.enlarged.boxes())
    }

    /// A removed box is empty, so it remains in no pair except fixed ones.
    fn removed(&mut self, _: &Proxies, index: u32, before: &PreviousBounds) {
        self.escape(index, &before.aabb);
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        self.lists_made = 0;
        self.find_escaped(proxies);
        self.predictor.frame += 1;
        let is_over = |list: &Self| {
            !list.is_made || list.is_lost || list.costs.is_exhausted(list.escaped.fresh.len())
        };
        let mut is_exhausted = is_over(self);
        if self.upcoming.is_begun() {
            self.go_on(proxies, is_exhausted);
            is_exhausted = is_over(self);
        }
        let mut fresh = self.escaped.fresh.len();
        // An algorithm that cannot search around boxes must search all.
        if is_exhausted || !self.place_escaped(proxies) {
            self.make_list(proxies);
            fresh = 0;
        }
        let (candidates, already) = (&self.candidates, collector.found.keys.len());
        find_in_chunks(0..candidates.len(), LIGHT, self.threads, collector, |part, collector| {
            collector.test_listed(&candidates[part]);
        });
        let hits = collector.found.keys.len() - already;
        let others = &self.escaped.candidates;
        find_in_chunks(0..others.len(), LIGHT, self.threads, collector, |part, collector| {
            collector.test_listed(&others[part]);
        });
        if self.is_disturbed {
            collector.test_listed(&self.fixed);
        } else if !self.fixed.is_empty() {
            // Sorts the other pairs first: the broad phase then merges two sorted lists.
            collector.sort(&mut self.order, self.threads);
            collector.accept_listed(&self.fixed);
        }
        let more = others.len() + if self.is_disturbed { self.fixed.len() } else { 0 };
        self.costs.note_frame(candidates.len(), hits, fresh, more);
        // Whether a new list will be due in two or three frames.
        let is_soon = self.costs.is_exhausted(3 * fresh);
        let in_steps = self.goes_in_steps();
        if in_steps && !self.upcoming.is_begun() {
            self.begin_if_due(proxies);
        }
        self.predictor.end_frame(proxies, is_soon, in_steps, self.threads);
    }

    fn use_threads(&mut self) {
        self.threads = true;
        self.finder.use_threads();
    }

    fn uses_threads(&self) -> bool {
        self.threads
    }

    fn bytes(&self) -> usize {
        self.finder.bytes()
            + self.enlarged.bytes()
            + held(&self.candidates)
            + held(&self.fixed)
            + held(&self.updated)
            + self.found.iter().map(held).sum::<usize>()
            + held(&self.others)
            + self.order.bytes()
            + self.upcoming.bytes()
            + self.escaped.bytes()
            + self.predictor.bytes()
    }

    /// [`Stats::moves`] is 1 if this call made a list.
    fn stats(&self) -> Stats {
        Stats { moves: self.lists_made, ..Stats::default() }
    }

    fn choice(&self) -> String {
        self.finder.name().to_owned()
    }
}
