//! What models and pairs keep of the hierarchies: one of each kind with the default settings, and one
//! for each other settings that were asked for.
//!
//! The default's hierarchy has a place of its own in the model, next to what a query reads of the model
//! anyway: found by one step. Any other is in the model's list of what was prepared, and a pair
//! remembers where.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use super::Hierarchy;
use super::coherent::Coherence;
use crate::model::Shared;
use crate::{Model, Refit};

/// What a model keeps: the hierarchy, or that there cannot be one.
pub(crate) struct Prepared<H>(pub(crate) Option<H>);

impl<H: Hierarchy> Prepared<H> {
    /// The same for moved vertices, if it can be adapted.
    pub(crate) fn moved(&self, to: &Model) -> Option<Self> {
        Some(Self(Some(self.0.as_ref()?.refitted(to)?)))
    }
}

impl<H: Hierarchy> Refit for Prepared<H> {
    fn refitted(self: &Arc<Self>, _: &Model, to: &Model) -> Option<Arc<Self>> {
        self.moved(to).map(Arc::new)
    }
}

/// What a model keeps, found.
pub(crate) enum Kept<'m, H> {
    /// In its place.
    There(&'m Prepared<H>),
    /// In the list.
    Listed(Arc<Prepared<H>>),
}

impl<H> Deref for Kept<'_, H> {
    type Target = Prepared<H>;

    fn deref(&self) -> &Prepared<H> {
        match self {
            Self::There(prepared) => prepared,
            Self::Listed(prepared) => prepared,
        }
    }
}

/// The hierarchy of a model with the default settings, built where it is not there yet.
pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Kept<'_, H> {
    match place(model.shared()) {
        Some(place) => Kept::There(filled(place, model)),
        None => Kept::Listed(listed(model)),
    }
}

/// The same with other settings, if any are given.
pub(crate) fn prepared_with<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Kept<'_, H> {
    match settings {
        None => prepared(model),
        Some(settings) => Kept::Listed(other(model, settings)),
    }
}

/// The same, if it was built already.
pub(crate) fn already_prepared<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Option<Kept<'_, H>> {
    if let Some(settings) = settings {
        return model.already_prepared::<OtherTrees<H>>()?.find(&settings).map(Kept::Listed);
    }
    match place(model.shared()) {
        Some(place) => place.get().map(Kept::There),
        None => model.already_prepared().map(Kept::Listed),
    }
}

/// The place that models have for hierarchies of this kind.
#[inline(always)]
fn place<H: Hierarchy>(shared: &Shared) -> Option<&OnceLock<Prepared<H>>> {
    // Types are known when this is compiled, and nothing of it is left.
    let place: &dyn Any = &shared.wide;
    place.downcast_ref()
}

#[inline(always)]
fn filled<'m, H: Hierarchy>(place: &'m OnceLock<Prepared<H>>, model: &Model) -> &'m Prepared<H> {
    match place.get() {
        Some(prepared) => prepared,
        None => fill(place, model),
    }
}

/// As with [`Model::prepared`], nobody waits for another's build.
#[cold]
#[inline(never)]
fn fill<'m, H: Hierarchy>(place: &'m OnceLock<Prepared<H>>, model: &Model) -> &'m Prepared<H> {
    let built = built(model);
    place.get_or_init(|| built)
}

fn built<H: Hierarchy>(model: &Model) -> Prepared<H> {
    Prepared(H::build(model, &H::Settings::default()))
}

fn listed<H: Hierarchy>(model: &Model) -> Arc<Prepared<H>> {
    model.prepared_to_refit(built)
}

fn other<H: Hierarchy>(model: &Model, settings: H::Settings) -> Arc<Prepared<H>> {
    let others = model.prepared_to_refit(|_| OtherTrees::<H>::default());
    if let Some(known) = others.find(&settings) {
        return known;
    }
    // As for all that models keep: nobody waits for another's build.
    let built = Arc::new(Prepared(H::build(model, &settings)));
    others.keep(settings, built)
}

/// What a model keeps of hierarchies that are not built with the default settings.
struct OtherTrees<H: Hierarchy>(RwLock<Vec<Other<H>>>);

/// Settings, and the hierarchy that was built with them.
type Other<H> = (<H as Hierarchy>::Settings, Arc<Prepared<H>>);

impl<H: Hierarchy> Default for OtherTrees<H> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<H: Hierarchy> OtherTrees<H> {
    fn find(&self, settings: &H::Settings) -> Option<Arc<Prepared<H>>> {
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(of, _)| of == settings).map(|(_, tree)| Arc::clone(tree))
    }

    /// Keeps a tree, unless one was kept meanwhile; gives that which is kept.
    fn keep(&self, settings: H::Settings, built: Arc<Prepared<H>>) -> Arc<Prepared<H>> {
        let mut kept = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept.iter().find(|(of, _)| *of == settings) {
            return Arc::clone(known);
        }
        kept.push((settings, Arc::clone(&built)));
        built
    }
}

impl<H: Hierarchy> Refit for OtherTrees<H> {
    /// Those that cannot be adapted are left out.
    fn refitted(self: &Arc<Self>, _: &Model, to: &Model) -> Option<Arc<Self>> {
        // Not while others wait for the lock: refitting may be spread over threads.
        let kept = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        let moved = |(settings, tree): &Other<H>| Some((*settings, Arc::new(tree.moved(to)?)));
        let moved: Vec<Other<H>> = kept.iter().filter_map(moved).collect();
        Some(Arc::new(Self(RwLock::new(moved))))
    }
}

/// What a pair keeps: memory for the descent, and those hierarchies that have no place in models, so
/// that a query need not look for them in the lists.
pub(crate) struct Memory<H: Hierarchy> {
    pub(crate) scratch: H::Scratch,
    pub(crate) of_a: Option<Known<H>>,
    pub(crate) of_b: Option<Known<H>>,
    /// In a coherent cache.
    pub(crate) coherence: Option<Box<Coherence>>,
}

/// A model and its hierarchy, with the settings that it was built with.
pub(crate) struct Known<H: Hierarchy> {
    of: Model,
    settings: Option<H::Settings>,
    prepared: Arc<Prepared<H>>,
}

impl<H: Hierarchy> Default for Memory<H> {
    fn default() -> Self {
        Self { scratch: H::Scratch::default(), of_a: None, of_b: None, coherence: None }
    }
}

/// The hierarchy of a model, whose parts are `shared`; `None` where there cannot be one.
#[inline(always)]
pub(crate) fn hierarchy<'m, H: Hierarchy>(
    known: &'m mut Option<Known<H>>,
    model: &'m Model,
    shared: &'m Shared,
    settings: Option<H::Settings>,
) -> Option<&'m H> {
    if settings.is_none()
        && let Some(place) = place(shared)
    {
        return filled(place, model).0.as_ref();
    }
    let is_it = |known: &Known<H>| known.of.is_same(model) && known.settings == settings;
    if !known.as_ref().is_some_and(is_it) {
        let prepared = settings.map_or_else(|| listed(model), |settings| other(model, settings));
        *known = Some(Known { of: model.clone(), settings, prepared });
    }
    known.as_ref().and_then(|known| known.prepared.0.as_ref())
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
            let (a, b) =
                (Placed::new(&small, &Pose::identity())?, Placed::new(b, &Pose::identity())?);
            let _ = fast.test(a, b, &Query::new(), &mut cache);
        }
        for model in [&small, &large, &ball] {
            assert_eq!(Wide::new().prepared_bytes(model), None);
            assert!(fast.prepared_bytes(model).is_some());
        }
        Wide::new().prepare(&large)?;
        assert_ne!(Wide::new().prepared_bytes(&large), fast.prepared_bytes(&large));
        let again = [0; 2].map(|_| prepared_with::<WideTree>(&large, Some(WideOptions::fast())));
        assert!(std::ptr::eq(&*again[0], &*again[1]));
        assert!(!std::ptr::eq(&*again[0], &*prepared::<WideTree>(&large)));
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
