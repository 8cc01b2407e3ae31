//! The names of vertices, faces and edges of two meshes in motion.

#[cfg(doc)]
use crate::Model;
use xcollide_brep::VertexId;

/// A vertex and a face, or two edges. Faces are triangles, by their numbers in a model's
/// [triangulation](Model::triangulation); edges are the sides of these, the smaller vertex first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Primitives {
    /// A vertex of the first mesh and a triangle of the second.
    VertexFace(VertexId, u32),
    /// A triangle of the first mesh and a vertex of the second; never within one mesh.
    FaceVertex(u32, VertexId),
    /// An edge of the first mesh and one of the second; within one mesh the smaller edge first.
    EdgeEdge([VertexId; 2], [VertexId; 2]),
}
