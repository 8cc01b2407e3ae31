//! Spreads work over threads.
//!
//! What is put together comes in the order of the parts, whichever thread did them, so results are the
//! same at any number of threads.

use std::ops::Range;

use crate::Sink;

/// Less than this is done before another thread has woken up.
#[cfg(feature = "parallel")]
const WORTHWHILE: usize = 4096;

/// Does `work` as one of the threads of rayon's current pool, if it has several parts of so many
/// things each: so that a thread from outside need not wait for the pool at each of them.
pub(crate) fn in_pool<T: Send>(len: usize, threads: bool, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if count(len, threads) > 1 && rayon::current_thread_index().is_none() {
        return rayon::scope(|_| work());
    }
    let _ = (len, threads);
    work()
}

/// Does `work` over a range, in parts on several threads where asked to. The parts' findings are
/// put together in their order.
pub(crate) fn in_parts(
    len: usize,
    threads: bool,
    sink: &mut Sink<'_>,
    work: impl Fn(Range<usize>, &mut Sink<'_>) + Sync,
) {
    if count(len, threads) == 1 {
        return work(0..len, sink);
    }
    let whole = &*sink;
    let parts = map_parts(len, threads, |part| {
        let mut local = whole.fork();
        work(part, &mut local);
        local
    });
    for part in parts {
        sink.absorb(part);
    }
}

/// How many parts a range is cut into.
fn count(len: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if threads && len >= 2 * WORTHWHILE {
        return len.div_ceil(WORTHWHILE);
    }
    let _ = (len, threads);
    1
}

/// What `work` makes of each part of a range, in their order.
pub(crate) fn map_parts<T: Send>(
    len: usize,
    threads: bool,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if count(len, threads) > 1 {
        use rayon::prelude::*;
        let parts = (0..len.div_ceil(WORTHWHILE)).into_par_iter();
        let part = |part: usize| part * WORTHWHILE..((part + 1) * WORTHWHILE).min(len);
        return parts.map(|number| work(part(number))).collect();
    }
    let _ = threads;
    vec![work(0..len)]
}

/// Does `work` on each part of a list; it is told the number of the part's first item.
#[inline(always)]
pub(crate) fn each_part<T: Send>(
    items: &mut [T],
    threads: bool,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    #[cfg(feature = "parallel")]
    if count(items.len(), threads) > 1 {
        use rayon::prelude::*;
        let parts = items.par_chunks_mut(WORTHWHILE).enumerate();
        return parts.for_each(|(part, items)| work(part * WORTHWHILE, items));
    }
    let _ = threads;
    work(0, items);
}

/// How many threads should share work on so many things of which each of them looks at all.
pub(crate) fn sharers(len: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if count(len, threads) > 1 {
        // Of more, most of what each looks at would be for others.
        return rayon::current_num_threads().clamp(1, 8);
    }
    let _ = (len, threads);
    1
}

/// Does `work` on each of a few shares at the same time.
#[inline(always)]
pub(crate) fn share_out<T: Send>(mut shares: Vec<T>, work: impl Fn(T) + Send + Sync) {
    #[cfg(feature = "parallel")]
    if shares.len() > 1 {
        use rayon::prelude::*;
        return shares.into_par_iter().for_each(work);
    }
    shares.drain(..).for_each(work);
}
