//! Splits loops into chunks for several threads. Results are combined in the order of the chunks, so they are
//! the same with any number of threads.
//!
//! Each chunk is a task of its own (`with_max_len`). Otherwise rayon would run a quarter of the chunks on end on two threads,
//! and one thread would wait for the other at the end.

use std::mem::take;
use std::ops::Range;

/// Chunk size for work of some nanoseconds an item, such as comparing a pair.
pub(crate) const LIGHT: usize = 4096;

/// Chunk size for work of some hundred nanoseconds an item, such as searching around a box.
pub(crate) const HEAVY: usize = 512;

/// Chunk size for work of about a microsecond an item, such as searching around boxes that are not sorted by place: each
/// waits for memory.
pub(crate) const PROBES: usize = 64;

/// With fewer chunks, waking another thread takes longer than the work.
#[cfg(feature = "parallel")]
const WORTHWHILE: usize = 4;

/// Runs `work` on a thread of rayon's current pool if there are several chunks, so that a thread outside the
/// pool waits only once.
pub(crate) fn in_pool<T: Send>(len: usize, threads: bool, work: impl FnOnce() -> T + Send) -> T {
    #[cfg(feature = "parallel")]
    if chunk_count(len, LIGHT, threads) > 1 && rayon::current_thread_index().is_none() {
        return rayon::scope(|_| work());
    }
    let _ = (len, threads);
    work()
}

/// Runs both, at once if wanted.
pub(crate) fn join<A: Send, B: Send>(
    at_once: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    #[cfg(feature = "parallel")]
    if at_once {
        return rayon::join(one, other);
    }
    let _ = at_once;
    (one(), other())
}

/// Into how many chunks a loop is split.
pub(crate) fn chunk_count(len: usize, piece: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if threads && len >= WORTHWHILE * piece {
        return len.div_ceil(piece);
    }
    let _ = (len, piece, threads);
    1
}

/// How long the chunks of a loop are.
pub(crate) fn chunk_size(len: usize, piece: usize, threads: bool) -> usize {
    if chunk_count(len, piece, threads) > 1 { piece } else { len.max(1) }
}

/// The results of `work` for each chunk of a range, in order.
pub(crate) fn map_chunks<T: Send>(
    len: usize,
    piece: usize,
    threads: bool,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    if chunk_count(len, piece, threads) > 1 {
        use rayon::prelude::*;
        let parts = (0..len.div_ceil(piece)).into_par_iter().with_max_len(1);
        let part = |part: usize| part * piece..((part + 1) * piece).min(len);
        return parts.map(|number| work(part(number))).collect();
    }
    let _ = (piece, threads);
    vec![work(0..len)]
}

/// Runs `work` on each chunk of a range, with one output in `places` for each.
#[inline(always)]
pub(crate) fn fill_per_chunk<T: Default + Send>(
    len: usize,
    piece: usize,
    threads: bool,
    places: &mut Vec<T>,
    work: impl Fn(Range<usize>, &mut T) + Sync,
) {
    let count = chunk_count(len, piece, threads);
    places.resize_with(count, T::default);
    #[cfg(feature = "parallel")]
    if count > 1 {
        use rayon::prelude::*;
        let part = |part: usize| part * piece..((part + 1) * piece).min(len);
        let places = places.par_iter_mut().enumerate().with_max_len(1);
        return places.for_each(|(number, place)| work(part(number), place));
    }
    if let [place] = &mut places[..] {
        work(0..len, place);
    }
}

/// Runs `work` on each light chunk of a slice, with the index of its first item.
#[inline(always)]
pub(crate) fn for_chunks_mut<T: Send>(
    items: &mut [T],
    threads: bool,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    // A list of outputs without a size takes no memory.
    fill_per_chunk_mut(items, LIGHT, threads, &mut Vec::new(), |first, items, (): &mut ()| {
        work(first, items);
    });
}

/// Runs `work` on each light chunk of two slices of the same length, with the index of its first items.
#[inline(always)]
pub(crate) fn for_both_chunks_mut<T: Send, U: Send>(
    items: &mut [T],
    others: &mut [U],
    threads: bool,
    work: impl Fn(usize, &mut [T], &mut [U]) + Sync,
) {
    let size = chunk_size(items.len(), LIGHT, threads);
    if size >= items.len() {
        return work(0, items, others);
    }
    let mut parts: Vec<_> = others.chunks_mut(size).collect();
    fill_per_chunk_mut(items, LIGHT, threads, &mut parts, |first, items, others| {
        work(first, items, others);
    });
}

/// Runs `work` on each chunk of a slice, with the index of its first item and one output in `places`.
#[inline(always)]
pub(crate) fn fill_per_chunk_mut<T: Send, U: Default + Send>(
    items: &mut [T],
    piece: usize,
    threads: bool,
    places: &mut Vec<U>,
    work: impl Fn(usize, &mut [T], &mut U) + Sync,
) {
    let count = chunk_count(items.len(), piece, threads);
    places.resize_with(count, U::default);
    #[cfg(feature = "parallel")]
    if count > 1 {
        use rayon::prelude::*;
        let parts = items.par_chunks_mut(piece).zip(places.par_iter_mut()).enumerate();
        return parts
            .with_max_len(1)
            .for_each(|(part, (items, place))| work(part * piece, items, place));
    }
    if let [place] = &mut places[..] {
        work(0, items, place);
    }
}

/// Moves the items of each chunk that are kept to its beginning; `kept` receives their number by chunk.
#[inline(always)]
pub(crate) fn keep_per_chunk<T: Copy + Send>(
    items: &mut [T],
    piece: usize,
    threads: bool,
    kept: &mut Vec<usize>,
    is_kept: impl Fn(&T) -> bool + Sync,
) {
    fill_per_chunk_mut(items, piece, threads, kept, |_, items, kept| {
        let mut end = 0;
        // Without a branch, which would be unpredictable.
        for at in 0..items.len() {
            let item = items[at];
            items[end] = item;
            end += usize::from(is_kept(&item));
        }
        *kept = end;
    });
}

/// As [`retain`](Vec::retain), in chunks; `kept` is reused memory.
#[inline(always)]
pub(crate) fn retain_in_chunks<T: Copy + Send>(
    items: &mut Vec<T>,
    piece: usize,
    threads: bool,
    kept: &mut Vec<usize>,
    is_kept: impl Fn(&T) -> bool + Sync,
) {
    let piece = chunk_size(items.len(), piece, threads);
    keep_per_chunk(items, piece, threads, kept, is_kept);
    let mut end = 0;
    for (part, &kept) in kept.iter().enumerate() {
        let first = part * piece;
        items.copy_within(first..first + kept, end);
        end += kept;
    }
    items.truncate(end);
}

/// As [`resize`](Vec::resize), on several threads if there are many new items: the system provides each page of new memory
/// when it is first written to, which takes longer than writing it.
#[inline]
pub(crate) fn resize<T: Copy + Send + Sync>(
    items: &mut Vec<T>,
    len: usize,
    value: T,
    threads: bool,
) {
    #[cfg(feature = "parallel")]
    if let Some(more) = len.checked_sub(items.len())
        && chunk_count(more, LIGHT, threads) > 1
    {
        use rayon::prelude::*;
        return items.par_extend(rayon::iter::repeat_n(value, more));
    }
    let _ = threads;
    items.resize(len, value);
}

/// Appends the items of some lists, on several threads if there are many.
pub(crate) fn gather<'a, T: Copy + Send + Sync + 'a>(
    lists: impl Iterator<Item = &'a [T]> + Clone,
    all: &mut Vec<T>,
    threads: bool,
) {
    let (before, len) = (all.len(), lists.clone().map(<[T]>::len).sum());
    let first = lists.clone().find_map(<[T]>::first);
    if let Some(&first) = first.filter(|_| chunk_count(len, LIGHT, threads) > 1) {
        resize(all, before + len, first, threads);
        let mut rest = &mut all[before..];
        let mut places: Vec<_> = lists
            .map(|list| {
                let place;
                (place, rest) = take(&mut rest).split_at_mut(list.len());
                (list, place)
            })
            .collect();
        return for_shares(&mut places, |(list, place)| place.copy_from_slice(list));
    }
    all.reserve(len);
    lists.for_each(|list| all.extend_from_slice(list));
}

/// The most threads for work in which each thread reads all items: with more, most items that a thread reads
/// would belong to others.
pub(crate) const MOST_SHARES: usize = 8;

/// The number of threads for such work on `len` items, `piece` as for chunks.
pub(crate) fn share_count(len: usize, piece: usize, threads: bool) -> usize {
    #[cfg(feature = "parallel")]
    if chunk_count(len, piece, threads) > 1 {
        return rayon::current_num_threads().clamp(1, MOST_SHARES);
    }
    let _ = (len, piece, threads);
    1
}

/// Runs `work` on each of a few shares, concurrently.
#[inline(always)]
pub(crate) fn for_shares<T: Send>(shares: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
    #[cfg(feature = "parallel")]
    if shares.len() > 1 {
        use rayon::prelude::*;
        return shares.par_iter_mut().for_each(work);
    }
    shares.iter_mut().for_each(work);
}
