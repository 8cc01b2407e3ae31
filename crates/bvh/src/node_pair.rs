//! A part of a search, for those who spread one over threads (Zachmann 1994, 6.3.1: "we could try to
//! parallelize even the box-tree traversal").

/// Two nodes, one of each tree, that a search has still to look below.
///
/// Made by the functions that cut a search into parts ([`wide::parts`](crate::wide::parts),
/// [`PairTraversal::parts`](crate::binary::PairTraversal::parts)), and meant for the same two trees at the same poses:
/// of other trees it may name a node that does not exist, and looking below it panics then.
///
/// The parts of a search, one after the other, hand over what the search does in the same order. So
/// whoever works them off in any order, on any threads, can tell what comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodePair {
    pub(crate) a: u32,
    pub(crate) b: u32,
    /// Of rules that take turns, whose it is.
    pub(crate) turn: bool,
}
