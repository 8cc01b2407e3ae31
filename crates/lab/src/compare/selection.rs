//! Selects the algorithms to compare.

use std::num::NonZeroUsize;

use xcollide::narrow::combine::Auto;
use xcollide::registry::{self, Kind};
use xcollide_scenes::Scene;

use super::{Algorithm, Build, CompareOptions, Comparison};
use crate::execution_mode::{known_phase, phase_names};
use crate::exit::Failure;
use crate::options::Common;

/// The default narrow phases for a scene with few objects.
const FEW: &[&str] = &["auto", "wide-obb", "obb-tree", "box-tree", "interval-tree"];
/// The default broad phases for a scene with many objects.
const MANY: &[&str] =
    &["auto", "sweep-and-prune", "hash-grid", "grid", "octree", "dynamic-tree", "wide-tree"];
/// The least number of "many" objects.
const CROWD: usize = 200;

/// The comparison of the algorithms of the command line, else of the scene, else of a default set.
pub(super) fn comparison(
    options: &CompareOptions,
    common: &Common,
    scene: &Scene,
) -> Result<Comparison, Failure> {
    let mut comparison = Comparison::new().rounds(options.rounds.get());
    let threads = common.threads.map_or(0, NonZeroUsize::get);
    let named = |kind| names(kind, options, scene);
    for name in named(Kind::Broad)? {
        comparison = comparison.broad(made(Algorithm::broad_phase(name), name)?);
    }
    let sizes = options.sizes.thresholds()?;
    let narrow = named(Kind::Narrow)?;
    for name in if narrow.is_empty() { vec!["auto"] } else { narrow } {
        comparison = comparison.narrow(match name {
            "auto" => Algorithm::own_narrow_phase(name, move || Auto::with(sizes)),
            _ => made(Algorithm::narrow_phase(name), name)?,
        });
    }
    for name in named(Kind::Bounds)? {
        comparison = comparison.bounds(made(Algorithm::bounding(name), name)?);
    }
    for name in named(Kind::Build)? {
        comparison = comparison.build(made(Build::named(name), name)?);
    }
    for name in named(Kind::Execution)? {
        comparison = comparison.execution(made(Algorithm::execution(name, threads), name)?);
    }
    Ok(comparison)
}

fn made<T>(made: Option<T>, name: &str) -> Result<T, Failure> {
    made.ok_or_else(|| Failure::bad_input(format!("{name}: its threads cannot be had")))
}

/// The names selected for a layer: of the command line, else of the scene, else of a default set, of
/// which most layers have none.
fn names<'a>(
    kind: Kind,
    options: &'a CompareOptions,
    scene: &'a Scene,
) -> Result<Vec<&'a str>, Failure> {
    let phases = &scene.phases;
    let layers = [
        (Kind::Broad, &options.broad, &phases.broad),
        (Kind::Narrow, &options.narrow, &phases.narrow),
        (Kind::Bounds, &options.bounds, &phases.bounds),
        (Kind::Execution, &options.execution, &phases.execution),
        (Kind::Build, &options.build, &phases.build),
    ];
    let chosen = layers.iter().any(|(_, option, phase)| !option.is_empty() || phase.is_some());
    let layer = layers.into_iter().find(|(of, ..)| *of == kind);
    Ok(match layer {
        Some((_, option, _)) if !option.is_empty() => spread(kind, option),
        Some((.., Some(name))) => vec![known_phase(kind, name).map_err(Failure::bad_input)?],
        _ if kind == Kind::Narrow && !options.build.is_empty() => built(&options.build),
        _ if chosen => Vec::new(),
        _ => match (kind, scene.instance_count() < CROWD) {
            (Kind::Narrow, true) => FEW.to_vec(),
            (Kind::Broad, false) => MANY.to_vec(),
            _ => Vec::new(),
        },
    })
}

/// The narrow phases that can use one of these builders.
fn built(builders: &[String]) -> Vec<&'static str> {
    let builders = spread(Kind::Build, builders);
    let usable = |name: &&str| {
        let mut others = builders.iter().filter(|build| **build != Build::DEFAULT);
        others.any(|build| registry::narrow_phase_built(name, build).is_ok())
    };
    phase_names(Kind::Narrow).filter(usable).collect()
}

/// The names without repetitions, with `all` expanded.
fn spread(kind: Kind, asked: &[String]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for name in asked {
        let these = if name == "all" { phase_names(kind).collect() } else { vec![&**name] };
        for name in these {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_spread_out_and_each_name_is_there_once() {
        let asked = ["box-tree", "all", "wide-obb"].map(str::to_owned);
        let names = spread(Kind::Narrow, &asked);
        assert_eq!(names[0], "box-tree");
        assert_eq!(names.len(), registry::of_kind(Kind::Narrow).count());
        assert_eq!(names.iter().filter(|name| **name == "wide-obb").count(), 1);
    }
}
