//! The trait of searches.

use crate::batch_entry::BatchEntry;
use crate::early_result::EarlyResult;
use crate::pair::Pair;
use crate::polytope::Polytope;
use crate::search_result::{Bias, SearchResult};

/// A search whether two polytopes meet. What it proves ends the query; otherwise the caller's exact test decides.
pub trait Search: Send + Sync + 'static {
    /// The name of the algorithm.
    const NAME: &'static str;

    /// The answer that a biased algorithm leans to; `None` for an algorithm whose answers are all proved.
    /// [`SearchResult::Biased`] is an answer of biased algorithms only.
    const BIAS: Option<Bias> = None;

    /// What the search keeps with a pair from query to query. It is reset when the polytopes change, so vertex numbers
    /// in it are valid.
    type Memory: Default + Send + Sync + 'static;

    /// Builds what the search reads of a polytope and not every polytope has, so that queries build nothing. The
    /// provided method builds nothing.
    fn prepare(&self, _polytope: &Polytope) {}

    /// Tests without a search, by the memory or data of the bodies. Both polytopes have vertices. The provided method
    /// finds nothing.
    #[inline]
    fn early_test(&self, _pair: &mut Pair<'_>, _memory: &mut Self::Memory) -> EarlyResult {
        EarlyResult::NOTHING
    }

    /// Searches a pair whose [early test](Self::early_test) has just found nothing. Both polytopes have vertices.
    fn search(&self, pair: &mut Pair<'_>, memory: &mut Self::Memory) -> SearchResult;

    /// Tests and searches many pairs. Writes the result of each pair, in order, to `results`, which is as long; each
    /// depends on its pair only. The provided method takes one pair after the other.
    fn search_many(
        &self,
        pairs: &mut [BatchEntry<'_, Self::Memory>],
        results: &mut [SearchResult],
    ) {
        for (BatchEntry { pair, memory }, result) in pairs.iter_mut().zip(results) {
            let early = self.early_test(pair, memory);
            *result = early.result().unwrap_or_else(|| self.search(pair, memory));
        }
    }

    /// Receives the answer of each decided query, also if the exact test found it, so that the search can update its
    /// memory. The provided method does nothing.
    #[inline]
    fn decided(&self, _pair: &mut Pair<'_>, _collides: bool, _memory: &mut Self::Memory) {}
}
