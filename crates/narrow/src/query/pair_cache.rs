//! The memory of algorithms for one pair, from query to query.

use std::any::{Any, TypeId};

use xcollide_simd::prefetch;

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
    rest: Option<Box<Rest>>,
}

// A crowd has many of them.
const _: () = assert!(size_of::<PairCache>() == 5 * size_of::<usize>());

/// A value by its type.
struct Slot {
    key: TypeId,
    kept: Box<dyn Kept>,
}

/// What few pairs have.
#[derive(Default)]
struct Rest {
    /// Few use more than two algorithms, so a list is the fastest map.
    others: Vec<Slot>,
    stats: Stats,
    coherent: bool,
    stop: Option<Stop>,
}

/// The data of an algorithm.
trait Kept: Any + Send + Sync {
    /// Resets it to the default, in place.
    fn renew(&mut self);
}

impl<T: Any + Send + Sync + Default> Kept for T {
    fn renew(&mut self) {
        *self = T::default();
    }
}

impl Slot {
    fn new<T: Any + Send + Sync + Default>() -> Self {
        Self { key: TypeId::of::<T>(), kept: Box::new(T::default()) }
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
        let rest = Rest { coherent: true, ..Rest::default() };
        Self { rest: Some(Box::new(rest)), ..Self::default() }
    }

    /// Whether the cache is [`coherent`](Self::coherent); for implementors of
    /// [`NarrowPhase`](crate::NarrowPhase).
    #[must_use]
    pub fn is_coherent(&self) -> bool {
        self.rest.as_ref().is_some_and(|rest| rest.coherent)
    }

    /// The value of type `T`, made by `T::default()` on the first call.
    #[inline]
    pub fn get_or_default<T: Any + Send + Sync + Default>(&mut self) -> &mut T {
        let is_first = self.first.as_ref().is_some_and(|first| first.key == TypeId::of::<T>());
        let slot = if is_first { self.first.as_mut() } else { Some(self.find_or_add::<T>()) };
        match slot.and_then(|slot| (&mut *slot.kept as &mut dyn Any).downcast_mut()) {
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
        let others = &mut self.rest.get_or_insert_default().others;
        let known = others.iter().position(|slot| slot.key == key);
        let index = known.unwrap_or_else(|| {
            others.push(Slot::new::<T>());
            others.len() - 1
        });
        &mut others[index]
    }

    /// The value of type `T`; `None` before the first [`get_or_default`](Self::get_or_default) of it.
    #[must_use]
    pub fn get<T: Any + Send + Sync>(&self) -> Option<&T> {
        let others = self.rest.iter().flat_map(|rest| &rest.others);
        let found = self.first.iter().chain(others).find(|slot| slot.key == TypeId::of::<T>())?;
        (&*found.kept as &dyn Any).downcast_ref()
    }

    /// Starts loading the data of the pair's first algorithm into the processor's cache, for many pairs that are asked about
    /// one after the other.
    #[inline]
    pub fn prefetch(&self) {
        if let Some(first) = &self.first {
            prefetch(&*first.kept);
        }
    }

    /// Removes all values and frees the memory. A coherent cache stays coherent, and keeps its
    /// [`Stop`](Self::set_stop).
    pub fn clear(&mut self) {
        self.first = None;
        if let Some(rest) = &mut self.rest {
            (rest.others, rest.stats) = (Vec::new(), Stats::default());
        }
    }

    /// Resets all values in place: for use with the next of many unrelated pairs, without allocations.
    pub fn forget(&mut self) {
        if let Some(first) = &mut self.first {
            first.kept.renew();
        }
        if let Some(rest) = &mut self.rest {
            rest.others.iter_mut().for_each(|slot| slot.kept.renew());
            rest.stats = Stats::default();
        }
    }

    /// Sets the [`Stop`] that ends queries with this cache undecided, or removes it. Queries check it as often
    /// as their [budget](crate::Query::budget).
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        if stop.is_some() || self.rest.is_some() {
            self.rest.get_or_insert_default().stop = stop;
        }
    }

    /// The [`Stop`] to check; for implementors of [`NarrowPhase`](crate::NarrowPhase).
    #[inline]
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.rest.as_ref()?.stop.as_ref()
    }

    /// The counts of the last query with [`Query::stats`](crate::Query::stats).
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.rest.as_ref().map_or_else(Stats::default, |rest| rest.stats)
    }

    /// Stores the counts of a query; for implementors of [`NarrowPhase`](crate::NarrowPhase).
    #[cold]
    pub fn set_stats(&mut self, stats: Stats) {
        self.rest.get_or_insert_default().stats = stats;
    }

    /// Forgets the counts of the last query.
    #[inline]
    pub fn clear_stats(&mut self) {
        if let Some(rest) = &mut self.rest {
            rest.stats = Stats::default();
        }
    }
}

impl std::fmt::Debug for PairCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let others = self.rest.as_ref().map_or(0, |rest| rest.others.len());
        f.debug_struct("PairCache")
            .field("slots", &(usize::from(self.first.is_some()) + others))
            .field("stats", &self.stats())
            .field("coherent", &self.is_coherent())
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
