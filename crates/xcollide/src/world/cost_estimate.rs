//! Cost estimate of a stage, to decide whether to spread it over threads. The cost per item changes little
//! from check to check, but by a factor of a thousand between worlds (two tetrahedra, or two scanned
//! statues). Each thread measures its share of a stage as a whole.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Measured cost of the items of one stage.
#[derive(Debug)]
pub(super) struct CostEstimate {
    /// Mean nanoseconds per item.
    each: f64,
    /// Sum of the current check over all threads.
    nanos: AtomicU64,
    pieces: AtomicU64,
    /// Items of the last check.
    last: u64,
}

/// Nanoseconds per item before any measurement: high, as the first test prepares models.
const UNKNOWN: f64 = 1e6;

/// Nanoseconds to find that an item needs no work.
const LOOK: f64 = 5.0;

impl Default for CostEstimate {
    fn default() -> Self {
        let (nanos, pieces) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { each: UNKNOWN, nanos, pieces, last: 0 }
    }
}

impl CostEstimate {
    /// Measures `work`, which returns how many items it processed.
    pub(super) fn measure(&self, looked_at: usize, work: impl FnOnce() -> u64) {
        let began = Instant::now();
        let done = work();
        let nanos = began.elapsed().as_nanos() as f64 - LOOK * looked_at as f64;
        // Sums, read after all threads have finished.
        self.nanos.fetch_add(nanos.max(0.0) as u64, Ordering::Relaxed);
        self.pieces.fetch_add(done, Ordering::Relaxed);
    }

    pub(super) fn settle(&mut self) {
        let (nanos, pieces) = (self.nanos.get_mut(), self.pieces.get_mut());
        self.last = std::mem::take(pieces);
        let nanos = std::mem::take(nanos);
        if self.last > 0 {
            self.each = nanos as f64 / self.last as f64;
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// How many items the last check processed.
    pub(super) fn last(&self) -> usize {
        self.last as usize
    }

    /// Estimated time of one thread to look at `looked_at` items and process `to_do` of them.
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
        let mut cost = CostEstimate::default();
        assert!(cost.estimate(1, 1) >= Duration::from_millis(1), "the first is dear");
        let wait = Duration::from_millis(2);
        cost.measure(4, || {
            std::thread::sleep(wait);
            4
        });
        cost.settle();
        assert!(cost.estimate(8, 8) >= 2 * (wait - Duration::from_micros(1)));
        let before = cost.estimate(4, 4);
        cost.settle();
        assert_eq!(cost.estimate(4, 4), before);
        assert!(cost.estimate(4, 1) < before, "of few pieces less");
        cost.measure(1000, || 1000);
        cost.settle();
        assert_eq!(cost.last(), 1000);
        assert!(cost.estimate(4, 4) < before, "cheap ones");
        cost.forget();
        assert!(cost.estimate(1, 1) >= Duration::from_millis(1));
    }
}
