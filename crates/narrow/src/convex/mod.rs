#![doc = include_str!("README.md")]

mod certified;
mod climb;
mod direction_table;
mod expanding;
mod finding;
mod gilbert;
mod gjk;
mod hierarchy;
mod hybrid;
mod inset;
mod pair;
mod penetration;
mod polytope;
mod separating_vector;
pub mod shape;
mod simplex;
mod solidity;
mod support;
pub(crate) mod vector;

pub use certified::{Certified, Search};
pub use direction_table::{DirectionTable, Octahedral, Spherical};
pub use finding::Finding;
pub use gilbert::{Gilbert, GilbertMemory, GilbertSearch, Nearest, nearest};
pub use hierarchy::{Hierarchical, Hierarchy};
pub use hybrid::{Hybrid, HybridMemory, HybridSearch};
pub use inset::Inset;
pub use pair::{Body, Pair, Probe};
pub use penetration::{Penetration, PenetrationError, penetration};
pub use polytope::{BRUTE_FORCE_UP_TO, Polytope};
pub use separating_vector::{SeparatingVector, SeparatingVectorMemory, SeparatingVectorSearch};
pub use simplex::Simplex;
pub use solidity::Solidity;
pub use support::{BruteForce, HillClimbing, Mixed, Support, Tabled};
