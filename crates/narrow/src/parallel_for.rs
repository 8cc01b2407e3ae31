//! A parallel loop that starts on one thread and calls others only if there is much work.
//!
//! Each thread takes the next piece when it has finished one: dynamic load balancing (Zachmann 1994,
//! 6.3.1). Waking a thread may take longer than the work, so the calling thread first works alone for a while.
//! Without the feature `parallel` the loop runs on the calling thread, with the same result.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Grain;

/// How many threads may help the calling thread with a pair.
#[inline]
pub(crate) fn helpers(grain: Grain) -> usize {
    // Rayon starts its pool only if the query wants helpers.
    #[cfg(feature = "parallel")]
    let others = || rayon::current_num_threads() - 1;
    #[cfg(not(feature = "parallel"))]
    let others = || 0;
    match grain {
        Grain::Coarse => 0,
        Grain::Medium => others().min(1),
        Grain::Fine => others(),
    }
}

/// Counts the steps of the calling thread and calls the helpers after a given number.
pub(crate) struct HelpTrigger<'c> {
    left: Cell<u32>,
    call: &'c dyn Fn(),
}

impl HelpTrigger<'_> {
    /// A trigger without helpers.
    #[cfg(feature = "parallel")]
    pub(crate) fn none() -> Self {
        Self { left: Cell::new(0), call: &|| () }
    }

    /// Counts a step.
    #[inline]
    pub(crate) fn step(&self) {
        let left = self.left.get();
        if left > 0 {
            self.left.set(left - 1);
            if left == 1 {
                (self.call)();
            }
        }
    }
}

/// The results of `piece` for 0, 1, 2, … in this order, computed as by [`share`], which counts each piece as a step.
#[cfg(feature = "classic")]
pub(crate) fn map_in_order<T: Send + Sync>(
    pieces: usize,
    helpers: usize,
    steps: u32,
    piece: impl Fn(usize) -> T + Sync,
) -> Vec<T> {
    use std::sync::OnceLock;
    let results: Vec<OnceLock<T>> = (0..pieces).map(|_| OnceLock::new()).collect();
    share(pieces, helpers, steps, |number, trigger| {
        // Each piece is computed once, so its slot is free.
        let _ = results[number].set(piece(number));
        trigger.step();
    });
    results.into_iter().filter_map(OnceLock::into_inner).collect()
}

/// The answers for some items, in their order, each of which takes about as long as a ray: with the feature `parallel` on the
/// threads of rayon's current pool, which take shares of them, with a memory for each share. The same at any number of threads.
pub(crate) fn answers<I: Sync, M, T: Send>(
    items: &[I],
    memory: impl Fn() -> M + Sync,
    answer: impl Fn(&mut M, &I) -> T + Sync,
) -> Vec<T> {
    #[cfg(feature = "parallel")]
    {
        use rayon::prelude::*;
        /// Items that a thread takes at least, so that waking it pays.
        const SHARE: usize = 128;
        if items.len() >= 2 * SHARE {
            let shares = items.par_iter().with_min_len(SHARE);
            return shares.map_init(&memory, &answer).collect();
        }
    }
    let mut memory = memory();
    items.iter().map(|item| answer(&mut memory, item)).collect()
}

/// Calls `piece` once for each of 0, 1, 2, …, started in this order: on the calling thread for `steps`
/// steps, then also on up to `helpers` free threads of rayon's current pool. Returns the remaining steps.
pub(crate) fn share(
    pieces: usize,
    helpers: usize,
    steps: u32,
    piece: impl Fn(usize, &HelpTrigger<'_>) + Sync,
) -> u32 {
    let next = AtomicUsize::new(0);
    let work = |trigger: &HelpTrigger<'_>| {
        loop {
            // Guards no memory, so no order is needed.
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= pieces {
                break;
            }
            piece(number, trigger);
        }
    };
    let begin = |call: &dyn Fn()| {
        if steps == 0 {
            call();
        }
        let trigger = HelpTrigger { left: Cell::new(steps), call };
        work(&trigger);
        trigger.left.get()
    };
    #[cfg(feature = "parallel")]
    let left = rayon::in_place_scope(|scope| {
        let work = &work;
        begin(&|| {
            for _ in 0..helpers {
                scope.spawn(|_| work(&HelpTrigger::none()));
            }
        })
    });
    #[cfg(not(feature = "parallel"))]
    let left = begin(&|| {
        let _ = helpers;
    });
    left
}

#[cfg(all(test, feature = "parallel"))]
mod tests {
    use std::sync::{Mutex, PoisonError};

    use super::*;

    /// Each piece is done once whoever helps, and nobody is called before the time.
    #[test]
    fn each_piece_is_done_once_and_help_comes_when_called() -> Result<(), Box<dyn std::error::Error>>
    {
        for (threads, helpers, steps) in [(1, 0, 0), (1, 3, 5), (3, 2, 0), (3, 2, 50), (2, 1, 999)]
        {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
            let done: Vec<_> = (0..100).map(|_| AtomicUsize::new(0)).collect();
            let begun = Mutex::new(Vec::new());
            let left = pool.install(|| {
                share(done.len(), helpers, steps, |number, trigger| {
                    begun.lock().unwrap_or_else(PoisonError::into_inner).push(number);
                    trigger.step();
                    done[number].fetch_add(1, Ordering::Relaxed);
                })
            });
            assert!(done.iter().all(|times| times.load(Ordering::Relaxed) == 1));
            assert_eq!(left, steps.saturating_sub(100), "it stays with the first {steps} steps");
            let begun = begun.into_inner()?;
            let alone = (steps as usize).clamp(0, 100);
            assert!(begun[..alone].iter().copied().eq(0..alone), "in order as long as alone");
        }
        share(0, 3, 0, |_, _| panic!("there is nothing to do"));
        Ok(())
    }

    /// A panic of a helper is not lost.
    #[test]
    fn a_panic_is_passed_on() {
        let caught = std::panic::catch_unwind(|| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build();
            let work = || share(8, 1, 0, |number, _| assert!(number < 6, "piece {number}"));
            pool.map_or(0, |pool| pool.install(work))
        });
        assert!(caught.is_err());
    }
}
