//! The pairs of the last call.

use std::ops::Range;

use crate::parallel::{for_each_chunk, map_chunks};
use crate::{Pair, Pairs, Proxies, ProxyId};

/// The pairs of the last call, and which of their boxes were removed or inserted since.
#[derive(Debug, Default)]
pub(crate) struct PairHistory {
    keys: Vec<u64>,
    /// Generations at the last call, by index; meaningless for indices without a box then.
    generations: Vec<u32>,
    /// Indices that changed hands since.
    reborn: Vec<bool>,
    /// Those of them, in no order.
    changed: Vec<u32>,
}

impl PairHistory {
    /// To be called when a box is inserted or removed.
    pub(crate) fn changes_hands(&mut self, index: u32) {
        let slot = index as usize;
        if slot >= self.reborn.len() {
            self.reborn.resize(slot + 1, false);
            self.generations.resize(slot + 1, 0);
        }
        if !self.reborn[slot] {
            self.reborn[slot] = true;
            self.changed.push(index);
        }
    }

    /// Writes the answer from sorted keys, and keeps them. `keys` gets the old memory.
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
        overlapping.resize(keys.len(), Pair { a: none, b: none });
        for_each_chunk(overlapping, threads, |first, pairs| {
            let places = pairs.iter_mut().zip(&keys[first..]);
            if proxies.are_first() {
                let id = |index: u32| ProxyId::new(index, 0);
                places.for_each(|(place, &key)| {
                    *place = Pair { a: id((key >> 32) as u32), b: id(key as u32) };
                });
            } else {
                places.for_each(|(place, &key)| *place = proxies.pair(key));
            }
        });
        if threads {
            for part in map_chunks(keys.len(), threads, |part| {
                let (mut appeared, mut vanished) = (Vec::new(), Vec::new());
                self.compare(proxies, keys, part, [&mut appeared, &mut vanished]);
                (appeared, vanished)
            }) {
                appeared.extend_from_slice(&part.0);
                vanished.extend_from_slice(&part.1);
            }
        } else {
            self.compare(proxies, keys, 0..keys.len(), [appeared, vanished]);
        }
        for index in self.changed.drain(..) {
            self.reborn[index as usize] = false;
            if proxies.is_alive(index) {
                self.generations[index as usize] = proxies.id(index).generation();
            }
        }
        std::mem::swap(&mut self.keys, keys);
        // Release memory after a crowd has dissolved.
        if self.keys.capacity() > 4 * self.keys.len() + 1024 {
            self.keys.shrink_to(2 * self.keys.len());
        }
    }

    /// Adds the pairs that appeared and vanished between the first key of this part and that of the
    /// next.
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
        let settled = self.changed.is_empty();
        loop {
            if settled {
                // Most pairs are old ones.
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
        self.reborn[(key >> 32) as usize] || self.reborn[key as u32 as usize]
    }

    fn former(&self, key: u64) -> Pair {
        let id = |index: u32| ProxyId::new(index, self.generations[index as usize]);
        Pair { a: id((key >> 32) as u32), b: id(key as u32) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.keys.capacity() * size_of::<u64>()
            + (self.generations.capacity() + self.changed.capacity()) * size_of::<u32>()
            + self.reborn.capacity()
    }
}

/// How many keys two lists have in common from the first on.
#[inline]
fn common_start(one: &[u64], other: &[u64]) -> usize {
    const STRIDE: usize = 8;
    let blocks = one.as_chunks::<STRIDE>().0.iter().zip(other.as_chunks::<STRIDE>().0);
    // Without a branch for each, so that compilers compare several at once.
    let is_same = |(a, b): &(&[u64; STRIDE], &[u64; STRIDE])| {
        a.iter().zip(*b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
    };
    let start = STRIDE * blocks.take_while(is_same).count();
    let rest = one[start..].iter().zip(&other[start..]);
    start + rest.take_while(|(a, b)| a == b).count()
}
