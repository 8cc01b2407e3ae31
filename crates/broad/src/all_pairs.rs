//! Compares every box with every other.

use crate::{PairCollector, PairFinder, PairManager, Proxies, Volume};

/// Compares every box with every other in O(n²). The reference for all other broad phases.
pub type AllPairs = PairManager<AllPairsFinder>;

impl AllPairs {
    /// Compares a tighter volume too.
    #[must_use]
    pub fn on(volume: Volume) -> Self {
        Self::over(AllPairsFinder { volume })
    }
}

/// The algorithm of [`AllPairs`].
#[derive(Clone, Copy, Debug, Default)]
pub struct AllPairsFinder {
    volume: Volume,
}

impl PairFinder for AllPairsFinder {
    fn name(&self) -> &'static str {
        "all-pairs"
    }

    fn find(&mut self, proxies: &Proxies, collector: &mut PairCollector<'_>) {
        let boxes = proxies.boxes().len() as u32;
        for a in (0..boxes).filter(|&a| proxies.is_alive(a)) {
            for b in (a + 1..boxes).filter(|&b| proxies.is_alive(b)) {
                collector.test(a, b);
            }
        }
    }

    fn volume(&self) -> Volume {
        self.volume
    }

    fn bytes(&self) -> usize {
        0
    }
}
