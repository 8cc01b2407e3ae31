//! Options of `check`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use xcollide::Pose;
use xcollide::narrow::Semantics;

use crate::mesh_source::MeshSource;
use crate::pose_line;

use super::scene::SceneFiles;
use super::thresholds::ThresholdOptions;
use super::value::{at_least_one, contact_limit, duration, narrow_choice, semantics, tolerance};

#[derive(Args, Clone, Debug)]
pub(crate) struct CheckOptions {
    /// The first mesh: a file, - for standard input, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// The second mesh.
    #[arg(value_name = "B")]
    pub(crate) b: MeshSource,
    /// Which algorithm answers. `all`: every exact one that accepts the two meshes, one result
    /// each; different answers are an error. `race:A+B`: two at once; `chain:A+B`: the second where
    /// the first is undecided.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = narrow_choice())]
    pub(crate) algorithm: String,
    /// The sizes by which `auto` chooses.
    #[command(flatten)]
    pub(crate) sizes: ThresholdOptions,
    /// Whether closed meshes are solids, or only surfaces count.
    #[arg(long, value_name = "WHICH", default_value = "solid", value_parser = semantics())]
    pub(crate) semantics: Semantics,
    /// The pose of A. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) pose_a: Option<Pose>,
    /// The pose of B. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) pose_b: Option<Pose>,
    /// Read one query a line from a file (`-`: standard input): a pose for B, or one for A and one
    /// for B. Lines that begin with # are comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pose_a", "pose_b"])]
    pub(crate) poses: Option<PathBuf>,
    /// Ask about a motion: B goes from its pose to this one, at constant velocity and turning at a constant rate.
    /// The answer is that of `sweep`.
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        value_parser = pose_line::pose,
        conflicts_with_all = [
            "algorithm", "poses", "contacts", "segments", "count", "distance", "kind", "depth",
            "volume", "tolerance", "repeat", "coherent", "certify", "export", "layers"
        ]
    )]
    pub(crate) to: Option<Pose>,
    #[command(flatten)]
    pub(crate) files: SceneFiles,
    /// List the pairs of faces that meet: all, or at most N (also as `--contacts N`).
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = contact_limit
    )]
    pub(crate) contacts: Option<usize>,
    /// Also list what the triangles of each pair of faces have in common: points, segments,
    /// polygons. Lists all pairs unless --contacts gives a limit.
    #[arg(long)]
    pub(crate) segments: bool,
    /// Count the pairs of faces that meet, without listing them.
    #[arg(long, conflicts_with_all = ["contacts", "segments"])]
    pub(crate) count: bool,
    /// Measure the distance of the two; under --budget bound it, if the time does not suffice.
    #[arg(long)]
    pub(crate) distance: bool,
    /// Tell how A lies to B: apart, touching, overlapping, piercing, enclosed or equal.
    #[arg(long)]
    pub(crate) kind: bool,
    /// Bound the penetration depth of solids whose interiors meet, and tell in which direction A leaves B.
    #[arg(long)]
    pub(crate) depth: bool,
    /// Bound the volume that two solids have in common, to 1e-9 of it.
    #[arg(long)]
    pub(crate) volume: bool,
    /// Count a distance of at most X as colliding.
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
    /// Stop a query after so long, such as 5ms, 2s or 100us. It is then undecided.
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// Time each query N times and report the shortest.
    #[arg(
        long,
        value_name = "N",
        default_value = "1",
        allow_negative_numbers = true,
        value_parser = at_least_one
    )]
    pub(crate) repeat: NonZeroUsize,
    /// Let algorithms use what they cached in earlier queries, as in motion. Proofs may then depend on
    /// those; one thread answers.
    #[arg(long)]
    pub(crate) coherent: bool,
    /// Have algorithms prove that the two are apart in a way that can be verified fast, even if no
    /// plane separates them.
    #[arg(long)]
    pub(crate) certify: bool,
    /// Verify the proof of every verdict; an invalid proof is an error.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Set the exit status by the verdict: 0 apart, 10 collides, 11 undecided.
    #[arg(long)]
    pub(crate) exit_code: bool,
}
