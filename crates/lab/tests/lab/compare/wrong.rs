//! Algorithms that are wrong on purpose, which a comparison must catch.

use xcollide::brep::Topology;
use xcollide::broad::{Bounds, BroadPhase, Interest, Pairs, ProxyError, ProxyId, Stats, Sweep};
use xcollide::narrow::mesh::Wide;
use xcollide::narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Separation,
    Verdict,
};

/// Answers `Apart` for every n-th colliding pair.
pub(super) struct Forgetful {
    pub(super) of: fn(&mut PairCache) -> bool,
}

impl NarrowPhase for Forgetful {
    fn name(&self) -> &'static str {
        "forgetful"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        Wide::new().prepare(model)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        if (self.of)(cache) {
            return Verdict::Apart(Separation::Pairwise);
        }
        Wide::new().test(a, b, query, &mut PairCache::new())
    }
}

/// Decides nothing.
pub(super) struct Hesitant;

impl NarrowPhase for Hesitant {
    fn name(&self) -> &'static str {
        "hesitant"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, _: Placed<'_>, _: Placed<'_>, _: &Query, _: &mut PairCache) -> Verdict {
        Verdict::Undecided(Reason::OutOfTime)
    }
}

/// A sweep that loses its last pair.
#[derive(Default)]
pub(super) struct Lossy(Sweep);

impl BroadPhase for Lossy {
    fn name(&self) -> &'static str {
        "lossy"
    }

    fn insert(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.0.insert(id, bounds)
    }

    fn update(&mut self, id: ProxyId, bounds: &Bounds) -> Result<(), ProxyError> {
        self.0.update(id, bounds)
    }

    fn remove(&mut self, id: ProxyId) -> Result<(), ProxyError> {
        self.0.remove(id)
    }

    fn pairs(&mut self, interest: &dyn Interest, out: &mut Pairs) {
        self.0.pairs(interest, out);
        // Nothing of this pair appears or vanishes, either.
        if let Some(lost) = out.overlapping.pop() {
            out.appeared.retain(|pair| *pair != lost);
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn stats(&self) -> Stats {
        self.0.stats()
    }
}
