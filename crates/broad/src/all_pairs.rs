//! Every box against every other: the referee.

use crate::{PairFinder, Proxies, Sink, Tracked, Volume};

/// Compares every box with every other. O(n²); what all others are judged by.
///
/// ```
/// use xcollide_broad::{AllPairs, Volume};
///
/// let by_boxes = AllPairs::new();
/// let by_oriented_boxes = AllPairs::on(Volume::Oriented);
/// # let _ = (by_boxes, by_oriented_boxes);
/// ```
pub type AllPairs = Tracked<EveryPair>;

impl AllPairs {
    /// The referee for axis-aligned boxes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The referee for a tighter volume.
    #[must_use]
    pub fn on(volume: Volume) -> Self {
        Self::over(EveryPair { volume })
    }
}

/// The algorithm of [`AllPairs`].
#[derive(Clone, Copy, Debug, Default)]
pub struct EveryPair {
    volume: Volume,
}

impl PairFinder for EveryPair {
    fn name(&self) -> &'static str {
        "all-pairs"
    }

    fn find(&mut self, proxies: &Proxies, sink: &mut Sink<'_>) {
        let boxes = proxies.boxes().len() as u32;
        for a in (0..boxes).filter(|&a| proxies.is_alive(a)) {
            for b in (a + 1..boxes).filter(|&b| proxies.is_alive(b)) {
                sink.offer(a, b);
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
