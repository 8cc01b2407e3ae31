//! One of many pairs that are asked about together.

use crate::{PairCache, Placement};

/// Whether two models touch where they are, and what is remembered of them: what
/// [`NarrowPhase::test_many`](crate::NarrowPhase::test_many) is asked of each pair.
#[derive(Debug)]
pub struct PairQuery<'a> {
    /// The first model.
    pub a: Placement<'a>,
    /// The second model.
    pub b: Placement<'a>,
    /// What algorithms remember of this pair.
    pub cache: &'a mut PairCache,
}

impl<'a> PairQuery<'a> {
    /// The question about a pair, of which each may be a `&Placed`.
    #[inline]
    #[must_use]
    pub fn new(
        a: impl Into<Placement<'a>>,
        b: impl Into<Placement<'a>>,
        cache: &'a mut PairCache,
    ) -> Self {
        Self { a: a.into(), b: b.into(), cache }
    }

    /// The same for as long as this one is lent.
    #[inline]
    #[must_use]
    pub fn lent(&mut self) -> PairQuery<'_> {
        PairQuery { a: self.a, b: self.b, cache: self.cache }
    }
}
