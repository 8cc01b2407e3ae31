#![doc = include_str!("../README.md")]

mod all_pairs;
mod bounds;
mod broad_phase;
mod catalogue;
mod error;
mod finder;
mod hash_grid;
mod history;
mod id;
mod interest;
mod lanes;
mod order;
mod pairs;
mod parts;
mod proxies;
mod sink;
mod sweep;
mod sweep_and_prune;
mod tracked;
mod work;

pub use all_pairs::{AllPairs, EveryPair};
pub use bounds::{Bounds, Mobility, MotionBound, Volume};
pub use broad_phase::BroadPhase;
pub use catalogue::{Entry, catalogue};
pub use error::ProxyError;
pub use finder::PairFinder;
pub use hash_grid::{HashGrid, HashedCells};
pub use id::{ProxyId, ProxyIds};
pub use interest::{Everything, Interest};
pub use pairs::{Pair, Pairs};
pub use proxies::{Before, Proxies};
pub use sink::Sink;
pub use sweep::{SortedAxis, Sweep};
pub use sweep_and_prune::{SortedEnds, SweepAndPrune};
pub use tracked::Tracked;
pub use work::Work;
