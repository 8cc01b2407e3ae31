//! The reference: every triangle of one model against every triangle of the other.

use std::ops::ControlFlow;

use xcollide_bvh::Counter;
use xcollide_predicates::triangles_intersect;

use crate::hierarchy::work::Monitor;
use crate::pair_search::{End, PairSearch, TrianglePair, answers_by_search};
use crate::query::Deadline;
use crate::{Model, NarrowPhase, PairCache, Placed, Query};

/// Tests all pairs of triangles: O(n · m). Tests compare the other exact algorithms with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

impl NarrowPhase for BruteForce {
    fn name(&self) -> &'static str {
        "brute-force"
    }

    fn prepared_bytes(&self, _: &Model) -> Option<usize> {
        Some(0)
    }

    answers_by_search!();
}

impl PairSearch for BruteForce {
    type Hit = TrianglePair;

    fn search<const FIRST: bool>(
        &self,
        pair: [Placed<'_>; 2],
        query: &Query,
        cache: &mut PairCache,
        deadline: &Deadline,
        found: impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> End {
        let triangles = pair.map(|placed| -> Vec<_> {
            (0..placed.model().triangulation().len()).map(|t| placed.triangle(t)).collect()
        });
        let Some(mut monitor) = Monitor::of(query, deadline) else {
            let _ = all_pairs(&triangles, &mut (), found);
            return End::Done;
        };
        let _ = all_pairs(&triangles, &mut monitor, found);
        let transforms = 3 * (triangles[0].len() + triangles[1].len()) as u64;
        monitor.finish(transforms, query, cache)
    }
}

/// Shows `found` every pair of triangles that meet, until it or `work` breaks.
fn all_pairs(
    [of_a, of_b]: &[Vec<[[f64; 3]; 3]>; 2],
    work: &mut impl Counter,
    mut found: impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for (i, s) in of_a.iter().enumerate() {
        if work.go_on().is_break() {
            // Of nothing nothing is known.
            if i > 0 && !of_b.is_empty() {
                work.left((of_a.len() - i) * of_b.len(), || Some((i as u32, 0)));
            }
            return ControlFlow::Break(());
        }
        for (j, t) in of_b.iter().enumerate() {
            work.primitives(1);
            if triangles_intersect(s, t) {
                found(TrianglePair(i, j))?;
            }
        }
    }
    ControlFlow::Continue(())
}
