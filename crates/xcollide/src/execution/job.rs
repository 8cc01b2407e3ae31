//! Work that can be split.

use std::time::Duration;

use crate::world::{BoundsJob, PairsJob};

/// Work of one stage: bounding moved objects or testing pairs.
///
/// It must be [finished](Self::finish), whole or [split](Self::split), on any threads, in any
/// order.
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

    /// Number of objects or pairs to look at.
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

    /// Estimated time of one thread, from the cost per item in the last check. Shows whether waking
    /// another thread is worth it.
    #[must_use]
    pub fn work(&self) -> Duration {
        match &self.0 {
            Stage::Bounds(job) => job.work(),
            Stage::Pairs(job) => job.work(),
        }
    }

    /// Two halves, or the whole alone if it is too small.
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
