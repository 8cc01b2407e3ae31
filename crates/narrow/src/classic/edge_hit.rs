//! An edge of one model that meets a triangle of another: the contact that is searched for by all
//! that test edges against faces.

use std::ops::ControlFlow;

use xcollide_brep::FaceId;
use xcollide_predicates::segment_triangle_point;

use super::edges::EdgeList;
use crate::{Feature, Placed, Witness};

/// An edge that meets a triangle.
#[derive(Clone, Copy)]
pub(crate) struct EdgeHit {
    /// Whether the edge is of `b` and the triangle of `a`, or the reverse.
    pub(crate) edge_of_b: bool,
    /// By its place in the model's [`EdgeList`].
    pub(crate) edge: usize,
    pub(crate) triangle: usize,
}

impl EdgeHit {
    /// The model of the edge and the model of the triangle.
    fn models<'m>(&self, a: Placed<'m>, b: Placed<'m>) -> (Placed<'m>, Placed<'m>) {
        if self.edge_of_b { (b, a) } else { (a, b) }
    }

    /// The proof of contact.
    pub(crate) fn witness(&self, a: Placed<'_>, b: Placed<'_>) -> Witness {
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

    /// Shows the pairs of faces that meet because of it: those of the edge, each with that of the
    /// triangle. `lists` are the edges of the two models.
    pub(crate) fn each_pair_of_faces(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        lists: [&EdgeList; 2],
        visit: &mut dyn FnMut(FaceId, FaceId) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (_, faces_of) = self.models(a, b);
        let face = faces_of.model().triangulation().face_of(self.triangle);
        lists[usize::from(self.edge_of_b)].faces(self.edge).iter().try_for_each(|&of_edge| {
            if self.edge_of_b { visit(face, of_edge) } else { visit(of_edge, face) }
        })
    }
}
