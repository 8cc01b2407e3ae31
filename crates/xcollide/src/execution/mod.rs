//! Execution modes: on which threads the stages of a check run.
//!
//! A check hands over a [`Job`]: many small pieces of work that do not depend on each other, as "on
//! each of the levels we have almost complete data independence" (Zachmann 1994, 6). A mode runs it
//! as it is, or splits it and runs the halves at the same time; the outcome is the same, in the same
//! order, for every piece writes to a place of its own and the places are read afterwards.

mod grained;
mod job;
mod parallel;
mod serial;

pub use grained::{FineGrain, TwoPhases};
pub use job::Job;
pub use parallel::{Parallel, ThreadsError};
pub use serial::Serial;

use crate::narrow::Grain;

/// Runs the stages of a check.
///
/// One's own mode in a few lines, on two plain threads:
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
pub trait Execution: Send {
    /// The name by which programs know this mode, such as `"serial"`.
    fn name(&self) -> &'static str;

    /// Finishes the job, all of it, before it returns.
    fn run(&self, job: Job<'_>);

    /// Calls `stage` from where it finds this mode's threads: a broad phase that uses the threads of
    /// rayon's current pool. Calls it once. `boxes` is how many the broad phase holds.
    fn enter(&self, boxes: usize, stage: &mut (dyn FnMut() + Send)) {
        let _ = boxes;
        stage();
    }

    /// Whether a broad phase that uses several threads is wanted, where nobody chooses one.
    fn is_parallel(&self) -> bool {
        false
    }

    /// How many threads may work on a single pair. With [`Grain::Coarse`] that is as the world's
    /// [query](crate::World::query) says.
    fn grain(&self) -> Grain {
        Grain::Coarse
    }
}
