//! The contact of an edge and a triangle, found by the algorithms that test edges against faces.

use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_predicates::segment_triangle_point;

use super::edges::EdgeList;
use crate::pair_search::Hit;
use crate::{Feature, Placed, Witness};

/// An edge that meets a triangle.
#[derive(Clone, Copy)]
pub(crate) struct EdgeHit {
    /// Whether the edge is of `b` and the triangle of `a`; else the reverse.
    pub(crate) edge_of_b: bool,
    /// The index in the model's [`EdgeList`].
    pub(crate) edge: usize,
    pub(crate) triangle: usize,
}

impl EdgeHit {
    /// The model of the edge and the model of the triangle.
    fn models<'m>(&self, a: Placed<'m>, b: Placed<'m>) -> (Placed<'m>, Placed<'m>) {
        if self.edge_of_b { (b, a) } else { (a, b) }
    }
}

impl Hit for EdgeHit {
    fn witness(self, [a, b]: [Placed<'_>; 2]) -> Witness {
        let (edges_of, faces_of) = self.models(a, b);
        let edges = EdgeList::of(edges_of.model());
        let segment = edges.edges()[self.edge].ends.map(|end| edges_of.position(end));
        let triangle = faces_of.triangle(self.triangle);
        let witness = Witness {
            a: edges.feature(self.edge),
            b: Feature::Face(faces_of.model().triangulation().face_of(self.triangle)),
            point: segment_triangle_point(&segment, &triangle).unwrap_or(segment[0]),
        };
        if self.edge_of_b { witness.swapped() } else { witness }
    }

    /// Each face of the edge with that of the triangle.
    fn each_pair_of_faces(
        &self,
        [a, b]: [Placed<'_>; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (edges_of, faces_of) = self.models(a, b);
        let face = faces_of.model().triangulation().face_of(self.triangle);
        EdgeList::of(edges_of.model()).faces(self.edge).iter().try_for_each(|&of_edge| {
            if self.edge_of_b { visit(face, of_edge) } else { visit(of_edge, face) }
        })
    }
}
