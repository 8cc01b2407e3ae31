//! Splits searches into chunks for several threads, each with a collector of its own. The pairs are in the order of the
//! chunks, so they are the same with any number of threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::PairCollector;
use crate::parallel::{chunk_count, map_chunks};

/// Runs `work` over a range in chunks of `piece`, on several threads if wanted.
pub(crate) fn find_in_chunks(
    range: Range<usize>,
    piece: usize,
    threads: bool,
    collector: &mut PairCollector<'_>,
    work: impl Fn(Range<usize>, &mut PairCollector<'_>) + Sync,
) {
    let (first, len) = (range.start, range.len());
    if chunk_count(len, piece, threads) == 1 {
        return work(range, collector);
    }
    // Reuses memory: allocation in every frame would cost more than some chunks.
    let spare = Mutex::new(collector.found.take_spare());
    let memory = || spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    let whole = &*collector;
    let parts = map_chunks(len, piece, threads, |part| {
        let mut local = whole.fork_into(memory());
        work(first + part.start..first + part.end, &mut local);
        local
    });
    let spare = spare.into_inner().unwrap_or_else(PoisonError::into_inner);
    collector.found.tests += parts.iter().map(|part| part.found.tests).sum::<u64>();
    collector.found.append(parts.into_iter().map(|part| part.found.keys), spare);
}

/// As [`find_in_chunks`], with scratch memory: `work` gets one of `scratch`, to which another is added if threads need it.
#[cfg(feature = "classic")]
pub(crate) fn find_with_scratch<S: Default + Send>(
    range: Range<usize>,
    piece: usize,
    threads: bool,
    scratch: &mut Vec<S>,
    collector: &mut PairCollector<'_>,
    work: impl Fn(Range<usize>, &mut S, &mut PairCollector<'_>) + Sync,
) {
    let spare = Mutex::new(std::mem::take(scratch));
    let all = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    find_in_chunks(range, piece, threads, collector, |range, collector| {
        let mut own = all().pop().unwrap_or_default();
        work(range, &mut own, collector);
        all().push(own);
    });
    *scratch = spare.into_inner().unwrap_or_else(PoisonError::into_inner);
}
