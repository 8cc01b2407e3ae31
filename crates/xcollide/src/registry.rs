//! Every algorithm as a value, by name.
//!
//! Your own algorithms need no entry: they implement [`NarrowPhase`] and are passed as values.

mod built;
#[cfg(feature = "classic")]
mod by_level;
mod combination;
mod entries;

use std::sync::LazyLock;

use crate::bounding::Bounding;
use crate::brep::Topology;
use crate::broad::{self, BroadPhase};
use crate::execution::Execution;
use crate::narrow::combine::{Auto, Thresholds};
use crate::narrow::formula::Formulas;
use crate::narrow::mesh::TreeBuilder;
use crate::narrow::{Guarantee, Model, NarrowPhase};
use combination::Together;
use entries::{BUILD, NARROW, WORLD};

pub use built::{BuiltError, built_by_any, narrow_phase_built};

/// One algorithm: its purpose, its guarantee and its source.
///
/// ```
/// use xcollide::registry;
///
/// for entry in registry::algorithms() {
///     println!("{}: {}, {}", entry.name, entry.guarantee.name(), entry.source);
/// }
/// # assert!(registry::algorithms().len() >= 3);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The name, unique among its kind.
    pub name: &'static str,
    /// The stage it belongs to.
    pub kind: Kind,
    /// The models it accepts.
    pub accepts: Accepts,
    /// How reliable its answers are.
    pub guarantee: Guarantee,
    /// Whether it is the default of its kind.
    pub default: bool,
    /// Paper and section, such as `"Zachmann 1994, 3.2"`.
    pub source: &'static str,
    make: Make,
}

#[derive(Clone, Copy, Debug)]
enum Make {
    Narrow(fn() -> Box<dyn NarrowPhase>),
    Together(Together, [&'static Entry; 2]),
    #[cfg(feature = "classic")]
    AtLevel(fn(u8) -> Box<dyn NarrowPhase>, u8),
    Broad(broad::Entry),
    Bounds(fn() -> Box<dyn Bounding>),
    /// One for each kind of hierarchy with this rule; empty for each algorithm's own.
    Build(fn() -> Vec<TreeBuilder>),
    Execution(fn() -> Box<dyn Execution>),
    /// Not a mode of a world: [`Concurrent`](crate::Concurrent) takes a whole world.
    Concurrent,
}

/// The stage that an algorithm belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Kind {
    /// Decides whether two placed models touch.
    Narrow,
    /// Finds the pairs of boxes that may touch.
    Broad,
    /// Bounds moving objects.
    Bounds,
    /// Builds a hierarchy.
    Build,
    /// Spreads the work over threads.
    Execution,
}

impl Kind {
    /// The name in programs, such as `"narrow"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Narrow => "narrow",
            Self::Broad => "broad",
            Self::Bounds => "bounds",
            Self::Build => "build",
            Self::Execution => "execution",
        }
    }
}

/// The models that an algorithm accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Accepts {
    /// Any mesh, triangle soups included.
    Any,
    /// Closed manifold surfaces.
    ClosedManifold,
    /// Convex solids.
    Convex,
}

impl Accepts {
    /// The name in programs, such as `"any"`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::ClosedManifold => "closed-manifold",
            Self::Convex => "convex",
        }
    }

    /// Whether a model of this topology is accepted.
    #[must_use]
    pub fn holds_for(self, topology: Topology) -> bool {
        match self {
            Self::Any => true,
            Self::Convex => topology.contains(Topology::CONVEX),
            Self::ClosedManifold => topology.contains(
                Topology::CLOSED | Topology::MANIFOLD_EDGES | Topology::MANIFOLD_VERTICES,
            ),
        }
    }
}

impl Entry {
    /// The algorithm; `None` if it is not a narrow phase.
    #[must_use]
    pub fn narrow_phase(&self) -> Option<Box<dyn NarrowPhase>> {
        match self.make {
            Make::Narrow(make) => Some(make()),
            Make::Together(together, parts) => together.narrow_phase(self.name, parts),
            #[cfg(feature = "classic")]
            Make::AtLevel(make, level) => Some(by_level::named(self.name, make, level)),
            _ => None,
        }
    }

    /// The algorithm, on rayon's current pool if `threads`; `None` if it is not a broad phase.
    #[must_use]
    pub fn broad_phase(&self, threads: bool) -> Option<Box<dyn BroadPhase>> {
        let Make::Broad(entry) = self.make else { return None };
        Some(if threads { entry.make_parallel() } else { entry.make() })
    }

    /// The strategy; `None` if it is not a bounding strategy.
    #[must_use]
    pub fn bounding(&self) -> Option<Box<dyn Bounding>> {
        let Make::Bounds(make) = self.make else { return None };
        Some(make())
    }

    /// The builders, one for each kind of hierarchy with this rule. Empty for `auto` (each algorithm uses its
    /// own) and for entries of other kinds. See [`narrow_phase_built`].
    #[must_use]
    pub fn tree_builders(&self) -> Vec<TreeBuilder> {
        let Make::Build(make) = self.make else { return Vec::new() };
        make()
    }

    /// The mode, on all processors. `None` if it is not an execution mode, and for `concurrent`, which is
    /// [`Concurrent::start`](crate::Concurrent::start).
    #[must_use]
    pub fn execution(&self) -> Option<Box<dyn Execution>> {
        let Make::Execution(make) = self.make else { return None };
        Some(make())
    }
}

/// All algorithms, the default of each kind first.
#[must_use]
pub fn algorithms() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let broad = broad::catalogue().iter().map(|&entry| Entry {
            name: entry.name,
            kind: Kind::Broad,
            accepts: Accepts::Any,
            guarantee: Guarantee::Exact,
            default: entry.default,
            source: entry.source,
            make: Make::Broad(entry),
        });
        let mut broad: Vec<Entry> = broad.collect();
        broad.sort_by_key(|entry| !entry.default);
        NARROW.iter().chain(&broad).chain(BUILD).chain(WORLD).copied().collect()
    });
    &ALL
}

/// The entries of one kind.
pub fn of_kind(kind: Kind) -> impl Iterator<Item = &'static Entry> + Clone {
    algorithms().iter().filter(move |entry| entry.kind == kind)
}

/// The entry of this kind and name. Two narrow phases make another one, which is not in the list of
/// [`algorithms`]: `chain:A+B` is their [`Chain`](crate::narrow::combine::Chain), `race:A+B` their `Race` (feature
/// `parallel`). Nor are the levels of approximate ones, from 0 to 31: `wide-obb-coarse:N`, with boxes halved so often, and
/// `sphere-levels:N`.
///
/// ```
/// use xcollide::narrow::Guarantee;
/// use xcollide::registry::{self, Kind};
///
/// let exact = registry::find(Kind::Narrow, "chain:separating-plane+obb-tree");
/// assert_eq!(exact.map(|entry| entry.guarantee), Some(Guarantee::Exact));
/// assert!(registry::find(Kind::Broad, "obb-tree").is_none());
/// ```
#[must_use]
pub fn find(kind: Kind, name: &str) -> Option<&'static Entry> {
    let listed = of_kind(kind).find(|entry| entry.name == name);
    #[cfg(feature = "classic")]
    let listed = listed.or_else(|| by_level::find(name).filter(|entry| entry.kind == kind));
    listed.or_else(|| combination::find(name).filter(|entry| entry.kind == kind))
}

/// The names of a kind for messages, separated by commas; of narrow phases also those that two of them make.
#[must_use]
pub fn names(kind: Kind) -> String {
    let mut names: Vec<String> = of_kind(kind).map(|entry| entry.name.to_owned()).collect();
    if kind == Kind::Narrow {
        #[cfg(feature = "classic")]
        names.extend(by_level::forms());
        names.extend(combination::forms());
    }
    names.join(", ")
}

/// The narrow phase of this name, or the one that two make: see [`find`].
///
/// ```
/// use xcollide::registry;
///
/// let referee = registry::narrow_phase("brute-force");
/// assert_eq!(referee.map(|algorithm| algorithm.name()), Some("brute-force"));
/// assert!(registry::narrow_phase("guesswork").is_none());
/// ```
#[must_use]
pub fn narrow_phase(name: &str) -> Option<Box<dyn NarrowPhase>> {
    find(Kind::Narrow, name)?.narrow_phase()
}

/// The broad phase of this name, on rayon's current pool if `threads`.
#[must_use]
pub fn broad_phase(name: &str, threads: bool) -> Option<Box<dyn BroadPhase>> {
    find(Kind::Broad, name)?.broad_phase(threads)
}

/// The bounding strategy of this name.
#[must_use]
pub fn bounding(name: &str) -> Option<Box<dyn Bounding>> {
    find(Kind::Bounds, name)?.bounding()
}

/// The execution mode of this name; `None` for [`concurrent`](Entry::execution) too.
#[must_use]
pub fn execution(name: &str) -> Option<Box<dyn Execution>> {
    find(Kind::Execution, name)?.execution()
}

/// The default narrow phase for two models, as [`Auto`] chooses it; [`Formulas`] if one is given by a formula. Exact for
/// meshes. The choice
/// depends on the two models alone, so it is the same on every machine.
#[must_use]
pub fn auto(a: &Model, b: &Model) -> Box<dyn NarrowPhase> {
    auto_by(Thresholds::default(), a, b)
}

/// As [`auto`], by other sizes, for example those measured on this machine.
///
/// ```
/// # use xcollide::prelude::*;
/// use xcollide::narrow::combine::Thresholds;
/// use xcollide::registry;
///
/// # let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// # let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// # let model = Model::from_mesh(PolygonMesh::from_polygons(corners, faces)?)?;
/// let measured: Thresholds = "convex_vertices = 6".parse()?;
/// assert_eq!(registry::auto(&model, &model).name(), "hybrid");
/// assert_eq!(registry::auto_by(measured, &model, &model).name(), "wide-obb");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn auto_by(thresholds: Thresholds, a: &Model, b: &Model) -> Box<dyn NarrowPhase> {
    if a.formula().is_some() || b.formula().is_some() {
        return Box::new(Formulas);
    }
    let auto = Auto::with(thresholds);
    narrow_phase(auto.choice(a, b).name()).unwrap_or_else(|| Box::new(auto))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brep::PolygonMesh;
    use std::collections::BTreeSet;

    type Outcome = Result<(), Box<dyn std::error::Error>>;

    /// A tetrahedron, and the same without one of its faces.
    fn closed_and_open() -> Result<[Model; 2], Box<dyn std::error::Error>> {
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
        let model = |faces: &[[u32; 3]]| -> Result<Model, Box<dyn std::error::Error>> {
            Ok(Model::from_mesh(PolygonMesh::from_polygons(corners.clone(), faces)?)?)
        };
        Ok([model(&faces)?, model(&faces[1..])?])
    }

    #[test]
    fn the_table_says_what_the_algorithms_say_of_themselves() -> Outcome {
        let models = closed_and_open()?;
        let kinds = models.each_ref().map(Model::topology);
        let mut refused = 0;
        for entry in of_kind(Kind::Narrow) {
            let algorithm = narrow_phase(entry.name).ok_or(entry.name)?;
            assert_eq!(algorithm.name(), entry.name);
            assert_eq!(algorithm.guarantee(), entry.guarantee, "{}", entry.name);
            for a in kinds {
                for b in kinds {
                    let expected = entry.accepts.holds_for(a) && entry.accepts.holds_for(b);
                    assert_eq!(algorithm.accepts(a, b), expected, "{}", entry.name);
                    refused += u32::from(!expected);
                }
            }
        }
        assert!(refused > 0, "at least one algorithm is particular about its models");
        Ok(())
    }

    #[test]
    fn strategies_and_modes_go_by_their_own_names() {
        for entry in of_kind(Kind::Bounds) {
            assert_eq!(bounding(entry.name).map(|made| made.name()), Some(entry.name));
            assert!(execution(entry.name).is_none() && entry.narrow_phase().is_none());
        }
        for entry in of_kind(Kind::Execution).filter(|entry| entry.name != "concurrent") {
            assert_eq!(execution(entry.name).map(|made| made.name()), Some(entry.name));
            assert!(bounding(entry.name).is_none() && entry.broad_phase(true).is_none());
        }
        for entry in of_kind(Kind::Broad) {
            assert_eq!(broad_phase(entry.name, false).map(|made| made.name()), Some(entry.name));
        }
        let counts = [Kind::Bounds, Kind::Execution].map(|kind| of_kind(kind).count());
        assert_eq!(counts, [5, 5]);
        assert!(execution("concurrent").is_none());
    }

    /// Convex pairs by `hybrid`, all others by `wide-obb`.
    #[test]
    fn the_default_takes_hybrid_for_convex_pairs_and_wide_obb_for_others() -> Outcome {
        let default = of_kind(Kind::Narrow).find(|entry| entry.default).ok_or("no default")?;
        let world = crate::World::new();
        assert_eq!((default.name, world.narrow_phase().name()), ("auto", "auto"));
        let [convex, open] = &closed_and_open()?;
        for (a, b, expected) in [
            (convex, convex, "hybrid"),
            (convex, open, "wide-obb"),
            (open, convex, "wide-obb"),
            (open, open, "wide-obb"),
        ] {
            assert_eq!(auto(a, b).name(), expected);
        }
        Ok(())
    }

    #[test]
    fn names_are_unique_and_each_kind_has_its_default_first() {
        let names: BTreeSet<_> = algorithms().iter().map(|e| (e.kind.name(), e.name)).collect();
        assert_eq!(names.len(), algorithms().len());
        for entry in algorithms() {
            let defaults: Vec<bool> = of_kind(entry.kind).map(|e| e.default).collect();
            assert!(defaults[0], "{}", entry.kind.name());
            assert_eq!(defaults.iter().filter(|default| **default).count(), 1);
        }
    }

    #[test]
    fn what_is_chosen_is_exact_and_in_the_table() -> Outcome {
        let models = closed_and_open()?;
        for a in &models {
            for b in &models {
                let chosen = auto(a, b);
                assert_eq!(chosen.guarantee(), Guarantee::Exact);
                assert!(chosen.accepts(a.topology(), b.topology()));
                assert!(narrow_phase(chosen.name()).is_some());
                assert_eq!(chosen.name(), Auto::new().choice(a, b).name());
            }
        }
        let [closed, open] = &models;
        assert_ne!(auto(closed, closed).name(), auto(closed, open).name(), "a choice is made");
        Ok(())
    }
}
