//! The memory of algorithms for one pair, from query to query.

use std::any::{Any, TypeId};

use crate::{Stats, Stop};

/// The memory of one pair of models: the data that each algorithm keeps for it, by type.
///
/// A cache belongs to one pair, in one order. It changes the time of a query, never the answer, so it may be
/// cleared or replaced by a new one at any time. It may be used for another pair: algorithms detect that
/// and start again.
///
/// ```
/// use xcollide_narrow::PairCache;
///
/// #[derive(Default)]
/// struct LastDirection([f64; 3]);
///
/// let mut cache = PairCache::new();
/// cache.get_or_default::<LastDirection>().0 = [0.0, 0.0, 1.0];
/// assert_eq!(cache.get_or_default::<LastDirection>().0, [0.0, 0.0, 1.0]);
/// ```
#[derive(Default)]
pub struct PairCache {
    /// Most pairs use one algorithm.
    first: Option<Slot>,
    /// Few use more than two, so a list is the fastest map.
    others: Vec<Slot>,
    stats: Stats,
    coherent: bool,
    stop: Option<Stop>,
}

/// A value by its type.
struct Slot {
    key: TypeId,
    kept: Box<dyn Any + Send + Sync>,
    /// Resets it to the default, in place.
    renew: fn(&mut (dyn Any + Send + Sync)),
}

impl Slot {
    fn new<T: Any + Send + Sync + Default>() -> Self {
        let renew = |kept: &mut (dyn Any + Send + Sync)| {
            if let Some(kept) = kept.downcast_mut::<T>() {
                *kept = T::default();
            }
        };
        Self { key: TypeId::of::<T>(), kept: Box::new(T::default()), renew }
    }
}

impl PairCache {
    /// An empty cache; allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty cache for a pair that moves little between queries. [`mesh::Wide`](crate::mesh::Wide) then
    /// keeps the result of a query, and the next one tests only what the motion can have changed. So do the other hierarchies
    /// and `classic::Arbitrary`, some of them only the pair that met last or the gap between the surfaces.
    ///
    /// Answers are the same. It pays if the models move by less than about half a percent of their size
    /// between queries: then a [`test`](crate::NarrowPhase::test) is 2 to 20 times as fast. It takes some
    /// kilobytes for most close pairs, at most 1.6 MB, and *which* witness a test returns depends on the
    /// previous queries too.
    ///
    /// ```
    /// use xcollide_narrow::mesh::Wide;
    /// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
    ///
    /// # let (corners, faces) = xcollide_fixtures::tetrahedron();
    /// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
    /// let model = Model::from_mesh(tetrahedron)?;
    /// let a = Placed::new(&model, &Pose::IDENTITY)?;
    /// let mut cache = PairCache::coherent();
    /// for frame in 0..100 {
    ///     let x = 1.5 - f64::from(frame) / 128.0;
    ///     let pose_b = Pose::from_translation([x, 0.0, 0.0]);
    ///     let b = Placed::new(&model, &pose_b)?;
    ///     let verdict = Wide::new().test(a, b, &Query::new(), &mut cache);
    ///     assert_eq!(verdict.is_collision(), x <= 1.0);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn coherent() -> Self {
        Self { coherent: true, ..Self::default() }
    }

    /// Whether the cache is [`coherent`](Self::coherent); for implementors of
    /// [`NarrowPhase`](crate::NarrowPhase).
    #[must_use]
    pub fn is_coherent(&self) -> bool {
        self.coherent
    }

    /// The value of type `T`, made by `T::default()` on the first call.
    #[inline]
    pub fn get_or_default<T: Any + Send + Sync + Default>(&mut self) -> &mut T {
        let is_first = self.first.as_ref().is_some_and(|first| first.key == TypeId::of::<T>());
        let slot = if is_first { self.first.as_mut() } else { Some(self.find_or_add::<T>()) };
        match slot.and_then(|slot| slot.kept.downcast_mut::<T>()) {
            Some(kept) => kept,
            None => unreachable!("the slot was found by its type"),
        }
    }

    #[cold]
    fn find_or_add<T: Any + Send + Sync + Default>(&mut self) -> &mut Slot {
        let key = TypeId::of::<T>();
        let first = self.first.get_or_insert_with(Slot::new::<T>);
        if first.key == key {
            return first;
        }
        let known = self.others.iter().position(|slot| slot.key == key);
        let index = known.unwrap_or_else(|| {
            self.others.push(Slot::new::<T>());
            self.others.len() - 1
        });
        &mut self.others[index]
    }

    /// The value of type `T`; `None` before the first [`get_or_default`](Self::get_or_default) of it.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        let mut slots = self.first.iter().chain(&self.others);
        slots.find(|slot| slot.key == TypeId::of::<T>())?.kept.downcast_ref()
    }

    /// Removes all values and frees the memory. A coherent cache stays coherent, and keeps its
    /// [`Stop`](Self::set_stop).
    pub fn clear(&mut self) {
        let stop = self.stop.take();
        *self = Self { coherent: self.coherent, stop, ..Self::default() };
    }

    /// Resets all values in place: for use with the next of many unrelated pairs, without allocations.
    pub fn forget(&mut self) {
        for slot in self.first.iter_mut().chain(&mut self.others) {
            (slot.renew)(&mut *slot.kept);
        }
        self.stats = Stats::default();
    }

    /// Sets the [`Stop`] that ends queries with this cache undecided, or removes it. Queries check it as often
    /// as their [budget](crate::Query::budget).
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// The [`Stop`] to check; for implementors of [`NarrowPhase`](crate::NarrowPhase).
    #[inline]
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// The counts of the last query with [`Query::stats`](crate::Query::stats).
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Stores the counts of a query; for implementors of [`NarrowPhase`](crate::NarrowPhase).
    pub fn set_stats(&mut self, stats: Stats) {
        self.stats = stats;
    }
}

impl std::fmt::Debug for PairCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairCache")
            .field("slots", &(usize::from(self.first.is_some()) + self.others.len()))
            .field("stats", &self.stats)
            .field("coherent", &self.coherent)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_its_own_slot_until_cleared() {
        let mut cache = PairCache::new();
        *cache.get_or_default::<u32>() = 7;
        *cache.get_or_default::<i64>() = -7;
        assert_eq!((*cache.get_or_default::<u32>(), *cache.get_or_default::<i64>()), (7, -7));
        assert_eq!((cache.get::<u32>(), cache.get::<u8>()), (Some(&7), None));
        cache.forget();
        assert_eq!((cache.get::<u32>(), cache.get::<i64>()), (Some(&0), Some(&0)));
        *cache.get_or_default::<i64>() = -7;
        cache.clear();
        assert_eq!((cache.get::<u32>(), cache.get::<i64>()), (None, None));
        assert_eq!(*cache.get_or_default::<u32>(), 0);
        assert!(!cache.is_coherent());
        let mut cache = PairCache::coherent();
        cache.clear();
        assert!(cache.is_coherent());
    }
}
