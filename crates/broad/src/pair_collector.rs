//! Filters and collects candidate pairs.

use xcollide_bounds::Aabb;
use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch};

use crate::found_pairs::FoundPairs;
use crate::overlap::overlaps;
use crate::parallel::{HEAVY, LIGHT};
use crate::parallel_search::find_in_chunks;
use crate::{Interest, Proxies, Volume};

/// Receives candidate pairs from a [`PairFinder`](crate::PairFinder), and keeps those that overlap and are wanted.
///
/// Only implementations of [`find`](crate::PairFinder::find) use it. What an algorithm knows of a pair decides the
/// method:
///
/// | known | method |
/// |---|---|
/// | nothing | [`test`](Self::test) |
/// | nothing, and it has both boxes at hand | [`test_boxes`](Self::test_boxes) |
/// | the axis-aligned boxes overlap | [`accept_boxes`](Self::accept_boxes), and [`count`](Self::count) for its own tests |
/// | the volumes that decide overlap | [`accept`](Self::accept), and `count` |
///
/// No pair may be passed twice. [`PairFinder`](crate::PairFinder) has an example.
pub struct PairCollector<'a> {
    proxies: &'a Proxies,
    /// `None` if every pair is wanted.
    interest: Option<&'a dyn Interest>,
    volume: Volume,
    pub(crate) found: FoundPairs,
}

impl<'a> PairCollector<'a> {
    /// A collector over `proxies` that reuses `found`.
    pub(crate) fn new(
        proxies: &'a Proxies,
        interest: &'a dyn Interest,
        volume: Volume,
        found: FoundPairs,
    ) -> Self {
        let interest = (!interest.is_everything()).then_some(interest);
        Self { proxies, interest, volume, found }
    }

    /// A collector of every pair of overlapping boxes that appends to `found`.
    pub(crate) fn boxes_onto(proxies: &'a Proxies, found: FoundPairs) -> Self {
        Self { proxies, interest: None, volume: Volume::Aabb, found }
    }

    /// An empty collector for the same query, reusing `keys`.
    pub(crate) fn fork_into(&self, mut keys: Vec<u64>) -> Self {
        keys.clear();
        Self { found: keys.into(), ..*self }
    }

    /// Adds a pair if its boxes overlap and it is wanted. `a` and `b` differ.
    #[inline]
    pub fn test(&mut self, a: u32, b: u32) {
        self.found.tests += 1;
        if self.proxies.overlap(a, b) {
            self.accept_boxes(a, b);
        }
    }

    /// As [`test`](Self::test), for many pairs, each a number with the smaller index in the upper half.
    /// Preserves their order.
    pub(crate) fn test_listed(&mut self, pairs: &[u64], threads: bool) {
        // Each pair waits for the memory of two boxes.
        find_in_chunks(0..pairs.len(), HEAVY, threads, self, |part, collector| {
            let pairs = &pairs[part];
            if collector.accepts_all() {
                collector.found.tests += pairs.len() as u64;
                let boxes = collector.proxies.boxes();
                return dispatch(Overlapping { pairs, boxes, keys: &mut collector.found.keys });
            }
            for key in pairs {
                collector.test((key >> 32) as u32, *key as u32);
            }
        });
    }

    /// Where to add the pairs that overlap, if axis-aligned boxes alone decide.
    pub(crate) fn accepted(&mut self) -> Option<&mut Vec<u64>> {
        self.accepts_all().then_some(&mut self.found.keys)
    }

    /// Whether pairs are decided by the axis-aligned boxes alone.
    fn accepts_all(&self) -> bool {
        self.interest.is_none() && self.volume == Volume::Aabb
    }

    /// As [`accept_boxes`](Self::accept_boxes), for many pairs. Preserves their order.
    pub(crate) fn accept_listed(&mut self, pairs: &[u64], threads: bool) {
        find_in_chunks(0..pairs.len(), LIGHT, threads, self, |part, collector| {
            if collector.accepts_all() {
                return collector.found.keys.extend_from_slice(&pairs[part]);
            }
            for key in &pairs[part] {
                collector.accept_boxes((key >> 32) as u32, *key as u32);
            }
        });
    }

    /// As [`test`](Self::test), for two given boxes; neither is empty.
    #[inline(always)]
    pub fn test_boxes(&mut self, (a, box_a): (u32, &Aabb), (b, box_b): (u32, &Aabb)) {
        self.found.tests += 1;
        let overlap = (0..3)
            .all(|axis| box_a.min[axis] <= box_b.max[axis] && box_b.min[axis] <= box_a.max[axis]);
        if overlap {
            self.accept_boxes(a, b);
        }
    }

    /// Adds a pair whose axis-aligned boxes overlap, if its tighter volumes do and it is wanted.
    #[inline]
    pub fn accept_boxes(&mut self, a: u32, b: u32) {
        let (a, b) = (a.min(b), a.max(b));
        if self.volume == Volume::Aabb || self.proxies.tighter_overlap(a, b, self.volume) {
            self.accept(a, b);
        }
    }

    /// Adds a pair that overlaps, if it is wanted. `a` is smaller than `b`.
    #[inline]
    pub fn accept(&mut self, a: u32, b: u32) {
        debug_assert!(a < b, "{a} and {b} come in the wrong order");
        let wanted = self
            .interest
            .is_none_or(|interest| interest.wants(self.proxies.id(a), self.proxies.id(b)));
        if wanted {
            self.found.keys.push(u64::from(a) << 32 | u64::from(b));
        }
    }

    /// Adds to the number of candidates, for algorithms that compare boxes themselves.
    #[inline]
    pub fn count(&mut self, tests: u64) {
        self.found.tests += tests;
    }
}

/// Adds to `keys` those pairs whose boxes overlap.
struct Overlapping<'a> {
    pairs: &'a [u64],
    boxes: &'a [Aabb],
    keys: &'a mut Vec<u64>,
}

impl SimdKernel for Overlapping<'_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    /// Writes every pair and overwrites the last one if it did not overlap: an unpredictable branch would cost
    /// more than all comparisons.
    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { pairs, boxes, keys } = self;
        let before = keys.len();
        keys.resize(before + pairs.len(), 0);
        let places = &mut keys[before..];
        let mut end = 0;
        for &key in pairs {
            let (a, b) = (&boxes[(key >> 32) as usize], &boxes[key as u32 as usize]);
            places[end] = key;
            end += usize::from(overlaps::<S::F64x4>(a, b));
        }
        keys.truncate(before + end);
    }
}
