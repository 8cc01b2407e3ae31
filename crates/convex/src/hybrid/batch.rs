//! [`HybridSearch`] for many pairs, eight at a time.
//!
//! 1. The proofs of the last queries are tested pair by pair.
//! 2. The ellipsoids of eight pairs are tested, then the vertices that are farthest along their directions. Bodies of at
//!    most eight vertices are tested and [searched in single precision](single).
//! 3. [MPR](crate::mpr) searches the pairs that are open, from the differences of the centers, with first portals borrowed
//!    from the ellipsoids. If few of eight are open, they first wait for others, as eight take as long as one. Those of
//!    at most eight vertices are tested again then; of the others it is kept where their searches start.
//! 4. The planes and points that prove the answers are computed in lanes, too; points in both bodies that are too shallow
//!    for single precision are computed pair by pair.
//!
//! Pairs without a proof after that are searched like a single pair.

mod bodies;
mod contact_certificates;
mod early_results;
mod early_tests;
mod ellipsoids;
mod lanes;
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
use early_tests::{Begin, EarlyTests};
use lanes::Lanes;
use open_pairs::{GROUPS, OpenPairs};
use single::SingleTests;

/// Fewer open pairs of eight wait for others to fill the lanes. More do not, as waiting ones are read once more.
const LEAST: u32 = 6;

/// A pair that is new to its memory.
#[derive(Clone, Copy)]
struct New<'p> {
    number: usize,
    data: [&'p BatchData; 2],
}

/// One of bodies with at most eight vertices.
#[derive(Clone, Copy)]
struct Few<'p> {
    new: New<'p>,
    vertices: [&'p FewVertices; 2],
}

/// The most pairs that are searched together, in lists on the stack.
const TOGETHER: usize = 256;

/// Some of the pairs.
type List<P> = ArrayVec<P, TOGETHER>;

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
        let (mut few, mut many) = (List::<Few<'_>>::new(), List::new());
        for (number, BatchEntry { pair, memory }) in pairs.iter_mut().enumerate() {
            if let Some(result) = memory.test_last_proof(pair).result() {
                results[number] = result;
            } else if let Some(a) = &pair.a().polytope().batch_data
                && let Some(b) = &pair.b().polytope().batch_data
            {
                let new = New { number, data: [a, b] };
                match (&a.few, &b.few) {
                    (Some(of_a), Some(of_b)) => few.push(Few { new, vertices: [of_a, of_b] }),
                    _ => many.push(new),
                }
            } else {
                let early = memory.test_ellipsoids(pair).result();
                results[number] = early.unwrap_or_else(|| self.search(pair, memory));
            }
        }
        let mut found = EarlyResults::default();
        let mut waiting = List::new();
        for eight in few.chunks(EIGHT) {
            run_few(eight, LEAST, pairs, &mut found);
            let numbers = eight.iter().map(|few| few.new.number);
            finish(numbers, pairs, results, &found, |lane| waiting.push(eight[lane]));
        }
        for eight in waiting.chunks(EIGHT) {
            run_few(eight, 0, pairs, &mut found);
            finish(eight.iter().map(|few| few.new.number), pairs, results, &found, |_| ());
        }
        let mut open = OpenPairs::default();
        let mut blocks = many.chunks(GROUPS * EIGHT).peekable();
        while let Some(block) = blocks.next() {
            for eight in block.chunks(EIGHT) {
                run_many(eight, Begin::Tests { least: LEAST }, pairs, &mut found);
                finish(eight.iter().map(|new| new.number), pairs, results, &found, |lane| {
                    open.add(eight[lane], &found.starts, lane);
                });
            }
            open.take(blocks.peek().is_none(), |eight| {
                run_many(&eight.pairs, Begin::Search(&eight.starts), pairs, &mut found);
                finish(eight.pairs.iter().map(|new| new.number), pairs, results, &found, |_| ());
            });
        }
    }
}

/// Tests one to eight pairs of bodies with few vertices, and searches those that remain open, if these are as many as
/// `least`.
fn run_few(
    eight: &[Few<'_>],
    least: u32,
    pairs: &[BatchEntry<'_, HybridMemory>],
    found: &mut EarlyResults,
) {
    let lanes = lanes_of(eight);
    let of_lanes = Lanes::of(lanes.map(|few| few.new), pairs, eight.len());
    let vertices = [lanes.map(|few| few.vertices[0]), lanes.map(|few| few.vertices[1])];
    dispatch(SingleTests { of: of_lanes, vertices, least, found });
}

/// Tests one to eight other pairs and searches those that remain open, or only searches them.
fn run_many(
    eight: &[New<'_>],
    begin: Begin<'_>,
    pairs: &[BatchEntry<'_, HybridMemory>],
    found: &mut EarlyResults,
) {
    dispatch(EarlyTests {
        of: Lanes::of(lanes_of(eight).map(|new| *new), pairs, eight.len()),
        begin,
        found,
    });
}

/// Lanes without a pair repeat the last one.
#[inline]
fn lanes_of<P>(eight: &[P]) -> [&P; EIGHT] {
    let lane = |lane: usize| &eight[lane.min(eight.len() - 1)];
    [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)]
}

/// Writes the results of one to eight pairs with these numbers; calls `open` with the lanes of those that remain open.
fn finish(
    numbers: impl Iterator<Item = usize>,
    pairs: &mut [BatchEntry<'_, HybridMemory>],
    results: &mut [SearchResult],
    found: &EarlyResults,
    mut open: impl FnMut(usize),
) {
    for (lane, number) in numbers.enumerate() {
        if !found.finish(lane, &mut pairs[number], &mut results[number]) {
            open(lane);
        }
    }
}
