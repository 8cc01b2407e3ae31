//! The hierarchies that models keep: one of each kind with the default settings, and one for each
//! other settings that were asked for.

use std::sync::{Arc, PoisonError, RwLock};

use super::hierarchy::Hierarchy;
use crate::Model;

/// What a model keeps: the hierarchy, or that there cannot be one.
pub(crate) struct Prepared<H>(pub(crate) Option<H>);

/// The hierarchy of a model with the default settings.
pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Arc<Prepared<H>> {
    model.prepared(|model| Prepared(H::build(model, &H::Settings::default())))
}

/// The same with other settings, if any are given.
pub(super) fn prepared_with<H: Hierarchy>(
    model: &Model,
    settings: Option<H::Settings>,
) -> Arc<Prepared<H>> {
    let Some(settings) = settings else { return prepared(model) };
    let others = model.prepared(|_| OtherTrees::<H>::default());
    if let Some(known) = others.find(&settings) {
        return known;
    }
    // As for all that models keep: nobody waits for another's build.
    let built = Arc::new(Prepared(H::build(model, &settings)));
    others.keep(settings, built)
}

/// What a model keeps of hierarchies that are not built with the default settings.
pub(super) struct OtherTrees<H: Hierarchy>(RwLock<Vec<Other<H>>>);

/// Settings, and the hierarchy that was built with them.
type Other<H> = (<H as Hierarchy>::Settings, Arc<Prepared<H>>);

impl<H: Hierarchy> Default for OtherTrees<H> {
    fn default() -> Self {
        Self(RwLock::default())
    }
}

impl<H: Hierarchy> OtherTrees<H> {
    pub(super) fn find(&self, settings: &H::Settings) -> Option<Arc<Prepared<H>>> {
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

#[cfg(test)]
mod tests {
    use xcollide_tree::wide::{WideOptions, WideTree};

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
        assert!(Arc::ptr_eq(&again[0], &again[1]));
        assert!(!Arc::ptr_eq(&again[0], &prepared::<WideTree>(&large)));
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
