//! Work that can be split.

use std::time::Duration;

use crate::world::{BoundsJob, PairsJob};

/// Work of one stage: bounding the objects that have moved, or testing pairs.
///
/// Has to be [finished](Self::finish), in one piece or [split](Self::split) into several, on any
/// threads, in any order.
#[must_use = "the work is still to be done"]
pub struct Job<'a>(Stage<'a>);

enum Stage<'a> {
    Bounds(BoundsJob<'a>),
    Pairs(PairsJob<'a>),
}

impl<'a> Job<'a> {
    pub(crate) fn of_bounds(job: BoundsJob<'a>) -> Self {
        Self(Stage::Bounds(job))
    }

    pub(crate) fn of_pairs(job: PairsJob<'a>) -> Self {
        Self(Stage::Pairs(job))
    }

    /// How many objects or pairs there are to be looked at.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Stage::Bounds(job) => job.len(),
            Stage::Pairs(job) => job.len(),
        }
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How long it is going to take one thread, about: by what pieces of this kind took in the last
    /// check. For modes to see whether it is worth while to wake another thread up.
    #[must_use]
    pub fn work(&self) -> Duration {
        match &self.0 {
            Stage::Bounds(job) => job.work(),
            Stage::Pairs(job) => job.work(),
        }
    }

    /// Two halves; the whole, and nothing else, where it is not worth it.
    pub fn split(self) -> (Self, Option<Self>) {
        match self.0 {
            Stage::Bounds(job) => {
                let (first, second) = job.split();
                (Self::of_bounds(first), second.map(Self::of_bounds))
            }
            Stage::Pairs(job) => {
                let (first, second) = job.split();
                (Self::of_pairs(first), second.map(Self::of_pairs))
            }
        }
    }

    /// Does the work.
    pub fn finish(self) {
        match self.0 {
            Stage::Bounds(job) => job.finish(),
            Stage::Pairs(job) => job.finish(),
        }
    }
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stage = match self.0 {
            Stage::Bounds(_) => "bounds",
            Stage::Pairs(_) => "pairs",
        };
        f.debug_struct("Job").field("stage", &stage).field("len", &self.len()).finish()
    }
}
