//! Counts of work.

/// What a call of [`pairs`](crate::BroadPhase::pairs) did, in the terms in which the sources
/// compare broad phases. What an implementation does not have stays 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Work {
    /// Candidate pairs: those whose boxes were compared one by one.
    pub tests: u64,
    /// Exchanges of neighbours in sorted lists (sweep and prune).
    pub exchanges: u64,
    /// Changes to cells, octants or tree nodes.
    pub moves: u64,
}
