//! The pairs that a search has found.

use crate::parallel::{for_shares, gather};
use crate::stats::{held, shrink};

/// Pairs of indices, the smaller in the upper half, in lists one after another, as each thread writes its own; and the
/// number of candidates.
#[derive(Debug, Default)]
pub(crate) struct FoundPairs {
    /// The lists before the last one.
    earlier: Vec<Vec<u64>>,
    /// The last list, to which pairs are added. On one thread there is no other.
    pub(crate) keys: Vec<u64>,
    pub(crate) tests: u64,
    /// Reused memory.
    spare: Vec<Vec<u64>>,
}

impl From<Vec<u64>> for FoundPairs {
    fn from(keys: Vec<u64>) -> Self {
        Self { keys, ..Self::default() }
    }
}

impl FoundPairs {
    /// Forgets all pairs.
    pub(crate) fn clear(&mut self) {
        self.keys.clear();
        self.spare.append(&mut self.earlier);
        self.tests = 0;
    }

    /// Releases memory after a crowd has dissolved. `lists`: the most that are of use.
    pub(crate) fn shrink(&mut self, lists: usize) {
        self.spare.truncate(lists.saturating_sub(self.earlier.len()));
        self.spare.iter_mut().chain([&mut self.keys]).for_each(shrink);
    }

    pub(crate) fn len(&self) -> usize {
        self.earlier.iter().map(Vec::len).sum::<usize>() + self.keys.len()
    }

    /// All pairs, in order; no list is empty.
    pub(crate) fn lists(&self) -> impl Iterator<Item = &[u64]> + Clone {
        (0..self.count()).map(|number| self.list(number)).filter(|list| !list.is_empty())
    }

    /// The list with this number; the last one is [`keys`](Self::keys).
    pub(crate) fn list(&self, number: usize) -> &[u64] {
        self.earlier.get(number).unwrap_or(&self.keys)
    }

    /// How many lists there are.
    pub(crate) fn count(&self) -> usize {
        self.earlier.len() + 1
    }

    /// Whether all pairs are in [`keys`](Self::keys).
    pub(crate) fn is_one_list(&self) -> bool {
        self.earlier.is_empty()
    }

    /// All pairs, in one list.
    pub(crate) fn into_keys(self, threads: bool) -> Vec<u64> {
        if self.is_one_list() {
            return self.keys;
        }
        let mut all = Vec::new();
        gather(self.lists(), &mut all, threads);
        all
    }

    /// Moves pairs to another list, in order.
    pub(crate) fn set_apart(
        &mut self,
        is_other: impl Fn(u64) -> bool + Send + Sync,
        others: &mut Vec<u64>,
        threads: bool,
    ) {
        let lists = self.earlier.iter_mut().chain([&mut self.keys]);
        let mut lists: Vec<_> = lists.map(|list| (list, Vec::new())).collect();
        for_shares(&mut lists, |(list, others)| {
            list.retain(|&key| {
                let is_other = is_other(key);
                if is_other {
                    others.push(key);
                }
                !is_other
            });
        });
        let lists: Vec<_> = lists.into_iter().map(|(_, others)| others).collect();
        gather(lists.iter().map(Vec::as_slice), others, threads);
    }

    /// Drops all pairs but the first ones, which were all in their time.
    pub(crate) fn truncate(&mut self, len: usize) {
        let mut before = self.len() - self.keys.len();
        while before > len
            && let Some(list) = self.earlier.pop()
        {
            before -= list.len();
            self.spare.push(std::mem::replace(&mut self.keys, list));
        }
        self.keys.truncate(len - before);
    }

    /// Memory for lists.
    pub(crate) fn take_spare(&mut self) -> Vec<Vec<u64>> {
        std::mem::take(&mut self.spare)
    }

    /// Adds lists, and memory that was not needed for them.
    pub(crate) fn append(&mut self, lists: impl Iterator<Item = Vec<u64>>, spare: Vec<Vec<u64>>) {
        self.spare = spare;
        if !self.keys.is_empty() {
            let keys = self.spare.pop().unwrap_or_default();
            self.earlier.push(std::mem::replace(&mut self.keys, keys));
            self.keys.clear();
        }
        self.earlier.extend(lists);
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists = self.earlier.iter().chain(&self.spare).chain([&self.keys]);
        lists.map(held).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::FoundPairs;

    #[test]
    fn lists_follow_each_other_and_are_cut() {
        let all: Vec<u64> = (0..9).collect();
        for len in 2..=9 {
            let mut found = FoundPairs::default();
            for _ in 0..2 {
                found.clear();
                found.keys.extend([0, 1]);
                let spare = found.take_spare();
                found.append([vec![2, 3], vec![], vec![4]].into_iter(), spare);
                found.keys.extend([5, 6]);
                let spare = found.take_spare();
                found.append([vec![7]].into_iter(), spare);
                found.keys.push(8);
                assert!(found.len() == 9 && found.lists().flatten().eq(&all));
            }
            found.truncate(len);
            assert!(found.len() == len && found.lists().flatten().eq(&all[..len]), "{len}");
        }
        let mut found = FoundPairs::default();
        found.keys.push(7);
        assert!(found.is_one_list());
        found.truncate(0);
        assert!(found.len() == 0 && found.count() == 1 && found.list(0).is_empty());
    }
}
