#![doc = include_str!("README.md")]

mod certified;
mod climb;
mod closest_features;
mod combined;
mod direction_table;
mod feature_walk;
mod finding;
mod gilbert;
mod gjk;
mod half_space;
mod hierarchy;
mod hybrid;
mod inset;
mod pair;
mod polytope;
mod segment_pair;
mod separating_vector;
mod simplex;
mod solidity;
mod support;
mod vector;
mod voronoi;

pub use certified::{Certified, Search};
pub use closest_features::{
    ClosestFeatures, ClosestFeaturesMemory, ClosestFeaturesSearch, FeatureDistance,
    closest_features,
};
pub use combined::{Combined, CombinedMemory, CombinedSearch, LastApart};
pub use direction_table::{DirectionTable, Octahedral, Spherical};
pub use finding::Finding;
pub use gilbert::{Gilbert, GilbertMemory, GilbertSearch, Nearest, nearest};
pub use half_space::CollisionCondition;
pub use hierarchy::{Hierarchical, Hierarchy};
pub use hybrid::{Hybrid, HybridMemory, HybridSearch};
pub use inset::Inset;
pub use pair::{Body, Pair, Probe};
pub use polytope::{BRUTE_FORCE_UP_TO, Polytope};
pub use separating_vector::{
    FirstDirection, SeparatingVector, SeparatingVectorMemory, SeparatingVectorSearch, VertexSearch,
};
pub use simplex::Simplex;
pub use solidity::Solidity;
pub use support::{BruteForce, HillClimbing, Mixed, Support, Tabled};
pub use voronoi::{HullFeature, VoronoiRegions};
