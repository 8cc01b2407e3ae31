//! Options of `ccd` and `sweep`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use xcollide::Pose;
use xcollide::narrow::Semantics;

use crate::mesh_source::MeshSource;
use crate::output_file::ending_in;
use crate::pose_line;
use crate::primitives::Primitives;

use super::check::CheckOptions;
use super::ending::HTML;
use super::value::{duration, primitives, semantics, tolerance};

#[derive(Args, Clone, Debug)]
pub(crate) struct CcdOptions {
    /// Files of queries; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the queries are about. [default: what the folder of the file is called]
    #[arg(long = "type", value_name = "WHICH", value_parser = primitives())]
    pub(crate) primitives: Option<Primitives>,
    /// Find the time of contact to within W.
    #[arg(
        long,
        value_name = "W",
        default_value = "1e-9",
        allow_negative_numbers = true,
        value_parser = tolerance
    )]
    pub(crate) width: f64,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct SweepOptions {
    /// The first mesh: a file, - for standard input, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// The second mesh.
    #[arg(value_name = "B")]
    pub(crate) b: MeshSource,
    /// The pose of A at time 0. [default: that at time 1]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) from_a: Option<Pose>,
    /// The pose of A at time 1. [default: that at time 0]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) to_a: Option<Pose>,
    /// The pose of B at time 0. [default: that at time 1]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) from_b: Option<Pose>,
    /// The pose of B at time 1. [default: that at time 0]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) to_b: Option<Pose>,
    /// Read one query a line from a file (`-`: standard input): two poses, from and to of B, with A at the
    /// identity; or four, those of A first. Lines that begin with # are comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from_a", "to_a", "from_b", "to_b"])]
    pub(crate) motions: Option<PathBuf>,
    /// How models go from pose to pose. linear: their origins along lines, and the shorter turn about them, at
    /// constant speeds; screw: about and along an axis in space.
    #[arg(long, value_name = "WHICH", default_value = "linear", value_parser = ["linear", "screw"])]
    pub(crate) motion: String,
    /// Find the time of contact to within W.
    #[arg(
        long,
        value_name = "W",
        default_value = "1e-9",
        allow_negative_numbers = true,
        value_parser = tolerance
    )]
    pub(crate) width: f64,
    /// Whether closed meshes are solids, or only surfaces count.
    #[arg(long, value_name = "WHICH", default_value = "solid", value_parser = semantics())]
    pub(crate) semantics: Semantics,
    /// Stop a query after so long, such as 5ms, 2s or 100us. It is then undecided.
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// Write a report to a file: self-contained HTML with the distance over time and the first contact.
    #[arg(long, value_name = "OUT.html", value_parser = ending_in(HTML))]
    pub(crate) report: Option<PathBuf>,
    /// Verify the proof of every verdict; an invalid proof is an error.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Set the exit status by the verdict: 0 apart, 10 collides, 11 undecided.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

impl SweepOptions {
    /// Those of a check whose second model moves to another pose.
    pub(crate) fn of_check(check: &CheckOptions, to: Pose) -> Self {
        let from_a = Some(check.pose_a.unwrap_or_default());
        Self {
            a: check.a.clone(),
            b: check.b.clone(),
            from_a,
            to_a: from_a,
            from_b: Some(check.pose_b.unwrap_or_default()),
            to_b: Some(to),
            motions: None,
            motion: "linear".to_owned(),
            width: 1e-9,
            semantics: check.semantics,
            budget: check.budget,
            report: check.files.report.clone(),
            verify: check.verify,
            exit_code: check.exit_code,
        }
    }
}
