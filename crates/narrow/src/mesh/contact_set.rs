//! The pairs of faces in contact, as algorithms find them.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use xcollide_brep::FaceId;

/// Pairs of faces, each once and in order, up to a limit.
pub(super) struct ContactSet {
    pairs: BTreeSet<(FaceId, FaceId)>,
    limit: usize,
}

impl ContactSet {
    pub(super) fn new(limit: usize) -> Self {
        Self { pairs: BTreeSet::new(), limit }
    }

    /// Adds a pair (face of the first model, face of the second); breaks once the set is full.
    /// With a limit of 0 it is full after the first contact, which is not kept.
    pub(super) fn insert(&mut self, a: FaceId, b: FaceId) -> ControlFlow<()> {
        if self.pairs.len() < self.limit {
            self.pairs.insert((a, b));
        }
        if self.pairs.len() < self.limit {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    pub(super) fn write_to(self, contacts: &mut Vec<(FaceId, FaceId)>) {
        contacts.clear();
        contacts.extend(self.pairs);
    }
}
