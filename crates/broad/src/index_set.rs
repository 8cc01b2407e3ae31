//! A set of box indices.

use crate::stats::held;

/// Indices in insertion order, each once; a "moved-object buffer" in Zachmann 1994, 7.0.2.
#[derive(Debug, Default)]
pub(crate) struct IndexSet {
    list: Vec<u32>,
    is_listed: Vec<bool>,
}

impl IndexSet {
    #[inline]
    pub(crate) fn insert(&mut self, index: u32) {
        let slot = index as usize;
        if self.is_listed.len() <= slot {
            self.is_listed.resize(slot + 1, false);
        }
        if !std::mem::replace(&mut self.is_listed[slot], true) {
            self.list.push(index);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, index: u32) -> bool {
        self.is_listed.get(index as usize).is_some_and(|&listed| listed)
    }

    pub(crate) fn as_slice(&self) -> &[u32] {
        &self.list
    }

    pub(crate) fn clear(&mut self) {
        for index in self.list.drain(..) {
            self.is_listed[index as usize] = false;
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.list) + held(&self.is_listed)
    }
}
