//! One algorithm of each layer, together a whole pipeline.

use xcollide::World;
use xcollide::bounding::Bounding;
use xcollide::broad::BroadPhase;
use xcollide::execution::Execution;
use xcollide::narrow::{NarrowPhase, Query};

use super::Algorithm;

/// What is compared: a broad phase, a narrow phase, a bounding strategy and an execution mode.
#[derive(Clone, Debug)]
pub struct Combination {
    /// Finds pairs of boxes.
    pub broad: Algorithm<dyn BroadPhase>,
    /// Decides pairs of models.
    pub narrow: Algorithm<dyn NarrowPhase>,
    /// Makes the boxes.
    pub bounds: Algorithm<dyn Bounding>,
    /// On which threads.
    pub execution: Algorithm<dyn Execution>,
}

impl Combination {
    /// The names of broad phase, narrow phase, bounds and execution, in this order.
    #[must_use]
    pub fn names(&self) -> [&str; 4] {
        [self.broad.name(), self.narrow.name(), self.bounds.name(), self.execution.name()]
    }

    /// The names in words, such as `broad auto, narrow box-tree, bounds axis-aligned, serial`.
    #[must_use]
    pub fn in_words(&self) -> String {
        Self::words(self.names())
    }

    /// Such names in words.
    pub(super) fn words([broad, narrow, bounds, execution]: [&str; 4]) -> String {
        format!("broad {broad}, narrow {narrow}, bounds {bounds}, {execution}")
    }

    /// An empty world of these algorithms, whose tests are these.
    pub(super) fn world(&self, query: Query) -> World {
        let execution = self.execution.make(false);
        let threads = execution.is_parallel();
        World::builder()
            .query(query)
            .boxed_bounding(self.bounds.make(threads))
            .boxed_broad_phase(self.broad.make(threads))
            .boxed_narrow_phase(self.narrow.make(threads))
            .boxed_execution(execution)
            .build()
    }
}
