//! All work on one thread.

use super::{Execution, Job};

/// Runs everything on the thread that calls [`World::check`](crate::World::check). The default.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Execution for Serial {
    fn name(&self) -> &'static str {
        "serial"
    }

    fn run(&self, job: Job<'_>) {
        job.finish();
    }
}
