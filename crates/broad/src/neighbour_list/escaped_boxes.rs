//! Boxes that left their courses while the list is in use.

use std::mem;

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use crate::course::Course;
use crate::courses::Courses;
use crate::found_pairs::FoundPairs;
use crate::hash_grid::Levels;
use crate::index_set::IndexSet;
use crate::overlap::{Bits, BoxF32, Packed, Probe, WIDTH};
use crate::pair_sorter::PairSorter;
use crate::parallel::{HEAVY, PROBES, fill_per_chunk, gather, retain_in_chunks};
use crate::split_finder::BoxSet as _;
use crate::stats::held;
use crate::{Mobility, PairCollector, PairFinder, Proxies, SearchStep};

/// Boxes that left their courses since the list was made, or are new. Each gets a new fat box. Their pairs in the list
/// no longer count; `candidates` are all pairs of an escaped box whose fat boxes overlap, but for the fixed ones.
#[derive(Debug, Default)]
pub(super) struct EscapedBoxes {
    /// The numbers of escaped boxes by index, or [`NONE`].
    numbers: Vec<u32>,
    /// In order of escape: the index with this number.
    pub(super) indices: IndexSet,
    /// Their new fat boxes, by number.
    places: Vec<Aabb>,
    /// By number, the boxes that were static when the list was made, as they were then; empty for others. Their pairs are
    /// fixed.
    listed: Vec<Aabb>,
    /// Whether a box needs a new fat box, by number.
    is_fresh: Vec<bool>,
    /// The numbers of the boxes that need one, and their boxes a frame before, in order of escape.
    pub(super) fresh: Vec<(u32, Aabb)>,
    /// Pairs of indices, the smaller in the upper half, sorted.
    pub(super) candidates: Vec<u64>,
    order: PairSorter,
    probes: Vec<(u32, Aabb)>,
    /// Reused memory: new fat boxes by index, and new candidates, by chunk.
    found_places: Vec<Vec<(u32, Option<Course>, Aabb)>>,
    others: Vec<Vec<u64>>,
    /// Reused memory for how many candidates are kept, by chunk.
    kept: Vec<usize>,
    packed: Packed,
    levels: Levels,
    found: FoundPairs,
}

const NONE: u32 = u32::MAX;

/// Up to this many comparisons of two escaped boxes, no search structure is built.
const FEW: usize = 1 << 19;

impl EscapedBoxes {
    /// Adds a box that escaped, for the first time or again; `before` is its box a frame before, `fixed` its box in the
    /// list if that was static.
    pub(super) fn note(&mut self, index: u32, before: &Aabb, fixed: Option<&Aabb>) {
        let slot = index as usize;
        if slot >= self.numbers.len() {
            self.numbers.resize(slot + 1, NONE);
        }
        if self.numbers[slot] == NONE {
            self.numbers[slot] = self.indices.as_slice().len() as u32;
            self.indices.insert(index);
            self.places.push(Aabb::EMPTY);
            self.listed.push(fixed.copied().unwrap_or(Aabb::EMPTY));
            self.is_fresh.push(false);
        }
        let number = self.numbers[slot];
        if !self.is_fresh[number as usize] {
            self.is_fresh[number as usize] = true;
            self.fresh.push((number, *before));
        }
    }

    pub(super) fn clear(&mut self) {
        for &index in self.indices.as_slice() {
            self.numbers[index as usize] = NONE;
        }
        self.indices.clear();
        self.places.clear();
        self.listed.clear();
        self.is_fresh.clear();
        self.fresh.clear();
        self.candidates.clear();
    }

    pub(super) fn number(&self, index: u32) -> Option<usize> {
        self.numbers.get(index as usize).filter(|&&number| number != NONE).map(|&n| n as usize)
    }

    /// Gives each box that needs one the fat box and the course `place(index, box before)`, and finds the pairs. False
    /// if `finder` cannot search around boxes. `indices` are those of [`Self::indices`].
    pub(super) fn settle<F: PairFinder>(
        &mut self,
        indices: &[u32],
        place: impl Fn(u32, &Aabb) -> (Option<Course>, Aabb) + Sync,
        (enlarged, courses): (&Proxies, &mut Courses),
        finder: &mut F,
        threads: bool,
    ) -> bool {
        if self.fresh.is_empty() {
            return true;
        }
        let (mut candidates, mut kept) =
            (mem::take(&mut self.candidates), mem::take(&mut self.kept));
        let is_fresh = |index: u32| self.number(index).is_some_and(|at| self.is_fresh[at]);
        let stays = |&key: &u64| !is_fresh((key >> 32) as u32) && !is_fresh(key as u32);
        retain_in_chunks(&mut candidates, HEAVY, threads, &mut kept, stays);
        (self.candidates, self.kept) = (candidates, kept);
        let fresh = &self.fresh;
        fill_per_chunk(fresh.len(), PROBES, threads, &mut self.found_places, |part, found| {
            found.clear();
            found.extend(fresh[part].iter().map(|(number, before)| {
                let index = indices[*number as usize];
                let (course, place) = place(index, before);
                (index, course, place)
            }));
        });
        self.probes.clear();
        let places = self.found_places.iter().flatten();
        for (&(number, _), &(index, course, place)) in fresh.iter().zip(places) {
            self.places[number as usize] = place;
            courses.set(index, course.ok_or(place));
            if !place.is_empty() {
                self.probes.push((index, place));
            }
        }
        let is_found = self.find_others(enlarged, finder, threads);
        if is_found {
            self.find_among(indices, enlarged, courses.origin(), threads);
            let count = self.numbers.len().max(enlarged.boxes().len());
            self.order.sort(&mut self.candidates, count, threads);
            for (number, _) in self.fresh.drain(..) {
                self.is_fresh[number as usize] = false;
            }
        }
        is_found
    }

    /// The pairs of fresh escaped boxes with other boxes.
    fn find_others<F: PairFinder>(
        &mut self,
        enlarged: &Proxies,
        finder: &F,
        threads: bool,
    ) -> bool {
        self.found.clear();
        let mut near = PairCollector::boxes_onto(enlarged, mem::take(&mut self.found));
        let is_found = finder.find_around(&self.probes, &mut near);
        self.found = near.found;
        if !is_found {
            return false;
        }
        let mut others = mem::take(&mut self.others);
        let other = |key: u64| {
            let (a, b) = ((key >> 32) as u32, key as u32);
            let (own, other) = match (self.number(a), self.number(b)) {
                (Some(own), None) => (own, b),
                (None, Some(own)) => (own, a),
                _ => return None,
            };
            let is_fixed = enlarged.mobility(other) == Mobility::Static
                && self.listed[own].overlaps(&enlarged.boxes()[other as usize]);
            (!is_fixed).then_some(key)
        };
        choose(&self.found, threads, &mut others, other);
        gather(others.iter().map(Vec::as_slice), &mut self.candidates, threads);
        self.others = others;
        true
    }

    /// The pairs of fresh escaped boxes with each other and with older ones.
    fn find_among(
        &mut self,
        indices: &[u32],
        enlarged: &Proxies,
        origin: &[f64; 3],
        threads: bool,
    ) {
        let Self { places, listed, is_fresh, fresh, candidates, .. } = self;
        let Self { packed, levels, others, found, .. } = self;
        let key = |a: usize, b: usize| {
            let (first, last) = (indices[a].min(indices[b]), indices[a].max(indices[b]));
            let is_fixed = listed[a].overlaps(&listed[b]);
            (!is_fixed).then_some(u64::from(first) << 32 | u64::from(last))
        };
        if fresh.len() * places.len() <= FEW {
            packed.refill(places.len(), threads, |at| BoxF32::around(&places[at], origin));
            let (fresh, is_fresh, places) = (&*fresh, &*is_fresh, &*packed);
            fill_per_chunk(fresh.len(), PROBES, threads, others, |part, found| {
                found.clear();
                let take = |a, b| found.extend(key(a, b));
                dispatch(Among { fresh: &fresh[part], is_fresh, places, take });
            });
            return gather(others.iter().map(Vec::as_slice), candidates, threads);
        }
        found.clear();
        let mut among = PairCollector::boxes_onto(enlarged, mem::take(found));
        levels.fill_with(places.len(), |number| Some(number as u32), places, threads);
        levels.pairs(SearchStep::WHOLE, threads, &mut among);
        *found = among.found;
        choose(found, threads, others, |pair| {
            let (a, b) = ((pair >> 32) as usize, pair as u32 as usize);
            if is_fresh[a] || is_fresh[b] { key(a, b) } else { None }
        });
        gather(others.iter().map(Vec::as_slice), candidates, threads);
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.numbers)
            + self.indices.bytes()
            + self.order.bytes()
            + held(&self.places)
            + held(&self.listed)
            + held(&self.is_fresh)
            + held(&self.fresh)
            + held(&self.probes)
            + self.found_places.iter().map(held).sum::<usize>()
            + self.others.iter().map(held).sum::<usize>()
            + held(&self.kept)
            + self.packed.bytes()
            + self.levels.bytes()
            + self.found.bytes()
            + held(&self.candidates)
    }
}

/// Replaces `chosen` by what is chosen of the pairs of each list.
fn choose(
    found: &FoundPairs,
    threads: bool,
    chosen: &mut Vec<Vec<u64>>,
    choice: impl Fn(u64) -> Option<u64> + Sync,
) {
    fill_per_chunk(found.count(), 1, threads, chosen, |part, chosen| {
        chosen.clear();
        chosen.extend(part.flat_map(|at| found.list(at)).filter_map(|&key| choice(key)));
    });
}

/// Compares the fat boxes of fresh escaped boxes with those of all escaped boxes, by number, in f32.
struct Among<'a, T> {
    fresh: &'a [(u32, Aabb)],
    is_fresh: &'a [bool],
    places: &'a Packed,
    take: T,
}

impl<T: FnMut(usize, usize)> SimdKernel for Among<'_, T> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { fresh, is_fresh, places, mut take } = self;
        for &(number, _) in fresh {
            let at = number as usize;
            let probe = Probe::<S::F32x8>::new(&places.get(at));
            for first in (0..places.len()).step_by(WIDTH) {
                for lane in Bits(probe.overlap(places, first)) {
                    let other = first + lane;
                    // If both boxes are fresh, the later one finds the pair.
                    if other != at && (other < at || !is_fresh[other]) {
                        take(other, at);
                    }
                }
            }
        }
    }
}
