//! The pairs of a list in the making.

use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch, prefetch};

use super::listed_pair::ListedPair;
use crate::courses::Courses;
use crate::found_pairs::FoundPairs;
use crate::parallel::fill_per_chunk_mut;
use crate::stats::{held, shrink};

/// The pairs of a list in the making, in lists one after another.
#[derive(Debug, Default)]
pub(super) struct NewPairs {
    lists: Vec<Vec<ListedPair>>,
    /// Reused memory.
    spare: Vec<Vec<ListedPair>>,
}

impl NewPairs {
    #[cfg(test)]
    pub(super) fn of(lists: Vec<Vec<ListedPair>>) -> Self {
        Self { lists, spare: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.spare.append(&mut self.lists);
    }

    /// Adds those of the pairs that may overlap within `frames` from the beginning of the courses.
    pub(super) fn add(
        &mut self,
        found: &FoundPairs,
        courses: &Courses,
        frames: [u8; 2],
        threads: bool,
    ) {
        let Self { lists, spare } = self;
        let before = lists.len();
        lists.extend((0..found.count()).map(|_| spare.pop().unwrap_or_default()));
        let lists = &mut lists[before..];
        fill_per_chunk_mut(lists, 1, threads, &mut Vec::new(), |first, lists, (): &mut ()| {
            for (number, pairs) in (first..).zip(lists) {
                pairs.clear();
                dispatch(Windows { keys: found.list(number), courses, frames, pairs });
            }
        });
    }

    pub(super) fn lists(&self) -> &[Vec<ListedPair>] {
        &self.lists
    }

    pub(super) fn len(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// Releases memory of lists in excess of those in use.
    pub(super) fn shrink(&mut self) {
        self.lists.iter_mut().for_each(shrink);
        self.spare.truncate(self.lists.len());
    }

    pub(super) fn bytes(&self) -> usize {
        self.lists.iter().chain(&self.spare).map(held).sum()
    }
}

/// Appends the pairs that may overlap within some frames.
struct Windows<'a> {
    keys: &'a [u64],
    courses: &'a Courses,
    frames: [u8; 2],
    pairs: &'a mut Vec<ListedPair>,
}

impl SimdKernel for Windows<'_> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        /// The number of pairs whose tests take about as long as a load from the last cache.
        const AHEAD: usize = 8;
        let Self { keys, courses, frames, pairs } = self;
        let before = pairs.len();
        pairs.resize(before + keys.len(), ListedPair::default());
        let (places, mut end) = (&mut pairs[before..], 0);
        let indices = |key: u64| [(key >> 32) as u32, key as u32];
        for (at, &key) in keys.iter().enumerate() {
            if let Some(&later) = keys.get(at + AHEAD) {
                indices(later).iter().for_each(|&index| prefetch(courses.get_any(index)));
            }
            let indices = indices(key);
            let [a, b] = indices.map(|index| courses.get_any(index));
            let (may, window) = a.window::<S::F32x8>(b, frames);
            places[end] = ListedPair { indices, window };
            end += usize::from(may);
        }
        pairs.truncate(before + end);
    }
}
