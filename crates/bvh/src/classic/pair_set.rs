//! The pairs of items that have been handed over.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

/// A set of pairs of numbers. It has no order, so its hash affects no result.
#[derive(Clone, Debug, Default)]
pub(super) struct PairSet(HashSet<u64, BuildHasherDefault<Mix>>);

impl PairSet {
    /// Inserts a pair; false if it was there already.
    #[inline]
    pub(super) fn is_new(&mut self, a: u32, b: u32) -> bool {
        self.0.insert(u64::from(a) << 32 | u64::from(b))
    }
}

/// Multiplies by an odd number and mixes high bits into low ones, which suffices for numbers of triangles.
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
