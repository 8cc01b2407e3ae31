//! Turns a pair-finding algorithm into a broad phase.

use crate::found_pairs::FoundPairs;
use crate::pair_finder::with_threads;
use crate::pair_history::PairHistory;
use crate::pair_sorter::PairSorter;
use crate::parallel::{HEAVY, in_pool};
use crate::stats::held;
use crate::{
    Bounds, BroadPhase, Changes, Interest, PairCollector, PairFinder, Pairs, Proxies, ProxyError,
    ProxyId, Stats, Volume,
};

/// A [`BroadPhase`] around a [`PairFinder`]: stores the boxes, sorts the pairs, and reports which appeared and
/// vanished. Every broad phase of this crate is a `PairManager` of its algorithm; [`PairManager::over`] makes
/// one of your own.
#[derive(Debug, Default)]
pub struct PairManager<F> {
    finder: F,
    proxies: Proxies,
    history: PairHistory,
    order: PairSorter,
    /// Reused memory for the pairs, as they were found by several threads, and in order.
    found: FoundPairs,
    keys: Vec<u64>,
    /// Reused memory for the changes that are made one by one.
    others: Vec<u32>,
    tests: u64,
}

impl<F: PairFinder + Default> PairManager<F> {
    /// An empty broad phase with the default settings, on one thread.
    #[must_use]
    pub fn new() -> Self {
        Self::over(F::default())
    }

    /// An empty broad phase that searches on the threads of rayon's current pool, with the same pairs in the
    /// same order. Uses one thread without the feature `parallel` or if the algorithm is sequential.
    ///
    /// With as many threads as processors it is faster if the caller is one of them, in one
    /// `ThreadPool::install` for many frames: one thread more than processors leads to two of them in a queue.
    #[must_use]
    pub fn parallel() -> Self {
        Self::over(with_threads(true))
    }
}

impl<F: PairFinder> PairManager<F> {
    /// An empty broad phase over an algorithm that has not been given any boxes: one with other settings than the
    /// default, or [one of your own](PairFinder).
    ///
    /// ```
    /// use xcollide_broad::{BroadPhase, NeighbourListFinder, PairManager, SweepFinder};
    ///
    /// let broad = PairManager::over(NeighbourListFinder::<SweepFinder>::with_margin(0.2));
    /// let boxed: Box<dyn BroadPhase> = Box::new(broad);
    /// assert_eq!(boxed.name(), "neighbour-list");
    /// ```
    #[must_use]
    pub fn over(finder: F) -> Self {
        Self {
            finder,
            proxies: Proxies::default(),
            history: PairHistory::default(),
            order: PairSorter::default(),
            found: FoundPairs::default(),
            keys: Vec::new(),
            others: Vec::new(),
            tests: 0,
        }
    }

    /// The algorithm.
    #[must_use]
    pub fn finder(&self) -> &F {
        &self.finder
    }

    fn find(&mut self, interest: &dyn Interest, out: &mut Pairs, threads: bool) {
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let mut collector =
            PairCollector::new(&self.proxies, interest, self.finder.volume(), found);
        self.finder.find(&self.proxies, &mut collector);
        self.found = collector.found;
        let Self { found, keys, proxies, order, .. } = self;
        self.tests = found.tests;
        let boxes = proxies.boxes().len();
        let keys = if found.is_one_list() {
            order.sort(&mut found.keys, boxes, threads);
            &mut found.keys
        } else {
            order.sort_lists(&found.lists().collect::<Vec<_>>(), keys, boxes, threads);
            keys
        };
        debug_assert!(keys.is_sorted_by(|a, b| a < b), "{}: a pair came twice", self.finder.name());
        self.history.publish(proxies, keys, out, threads);
        found.shrink(64 + boxes / HEAVY);
    }
}
impl<F: PairFinder> BroadPhase for PairManager<F> {
    fn name(&self) -> &'static str {
        self.finder.name()
    }

    fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.proxies.insert(id, bounds)?;
        self.history.note(id.index());
        self.finder.inserted(&self.proxies, id.index());
        Ok(())
    }

    fn update(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        if let Some(courses) = self.finder.courses()
            && self.proxies.update_on_course(id, bounds, courses)
        {
            return Ok(());
        }
        // In two steps, because returning a box or an error in one result is slow.
        self.proxies.check_update(id, bounds)?;
        let before = self.proxies.replace(id.index(), bounds);
        self.finder.updated(&self.proxies, id.index(), &before);
        Ok(())
    }

    fn update_many(
        &mut self,
        count: usize,
        change: &Changes<'_>,
        refused: &mut dyn FnMut(ProxyId, ProxyError),
    ) {
        let courses = self.finder.courses();
        let mut others = std::mem::take(&mut self.others);
        let all = courses.is_none() && !self.finder.may_skip_updates();
        if !all {
            let (threads, proxies) = (self.finder.uses_threads(), &mut self.proxies);
            let left = &mut others;
            let moved = in_pool(count, threads, || {
                proxies.move_many(count, change, courses, threads, left)
            });
            self.finder.moved(&self.proxies, moved);
        }
        for other in 0..if all { count } else { others.len() } {
            let (id, new) = change(if all { other } else { others[other] as usize });
            if let Err(error) = new.with_bounds(|bounds| self.update(id, bounds)) {
                refused(id, error);
            }
        }
        self.others = others;
    }

    fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError> {
        let before = self.proxies.remove(id)?;
        self.history.note(id.index());
        self.finder.removed(&self.proxies, id.index(), &before);
        Ok(())
    }

    fn pairs(&mut self, interest: &dyn Interest, out: &mut Pairs) {
        let (boxes, threads) = (self.proxies.len(), self.finder.uses_threads());
        in_pool(boxes, threads, || self.find(interest, out, threads));
    }

    fn len(&self) -> usize {
        self.proxies.len()
    }

    fn bytes(&self) -> usize {
        self.proxies.bytes()
            + self.history.bytes()
            + self.order.bytes()
            + self.found.bytes()
            + held(&self.keys)
            + self.finder.bytes()
    }

    fn stats(&self) -> Stats {
        Stats { tests: self.tests, ..self.finder.stats() }
    }

    fn volume(&self) -> Volume {
        self.finder.volume()
    }

    fn choice(&self) -> String {
        self.finder.choice()
    }
}
