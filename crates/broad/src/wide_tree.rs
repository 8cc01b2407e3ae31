//! A hierarchy of boxes with eight children a node, rebuilt each frame.
//!
//! The boxes are sorted along a Morton curve and bounded in groups of eight, these groups again in groups of
//! eight, and so on. There are no pointers: the children of node `i` of a tier are nodes `8 i` to `8 i + 7` of
//! the tier below. One descent for eight neighbouring boxes finds the groups that they may touch. It skips
//! earlier groups, so each pair is found once.

mod descent;
mod forest;
mod morton;

use crate::PairManager;
use crate::split_finder::SplitFinder;

/// A broad phase for boxes of very different sizes, which hardly affect its cost. O(n log n + p) for n boxes
/// with p pairs, unless very many overlap in one place. Static boxes have a hierarchy of their own; it and its
/// pairs are kept until a static box changes.
pub type WideTree = PairManager<WideTreeFinder>;

/// The algorithm of [`WideTree`].
pub type WideTreeFinder = SplitFinder<forest::Forest>;
