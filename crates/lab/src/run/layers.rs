//! Which algorithms a run takes: what the command line says, else the scene, else the defaults.

use std::num::NonZeroUsize;

use xcollide::World;
use xcollide::execution::{Execution, FineGrain, Parallel, Serial, TwoPhases};
use xcollide::narrow::Query;
use xcollide::registry::{self, Kind};
use xcollide_scenes::Phases;

use super::scene_world::SceneWorld;
use crate::cli::{Common, RunOptions};
use crate::exit::Failure;

/// The name of the execution in which a world checks in a thread of its own.
pub(crate) const CONCURRENT: &str = "concurrent";

/// An empty world of the algorithms that are asked for, and whether it is to check in a thread of its
/// own.
///
/// # Errors
/// The scene names an algorithm that is not there; threads cannot be had.
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
    let narrow = choice(Kind::Narrow, [&options.narrow, &phases.narrow], scene)?;
    builder = match narrow.filter(|name| *name != "auto").and_then(registry::narrow_phase) {
        Some(narrow) => builder.boxed_narrow_phase(narrow),
        None => builder.thresholds(options.sizes.thresholds()?),
    };
    Ok((builder.build(), concurrent))
}

/// How many threads the checks have.
pub(super) fn threads(staged: &SceneWorld, common: &Common) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    match staged.layers().is_parallel {
        true => common.threads.map_or_else(processors, NonZeroUsize::get),
        false => 1,
    }
}

/// The execution of a name, with the threads that are asked for.
fn on_threads(name: &str, common: &Common) -> Result<Box<dyn Execution>, Failure> {
    let threads = common.threads.map_or(0, NonZeroUsize::get);
    let boxed: Result<Box<dyn Execution>, _> = match name {
        "parallel" => Parallel::with_threads(threads).map(|mode| Box::new(mode) as _),
        "fine-grain" => FineGrain::with_threads(threads).map(|mode| Box::new(mode) as _),
        "two-phases" => TwoPhases::with_threads(threads).map(|mode| Box::new(mode) as _),
        _ => Ok(Box::new(Serial)),
    };
    boxed.map_err(|error| Failure::Failed(format!("--threads: {error}")))
}

/// The name that counts, of the one that is asked for and the scene's, if there is any.
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
    let known: Vec<&str> = names(kind).collect();
    if known.contains(&name) {
        return Ok(Some(name));
    }
    let known = known.join(", ");
    Err(Failure::bad_input(format!("{}: found `{name}`, expected one of: {known}", key())))
}

/// The names that can be chosen.
pub(crate) fn names(kind: Kind) -> impl Iterator<Item = &'static str> {
    registry::of_kind(kind).map(|entry| entry.name)
}
