//! Work counters.

/// Counts of one call of [`pairs`](crate::BroadPhase::pairs), as the sources compare broad phases.
/// 0 where an implementation has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Candidate pairs: those whose boxes were compared one by one.
    pub tests: u64,
    /// Exchanges of neighbours in sorted lists (sweep and prune).
    pub exchanges: u64,
    /// Changes to cells, octants or tree nodes.
    pub moves: u64,
}
