#![doc = include_str!("README.md")]

mod carrier;
mod certified;
mod climb;
mod closest_features;
mod combined;
mod cyrus_beck;
mod direction_table;
mod eight;
mod ellipsoid;
mod ellipsoid_pair;
mod exact_fallback;
mod expanding;
mod feature_walk;
mod finding;
mod gauss_map;
mod gilbert;
mod gjk;
mod glance;
mod half_space;
mod hierarchy;
mod hybrid;
mod inset;
mod johnson;
mod joint;
mod minkowski_simplex;
mod normal_fan;
mod pair;
mod peeling;
mod penetration;
mod polytope;
mod portrait;
mod sat;
mod segment_pair;
mod separating_plane;
mod separating_vector;
pub mod shape;
mod signed_volumes;
mod simplex;
mod solidity;
mod support;
pub(crate) mod vector;
mod voronoi;

pub use carrier::Carrier;
pub use certified::{Certified, Search};
pub use closest_features::{
    ClosestFeatures, ClosestFeaturesMemory, ClosestFeaturesSearch, FeatureDistance,
    closest_features,
};
pub use combined::{Combined, CombinedMemory, CombinedSearch, LastApart};
pub use cyrus_beck::{CyrusBeck, CyrusBeckMemory, CyrusBeckSearch};
pub use direction_table::{DirectionTable, Octahedral, Spherical};
pub use ellipsoid::Ellipsoid;
pub use finding::Finding;
pub use gauss_map::{Arc, Facet, GaussMap};
pub use gilbert::{Descent, Gilbert, GilbertMemory, GilbertSearch, Nearest, nearest};
pub use glance::Glance;
pub use half_space::CollisionCondition;
pub use hierarchy::{Hierarchical, Hierarchy};
pub use hybrid::{Hybrid, HybridMemory, HybridSearch};
pub use inset::Inset;
pub use joint::Joint;
pub use minkowski_simplex::MinkowskiSimplex;
pub use pair::{Body, Pair, Probe};
pub use penetration::{Penetration, PenetrationError, penetration};
pub use polytope::{BRUTE_FORCE_UP_TO, Polytope};
pub use sat::{Sat, SatMemory, SatSearch};
pub use separating_plane::{
    InitialPlane, SeparatingPlane, SeparatingPlaneMemory, SeparatingPlaneSearch, Step,
};
pub use separating_vector::{
    FirstDirection, SeparatingVector, SeparatingVectorMemory, SeparatingVectorSearch, VertexSearch,
};
pub use simplex::{Simplex, Subalgorithm};
pub use solidity::Solidity;
pub use support::{BruteForce, HillClimbing, InFan, Mixed, Support, Tabled};
pub use voronoi::{HullFeature, VoronoiRegions};
