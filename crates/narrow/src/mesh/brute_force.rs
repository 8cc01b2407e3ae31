//! The referee: every triangle of one model against every triangle of the other.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};
use xcollide_predicates::triangles_intersect;

use super::bvh_pair::triangle_witness;
use crate::containment::conclude;
use crate::query::Deadline;
use crate::query::stats::{Count, Uncounted};
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Reason, Stats,
    Verdict,
};

/// All pairs of triangles, nothing skipped: O(n · m). Obviously right, and what the other exact
/// algorithms are compared with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl NarrowPhase for BruteForce {
    fn name(&self) -> &'static str {
        "brute-force"
    }

    fn accepts(&self, _: Topology, _: Topology) -> bool {
        true
    }

    fn guarantee(&self) -> Guarantee {
        Guarantee::Exact
    }

    fn prepare(&self, _: &Model) -> Result<(), PrepareError> {
        Ok(())
    }

    fn prepared_bytes(&self, _: &Model) -> Option<usize> {
        Some(0)
    }

    fn test(&self, a: Placed<'_>, b: Placed<'_>, query: &Query, cache: &mut PairCache) -> Verdict {
        let mut first = None;
        let mut deadline = Deadline::of(query, cache);
        let in_time = all_pairs(a, b, query, cache, &deadline, |s, t| {
            first = Some((s, t));
            ControlFlow::Break(())
        });
        verdict(a, b, query, &mut deadline, in_time, first)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        let [of_a, of_b] = [a, b].map(|placed| placed.model().triangulation());
        let mut first = None;
        let mut deadline = Deadline::of(query, cache);
        let mut stopped = false;
        let in_time = all_pairs(a, b, query, cache, &deadline, |s, t| {
            first = first.or(Some((s, t)));
            let flow = visit(of_a.face_of(s), of_b.face_of(t));
            stopped = flow.is_break();
            flow
        });
        let complete = in_time && !stopped;
        Listing { verdict: verdict(a, b, query, &mut deadline, in_time, first), complete }
    }
}

/// Shows every pair of triangles that meet to `found`; `false` if the time was used up.
fn all_pairs(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    cache: &mut PairCache,
    deadline: &Deadline,
    found: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> bool {
    let deadline = deadline.clone();
    if query.stats {
        let mut stats = Stats::default();
        let in_time = count_all_pairs(a, b, deadline, &mut stats, found);
        let corners = |placed: Placed<'_>| 3 * placed.model().triangulation().len() as u64;
        stats.transforms = corners(a) + corners(b);
        cache.set_stats(stats);
        in_time
    } else {
        count_all_pairs(a, b, deadline, &mut Uncounted, found)
    }
}

fn count_all_pairs<C: Count>(
    a: Placed<'_>,
    b: Placed<'_>,
    mut deadline: Deadline,
    count: &mut C,
    mut found: impl FnMut(usize, usize) -> ControlFlow<()>,
) -> bool {
    let in_world = |placed: Placed<'_>| -> Vec<_> {
        (0..placed.model().triangulation().len()).map(|t| placed.triangle(t)).collect()
    };
    let (triangles_a, triangles_b) = (in_world(a), in_world(b));
    for (i, s) in triangles_a.iter().enumerate() {
        if deadline.passed() {
            return false;
        }
        deadline.spend(triangles_b.len() as u64 / 4);
        for (j, t) in triangles_b.iter().enumerate() {
            count.primitive_test();
            if triangles_intersect(s, t) && found(i, j).is_break() {
                return true;
            }
        }
    }
    true
}

/// The verdict from the first pair of triangles that meet.
fn verdict(
    a: Placed<'_>,
    b: Placed<'_>,
    query: &Query,
    deadline: &mut Deadline,
    in_time: bool,
    first: Option<(usize, usize)>,
) -> Verdict {
    if let Some((s, t)) = first {
        return Verdict::Collides(triangle_witness(a, s, b, t));
    }
    if !in_time {
        return Verdict::Undecided(Reason::OutOfTime);
    }
    conclude(a, b, query, deadline)
}
