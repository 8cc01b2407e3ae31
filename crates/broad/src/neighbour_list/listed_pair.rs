//! A pair of a list.

use std::cmp::Ordering;

use crate::course::Window;
use crate::pair_sorter::Paired;

/// A pair of boxes that may overlap, and in which frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ListedPair {
    /// The smaller index first.
    pub(super) indices: [u32; 2],
    pub(super) window: Window,
}

const _: () = assert!(size_of::<ListedPair>() == 12);

impl Ord for ListedPair {
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key()).then_with(|| self.window.cmp(&other.window))
    }
}

impl PartialOrd for ListedPair {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Paired for ListedPair {
    #[inline(always)]
    fn first(&self) -> u32 {
        self.indices[0]
    }
}

impl ListedPair {
    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        u64::from(self.indices[0]) << 32 | u64::from(self.indices[1])
    }

    #[inline(always)]
    pub(super) fn is_certain(&self, time: u8) -> bool {
        let [first, last] = self.window.certain;
        first <= time && time <= last
    }

    #[inline(always)]
    pub(super) fn is_over(&self, time: u8) -> bool {
        self.window.possible[1] < time
    }
}
