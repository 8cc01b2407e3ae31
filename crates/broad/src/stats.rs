//! Work counters, and memory in use.

/// Counts of one call of [`pairs`](crate::BroadPhase::pairs), by which the literature compares broad phases; 0
/// if an implementation does not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Stats {
    /// Candidate pairs: those whose boxes were compared one by one.
    pub tests: u64,
    /// Exchanges of neighbours in sorted lists (sweep and prune).
    pub exchanges: u64,
    /// Changes to cells, octants or tree nodes.
    pub moves: u64,
}

/// Memory of a list, in bytes.
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Releases memory that a list no longer needs, such as after a crowd has dissolved.
pub(crate) fn shrink<T>(list: &mut Vec<T>) {
    if list.capacity() > 4 * list.len() + 1024 {
        list.shrink_to(2 * list.len());
    }
}
