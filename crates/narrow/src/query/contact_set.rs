//! A set of pairs of faces in contact.

use std::ops::ControlFlow;

use rustc_hash::FxHashSet;
use xcollide_brep::FaceId;

/// Pairs of faces, each once, up to a limit. Reused to save allocations.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactSet {
    /// Sorted before output, so no answer depends on the order of hashes.
    pairs: FxHashSet<(FaceId, FaceId)>,
    limit: usize,
}

impl ContactSet {
    /// Removes all pairs and sets the limit; keeps the memory.
    pub(crate) fn clear(&mut self, limit: usize) {
        self.pairs.clear();
        self.limit = limit;
    }

    /// Adds a pair (face of the first model, face of the second) if the set is not full; breaks if it is full
    /// now.
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

    /// The number of pairs.
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Replaces the content of `contacts` by the pairs in ascending order.
    pub(crate) fn write_to(&self, contacts: &mut Vec<(FaceId, FaceId)>) {
        contacts.clear();
        contacts.extend(&self.pairs);
        contacts.sort_unstable();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_kept_once_in_order_and_up_to_the_limit() {
        let mut set = ContactSet::default();
        set.clear(2);
        assert!(set.insert(7.into(), 3.into()).is_continue());
        assert!(set.insert(7.into(), 3.into()).is_continue(), "known already");
        assert!(set.insert(1.into(), 5.into()).is_break(), "full");
        let mut pairs = Vec::new();
        set.write_to(&mut pairs);
        assert_eq!(pairs, [(1.into(), 5.into()), (7.into(), 3.into())]);
    }
}
