//! The program's arguments.
//!
//! Names and meanings are a contract that scripts depend on: options may be added, not changed.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{OsStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use xcollide::narrow::mesh::{Level, outlined_algorithms};
use xcollide::narrow::{Pose, Semantics};
use xcollide::registry::{self, Kind};

use crate::compare::{self, CompareOptions};
use crate::mesh_source::MeshSource;
use crate::pose_line;
use crate::run;
use crate::thresholds::ThresholdOptions;

/// Exact collision detection between polyhedra.
#[derive(Debug, Parser)]
#[command(name = "xcollide", version, max_term_width = 100, after_help = MESHES)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What every command takes.
    #[command(flatten)]
    pub common: Common,
}

const MESHES: &str = "\
A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

const POSES: &str = "\
A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

A pose is 7 numbers, tx ty tz qx qy qz qw, or 12, the rows of the 3×4 matrix [R|t], separated by \
blanks or commas. Quaternions of length 1 within 1e-6 are normalised, matrices within 1e-6 of a \
rotation become the nearest one, anything else is refused.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else; with --exit-code 10 if a query \
finds a collision, else 11 if one is undecided, else 0.";

const TRACES: &str = "\
A trace is CSV with the header frame,id,min_x,min_y,min_z,max_x,max_y,max_z. Frames ascend, ids are \
whole numbers. A box that a frame does not name stays as it was; an empty one (min > max) takes its \
id out. Boxes that touch overlap. There is a result for each frame that the trace names.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else, such as broad phases that disagree.";

const PICTURES: &str = "\
Of one mesh the volumes of a level are drawn, each in a colour that the faces in it have, too. Level 0 \
is the whole; leaves that are above a level belong to it.

Of two meshes the leaves are drawn that a descent of both hierarchies comes to: those that overlap a \
leaf of the other mesh in orange, the others grey; the faces that meet are red.

A mesh is a file (OBJ, STL, PLY, OFF, glTF, GLB) or a generated shape, such as \
shape:sphere?faces=5000; `xcollide list --shapes` shows them all.

Exit status: 0 done, 2 wrong usage or bad input, 1 anything else.";

/// What there is to be said of scenes; the embedded ones by name.
fn scenes() -> String {
    let names = xcollide_scenes::names().join(", ");
    format!(
        "A scene is a file (TOML, see docs/scenes.md) or an embedded one: {names}. Those take \
         parameters, such as 'cage?objects=50&faces=500'. What the options do not say, the scene \
         does, and what neither says has a default.\n\n\
         The same seed gives the same collisions on every machine, at any number of threads, and \
         by all exact algorithms.\n\n\
         Exit status: 0 done, 2 wrong usage or bad input, 1 anything else."
    )
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Do two meshes touch, at one pose or at many?
    #[command(after_help = POSES)]
    Check(Box<CheckOptions>),
    /// What kind of polyhedron is this?
    #[command(after_help = MESHES)]
    Classify(ClassifyOptions),
    /// Overlapping boxes, frame by frame, by any broad phase.
    #[command(after_help = TRACES)]
    Pairs(PairsOptions),
    /// Simulate a scene and detect its collisions.
    #[command(after_help = scenes())]
    Run(Box<RunOptions>),
    /// The same work by several algorithms: how long each takes, and that all say the same.
    #[command(after_help = compare::about())]
    Compare(Box<CompareOptions>),
    /// Draw a level of a mesh's hierarchy, or the hierarchies of two meshes at work.
    #[command(after_help = PICTURES)]
    Picture(Box<PictureOptions>),
    /// Algorithms, what they accept, what they guarantee, their source.
    List(ListOptions),
}

/// What every command takes.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// JSON Lines on standard output: one object a result, nothing else.
    #[arg(long, global = true)]
    pub json: bool,
    /// No progress and no messages, not even on a terminal. Results and errors stay.
    #[arg(long, global = true)]
    pub quiet: bool,
    /// At most so many threads; `check` answers so many queries at a time. Without it there is
    /// one, as times taken beside each other say less.
    #[arg(long, global = true, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Say how much work was done.
    #[arg(long, global = true)]
    pub stats: bool,
}

/// What `check` takes.
#[derive(Args, Clone, Debug)]
pub struct CheckOptions {
    /// The first mesh: a file, or shape:…
    #[arg(value_name = "A", value_parser = mesh_source())]
    pub a: MeshSource,
    /// The second mesh.
    #[arg(value_name = "B", value_parser = mesh_source())]
    pub b: MeshSource,
    /// Which algorithm answers. `all`: every exact one that accepts the two meshes, one result
    /// each; that they disagree is an error.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = choice())]
    pub algorithm: Choice,
    /// The sizes by which `auto` chooses.
    #[command(flatten)]
    pub sizes: ThresholdOptions,
    /// Whether closed meshes are bodies, or only their surfaces count.
    #[arg(long, value_name = "WHICH", default_value = "solid", value_parser = semantics())]
    pub semantics: Semantics,
    /// Where A is. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub pose_a: Option<Pose>,
    /// Where B is. [default: the identity]
    #[arg(long, value_name = "POSE", allow_hyphen_values = true, value_parser = pose_line::pose)]
    pub pose_b: Option<Pose>,
    /// A query for each line of a file (`-`: standard input): a pose for B, or one for A and one
    /// for B. Lines that begin with # are comments.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["pose_a", "pose_b"])]
    pub poses: Option<PathBuf>,
    /// List the pairs of faces that meet: all, or at most N (`--contacts N` will do, too).
    #[arg(
        long,
        value_name = "N",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "all",
        value_parser = contact_limit
    )]
    pub contacts: Option<ContactLimit>,
    /// Say of each pair of faces that meet where: the points, segments and polygons that their
    /// triangles have in common. Lists all pairs where --contacts gives no limit.
    #[arg(long)]
    pub segments: bool,
    /// Count the pairs of faces that meet, without listing them.
    #[arg(long, conflicts_with_all = ["contacts", "segments"])]
    pub count: bool,
    /// Measure how far the two are apart.
    #[arg(long)]
    pub distance: bool,
    /// Being at most X apart is colliding, too.
    #[arg(long, value_name = "X", allow_negative_numbers = true, value_parser = tolerance)]
    pub tolerance: Option<f64>,
    /// Give up on a query after so long, such as 5ms, 2s or 100us. It is then undecided.
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub budget: Option<Duration>,
    /// Time each query N times and report the shortest.
    #[arg(long, value_name = "N", default_value = "1")]
    pub repeat: NonZeroUsize,
    /// Let algorithms profit from what they remember of the queries before, as in motion. Which proof
    /// they bring may then depend on these; one thread answers.
    #[arg(long)]
    pub coherent: bool,
    /// Ask for a proof of being apart that can be checked quickly, also where no plane parts the
    /// two.
    #[arg(long)]
    pub certify: bool,
    /// Check the proof of every verdict; that one does not hold is an error.
    #[arg(long)]
    pub verify: bool,
    /// Let the exit status tell the verdict: 0 apart, 10 collides, 11 undecided.
    #[arg(long)]
    pub exit_code: bool,
}

/// What `classify` takes.
#[derive(Args, Clone, Debug)]
pub struct ClassifyOptions {
    /// The meshes: files, or shape:…
    #[arg(value_name = "FILE", required = true, value_parser = mesh_source())]
    pub files: Vec<MeshSource>,
    /// Mend the mesh, write it to a file (.obj .stl .ply .off) and say what was mended.
    #[arg(long, value_name = "OUT")]
    pub repair: Option<PathBuf>,
}

/// What `pairs` takes.
#[derive(Args, Clone, Debug)]
pub struct PairsOptions {
    /// The boxes of every frame: a file, or - for standard input.
    #[arg(value_name = "TRACE")]
    pub trace: PathBuf,
    /// Which broad phase answers. `all`: every one, one result each; that they disagree is an
    /// error.
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = broad_choice())]
    pub broad: BroadChoice,
}

/// What `run` takes.
#[derive(Args, Clone, Debug)]
pub struct RunOptions {
    /// The scene: a file, or an embedded one by name. [default: cage]
    #[arg(value_name = "SCENE")]
    pub scene: Option<OsString>,
    /// How many frames.
    #[arg(long, value_name = "N", value_parser = frames)]
    pub frames: Option<NonZeroUsize>,
    /// Chooses all random numbers.
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Which broad phase finds the pairs of boxes.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Broad))]
    pub broad: Option<String>,
    /// Which algorithm tests them. `auto`: the one that suits the two.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Narrow))]
    pub narrow: Option<String>,
    /// The sizes by which `auto` chooses.
    #[command(flatten)]
    pub sizes: ThresholdOptions,
    /// How moving objects are bounded.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Bounds))]
    pub bounds: Option<String>,
    /// How the narrow phase builds its hierarchies, if not in its own way.
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Build))]
    pub build: Option<String>,
    /// On which threads: all but `serial` take as many as there are, or --threads. [default: parallel with
    /// --threads of 2 and more, else serial]
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Execution))]
    pub execution: Option<String>,
    /// Write a report to a file: HTML with tables and plots that stands alone.
    #[arg(long, value_name = "OUT.html")]
    pub report: Option<PathBuf>,
    /// Write the scene in motion to a file, at 30 frames a second: binary glTF for any viewer.
    /// What collides is red while it does.
    #[arg(long, value_name = "OUT.glb")]
    pub export: Option<PathBuf>,
    /// Write the boxes of all frames to a file, for `xcollide pairs`.
    #[arg(long, value_name = "OUT")]
    pub trace: Option<PathBuf>,
}

/// What `picture` takes.
#[derive(Args, Clone, Debug)]
pub struct PictureOptions {
    /// The mesh: a file, or shape:…
    #[arg(value_name = "A", value_parser = mesh_source())]
    pub a: MeshSource,
    /// A second mesh, to see both at work.
    #[arg(value_name = "B", value_parser = mesh_source())]
    pub b: Option<MeshSource>,
    /// Whose hierarchies are drawn.
    #[arg(
        long,
        value_name = "NAME",
        default_value = "box-tree",
        value_parser = PossibleValuesParser::new(outlined_algorithms())
    )]
    pub algorithm: String,
    /// Which volumes of one mesh: so many steps below the whole, or `leaves`. [default: leaves]
    #[arg(long, value_name = "N", value_parser = level, conflicts_with = "b")]
    pub level: Option<Level>,
    /// Where A is. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub pose_a: Option<Pose>,
    /// Where B is. [default: the identity]
    #[arg(
        long,
        value_name = "POSE",
        allow_hyphen_values = true,
        requires = "b",
        value_parser = pose_line::pose
    )]
    pub pose_b: Option<Pose>,
    /// The file: binary glTF for any viewer.
    #[arg(long, value_name = "OUT.glb")]
    pub export: PathBuf,
}

/// What `list` takes.
#[derive(Args, Clone, Copy, Debug)]
pub struct ListOptions {
    /// List the shapes that can be generated instead.
    #[arg(long, conflicts_with = "scenes")]
    pub shapes: bool,
    /// List the embedded scenes instead: what they show, where they come from, their parameters.
    #[arg(long)]
    pub scenes: bool,
}

/// Which algorithm is to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Choice {
    /// The one that suits the two models.
    Auto,
    /// Every exact one that accepts them.
    All,
    /// The one of this name.
    Named(String),
}

/// Which broad phase is to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BroadChoice {
    /// Every one.
    All,
    /// The one of this name.
    Named(String),
}

/// How many contacts to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ContactLimit {
    /// All of them.
    All,
    /// Not more than this.
    AtMost(usize),
}

impl ContactLimit {
    /// The limit as a number.
    #[must_use]
    pub fn get(self) -> usize {
        match self {
            Self::All => usize::MAX,
            Self::AtMost(limit) => limit,
        }
    }
}

fn mesh_source() -> impl TypedValueParser<Value = MeshSource> {
    OsStringValueParser::new().map(MeshSource::from)
}

fn choice() -> impl TypedValueParser<Value = Choice> {
    let names = registry::of_kind(Kind::Narrow).map(|entry| entry.name);
    let names = names.filter(|name| *name != "auto");
    PossibleValuesParser::new(["auto", "all"].into_iter().chain(names)).map(|name| {
        match name.as_str() {
            "auto" => Choice::Auto,
            "all" => Choice::All,
            _ => Choice::Named(name),
        }
    })
}

fn broad_choice() -> impl TypedValueParser<Value = BroadChoice> {
    let names = registry::of_kind(Kind::Broad).map(|entry| entry.name);
    PossibleValuesParser::new(names.chain(["all"])).map(|name| match name.as_str() {
        "all" => BroadChoice::All,
        _ => BroadChoice::Named(name),
    })
}

fn phase(kind: Kind) -> PossibleValuesParser {
    PossibleValuesParser::new(run::phase_names(kind).map(PossibleValue::new))
}

/// Names of a kind in a list, or `all`.
pub(crate) fn phases(kind: Kind) -> PossibleValuesParser {
    let names = run::phase_names(kind).chain(["all"]).map(PossibleValue::new);
    PossibleValuesParser::new(names)
}

/// Whether closed meshes are bodies.
pub(crate) fn semantics() -> impl TypedValueParser<Value = Semantics> {
    PossibleValuesParser::new(["solid", "surface"]).map(|name| match name.as_str() {
        "surface" => Semantics::Surface,
        _ => Semantics::Solid,
    })
}

fn contact_limit(text: &str) -> Result<ContactLimit, &'static str> {
    if text == "all" {
        return Ok(ContactLimit::All);
    }
    text.parse().map(ContactLimit::AtMost).map_err(|_| "expected a whole number, or nothing")
}

fn level(text: &str) -> Result<Level, &'static str> {
    if text == "leaves" {
        return Ok(Level::Leaves);
    }
    text.parse().map(Level::At).map_err(|_| "expected a whole number, or leaves")
}

fn tolerance(text: &str) -> Result<f64, &'static str> {
    let value = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0);
    value.ok_or("expected a finite number of at least 0")
}

/// Reads "5ms", "2s", "100us", "1.5 s".
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

/// As scenes have it.
const MAX_FRAMES: usize = 1_000_000_000;

/// A number of frames.
pub(crate) fn frames(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|&number| number <= MAX_FRAMES);
    let number = number.and_then(NonZeroUsize::new);
    number.ok_or_else(|| format!("expected a whole number from 1 to {MAX_FRAMES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

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
