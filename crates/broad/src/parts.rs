//! Spreads work over threads.
//!
//! What is put together comes in the order of the parts, whichever thread did them, so results are the
//! same at any number of threads.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use crate::Sink;

/// How many things are done at a stretch that take some nanoseconds each, such as to compare a pair.
pub(crate) const LIGHT: usize = 4096;

/// The same of those that take some hundred nanoseconds, such as to look around a box.
pub(crate) const HEAVY: usize = 512;

/// Fewer parts are done before another thread has woken up.
#[cfg(feature = "parallel")]
const WORTHWHILE: usize = 4;

/// Does `work` as one of the threads of rayon's current pool, if it has several parts of so many
/// things each: so that a thread from outside need not wait for the pool at each of them.
pub(crate) fn in_pool<T: Send>(len: usize, threads: bool, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if count(len, LIGHT, threads) > 1 && rayon::current_thread_index().is_none() {
        return rayon::scope(|_| work());
    }
    let _ = (len, threads);
    work()
}

/// Does `work` over a range, in parts of so many on several threads where asked to. The parts'
/// findings are put together in their order.
pub(crate) fn in_parts(
    len: usize,
    piece: usize,
    threads: bool,
    sink: &mut Sink<'_>,
    work: impl Fn(Range<usize>, &mut Sink<'_>) + Sync,
) {
    if count(len, piece, threads) == 1 {
        return work(0..len, sink);
    }
    // To ask the system for memory in every frame would cost more than many a part.
    let spare = Mutex::new(std::mem::take(sink.spare()));
    let memory = || spare.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
    let whole = &*sink;
    let parts = map_pieces(len, piece, threads, |part| {
        let mut local = whole.fork_into(memory());
        work(part, &mut local);
        local
    });
    *sink.spare() = spare.into_inner().unwrap_or_else(PoisonError::into_inner);
    for part in parts {
        sink.absorb_all(part);
    }
}

/// How many parts a range is cut into.
fn count(len: usize, piece: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if threads && len >= WORTHWHILE * piece {
        return len.div_ceil(piece);
    }
    let _ = (len, piece, threads);
    1
}

/// What `work` makes of each part of a range of light things, in their order.
pub(crate) fn map_parts<T: Send>(
    len: usize,
    threads: bool,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    map_pieces(len, LIGHT, threads, work)
}

fn map_pieces<T: Send>(
    len: usize,
    piece: usize,
    threads: bool,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if count(len, piece, threads) > 1 {
        use rayon::prelude::*;
        let parts = (0..len.div_ceil(piece)).into_par_iter();
        let part = |part: usize| part * piece..((part + 1) * piece).min(len);
        return parts.map(|number| work(part(number))).collect();
    }
    let _ = (piece, threads);
    vec![work(0..len)]
}

/// Does `work` on each part of a range of light things, each with a place of its own to put what it
/// finds, in their order: `places` has as many then as there are parts.
#[inline(always)]
pub(crate) fn in_places<T: Default + Send>(
    len: usize,
    threads: bool,
    places: &mut Vec<T>,
    work: impl Fn(Range<usize>, &mut T) + Sync,
) {
    let count = count(len, LIGHT, threads);
    places.resize_with(count, T::default);
    #[cfg(feature = "parallel")]
    if count > 1 {
        use rayon::prelude::*;
        let part = |part: usize| part * LIGHT..((part + 1) * LIGHT).min(len);
        let places = places.par_iter_mut().enumerate();
        return places.for_each(|(number, place)| work(part(number), place));
    }
    if let [place] = &mut places[..] {
        work(0..len, place);
    }
}

/// Does `work` on each part of a list of light things; it is told the number of the part's first.
#[inline(always)]
pub(crate) fn each_part<T: Send>(
    items: &mut [T],
    threads: bool,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    #[cfg(feature = "parallel")]
    if count(items.len(), LIGHT, threads) > 1 {
        use rayon::prelude::*;
        let parts = items.par_chunks_mut(LIGHT).enumerate();
        return parts.for_each(|(part, items)| work(part * LIGHT, items));
    }
    let _ = threads;
    work(0, items);
}

/// How many threads should share work on so many things of which each of them looks at all.
pub(crate) fn sharers(len: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if count(len, LIGHT, threads) > 1 {
        // Of more, most of what each looks at would be for others.
        return rayon::current_num_threads().clamp(1, 8);
    }
    let _ = (len, threads);
    1
}

/// Does `work` on each of a few shares at the same time, and returns what it makes of them.
#[inline(always)]
pub(crate) fn share_out<T: Send, U: Send>(
    shares: Vec<T>,
    work: impl Fn(T) -> U + Send + Sync,
) -> Vec<U> {
    #[cfg(feature = "parallel")]
    if shares.len() > 1 {
        use rayon::prelude::*;
        return shares.into_par_iter().map(work).collect();
    }
    shares.into_iter().map(work).collect()
}
