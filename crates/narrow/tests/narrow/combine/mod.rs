//! Algorithms made of algorithms.

mod auto;
mod chain;
mod race;

use xcollide_brep::Topology;
use xcollide_convex::Bias;
use xcollide_narrow::mesh::BruteForce;
use xcollide_narrow::{
    Guarantee, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Verdict,
};

/// Decides pairs of closed models whose second one is to the right, and no others.
pub(crate) struct Unsure;

impl NarrowPhase for Unsure {
    fn name(&self) -> &'static str {
        "unsure"
    }

    fn accepts(&self, a: Topology, b: Topology) -> bool {
        (a & b).contains(Topology::CLOSED)
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Misses
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        assert!(self.accepts(a.model().topology(), b.model().topology()), "was asked all the same");
        if b.pose().translation()[0] > 0.0 {
            return BruteForce.test(a, b, query, cache);
        }
        Verdict::Undecided(Reason::Biased(Bias::Apart))
    }
}
