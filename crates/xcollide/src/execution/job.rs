//! Work that can be split.

use std::time::Duration;

use crate::world::{BoundsJob, PairsJob, PosesJob, ReportsJob, RowsJob};

/// The work of one stage: moving objects, bounding moved objects, listing pairs, testing pairs, collecting results or
/// [reporting](crate::World::set_parallel_callback) them. It
/// must be [finished](Self::finish), whole or [split](Self::split), on any threads, in any order.
#[must_use = "a job must be finished"]
pub struct Job<'a>(Stage<'a>);

enum Stage<'a> {
    Poses(PosesJob<'a>),
    Bounds(BoundsJob<'a>),
    Pairs(PairsJob<'a>),
    Rows(RowsJob<'a>),
    Reports(ReportsJob<'a>),
}

/// The result of an expression for any stage.
macro_rules! with_stage {
    ($stage:expr, $job:ident => $result:expr) => {
        match $stage {
            Stage::Poses($job) => $result,
            Stage::Bounds($job) => $result,
            Stage::Pairs($job) => $result,
            Stage::Rows($job) => $result,
            Stage::Reports($job) => $result,
        }
    };
}

impl<'a> Job<'a> {
    pub(crate) fn of_poses(job: PosesJob<'a>) -> Self {
        Self(Stage::Poses(job))
    }

    pub(crate) fn of_bounds(job: BoundsJob<'a>) -> Self {
        Self(Stage::Bounds(job))
    }

    pub(crate) fn of_pairs(job: PairsJob<'a>) -> Self {
        Self(Stage::Pairs(job))
    }

    pub(crate) fn of_rows(job: RowsJob<'a>) -> Self {
        Self(Stage::Rows(job))
    }

    pub(crate) fn of_reports(job: ReportsJob<'a>) -> Self {
        Self(Stage::Reports(job))
    }

    /// Number of objects or pairs to visit.
    #[must_use]
    pub fn len(&self) -> usize {
        with_stage!(&self.0, job => job.len())
    }

    /// Whether there is nothing to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Estimated time of one thread, from the cost per item in the last check, to decide whether to wake
    /// other threads.
    #[must_use]
    pub fn work(&self) -> Duration {
        with_stage!(&self.0, job => job.work())
    }

    /// Two halves, or the whole if it is too small.
    pub fn split(self) -> (Self, Option<Self>) {
        match self.0 {
            Stage::Poses(job) => {
                let (first, second) = job.split();
                (Self::of_poses(first), second.map(Self::of_poses))
            }
            Stage::Bounds(job) => {
                let (first, second) = job.split();
                (Self::of_bounds(first), second.map(Self::of_bounds))
            }
            Stage::Pairs(job) => {
                let (first, second) = job.split();
                (Self::of_pairs(first), second.map(Self::of_pairs))
            }
            Stage::Rows(job) => {
                let (first, second) = job.split();
                (Self::of_rows(first), second.map(Self::of_rows))
            }
            Stage::Reports(job) => {
                let (first, second) = job.split();
                (Self::of_reports(first), second.map(Self::of_reports))
            }
        }
    }

    /// Does the work.
    pub fn finish(self) {
        with_stage!(self.0, job => job.finish());
    }
}

impl std::fmt::Debug for Job<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stage = match self.0 {
            Stage::Poses(_) => "poses",
            Stage::Bounds(_) => "bounds",
            Stage::Pairs(_) => "pairs",
            Stage::Rows(_) => "rows",
            Stage::Reports(_) => "reports",
        };
        f.debug_struct("Job").field("stage", &stage).field("len", &self.len()).finish()
    }
}
