//! Selects the algorithms to compare.

use std::num::NonZeroUsize;

use xcollide::narrow::combine::Auto;
use xcollide::registry::{self, Kind};
use xcollide_scenes::{Phases, Scene};

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
    let named = Selection::new(options, &scene.phases, scene.instance_count());
    for name in named.of(Kind::Broad)? {
        comparison = comparison.broad(made(Algorithm::broad_phase(name), name)?);
    }
    let sizes = options.sizes.thresholds()?;
    let narrow = named.of(Kind::Narrow)?;
    for name in if narrow.is_empty() { vec!["auto"] } else { narrow } {
        comparison = comparison.narrow(match name {
            "auto" => Algorithm::own_narrow_phase(name, move || Auto::with(sizes)),
            _ => made(Algorithm::narrow_phase(name), name)?,
        });
    }
    for name in named.of(Kind::Bounds)? {
        comparison = comparison.bounds(made(Algorithm::bounding(name), name)?);
    }
    for name in named.of(Kind::Build)? {
        comparison = comparison.build(made(Build::named(name), name)?);
    }
    for name in named.of(Kind::Execution)? {
        comparison = comparison.execution(made(Algorithm::execution(name, threads), name)?);
    }
    Ok(comparison)
}

fn made<T>(made: Option<T>, name: &str) -> Result<T, Failure> {
    made.ok_or_else(|| Failure::bad_input(format!("{name}: its threads cannot be had")))
}

/// The selected names by layer.
struct Selection<'a> {
    options: &'a CompareOptions,
    phases: &'a Phases,
    /// The layer and names compared by default.
    default: (Kind, &'static [&'static str]),
}

impl<'a> Selection<'a> {
    fn new(options: &'a CompareOptions, phases: &'a Phases, objects: usize) -> Self {
        let few = objects < CROWD;
        let default = if few { (Kind::Narrow, FEW) } else { (Kind::Broad, MANY) };
        Self { options, phases, default }
    }

    fn of(&self, kind: Kind) -> Result<Vec<&'a str>, Failure> {
        let (options, phases) = (self.options, self.phases);
        let asked = [
            (Kind::Broad, &options.broad, &phases.broad),
            (Kind::Narrow, &options.narrow, &phases.narrow),
            (Kind::Bounds, &options.bounds, &phases.bounds),
            (Kind::Execution, &options.execution, &phases.execution),
            (Kind::Build, &options.build, &phases.build),
        ];
        let chosen = asked.iter().any(|(_, asked, phase)| !asked.is_empty() || phase.is_some());
        let Some((_, asked, phase)) = asked.into_iter().find(|(of, ..)| *of == kind) else {
            return Ok(Vec::new());
        };
        if !asked.is_empty() {
            return Ok(spread(kind, asked));
        }
        if let Some(name) = phase {
            return known_phase(kind, name).map(|name| vec![name]).map_err(Failure::bad_input);
        }
        if kind == Kind::Narrow && !options.build.is_empty() {
            return Ok(self.built());
        }
        let (of, names) = self.default;
        Ok(if !chosen && of == kind { names.to_vec() } else { Vec::new() })
    }

    /// The narrow phases that can use one of the selected builders.
    fn built(&self) -> Vec<&'a str> {
        let asked = spread(Kind::Build, &self.options.build);
        let usable = |name: &str| {
            let others = asked.iter().filter(|build| **build != Build::DEFAULT);
            others.into_iter().any(|build| registry::narrow_phase_built(name, build).is_ok())
        };
        phase_names(Kind::Narrow).filter(|name| usable(name)).collect()
    }
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
