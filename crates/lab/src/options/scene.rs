//! Options of `run` and `pairs`, and the files that show what was found.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use xcollide::Order;
use xcollide::narrow::Semantics;
use xcollide::registry::Kind;

use crate::output_file::ending_in;
use crate::visual_aids::Aid;

use super::ending::{CSV, GLB, HTML};
use super::thresholds::ThresholdOptions;
use super::value::{
    at_least_one, contact_limit, distance_limit, duration, frames, phase, phases, semantics,
    tolerance,
};

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
    /// Which algorithm tests them. `auto` chooses by the two models. `race:A+B`: two at once;
    /// `chain:A+B`: the second where the first is undecided.
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
    /// Test a frame approximately where exact tests would have it take longer than this, such as 8ms. Pairs that may touch
    /// are undecided then; what is proved counts. [default: never]
    #[arg(long, value_name = "DURATION", value_parser = duration)]
    pub(crate) degrade: Option<Duration>,
    /// Which algorithm tests then. [default: wide-obb-boxes]
    #[arg(long, value_name = "NAME", value_parser = phase(Kind::Narrow))]
    pub(crate) degrade_to: Option<String>,
    /// Test at most N pairs a frame; the others are undecided. [default: as the scene says]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    pub(crate) tests: Option<NonZeroUsize>,
    /// Begin no more tests after so much time in a frame, such as 500us or 2ms.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub(crate) budget: Option<Duration>,
    /// Which pairs come first under --tests or --budget, or a scene's limit. [default: round-robin]
    #[arg(long, value_name = "NAME", value_parser = order())]
    pub(crate) order: Option<Order>,
    /// Count pairs that are not tested in time as in contact where their boxes overlap.
    #[arg(long)]
    pub(crate) assume_contact: bool,
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

/// The layers of a view unless others are asked for.
const REPORT_LAYERS: [Aid; 3] = [Aid::Contacts, Aid::Nearest, Aid::Planes];

fn order() -> impl TypedValueParser<Value = Order> {
    PossibleValuesParser::new(Order::ALL.map(Order::name))
        .map(|name| Order::named(&name).unwrap_or_default())
}

fn layer() -> impl TypedValueParser<Value = Aid> {
    let named = |name: String| Aid::ALL.into_iter().find(|aid| aid.name() == name);
    PossibleValuesParser::new(Aid::ALL.map(Aid::name))
        .map(move |name| named(name).unwrap_or(Aid::Contacts))
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
