#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod batch;
mod batch_data;
mod batch_entry;
mod body;
mod climbing_slack;
mod contact_certificate;
mod direction_table;
mod dobkin_kirkpatrick;
mod early_result;
mod ellipsoid;
mod ellipsoid_pair;
mod epa;
mod facet_adjacency;
mod facets;
mod fan_of_polytope;
mod gauss_map;
mod gjk;
mod hybrid;
mod mpr;
mod normal_fan;
mod pair;
mod pair_kernel;
mod placed_set;
mod plane;
mod point_set;
mod polytope;
mod sat;
mod search;
mod search_result;
pub mod shape;
mod solidity;
mod support;
mod support_pair;
#[cfg(test)]
mod tests;
mod vertex_removal;
mod voronoi;

pub use batch_entry::BatchEntry;
pub use body::Body;
pub use contact_certificate::ContactCertificate;
pub use epa::penetration::Penetration;
pub use gjk::distance::{GjkDistance, GjkSearch, Nearest};
pub use gjk::simplex::{Simplex, Subalgorithm};
pub use hybrid::HybridSearch;
pub use pair::{Pair, Probe};
pub use plane::Plane;
pub use polytope::{Polytope, PolytopeError};
pub use sat::SatSearch;
pub use search::Search;
pub use search_result::{Bias, SearchResult};
pub use solidity::Solidity;
pub use support::VertexSearch;
pub use voronoi::{HullFeature, VoronoiRegions};
