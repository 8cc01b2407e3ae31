//! What algorithms remember about one pair from query to query.

use std::any::Any;

use crate::Stats;

/// The memory of one pair of objects: whatever each algorithm keeps for it, by type.
///
/// A cache belongs to one pair, in one order. It never changes an answer, only the time to find
/// it; so it may be cleared, or a fresh one passed, at any time. Using it for another pair is
/// allowed too: algorithms notice and start anew.
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
    /// One entry per type; a pair sees one or two algorithms, so a list is the fastest map.
    slots: Vec<Box<dyn Any + Send>>,
    stats: Stats,
}

impl PairCache {
    /// An empty cache; allocates nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What an algorithm keeps here under the type `T`, made by `T::default()` on the first call.
    pub fn get_or_default<T: Any + Send + Default>(&mut self) -> &mut T {
        let known = self.slots.iter().position(|slot| slot.is::<T>());
        let index = known.unwrap_or_else(|| {
            self.slots.push(Box::new(T::default()));
            self.slots.len() - 1
        });
        match self.slots[index].downcast_mut::<T>() {
            Some(kept) => kept,
            None => unreachable!("slot {index} was found by its type"),
        }
    }

    /// Forgets everything and gives the memory back.
    pub fn clear(&mut self) {
        *self = Self::default();
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
            .field("slots", &self.slots.len())
            .field("stats", &self.stats)
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
        cache.clear();
        assert_eq!(*cache.get_or_default::<u32>(), 0);
    }
}
