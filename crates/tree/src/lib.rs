#![doc = include_str!("../README.md")]

mod along;
pub mod box_tree;
mod build;
mod bvh;
mod candidates;
pub mod eight;
mod fork;
pub mod interval;
mod lanes;
pub mod levels;
mod part;
pub mod patch;
mod support;
pub mod traverse;
pub mod wide;

pub use box_tree::{
    BoxPairing, BoxTest, BoxTree, BoxTreeOptions, BoxTreeShape, CutSearch, EdgeFace,
};
pub use build::{BuildError, Builder, Fit, Split};
pub use bvh::{Bvh, Content, Cost, NodeId};
pub use candidates::Candidates;
pub use interval::{IntervalPairing, IntervalSplit, IntervalTree};
pub use lanes::Two;
pub use levels::{Bounded, Level, Levels};
pub use part::Part;
pub use support::{
    FanArc, Found, Met, NormalFan, Origin, OriginSearch, Passed, PointSet, Portal, PortalSearch,
    PortalSearches, PortalsPassed, Start,
};
pub use traverse::{
    AlignedPairing, AlignedTest, Counter, Counts, Nearest, Overlapping, Pairing, Rule, Step,
    Visitor,
};
