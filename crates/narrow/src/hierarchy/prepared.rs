//! The hierarchies that models keep: one for each kind and settings.

use std::sync::Arc;

use xcollide_predicates::Point;

use super::Hierarchy;
use crate::point_in_polyhedron::RayScratch;
use crate::{Model, ModelVersion, Placed, PreparedData};

/// A hierarchy of a model.
#[derive(Clone)]
struct Prepared<H: Hierarchy> {
    /// `None`: the default.
    settings: Option<H::Settings>,
    /// `None` if the model is too large.
    tree: Option<H>,
}

impl<H: Hierarchy> Prepared<H> {
    fn new(model: &Model, settings: Option<H::Settings>) -> Self {
        Self { settings, tree: H::build(model, &settings.unwrap_or_default()) }
    }
}

impl<H: Hierarchy> PreparedData for Prepared<H> {
    fn refitted(mut self: Arc<Self>, moved: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        let prepared = Arc::make_mut(&mut self);
        let settings = prepared.settings.unwrap_or_default();
        prepared.tree.as_mut()?.refit_to(moved, &settings, triangles_kept).then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(self) + self.tree.as_ref().map_or(0, H::memory)
    }

    fn triangles_on_segment(
        &self,
        placed: Placed<'_>,
        segment: [Point; 2],
        found: &mut Vec<u32>,
    ) -> bool {
        let Some(tree) = self.tree.as_ref().filter(|_| H::FAST_RAYS) else { return false };
        H::along((tree, placed.pose()), segment, &mut H::Scratch::default(), found)
    }
}

/// The hierarchy of a model with the default settings, built on the first call; `None` if the model
/// is too large for it.
#[inline]
pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Option<&H> {
    prepared_with(model, None)
}

/// The hierarchy with other settings, if any are given.
#[inline]
pub(crate) fn prepared_with<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Option<&H> {
    let is_this = |kept: &Prepared<H>| kept.settings == settings;
    model.data_where(is_this, |model| Prepared::new(model, settings)).tree.as_ref()
}

/// The hierarchy, if it was built already.
pub(crate) fn already_prepared<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Option<&H> {
    let kept = model.known_data_where(|kept: &Prepared<H>| kept.settings == settings)?;
    kept.tree.as_ref()
}

/// Memory of a pair: scratch memory and, in a coherent cache, the front of the last search.
pub(crate) struct Memory<H: Hierarchy> {
    pub(crate) scratch: H::Scratch,
    front: Option<Box<Front<H>>>,
    pub(crate) rays: RayScratch,
}

/// A front, and what it is of.
struct Front<H: Hierarchy> {
    of: [ModelVersion; 2],
    settings: Option<H::Settings>,
    kept: H::Front,
}

impl<H: Hierarchy> Memory<H> {
    /// The scratch memory, and the front of two models' hierarchies with these settings: that of the last query if it is of
    /// the same.
    #[inline]
    pub(crate) fn with_front(
        &mut self,
        of: [ModelVersion; 2],
        settings: Option<H::Settings>,
    ) -> (&mut H::Scratch, &mut H::Front) {
        let new = || Box::new(Front { of, settings, kept: H::Front::default() });
        let front = self.front.get_or_insert_with(new);
        if front.of != of || front.settings != settings {
            *front = new();
        }
        (&mut self.scratch, &mut front.kept)
    }
}

impl<H: Hierarchy> Default for Memory<H> {
    fn default() -> Self {
        Self { scratch: H::Scratch::default(), front: None, rays: RayScratch::default() }
    }
}

#[cfg(test)]
mod tests {
    use xcollide_bvh::wide::{WideOptions, WideTree};

    use super::*;

    /// Each settings have a tree of their own, built once.
    #[test]
    fn settings_do_not_get_in_each_others_way() -> Result<(), Box<dyn std::error::Error>> {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:knot?faces=4000")?)?;
        let fast =
            || prepared_with::<WideTree>(&model, Some(WideOptions::fast())).map(std::ptr::from_ref);
        assert!(fast().is_some());
        assert_eq!(fast(), fast());
        assert_ne!(fast(), prepared::<WideTree>(&model).map(std::ptr::from_ref));
        Ok(())
    }
}
