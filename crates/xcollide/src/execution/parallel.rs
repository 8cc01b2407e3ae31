//! Coarse grain: objects and pairs spread over threads (Zachmann 1994, 6.2).
//!
//! Work is balanced dynamically, as the thesis recommends: a job is halved as long as it is worth
//! while, and who has nothing to do takes over a half. Unlike there the broad phase is parallel too,
//! where it has a form for it.

use std::sync::Arc;

use super::{Execution, Job};

/// All stages on the threads of a pool of rayon's. Callbacks are called one after the other, in
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

impl Execution for Parallel {
    fn name(&self) -> &'static str {
        "parallel"
    }

    fn run(&self, job: Job<'_>) {
        // Small jobs are not worth the way to another thread.
        let (first, second) = job.split();
        match (second, &self.pool) {
            (None, _) => first.finish(),
            (Some(second), None) => both(first, second),
            (Some(second), Some(pool)) => pool.install(|| both(first, second)),
        }
    }

    fn enter(&self, stage: &mut (dyn FnMut() + Send)) {
        match &self.pool {
            Some(pool) => pool.install(stage),
            None => stage(),
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
