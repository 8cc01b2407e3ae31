//! Options of `xcollide compare`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use xcollide::narrow::Semantics;
use xcollide::registry::Kind;

use super::Scale;
use crate::options::{CSV, GLB, HTML, ThresholdOptions, at_least_one, frames, phases, semantics};
use crate::output_file::ending_in;

/// Options of `compare`.
#[derive(Args, Clone, Debug)]
pub(crate) struct CompareOptions {
    /// The scenes: files, or embedded ones by name. [default: cage]
    #[arg(value_name = "SCENE")]
    pub(crate) scenes: Vec<OsString>,
    /// Repeat an experiment of a source instead, and print its figures beside ours; `--paper list`
    /// lists them.
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with_all = [
            "scenes", "seed", "broad", "narrow", "bounds", "execution", "build", "scale", "export", "trace",
        ]
    )]
    pub(crate) paper: Option<String>,
    /// With --paper: a quick look, with few frames and fewer bodies than the source has.
    #[arg(long, requires = "paper", conflicts_with_all = ["scenes", "rounds"])]
    pub(crate) quick: bool,
    /// Number of frames.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frames)]
    pub(crate) frames: Option<NonZeroUsize>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Which broad phases, separated by commas, or all.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = phases(Kind::Broad))]
    pub(crate) broad: Vec<String>,
    /// Which narrow phases. `race:A+B`: two at once; `chain:A+B`: the second where the first is
    /// undecided.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = phases(Kind::Narrow))]
    pub(crate) narrow: Vec<String>,
    /// The sizes by which `auto` chooses.
    #[command(flatten)]
    pub(crate) sizes: ThresholdOptions,
    /// Which bounds.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = phases(Kind::Bounds))]
    pub(crate) bounds: Vec<String>,
    /// Which execution modes; those with several threads use all processors, or --threads.
    /// `concurrent` checks in a thread of its own, in step.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = phases(Kind::Execution))]
    pub(crate) execution: Vec<String>,
    /// How hierarchies are built, such as splitting rules. Narrow phases that cannot use a builder
    /// are left out with it; `auto` is each one's own way.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = phases(Kind::Build))]
    pub(crate) build: Vec<String>,
    /// Whether closed meshes are solids, or only surfaces count.
    #[arg(long, value_name = "WHICH", default_value = "solid", value_parser = semantics())]
    pub(crate) semantics: Semantics,
    /// Time the whole motion N times.
    #[arg(
        long,
        value_name = "N",
        default_value = "5",
        allow_negative_numbers = true,
        value_parser = at_least_one
    )]
    pub(crate) rounds: NonZeroUsize,
    /// Vary a parameter of the embedded scenes, such as objects=10,100,1000, and report how the time
    /// grows with it.
    #[arg(long, value_name = "NAME=VALUES")]
    pub(crate) scale: Option<Scale>,
    /// Write tables and plots to a self-contained HTML file.
    #[arg(long, value_name = "OUT.html", value_parser = ending_in(HTML))]
    pub(crate) report: Option<PathBuf>,
    /// Write the recorded motion of the scene to a file, as `run` does: binary glTF for any viewer.
    #[arg(long, value_name = "OUT.glb", value_parser = ending_in(GLB))]
    pub(crate) export: Option<PathBuf>,
    /// Write the boxes of all frames to a file, for `xcollide pairs`; those of the first of --bounds.
    #[arg(long, value_name = "OUT", value_parser = ending_in(CSV))]
    pub(crate) trace: Option<PathBuf>,
    /// Where to save the scene that shows a disagreement, if there is one.
    #[arg(long, value_name = "OUT", default_value = "disagreement.toml", value_parser = ending_in(&["toml"]))]
    pub(crate) save: PathBuf,
}
