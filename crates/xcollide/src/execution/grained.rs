//! Modes in which also a single pair may be worked on by several threads (Zachmann 1994, 6.3).
//!
//! Pairs are spread over threads as by [`Parallel`], but only over those of the pool; in addition every test is
//! told that it may share its own work, which it does when it has found out that there is much. So a
//! frame of many pairs takes what it takes with `Parallel`, and one that waits for a few dear pairs
//! is shorter.

use super::{Execution, Job, Parallel, ThreadsError};
use crate::narrow::Grain;

/// [`Parallel`], and a dear pair of models is searched by all threads together: fine grain (6.3.1).
///
/// For worlds of few large models. Which algorithms share their work, [`Grain`] says.
#[derive(Clone, Debug, Default)]
pub struct FineGrain(Parallel);

/// [`Parallel`], and a dear pair of models is worked on by two threads: medium grain (6.3.2), edges of
/// the one against faces of the other, and the reverse, where the algorithm has these two phases.
///
/// For worlds of few large models, and to repeat the thesis. Which algorithms share their work,
/// [`Grain`] says.
#[derive(Clone, Debug, Default)]
pub struct TwoPhases(Parallel);

macro_rules! grained {
    ($mode:ident, $name:literal, $grain:expr) => {
        impl $mode {
            /// On the threads of rayon's current pool.
            #[must_use]
            pub fn new() -> Self {
                Self::default()
            }

            /// On so many threads of its own; 0 for as many as there are processors.
            ///
            /// # Errors
            /// The system does not give them.
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

            fn enter(&self, boxes: usize, stage: &mut (dyn FnMut() + Send)) {
                self.0.enter(boxes, stage);
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
