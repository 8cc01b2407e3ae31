#![doc = include_str!("../README.md")]

mod ids;
mod mesh;

pub use ids::{EdgeId, FaceId, HalfEdgeId, VertexId};
pub use mesh::{Face, MeshError, PolygonMesh};
