//! Data that algorithms keep with a model, by type; and new versions of a model with moved vertices
//! (refitting).
//!
//! A model never changes. [`Model::moved`] makes a new model that reuses the half-edges, which depend on
//! the faces alone, and [refits](PreparedData::refitted) the prepared data.

use std::any::{Any, TypeId};
use std::sync::{Arc, OnceLock};

use xcollide_brep::MeshError;
use xcollide_predicates::Point;

use super::Model;
use crate::Placed;

/// Data of an algorithm, kept with a model. The provided methods suit small data that queries build again after
/// vertices moved.
pub trait PreparedData: Any + Send + Sync {
    /// The same data for `to`, which has the faces of `from` at other positions; `None` if it must be
    /// built again, which happens on demand. If faces have more than three corners, the triangles of `to`
    /// may differ, even in number.
    fn refitted(self: &Arc<Self>, from: &Model, to: &Model) -> Option<Arc<Self>> {
        let _ = (from, to);
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
    refitted: fn(&AnyData, &Model, &Model) -> Option<AnyData>,
    bytes: fn(&AnyData) -> usize,
    triangles_on_segment: fn(&AnyData, Placed<'_>, [Point; 2], &mut Vec<u32>) -> bool,
}

impl Methods {
    fn of<T: PreparedData>() -> Self {
        Self {
            refitted: |data, from, to| {
                let data = data.clone().downcast::<T>().ok()?;
                Some(data.refitted(from, to)?)
            },
            bytes: |data| data.downcast_ref::<T>().map_or(0, T::bytes),
            triangles_on_segment: |data, placed, segment, found| {
                let data = data.downcast_ref::<T>();
                data.is_some_and(|data| data.triangles_on_segment(placed, segment, found))
            },
        }
    }
}

/// Values by their types. No value is ever removed, so readers take no lock.
#[derive(Default)]
pub(super) struct Slots {
    /// A linked list, whose first slot is reached without a pointer.
    first: OnceLock<Slot>,
}

struct Slot {
    key: TypeId,
    data: AnyData,
    methods: Methods,
    next: OnceLock<Box<Slot>>,
}

impl Slots {
    fn iter(&self) -> impl Iterator<Item = &Slot> {
        std::iter::successors(self.first.get(), |slot| slot.next.get().map(|next| &**next))
    }

    fn get<T: PreparedData>(&self) -> Option<Arc<T>> {
        let slot = self.iter().find(|slot| slot.key == TypeId::of::<T>())?;
        slot.data.clone().downcast().ok()
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
        let mut new = Some(Slot { key, data, methods, next: OnceLock::new() });
        let make = |new: &mut Option<Slot>| match new.take() {
            Some(slot) => slot,
            None => unreachable!("it is inserted once"),
        };
        let mut slot = self.first.get_or_init(|| make(&mut new));
        while new.is_some() && !slot.data.downcast_ref().is_some_and(&is_same) {
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
        let kept = self.shared.prepared.iter().map(|slot| (slot.methods.bytes)(&slot.data));
        let components = self.shared.components.get().map_or(0, |known| size_of_val(&**known));
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
        match slot.data.downcast_ref() {
            Some(data) => data,
            None => unreachable!("the slot was found by its type"),
        }
    }

    /// The value of type `T` for which `is_this` holds, if it was built already.
    #[inline]
    pub(crate) fn known_data_where<T: Any>(&self, is_this: impl Fn(&T) -> bool) -> Option<&T> {
        let of_type = self.shared.prepared.iter().filter(|slot| slot.key == TypeId::of::<T>());
        of_type.filter_map(|slot| slot.data.downcast_ref()).find(|data| is_this(data))
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
            (methods.triangles_on_segment)(data, placed, segment, found)
        })
    }

    /// The same faces over moved vertices: a new version of a deformable object, for
    /// `World::set_model`.
    ///
    /// The new model is classified and triangulated again, so answers are those of
    /// [`from_mesh`](Self::from_mesh), bit for bit; only which of several contacts is the witness may
    /// differ. [`PreparedData`] (hierarchies and lists of edges) is refitted here. Hulls, ellipsoids and
    /// convex pieces, including [given](crate::compound::Pieces::keep) ones, are built again on demand.
    ///
    /// Takes O(n log n): a tenth (`interval-tree`), a half (box-trees, axis-aligned boxes, patches) or two
    /// thirds (k-DOPs, spheres) of the time of a new model prepared alike, and hardly less for oriented
    /// boxes. Hierarchies keep their structure, so queries become slower after large deformations.
    ///
    /// # Errors
    /// The number of positions differs from the number of vertices; a position is not finite.
    ///
    /// ```
    /// use xcollide_narrow::mesh::Wide;
    /// use xcollide_narrow::{Model, NarrowPhase};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// Wide::new().prepare(&model)?;
    /// let taller = model.mesh().positions().iter().map(|[x, y, z]| [*x, *y, 2.0 * z]).collect();
    /// let moved = model.moved(taller)?;
    /// assert_eq!(moved.local_box().max, [1.0, 1.0, 2.0]);
    /// assert!(Wide::new().prepared_bytes(&moved).is_some(), "its hierarchy is there already");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        let moved = Self::new(self.brep().moved(positions)?);
        for slot in self.shared.prepared.iter() {
            if let Some(data) = (slot.methods.refitted)(&slot.data, self, &moved) {
                moved.shared.prepared.insert(slot.key, data, slot.methods, |(): &()| false);
            }
        }
        Ok(moved)
    }
}
