//! The referee: every triangle of one model against every triangle of the other.

use std::ops::ControlFlow;

use xcollide_brep::{FaceId, Topology};
use xcollide_predicates::triangles_intersect;

use crate::pair_search::{End, PairSearch, TrianglePair};
use crate::query::Deadline;
use crate::query::stats::{Count, Uncounted};
use crate::{
    Guarantee, Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query, Stats, Verdict,
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
        self.verdict([a, b], query, cache)
    }

    fn each_contact(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> Listing {
        self.listing([a, b], query, cache, visit)
    }
}

impl PairSearch for BruteForce {
    type Hit = TrianglePair;

    fn search<const FIRST: bool>(
        &self,
        [a, b]: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        mut found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> End {
        let found = |s, t| found(TrianglePair(s, t));
        if all_pairs(a, b, query, cache, deadline, found) { End::Done } else { End::OutOfTime }
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
