//! Exponential backoff for attempts that pay only sometimes.

/// Pauses for longer and longer while attempts fail: with `PACE` 1 for 0, 1, 3 and then 7 times, with 2 for 0,
/// 3, 15 and then 63 times.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Backoff<const PACE: u32> {
    wasted: u32,
    pause: u32,
}

impl<const PACE: u32> Backoff<PACE> {
    /// Whether to try this time.
    pub(super) fn is_due(&mut self) -> bool {
        let due = self.pause == 0;
        self.pause = self.pause.saturating_sub(1);
        due
    }

    /// The attempt paid.
    pub(super) fn paid(&mut self) {
        *self = Self::default();
    }

    /// The attempt did not pay.
    pub(super) fn in_vain(&mut self) {
        self.pause = (1 << (PACE * self.wasted)) - 1;
        self.wasted = (self.wasted + 1).min(3);
    }

    /// The attempt cannot pay for some time: a pause four times the longest.
    pub(super) fn hopeless(&mut self) {
        self.wasted = 3;
        self.pause = (4 << (PACE * self.wasted)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pauses<const PACE: u32>(patience: &mut Backoff<PACE>) -> [u32; 6] {
        [0; 6].map(|_| {
            patience.in_vain();
            (0..).find(|_| patience.is_due()).unwrap_or(0)
        })
    }

    #[test]
    fn pauses_grow_until_something_pays() {
        assert_eq!(pauses(&mut Backoff::<1>::default()), [0, 1, 3, 7, 7, 7]);
        let mut patience = Backoff::<2>::default();
        assert_eq!(pauses(&mut patience), [0, 3, 15, 63, 63, 63]);
        patience.paid();
        assert!(patience.is_due());
        assert_eq!(pauses(&mut patience)[..2], [0, 3]);
        patience.hopeless();
        assert_eq!((0..).find(|_| patience.is_due()), Some(255));
        assert_eq!(pauses(&mut patience)[..2], [63, 63]);
    }
}
