//! The part of a broad phase that differs between algorithms.

use xcollide_bounds::Aabb;

use crate::{Courses, PairCollector, PreviousBounds, Proxies, SearchStep, Stats, Volume};

/// A broad-phase algorithm: finds the candidate pairs. [`PairManager`](crate::PairManager) makes it a
/// [`BroadPhase`](crate::BroadPhase): it checks ids, stores the boxes, sorts the pairs and compares them with
/// those of the last call.
///
/// An algorithm that starts from scratch in each call needs only [`find`](Self::find). One that updates a
/// structure is notified of every change, after the change of `proxies`.
///
/// [`Proxies`] has the boxes, by index; the [`PairCollector`] receives the pairs. A finder that sorts the boxes by
/// their lower side:
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{
///     BroadPhase, Everything, PairCollector, PairFinder, PairManager, Pairs, Proxies, ProxyIds,
/// };
///
/// #[derive(Default)]
/// struct SortedByX {
///     order: Vec<u32>, // kept for its memory
/// }
///
/// impl PairFinder for SortedByX {
///     fn name(&self) -> &'static str {
///         "sorted-by-x"
///     }
///
///     fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
///         let boxes = proxies.boxes();
///         self.order.clear();
///         self.order.extend((0..boxes.len() as u32).filter(|&index| proxies.is_alive(index)));
///         let low = |index: u32| boxes[index as usize].min[0];
///         self.order.sort_unstable_by(|&a, &b| low(a).total_cmp(&low(b)));
///         for (position, &a) in self.order.iter().enumerate() {
///             let end = boxes[a as usize].max[0];
///             let later = self.order[position + 1..].iter();
///             later.take_while(|&&b| low(b) <= end).for_each(|&b| collector.test(a, b));
///         }
///     }
///
///     fn bytes(&self) -> usize {
///         self.order.capacity() * size_of::<u32>()
///     }
/// }
///
/// let (mut ids, mut broad) = (ProxyIds::new(), PairManager::over(SortedByX::default()));
/// for x in [4.0, 0.0, 0.5] {
///     broad.insert(ids.issue(), &Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).into())?;
/// }
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(pairs.overlapping.len(), 1);
/// assert_eq!(broad.stats().tests, 1);
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
pub trait PairFinder: Send {
    /// The name of the algorithm in programs.
    fn name(&self) -> &'static str;

    /// A box was added.
    fn inserted(&mut self, _proxies: &Proxies, _index: u32) {}

    /// A box got new bounds. Called for every update, even if nothing changed.
    fn updated(&mut self, _proxies: &Proxies, _index: u32, _before: &PreviousBounds) {}

    /// `count` moving boxes were moved together, each once. Those that left their [courses](Self::courses) need care.
    fn moved(&mut self, _proxies: &Proxies, _count: usize) {}

    /// A box was removed.
    fn removed(&mut self, _proxies: &Proxies, _index: u32, _before: &PreviousBounds) {}

    /// Whether each search reads all moving boxes anew, and nothing is kept but of static ones. The manager may then skip
    /// [`updated`](Self::updated) if only the box of a moving object changed, and neither the old nor the new box is empty
    /// or reaches beyond 10¹⁵⁰; a box may be told of twice, and a moving one not at all.
    fn may_skip_updates(&self) -> bool {
        false
    }

    /// Where boxes are expected, if the algorithm has such courses. [`updated`](Self::updated) is skipped for moving boxes
    /// that keep theirs, and for those moved together; see [`moved`](Self::moved).
    fn courses(&self) -> Option<&Courses> {
        None
    }

    /// Passes every pair of overlapping boxes to `collector`, exactly once, in any order. May pass other pairs
    /// too.
    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>);

    /// As [`find`](Self::find), without the pairs of two static boxes, and spread over the calls with each
    /// [step](SearchStep) in order: these together pass each pair once. Their boxes must be the same. A search
    /// may be given up after any step, and one in a single call, with the same static boxes, may come between two steps. If
    /// the algorithm cannot do this, returns false and passes no pairs.
    fn find_moving(
        &mut self,
        _proxies: &Proxies,
        _step: SearchStep,
        _collector: &mut PairCollector<'_>,
    ) -> bool {
        false
    }

    /// Passes every pair of a non-empty box of `probes` and a box of the last search that was completed, as it was
    /// then, with another index. If the algorithm cannot find them quickly, returns false and passes no pairs.
    fn find_around(&self, _probes: &[(u32, Aabb)], _collector: &mut PairCollector<'_>) -> bool {
        false
    }

    /// The volumes that decide. The collector compares the tighter volumes of all candidates, except those
    /// passed to [`PairCollector::accept`].
    fn volume(&self) -> Volume {
        Volume::Aabb
    }

    /// Makes the algorithm use the threads of rayon's current pool where there is enough to do. Called
    /// before the first box; ignored by algorithms for one thread.
    fn use_threads(&mut self) {}

    /// Whether [`use_threads`](Self::use_threads) was called and had an effect. The
    /// [`PairManager`](crate::PairManager) then uses the threads too.
    fn uses_threads(&self) -> bool {
        false
    }

    /// Memory of the structure, in bytes.
    fn bytes(&self) -> usize;

    /// Counts of the last [`find`](Self::find) and the changes before it, except
    /// [`Stats::tests`], which the collector counts.
    fn stats(&self) -> Stats {
        Stats::default()
    }

    /// The current choice of an adaptive algorithm.
    fn choice(&self) -> String {
        String::new()
    }
}

pub(crate) fn with_threads<F: PairFinder + Default>(threads: bool) -> F {
    let mut finder = F::default();
    if threads {
        finder.use_threads();
    }
    finder
}
