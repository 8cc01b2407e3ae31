//! Names of objects.

use std::fmt;

use crate::broad::{Pair, ProxyId};

/// The name of an object in a [`World`](super::World): a small number, used again after removal, and
/// a generation that tells the uses apart. So an id that is kept too long is noticed.
///
/// Ids are ordered by index, then generation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(ProxyId);

impl ObjectId {
    /// An id from its parts.
    #[must_use]
    pub const fn new(index: u32, generation: u32) -> Self {
        Self(ProxyId::new(index, generation))
    }

    /// The small number: 0 for the first object, and so on.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u32 {
        self.0.index()
    }

    /// How many objects had this index before.
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
pub struct ObjectPair {
    /// The smaller id.
    pub a: ObjectId,
    /// The larger id.
    pub b: ObjectId,
}

impl ObjectPair {
    /// The pair of two ids, in whichever order they come.
    #[must_use]
    pub fn new(one: ObjectId, other: ObjectId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }

    /// Whether this object is one of the two.
    #[must_use]
    pub fn contains(self, object: ObjectId) -> bool {
        self.a == object || self.b == object
    }

    /// The partner of an object; `None` where it is not one of the two.
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
