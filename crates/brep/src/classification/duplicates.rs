//! Finds faces that repeat another one. The candidates are the other faces at one edge of a face,
//! usually one face.

use crate::cyclic_order::rotate_to_least;
use crate::{Dcel, Face, FaceId, HalfEdgeId, PolygonMesh, VertexId};

/// A face that repeats another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct DuplicateFace {
    /// The redundant face.
    pub face: FaceId,
    /// The first face with the same vertices in the same cyclic order, in either direction.
    pub original: FaceId,
}

pub(super) fn find(mesh: &PolygonMesh, dcel: &Dcel) -> Vec<DuplicateFace> {
    let mut duplicates = Vec::new();
    let mut crowded = Vec::new();
    for face in mesh.faces() {
        match least_shared_side(dcel, face.id()) {
            (_, 1) => {}
            (side, 2) => {
                let other = dcel.face(dcel.next_side(side));
                if other < face.id() && same_contours(face, mesh.face(other)) {
                    duplicates.push(DuplicateFace { face: face.id(), original: other });
                }
            }
            _ => crowded.push((canonical_contours(face), face.id())),
        }
    }
    // Faces whose edges all have more than two sides are rare; they are compared by sorting.
    crowded.sort_unstable();
    for alike in crowded.chunk_by(|a, b| a.0 == b.0) {
        let original = alike[0].1;
        duplicates.extend(alike[1..].iter().map(|&(_, face)| DuplicateFace { face, original }));
    }
    duplicates.sort_unstable();
    duplicates
}

/// The half-edge of a face whose edge has the fewest sides, and their number, where 3 means 3 or more.
fn least_shared_side(dcel: &Dcel, face: FaceId) -> (HalfEdgeId, usize) {
    dcel.half_edges_of(face)
        .map(|side| (side, dcel.sides(dcel.edge(side)).take(3).count()))
        .min_by_key(|&(_, sides)| sides)
        .unwrap_or((HalfEdgeId(0), 1))
}

fn same_contours(face: Face<'_>, other: Face<'_>) -> bool {
    let sum = |face: Face<'_>| face.corners().iter().fold(0_u32, |sum, v| sum.wrapping_add(v.0));
    face.corners().len() == other.corners().len()
        && sum(face) == sum(other)
        && canonical_contours(face) == canonical_contours(other)
}

/// The contours of a face in canonical order and rotation: equal for faces with the same contours.
fn canonical_contours(face: Face<'_>) -> Vec<Vec<VertexId>> {
    let mut contours: Vec<Vec<VertexId>> = face
        .contours()
        .map(|contour| {
            let mut forward = contour.to_vec();
            let mut backward: Vec<VertexId> = contour.iter().rev().copied().collect();
            rotate_to_least(&mut forward);
            rotate_to_least(&mut backward);
            forward.min(backward)
        })
        .collect();
    contours[1..].sort_unstable();
    contours
}
