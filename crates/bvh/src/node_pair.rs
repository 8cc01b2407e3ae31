//! Parts of a search that is spread over threads (Zachmann 1994, 6.3.1).

/// Two nodes, one of each tree, below which a search continues.
///
/// Made by [`wide::parts`](crate::wide::parts) and
/// [`PairTraversal::parts`](crate::binary::PairTraversal::parts) for two trees at two poses. With other
/// trees a search below it may panic.
///
/// The parts of a search, in order, hand over the same pairs as the search, so threads may process them in
/// any order and still find the first hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodePair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Whether it is b's turn, for the alternating rule.
    pub(crate) turn: bool,
}
