//! The result of a broad phase.

use crate::ProxyId;

/// Two boxes that overlap. [`ProxyIds`](crate::ProxyIds) shows how to get back to keys of the application.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pair {
    /// The smaller id.
    pub a: ProxyId,
    /// The larger id.
    pub b: ProxyId,
}

impl Pair {
    /// The pair of two ids in any order.
    #[must_use]
    pub fn new(one: ProxyId, other: ProxyId) -> Self {
        Self { a: one.min(other), b: one.max(other) }
    }
}

impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {})", self.a, self.b)
    }
}

/// The wanted pairs of overlapping boxes, and the changes. Each list is sorted, without repetition. Keep the
/// value from call to call to reuse its memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairs {
    /// All pairs now.
    pub overlapping: Vec<Pair>,
    /// Pairs that the last call did not return.
    pub appeared: Vec<Pair>,
    /// Pairs of the last call that moved apart, were removed, or are no longer wanted.
    pub vanished: Vec<Pair>,
}

impl Pairs {
    /// Empty lists.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
