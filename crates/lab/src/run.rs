//! `xcollide run`: simulates a scene and detects its collisions, frame by frame.
//!
//! The scene moves its objects, the [`World`](xcollide::World) says what collides, the scene answers as
//! its response has it, and so on. What collides is part of the motion from then on, so a run is also
//! a sharp test of the algorithms: one wrong answer, and all later frames differ.

mod acceptance;
mod box_trace;
mod detector;
mod folder;
mod interest;
mod layers;
mod motion_export;
mod out_file;
mod promises;
mod record;
mod resource;
mod run_report;
mod scene_world;
mod source;
mod totals;

pub(crate) use acceptance::first_refused;
pub(crate) use box_trace::BoxTrace;
pub(crate) use detector::Detector;
pub(crate) use interest::tell as tell_interest;
pub(crate) use layers::{CONCURRENT, names as phase_names};
pub(crate) use motion_export::MotionExport;
pub(crate) use out_file::OutFile;
pub use record::{FrameRecord, FrameWork, Named, StageNs, Summary, SummaryRecord};
pub(crate) use scene_world::SceneWorld;
pub(crate) use source::Source;

use crate::cli::{Common, RunOptions};
use crate::exit::{Failure, Status};
use crate::output::Output;
use crate::progress::Progress;
use run_report::RunReport;
use totals::Totals;

/// Runs the command.
///
/// # Errors
/// The scene or a name of an algorithm is not what it should be; an algorithm does not accept what the
/// scene pairs, or fails; the trace or standard output cannot be written to.
pub fn run(
    options: &RunOptions,
    common: &Common,
    output: &mut Output,
    progress: &Progress,
) -> Result<Status, Failure> {
    let Source { name, mut scene, mut files } = Source::open(options.scene.as_deref())?;
    scene.frames = options.frames.map_or(scene.frames, std::num::NonZeroUsize::get);
    scene.seed = options.seed.unwrap_or(scene.seed);
    let scene = scene.resolved(&mut files).map_err(|error| source::refused(&name, &error))?;
    let (world, concurrent) = layers::world(options, common, &scene.phases, &name)?;
    let mut trace = options.trace.as_deref().map(BoxTrace::create).transpose()?;
    let report = options.report.as_deref();
    let report = report.map(|path| RunReport::create(path, options, common, &scene));
    let mut report = report.transpose()?;
    let export = options.export.as_deref();
    let mut export = export.map(|path| MotionExport::create(path, &scene)).transpose()?;
    let mut staged = progress.during("making the scene", || {
        SceneWorld::new(&scene, &mut files, world, concurrent)
            .map_err(|error| Failure::bad_input(format!("{name}: {error}")))
    })?;
    let bar = progress.frames(scene.frames as u64, common.json);
    let mut totals = Totals::default();
    for frame in 0..scene.frames {
        if frame > 0 {
            staged.advance();
        }
        let seen = staged.detect()?;
        totals.add(&seen);
        if let Some(report) = &mut report {
            report.add(&seen);
        }
        if let Some(export) = &mut export {
            let simulation = staged.simulation();
            export.add(simulation, simulation.poses(), staged.lists().colliding());
        }
        if let (Some(trace), Some(world)) = (&mut trace, staged.world()) {
            trace.write(seen.frame, world)?;
        }
        if common.json {
            let record = FrameRecord::new(&seen, staged.lists(), common.stats);
            output.result(&record, String::new)?;
        }
        bar.at(frame as u64 + 1);
        bar.say(|| totals::live_line(&seen));
    }
    drop(bar);
    if let Some(trace) = trace {
        trace.finish()?;
    }
    let summary = Summary::new(&scene, &staged, layers::threads(&staged, common), &totals);
    if let Some(report) = report {
        report.finish(&scene, &staged, &summary)?;
    }
    if let Some(export) = export {
        progress.during("writing the scene", || export.finish(&scene, staged.simulation()))?;
    }
    output.result(&SummaryRecord { summary: &summary }, || summary.in_words(&scene, &totals))?;
    Ok(Status::Done)
}
