//! Builds the world of a run. Algorithms are those of the command line, else of the scene, else the
//! defaults.

use std::num::NonZeroUsize;
use std::time::Duration;

use rayon::ThreadPool;
use xcollide::execution::Serial;
use xcollide::interest::Ask;
use xcollide::narrow::combine::Auto;
use xcollide::narrow::{NarrowPhase, Query};
use xcollide::registry::{self, Kind};
use xcollide::{Degradation, Order, Schedule, World};
use xcollide_scenes::{Phases, TestSchedule};

use super::scene_world::SceneWorld;
use crate::execution_mode::{CONCURRENT, known_phase};
use crate::exit::Failure;
use crate::options::{Common, RunOptions, duration};
use crate::visual_aids::Aid;

/// The algorithms of the options, else of the scene, whose `name` is for messages.
pub(super) fn phases(options: &RunOptions, scene: &Phases, name: &str) -> Result<Phases, Failure> {
    let choice = |kind: Kind, option: &Option<String>, phase: &Option<String>| {
        let Some(phase) = phase.as_ref().filter(|_| option.is_none()) else {
            return Ok(option.clone());
        };
        match known_phase(kind, phase) {
            Ok(phase) => Ok(Some(phase.to_owned())),
            Err(problem) => Err(Failure::bad_input(format!("{name}: {problem}"))),
        }
    };
    let mut phases = Phases::default();
    phases.execution = choice(Kind::Execution, &options.execution, &scene.execution)?;
    phases.broad = choice(Kind::Broad, &options.broad, &scene.broad)?;
    phases.bounds = choice(Kind::Bounds, &options.bounds, &scene.bounds)?;
    phases.narrow = choice(Kind::Narrow, &options.narrow, &scene.narrow)?;
    phases.build = choice(Kind::Build, &options.build, &scene.build)?;
    phases.degrade_to = choice(Kind::Narrow, &options.degrade_to, &scene.degrade_to)?;
    phases.degrade.clone_from(&scene.degrade);
    Ok(phases)
}

/// The limits of the options, else of the scene, whose `name` is for messages; `None` if all pairs are tested.
pub(super) fn schedule(
    options: &RunOptions,
    scene: &Option<TestSchedule>,
    name: &str,
) -> Result<Option<Schedule>, Failure> {
    let RunOptions { tests, budget, order, assume_contact, .. } = *options;
    if scene.is_none() && tests.is_none() && budget.is_none() {
        let unused = [(order.is_some(), "--order"), (assume_contact, "--assume-contact")];
        return match unused.into_iter().find(|(given, _)| *given) {
            Some((_, option)) => Err(Failure::bad_input(format!(
                "{option}: found no limit, expected --tests, --budget or a scene with `schedule`"
            ))),
            None => Ok(None),
        };
    }
    let mut schedule = Schedule::new(budget.unwrap_or(Duration::MAX));
    if let Some(most) = tests.map(NonZeroUsize::get).or(scene.as_ref().map(|scene| scene.tests)) {
        schedule = schedule.at_most(most);
    }
    if let Some(scene) = scene {
        if let Some(order) = &scene.order {
            schedule = schedule.order(Order::named(order).ok_or_else(|| {
                let known = Order::ALL.map(Order::name).join(", ");
                Failure::bad_input(format!(
                    "{name}: key `schedule.order`: found `{order}`, expected one of: {known}"
                ))
            })?);
        }
        if let Some(viewer) = scene.viewer {
            schedule = schedule.seen_from(viewer);
        }
        schedule = schedule.noticing_speed(scene.speed);
    }
    if let Some(order) = order {
        schedule = schedule.order(order);
    }
    let assumes = assume_contact || scene.as_ref().is_some_and(|scene| scene.assume_contact);
    Ok(Some(if assumes { schedule.assuming_contact() } else { schedule }))
}

fn execution_name<'p>(phases: &'p Phases, common: &Common) -> &'p str {
    let many = common.threads.is_some_and(|threads| threads.get() > 1);
    phases.execution.as_deref().unwrap_or(if many { "parallel" } else { "serial" })
}

/// The threads of a world that checks on several, `None` for others. The whole run takes place on one of them: one beside
/// them would have to wake and to wait for them in each frame, and where processors are few the system then often queues
/// two of them on one.
pub(super) fn pool(phases: &Phases, common: &Common) -> Result<Option<ThreadPool>, Failure> {
    let execution = registry::execution(execution_name(phases, common));
    let is_parallel = execution.is_some_and(|execution| execution.is_parallel());
    is_parallel.then(|| common.pool(0)).transpose()
}

/// An empty world of these algorithms, whose threads are those of the current pool, and whether it checks in a thread of its own.
pub(super) fn world(
    options: &RunOptions,
    common: &Common,
    phases: &Phases,
    scene: &str,
) -> Result<(World, bool), Failure> {
    let query = Query::new().semantics(options.semantics).stats(common.stats);
    if options.distance.is_some() && !common.json && options.report.is_none() {
        let what = "--distance: found neither --json nor --report, expected one, as distances are shown there";
        return Err(Failure::bad_input(what.to_owned()));
    }
    if options.distance.is_none()
        && let Some(aid) =
            options.layers().iter().find(|aid| [Aid::Nearest, Aid::Planes].contains(aid))
    {
        let what = format!(
            "--layers: found {} without --distance, expected --distance or another layer",
            aid.name()
        );
        return Err(Failure::bad_input(what));
    }
    let mut builder = World::builder().query(query);
    let execution = execution_name(phases, common);
    let concurrent = execution == CONCURRENT;
    if concurrent && options.trace.is_some() {
        let why = "--trace: not with the execution concurrent, whose boxes are in another thread";
        return Err(Failure::bad_input(why.to_owned()));
    }
    let execution = registry::execution(execution).unwrap_or_else(|| Box::new(Serial));
    let parallel = execution.is_parallel();
    builder = builder.boxed_execution(execution);
    if let Some(broad) =
        phases.broad.as_ref().and_then(|name| registry::broad_phase(name, parallel))
    {
        builder = builder.boxed_broad_phase(broad);
    }
    if let Some(bounding) = phases.bounds.as_deref().and_then(registry::bounding) {
        builder = builder.boxed_bounding(bounding);
    }
    builder = match narrow_phase(options, phases, scene)? {
        Some(narrow) => builder.boxed_narrow_phase(narrow),
        None => builder.thresholds(options.sizes.thresholds()?),
    };
    let mut world = builder.build();
    world.set_degradation(degradation(options, phases, scene)?);
    world.interest_mut().set_default_ask(match *options {
        RunOptions { distance: Some(up_to), .. } => Ask::Distance { up_to },
        RunOptions { tolerance: Some(tolerance), .. } => Ask::Within { tolerance },
        RunOptions { contacts: Some(limit), .. } => Ask::Contacts { limit },
        _ => Ask::Touch,
    });
    Ok((world, concurrent))
}

/// Approximate tests of frames that would take too long, if the options or the scene want them.
fn degradation(
    options: &RunOptions,
    phases: &Phases,
    scene: &str,
) -> Result<Option<Degradation>, Failure> {
    const DEFAULT: &str = "wide-obb-boxes";
    let of_scene = phases.degrade.as_ref().filter(|_| options.degrade.is_none());
    let limit = match of_scene {
        None => options.degrade,
        Some(text) => Some(duration(text).map_err(|expected| {
            let what = format!("{scene}: key `phases.degrade`: found `{text}`, {expected}");
            Failure::bad_input(what)
        })?),
    };
    let name = phases.degrade_to.as_deref();
    match (limit, registry::narrow_phase(name.unwrap_or(DEFAULT))) {
        (Some(limit), Some(narrow)) => Ok(Some(Degradation::boxed(limit, narrow))),
        (None, _) if name.is_some() => {
            let what = format!(
                "{scene}: found an approximate algorithm without a time, expected --degrade, or \
                 `degrade` in the scene's `phases`"
            );
            Err(Failure::bad_input(what))
        }
        _ => Ok(None),
    }
}

pub(super) fn threads(staged: &SceneWorld, common: &Common) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match staged.layers().is_parallel {
        true => common.threads.map_or_else(processors, NonZeroUsize::get),
        false => 1,
    }
}

/// The selected narrow phase with the selected builder; `None` for plain `auto`.
fn narrow_phase(
    options: &RunOptions,
    phases: &Phases,
    scene: &str,
) -> Result<Option<Box<dyn NarrowPhase>>, Failure> {
    let name = phases.narrow.as_deref().filter(|name| *name != "auto");
    let named = name.and_then(registry::narrow_phase);
    let Some(build) = &phases.build else { return Ok(named) };
    let narrow = match named {
        Some(named) => named,
        None => Box::new(Auto::with(options.sizes.thresholds()?)),
    };
    let builders = registry::find(Kind::Build, build);
    let builders = builders.map(registry::Entry::tree_builders).unwrap_or_default();
    let built = registry::built_by_any(narrow, &builders);
    built.map(Some).map_err(|error| Failure::bad_input(format!("{scene}: build {build}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a thread of its own a world needs no pool.
    #[test]
    fn runs_on_several_threads_have_a_pool_of_as_many() -> Result<(), Failure> {
        for (execution, threads, expected) in [
            (None, None, None),
            (None, NonZeroUsize::new(1), None),
            (None, NonZeroUsize::new(3), Some(3)),
            (Some("fine-grain"), NonZeroUsize::new(2), Some(2)),
            (Some("serial"), NonZeroUsize::new(3), None),
            (Some(CONCURRENT), NonZeroUsize::new(3), None),
        ] {
            let mut phases = Phases::default();
            phases.execution = execution.map(str::to_owned);
            let common = Common { threads, ..Common::default() };
            let made = pool(&phases, &common)?.map(|pool| pool.current_num_threads());
            assert_eq!(made, expected, "{execution:?} {threads:?}");
        }
        Ok(())
    }
}
