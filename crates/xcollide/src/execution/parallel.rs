//! Coarse grain: objects and pairs spread over threads (Zachmann 1994, 6.2).
//!
//! Work is balanced dynamically, as the thesis recommends: a job is halved as long as it is worth
//! while, and who has nothing to do takes over a half. Unlike there the broad phase is parallel too,
//! where it has a form for it. What is done sooner than another thread has woken up is done in place:
//! the thesis's cage of a hundred tetrahedra gained next to nothing from four processors (6.6).

use std::sync::Arc;
use std::time::Duration;

use super::{Execution, Job};

/// All stages on the threads of a pool of rayon's, where they are [long enough](Job::work) for that.
/// Callbacks are called one after the other, in
/// order, on the thread that calls [`World::check`](crate::World::check).
#[derive(Clone, Debug, Default)]
pub struct Parallel {
    /// `None` for the global pool.
    pool: Option<Arc<rayon::ThreadPool>>,
}

/// Threads could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {threads} threads: {source}")]
pub struct ThreadsError {
    threads: usize,
    source: rayon::ThreadPoolBuildError,
}

/// Less work is done in place.
const WORTHWHILE: Duration = Duration::from_micros(100);

/// Broad phases search in place among fewer boxes.
const FEW_BOXES: usize = 1024;

impl Parallel {
    /// On the threads of rayon's current pool; mostly as many as there are processors.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// On so many threads of its own; 0 for as many as there are processors.
    ///
    /// # Errors
    /// The system does not give them.
    pub fn with_threads(threads: usize) -> Result<Self, ThreadsError> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|source| ThreadsError { threads, source })?;
        Ok(Self { pool: Some(Arc::new(pool)) })
    }
}

impl Parallel {
    /// As [`run`](Execution::run), but also what cannot be split is done by a thread of the pool, so
    /// that the other ones can help with it.
    pub(super) fn run_in_pool(&self, job: Job<'_>) {
        match &self.pool {
            Some(pool) if job.work() >= WORTHWHILE => pool.install(|| halve(job)),
            _ => self.run(job),
        }
    }
}

impl Execution for Parallel {
    fn name(&self) -> &'static str {
        "parallel"
    }

    fn run(&self, job: Job<'_>) {
        if job.work() < WORTHWHILE {
            return job.finish();
        }
        let (first, second) = job.split();
        match (second, &self.pool) {
            (None, _) => first.finish(),
            (Some(second), None) => both(first, second),
            (Some(second), Some(pool)) => pool.install(|| both(first, second)),
        }
    }

    fn enter(&self, boxes: usize, stage: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) if boxes >= FEW_BOXES => pool.install(stage),
            _ => stage(),
        }
    }

    fn is_parallel(&self) -> bool {
        true
    }
}

fn both(first: Job<'_>, second: Job<'_>) {
    rayon::join(|| halve(first), || halve(second));
}

fn halve(job: Job<'_>) {
    match job.split() {
        (first, Some(second)) => both(first, second),
        (whole, None) => whole.finish(),
    }
}
