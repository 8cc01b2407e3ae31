#![doc = include_str!("../README.md")]

mod all_pairs;
mod bounds;
mod broad_phase;
mod catalogue;
mod error;
mod finder;
mod history;
mod id;
mod interest;
mod order;
mod pairs;
mod proxies;
mod sink;
mod tracked;
mod work;

pub use all_pairs::{AllPairs, EveryPair};
pub use bounds::{Bounds, Mobility, MotionBound, Volume};
pub use broad_phase::BroadPhase;
pub use catalogue::{Entry, catalogue};
pub use error::ProxyError;
pub use finder::PairFinder;
pub use id::{ProxyId, ProxyIds};
pub use interest::{Everything, Interest};
pub use pairs::{Pair, Pairs};
pub use proxies::{Before, Proxies};
pub use sink::Sink;
pub use tracked::Tracked;
pub use work::Work;
