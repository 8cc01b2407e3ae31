//! Boxes that the list does not know the pairs of.

use xcollide_bounds::Aabb;

use crate::hash_grid::Levels;
use crate::{PairFinder, Proxies, Sink};

/// Boxes that have left their enlarged ones since the list was made, or are new.
///
/// The list has all pairs whose enlarged boxes overlap; what strays may touch beside those is found
/// here, from where they are: each with the enlarged boxes, and all with each other.
#[derive(Debug, Default)]
pub(super) struct Strays {
    /// By index.
    flags: Vec<bool>,
    indices: Vec<u32>,
    probes: Vec<(u32, Aabb)>,
    levels: Levels,
    keys: Vec<u64>,
    pairs: Vec<(u32, u32)>,
}

impl Strays {
    /// Adds a box, once.
    pub(super) fn note(&mut self, index: u32) {
        let slot = index as usize;
        if slot >= self.flags.len() {
            self.flags.resize(slot + 1, false);
        }
        if !self.flags[slot] {
            self.flags[slot] = true;
            self.indices.push(index);
        }
    }

    pub(super) fn clear(&mut self) {
        for index in self.indices.drain(..) {
            self.flags[index as usize] = false;
        }
        self.pairs.clear();
    }

    /// Whether a box is one.
    pub(super) fn has(&self, index: u32) -> bool {
        self.flags.get(index as usize) == Some(&true)
    }

    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// Finds the overlapping pairs with a stray that are not on the list, `enlarged` being what
    /// the list was made of by `finder`. False where there are strays and that has no means.
    pub(super) fn find<F: PairFinder>(
        &mut self,
        proxies: &Proxies,
        enlarged: &Proxies,
        finder: &F,
        threads: bool,
    ) -> bool {
        let Self { flags, indices, probes, levels, keys, pairs } = self;
        pairs.clear();
        if indices.is_empty() {
            return true;
        }
        let boxes = proxies.boxes();
        probes.clear();
        let placed = indices.iter().map(|&index| (index, boxes[index as usize]));
        probes.extend(placed.filter(|(_, aabb)| !aabb.is_empty()));
        let len = enlarged.boxes().len() as u32;
        let is_listed = |a: u32, b: u32| a < len && b < len && enlarged.overlap(a, b);
        let is_stray = |index: u32| flags.get(index as usize) == Some(&true);

        let mut near = Sink::boxes_into(enlarged, std::mem::take(keys));
        if !finder.find_around(probes, &mut near) {
            *keys = near.into_found().keys;
            return false;
        }
        let with_others = near
            .pairs()
            .filter(|&(a, b)| !(is_stray(a) && is_stray(b) || is_listed(a, b)))
            .filter(|&(a, b)| proxies.overlap(a, b));
        pairs.extend(with_others);

        let mut among = Sink::boxes_into(proxies, near.into_found().keys);
        levels.fill(probes.len(), |number| Some(probes[number].0), boxes, threads);
        levels.pairs(threads, &mut among);
        pairs.extend(among.pairs().filter(|&(a, b)| !is_listed(a, b)));
        *keys = among.into_found().keys;
        true
    }

    /// What [`find`](Self::find) has found.
    pub(super) fn pairs(&self) -> &[(u32, u32)] {
        &self.pairs
    }

    pub(super) fn bytes(&self) -> usize {
        self.flags.capacity()
            + self.indices.capacity() * size_of::<u32>()
            + self.probes.capacity() * size_of::<(u32, Aabb)>()
            + self.levels.bytes()
            + self.keys.capacity() * size_of::<u64>()
            + self.pairs.capacity() * size_of::<(u32, u32)>()
    }
}
