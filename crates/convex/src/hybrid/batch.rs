//! [`HybridSearch`] for many pairs, eight at a time.
//!
//! 1. The proofs of the last queries are tested pair by pair.
//! 2. The ellipsoids of eight pairs are tested, then the vertices that are farthest along their directions. Bodies of at
//!    most eight vertices are tested and [searched in single precision](single).
//! 3. [MPR](crate::mpr) searches the pairs that are open, from the differences of the centers, with first portals borrowed
//!    from the ellipsoids. If few of eight are open, they first wait for others, as eight take as long as one. Those of
//!    at most eight vertices are tested again then; of the others it is kept where their searches start.
//! 4. The planes and points that prove the answers are computed in lanes, too.
//!
//! Pairs without a proof after that are searched like a single pair.

mod bodies;
mod contact_certificates;
mod early_results;
mod early_tests;
mod ellipsoids;
mod open_pairs;
mod single;
mod single_ellipsoids;

use arrayvec::ArrayVec;

use crate::batch::EIGHT;
use xcollide_simd::dispatch;

use crate::batch_data::{BatchData, FewVertices};
use crate::batch_entry::BatchEntry;
use crate::hybrid::{HybridMemory, HybridSearch};
use crate::search::Search;
use crate::search_result::SearchResult;
use early_results::EarlyResults;
use early_tests::EarlyTests;
use open_pairs::{GROUPS, OpenPairs, Starts};
use single::SingleTests;

/// Fewer open pairs of eight wait for others to fill the lanes. More do not, as waiting ones are read once more.
const LEAST: u32 = 3;
/// The same where those that wait are not tested again.
const LEAST_OF_MANY: u32 = 6;

/// The number of a pair, and the data of its polytopes.
type New<'p> = (usize, [&'p BatchData; 2]);

/// The most pairs that are searched together, in lists on the stack.
const TOGETHER: usize = 256;

/// Some of the pairs.
type List<'p> = ArrayVec<New<'p>, TOGETHER>;

impl HybridSearch {
    /// [`Search::search_many`].
    pub(crate) fn search_all(
        self,
        pairs: &mut [BatchEntry<'_, HybridMemory>],
        results: &mut [SearchResult],
    ) {
        for (pairs, results) in pairs.chunks_mut(TOGETHER).zip(results.chunks_mut(TOGETHER)) {
            self.search_together(pairs, results);
        }
    }

    fn search_together(
        self,
        pairs: &mut [BatchEntry<'_, HybridMemory>],
        results: &mut [SearchResult],
    ) {
        // Those searched in single precision and the others, so that no pair's numbers depend on its companions.
        let (mut few, mut many) = (List::new(), List::new());
        for (number, BatchEntry { pair, memory }) in pairs.iter_mut().enumerate() {
            if let Some(result) = memory.test_last_proof(pair).result() {
                results[number] = result;
            } else if let Some(a) = &pair.a().polytope().batch_data
                && let Some(b) = &pair.b().polytope().batch_data
            {
                let is_few = a.few.is_some() && b.few.is_some();
                let list = if is_few { &mut few } else { &mut many };
                list.push((number, [a, b]));
            } else {
                let early = memory.test_ellipsoids(pair).result();
                results[number] = early.unwrap_or_else(|| self.search(pair, memory));
            }
        }
        let mut found = EarlyResults::default();
        let mut waiting = List::new();
        for eight in few.chunks(EIGHT) {
            run(eight, LEAST, None, pairs, &mut found);
            finish(eight, pairs, results, &found, |new, _| waiting.push(new));
        }
        for eight in waiting.chunks(EIGHT) {
            run(eight, 0, None, pairs, &mut found);
            finish(eight, pairs, results, &found, |_, _| ());
        }
        let mut open = OpenPairs::default();
        let mut blocks = many.chunks(GROUPS * EIGHT).peekable();
        while let Some(block) = blocks.next() {
            for eight in block.chunks(EIGHT) {
                run(eight, LEAST_OF_MANY, None, pairs, &mut found);
                finish(eight, pairs, results, &found, |new, lane| {
                    open.add(new, &found.starts, lane);
                });
            }
            open.take(blocks.peek().is_none(), |eight| {
                run(&eight.pairs, 0, Some(&eight.starts), pairs, &mut found);
                finish(&eight.pairs, pairs, results, &found, |_, _| ());
            });
        }
    }
}

/// Tests one to eight pairs, and searches those that remain open, if these are as many as `least`. Pairs of bodies with more
/// than eight vertices that were `tested` are only searched.
fn run<'p>(
    eight: &[New<'p>],
    least: u32,
    tested: Option<&Starts>,
    pairs: &[BatchEntry<'p, HybridMemory>],
    found: &mut EarlyResults,
) {
    // Lanes without a pair repeat the last one.
    let lane = |lane: usize| &eight[lane.min(eight.len() - 1)];
    let lanes = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
    let bodies = [lanes.map(|new| pairs[new.0].pair.a()), lanes.map(|new| pairs[new.0].pair.b())];
    let data = [lanes.map(|new| new.1[0]), lanes.map(|new| new.1[1])];
    let count = eight.len();
    if let Some(of_a) = few(&data[0])
        && let Some(of_b) = few(&data[1])
    {
        dispatch(SingleTests { bodies, data, vertices: [of_a, of_b], count, least, found });
    } else {
        dispatch(EarlyTests { bodies, data, count, least, tested, found });
    }
}

/// Writes the results of one to eight pairs; passes those that remain open, and their lanes, to `open`.
fn finish<'p>(
    eight: &[New<'p>],
    pairs: &mut [BatchEntry<'p, HybridMemory>],
    results: &mut [SearchResult],
    found: &EarlyResults,
    mut open: impl FnMut(New<'p>, usize),
) {
    for (lane, new) in eight.iter().enumerate() {
        if !found.finish(lane, &mut pairs[new.0], &mut results[new.0]) {
            open(*new, lane);
        }
    }
}

/// `None` if one of eight bodies has more than eight vertices.
#[inline]
fn few<'p>(data: &[&'p BatchData; EIGHT]) -> Option<[&'p FewVertices; EIGHT]> {
    let mut few = [data[0].few.as_ref()?; EIGHT];
    for (few, data) in few.iter_mut().zip(data) {
        *few = data.few.as_ref()?;
    }
    Some(few)
}
