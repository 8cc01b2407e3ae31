//! One algorithm of each layer, together a pipeline.

use serde::Serializer;
use xcollide::World;
use xcollide::bounding::Bounding;
use xcollide::broad::BroadPhase;
use xcollide::execution::Execution;
use xcollide::narrow::{NarrowPhase, Query};
use xcollide::registry::{self, BuiltError};

use super::{Algorithm, Build};

/// A broad phase, a narrow phase, a bounding strategy, an execution mode and a builder of
/// hierarchies.
#[derive(Clone, Debug)]
pub struct Combination {
    pub(super) broad: Algorithm<dyn BroadPhase>,
    pub(super) narrow: Algorithm<dyn NarrowPhase>,
    pub(super) bounds: Algorithm<dyn Bounding>,
    pub(super) execution: Algorithm<dyn Execution>,
    pub(super) build: Build,
}

/// Names of the layers, in the order of [`Combination::names`].
pub(super) const LAYERS: [&str; 5] = ["broad", "narrow", "bounds", "execution", "build"];

/// Serializes the names of a combination by layer.
pub(super) fn by_layer<S: Serializer>(names: &[String; 5], to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(LAYERS.iter().zip(names))
}

impl Combination {
    /// The names of broad phase, narrow phase, bounds, execution and builder.
    #[must_use]
    pub fn names(&self) -> [&str; 5] {
        let Self { broad, narrow, bounds, execution, build } = self;
        [broad.name(), narrow.name(), bounds.name(), execution.name(), build.name()]
    }

    /// The names as text, such as `broad auto, narrow box-tree, bounds axis-aligned, serial`, with
    /// the builder unless it is the default.
    pub(super) fn in_words(&self) -> String {
        Self::words(self.names())
    }

    pub(super) fn words([broad, narrow, bounds, execution, build]: [&str; 5]) -> String {
        let words = format!("broad {broad}, narrow {narrow}, bounds {bounds}, {execution}");
        if build == Build::DEFAULT { words } else { format!("{words}, build {build}") }
    }

    /// The narrow phase with its builder. The error says why it cannot use the builder.
    pub(super) fn narrow_phase(&self, threads: bool) -> Result<Box<dyn NarrowPhase>, BuiltError> {
        registry::built_by_any(self.narrow.make(threads), &self.build.builders)
    }

    /// An empty world of these algorithms with this query.
    pub(super) fn world(&self, query: Query) -> Result<World, BuiltError> {
        let execution = self.execution.make(false);
        let threads = execution.is_parallel();
        let narrow = self.narrow_phase(threads)?;
        Ok(World::builder()
            .query(query)
            .boxed_bounding(self.bounds.make(threads))
            .boxed_broad_phase(self.broad.make(threads))
            .boxed_narrow_phase(narrow)
            .boxed_execution(execution)
            .build())
    }
}
