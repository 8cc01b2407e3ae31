//! Properties that depend on vertex numbers only: boundaries, manifoldness, orientation, components
//! (Zachmann 1994, 4.2.1).

use super::{Classification, Interior, MisorientedEdge};
use crate::disjoint_sets::DisjointSets;
use crate::{Dcel, FaceId, VertexId};

/// Fills in the fields of `found` about edges, vertices and components.
pub(super) fn survey(dcel: &Dcel, found: &mut Classification) {
    survey_edges(dcel, found);
    for vertex in (0..dcel.vertex_count()).map(VertexId::from_index) {
        match dcel.fans(vertex).take(2).count() {
            0 => found.unused_vertices.push(vertex),
            1 => {}
            _ => found.nonmanifold_vertices.push(vertex),
        }
    }
    found.components = count_components(dcel);
}

fn survey_edges(dcel: &Dcel, found: &mut Classification) {
    let (mut balanced, mut even) = (true, true);
    for edge in dcel.edges() {
        if dcel.is_degenerate(edge) {
            found.degenerate_edges.push(edge);
            continue;
        }
        let first = dcel.first_side(edge);
        let sides = dcel.sides(edge).count();
        let alike = dcel.sides(edge).filter(|&side| dcel.runs_like(side, first)).count();
        let opposite = sides - alike;
        balanced &= alike == opposite;
        even &= sides.is_multiple_of(2);
        match sides {
            1 => found.boundary_edges.push(edge),
            2 => {}
            _ => found.nonmanifold_edges.push(edge),
        }
        if alike.abs_diff(opposite) > 1 {
            let too_many = alike > opposite;
            let mut wrong = dcel
                .sides(edge)
                .filter(|&side| dcel.runs_like(side, first) == too_many)
                .map(|side| dcel.face(side));
            if let (Some(one), Some(other)) = (wrong.next(), wrong.next()) {
                found.misoriented_edges.push(MisorientedEdge { edge, faces: [one, other] });
            }
        }
    }
    found.interior = match (balanced, even) {
        _ if dcel.face_count() == 0 => Interior::None,
        (true, _) => Interior::Winding,
        (false, true) => Interior::Parity,
        (false, false) => Interior::None,
    };
}

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
