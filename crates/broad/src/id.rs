//! Ids of the boxes in a broad phase.

use std::fmt;

/// The id of one box: a small index, reused after removal, and a generation that distinguishes the uses.
/// Ordered by index, then generation. No two boxes have the same index at the same time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProxyId {
    index: u32,
    generation: u32,
}

impl ProxyId {
    /// The largest index. Broad phases have tables as long as the largest index in use.
    pub const MAX_INDEX: u32 = (1 << 30) - 1;

    /// An id from its parts. Indices should be dense.
    #[must_use]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self { index, generation }
    }

    /// The index.
    #[must_use]
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of earlier boxes with this index.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }
}

impl fmt::Debug for ProxyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ProxyId {
    /// Writes `7` or, for the third box of that index, `7#2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.generation {
            0 => write!(f, "{}", self.index),
            generation => write!(f, "{}#{generation}", self.index),
        }
    }
}

/// Allocates and frees ids.
///
/// ```
/// use xcollide_broad::ProxyIds;
///
/// let mut ids = ProxyIds::new();
/// let (first, second) = (ids.issue(), ids.issue());
/// assert!(ids.retire(first) && !ids.retire(first));
/// let third = ids.issue();
/// assert_eq!(third.index(), first.index());
/// assert_ne!(third, first);
/// assert!(ids.is_alive(second) && !ids.is_alive(first));
/// ```
///
/// # Keys of your own
///
/// Indices are dense: an issued index is a freed one or the smallest that was never issued. So a `Vec` maps the pairs
/// to keys of the application, and no hash map is needed. A pair that vanished may name a removed box: retire its id
/// after the call of [`pairs`](crate::BroadPhase::pairs) that reports it, so that its index still has its key.
///
/// ```
/// use xcollide_bounds::Aabb;
/// use xcollide_broad::{Auto, BroadPhase, Everything, Pair, Pairs, ProxyId, ProxyIds};
///
/// let (mut ids, mut broad, mut keys) = (ProxyIds::new(), Auto::new(), Vec::<u64>::new());
/// let add = |broad: &mut Auto, ids: &mut ProxyIds, keys: &mut Vec<u64>, key, x: f64| {
///     let id = ids.issue();
///     match keys.get_mut(id.index() as usize) {
///         Some(place) => *place = key,
///         None => keys.push(key),
///     }
///     broad.insert(id, &Aabb::new([x, 0.0, 0.0], [x + 1.0, 1.0, 1.0]).into()).map(|()| id)
/// };
/// let door = add(&mut broad, &mut ids, &mut keys, 0xD00_0000_0000, 0.0)?;
/// add(&mut broad, &mut ids, &mut keys, 0xCA7_0000_0000, 0.5)?;
/// let key = |keys: &[u64], id: ProxyId| keys[id.index() as usize];
/// let keyed = |keys: &[u64], pair: &Pair| [key(keys, pair.a), key(keys, pair.b)];
///
/// let mut pairs = Pairs::new();
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(keyed(&keys, &pairs.appeared[0]), [0xD00_0000_0000, 0xCA7_0000_0000]);
///
/// broad.remove(door)?;
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(keyed(&keys, &pairs.vanished[0]), [0xD00_0000_0000, 0xCA7_0000_0000]);
/// ids.retire(door); // from now on its index may have another key
///
/// add(&mut broad, &mut ids, &mut keys, 0xD06_0000_0000, 0.0)?;
/// broad.pairs(&Everything, &mut pairs);
/// assert_eq!(keyed(&keys, &pairs.appeared[0]), [0xD06_0000_0000, 0xCA7_0000_0000]);
/// # Ok::<(), xcollide_broad::ProxyError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::stored::StoredProxyIds"))]
pub struct ProxyIds {
    generations: Vec<u32>,
    /// Whether the index is in use, by index.
    #[cfg_attr(feature = "serde", serde(skip))]
    alive: Vec<bool>,
    free: Vec<u32>,
}

impl ProxyIds {
    /// An allocator that has issued no ids.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restores an allocator from its stored [`generations`](Self::generations) and
    /// [`free`](Self::free) indices. `None` if an index is free twice, or has no generation.
    #[must_use]
    pub fn from_parts(generations: Vec<u32>, free: Vec<u32>) -> Option<Self> {
        let mut alive = vec![true; generations.len()];
        for &index in &free {
            let was_alive = std::mem::take(alive.get_mut(index as usize)?);
            if !was_alive {
                return None;
            }
        }
        Some(Self { generations, alive, free })
    }

    /// The latest generation of every index.
    #[must_use]
    pub fn generations(&self) -> &[u32] {
        &self.generations
    }

    /// The free indices; the last one is used next.
    #[must_use]
    pub fn free(&self) -> &[u32] {
        &self.free
    }

    /// A new id, with the index that was freed last if there is one. O(1).
    ///
    /// # Panics
    /// 2³⁰ ids are alive.
    pub fn issue(&mut self) -> ProxyId {
        if let Some(index) = self.free.pop() {
            let slot = index as usize;
            self.generations[slot] = self.generations[slot].wrapping_add(1);
            self.alive[slot] = true;
            return ProxyId::new(index, self.generations[slot]);
        }
        let index = self.generations.len() as u32;
        assert!(index <= ProxyId::MAX_INDEX, "more than {} ids are alive", ProxyId::MAX_INDEX);
        self.generations.push(0);
        self.alive.push(true);
        ProxyId::new(index, 0)
    }

    /// Frees an id; false if it was not alive. O(1).
    pub fn retire(&mut self, id: ProxyId) -> bool {
        let alive = self.is_alive(id);
        if alive {
            self.alive[id.index as usize] = false;
            self.free.push(id.index);
        }
        alive
    }

    /// Whether the id was issued and not retired.
    #[must_use]
    pub fn is_alive(&self, id: ProxyId) -> bool {
        let slot = id.index as usize;
        self.alive.get(slot) == Some(&true) && self.generations[slot] == id.generation
    }
}
