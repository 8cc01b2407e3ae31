//! The kinds of primitives that a query of moving points can be about.

use xcollide::predicates::moving::{
    MotionContact, MovingPoint, edge_edge_contact, vertex_face_contact,
};

/// What the four points of a query are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Primitives {
    /// A vertex and the corners of a face.
    VertexFace,
    /// The ends of one edge, and those of another.
    EdgeEdge,
}

impl Primitives {
    /// Their earliest contact, in an interval of time not wider than `width`.
    pub(crate) fn contact(
        self,
        [a, b, c, d]: [MovingPoint; 4],
        width: f64,
    ) -> Option<MotionContact> {
        match self {
            Self::VertexFace => vertex_face_contact(&a, &[b, c, d], width),
            Self::EdgeEdge => edge_edge_contact(&[a, b], &[c, d], width),
        }
    }
}
