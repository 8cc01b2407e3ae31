//! Execution modes: the threads on which the stages of a check run.
//!
//! A check passes a [`Job`] of many small independent items: "on each of the levels we have almost complete
//! data independence" (Zachmann 1994, 6). A mode runs the job whole, or splits it and runs the parts
//! concurrently. Results and their order are the same, as each item has its own place for its result.

#[cfg(feature = "parallel")]
mod grained;
mod job;
#[cfg(feature = "parallel")]
mod keep_awake;
#[cfg(feature = "parallel")]
mod parallel;
mod serial;

#[cfg(feature = "parallel")]
pub use grained::{FineGrain, TwoPhases};
pub use job::Job;
#[cfg(feature = "parallel")]
pub use parallel::{Parallel, ThreadsError};
pub use serial::Serial;

use std::time::Duration;

use crate::narrow::Grain;

/// Runs the stages of a check.
///
/// A mode on two plain threads:
///
/// ```
/// use xcollide::execution::{Execution, Job};
///
/// struct TwoThreads;
///
/// impl Execution for TwoThreads {
///     fn name(&self) -> &'static str {
///         "two-threads"
///     }
///
///     fn run(&self, job: Job<'_>) {
///         match job.split() {
///             (first, Some(second)) => std::thread::scope(|scope| {
///                 scope.spawn(|| first.finish());
///                 second.finish();
///             }),
///             (whole, None) => whole.finish(),
///         }
///     }
/// }
/// # let world = xcollide::World::builder().execution(TwoThreads).build();
/// # assert_eq!(world.execution().name(), "two-threads");
/// ```
pub trait Execution: Send + Sync {
    /// The name in programs, such as `"serial"`.
    fn name(&self) -> &'static str;

    /// Finishes the whole job before it returns.
    fn run(&self, job: Job<'_>);

    /// Calls `stages` once, which [runs](Self::run) the jobs of a check, or that of many new poses. A mode with a thread
    /// pool may call it on a thread of the pool, so that not every job is passed there anew. `last` is the time of the
    /// last check.
    fn enter(&self, last: Duration, stages: &mut (dyn FnMut() + Send)) {
        let _ = last;
        stages();
    }

    /// Whether a world should choose a multithreaded broad phase by default.
    fn is_parallel(&self) -> bool {
        false
    }

    /// How many threads may work on one pair; with [`Grain::Coarse`], as the world's
    /// [query](crate::World::query) says.
    fn grain(&self) -> Grain {
        Grain::Coarse
    }
}
