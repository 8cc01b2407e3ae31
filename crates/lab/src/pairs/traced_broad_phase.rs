//! A broad phase whose boxes have the ids of a trace.

use std::fmt;

use rustc_hash::FxHashMap;
use xcollide::bounds::Aabb;
use xcollide::broad::{Bounds, BroadPhase, Everything, Pair, Pairs, ProxyError, ProxyId, ProxyIds};

use super::PairsStats;

/// Pairs of ids, each list ordered, the smaller id of a pair first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdPairs {
    /// All pairs whose boxes overlap.
    pub overlapping: Vec<(u64, u64)>,
    /// Those that did not overlap before.
    pub appeared: Vec<(u64, u64)>,
    /// Those that overlapped before and do not any more.
    pub vanished: Vec<(u64, u64)>,
}

/// A broad phase and the mapping between proxies and trace ids.
pub struct TracedBroadPhase {
    broad: Box<dyn BroadPhase>,
    proxies: FxHashMap<u64, ProxyId>,
    /// Trace ids by proxy index. Kept after removal, for pairs that vanish.
    ids: Vec<u64>,
    issued: ProxyIds,
    /// Ids whose boxes this frame emptied. They are removed at its end, as the frame may fill them
    /// again.
    leaving: Vec<u64>,
    /// Whether a box is empty now, by proxy index.
    is_empty: Vec<bool>,
    found: Pairs,
    translated: IdPairs,
}

impl fmt::Debug for TracedBroadPhase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, ids) = (self.name(), &self.ids);
        f.debug_struct("TracedBroadPhase")
            .field("broad", &name)
            .field("ids", ids)
            .finish_non_exhaustive()
    }
}

impl TracedBroadPhase {
    /// Without boxes.
    #[must_use]
    pub fn new(broad: Box<dyn BroadPhase>) -> Self {
        Self {
            broad,
            proxies: FxHashMap::default(),
            ids: Vec::new(),
            issued: ProxyIds::new(),
            leaving: Vec::new(),
            is_empty: Vec::new(),
            found: Pairs::new(),
            translated: IdPairs::default(),
        }
    }

    /// The name of the broad phase.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.broad.name()
    }

    /// The result of [`translate`](Self::translate).
    #[must_use]
    pub fn pairs(&self) -> &IdPairs {
        &self.translated
    }

    /// Updates the broad phase with the boxes of a frame and queries its pairs. Boxes of earlier frames
    /// stay; an empty box removes its id.
    ///
    /// # Errors
    /// The broad phase refuses a box.
    pub fn frame(&mut self, boxes: &[(u64, Aabb)]) -> Result<(), ProxyError> {
        for &(id, aabb) in boxes {
            self.place(id, aabb)?;
        }
        self.broad.pairs(&Everything, &mut self.found);
        Ok(())
    }

    /// Expected constant time, plus the broad phase's.
    fn place(&mut self, id: u64, aabb: Aabb) -> Result<(), ProxyError> {
        let known = self.proxies.get(&id).copied();
        if let Some(proxy) = known {
            let was_empty = &mut self.is_empty[proxy.index() as usize];
            let leaves = aabb.is_empty() && !*was_empty;
            *was_empty = aabb.is_empty();
            if leaves {
                self.leaving.push(id);
            }
            let aabb = if aabb.is_empty() { Aabb::EMPTY } else { aabb };
            return self.broad.update(proxy, &Bounds::new(aabb));
        }
        if aabb.is_empty() {
            return Ok(());
        }
        let proxy = self.issued.issue();
        let index = proxy.index() as usize;
        if self.ids.len() <= index {
            self.ids.resize(index + 1, 0);
            self.is_empty.resize(index + 1, false);
        }
        self.ids[index] = id;
        self.is_empty[index] = false;
        self.proxies.insert(id, proxy);
        self.broad.insert(proxy, &Bounds::new(aabb))
    }

    /// Translates the pairs to trace ids and removes emptied boxes. Not timed.
    pub fn translate(&mut self) {
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
            // A box that was emptied, filled and emptied again is listed twice.
            let Some(&proxy) = self.proxies.get(&id) else { continue };
            if self.is_empty[proxy.index() as usize] {
                self.proxies.remove(&id);
                self.issued.retire(proxy);
                // It was inserted under this id and not removed since.
                let removed = self.broad.remove(proxy);
                debug_assert!(removed.is_ok(), "{removed:?}");
            }
        }
    }

    pub(super) fn stats(&self) -> PairsStats {
        let work = self.broad.stats();
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

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide::broad::AllPairs;

    /// What a frame says last of a box is what counts, however often it says otherwise before; and a
    /// box that is gone leaves nothing behind.
    #[test]
    fn boxes_may_be_emptied_and_filled_within_a_frame() -> Result<(), ProxyError> {
        let (cube, none) = (Aabb::new([0.0; 3], [1.0; 3]), Aabb::EMPTY);
        let mut subject = TracedBroadPhase::new(Box::new(AllPairs::new()));
        type Told<'a> = (&'a [(u64, Aabb)], &'a [(u64, u64)], usize);
        let frames: [Told<'_>; 6] = [
            (&[(5, cube), (9, cube), (7, none)], &[(5, 9)], 2),
            (&[(5, none), (5, cube)], &[(5, 9)], 2),
            (&[(5, none), (5, cube), (5, none), (5, none)], &[], 1),
            (&[(5, cube), (9, none), (9, cube), (9, none), (9, cube)], &[(5, 9)], 2),
            (&[(5, none), (9, none)], &[], 0),
            (&[(9, none), (9, cube), (5, cube), (5, none), (5, cube)], &[(5, 9)], 2),
        ];
        for (frame, (boxes, pairs, left)) in frames.into_iter().enumerate() {
            subject.frame(boxes)?;
            subject.translate();
            assert_eq!(subject.pairs().overlapping, pairs, "frame {frame}");
            let held = [subject.broad.len(), subject.proxies.len()];
            assert_eq!(held, [left; 2], "frame {frame}");
        }
        assert_eq!(subject.ids.len(), 2, "indices are used again");
        Ok(())
    }

    /// A frame that empties fifty thousand boxes and moves as many takes steps in proportion to them;
    /// with a step for each two of them this test would be the slowest of all.
    #[test]
    fn many_may_leave_while_many_move() -> Result<(), ProxyError> {
        let count = 100_000_u64;
        let at = |x: f64| Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]);
        let mut subject = TracedBroadPhase::new(Box::new(xcollide::broad::Auto::new()));
        let all: Vec<_> = (0..count).map(|id| (id, at(1.5 * id as f64))).collect();
        let leave = (0..count / 2).map(|id| (id, Aabb::EMPTY));
        let move_on =
            (count / 2..count).map(|id| (id, at(1.5 * id as f64 + 0.5 * (id % 2) as f64)));
        for boxes in [all, leave.chain(move_on).collect()] {
            subject.frame(&boxes)?;
            subject.translate();
        }
        assert_eq!(subject.broad.len() as u64, count / 2);
        // Each second one touches the next.
        assert_eq!(subject.pairs().appeared.len() as u64, count / 4 - 1);
        Ok(())
    }
}
