//! The memory of a convex algorithm for a pair of models.

use std::sync::Arc;

use xcollide_brep::FaceId;
use xcollide_convex::{BatchEntry, Body, Pair, Polytope};

use super::prepare::polytope_of;
use crate::{Model, ModelVersion, Placed};

/// The memory of a pair: the two polytopes, which saves a lookup in the models, and that of the search.
pub(crate) struct Memory<M> {
    known: Option<[Known; 2]>,
    pub(crate) of_search: M,
    /// Two faces that met in the last exact test.
    pub(crate) contact: Option<[FaceId; 2]>,
}

impl<M: Default> Default for Memory<M> {
    fn default() -> Self {
        Self { known: None, of_search: M::default(), contact: None }
    }
}

impl<M: Default> Memory<M> {
    /// The two bodies as a pair, with the search's memory; `None` if a polytope is empty.
    #[inline(always)]
    pub(crate) fn pair<'a>(
        &'a mut self,
        a: &Placed<'a>,
        b: &Placed<'a>,
    ) -> Option<BatchEntry<'a, M>> {
        let same = |known: &[Known; 2]| {
            known[0].version == a.model().version() && known[1].version == b.model().version()
        };
        if !self.known.as_ref().is_some_and(same) {
            *self = Self::default();
        }
        let known = self.known.get_or_insert_with(|| [a, b].map(|p| Known::of(p.model())));
        let [of_a, of_b] = [&*known[0].polytope, &*known[1].polytope];
        let pair = Pair::new(Body::new(of_a, a.pose()), Body::new(of_b, b.pose()));
        (!of_a.is_empty() && !of_b.is_empty())
            .then_some(BatchEntry { pair, memory: &mut self.of_search })
    }
}

/// A model and its polytope.
struct Known {
    version: ModelVersion,
    polytope: Arc<Polytope>,
}

impl Known {
    fn of(model: &Model) -> Self {
        Self { version: model.version(), polytope: polytope_of(model) }
    }
}
