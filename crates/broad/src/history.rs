//! What has changed since the last call.

use crate::{Pair, Pairs, Proxies, ProxyId};

/// The pairs of the last call, and what became of their boxes since.
#[derive(Debug, Default)]
pub(crate) struct History {
    keys: Vec<u64>,
    /// Generations at the last call, by index; of others the entry means nothing.
    generations: Vec<u32>,
    /// Indices that changed hands since.
    reborn: Vec<bool>,
    /// Those of them, in no order.
    changed: Vec<u32>,
}

impl History {
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

    /// Writes the answer from ordered keys, and remembers them. The memory of the old keys is left
    /// in `keys`.
    pub(crate) fn publish(&mut self, proxies: &Proxies, keys: &mut Vec<u64>, out: &mut Pairs) {
        let Pairs { overlapping, appeared, vanished } = out;
        overlapping.clear();
        appeared.clear();
        vanished.clear();
        overlapping.reserve(keys.len());
        let pair = |key: u64| Pair { a: proxies.id((key >> 32) as u32), b: proxies.id(key as u32) };
        let mut old = self.keys.iter().copied().peekable();
        for &key in keys.iter() {
            let now = pair(key);
            overlapping.push(now);
            while let Some(gone) = old.next_if(|&old| old < key) {
                vanished.push(self.former(gone));
            }
            let Some(_) = old.next_if_eq(&key) else {
                appeared.push(now);
                continue;
            };
            if self.is_reborn(key) {
                vanished.push(self.former(key));
                appeared.push(now);
            }
        }
        vanished.extend(old.map(|gone| self.former(gone)));
        for index in self.changed.drain(..) {
            self.reborn[index as usize] = false;
            if proxies.is_alive(index) {
                self.generations[index as usize] = proxies.id(index).generation();
            }
        }
        std::mem::swap(&mut self.keys, keys);
        // A crowd that has dissolved gives its memory back.
        if self.keys.capacity() > 4 * self.keys.len() + 1024 {
            self.keys.shrink_to(2 * self.keys.len());
        }
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
