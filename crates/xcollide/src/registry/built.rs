//! A narrow phase of the table with its hierarchies built by a builder of the table.

use super::{Kind, narrow_phase, of_kind};
use crate::narrow::NarrowPhase;
use crate::narrow::mesh::{BuilderRefused, TreeBuilder};

/// Why there is no narrow phase of a name whose hierarchies are built by the builder of another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltError {
    /// There is no narrow phase of this name.
    #[error("found `{found}`, expected one of: {known}")]
    NoAlgorithm {
        /// The name.
        found: String,
        /// Those that there are.
        known: String,
    },
    /// There is no builder of this name.
    #[error("found `{found}`, expected one of: {known}")]
    NoBuilder {
        /// The name.
        found: String,
        /// Those that there are.
        known: String,
    },
    /// The algorithm has no use for the builder.
    #[error("{refused}; builders for it: {usable}")]
    Refused {
        /// What the algorithm says.
        refused: BuilderRefused,
        /// The names of those that it can use.
        usable: String,
    },
}

/// The narrow phase of a name with hierarchies that are built by the builder of a name: a splitting
/// rule, or another way to build a tree. `auto` is each algorithm's own. The answers are the same.
///
/// # Errors
/// There is none of such a name, or the algorithm has no use for the builder.
///
/// ```
/// use xcollide::registry;
///
/// let halves = registry::narrow_phase_built("obb-tree", "median")?;
/// assert_eq!(halves.name(), "obb-tree");
///
/// let refused = registry::narrow_phase_built("box-tree", "median").err().map(|e| e.to_string());
/// assert!(refused.is_some_and(|told| told.ends_with("auto, cut-bisection, cut-sweep")));
/// # Ok::<(), registry::BuiltError>(())
/// ```
pub fn narrow_phase_built(name: &str, build: &str) -> Result<Box<dyn NarrowPhase>, BuiltError> {
    let no_algorithm =
        || BuiltError::NoAlgorithm { found: name.to_owned(), known: names(Kind::Narrow) };
    let algorithm = narrow_phase(name).ok_or_else(no_algorithm)?;
    let no_builder =
        || BuiltError::NoBuilder { found: build.to_owned(), known: names(Kind::Build) };
    let entry = of_kind(Kind::Build).find(|entry| entry.name == build).ok_or_else(no_builder)?;
    built_by_any(algorithm, &entry.tree_builders())
}

/// An algorithm with hierarchies that are built by the first builder of some that it can use; the
/// algorithm as it is where there are none. So one name can stand for a rule that several kinds of
/// hierarchy have.
///
/// # Errors
/// The algorithm has no use for any of them.
pub fn built_by_any(
    algorithm: Box<dyn NarrowPhase>,
    builders: &[TreeBuilder],
) -> Result<Box<dyn NarrowPhase>, BuiltError> {
    let mut first = None;
    for builder in builders {
        match algorithm.built_by(builder) {
            Ok(built) => return Ok(built),
            Err(refused) => first = first.or(Some(refused)),
        }
    }
    match first {
        None => Ok(algorithm),
        Some(refused) => Err(BuiltError::Refused { refused, usable: usable(&*algorithm) }),
    }
}

/// The names of the builders that an algorithm can use.
fn usable(algorithm: &dyn NarrowPhase) -> String {
    let takes = |builders: &[TreeBuilder]| {
        builders.is_empty() || builders.iter().any(|one| algorithm.built_by(one).is_ok())
    };
    let names = of_kind(Kind::Build).filter(|entry| takes(&entry.tree_builders()));
    names.map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}

fn names(kind: Kind) -> String {
    of_kind(kind).map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}
