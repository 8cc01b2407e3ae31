#![doc = include_str!("../README.md")]

mod binary;
mod candidates;
pub mod classic;
mod fork_join;
pub mod levels;
mod node_pair;
pub mod wide;

pub use binary::build::{BuildError, Builder, Fit, Split};
pub use binary::traverse::{
    self, AlignedPairing, AlignedTest, Counter, Counts, Nearest, Overlapping, PairTraversal, Rule,
    Step, Visitor,
};
pub use binary::{Bvh, Content, Cost, NodeId};
pub use candidates::Candidates;
pub use classic::box_tree::{
    BoxPairing, BoxTest, BoxTree, BoxTreeOptions, BoxTreeShape, CutSearch, EdgeFace,
};
pub use classic::interval_tree::{self as interval, IntervalPairing, IntervalSplit, IntervalTree};
pub use classic::{box_tree, patches as patch};
pub use levels::{Bounded, Level, Levels};
pub use node_pair::NodePair;
