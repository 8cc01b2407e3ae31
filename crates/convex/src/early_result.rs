//! What is seen of a pair at a glance, without a search.

use crate::plane::Plane;
use crate::search_result::SearchResult;

/// What was found out about a pair without a search: by what is remembered of it, or known of its bodies.
///
/// It says what a [`SearchResult`] says, but is numbers only, in whatever registers are free. Most queries end here,
/// and an enum, which is put together in memory and copied from there, would take a tenth of their time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EarlyResult {
    what: What,
    numbers: [f64; 4],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    Nothing,
    Plane,
    Point,
    Direction,
}

impl EarlyResult {
    /// Nothing.
    pub const NOTHING: Self = Self { what: What::Nothing, numbers: [0.0; 4] };

    /// This plane parts the bodies: a proof, as of [`SearchResult::Separated`].
    #[inline]
    #[must_use]
    pub fn apart(Plane { normal: [x, y, z], offset }: Plane) -> Self {
        Self { what: What::Plane, numbers: [x, y, z, offset] }
    }

    /// This point is in both bodies: a proof, as of [`SearchResult::Intersecting`].
    #[inline]
    #[must_use]
    pub fn meet([x, y, z]: [f64; 3]) -> Self {
        Self { what: What::Point, numbers: [x, y, z, 0.0] }
    }

    /// This direction separates, or nearly, as of [`SearchResult::Direction`].
    #[inline]
    #[must_use]
    pub fn parting([x, y, z]: [f64; 3]) -> Self {
        Self { what: What::Direction, numbers: [x, y, z, 0.0] }
    }

    /// Whether there was nothing.
    #[inline]
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.what == What::Nothing
    }

    /// The plane, if it is one.
    #[inline]
    #[must_use]
    pub fn plane(&self) -> Option<Plane> {
        let [x, y, z, offset] = self.numbers;
        (self.what == What::Plane).then_some(Plane { normal: [x, y, z], offset })
    }

    /// The point, if it is one.
    #[inline]
    #[must_use]
    pub fn point(&self) -> Option<[f64; 3]> {
        let [x, y, z, _] = self.numbers;
        (self.what == What::Point).then_some([x, y, z])
    }

    /// The direction, if it is one.
    #[inline]
    #[must_use]
    pub fn direction(&self) -> Option<[f64; 3]> {
        let [x, y, z, _] = self.numbers;
        (self.what == What::Direction).then_some([x, y, z])
    }

    /// The same as a finding; `None` of nothing.
    #[inline]
    #[must_use]
    pub fn finding(&self) -> Option<SearchResult> {
        let [x, y, z, offset] = self.numbers;
        match self.what {
            What::Nothing => None,
            What::Plane => Some(SearchResult::Separated(Plane { normal: [x, y, z], offset })),
            What::Point => Some(SearchResult::Intersecting([x, y, z])),
            What::Direction => Some(SearchResult::Direction([x, y, z])),
        }
    }
}
