//! Options of the commands, and parsers of their values.

mod check;
mod ending;
mod mesh;
mod motion;
mod picture;
mod robot;
mod scene;
mod thresholds;
mod value;

use std::num::NonZeroUsize;

use clap::Args;
use rayon::ThreadPool;

use crate::exit::Failure;

pub(crate) use check::CheckOptions;
pub(crate) use ending::{CSV, GLB, HTML};
pub(crate) use mesh::{ClassifyOptions, RayOptions, SelfOptions};
pub(crate) use motion::{CcdOptions, SweepOptions};
pub(crate) use picture::{PictureOptions, ViewOptions};
pub(crate) use robot::RobotOptions;
pub(crate) use scene::{PairsOptions, RunOptions, SceneFiles};
pub(crate) use thresholds::ThresholdOptions;
pub(crate) use value::{at_least_one, duration, frames, phases, semantics, tolerance};

/// Options of every command.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Common options")]
pub(crate) struct Common {
    /// JSON Lines on standard output: one object a result, nothing else.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress bars or messages, not even on a terminal. Results and errors stay.
    #[arg(long, global = true)]
    pub(crate) quiet: bool,
    /// Use at most N threads; `check`, `sweep` and `robot` answer N queries at a time. Default: one, for reliable times.
    #[arg(
        long,
        global = true,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = at_least_one
    )]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Reject a file if a part of it would be skipped, instead of warning.
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Report how much work was done.
    #[arg(long, global = true)]
    pub(crate) stats: bool,
}

impl Common {
    /// A pool of as many threads as `--threads` says, else of `otherwise`; 0 stands for one a processor.
    pub(crate) fn pool(&self, otherwise: usize) -> Result<ThreadPool, Failure> {
        let threads = self.threads.map_or(otherwise, NonZeroUsize::get);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.map_err(|error| Failure::Failed(format!("--threads {threads}: {error}")))
    }
}

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ListOptions {
    /// List the shapes that can be generated instead.
    #[arg(long, conflicts_with = "scenes")]
    pub(crate) shapes: bool,
    /// List the embedded scenes instead: description, source, parameters.
    #[arg(long)]
    pub(crate) scenes: bool,
}
