//! Which pairs of items have been handed over.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of pairs of numbers. Only asked what is in it, never for an order, so what it is made
/// of shows in no answer.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSet(HashSet<u64, BuildHasherDefault<Mix>>);

impl PairSet {
    /// Whether a pair was not there yet; it is now.
    #[inline]
    pub(super) fn is_new(&mut self, a: u32, b: u32) -> bool {
        self.0.insert(u64::from(a) << 32 | u64::from(b))
    }
}

/// Multiplies by an odd number and mixes high into low: numbers of triangles are dense and harmless,
/// so a hash against adversaries would be wasted.
#[derive(Clone, Copy, Debug, Default)]
struct Mix(u64);

impl Hasher for Mix {
    #[inline]
    fn write_u64(&mut self, value: u64) {
        let product = value.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = product ^ product >> 32;
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(self.0 << 8 ^ u64::from(byte));
        }
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
