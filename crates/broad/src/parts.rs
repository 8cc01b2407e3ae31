//! Spreads a search over threads.

use std::ops::Range;

use crate::Sink;

/// Does `work` over a range, in parts on several threads where asked to. The parts' findings are
/// put together in their order.
#[cfg(feature = "parallel")]
pub(crate) fn in_parts(
    len: usize,
    threads: bool,
    sink: &mut Sink<'_>,
    work: impl Fn(Range<usize>, &mut Sink<'_>) + Sync,
) {
    use rayon::prelude::*;

    /// Less than this is done before another thread has woken up.
    const WORTHWHILE: usize = 4096;
    if !threads || len < 2 * WORTHWHILE {
        return work(0..len, sink);
    }
    let parts: Vec<Sink<'_>> = (0..len.div_ceil(WORTHWHILE))
        .into_par_iter()
        .map(|part| {
            let mut local = sink.fork();
            work(part * WORTHWHILE..((part + 1) * WORTHWHILE).min(len), &mut local);
            local
        })
        .collect();
    for part in parts {
        sink.absorb(part);
    }
}

/// Does `work` over a range.
#[cfg(not(feature = "parallel"))]
pub(crate) fn in_parts(
    len: usize,
    _: bool,
    sink: &mut Sink<'_>,
    work: impl Fn(Range<usize>, &mut Sink<'_>),
) {
    work(0..len, sink);
}
