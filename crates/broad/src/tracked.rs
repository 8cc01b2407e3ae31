//! A broad phase out of an algorithm that finds candidates.

use crate::history::History;
use crate::order::Order;
use crate::parts::{HEAVY, in_pool};
use crate::sink::Found;
use crate::{
    Bounds, BroadPhase, Changes, Interest, PairFinder, Pairs, Proxies, ProxyError, ProxyId, Sink,
    Volume, Work,
};

/// Does for an algorithm what all broad phases have in common.
///
/// The broad phases of this crate are this type over an algorithm each; a third party's algorithm
/// becomes one by [`Tracked::over`].
#[derive(Debug, Default)]
pub struct Tracked<F> {
    pub(crate) finder: F,
    proxies: Proxies,
    history: History,
    order: Order,
    keys: Vec<u64>,
    /// Memory for what threads find.
    spare: Vec<Vec<u64>>,
    tests: u64,
}

impl<F: PairFinder> Tracked<F> {
    /// A broad phase without boxes, on an algorithm without boxes.
    #[must_use]
    pub fn over(finder: F) -> Self {
        Self {
            finder,
            proxies: Proxies::default(),
            history: History::default(),
            order: Order::default(),
            keys: Vec::new(),
            spare: Vec::new(),
            tests: 0,
        }
    }

    /// The algorithm.
    #[must_use]
    pub fn finder(&self) -> &F {
        &self.finder
    }

    fn find(&mut self, interest: &dyn Interest, out: &mut Pairs, threads: bool) {
        let mut keys = std::mem::take(&mut self.keys);
        keys.clear();
        let found = Found { keys, tests: 0, spare: std::mem::take(&mut self.spare) };
        let mut sink = Sink::new(&self.proxies, interest, self.finder.volume(), found);
        self.finder.find(&self.proxies, &mut sink);
        let Found { mut keys, tests, spare } = sink.into_found();
        (self.tests, self.spare) = (tests, spare);
        // A crowd that has dissolved gives its memory back.
        self.spare.truncate(64 + self.proxies.boxes().len() / HEAVY);
        self.order.sort(&mut keys, self.proxies.boxes().len(), threads);
        debug_assert!(keys.is_sorted_by(|a, b| a < b), "{}: a pair came twice", self.finder.name());
        self.history.publish(&self.proxies, &mut keys, out, threads);
        self.keys = keys;
    }
}

impl<F: PairFinder> BroadPhase for Tracked<F> {
    fn name(&self) -> &'static str {
        self.finder.name()
    }

    fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.proxies.insert(id, bounds)?;
        self.history.changes_hands(id.index());
        self.finder.inserted(&self.proxies, id.index());
        Ok(())
    }

    fn update(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        if let Some(places) = self.finder.places()
            && self.proxies.move_within(id, bounds, places)
        {
            return Ok(());
        }
        // In two steps, for a result that holds a box or an error is slow to take apart.
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
        let places = self.finder.places();
        let others = if places.is_some() || self.finder.expects_motion() {
            let (threads, proxies) = (self.finder.uses_threads(), &mut self.proxies);
            in_pool(count, threads, || proxies.move_many(count, change, places, threads))
        } else {
            (0..count).collect()
        };
        for (id, bounds) in others.into_iter().map(change) {
            if let Err(error) = self.update(id, bounds) {
                refused(id, error);
            }
        }
    }

    fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError> {
        let before = self.proxies.remove(id)?;
        self.history.changes_hands(id.index());
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
            + self.spare.iter().chain([&self.keys]).map(Vec::capacity).sum::<usize>()
                * size_of::<u64>()
            + self.finder.bytes()
    }

    fn work(&self) -> Work {
        Work { tests: self.tests, ..self.finder.work() }
    }

    fn volume(&self) -> Volume {
        self.finder.volume()
    }

    fn choice(&self) -> String {
        self.finder.choice()
    }
}
