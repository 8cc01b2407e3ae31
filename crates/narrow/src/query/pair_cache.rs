//! What algorithms remember about one pair from query to query.

use std::any::{Any, TypeId};

use crate::{Stats, Stop};

/// The memory of one pair of objects: whatever each algorithm keeps for it, by type.
///
/// A cache belongs to one pair, in one order. It never changes an answer, only the time to find
/// it; so it may be cleared, or a fresh one passed, at any time. Using it for another pair is
/// allowed too: algorithms notice and start anew.
///
/// A [`coherent`](Self::coherent) one remembers more: for pairs that move little between queries.
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
    /// One entry per type. Most pairs see one algorithm, whose memory is one step away.
    first: Option<Slot>,
    /// Few see more than two, so a list is the fastest map.
    others: Vec<Slot>,
    stats: Stats,
    coherent: bool,
    stop: Option<Stop>,
}

/// What one algorithm keeps, by its type.
struct Slot {
    key: TypeId,
    kept: Box<dyn Any + Send>,
    /// Makes it new, in its place.
    renew: fn(&mut (dyn Any + Send)),
}

impl Slot {
    fn new<T: Any + Send + Default>() -> Self {
        let renew = |kept: &mut (dyn Any + Send)| {
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

    /// An empty cache for a pair that is asked about frame after frame: algorithms that can make
    /// use of that remember what they found out, for the next query to look only at what the
    /// motion since can have changed. [`mesh::Wide`](crate::mesh::Wide) does.
    ///
    /// Answers are the same. It is not the default because it pays only where the models move by
    /// less than about half a percent of their size between queries (then a
    /// [`test`](crate::NarrowPhase::test) is 2 to 20 times as fast); because it takes memory, some
    /// kilobytes for usual pairs that are close and 1.6 MB at most; and because *which* witness a
    /// test brings then depends on the queries before, not on the two poses alone.
    ///
    /// ```
    /// # use xcollide_brep::PolygonMesh;
    /// use xcollide_narrow::mesh::Wide;
    /// use xcollide_narrow::{Model, NarrowPhase, PairCache, Placed, Pose, Query};
    ///
    /// # let tetrahedron = PolygonMesh::from_polygons(
    /// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
    /// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    /// # )?;
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

    /// Whether it was made by [`coherent`](Self::coherent); for implementors of
    /// [`NarrowPhase`](crate::NarrowPhase).
    #[must_use]
    pub fn is_coherent(&self) -> bool {
        self.coherent
    }

    /// What an algorithm keeps here under the type `T`, made by `T::default()` on the first call.
    #[inline]
    pub fn get_or_default<T: Any + Send + Default>(&mut self) -> &mut T {
        let is_first = self.first.as_ref().is_some_and(|first| first.key == TypeId::of::<T>());
        let slot = if is_first { self.first.as_mut() } else { Some(self.find_or_add::<T>()) };
        match slot.and_then(|slot| slot.kept.downcast_mut::<T>()) {
            Some(kept) => kept,
            None => unreachable!("the slot was found by its type"),
        }
    }

    #[cold]
    fn find_or_add<T: Any + Send + Default>(&mut self) -> &mut Slot {
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

    /// What is kept here under the type `T`; `None` before the first
    /// [`get_or_default`](Self::get_or_default) of it.
    #[must_use]
    pub fn get<T: Any + Send>(&self) -> Option<&T> {
        let mut slots = self.first.iter().chain(&self.others);
        slots.find(|slot| slot.key == TypeId::of::<T>())?.kept.downcast_ref()
    }

    /// Forgets everything and gives the memory back. A coherent cache stays one, and what
    /// [stops](Self::set_stop) its queries goes on to do so.
    pub fn clear(&mut self) {
        let stop = self.stop.take();
        *self = Self { coherent: self.coherent, stop, ..Self::default() };
    }

    /// Forgets everything, but keeps the place for it: for the next of many pairs that have nothing to
    /// do with each other, without a call to the allocator for each.
    pub fn forget(&mut self) {
        for slot in self.first.iter_mut().chain(&mut self.others) {
            (slot.renew)(&mut *slot.kept);
        }
        self.stats = Stats::default();
    }

    /// Has queries with this cache end, undecided, when someone says [`Stop::stop`]; or none any
    /// more. They look as often as for a used-up [budget](crate::Query::budget).
    pub fn set_stop(&mut self, stop: Option<Stop>) {
        self.stop = stop;
    }

    /// What queries with this cache have to look at now and then; for implementors of
    /// [`NarrowPhase`](crate::NarrowPhase).
    #[must_use]
    pub fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref()
    }

    /// What the last query with [`Query::stats`](crate::Query::stats) counted.
    #[must_use]
    pub fn stats(&self) -> Stats {
        self.stats
    }

    /// Stores what a query counted; for implementors of [`NarrowPhase`](crate::NarrowPhase).
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
