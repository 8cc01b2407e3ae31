//! Builds the world of a run from the command line, else the scene, else the defaults.

use std::num::NonZeroUsize;

use xcollide::World;
use xcollide::execution::{Execution, Serial};
use xcollide::narrow::combine::Auto;
use xcollide::narrow::{NarrowPhase, Query};
use xcollide::registry::{self, Kind};
use xcollide_scenes::Phases;

use super::scene_world::SceneWorld;
use crate::execution_mode::{CONCURRENT, execution_mode, phase_names};
use crate::exit::Failure;
use crate::options::{Common, RunOptions};

/// An empty world of the selected algorithms, and whether it checks in a thread of its own.
///
/// # Errors
/// The scene names an unknown algorithm; the narrow phase cannot use the builder; threads cannot be
/// started.
pub(super) fn world(
    options: &RunOptions,
    common: &Common,
    phases: &Phases,
    scene: &str,
) -> Result<(World, bool), Failure> {
    let mut builder = World::builder().query(Query::new().stats(common.stats));
    let execution = choice(Kind::Execution, [&options.execution, &phases.execution], scene)?;
    let many = common.threads.is_some_and(|threads| threads.get() > 1);
    let execution = execution.unwrap_or(if many { "parallel" } else { "serial" });
    let concurrent = execution == CONCURRENT;
    if concurrent && options.trace.is_some() {
        let why = "--trace: not with the execution concurrent, whose boxes are in another thread";
        return Err(Failure::bad_input(why.to_owned()));
    }
    let execution = on_threads(execution, common)?;
    let parallel = execution.is_parallel();
    builder = builder.boxed_execution(execution);
    if let Some(name) = choice(Kind::Broad, [&options.broad, &phases.broad], scene)?
        && let Some(broad) = registry::broad_phase(name, parallel)
    {
        builder = builder.boxed_broad_phase(broad);
    }
    if let Some(name) = choice(Kind::Bounds, [&options.bounds, &phases.bounds], scene)?
        && let Some(bounding) = registry::bounding(name)
    {
        builder = builder.boxed_bounding(bounding);
    }
    builder = match narrow_phase(options, phases, scene)? {
        Some(narrow) => builder.boxed_narrow_phase(narrow),
        None => builder.thresholds(options.sizes.thresholds()?),
    };
    Ok((builder.build(), concurrent))
}

/// Number of threads of a check.
pub(super) fn threads(staged: &SceneWorld, common: &Common) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match staged.layers().is_parallel {
        true => common.threads.map_or_else(processors, NonZeroUsize::get),
        false => 1,
    }
}

/// The execution mode of this name, with the selected number of threads.
fn on_threads(name: &str, common: &Common) -> Result<Box<dyn Execution>, Failure> {
    let threads = common.threads.map_or(0, NonZeroUsize::get);
    match execution_mode(name, threads) {
        Ok(make) => Ok(make.map_or_else(|| Box::new(Serial) as _, |make| make())),
        Err(error) => Err(Failure::Failed(format!("--threads: {error}"))),
    }
}

/// The selected narrow phase with the selected builder; `None` for plain `auto`.
fn narrow_phase(
    options: &RunOptions,
    phases: &Phases,
    scene: &str,
) -> Result<Option<Box<dyn NarrowPhase>>, Failure> {
    let name = choice(Kind::Narrow, [&options.narrow, &phases.narrow], scene)?;
    let build = choice(Kind::Build, [&options.build, &phases.build], scene)?;
    let named = name.filter(|name| *name != "auto").and_then(registry::narrow_phase);
    let Some(build) = build else { return Ok(named) };
    let narrow = match named {
        Some(named) => named,
        None => Box::new(Auto::with(options.sizes.thresholds()?)),
    };
    let builders = registry::of_kind(Kind::Build).find(|entry| entry.name == build);
    let builders = builders.map(registry::Entry::tree_builders).unwrap_or_default();
    let built = registry::built_by_any(narrow, &builders);
    built.map(Some).map_err(|error| Failure::bad_input(format!("{scene}: build {build}: {error}")))
}

/// The selected name, else the scene's, if any.
fn choice<'a>(
    kind: Kind,
    [asked, phase]: [&'a Option<String>; 2],
    scene: &str,
) -> Result<Option<&'a str>, Failure> {
    let Some(name) = asked.as_deref().or(phase.as_deref()) else { return Ok(None) };
    let key = || match asked {
        Some(_) => format!("--{}", kind.name()),
        None => format!("{scene}: key `phases.{}`", kind.name()),
    };
    let known: Vec<&str> = phase_names(kind).collect();
    if known.contains(&name) {
        return Ok(Some(name));
    }
    let known = known.join(", ");
    Err(Failure::bad_input(format!("{}: found `{name}`, expected one of: {known}", key())))
}
