//! What is read of a pair before its state.

use std::sync::atomic::{AtomicU8, Ordering};

/// Flags of a pair, stored apart from its state, so that collecting skips unchanged pairs.
///
/// Threads collect different pairs, and share the table of all marks; hence the atomic. Each mark has one writer
/// at a time, so relaxed order is enough.
#[derive(Debug, Default)]
pub(super) struct Mark(AtomicU8);

impl Mark {
    /// The pair is a candidate in this check.
    pub(super) const ACTIVE: u8 = 1;
    /// There is nothing to report: the pair is apart and was before.
    pub(super) const QUIET: u8 = 2;
    /// This check tested it.
    pub(super) const TESTED: u8 = 4;
    /// It was last reported as colliding.
    pub(super) const COLLIDING: u8 = 8;

    pub(super) fn new(flags: u8) -> Self {
        Self(AtomicU8::new(flags))
    }

    /// Whether it has all of these flags.
    #[inline]
    pub(super) fn has(&self, flags: u8) -> bool {
        self.0.load(Ordering::Relaxed) & flags == flags
    }

    /// Sets or clears flags; whether it had all of them.
    #[inline]
    pub(super) fn set(&self, flags: u8, yes: bool) -> bool {
        let before = self.0.load(Ordering::Relaxed);
        self.0.store(if yes { before | flags } else { before & !flags }, Ordering::Relaxed);
        before & flags == flags
    }
}
