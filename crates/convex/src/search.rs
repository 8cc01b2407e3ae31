//! The trait of searches that find out about a pair of polytopes.

use crate::batch_entry::BatchEntry;
use crate::early_result::EarlyResult;
use crate::pair::Pair;
use crate::search_result::{Bias, SearchResult};

/// A way to find out about a pair of polytopes.
///
/// What it proves ends the query; where it proves nothing, whoever asks has an exact test to go to.
pub trait Search: Send + Sync + 'static {
    /// The name of the algorithm.
    const NAME: &'static str;

    /// The answer that a biased algorithm leans to; `None` of one that makes no claim without a proof. Only a biased
    /// algorithm's [`SearchResult::Biased`] is an answer; of others the exact test decides.
    const BIAS: Option<Bias> = None;

    /// What is kept with a pair from query to query. It is reset when the polytopes change, so
    /// numbers of vertices in it are valid.
    type Memory: Default + Send + 'static;

    /// Looks whether a pair is decided without a search, by what is remembered of it or known of its bodies.
    /// Nothing is seen unless this is implemented. Both polytopes have vertices.
    #[inline]
    fn glance(&self, _pair: &mut Pair<'_>, _memory: &mut Self::Memory) -> EarlyResult {
        EarlyResult::NOTHING
    }

    /// Looks at a pair of which nothing was seen at a [glance](Self::glance) just now. Both polytopes have
    /// vertices.
    fn search(&self, pair: &mut Pair<'_>, memory: &mut Self::Memory) -> SearchResult;

    /// Looks at many pairs, with one finding for each, in their order, written to `findings` (which is cleared
    /// first); what it finds of one depends on that one only. Provided: one after the other.
    fn search_many(
        &self,
        pairs: &mut [BatchEntry<'_, Self::Memory>],
        findings: &mut Vec<SearchResult>,
    ) {
        findings.clear();
        findings.extend(pairs.iter_mut().map(|BatchEntry { pair, memory }| {
            let glance = self.glance(pair, memory);
            glance.finding().unwrap_or_else(|| self.search(pair, memory))
        }));
    }

    /// Is told the answer of each decided query, whoever found it: for searches that remember more
    /// than where they ended. Does nothing unless implemented.
    #[inline]
    fn decided(&self, _pair: &mut Pair<'_>, _collides: bool, _memory: &mut Self::Memory) {}
}
