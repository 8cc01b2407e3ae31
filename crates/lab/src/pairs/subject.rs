//! A broad phase that knows its boxes by the ids of a trace.

use rustc_hash::FxHashMap;
use xcollide::bounds::Aabb;
use xcollide::broad::{Bounds, BroadPhase, Everything, Pair, Pairs, ProxyError, ProxyId, ProxyIds};

use super::PairsStats;
use crate::exit::Failure;

/// Pairs of ids, each list ordered, the smaller id of a pair first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct IdPairs {
    pub(super) overlapping: Vec<(u64, u64)>,
    pub(super) appeared: Vec<(u64, u64)>,
    pub(super) vanished: Vec<(u64, u64)>,
}

/// A broad phase, and whose box is whose.
pub(super) struct Subject {
    broad: Box<dyn BroadPhase>,
    proxies: FxHashMap<u64, ProxyId>,
    /// The id of the trace by index. Kept after removal, for the pairs that vanish then.
    ids: Vec<u64>,
    issued: ProxyIds,
    /// Boxes that a frame has emptied. They are taken out at its end, for it may fill them again.
    leaving: Vec<u64>,
    found: Pairs,
    translated: IdPairs,
}

impl Subject {
    pub(super) fn new(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            broad,
            proxies: FxHashMap::default(),
            ids: Vec::new(),
            issued: ProxyIds::new(),
            leaving: Vec::new(),
            found: Pairs::new(),
            translated: IdPairs::default(),
        }
    }

    pub(super) fn name(&self) -> &'static str {
        self.broad.name()
    }

    /// The pairs that [`translate`](Self::translate) made.
    pub(super) fn pairs(&self) -> &IdPairs {
        &self.translated
    }

    /// Tells the broad phase of the boxes of a frame and asks it for the pairs.
    pub(super) fn frame(&mut self, boxes: &[(u64, Aabb)]) -> Result<(), Failure> {
        let failed = |error: ProxyError| Failure::Failed(error.to_string());
        for &(id, aabb) in boxes {
            self.place(id, aabb).map_err(failed)?;
        }
        self.broad.pairs(&Everything, &mut self.found);
        Ok(())
    }

    fn place(&mut self, id: u64, aabb: Aabb) -> Result<(), ProxyError> {
        let known = self.proxies.get(&id).copied();
        if aabb.is_empty() {
            let Some(proxy) = known else { return Ok(()) };
            self.leaving.push(id);
            return self.broad.update(proxy, &Bounds::new(Aabb::EMPTY));
        }
        if let Some(proxy) = known {
            self.leaving.retain(|&leaving| leaving != id);
            return self.broad.update(proxy, &Bounds::new(aabb));
        }
        let proxy = self.issued.issue();
        let index = proxy.index() as usize;
        if self.ids.len() <= index {
            self.ids.resize(index + 1, 0);
        }
        self.ids[index] = id;
        self.proxies.insert(id, proxy);
        self.broad.insert(proxy, &Bounds::new(aabb))
    }

    /// Writes the pairs in terms of the trace's ids, and takes out the boxes that were emptied:
    /// what is not timed.
    pub(super) fn translate(&mut self) {
        let ids = &self.ids;
        let id = |proxy: ProxyId| ids[proxy.index() as usize];
        let translate = |pairs: &[Pair], to: &mut Vec<(u64, u64)>| {
            to.clear();
            to.extend(pairs.iter().map(|pair| {
                let (a, b) = (id(pair.a), id(pair.b));
                (a.min(b), a.max(b))
            }));
            to.sort_unstable();
        };
        translate(&self.found.overlapping, &mut self.translated.overlapping);
        translate(&self.found.appeared, &mut self.translated.appeared);
        translate(&self.found.vanished, &mut self.translated.vanished);
        for id in self.leaving.drain(..) {
            if let Some(proxy) = self.proxies.remove(&id) {
                self.issued.retire(proxy);
                // It is there: it was inserted under this very id and not removed since.
                let removed = self.broad.remove(proxy);
                debug_assert!(removed.is_ok(), "{removed:?}");
            }
        }
    }

    pub(super) fn stats(&self) -> PairsStats {
        let work = self.broad.work();
        PairsStats {
            boxes: self.broad.len(),
            tests: work.tests,
            exchanges: work.exchanges,
            moves: work.moves,
            bytes: self.broad.bytes(),
            choice: self.broad.choice(),
        }
    }
}
