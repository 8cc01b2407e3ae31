//! The result of the cheap tests before a search.

use crate::plane::Plane;
use crate::search_result::SearchResult;

/// A [`SearchResult`], or nothing, of the tests before a search.
///
/// It consists of numbers, which stay in whatever registers are free. Most queries end here, and making and copying an
/// enum in memory would take a tenth of their time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyResult {
    kind: Kind,
    numbers: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Nothing,
    Plane,
    Point,
    Direction,
}

impl EarlyResult {
    /// The tests were inconclusive.
    pub const NOTHING: Self = Self { kind: Kind::Nothing, numbers: [0.0; 4] };

    /// [`SearchResult::Separated`].
    #[inline]
    #[must_use]
    pub fn separated(Plane { normal: [x, y, z], offset }: Plane) -> Self {
        Self { kind: Kind::Plane, numbers: [x, y, z, offset] }
    }

    /// [`SearchResult::Intersecting`].
    #[inline]
    #[must_use]
    pub fn intersecting([x, y, z]: [f64; 3]) -> Self {
        Self { kind: Kind::Point, numbers: [x, y, z, 0.0] }
    }

    /// [`SearchResult::Direction`].
    #[inline]
    #[must_use]
    pub fn direction_only([x, y, z]: [f64; 3]) -> Self {
        Self { kind: Kind::Direction, numbers: [x, y, z, 0.0] }
    }

    /// Whether the tests were inconclusive.
    #[inline]
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.kind == Kind::Nothing
    }

    /// The plane, if it is one.
    #[inline]
    #[must_use]
    pub fn plane(&self) -> Option<Plane> {
        let [x, y, z, offset] = self.numbers;
        (self.kind == Kind::Plane).then_some(Plane { normal: [x, y, z], offset })
    }

    /// The point, if it is one.
    #[inline]
    #[must_use]
    pub fn point(&self) -> Option<[f64; 3]> {
        let [x, y, z, _] = self.numbers;
        (self.kind == Kind::Point).then_some([x, y, z])
    }

    /// The direction, if it is one.
    #[inline]
    #[must_use]
    pub fn direction(&self) -> Option<[f64; 3]> {
        let [x, y, z, _] = self.numbers;
        (self.kind == Kind::Direction).then_some([x, y, z])
    }

    /// The result, unless the tests were inconclusive.
    #[inline]
    #[must_use]
    pub fn result(&self) -> Option<SearchResult> {
        let [x, y, z, offset] = self.numbers;
        match self.kind {
            Kind::Nothing => None,
            Kind::Plane => Some(SearchResult::Separated(Plane { normal: [x, y, z], offset })),
            Kind::Point => Some(SearchResult::Intersecting([x, y, z])),
            Kind::Direction => Some(SearchResult::Direction([x, y, z])),
        }
    }
}
