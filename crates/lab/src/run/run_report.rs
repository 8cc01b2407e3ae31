//! The HTML report of a run.

use std::collections::BTreeSet;
use std::path::Path;

use xcollide::narrow::Semantics;
use xcollide::registry::{self, Kind};
use xcollide_scenes::{Flexible, Motion, Phases, Response, Scene, Simulation};

use super::MotionRecord;
use super::flexible::{FlexibleFrame, FlexibleNs};
use super::record::{STAGES, Summary, Work};
use super::scene_world::{FrameMeasurement, SceneWorld};
use crate::exit::Failure;
use crate::meetings::MeetingLog;
use crate::moving_scene::view_section;
use crate::options::{Common, RunOptions};
use crate::output::time;
use crate::output_file::OutputFile;
use crate::quantile::ranked;
use crate::report::{
    Axis, BarPlot, Column, LinePlot, Page, Section, Series, Table, command_line, how_to_repeat,
    number, time_unit,
};

/// Longer scenes are not included in the report.
const LONGEST_SCENE: usize = 6000;

pub(super) struct RunReport {
    to: OutputFile,
    /// The scene as it was asked for.
    asked: String,
    command: String,
    frames: Vec<Sample>,
    /// For the view; or why there is none.
    pub(super) motion: Result<MotionRecord, String>,
}

struct Sample {
    ns: [u64; 4],
    pairs: usize,
    colliding: usize,
}

impl RunReport {
    /// Opens the report. The file's old content stays until the run is done.
    pub(super) fn create(
        path: &Path,
        options: &RunOptions,
        common: &Common,
        scene: &Scene,
        phases: &Phases,
    ) -> Result<Self, Failure> {
        let asked = asked(options);
        let command = command(&asked, options, common, scene, phases);
        let (frames, motion) = (Vec::new(), MotionRecord::new(scene, options.report_layers()));
        Ok(Self { to: OutputFile::open(path)?, asked, command, frames, motion })
    }

    pub(super) fn add(&mut self, measured: &FrameMeasurement) {
        self.frames.push(Sample {
            ns: measured.ns.0,
            pairs: measured.stats.pairs,
            colliding: measured.counts[0] + measured.counts[1],
        });
    }

    pub(super) fn finish(
        self,
        scene: &Scene,
        staged: &SceneWorld,
        summary: &Summary<'_>,
        meetings: &MeetingLog,
    ) -> Result<(), Failure> {
        let lead = match &*scene.about {
            "" => format!("A run of {} frames.", self.frames.len()),
            about => sentence(about),
        };
        let page = Page::new(&format!("Collisions in {}", scene.name)).lead(&lead);
        let page = meetings.sections().into_iter().fold(page, Page::section);
        let page = page
            .section(self.view(scene, staged))
            .section(what_was_run(&self.asked, scene, staged.simulation()))
            .section(algorithms(summary))
            .section(found(&self.frames, summary))
            .section(times(&self.frames, summary));
        let page = match &summary.flexible {
            Some(seen) => page.section(flexible(seen, self.frames.len())),
            None => page,
        };
        let page =
            page.section(how_to_repeat(&self.command)).section(scenery(scene, staged.simulation()));
        self.to.write(page.to_html().as_bytes())
    }
}

impl RunReport {
    /// The scene in motion.
    fn view(&self, scene: &Scene, staged: &SceneWorld) -> Section {
        let frames = self.frames.len() as u64;
        let glb = self.motion.as_ref().map_err(Clone::clone).and_then(|motion| {
            motion.glb(scene, staged.simulation()).map_err(|error| error.to_string())
        });
        view_section(glb, frames, "frame")
    }
}

fn flexible(seen: &FlexibleFrame, frames: usize) -> Section {
    let FlexibleNs { response, stop, self_test } = seen.ns;
    let mean = |ns: u64| time(ns / (frames as u64).max(1));
    Section::new("Objects that change their shape")
        .prose("Cloth is stopped before it would intersect anything; clay may intersect itself.")
        .table(
            Table::of_values()
                .row([
                    "intersections with themselves, all frames",
                    &seen.self_intersections.to_string(),
                ])
                .row(["vertices stopped, all frames", &seen.stopped.to_string()])
                .row(["response, a frame", &mean(response)])
                .row(["stopping, a frame", &mean(stop)])
                .row(["tests with themselves, a frame", &mean(self_test)]),
        )
}

/// The text as a sentence, with a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut rest = text.trim_end_matches('.').chars();
    rest.next().into_iter().flat_map(char::to_uppercase).chain(rest).chain(['.']).collect()
}

fn asked(options: &RunOptions) -> String {
    options.scene.as_ref().map_or_else(
        || xcollide_scenes::DEFAULT_SCENE.to_owned(),
        |asked| asked.to_string_lossy().into_owned(),
    )
}

/// The command that repeats the run, with the scene's settings as options, since a scene file may
/// change.
fn command(
    asked: &str,
    options: &RunOptions,
    common: &Common,
    scene: &Scene,
    phases: &Phases,
) -> String {
    let mut arguments = vec!["run".to_owned(), asked.to_owned()];
    let [frames, seed] = [scene.frames.to_string(), scene.seed.to_string()];
    let threads = common.threads.map(|threads| threads.to_string());
    let surface = (options.semantics == Semantics::Surface).then(|| "surface".to_owned());
    let tolerance = options.tolerance.map(|tolerance| format!("{tolerance:?}"));
    let thresholds = options.sizes.thresholds.as_ref();
    let thresholds = thresholds.map(|path| path.to_string_lossy().into_owned());
    for (option, value) in [
        ("--frames", Some(&frames)),
        ("--seed", Some(&seed)),
        ("--semantics", surface.as_ref()),
        ("--tolerance", tolerance.as_ref()),
        ("--broad", phases.broad.as_ref()),
        ("--narrow", phases.narrow.as_ref()),
        ("--bounds", phases.bounds.as_ref()),
        ("--thresholds", thresholds.as_ref()),
        ("--build", phases.build.as_ref()),
        ("--execution", phases.execution.as_ref()),
        ("--threads", threads.as_ref()),
    ] {
        arguments.extend(value.into_iter().flat_map(|value| [option.to_owned(), value.clone()]));
    }
    if let Some(up_to) = options.distance {
        let limit = if up_to.is_finite() { format!("={up_to:?}") } else { String::new() };
        arguments.push(format!("--distance{limit}"));
    }
    // A report or JSON is what shows distances.
    arguments.extend(options.distance.is_some().then(|| "--json".to_owned()));
    arguments.extend(common.stats.then(|| "--stats".to_owned()));
    command_line(arguments)
}

fn found(frames: &[Sample], summary: &Summary<'_>) -> Section {
    let mut table = Table::of_numbers("", "", [""]);
    for (what, count) in summary.counts() {
        table = table.row([what, &count.to_string()]);
    }
    let over_frames = |name: &str, of: &dyn Fn(&Sample) -> usize| {
        let values = frames.iter().enumerate();
        Series::new(name, values.map(|(frame, sample)| [frame as f64, of(sample) as f64]))
    };
    let plot = LinePlot::new(
        "Pairs and collisions in each frame",
        Axis::count("frame"),
        Axis::count("pairs").with_zero(),
    )
    .series(over_frames("boxes overlap", &|sample| sample.pairs))
    .series(over_frames("collide", &|sample| sample.colliding));
    let prose = "The broad phase finds the pairs of objects whose boxes overlap, the narrow phase \
                 those of them that collide. A collision goes on for as many frames as the two \
                 touch, and is counted when it begins.";
    Section::new("What was found").prose(prose).table(table).lines(plot)
}

fn times(frames: &[Sample], summary: &Summary<'_>) -> Section {
    let sums: Vec<u64> = frames.iter().map(|sample| sample.ns.iter().sum()).collect();
    let of_stage = |stage: usize| -> Vec<u64> { frames.iter().map(|s| s.ns[stage]).collect() };
    let longest = ranked(&sums, 1.0).1;
    let (nanoseconds, unit) = time_unit(longest as f64);
    let short = time_unit(ranked(&sums, 0.99).1 as f64);
    let total: u64 = sums.iter().sum();
    let mut table = Table::of_numbers(
        "Time by stage in a frame; 99 of 100 frames take at most what is under 99 %",
        "stage",
        ["median", "99 %", "longest", "all frames", "share"],
    );
    let stages = STAGES.iter().enumerate().map(|(stage, &name)| (name, of_stage(stage)));
    for (name, values) in stages.chain([("all stages", sums.clone())]) {
        let sum: u64 = values.iter().sum();
        let share = 100.0 * sum as f64 / total.max(1) as f64;
        let [median, high, most] = [0.5, 0.99, 1.0].map(|part| time(ranked(&values, part).1));
        let cells = [name, &median, &high, &most, &time(sum), &format!("{share:.1} %")];
        table = table.row(cells);
    }
    let mut lines =
        LinePlot::new("Time by stage in each frame", Axis::count("frame"), Axis::log("time", unit));
    for (stage, name) in STAGES.iter().enumerate() {
        let values = of_stage(stage).into_iter().enumerate();
        let points = values.map(|(frame, ns)| [frame as f64, ns as f64 / nanoseconds]);
        lines = lines.series(Series::new(name, points));
    }
    let mut bars =
        BarPlot::new("Where the time of a frame goes", Axis::linear("time", short.1), STAGES);
    for (part, name) in [(0.5, "median"), (0.99, "99 %")] {
        let frame = ranked(&sums, part).0;
        let Some(sample) = frames.get(frame) else { continue };
        let stages = sample.ns.map(|ns| ns as f64 / short.0);
        bars = bars.bar(&format!("{name} (frame {frame})"), stages);
    }
    let mean = |stage: usize| of_stage(stage).iter().sum::<u64>() as f64 / frames.len() as f64;
    bars = bars.bar("mean of all", [0, 1, 2, 3].map(|stage| mean(stage) / short.0));
    let prose = format!(
        "A frame has four stages: the world is told of all poses, what has moved is bounded, pairs \
         of boxes are found (broad), and those are tested (narrow). Computing the motion is not \
         timed. Frame 0 has nothing to remember from earlier ones. Before it, preparing objects and \
         algorithms took {}.",
        time(summary.preparing_ns)
    );
    Section::new("Time").prose(&prose).table(table).bars(bars).lines(lines)
}

fn algorithms(summary: &Summary<'_>) -> Section {
    let layers = summary.layers;
    let columns = ["", "name", "guarantee", "source"].map(Column::text);
    let mut table = Table::new("", columns);
    for (kind, what, name, guarantee) in [
        (Kind::Broad, "broad phase", layers.broad, None),
        (Kind::Narrow, "narrow phase", layers.narrow, Some(layers.guarantee.name())),
        (Kind::Bounds, "bounds", layers.bounds, None),
        (Kind::Execution, "execution", layers.execution, None),
    ] {
        let entry = registry::find(kind, name);
        let guarantee = guarantee.or(entry.map(|entry| entry.guarantee.name())).unwrap_or_default();
        let source = entry.map(|entry| entry.source).unwrap_or_default();
        table = table.row([what, name, guarantee, source]);
    }
    let mut section = Section::new("The algorithms")
        .prose("All exact algorithms give the same answers; they differ in time only.")
        .table(table.row(["threads", &summary.threads.to_string()]));
    if let Some(work) = summary.stats.map(Work::counts) {
        let table = Table::of_numbers("Work of all frames", "", ["count"]);
        section = section.table(
            work.into_iter()
                .fold(table, |table, (what, count)| table.row([what, &count.to_string()])),
        );
    }
    section
}

fn what_was_run(asked: &str, scene: &Scene, simulation: &Simulation) -> Section {
    let response = Response::ALL.iter().find(|(response, _)| *response == scene.response);
    let cage = simulation.cage().map_or_else(
        || "none".to_owned(),
        |[[a, b, c], [x, y, z]]| {
            let size = [x - a, y - b, z - c].map(number);
            format!("{} × {} × {}", size[0], size[1], size[2])
        },
    );
    let mut table = Table::of_values().row(["scene", asked]);
    let files: BTreeSet<&str> =
        scene.objects.iter().filter_map(|object| object.mesh.file()).collect();
    if !files.is_empty() {
        let files: Vec<&str> = files.into_iter().collect();
        table = table.row(["mesh files", &files.join(", ")]);
    }
    let table = table
        .row(["units", "lengths as in the scene, time in frames"])
        .row(["seed", &scene.seed.to_string()])
        .row(["frames", &scene.frames.to_string()])
        .row(["tested", if scene.continuous { "on the way" } else { "at the poses of frames" }])
        .row(["response to collisions", response.map_or("", |(_, name)| name)])
        .row(["cage", &cage])
        .row(["program", &format!("xcollide {}", env!("CARGO_PKG_VERSION"))]);
    Section::new("What was run").table(table)
}

fn scenery(scene: &Scene, simulation: &Simulation) -> Section {
    let columns = [
        Column::text("object"),
        Column::text("mesh"),
        Column::number("instances"),
        Column::number("faces of each"),
        Column::text("motion"),
    ];
    let mut table = Table::new("", columns);
    let instances = simulation.instances();
    for of_object in instances.chunk_by(|a, b| a.object == b.object) {
        let Some(first) = of_object.first() else { continue };
        let object = &scene.objects[first.object];
        let faces = of_object.iter().map(|one| simulation.meshes()[one.mesh].face_count());
        let (least, most) =
            faces.fold((usize::MAX, 0), |(least, most), n| (least.min(n), most.max(n)));
        let faces = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let name = if object.name.is_empty() { "(no name)" } else { &object.name };
        let count = of_object.len().to_string();
        let motion = match (&object.motion, object.is_static) {
            _ if matches!(object.flexible, Some(Flexible::Cloth(_))) => "cloth",
            (_, true) => "static",
            (Motion::Fixed, false) => "stands",
            (Motion::Free { .. }, false) => "free",
            (Motion::Orbit { .. }, false) => "orbit",
            (Motion::Recorded { .. }, false) => "recorded",
            _ => "moves",
        };
        table = table.row([name, object.mesh.text(), &count, &faces, motion]);
    }
    let section = Section::new("The scene").table(table);
    match scene.to_toml() {
        text if text.len() <= LONGEST_SCENE => {
            section.prose("The same scene as a file, for `xcollide run FILE.toml`:").code(&text)
        }
        _ => section,
    }
}
