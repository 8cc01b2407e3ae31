//! [`Hybrid`](super::Hybrid) for many pairs at once, eight at a time.
//!
//! 1. What is remembered is looked at pair by pair.
//! 2. The ellipsoids of eight pairs are asked, and then what is farthest along the directions that they give.
//! 3. What is open then is searched by [portals](crate::MprBatch), from the differences of the
//!    centers, around which the first portals are borrowed from the ellipsoids. Where few of eight are open,
//!    they are put together with others first.
//! 4. The planes and points that prove the answers are computed in lanes, too.
//!
//! What has no proof after that is searched as if it had been asked alone.

mod bodies;
mod contact_certificates;
mod early_results;
mod early_tests;
mod ellipsoids;

use crate::batch::EIGHT;
use xcollide_simd::dispatch;

use crate::batch_data::BatchData;
use crate::batch_entry::BatchEntry;
use crate::hybrid::{HybridMemory, HybridSearch};
use crate::search::Search;
use crate::search_result::SearchResult;
use early_results::Seen;
use early_tests::Look;

/// So many of eight pairs are worth a search of their own.
const LEAST: u32 = 3;

/// A pair by its number, with what its bodies look like.
type New<'p> = (usize, [&'p BatchData; 2]);

impl HybridSearch {
    /// Looks at many pairs.
    pub(crate) fn search_all(
        self,
        pairs: &mut [BatchEntry<'_, HybridMemory>],
        findings: &mut Vec<SearchResult>,
    ) {
        findings.clear();
        findings.resize(pairs.len(), SearchResult::Inconclusive);
        let mut new = Vec::with_capacity(pairs.len());
        for (number, joint) in pairs.iter_mut().enumerate() {
            let BatchEntry { pair, memory } = joint;
            if let Some(finding) = memory.recall(pair).finding() {
                findings[number] = finding;
            } else if let Some(a) = pair.a().polytope().portrait()
                && let Some(b) = pair.b().polytope().portrait()
            {
                new.push((number, [a, b]));
            } else {
                let glance = memory.ask_ellipsoids(pair);
                findings[number] = glance.finding().unwrap_or_else(|| self.search(pair, memory));
            }
        }
        let (mut seen, mut left) = (Seen::new(), Vec::new());
        for eight in new.chunks(EIGHT) {
            look_at(eight, LEAST, pairs, findings, &mut seen, &mut left);
        }
        for eight in std::mem::take(&mut left).chunks(EIGHT) {
            look_at(eight, 0, pairs, findings, &mut seen, &mut left);
        }
    }
}

/// Looks at one to eight pairs; those that are open yet where fewer than so many are, are added to `left`.
fn look_at<'p>(
    eight: &[New<'p>],
    least: u32,
    pairs: &mut [BatchEntry<'p, HybridMemory>],
    findings: &mut [SearchResult],
    seen: &mut Seen,
    left: &mut Vec<New<'p>>,
) {
    // Lanes without a pair have the last one's.
    let lane = |lane: usize| &eight[lane.min(eight.len() - 1)];
    let lanes = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
    let bodies = [lanes.map(|new| pairs[new.0].pair.a()), lanes.map(|new| pairs[new.0].pair.b())];
    let portraits = [lanes.map(|new| new.1[0]), lanes.map(|new| new.1[1])];
    dispatch(Look { bodies, portraits, count: eight.len(), least, seen });
    for (lane, new) in eight.iter().enumerate() {
        if !seen.tell(lane, &mut pairs[new.0], &mut findings[new.0]) {
            left.push(*new);
        }
    }
}
