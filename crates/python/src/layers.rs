//! The algorithms of a world, by name.

use pyo3::prelude::*;
use xcollide::WorldBuilder;
use xcollide::registry::{self, Kind};

use crate::errors::class::WorldError;

/// The names of the algorithms.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layers {
    pub(crate) bounding: Option<String>,
    pub(crate) broad: Option<String>,
    pub(crate) narrow: Option<String>,
    pub(crate) coherent: bool,
}

impl Layers {
    pub(crate) fn builder(&self) -> PyResult<WorldBuilder> {
        let mut builder = xcollide::World::builder().coherent(self.coherent);
        if let Some(name) = &self.bounding {
            let found = registry::bounding(name).ok_or_else(|| unknown(Kind::Bounds, name))?;
            builder = builder.boxed_bounding(found);
        }
        if let Some(name) = &self.broad {
            let found =
                registry::broad_phase(name, false).ok_or_else(|| unknown(Kind::Broad, name))?;
            builder = builder.boxed_broad_phase(found);
        }
        if let Some(name) = &self.narrow {
            let found = registry::narrow_phase(name).ok_or_else(|| unknown(Kind::Narrow, name))?;
            builder = builder.boxed_narrow_phase(found);
        }
        Ok(builder)
    }
}

fn unknown(kind: Kind, name: &str) -> PyErr {
    let names = registry::names(kind);
    let kind = if kind == Kind::Bounds { "bounding" } else { kind.name() };
    WorldError::new_err(format!("{kind} is {name:?}, expected one of: {names}"))
}

/// The algorithms of a world: for "bounding", "broad" and "narrow" a list of their names, the default first.
///
/// >>> import xcollide
/// >>> "brute-force" in xcollide.algorithms()["narrow"]
/// True
#[pyfunction]
pub(crate) fn algorithms() -> std::collections::BTreeMap<&'static str, Vec<&'static str>> {
    let kinds = [("bounding", Kind::Bounds), ("broad", Kind::Broad), ("narrow", Kind::Narrow)];
    let names = |kind| registry::of_kind(kind).map(|entry| entry.name).collect();
    kinds.into_iter().map(|(name, kind)| (name, names(kind))).collect()
}
