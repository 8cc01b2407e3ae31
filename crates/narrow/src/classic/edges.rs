//! The edges of a model's triangles, each once, with their faces; and the contact of an edge and a triangle.

use std::ops::ControlFlow;
use std::sync::Arc;

use xcollide_brep::{FaceId, VertexId};
use xcollide_predicates::{Point, segment_intersects_triangle, segment_triangle_point};

use crate::pair_search::Hit;
use crate::{Feature, Model, Placed, PreparedData, Suspects, Witness};

/// One undirected edge of the triangulated surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// End points, the smaller number first; equal if the face is a point.
    pub(crate) ends: [VertexId; 2],
    /// The start of its faces in `EdgeList::faces`; they end at those of the next edge.
    first_face: u32,
    /// Whether it is a diagonal of the triangulation, not an edge of a polygon.
    diagonal: bool,
}

/// All edges of a model, by ascending end points. Diagonals are included: a rounded polygon is not quite
/// plane, and two of them may meet only at a diagonal.
pub(crate) struct EdgeList {
    edges: Vec<Edge>,
    faces: Vec<FaceId>,
}

impl EdgeList {
    /// Collects the edges in O(n log n).
    fn new(model: &Model) -> Self {
        let mut sides: Vec<(VertexId, VertexId, FaceId, Side)> = Vec::new();
        let triangulation = model.triangulation();
        for (triangle, &[a, b, c]) in triangulation.triangles().iter().enumerate() {
            let face = triangulation.face_of(triangle);
            let is_point = a == b && b == c;
            for (u, v) in [(a, b), (b, c), (c, a)] {
                if u != v || is_point {
                    sides.push((u.min(v), u.max(v), face, Side::OfTriangle));
                }
            }
        }
        for face in model.mesh().faces() {
            for contour in face.contours() {
                let next = contour.iter().cycle().skip(1);
                for (&u, &v) in contour.iter().zip(next) {
                    sides.push((u.min(v), u.max(v), face.id(), Side::OfPolygon));
                }
            }
        }
        sides.sort_unstable();
        sides.dedup();
        let mut list = Self { edges: Vec::new(), faces: Vec::new() };
        for same in sides.chunk_by(|s, t| (s.0, s.1) == (t.0, t.1)) {
            let first_face = list.faces.len() as u32;
            let of_triangle = same.iter().filter(|side| side.3 == Side::OfTriangle);
            list.faces.extend(of_triangle.map(|side| side.2));
            // An edge that a contour runs through both ways may be in no triangle.
            if list.faces.len() as u32 > first_face {
                let diagonal = same.iter().all(|side| side.3 == Side::OfTriangle);
                list.edges.push(Edge { ends: [same[0].0, same[0].1], first_face, diagonal });
            }
        }
        list
    }

    /// The list of a model, built on the first call.
    pub(crate) fn of(model: &Model) -> &Self {
        model.data(Self::new)
    }

    pub(crate) fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The faces that have the edge, ascending.
    pub(crate) fn faces(&self, edge: usize) -> &[FaceId] {
        let first = self.edges[edge].first_face as usize;
        let end = self.edges.get(edge + 1).map_or(self.faces.len(), |e| e.first_face as usize);
        &self.faces[first..end]
    }

    /// The edge as a feature of its first face; the face itself for a diagonal.
    pub(crate) fn feature(&self, edge: usize) -> Feature {
        let face = self.faces(edge)[0];
        let Edge { ends, diagonal, .. } = self.edges[edge];
        if diagonal { Feature::Face(face) } else { Feature::Edge { face, ends } }
    }
}

impl PreparedData for EdgeList {
    /// Depends on the triangles alone.
    fn refitted(self: Arc<Self>, _: &Model, triangles_kept: bool) -> Option<Arc<Self>> {
        triangles_kept.then_some(self)
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.edges) + size_of_val(&*self.faces)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    OfTriangle,
    OfPolygon,
}

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

impl EdgeHit {
    /// The edge and its model as one number, for searches by several threads.
    pub(crate) fn key(self) -> u32 {
        (self.edge as u32) << 1 | u32::from(self.edge_of_b)
    }

    /// The edge of this [key](Self::key) and a triangle.
    pub(crate) fn of_key(key: u32, triangle: u32) -> Self {
        Self { edge_of_b: key & 1 == 1, edge: (key >> 1) as usize, triangle: triangle as usize }
    }

    /// Whether the edge meets the triangle, exactly.
    #[inline]
    pub(crate) fn is_one(&self, [a, b]: [Placed<'_>; 2], edges: [&EdgeList; 2]) -> bool {
        let (edges_of, faces_of) = self.models(a, b);
        let edges = edges[usize::from(self.edge_of_b)];
        let segment = edges.edges()[self.edge].ends.map(|end| edges_of.position(end));
        segment_intersects_triangle(&segment, &faces_of.triangle(self.triangle))
    }

    /// A face of each model, by the corners of the edge and the triangle.
    pub(crate) fn suspects(self, [a, b]: [Placed<'_>; 2]) -> Suspects {
        let (edges_of, faces_of) = self.models(a, b);
        let edges = EdgeList::of(edges_of.model());
        let segment = edges.edges()[self.edge].ends.map(|end| edges_of.position(end));
        let triangle = faces_of.triangle(self.triangle);
        let of_edge = edges.faces(self.edge)[0];
        let of_triangle = faces_of.model().triangulation().face_of(self.triangle);
        if self.edge_of_b {
            Suspects::of_faces([of_triangle, of_edge], [&triangle, &segment])
        } else {
            Suspects::of_faces([of_edge, of_triangle], [&segment, &triangle])
        }
    }

    /// The corners of the edge, as a triangle, and of the triangle.
    pub(crate) fn corners(self, [a, b]: [Placed<'_>; 2], edges: [&EdgeList; 2]) -> [[Point; 3]; 2] {
        let (edges_of, faces_of) = self.models(a, b);
        let edges = edges[usize::from(self.edge_of_b)];
        let [p, q] = edges.edges()[self.edge].ends.map(|end| edges_of.position(end));
        [[p, q, q], faces_of.triangle(self.triangle)]
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

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_brep::PolygonMesh;

    #[test]
    fn each_edge_is_there_once_with_its_faces_and_diagonals_are_known()
    -> Result<(), Box<dyn std::error::Error>> {
        let mut mesh = PolygonMesh::from_positions(vec![
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 1.0, 0.0],
            [0.0, 1.0, 0.0],
            [2.0, 0.0, 0.0],
            [9.0, 9.0, 9.0],
        ])?;
        mesh.push_face(&[0, 1, 2, 3])?;
        mesh.push_face(&[1, 4, 2])?;
        mesh.push_face(&[5])?;
        let list = EdgeList::new(&Model::from_mesh(mesh)?);
        let described: Vec<_> = (0..list.edges().len())
            .map(|edge| {
                let Edge { ends, diagonal, .. } = list.edges()[edge];
                let faces: Vec<u32> = list.faces(edge).iter().map(|face| face.0).collect();
                (ends.map(|end| end.0), diagonal, faces)
            })
            .collect();
        assert_eq!(
            described,
            [
                ([0, 1], false, vec![0]),
                ([0, 2], true, vec![0]),
                ([0, 3], false, vec![0]),
                ([1, 2], false, vec![0, 1]),
                ([1, 4], false, vec![1]),
                ([2, 3], false, vec![0]),
                ([2, 4], false, vec![1]),
                ([5, 5], false, vec![2]),
            ]
        );
        Ok(())
    }
}
