//! One of many pairs that are asked about together.

use crate::{PairCache, Placed};

/// Whether two placed models touch, and what is remembered of them: what
/// [`NarrowPhase::test_many`](crate::NarrowPhase::test_many) is asked of each pair.
#[derive(Debug)]
pub struct Question<'a> {
    /// The first model.
    pub a: &'a Placed<'a>,
    /// The second model.
    pub b: &'a Placed<'a>,
    /// What algorithms remember of this pair.
    pub cache: &'a mut PairCache,
}

impl<'a> Question<'a> {
    /// The question about a pair.
    #[inline]
    #[must_use]
    pub fn new(a: &'a Placed<'a>, b: &'a Placed<'a>, cache: &'a mut PairCache) -> Self {
        Self { a, b, cache }
    }

    /// The same for as long as this one is lent.
    #[inline]
    #[must_use]
    pub fn lent(&mut self) -> Question<'_> {
        Question { a: self.a, b: self.b, cache: self.cache }
    }
}
