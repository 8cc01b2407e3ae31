//! Properties that depend on vertex numbers only: boundaries, manifoldness, orientation, components.
//! Source: Zachmann 1994, 4.2.1.

use super::{Interior, MisorientedEdge};
use crate::disjoint_sets::DisjointSets;
use crate::{Dcel, EdgeId, FaceId, VertexId};

/// Result of the scan over edges and vertices.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) boundary_edges: Vec<EdgeId>,
    pub(super) nonmanifold_edges: Vec<EdgeId>,
    pub(super) misoriented_edges: Vec<MisorientedEdge>,
    pub(super) degenerate_edges: Vec<EdgeId>,
    pub(super) nonmanifold_vertices: Vec<VertexId>,
    pub(super) unused_vertices: Vec<VertexId>,
    pub(super) components: usize,
    pub(super) interior: Interior,
}

pub(super) fn survey(dcel: &Dcel) -> Surface {
    let mut surface = Surface::default();
    survey_edges(dcel, &mut surface);
    for vertex in (0..dcel.vertex_count()).map(VertexId::from_index) {
        match dcel.fans(vertex).take(2).count() {
            0 => surface.unused_vertices.push(vertex),
            1 => {}
            _ => surface.nonmanifold_vertices.push(vertex),
        }
    }
    surface.components = count_components(dcel);
    surface
}

fn survey_edges(dcel: &Dcel, surface: &mut Surface) {
    let (mut balanced, mut even) = (true, true);
    for edge in dcel.edges() {
        if dcel.is_degenerate(edge) {
            surface.degenerate_edges.push(edge);
            continue;
        }
        let first = dcel.first_side(edge);
        let sides = dcel.sides(edge).count();
        let alike = dcel.sides(edge).filter(|&side| dcel.runs_like(side, first)).count();
        let opposite = sides - alike;
        balanced &= alike == opposite;
        even &= sides.is_multiple_of(2);
        match sides {
            1 => surface.boundary_edges.push(edge),
            2 => {}
            _ => surface.nonmanifold_edges.push(edge),
        }
        if alike.abs_diff(opposite) > 1 {
            let too_many = alike > opposite;
            let mut wrong = dcel
                .sides(edge)
                .filter(|&side| dcel.runs_like(side, first) == too_many)
                .map(|side| dcel.face(side));
            if let (Some(one), Some(other)) = (wrong.next(), wrong.next()) {
                surface.misoriented_edges.push(MisorientedEdge { edge, faces: [one, other] });
            }
        }
    }
    surface.interior = match (balanced, even) {
        _ if dcel.face_count() == 0 => Interior::None,
        (true, _) => Interior::Winding,
        (false, true) => Interior::Parity,
        (false, false) => Interior::None,
    };
}

/// Number of classes of faces that share no vertex with each other.
fn count_components(dcel: &Dcel) -> usize {
    let mut sets = DisjointSets::new(dcel.vertex_count());
    for face in (0..dcel.face_count()).map(FaceId::from_index) {
        let mut corners = dcel.half_edges_of(face).map(|side| dcel.origin(side).0);
        let Some(first) = corners.next() else { continue };
        corners.fold(first, |together, corner| sets.join(together, corner));
    }
    (0..dcel.vertex_count())
        .filter(|&vertex| sets.is_root(vertex))
        .filter(|&vertex| !dcel.half_edges_at(VertexId::from_index(vertex)).is_empty())
        .count()
}
