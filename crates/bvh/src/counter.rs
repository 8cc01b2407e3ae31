//! Counters of traversals: the numbers of the slides' cost model.

use std::ops::ControlFlow;

/// Counts the work of a traversal, and may end it. `()` counts nothing, at no cost.
pub trait Counter {
    /// Pairs of volumes were tested.
    fn volumes(&mut self, tests: u64);
    /// Pairs of primitives were handed over.
    fn primitives(&mut self, tests: u64);
    /// Volumes of the second tree were moved into the frame of the first.
    #[inline(always)]
    fn moved(&mut self, _volumes: u64) {}
    /// Called for every opened pair of nodes; a break ends the traversal, for instance at a deadline (Daneu
    /// 3.4.1).
    #[inline(always)]
    fn go_on(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// A traversal ends early and leaves this number of pairs of nodes unopened; `first` finds a primitive of each tree below the one
    /// that would have been opened next. Called several times by recursive traversals, which know it the first time.
    #[inline(always)]
    fn left(&mut self, _pairs: usize, _first: impl FnOnce() -> Option<(u32, u32)>) {}
}

/// The cost of traversals as in `T = N_V C_V + N_P C_P` (slides, "Relationship Between Kind of BV and
/// Running Time"). Adds up over traversals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Counts {
    /// `N_V`: tests of two volumes.
    pub volumes: u64,
    /// `N_P`: tests of two primitives.
    pub primitives: u64,
    /// Volumes of the second tree that were moved into the frame of the first, a part of `C_V`.
    pub moved: u64,
}

impl Counter for () {
    #[inline(always)]
    fn volumes(&mut self, _: u64) {}
    #[inline(always)]
    fn primitives(&mut self, _: u64) {}
}

impl Counter for Counts {
    #[inline(always)]
    fn volumes(&mut self, tests: u64) {
        self.volumes += tests;
    }
    #[inline(always)]
    fn primitives(&mut self, tests: u64) {
        self.primitives += tests;
    }
    #[inline(always)]
    fn moved(&mut self, volumes: u64) {
        self.moved += volumes;
    }
}

impl<C: Counter> Counter for &mut C {
    #[inline(always)]
    fn volumes(&mut self, tests: u64) {
        (**self).volumes(tests);
    }
    #[inline(always)]
    fn primitives(&mut self, tests: u64) {
        (**self).primitives(tests);
    }
    #[inline(always)]
    fn moved(&mut self, volumes: u64) {
        (**self).moved(volumes);
    }
    #[inline(always)]
    fn go_on(&mut self) -> ControlFlow<()> {
        (**self).go_on()
    }
    #[inline(always)]
    fn left(&mut self, pairs: usize, first: impl FnOnce() -> Option<(u32, u32)>) {
        (**self).left(pairs, first);
    }
}
