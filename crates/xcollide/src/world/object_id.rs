//! Ids of objects and pairs.

use std::fmt;

use crate::broad::{Pair, ProxyId};

/// The id of an object in a [`World`](super::World): an index, reused after removal, and a
/// generation, which detects stale ids. Ordered by index, then generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectId(ProxyId);

impl ObjectId {
    /// An id from its parts.
    #[must_use]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self(ProxyId::new(index, generation))
    }

    /// The index, from 0.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0.index()
    }

    /// How many earlier objects had this index.
    #[inline]
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.0.generation()
    }

    #[inline]
    pub(crate) fn slot(self) -> usize {
        self.0.index() as usize
    }
}

impl From<ProxyId> for ObjectId {
    #[inline]
    fn from(id: ProxyId) -> Self {
        Self(id)
    }
}

impl From<ObjectId> for ProxyId {
    #[inline]
    fn from(id: ObjectId) -> Self {
        id.0
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for ObjectId {
    /// `7` or, for the third object of that index, `7#2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// Two objects, the smaller id first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectPair {
    /// The smaller id.
    pub a: ObjectId,
    /// The larger id.
    pub b: ObjectId,
}

impl ObjectPair {
    /// The pair of two ids in any order.
    #[must_use]
    pub fn new(one: ObjectId, other: ObjectId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }

    /// Whether the object is one of the two.
    #[must_use]
    pub fn contains(self, object: ObjectId) -> bool {
        self.a == object || self.b == object
    }

    /// The other object; `None` if `object` is neither.
    #[must_use]
    pub fn other(self, object: ObjectId) -> Option<ObjectId> {
        match object {
            _ if object == self.a => Some(self.b),
            _ if object == self.b => Some(self.a),
            _ => None,
        }
    }
}

impl From<Pair> for ObjectPair {
    #[inline]
    fn from(pair: Pair) -> Self {
        Self { a: pair.a.into(), b: pair.b.into() }
    }
}

impl fmt::Debug for ObjectPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.a, self.b)
    }
}
