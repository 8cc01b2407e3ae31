//! The simultaneous descent of two hierarchies as a [`NarrowPhase`].

use std::ops::ControlFlow;

use crate::hierarchy::Hierarchy;
use crate::hierarchy::bvh_pair::BvhPair;
use crate::hierarchy::prepared::{already_prepared, prepared_with};
use crate::hierarchy::tree_builder::TreeBuilder;
use crate::narrow_phase::count_distinct;
use crate::pair_search::{PairSearch, answers_by_search};
use crate::{Listing, Model, NarrowPhase, PairCache, Placed, PrepareError, Query};

impl<H: Hierarchy> NarrowPhase for BvhPair<H> {
    fn name(&self) -> &'static str {
        H::NAME
    }

    fn prepare(&self, model: &Model) -> Result<(), PrepareError> {
        // For the question whether one body contains the other.
        let _ = model.components();
        let refused = PrepareError::NotAccepted { algorithm: H::NAME, needed: TOO_LARGE };
        if prepared_with::<H>(model, self.settings).is_some() { Ok(()) } else { Err(refused) }
    }

    fn prepared_bytes(&self, model: &Model) -> Option<usize> {
        Some(already_prepared::<H>(model, self.settings)?.memory())
    }

    fn built_by(&self, builder: &TreeBuilder) -> Result<Box<dyn NarrowPhase>, PrepareError> {
        match H::settings(builder) {
            Some(settings) => Ok(Box::new(Self::with(settings))),
            None => Err(PrepareError::OtherTree {
                algorithm: H::NAME,
                keeps: H::KIND,
                builds: builder.builds(),
            }),
        }
    }

    answers_by_search!();

    fn count_contacts(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        query: &Query,
        cache: &mut PairCache,
    ) -> (usize, Listing) {
        let only_triangles = |placed: Placed<'_>| {
            placed.model().triangulation().len() == placed.model().mesh().face_count()
        };
        if H::REPEATS || !only_triangles(a) || !only_triangles(b) {
            return count_distinct(self, a, b, query, cache);
        }
        // Each pair of triangles is shown once and is a pair of faces, so no set is needed.
        let mut pairs = 0;
        let listing = self.each_contact(a, b, query, cache, &mut |_, _| {
            pairs += 1;
            ControlFlow::Continue(())
        });
        (pairs, listing)
    }
}

/// The requirement on a model.
const TOO_LARGE: &str = "of fewer than half a billion triangles";
