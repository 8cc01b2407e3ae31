//! Narrow phases with a chosen builder of hierarchies.

use super::{Entry, Kind, find, names, narrow_phase, of_kind};
use crate::narrow::mesh::TreeBuilder;
use crate::narrow::{NarrowPhase, PrepareError};

/// Why a narrow phase and a builder cannot be combined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltError {
    /// No narrow phase, or no builder, has this name.
    #[error("found `{found}`, expected one of: {known}")]
    Unknown {
        /// The name.
        found: String,
        /// The existing names.
        known: String,
    },
    /// The algorithm cannot use the builder.
    #[error("{refused}; builders for it: {usable}")]
    Refused {
        /// The algorithm's reason.
        refused: PrepareError,
        /// The builders that it can use.
        usable: String,
    },
}

/// The narrow phase `name` with hierarchies built by `build`, a splitting rule or another construction;
/// `auto` is each algorithm's own. Answers do not depend on it.
///
/// # Errors
/// No such name, or the algorithm cannot use the builder.
///
/// ```
/// use xcollide::registry;
///
/// let halves = registry::narrow_phase_built("obb-tree", "median")?;
/// assert_eq!(halves.name(), "obb-tree");
///
/// let refused = registry::narrow_phase_built("box-tree", "median").err().map(|e| e.to_string());
/// assert!(refused.is_some_and(|told| told.ends_with("auto, cut-bisection, cut-empty, cut-sweep")));
/// # Ok::<(), registry::BuiltError>(())
/// ```
pub fn narrow_phase_built(name: &str, build: &str) -> Result<Box<dyn NarrowPhase>, BuiltError> {
    let unknown =
        |kind, found: &str| BuiltError::Unknown { found: found.to_owned(), known: names(kind) };
    let algorithm = narrow_phase(name).ok_or_else(|| unknown(Kind::Narrow, name))?;
    let entry = find(Kind::Build, build).ok_or_else(|| unknown(Kind::Build, build))?;
    built_by_any(algorithm, &entry.tree_builders())
}

/// An algorithm with the first builder that it can use; the algorithm itself if `builders` is empty.
///
/// # Errors
/// The algorithm cannot use any of them.
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
    join(of_kind(Kind::Build).filter(|entry| takes(&entry.tree_builders())))
}

fn join<'a>(entries: impl Iterator<Item = &'a Entry>) -> String {
    entries.map(|entry| entry.name).collect::<Vec<_>>().join(", ")
}
