//! What models and pairs keep of the hierarchies.
//!
//! The default's hierarchy has a place of its own in the model, next to what a query reads of the model
//! anyway: found by one step. Any other is in the model's list of what was prepared, and a pair
//! remembers where.

use std::any::Any;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::coherent::Coherence;
use super::descent::Hierarchy;
use crate::Model;
use crate::model::Shared;

/// What a model keeps: the hierarchy, or that there cannot be one.
pub(crate) struct Prepared<H>(pub(crate) Option<H>);

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

/// The hierarchy of a model, built where it is not there yet.
pub(crate) fn prepared<H: Hierarchy>(model: &Model) -> Kept<'_, H> {
    match place(model.shared()) {
        Some(place) => Kept::There(filled(place, model)),
        None => Kept::Listed(listed(model)),
    }
}

/// The same, if it was built already.
pub(crate) fn already_prepared<H: Hierarchy>(model: &Model) -> Option<Kept<'_, H>> {
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
    let built = Prepared(H::build(model));
    place.get_or_init(|| built)
}

fn listed<H: Hierarchy>(model: &Model) -> Arc<Prepared<H>> {
    model.prepared(|model| Prepared(H::build(model)))
}

/// What a pair keeps: memory for the descent, and those hierarchies that have no place in models, so
/// that a query need not look for them in the lists.
pub(super) struct Memory<H: Hierarchy> {
    pub(super) scratch: H::Scratch,
    pub(super) of_a: Option<Known<H>>,
    pub(super) of_b: Option<Known<H>>,
    /// In a coherent cache.
    pub(super) coherence: Option<Box<Coherence>>,
}

/// A model and its hierarchy.
type Known<H> = (Model, Arc<Prepared<H>>);

impl<H: Hierarchy> Default for Memory<H> {
    fn default() -> Self {
        Self { scratch: H::Scratch::default(), of_a: None, of_b: None, coherence: None }
    }
}

/// The hierarchy of a model, whose parts are `shared`; `None` where there cannot be one.
#[inline(always)]
pub(super) fn hierarchy<'m, H: Hierarchy>(
    known: &'m mut Option<Known<H>>,
    model: &'m Model,
    shared: &'m Shared,
) -> Option<&'m H> {
    if let Some(place) = place(shared) {
        return filled(place, model).0.as_ref();
    }
    let stale = known.as_ref().is_none_or(|(of, _)| !of.is_same(model));
    if stale {
        *known = Some((model.clone(), listed(model)));
    }
    known.as_ref().and_then(|(_, prepared)| prepared.0.as_ref())
}
