//! How much work a stage is going to be, as far as it can be told before.
//!
//! What a piece of work takes changes little from check to check, but differs by a factor of a
//! thousand from world to world: a test of two tetrahedra, or of two scanned statues. So the time is
//! taken, once for all that a thread does at a stretch, not for each piece. It decides
//! nothing but whether a stage is spread over threads.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// What pieces of one stage take, from the last check that had any.
#[derive(Debug)]
pub(super) struct Effort {
    /// Nanoseconds for a piece, on average.
    each: f64,
    /// Of the check that goes on, over all threads.
    nanos: AtomicU64,
    pieces: AtomicU64,
    /// Pieces of the last check.
    last: u64,
}

/// Nanoseconds for a piece as long as nothing is known: the first is dear, as all that is to be kept
/// with a model is made with it.
const UNKNOWN: f64 = 1e6;

/// Nanoseconds to find out that there is nothing to be done about a piece.
const LOOK: f64 = 5.0;

impl Default for Effort {
    fn default() -> Self {
        let (nanos, pieces) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { each: UNKNOWN, nanos, pieces, last: 0 }
    }
}

impl Effort {
    /// Takes the time of some pieces: `work` returns how many there were to be done.
    pub(super) fn measure(&self, looked_at: usize, work: impl FnOnce() -> u64) {
        let began = Instant::now();
        let done = work();
        let nanos = began.elapsed().as_nanos() as f64 - LOOK * looked_at as f64;
        // Sums, read when all threads are done: in which order they are made is all the same.
        self.nanos.fetch_add(nanos.max(0.0) as u64, Ordering::Relaxed);
        self.pieces.fetch_add(done, Ordering::Relaxed);
    }

    /// Ends a check.
    pub(super) fn settle(&mut self) {
        let (nanos, pieces) = (self.nanos.get_mut(), self.pieces.get_mut());
        self.last = std::mem::take(pieces);
        let nanos = std::mem::take(nanos);
        if self.last > 0 {
            self.each = nanos as f64 / self.last as f64;
        }
    }

    /// Forgets what is known.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// How many pieces the last check had.
    pub(super) fn last(&self) -> usize {
        self.last as usize
    }

    /// How long it is going to take one thread to look at so many pieces and to do so many of them.
    pub(super) fn estimate(&self, looked_at: usize, to_do: usize) -> Duration {
        let nanos = LOOK * looked_at as f64 + self.each * to_do as f64;
        Duration::from_nanos(nanos as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An estimate follows what pieces took, per piece, and survives checks without any.
    #[test]
    fn work_is_expected_to_take_what_it_took() {
        let mut effort = Effort::default();
        assert!(effort.estimate(1, 1) >= Duration::from_millis(1), "the first is dear");
        let wait = Duration::from_millis(2);
        effort.measure(4, || {
            std::thread::sleep(wait);
            4
        });
        effort.settle();
        assert!(effort.estimate(8, 8) >= 2 * (wait - Duration::from_micros(1)));
        let before = effort.estimate(4, 4);
        effort.settle();
        assert_eq!(effort.estimate(4, 4), before);
        assert!(effort.estimate(4, 1) < before, "of few pieces less");
        effort.measure(1000, || 1000);
        effort.settle();
        assert_eq!(effort.last(), 1000);
        assert!(effort.estimate(4, 4) < before, "cheap ones");
        effort.forget();
        assert!(effort.estimate(1, 1) >= Duration::from_millis(1));
    }
}
