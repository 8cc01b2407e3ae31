#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod brep;
mod classification;
mod convexity;
mod cyclic_order;
mod dcel;
mod diagonal;
mod disjoint_sets;
mod edge_chain;
mod hole_bridges;
mod hull;
mod ids;
mod mass;
mod mesh;
mod planarity;
mod projection;
mod repair;
#[cfg(feature = "serde")]
mod stored;
mod topology;
mod triangulation;

pub use brep::Brep;
pub use classification::{Classification, DuplicateFace, Interior, MisorientedEdge};
pub use dcel::{Dcel, Fan};
pub use hull::{ConvexHull, HullError};
pub use ids::{EdgeId, FaceId, HalfEdgeId, VertexId};
pub use mass::{MassError, MassProperties};
pub use mesh::{Face, MeshError, PolygonMesh};
pub use planarity::PLANARITY_TOLERANCE;
pub use repair::{Change, Defect, DropReason, RepairOptions, RepairReport, Repaired, Weld, repair};
pub use topology::Topology;
pub use triangulation::Triangulation;
