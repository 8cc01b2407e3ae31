//! Options of commands about one mesh: `classify`, `self`, `ray`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use xcollide::Pose;

use crate::mesh_source::MeshSource;
use crate::output_file::ending_in;
use crate::pose_line;

use super::ending::MESHES;
use super::value::duration;

#[derive(Args, Clone, Debug)]
pub(crate) struct ClassifyOptions {
    /// The meshes: files, - for standard input, or shape:…
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<MeshSource>,
    /// Repair the mesh, write it to a file (.obj .stl .ply .off) and report the changes.
    #[arg(long, value_name = "OUT", value_parser = ending_in(MESHES))]
    pub(crate) repair: Option<PathBuf>,
    /// How long the search for self-intersections may take, such as 500us or 2ms; the result lists what was found by then.
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) budget: Option<Duration>,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct SelfOptions {
    /// The mesh: a file, - for standard input, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// List at most the first N pairs of faces; all are counted.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<usize>,
    /// Count the pairs of faces, without listing them.
    #[arg(long, conflicts_with = "limit")]
    pub(crate) count: bool,
    /// Also test the pairs within smooth regions, which are left out as they are proved not to meet; the answer is the same.
    #[arg(long)]
    pub(crate) every_pair: bool,
    /// How long the search may take, such as 500us or 2ms; the answer is undecided afterwards, or what was found so far.
    #[arg(long, value_name = "DURATION", allow_hyphen_values = true, value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// Verify the answer without the search that found it; of a mesh that does not intersect itself all pairs of faces.
    #[arg(long)]
    pub(crate) verify: bool,
    /// Set the exit status: 0 if the mesh does not intersect itself, 10 if it does, 11 if that is undecided.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RayOptions {
    /// The mesh: a file, - for standard input, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// Where the ray begins.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = pose_line::vector,
        required_unless_present = "rays",
        requires = "direction"
    )]
    pub(crate) origin: Option<[f64; 3]>,
    /// Its direction, of any length.
    #[arg(
        long,
        value_name = "X,Y,Z",
        allow_hyphen_values = true,
        value_parser = pose_line::vector,
        requires = "origin"
    )]
    pub(crate) direction: Option<[f64; 3]>,
    /// Read a ray a line from a file (`-`: standard input): 6 numbers, origin and direction. Lines that begin with # are
    /// comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["origin", "direction"])]
    pub(crate) rays: Option<PathBuf>,
    /// List all hits along each ray, not only the first.
    #[arg(long)]
    pub(crate) all: bool,
    /// Where rays end: hits have t up to X.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) reach: Option<f64>,
    /// The pose of the mesh. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub(crate) pose_a: Option<Pose>,
}
