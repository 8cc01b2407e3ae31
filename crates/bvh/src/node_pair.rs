//! Parts of a search that is spread over threads (Zachmann 1994, 6.3.1).

/// Two nodes, one of each tree, below which a search continues.
///
/// Made by [`wide::parts`](crate::wide::parts) and
/// [`PairTraversal::parts`](crate::binary::PairTraversal::parts) for two trees at two poses; with other
/// trees it may name a node that does not exist, and searching below it panics.
///
/// The parts of a search, in order, hand over the same pairs as the search. So threads may process them in
/// any order and still tell which hit comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodePair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Of rules that take turns, whose it is.
    pub(crate) turn: bool,
}
