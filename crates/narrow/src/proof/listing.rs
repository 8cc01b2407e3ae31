//! The result of a listing of contacts.

use super::Verdict;

/// The result of a listing of contacts.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Listing {
    /// Whether the models touch, as [`NarrowPhase::test`](crate::NarrowPhase::test) says.
    pub verdict: Verdict,
    /// Whether no contact is missing: the algorithm misses none, the visitor did not break off, and
    /// the [time](crate::Query::budget) sufficed.
    pub complete: bool,
}
