//! Batches: many answers on several threads, the same at any number of them.

use std::num::NonZero;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;

use crate::errors;

/// Items a thread takes at a time, at most; also the pairs of a call of the narrow phase.
pub(crate) const TOGETHER: usize = 256;

/// How many items there are, and how many threads work on them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    items: usize,
    threads: usize,
    /// Items a thread takes at a time.
    together: usize,
}

impl Batch {
    /// `None`: a thread for each processor.
    ///
    /// # Errors
    /// No thread.
    pub(crate) fn new(items: usize, threads: Option<usize>) -> PyResult<Self> {
        Self::of(items, threads, TOGETHER)
    }

    /// The same where each item takes a fraction of a millisecond or more.
    ///
    /// # Errors
    /// No thread.
    pub(crate) fn of_long_items(items: usize, threads: Option<usize>) -> PyResult<Self> {
        Self::of(items, threads, 4)
    }

    fn of(items: usize, threads: Option<usize>, together: usize) -> PyResult<Self> {
        let threads = match threads {
            Some(0) => {
                let text = "threads is 0, expected a number from 1 on, or None for all processors";
                return Err(errors::value(text.to_owned()));
            }
            Some(threads) => threads,
            None => thread::available_parallelism().map_or(1, NonZero::get),
        };
        Ok(Self { items, threads: threads.min(items.div_ceil(together)).max(1), together })
    }

    /// An answer for each item.
    ///
    /// # Errors
    /// The first item, by number, for which there is none.
    pub(crate) fn run<S, T: Send + Clone, E: Send>(
        self,
        nothing: T,
        start: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, usize) -> Result<T, E> + Sync,
    ) -> Result<Vec<T>, (usize, E)> {
        self.run_together(nothing, start, |state, range, answers| {
            for (item, place) in range.zip(answers) {
                *place = answer(state, item).map_err(|error| (item, error))?;
            }
            Ok(())
        })
    }

    /// As [`run`](Self::run), for up to [`TOGETHER`] items at a time.
    ///
    /// Threads are started for each call: pools of threads do not survive a fork, which Python's `multiprocessing`
    /// may do at any time.
    pub(crate) fn run_together<S, T: Send + Clone, E: Send>(
        self,
        nothing: T,
        start: impl Fn() -> S + Sync,
        answer: impl Fn(&mut S, Range<usize>, &mut [T]) -> Result<(), (usize, E)> + Sync,
    ) -> Result<Vec<T>, (usize, E)> {
        let mut answers = vec![nothing; self.items];
        let pieces = Mutex::new(answers.chunks_mut(self.together).enumerate());
        let first_error = Mutex::new(None::<(usize, E)>);
        let work = || {
            let mut state = start();
            loop {
                let next = pieces.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((number, piece)) = next else { return };
                let begin = number * self.together;
                if let Err(error) = answer(&mut state, begin..begin + piece.len(), piece) {
                    let mut first = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|known| error.0 < known.0) {
                        *first = Some(error);
                    }
                    // Pieces are taken in order: those before this one are done or being worked on.
                    return;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.threads {
                // Without another thread, this one does it all.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        match first_error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(answers),
        }
    }
}
