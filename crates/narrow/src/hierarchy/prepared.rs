//! The hierarchies that models keep: one of each kind with the default settings, and one for each
//! other settings that were asked for.

use std::sync::{Arc, OnceLock};

use xcollide_predicates::Point;

use super::Hierarchy;
use super::coherent::Coherence;
use crate::{Model, Placed, PreparedData};

/// What a model keeps: the hierarchy, or that there cannot be one.
struct Prepared<H>(Option<H>);

impl<H: Hierarchy> PreparedData for Prepared<H> {
    fn refitted(self: &Arc<Self>, _: &Model, to: &Model) -> Option<Arc<Self>> {
        Some(Arc::new(Self(Some(self.0.as_ref()?.refitted(to)?))))
    }

    fn triangles_on_segment(
        &self,
        placed: Placed<'_>,
        segment: [Point; 2],
        found: &mut Vec<u32>,
    ) -> bool {
        let Some(tree) = self.0.as_ref().filter(|_| H::FAST_RAYS) else { return false };
        let placed = (tree, placed.pose());
        H::along(placed, segment, &mut H::Scratch::default(), |triangle| found.push(triangle))
    }
}

/// The hierarchy of a model with the default settings, built on the first call; `None` if the model
/// is too large for it.
#[inline]
pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Option<&H> {
    let build = |model: &Model| Prepared(H::build(model, &H::Settings::default()));
    model.data(build).0.as_ref()
}

/// The same with other settings, if any are given.
#[inline]
pub(crate) fn prepared_with<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Option<&H> {
    match settings {
        None => prepared(model),
        Some(settings) => model.data(|_| Variants::<H>::default()).get(model, settings),
    }
}

/// The same, if it was built already.
pub(crate) fn already_prepared<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Option<&H> {
    match settings {
        None => model.known_data::<Prepared<H>>()?.0.as_ref(),
        Some(settings) => model.known_data::<Variants<H>>()?.find(settings)?.tree.as_ref(),
    }
}

/// The hierarchies of a model that are built with other settings than the default: a list that only
/// grows.
struct Variants<H: Hierarchy>(OnceLock<Box<Variant<H>>>);

struct Variant<H: Hierarchy> {
    settings: H::Settings,
    /// `None` if the model is too large.
    tree: Option<H>,
    next: Variants<H>,
}

impl<H: Hierarchy> Default for Variants<H> {
    fn default() -> Self {
        Self(OnceLock::new())
    }
}

impl<H: Hierarchy> Variants<H> {
    fn iter(&self) -> impl Iterator<Item = &Variant<H>> {
        std::iter::successors(self.0.get(), |variant| variant.next.0.get())
            .map(|variant| &**variant)
    }

    fn find(&self, settings: H::Settings) -> Option<&Variant<H>> {
        self.iter().find(|variant| variant.settings == settings)
    }

    fn get(&self, model: &Model, settings: H::Settings) -> Option<&H> {
        let variant = match self.find(settings) {
            Some(variant) => variant,
            // Built before it is inserted: no thread waits for another's build.
            None => self.insert(settings, H::build(model, &settings)),
        };
        variant.tree.as_ref()
    }

    /// Adds a tree, unless there is one with these settings; the one that stays.
    fn insert(&self, settings: H::Settings, tree: Option<H>) -> &Variant<H> {
        let mut new = Some(Box::new(Variant { settings, tree, next: Self::default() }));
        let mut place = self;
        loop {
            let variant = place.0.get_or_init(|| match new.take() {
                Some(new) => new,
                None => unreachable!("it is inserted once"),
            });
            if variant.settings == settings {
                return variant;
            }
            place = &variant.next;
        }
    }
}

impl<H: Hierarchy> PreparedData for Variants<H> {
    /// Those that cannot be adapted are left out.
    fn refitted(self: &Arc<Self>, _: &Model, to: &Model) -> Option<Arc<Self>> {
        let moved = Self::default();
        for variant in self.iter() {
            if let Some(tree) = variant.tree.as_ref().and_then(|tree| tree.refitted(to)) {
                moved.insert(variant.settings, Some(tree));
            }
        }
        Some(Arc::new(moved))
    }
}

/// What a pair keeps: memory for the search, and in a coherent cache the front of the last one.
pub(crate) struct Memory<H: Hierarchy> {
    pub(crate) scratch: H::Scratch,
    pub(crate) coherence: Option<Box<Coherence>>,
}

impl<H: Hierarchy> Default for Memory<H> {
    fn default() -> Self {
        Self { scratch: H::Scratch::default(), coherence: None }
    }
}

#[cfg(test)]
mod tests {
    use xcollide_bvh::wide::{WideOptions, WideTree};

    use super::*;
    use crate::mesh::Wide;
    use crate::{NarrowPhase, PairCache, Placed, Pose, Query};

    /// Each settings have a tree of their own, built once; a body within another, which takes rays
    /// through the trees, needs no other than those.
    #[test]
    fn settings_do_not_get_in_each_others_way() -> Result<(), Box<dyn std::error::Error>> {
        let model = |spec| -> Result<Model, Box<dyn std::error::Error>> {
            Ok(Model::from_mesh(xcollide_scenes::shape(spec)?)?)
        };
        let small = model("shape:torus?faces=400&radius=0.2&tube=0.1")?;
        let large = model("shape:knot?faces=4000")?;
        let ball = model("shape:sphere?faces=900&radius=4")?;
        let fast = Wide::with(WideOptions::fast());
        let mut cache = PairCache::new();
        for b in [&large, &ball] {
            let (a, b) = (Placed::new(&small, &Pose::IDENTITY)?, Placed::new(b, &Pose::IDENTITY)?);
            let _ = fast.test(a, b, &Query::new(), &mut cache);
        }
        for model in [&small, &large, &ball] {
            assert_eq!(Wide::new().prepared_bytes(model), None);
            assert!(fast.prepared_bytes(model).is_some());
        }
        Wide::new().prepare(&large)?;
        assert_ne!(Wide::new().prepared_bytes(&large), fast.prepared_bytes(&large));
        let fast =
            || prepared_with::<WideTree>(&large, Some(WideOptions::fast())).map(std::ptr::from_ref);
        assert!(fast().is_some());
        assert_eq!(fast(), fast());
        assert_ne!(fast(), prepared::<WideTree>(&large).map(std::ptr::from_ref));
        Ok(())
    }

    /// The default by another way is the default.
    #[test]
    fn default_settings_have_no_second_tree() -> Result<(), Box<dyn std::error::Error>> {
        let model = Model::from_mesh(xcollide_scenes::shape("shape:box")?)?;
        Wide::with(WideOptions::default()).prepare(&model)?;
        assert!(Wide::new().prepared_bytes(&model).is_some());
        Ok(())
    }
}
