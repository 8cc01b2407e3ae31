//! The pairs of the last call.

use std::ops::Range;

use crate::index_set::IndexSet;
use crate::parallel::{LIGHT, chunk_count, fill_per_chunk_mut, gather, resize};
use crate::stats::{held, shrink};
use crate::{Pair, Pairs, Proxies, ProxyId};

/// The pairs of the last call, and which of their boxes were removed or inserted since.
#[derive(Debug, Default)]
pub(crate) struct PairHistory {
    keys: Vec<u64>,
    /// Generations at the last call, by index; meaningless if there was no box.
    generations: Vec<u32>,
    /// Indices whose box has been inserted or removed since.
    changed: IndexSet,
    /// Reused memory for what appeared and vanished, by chunk.
    parts: Vec<[Vec<Pair>; 2]>,
}

impl PairHistory {
    /// Records that a box was inserted or removed.
    pub(crate) fn note(&mut self, index: u32) {
        if index as usize >= self.generations.len() {
            self.generations.resize(index as usize + 1, 0);
        }
        self.changed.insert(index);
    }

    /// Writes the answer from sorted keys, and swaps them with the stored keys.
    pub(crate) fn publish(
        &mut self,
        proxies: &Proxies,
        keys: &mut Vec<u64>,
        out: &mut Pairs,
        threads: bool,
    ) {
        let Pairs { overlapping, appeared, vanished } = out;
        appeared.clear();
        vanished.clear();
        let none = ProxyId::new(0, 0);
        resize(overlapping, keys.len(), Pair { a: none, b: none }, threads);
        if chunk_count(keys.len(), LIGHT, threads) == 1 {
            self.write(proxies, keys, (0, overlapping), [appeared, vanished]);
        } else {
            let mut parts = std::mem::take(&mut self.parts);
            let places = &mut *overlapping;
            fill_per_chunk_mut(places, LIGHT, threads, &mut parts, |first, pairs, [new, gone]| {
                new.clear();
                gone.clear();
                self.write(proxies, keys, (first, pairs), [new, gone]);
            });
            for (number, all) in [appeared, vanished].into_iter().enumerate() {
                gather(parts.iter().map(|part| &part[number][..]), all, threads);
            }
            parts.iter_mut().flatten().for_each(shrink);
            self.parts = parts;
        }
        for &index in self.changed.as_slice() {
            if proxies.is_alive(index) {
                self.generations[index as usize] = proxies.id(index).generation();
            }
        }
        self.changed.clear();
        std::mem::swap(&mut self.keys, keys);
        shrink(&mut self.keys);
    }

    /// Writes the pairs of the keys from `first` on, and adds those that appeared and vanished.
    fn write(
        &self,
        proxies: &Proxies,
        keys: &[u64],
        (first, pairs): (usize, &mut [Pair]),
        changes: [&mut Vec<Pair>; 2],
    ) {
        let range = first..first + pairs.len();
        let places = pairs.iter_mut().zip(&keys[range.clone()]);
        if proxies.are_first() {
            let id = |index: u32| ProxyId::new(index, 0);
            places.for_each(|(place, &key)| {
                *place = Pair { a: id((key >> 32) as u32), b: id(key as u32) };
            });
        } else {
            places.for_each(|(place, &key)| *place = proxies.pair(key));
        }
        self.compare(proxies, keys, range, changes);
    }

    /// Adds the pairs that appeared and vanished from the first key of this part up to that of the next part.
    fn compare(
        &self,
        proxies: &Proxies,
        keys: &[u64],
        part: Range<usize>,
        [appeared, vanished]: [&mut Vec<Pair>; 2],
    ) {
        let before = |first: u64| self.keys.partition_point(|&key| key < first);
        let start = if part.start == 0 { 0 } else { before(keys[part.start]) };
        let end = if part.end == keys.len() { self.keys.len() } else { before(keys[part.end]) };
        let mut old = &self.keys[start..end];
        let mut new = &keys[part];
        let settled = self.changed.as_slice().is_empty();
        loop {
            if settled {
                // Most pairs are unchanged.
                let same = common_start(new, old);
                (new, old) = (&new[same..], &old[same..]);
            }
            let Some((&key, others)) = new.split_first() else { break };
            new = others;
            while let Some((&gone, rest)) = old.split_first().filter(|&(&gone, _)| gone < key) {
                vanished.push(self.former(gone));
                old = rest;
            }
            if old.first() != Some(&key) {
                appeared.push(proxies.pair(key));
                continue;
            }
            old = &old[1..];
            if self.is_reborn(key) {
                vanished.push(self.former(key));
                appeared.push(proxies.pair(key));
            }
        }
        vanished.extend(old.iter().map(|&gone| self.former(gone)));
    }

    fn is_reborn(&self, key: u64) -> bool {
        self.changed.contains((key >> 32) as u32) || self.changed.contains(key as u32)
    }

    fn former(&self, key: u64) -> Pair {
        let id = |index: u32| ProxyId::new(index, self.generations[index as usize]);
        Pair { a: id((key >> 32) as u32), b: id(key as u32) }
    }

    pub(crate) fn bytes(&self) -> usize {
        let parts = self.parts.iter().flatten().map(held);
        held(&self.keys) + held(&self.generations) + self.changed.bytes() + parts.sum::<usize>()
    }
}

/// The length of the common prefix of two lists.
#[inline]
fn common_start(one: &[u64], other: &[u64]) -> usize {
    const STRIDE: usize = 8;
    let blocks = one.as_chunks::<STRIDE>().0.iter().zip(other.as_chunks::<STRIDE>().0);
    // Has no branch for each key, so that compilers use vector instructions.
    let is_same = |(a, b): &(&[u64; STRIDE], &[u64; STRIDE])| {
        a.iter().zip(*b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    };
    let start = STRIDE * blocks.take_while(is_same).count();
    let rest = one[start..].iter().zip(&other[start..]);
    start + rest.take_while(|(a, b)| a == b).count()
}
