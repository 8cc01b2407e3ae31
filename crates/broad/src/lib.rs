#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod all_pairs;
mod auto;
mod bounds;
mod broad_phase;
mod catalogue;
#[cfg(feature = "classic")]
pub mod classic;
mod counting_sort;
mod course;
mod courses;
mod dynamic_tree;
mod error;
mod found_pairs;
mod hash_grid;
mod id;
mod index_set;
mod interest;
mod neighbour_list;
mod overlap;
mod pair_collector;
mod pair_finder;
mod pair_history;
mod pair_manager;
mod pair_sorter;
mod pairs;
mod parallel;
mod parallel_search;
mod proxies;
mod sample;
mod search_step;
mod sides;
mod split_finder;
mod stats;
#[cfg(feature = "serde")]
mod stored;
mod sweep;
mod wide_tree;

pub use all_pairs::AllPairs;
pub use auto::Auto;
pub use bounds::{Bounds, Change, Mobility, MotionBound, Volume};
pub use broad_phase::{BroadPhase, Changes};
pub use catalogue::{Entry, catalogue};
pub use courses::Courses;
pub use dynamic_tree::DynamicTree;
pub use error::ProxyError;
pub use hash_grid::{HashGrid, HashGridFinder};
pub use id::{ProxyId, ProxyIds};
pub use interest::{Everything, Interest};
pub use neighbour_list::{NeighbourList, NeighbourListFinder};
pub use pair_collector::PairCollector;
pub use pair_finder::PairFinder;
pub use pair_manager::PairManager;
pub use pairs::{Pair, Pairs};
pub use proxies::{PreviousBounds, Proxies};
pub use search_step::SearchStep;
pub use stats::Stats;
pub use sweep::{Sweep, SweepFinder};
pub use wide_tree::{WideTree, WideTreeFinder};
