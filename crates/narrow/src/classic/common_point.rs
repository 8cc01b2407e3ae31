//! What algorithms share that look for one point in both bodies: Monte-Carlo, inner spheres, z-buffer, voxmap.
//!
//! Such a point proves a contact; that none was found proves nothing, so they lean to "apart". Every point that they
//! propose is tested exactly in both bodies, so rounding in the search can lose a contact, never invent one.
//!
//! If the time of a query is over before a point is found, nothing is known (`Reason::OutOfTime`): the points that were tried exclude no
//! contact, as all of them would not. How many they were is a statistic ([`Stats::primitive_tests`]).

use xcollide_brep::{Interior, Topology};

use crate::formula::refusal;
use crate::mesh::Wide;
use crate::point_in_polyhedron::{Location, locate};
use crate::query::{Deadline, OutOfTime};
use crate::{
    Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Semantics, Separation,
    Stats, Verdict, Witness,
};
use xcollide_convex::Bias;

/// What these algorithms accept: surfaces without a border and without doubt about the inside.
const CLOSED_MANIFOLD: Topology =
    Topology::CLOSED.union(Topology::MANIFOLD_EDGES).union(Topology::MANIFOLD_VERTICES);

/// Whether both models are closed manifolds.
pub(super) fn are_closed(a: Topology, b: Topology) -> bool {
    a.contains(CLOSED_MANIFOLD) && b.contains(CLOSED_MANIFOLD)
}

/// Refuses models that bound no body; prepares what the exact test of a point needs.
pub(super) fn prepare_body(algorithm: &'static str, model: &Model) -> Result<(), PrepareError> {
    if !are_closed(model.topology(), model.topology()) {
        return Err(PrepareError::NotAccepted { algorithm, needed: "closed and manifold" });
    }
    Wide::new().prepare(model)
}

/// A query of such an algorithm at work.
pub(super) struct Proposals<'a> {
    a: Placed<'a>,
    b: Placed<'a>,
    pub(super) time: Deadline,
    pub(super) stats: Stats,
}

impl<'a> Proposals<'a> {
    /// Whether a point is in the first body and in the second.
    pub(super) fn is_common(&mut self, point: [f64; 3]) -> Result<bool, OutOfTime> {
        Ok(self.is_in(self.a, point)? && self.is_in(self.b, point)?)
    }

    /// Whether a point is in a body.
    pub(super) fn is_in(&mut self, body: Placed<'a>, point: [f64; 3]) -> Result<bool, OutOfTime> {
        self.time.check_for(16)?;
        self.stats.primitive_tests += 1;
        Ok(locate(body, point) != Location::Outside)
    }

    /// The witness, if a point is in both bodies.
    pub(super) fn witness(&mut self, point: [f64; 3]) -> Result<Option<Witness>, OutOfTime> {
        Ok(self.is_common(point)?.then(|| Witness::common(point)))
    }
}

/// The verdict of an algorithm that looks for a point in both bodies by `search`, which must return nothing else.
pub(super) fn decide<'a>(
    [a, b]: [Placed<'a>; 2],
    query: &Query,
    cache: &mut PairCache,
    search: impl FnOnce(&mut Proposals<'a>, &mut PairCache) -> Result<Option<Witness>, OutOfTime>,
) -> Verdict {
    if let Some(refusal) = refusal([a, b]) {
        return refusal;
    }
    let mut at_work = Proposals {
        a,
        b,
        time: Deadline::of(query, cache),
        stats: Stats { volume_tests: 1, ..Stats::default() },
    };
    let models = [a.model(), b.model()];
    let verdict = if !a.world_box().overlaps(&b.world_box()) {
        Verdict::Apart(Separation::found(a, b, query, &mut at_work.time))
    } else if !are_closed(models[0].topology(), models[1].topology()) {
        Verdict::Undecided(Reason::NotAccepted)
    } else if query.semantics == Semantics::Surface
        || models.iter().any(|model| model.interior() == Interior::None)
    {
        // A point in both bodies says nothing about their surfaces.
        Verdict::Undecided(Reason::Biased(Bias::Apart))
    } else {
        match search(&mut at_work, cache) {
            Ok(Some(witness)) => Verdict::Collides(witness),
            Ok(None) => Verdict::Undecided(Reason::Biased(Bias::Apart)),
            // What was tried excludes nothing.
            Err(OutOfTime) => Verdict::Undecided(Reason::OutOfTime),
        }
    };
    if query.stats {
        cache.set_stats(at_work.stats);
    }
    verdict
}
