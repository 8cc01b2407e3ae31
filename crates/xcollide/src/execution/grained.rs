//! Modes in which several threads may work on one pair (Zachmann 1994, 6.3).
//!
//! Pairs are spread as by [`Parallel`], but only over the threads of the pool. In addition, a large test may
//! share its own work. A frame with many pairs takes as long as with `Parallel`; a frame that waits for a
//! few expensive pairs is shorter.

use std::time::Duration;

use super::{Execution, Job, Parallel, ThreadsError};
use crate::narrow::Grain;

/// [`Parallel`], with all threads on an expensive pair: fine grain (6.3.1). For worlds of few large models.
/// [`Grain`] lists the algorithms that share their work.
#[derive(Clone, Debug, Default)]
pub struct FineGrain(Parallel);

/// [`Parallel`], with two threads on an expensive pair: medium grain (6.3.2), edges of one model against
/// faces of the other and the reverse, if the algorithm has these two phases. [`Grain`] lists these
/// algorithms.
#[derive(Clone, Debug, Default)]
pub struct TwoPhases(Parallel);

macro_rules! grained {
    ($mode:ident, $name:literal, $grain:expr) => {
        impl $mode {
            /// Uses rayon's current pool.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// Uses `threads` threads of its own; 0 means one per processor.
            ///
            /// # Errors
            /// The system cannot start them.
            pub fn with_threads(threads: usize) -> Result<Self, ThreadsError> {
                Parallel::with_threads(threads).map(Self)
            }
        }

        impl Execution for $mode {
            fn name(&self) -> &'static str {
                $name
            }

            fn run(&self, job: Job<'_>) {
                self.0.run_in_pool(job);
            }

            fn enter(&self, last: Duration, stages: &mut (dyn FnMut() + Send)) {
                self.0.enter(last, stages);
            }

            fn is_parallel(&self) -> bool {
                true
            }

            fn grain(&self) -> Grain {
                $grain
            }
        }
    };
}

grained!(FineGrain, "fine-grain", Grain::Fine);
grained!(TwoPhases, "two-phases", Grain::Medium);
