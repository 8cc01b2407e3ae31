//! Data that algorithms keep with a model, by type.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use xcollide_predicates::Point;

use super::Model;
use super::components::Components;
use crate::Placed;

/// Data of an algorithm, kept with a model. The provided methods suit small data that queries build again after
/// vertices moved.
pub trait PreparedData: Any + Send + Sync {
    /// The same data for a model whose vertices moved; `None` if it must be built again, which happens on demand.
    ///
    /// `triangles_kept`: whether the triangles are still the same; if faces have more than three corners, they may
    /// differ, even in number. [`Arc::make_mut`] changes the data in place if only this model has it.
    fn refitted(self: Arc<Self>, moved: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        let _ = (moved, triangles_kept);
        None
    }

    /// Its memory in bytes, with what it refers to: for [`Model::prepared_bytes`].
    fn bytes(&self) -> usize {
        size_of_val(self)
    }

    /// Adds to `found` the numbers of all triangles of the placed model that have a point in common with a
    /// segment in the world; others and repetitions are allowed. Returns `false`, with nothing added, if
    /// this data cannot find them (the default). Used by point-in-polyhedron tests.
    fn triangles_on_segment(
        &self,
        placed: Placed<'_>,
        segment: [Point; 2],
        found: &mut Vec<u32>,
    ) -> bool {
        let _ = (placed, segment, found);
        false
    }
}

type AnyData = Arc<dyn Any + Send + Sync>;

/// The methods of [`PreparedData`] for a type-erased value.
#[derive(Clone, Copy)]
struct Methods {
    refitted: fn(AnyData, &Model, bool) -> Option<AnyData>,
    bytes: fn(&AnyData) -> usize,
    triangles_on_segment: fn(&AnyData, Placed<'_>, [Point; 2], &mut Vec<u32>) -> bool,
}

impl Methods {
    fn of<T: PreparedData>() -> Self {
        Self {
            refitted: |data, moved, triangles_kept| {
                let data = data.downcast::<T>().ok()?;
                Some(data.refitted(moved, triangles_kept)?)
            },
            bytes: |data| data.downcast_ref::<T>().map_or(0, T::bytes),
            triangles_on_segment: |data, placed, segment, found| {
                let data = data.downcast_ref::<T>();
                data.is_some_and(|data| data.triangles_on_segment(placed, segment, found))
            },
        }
    }
}

/// Values by their types. No value is removed while others read, so readers take no lock.
#[derive(Clone, Default)]
pub(super) struct Slots {
    /// A linked list, whose first slot is reached without a pointer.
    first: OnceLock<Slot>,
}

#[derive(Clone)]
struct Slot {
    key: TypeId,
    /// Always there in the list of a model.
    data: Option<AnyData>,
    methods: Methods,
    next: OnceLock<Box<Slot>>,
}

impl Slot {
    #[inline]
    fn get<T: Any>(&self) -> Option<&T> {
        self.data.as_ref()?.downcast_ref()
    }

    fn bytes(&self) -> usize {
        self.data.as_ref().map_or(0, self.methods.bytes)
    }

    /// Fits the value to moved vertices; whether it is still there.
    fn refit(&mut self, moved: &Model, triangles_kept: bool) -> bool {
        let data = self.data.take();
        self.data = data.and_then(|data| (self.methods.refitted)(data, moved, triangles_kept));
        self.data.is_some()
    }
}

impl Slots {
    /// Fits all values to the moved vertices of a model, which has no values yet, and gives them to it. Allocates
    /// nothing itself.
    pub(super) fn refit_into(mut self, moved: &Model, triangles_kept: bool) {
        let kept = &moved.shared.prepared;
        let Some(mut first) = self.first.take() else { return };
        let mut rest = first.next.take();
        if first.refit(moved, triangles_kept) {
            kept.append(first);
        }
        while let Some(mut slot) = rest {
            rest = slot.next.take();
            if slot.refit(moved, triangles_kept) {
                kept.append_boxed(slot);
            }
        }
    }

    fn append(&self, slot: Slot) {
        if let Err(slot) = self.first.set(slot) {
            self.append_boxed(Box::new(slot));
        }
    }

    fn append_boxed(&self, mut slot: Box<Slot>) {
        let Some(mut last) = self.first.get() else { return self.append(*slot) };
        while let Err(refused) = last.next.set(slot) {
            slot = refused;
            match last.next.get() {
                Some(next) => last = next,
                None => return,
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = &Slot> {
        std::iter::successors(self.first.get(), |slot| slot.next.get().map(|next| &**next))
    }

    fn get<T: PreparedData>(&self) -> Option<Arc<T>> {
        let slot = self.iter().find(|slot| slot.key == TypeId::of::<T>())?;
        slot.data.clone()?.downcast().ok()
    }

    /// Adds a value, unless there is one of its type for which `is_same` holds; returns the slot of the
    /// value that stays.
    ///
    /// The value is built before the call: its build may run on threads that wait here for the same value,
    /// so no thread may wait for another's build.
    #[cold]
    fn insert<T: Any>(
        &self,
        key: TypeId,
        data: AnyData,
        methods: Methods,
        is_same: impl Fn(&T) -> bool,
    ) -> &Slot {
        let mut new = Some(Slot { key, data: Some(data), methods, next: OnceLock::new() });
        let make = |new: &mut Option<Slot>| match new.take() {
            Some(slot) => slot,
            None => unreachable!("it is inserted once"),
        };
        let mut slot = self.first.get_or_init(|| make(&mut new));
        while new.is_some() && !slot.get().is_some_and(&is_same) {
            slot = slot.next.get_or_init(|| Box::new(make(&mut new)));
        }
        slot
    }
}

impl Model {
    /// The value of type `T` that an algorithm keeps with this model; `build` makes it on the first call. If
    /// several threads call at the same time, each may build one; all get the first that is finished.
    pub fn prepared<T: PreparedData>(&self, build: impl FnOnce(&Self) -> T) -> Arc<T> {
        let _ = self.data(build);
        match self.already_prepared() {
            Some(data) => data,
            None => unreachable!("it was just inserted"),
        }
    }

    /// The value of type `T` kept with this model, if it was built already.
    #[must_use]
    pub fn already_prepared<T: PreparedData>(&self) -> Option<Arc<T>> {
        self.shared.prepared.get()
    }

    /// The bytes of all data that algorithms keep with this model. After
    /// [`prepare`](crate::NarrowPhase::prepare) no query of that algorithm adds to them.
    #[must_use]
    pub fn prepared_bytes(&self) -> usize {
        let kept = self.shared.prepared.iter().map(Slot::bytes);
        let components = self.shared.components.get().map_or(0, Components::bytes);
        kept.sum::<usize>() + components
    }

    /// The same, borrowed from the model.
    #[inline]
    pub(crate) fn data<T: PreparedData>(&self, build: impl FnOnce(&Self) -> T) -> &T {
        self.data_where(|_| true, build)
    }

    /// The value of type `T` for which `is_this` holds; `build` makes it on the first call.
    #[inline]
    pub(crate) fn data_where<T: PreparedData>(
        &self,
        is_this: impl Fn(&T) -> bool,
        build: impl FnOnce(&Self) -> T,
    ) -> &T {
        match self.known_data_where(&is_this) {
            Some(data) => data,
            None => self.build_data(is_this, build),
        }
    }

    #[cold]
    fn build_data<T: PreparedData>(
        &self,
        is_this: impl Fn(&T) -> bool,
        build: impl FnOnce(&Self) -> T,
    ) -> &T {
        let (data, methods) = (Arc::new(build(self)), Methods::of::<T>());
        let slot = self.shared.prepared.insert(TypeId::of::<T>(), data, methods, is_this);
        match slot.get() {
            Some(data) => data,
            None => unreachable!("the slot was found by its type"),
        }
    }

    /// The value of type `T` for which `is_this` holds, if it was built already.
    #[inline]
    pub(crate) fn known_data_where<T: Any>(&self, is_this: impl Fn(&T) -> bool) -> Option<&T> {
        let of_type = self.shared.prepared.iter().filter(|slot| slot.key == TypeId::of::<T>());
        of_type.filter_map(Slot::get).find(|data| is_this(data))
    }

    /// [`PreparedData::triangles_on_segment`] of the first data that can find them.
    pub(crate) fn triangles_on_segment(
        &self,
        placed: Placed<'_>,
        segment: [Point; 2],
        found: &mut Vec<u32>,
    ) -> bool {
        let mut all = self.shared.prepared.iter();
        all.any(|Slot { data, methods, .. }| {
            let data = data.as_ref();
            data.is_some_and(|data| (methods.triangles_on_segment)(data, placed, segment, found))
        })
    }
}
