//! One pair of a batch.

use crate::{PairCache, Placed};

/// A pair of a batch for [`NarrowPhase::test_many`](crate::NarrowPhase::test_many): two placed models
/// and their cache.
#[derive(Debug)]
pub struct PairQuery<'a> {
    /// The first model.
    pub a: Placed<'a>,
    /// The second model.
    pub b: Placed<'a>,
    /// The cache of this pair.
    pub cache: &'a mut PairCache,
}

impl<'a> PairQuery<'a> {
    /// The query of a pair; either model may be a `&Placed`.
    #[inline]
    #[must_use]
    pub fn new(
        a: impl Into<Placed<'a>>,
        b: impl Into<Placed<'a>>,
        cache: &'a mut PairCache,
    ) -> Self {
        Self { a: a.into(), b: b.into(), cache }
    }

    /// The same query, borrowed.
    #[inline]
    #[must_use]
    pub fn lent(&mut self) -> PairQuery<'_> {
        PairQuery { a: self.a, b: self.b, cache: self.cache }
    }
}
