//! The objects that changed since the last check.

/// Indices of objects, each once, in the order of the changes.
#[derive(Debug)]
pub(super) struct ChangeList {
    indices: Vec<u32>,
    /// Whether they ascend, as when all objects are moved in turn: then nothing is sorted.
    ascends: bool,
}

impl Default for ChangeList {
    fn default() -> Self {
        Self { indices: Vec::new(), ascends: true }
    }
}

impl ChangeList {
    #[inline]
    pub(super) fn push(&mut self, index: u32) {
        self.ascends &= self.indices.last().is_none_or(|&last| last < index);
        self.indices.push(index);
    }

    /// Takes back the last one.
    pub(super) fn pop(&mut self) {
        self.indices.pop();
    }

    /// Adds ascending indices. What is left in their list is of no use but as memory.
    pub(super) fn append(&mut self, ascending: &mut Vec<u32>) {
        if self.indices.is_empty() {
            std::mem::swap(&mut self.indices, ascending);
            self.ascends = true;
        } else if let Some(first) = ascending.first() {
            self.ascends &= self.indices.last().is_none_or(|last| last < first);
            self.indices.extend_from_slice(ascending);
        }
    }

    pub(super) fn as_slice(&self) -> &[u32] {
        &self.indices
    }

    /// Passes on all of them, ascending, and is empty.
    pub(super) fn pass_on(&mut self, front: &mut Vec<u32>) {
        front.clear();
        std::mem::swap(front, &mut self.indices);
        if !std::mem::replace(&mut self.ascends, true) {
            front.sort_unstable();
        }
        debug_assert!(front.is_sorted(), "an index twice, or a list appended that does not ascend");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_passed_on_ascends() {
        let (mut changes, mut front) = (ChangeList::default(), Vec::new());
        for (pushed, appended, expected) in [
            (&[1, 4][..], &[][..], &[1, 4][..]),
            (&[4, 1], &[], &[1, 4]),
            (&[2], &[3, 7], &[2, 3, 7]),
            (&[], &[3, 7], &[3, 7]),
            (&[5], &[3, 7], &[3, 5, 7]),
            (&[], &[], &[]),
        ] {
            pushed.iter().for_each(|&index| changes.push(index));
            changes.append(&mut appended.to_vec());
            changes.pass_on(&mut front);
            assert_eq!(front, expected);
            assert!(changes.as_slice().is_empty());
        }
    }
}
