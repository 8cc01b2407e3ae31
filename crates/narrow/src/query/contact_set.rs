//! The pairs of faces in contact, as algorithms find them.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;

use xcollide_brep::FaceId;

/// Pairs of faces, each once, up to a limit. Memory is used again from one use to the next.
#[derive(Clone, Debug)]
pub(crate) struct ContactSet {
    /// Only ever asked whether it has a pair, and sorted before it is shown: the order of the
    /// hashes is in no answer.
    pairs: HashSet<(FaceId, FaceId), BuildHasherDefault<PairHasher>>,
    limit: usize,
}

impl Default for ContactSet {
    /// An empty set without limit.
    fn default() -> Self {
        Self::new(usize::MAX)
    }
}

impl ContactSet {
    /// An empty set.
    pub(crate) fn new(limit: usize) -> Self {
        Self { pairs: HashSet::default(), limit }
    }

    /// Forgets all pairs, but keeps the memory.
    pub(crate) fn clear(&mut self, limit: usize) {
        self.pairs.clear();
        self.limit = limit;
    }

    /// Adds a pair (face of the first model, face of the second); breaks once the set is full.
    /// With a limit of 0 it is full after the first contact, which is not kept.
    pub(crate) fn insert(&mut self, a: FaceId, b: FaceId) -> ControlFlow<()> {
        if self.pairs.len() < self.limit {
            self.pairs.insert((a, b));
        }
        if self.pairs.len() < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    /// How many pairs there are.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Replaces what is in `contacts` by the pairs in ascending order.
    pub(crate) fn write_to(&self, contacts: &mut Vec<(FaceId, FaceId)>) {
        contacts.clear();
        contacts.extend(&self.pairs);
        contacts.sort_unstable();
    }
}

/// Mixes two numbers of 32 bits; nobody attacks these with chosen ones, so one product each will
/// do.
#[derive(Default)]
struct PairHasher(u64);

impl Hasher for PairHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        // 2⁶⁴ divided by the golden ratio.
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 32;
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_kept_once_in_order_and_up_to_the_limit() {
        let mut set = ContactSet::new(2);
        assert!(set.insert(7.into(), 3.into()).is_continue());
        assert!(set.insert(7.into(), 3.into()).is_continue(), "known already");
        assert!(set.insert(1.into(), 5.into()).is_break(), "full");
        let mut pairs = Vec::new();
        set.write_to(&mut pairs);
        assert_eq!(pairs, [(1.into(), 5.into()), (7.into(), 3.into())]);
    }
}
