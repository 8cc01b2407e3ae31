//! Options of the commands, and parsers of their values.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use xcollide::Pose;
use xcollide::narrow::Semantics;
use xcollide::narrow::bvh::levels::Level;
use xcollide::narrow::combine::{Thresholds, ThresholdsError};
use xcollide::registry::Kind;

use crate::execution_mode::phase_names;
use crate::exit::Failure;
use crate::files::{Input, text};
use crate::mesh_source::MeshSource;
use crate::output_file::ending_in;
use crate::picture::outlined_algorithms;
use crate::pose_line;
use crate::primitives::Primitives;
use crate::visual_aids::Aid;

/// Endings of outputs.
pub(crate) const HTML: &[&str] = &["html", "htm"];
pub(crate) const GLB: &[&str] = &["glb"];
pub(crate) const CSV: &[&str] = &["csv"];
const MESHES: &[&str] = &["obj", "stl", "ply", "off"];

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

#[derive(Args, Clone, Debug)]
pub(crate) struct CheckOptions {
    /// The first mesh: a file, - for standard input, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// The second mesh.
    #[arg(value_name = "B")]
    pub(crate) b: MeshSource,
    /// Which algorithm answers. `all`: every exact one that accepts the two meshes, one result
    /// each; different answers are an error.
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
    /// Measure the distance of the two.
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

#[derive(Args, Clone, Debug)]
pub(crate) struct CcdOptions {
    /// Files of queries; - is standard input.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// What the queries are about. [default: what the folder of the file is called]
    #[arg(long = "type", value_name = "WHICH", value_parser = primitives())]
    pub(crate) primitives: Option<Primitives>,
    /// The time of the contact is told to within W.
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
    /// The time of the contact is told to within W.
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

#[derive(Args, Clone, Debug)]
pub(crate) struct ClassifyOptions {
    /// The meshes: files, - for standard input, or shape:…
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<MeshSource>,
    /// Repair the mesh, write it to a file (.obj .stl .ply .off) and report the changes.
    #[arg(long, value_name = "OUT", value_parser = ending_in(MESHES))]
    pub(crate) repair: Option<PathBuf>,
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

#[derive(Args, Clone, Debug)]
pub(crate) struct PairsOptions {
    /// The boxes of every frame: a file, or - for standard input.
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Which broad phase answers. `all`: every one, one result each; different answers are an
    /// error.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = phases(Kind::Broad))]
    pub(crate) broad: String,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RunOptions {
    /// The scene: a file, - for standard input, or an embedded one by name. [default: cage]
    #[arg(value_name = "SCENE")]
    pub(crate) scene: Option<OsString>,
    /// Number of frames.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = frames)]
    pub(crate) frames: Option<NonZeroUsize>,
    /// Seed of all random numbers.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Whether closed meshes are solids, or only surfaces count.
    #[arg(long, value_name = "WHICH", default_value = "solid", value_parser = semantics())]
    pub(crate) semantics: Semantics,
    /// Count a distance of at most X as colliding.
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = tolerance)]
    pub(crate) tolerance: Option<f64>,
    /// With --json: list the distances of all pairs, or (as `--distance=X`) those of at most X. With --report: tell how
    /// near the pairs came that never met. All pairs that may be so near are tested.
    #[arg(
        long,
        value_name = "X",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = distance_limit,
        conflicts_with = "tolerance"
    )]
    pub(crate) distance: Option<f64>,
    /// With --json: have each frame name the objects in its lists.
    #[arg(long, requires = "json")]
    pub(crate) names: bool,
    /// With --json: have each frame tell why its pairs collide, by two features that meet and a point.
    #[arg(long, requires = "json")]
    pub(crate) witness: bool,
    /// With --json: list the pairs of faces that meet in each frame: all, or at most N of two objects.
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = contact_limit,
        requires = "json",
        conflicts_with_all = ["tolerance", "distance"]
    )]
    pub(crate) contacts: Option<usize>,
    /// Test objects on their whole way from frame to frame, or (`--continuous=false`) at the poses of the frames only.
    /// [default: as the scene says]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) continuous: Option<bool>,
    /// Which broad phase finds the pairs of boxes.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Broad))]
    pub(crate) broad: Option<String>,
    /// Which algorithm tests them. `auto` chooses by the two models.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Narrow))]
    pub(crate) narrow: Option<String>,
    /// The sizes by which `auto` chooses.
    #[command(flatten)]
    pub(crate) sizes: ThresholdOptions,
    /// How moving objects are bounded.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Bounds))]
    pub(crate) bounds: Option<String>,
    /// How the narrow phase builds its hierarchies. [default: its own way]
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Build))]
    pub(crate) build: Option<String>,
    /// Execution mode: all but `serial` use all processors, or --threads. [default: parallel with
    /// --threads of 2 and more, else serial]
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Execution))]
    pub(crate) execution: Option<String>,
    /// Write a report to a file: self-contained HTML with tables and plots.
    #[arg(long, value_name = "OUT.html", value_parser = ending_in(HTML))]
    pub(crate) report: Option<PathBuf>,
    /// Write the scene in motion to a file, at 30 frames a second: binary glTF for any viewer.
    /// Colliding objects are red.
    #[arg(long, value_name = "OUT.glb", value_parser = ending_in(GLB))]
    pub(crate) export: Option<PathBuf>,
    /// Layers of lines in the exported scene and in the view of the report: contact points, the features that meet or are
    /// nearest, nearest points and separating planes (those with --distance), bounding boxes. [default: none in an export,
    /// contacts,nearest,planes in a report]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = layer())]
    layers: Option<Vec<Aid>>,
    /// Write the boxes of all frames to a file, for `xcollide pairs`.
    #[arg(long, value_name = "OUT", value_parser = ending_in(CSV))]
    pub(crate) trace: Option<PathBuf>,
}

/// Files that show what was found.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct SceneFiles {
    /// Write a report to a file: self-contained HTML with who met, when and where, and the scene in 3-D. (`check --to`: with
    /// the distance over time and the first contact.)
    #[arg(long, value_name = "OUT.html", value_parser = ending_in(HTML))]
    pub(crate) report: Option<PathBuf>,
    /// Write the scene to a file, an instant a frame: binary glTF for any viewer. What collides is red.
    #[arg(long, value_name = "OUT.glb", value_parser = ending_in(GLB))]
    pub(crate) export: Option<PathBuf>,
    /// Layers of lines in both: contact points, the features that meet or are nearest, nearest points (with --distance),
    /// separating planes, bounding boxes. [default: contacts,nearest,planes]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = layer())]
    layers: Option<Vec<Aid>>,
}

impl SceneFiles {
    pub(crate) fn layers(&self) -> &[Aid] {
        self.layers.as_deref().unwrap_or(&REPORT_LAYERS)
    }
}

impl RobotOptions {
    /// The SRDF file: that of the option, else the one beside the robot, if there is one.
    pub(crate) fn srdf_file(&self) -> Option<PathBuf> {
        let beside = self.urdf.with_extension("srdf");
        self.srdf.clone().or_else(|| beside.is_file().then_some(beside))
    }
}

impl RunOptions {
    /// The layers of an export.
    pub(crate) fn layers(&self) -> &[Aid] {
        self.layers.as_deref().unwrap_or_default()
    }

    /// The layers of a report's view.
    pub(crate) fn report_layers(&self) -> &[Aid] {
        self.layers.as_deref().unwrap_or(&REPORT_LAYERS)
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct RobotOptions {
    /// The robot: a URDF file.
    #[arg(value_name = "ARM.urdf")]
    pub(crate) urdf: PathBuf,
    /// The SRDF file with the pairs of links that are not tested. [default: the one beside the robot,
    /// with its name, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) srdf: Option<PathBuf>,
    /// The configurations: a table, or - for standard input. [default: one, all joints at 0]
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) joints: Option<PathBuf>,
    /// The folder of a ROS package that meshes are in; may be repeated.
    #[arg(long, value_name = "NAME=DIR", value_parser = package)]
    pub(crate) package: Vec<(String, PathBuf)>,
    /// Count links at most this far apart as colliding.
    #[arg(
        long,
        value_name = "X",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = tolerance
    )]
    pub(crate) margin: f64,
    /// Measure the least distance of two tested links.
    #[arg(long)]
    pub(crate) distance: bool,
    #[command(flatten)]
    pub(crate) files: SceneFiles,
    /// With --json: have each row tell why its pairs collide, by two features that meet and a point.
    #[arg(long, requires = "json")]
    pub(crate) witness: bool,
    /// Also test the links against the objects of a scene, where its first frame has them.
    #[arg(long, value_name = "SCENE")]
    pub(crate) obstacles: Option<OsString>,
    /// Do not test a pair of links or obstacles; may be repeated.
    #[arg(long, value_name = "A,B", value_parser = pair)]
    pub(crate) allow: Vec<(String, String)>,
    /// Set the exit status by the verdicts: 0 all apart, 10 a row collides.
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct ViewOptions {
    /// A mesh (a file, or shape:…), a scene (a file or an embedded one) or a robot (a URDF file).
    #[arg(value_name = "A|SCENE")]
    pub(crate) a: OsString,
    /// A second mesh.
    #[arg(value_name = "B")]
    pub(crate) b: Option<OsString>,
    /// Do not open the browser.
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Of two meshes: the pose of A. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, requires = "b")]
    pose_a: Option<String>,
    /// Of two meshes: the pose of B. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, requires = "b")]
    pose_b: Option<String>,
    /// Of two meshes: a query a line, as for `check`.
    #[arg(long, value_name = "FILE", requires = "b")]
    poses: Option<OsString>,
    /// Of a robot: the configurations, as for `robot`.
    #[arg(long, value_name = "FILE.csv")]
    joints: Option<OsString>,
    /// Of a robot: the SRDF file with the pairs of links that are not tested.
    #[arg(long, value_name = "FILE")]
    srdf: Option<OsString>,
    /// Of a robot: the folder of a ROS package that meshes are in; may be repeated.
    #[arg(long, value_name = "NAME=DIR")]
    package: Vec<OsString>,
    /// Of a robot: the objects of a scene around it.
    #[arg(long, value_name = "SCENE")]
    obstacles: Option<OsString>,
    /// Of a scene: number of frames.
    #[arg(long, value_name = "N")]
    frames: Option<OsString>,
    /// Of a scene: seed of all random numbers.
    #[arg(long, value_name = "N")]
    seed: Option<OsString>,
    /// Of two meshes, a robot, a scene: measure distances, and show nearest points.
    #[arg(long)]
    distance: bool,
    /// Of two meshes, a robot, a scene: layers of lines, as for `check`, `robot` and `run`.
    #[arg(long, value_name = "NAMES")]
    layers: Option<OsString>,
}

impl ViewOptions {
    /// The arguments of the command that writes the report.
    pub(crate) fn arguments(&self, command: &str) -> Vec<OsString> {
        let text = |text: &Option<String>| text.clone().map(OsString::from);
        let named = [
            ("--pose-a", text(&self.pose_a)),
            ("--pose-b", text(&self.pose_b)),
            ("--poses", self.poses.clone()),
            ("--joints", self.joints.clone()),
            ("--srdf", self.srdf.clone()),
            ("--obstacles", self.obstacles.clone()),
            ("--frames", self.frames.clone()),
            ("--seed", self.seed.clone()),
            ("--layers", self.layers.clone()),
        ];
        let packages = self.package.iter().map(|package| ("--package", Some(package.clone())));
        let mut arguments: Vec<OsString> = vec![command.into(), self.a.clone()];
        arguments.extend(self.b.clone());
        for (name, value) in named.into_iter().chain(packages) {
            arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
        }
        arguments.extend(self.distance.then(|| "--distance".into()));
        arguments
    }
}

#[derive(Args, Clone, Debug)]
pub(crate) struct PictureOptions {
    /// The mesh: a file, or shape:…
    #[arg(value_name = "A")]
    pub(crate) a: MeshSource,
    /// A second mesh, to show both hierarchies in a query.
    #[arg(value_name = "B")]
    pub(crate) b: Option<MeshSource>,
    /// The algorithm whose hierarchies are drawn.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "box-tree",
        value_parser = PossibleValuesParser::new(outlined_algorithms())
    )]
    pub(crate) algorithm: String,
    /// Which volumes of one mesh: a depth below the root, or `leaves`. [default: leaves]
    #[arg(
        long,
        value_name = "N",
        allow_negative_numbers = true,
        value_parser = level,
        conflicts_with = "b"
    )]
    pub(crate) level: Option<Level>,
    /// The pose of A. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub(crate) pose_a: Option<Pose>,
    /// The pose of B. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub(crate) pose_b: Option<Pose>,
    /// The file to write: binary glTF for any viewer.
    #[arg(long, value_name = "OUT.glb", value_parser = ending_in(GLB))]
    pub(crate) export: PathBuf,
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

#[derive(Args, Clone, Debug)]
pub(crate) struct ThresholdOptions {
    /// The sizes by which `auto` chooses, as `cargo xtask calibrate` measures and stores them.
    /// [default: the file named by the variable `XCOLLIDE_THRESHOLDS`, else built-in sizes]
    #[arg(long, value_name = "FILE")]
    pub(crate) thresholds: Option<PathBuf>,
}

impl ThresholdOptions {
    /// The sizes of the option, else of the variable, else the built-in ones.
    pub(crate) fn thresholds(&self) -> Result<Thresholds, Failure> {
        let named = std::env::var_os("XCOLLIDE_THRESHOLDS")
            .filter(|name| !name.is_empty())
            .map(PathBuf::from);
        let Some(path) = self.thresholds.clone().or(named) else {
            return Ok(Thresholds::default());
        };
        let input = Input::open(&path)?;
        let name = input.name.clone();
        let wrong = |error: ThresholdsError| Failure::bad_input(format!("{name}: {error}"));
        text(input.read()?, &name)?.parse().map_err(wrong)
    }
}

/// `auto`, `all` or another narrow phase.
fn narrow_choice() -> PossibleValuesParser {
    let others = phase_names(Kind::Narrow).filter(|name| *name != "auto");
    PossibleValuesParser::new(["auto", "all"].into_iter().chain(others))
}

fn phase(kind: Kind) -> PossibleValuesParser {
    PossibleValuesParser::new(phase_names(kind))
}

/// Names of a kind, or `all`.
pub(crate) fn phases(kind: Kind) -> PossibleValuesParser {
    PossibleValuesParser::new(phase_names(kind).chain(["all"]))
}

/// The layers of a view unless others are asked for.
const REPORT_LAYERS: [Aid; 3] = [Aid::Contacts, Aid::Nearest, Aid::Planes];

fn layer() -> impl TypedValueParser<Value = Aid> {
    let named = |name: String| Aid::ALL.into_iter().find(|aid| aid.name() == name);
    PossibleValuesParser::new(Aid::ALL.map(Aid::name))
        .map(move |name| named(name).unwrap_or(Aid::Contacts))
}

fn primitives() -> impl TypedValueParser<Value = Primitives> {
    PossibleValuesParser::new(["vertex-face", "edge-edge"]).map(|name| match name.as_str() {
        "edge-edge" => Primitives::EdgeEdge,
        _ => Primitives::VertexFace,
    })
}

pub(crate) fn semantics() -> impl TypedValueParser<Value = Semantics> {
    PossibleValuesParser::new(["solid", "surface"]).map(|name| match name.as_str() {
        "surface" => Semantics::Surface,
        _ => Semantics::Solid,
    })
}

/// The most contacts to list.
fn contact_limit(text: &str) -> Result<usize, &'static str> {
    if text == "all" {
        return Ok(usize::MAX);
    }
    text.parse().map_err(|_| "expected a whole number, or nothing")
}

fn level(text: &str) -> Result<Level, &'static str> {
    if text == "leaves" {
        return Ok(Level::Leaves);
    }
    text.parse().map(Level::At).map_err(|_| "expected a whole number, or leaves")
}

pub(crate) fn tolerance(text: &str) -> Result<f64, &'static str> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("expected a finite number of at least 0")
}

/// The largest distance to list.
fn distance_limit(text: &str) -> Result<f64, &'static str> {
    if text == "all" { Ok(f64::INFINITY) } else { tolerance(text) }
}

/// Parses "cubes=../cubes".
fn package(text: &str) -> Result<(String, PathBuf), &'static str> {
    let (name, folder) = text.split_once('=').ok_or("expected a name and a folder, NAME=DIR")?;
    Ok((name.to_owned(), folder.into()))
}

/// Parses "hand,cup".
fn pair(text: &str) -> Result<(String, String), &'static str> {
    let (a, b) = text.split_once(',').ok_or("expected two names, A,B")?;
    Ok((a.trim().to_owned(), b.trim().to_owned()))
}

/// Parses "5ms", "2s", "100us", "1.5 s".
fn duration(text: &str) -> Result<Duration, &'static str> {
    let expected = "expected a number and a unit (ns, us, ms, s, min), such as 5ms";
    let unit_at = text.find(|c: char| c.is_alphabetic()).ok_or(expected)?;
    let (number, unit) = text.split_at(unit_at);
    let nanoseconds = match unit {
        "ns" => 1.0,
        "us" | "µs" | "μs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        "min" => 6e10,
        _ => return Err(expected),
    };
    let number: f64 = number.trim().parse().map_err(|_| expected)?;
    Duration::try_from_secs_f64(number * nanoseconds / 1e9).map_err(|_| expected)
}

pub(crate) fn at_least_one(text: &str) -> Result<NonZeroUsize, &'static str> {
    text.parse().map_err(|_| "expected a whole number of at least 1")
}

/// The most frames of a scene.
const MAX_FRAMES: usize = 1_000_000_000;

pub(crate) fn frames(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_FRAMES);
    let number = number.and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_FRAMES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_a_unit() {
        assert_eq!(duration("5ms"), Ok(Duration::from_millis(5)));
        assert_eq!(duration("1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("100us"), duration("0.1ms"));
        assert_eq!(duration("2min"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("0ns"), Ok(Duration::ZERO));
        for wrong in ["", "5", "ms", "-1s", "infs", "5 hours", "1e300s", "nans"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn tolerances_are_finite_and_not_negative() {
        assert_eq!(tolerance("0"), Ok(0.0));
        assert_eq!(tolerance("2.5e-3"), Ok(2.5e-3));
        for wrong in ["-1", "nan", "inf", "", "1 mm"] {
            assert!(tolerance(wrong).is_err(), "{wrong}");
        }
    }
}
