//! A hash grid: an unbounded grid with hashed cells.
//!
//! Every frame, a counting sort puts each box into the cell of its low corner. Each box is compared with those
//! in half of the cells around its own; the boxes in the other half are compared with it (Zachmann, lecture
//! slides, "Grid"; half of the neighbours as in Daneu 2002, 4.1.2). Cells are as wide as the widest box in them.
//! Boxes more than twice as wide as the median go to another table with wider cells, and so on. Distant cells
//! share places in a table.

mod layout;
mod levels;
mod search;
mod table;

pub(crate) use levels::Levels;

use crate::PairManager;
use crate::split_finder::SplitFinder;

/// The fastest broad phase for boxes of similar sizes, and for many static ones. O(n + p) for n boxes with p
/// pairs, unless many overlap in one place. Static boxes have tables of their own; these and their pairs are
/// kept until one of the static boxes changes.
pub type HashGrid = PairManager<HashGridFinder>;

/// The algorithm of [`HashGrid`].
pub type HashGridFinder = SplitFinder<Levels>;
