//! `xcollide run`: simulates a scene and detects its collisions, frame by frame.
//!
//! In each frame the scene moves its objects, the [`World`](xcollide::World) finds the collisions,
//! and the scene responds to them. Responses change the motion, so a wrong answer changes all later
//! frames.

mod box_trace;
mod detector;
mod flexible;
mod frame_totals;
mod instance_names;
mod interest;
mod layers;
mod motion_bounds;
mod motion_export;
mod record;
mod run_report;
mod scene_files;
mod scene_objects;
mod scene_world;
mod source;
mod visual_aids;

pub(crate) use box_trace::BoxTrace;
pub(crate) use detector::Detector;
pub(crate) use instance_names::instance_names;
pub(crate) use interest::set_interest;
pub(crate) use motion_export::{MOST_POSES, MotionExport, MotionRecord};
pub(crate) use record::{StageNs, Work};
pub(crate) use scene_objects::{add_objects, first_refused, models};
pub(crate) use scene_world::{SceneWorld, numbers};
pub(crate) use source::Source;

use xcollide::Schedule;
use xcollide_scenes::Phases;

use crate::exit::{Failure, Status};
use crate::meetings::{Instants, Measurements, MeetingLog};
use crate::options::RunOptions;
use crate::output::{Object, Session};
use frame_totals::FrameTotals;
use record::{Details, FrameRecord, Summary};
use run_report::RunReport;
use scene_world::FrameMeasurement;

/// Simulates the scene, on a thread of the pool if the world uses several.
pub(crate) fn run(options: &RunOptions, session: &mut Session) -> Result<Status, Failure> {
    let mut source = Source::open(options.scene.as_deref())?;
    source.resolve(options.frames, options.seed)?;
    let phases = layers::phases(options, &source.scene.phases, &source.name)?;
    match layers::pool(&phases, &session.common)? {
        Some(pool) => pool.install(|| simulate(options, session, source, &phases)),
        None => simulate(options, session, source, &phases),
    }
}

fn simulate(
    options: &RunOptions,
    session: &mut Session,
    source: Source,
    phases: &Phases,
) -> Result<Status, Failure> {
    let Session { common, output, progress } = session;
    let Source { name, mut scene, mut files } = source;
    scene.continuous = options.continuous.unwrap_or(scene.continuous);
    let schedule = layers::schedule(options, &scene.schedule, &name)?;
    let (mut world, concurrent) = layers::world(options, common, phases, &name)?;
    let assumes = schedule.as_ref().is_some_and(Schedule::assumes_contact);
    world.set_schedule(schedule);
    let mut trace = options.trace.as_deref().map(BoxTrace::create).transpose()?;
    let report = options.report.as_deref();
    let report = report.map(|path| RunReport::create(path, options, common, &scene, phases));
    let mut report = report.transpose()?;
    let export = options.export.as_deref();
    let create = |path| MotionExport::create(path, &scene, options.layers());
    let mut export = export.map(create).transpose()?;
    let mut staged = progress.during("making the scene", || {
        SceneWorld::new(&scene, &mut files, world, concurrent)
            .map_err(|error| Failure::bad_input(format!("{name}: {error}")))
    })?;
    let bar = progress.frames(scene.frames as u64, common.json);
    let mut totals = FrameTotals::default();
    let names = instance_names(&scene, staged.simulation());
    let mut meetings = MeetingLog::new(names.clone(), Instants::Frames);
    let mut measurements = Measurements::new(options.semantics);
    for frame in 0..scene.frames {
        if frame > 0 {
            staged.advance()?;
        }
        let measured = staged.detect()?;
        totals.add(&measured);
        if let Some(report) = &mut report {
            report.add(&measured);
            let contacts = staged.measured_contacts(&mut measurements);
            if let Ok(motion) = &mut report.motion {
                visual_aids::record_frame(motion, &staged, &contacts);
            }
            meetings.add(contacts);
            meetings.add_distances(staged.distances());
        } else if !common.json {
            meetings.add(staged.contacts());
        }
        if let Some(export) = &mut export {
            let contacts: Vec<_> = staged.contacts().collect();
            visual_aids::record_frame(&mut export.record, &staged, &contacts);
        }
        if let (Some(trace), Some(world)) = (&mut trace, staged.world()) {
            trace.write(measured.frame, world)?;
        }
        if common.json {
            let FrameMeasurement { frame, ns, stats, flexible, .. } = measured;
            let (lists, pairs) = (staged.lists(), stats.pairs);
            let stats = common.stats.then(|| measured.work());
            let distances = options.distance.map(|_| {
                staged.distances().map(|([a, b], distance)| (a, b, distance.value)).collect()
            });
            let times = scene.continuous.then(|| staged.times());
            let assumed = assumes.then(|| staged.assumed());
            let details = Details::new(options, &staged, &names);
            let (undecided, approximate) = (staged.undecided(), staged.found().approximate);
            let record = FrameRecord {
                frame,
                lists,
                assumed,
                distances,
                times,
                undecided,
                approximate,
                pairs,
                details,
                flexible,
                ns,
                stats,
            };
            output.result(&record, String::new)?;
        }
        bar.at(frame as u64 + 1);
        bar.message(|| frame_totals::live_line(&measured));
    }
    drop(bar);
    if let Some(trace) = trace {
        trace.finish()?;
    }
    let summary = Summary::new(&scene, &staged, layers::threads(&staged, common), &totals);
    if let Some(report) = report {
        report.finish(&scene, &staged, &summary, &meetings)?;
    }
    if let Some(export) = export {
        progress.during("writing the scene", || export.finish(&scene, staged.simulation()))?;
    }
    let record = Object(vec![("summary", &summary)]);
    output.result(&record, || summary.in_words(&scene, &totals, &meetings))?;
    Ok(Status::Done)
}
