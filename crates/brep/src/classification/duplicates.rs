//! Faces that repeat another one.
//!
//! Two faces with the same contours share all their edges. So the candidates stand round any edge
//! of a face, and mostly there is but one: the neighbour.

use crate::{Dcel, Face, FaceId, HalfEdgeId, PolygonMesh, VertexId};

/// A face that repeats another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DuplicateFace {
    /// The face that could be left out.
    pub face: FaceId,
    /// The first face with the same vertices in the same cyclic order, in either direction.
    pub original: FaceId,
}

/// All duplicates, in increasing order.
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
    // The few faces of which every edge has more than two sides are compared by sorting.
    crowded.sort_unstable();
    for alike in crowded.chunk_by(|a, b| a.0 == b.0) {
        let original = alike[0].1;
        duplicates.extend(alike[1..].iter().map(|&(_, face)| DuplicateFace { face, original }));
    }
    duplicates.sort_unstable();
    duplicates
}

/// A half-edge of the face whose edge has the fewest sides, and how many: 1, 2, or 3 for more.
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

/// The contours of a face, each where it starts with its smallest sequence of vertices, the outer
/// one first, the holes in order. Equal for equal faces, however they were written.
fn canonical_contours(face: Face<'_>) -> Vec<Vec<VertexId>> {
    let mut contours: Vec<Vec<VertexId>> = face
        .contours()
        .map(|contour| {
            let mut reversed = contour.to_vec();
            reversed.reverse();
            smallest_rotation(contour.to_vec()).min(smallest_rotation(reversed))
        })
        .collect();
    contours[1..].sort_unstable();
    contours
}

/// The rotation that comes first in lexicographic order, in linear time.
///
/// Two candidates for its start compete. Where one proves larger after k equal elements, none of
/// the k + 1 starts it passed can win.
fn smallest_rotation(mut contour: Vec<VertexId>) -> Vec<VertexId> {
    let n = contour.len();
    let at = |index: usize| contour[index % n];
    let (mut a, mut b, mut k) = (0, 1, 0);
    while a < n && b < n && k < n {
        match at(a + k).cmp(&at(b + k)) {
            std::cmp::Ordering::Equal => k += 1,
            std::cmp::Ordering::Greater => (a, k) = (a + k + 1, 0),
            std::cmp::Ordering::Less => (b, k) = (b + k + 1, 0),
        }
        if a == b {
            b += 1;
        }
    }
    contour.rotate_left(a.min(b));
    contour
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_rotation_is_the_smallest_of_all() {
        for code in 0..3_usize.pow(6) {
            let contour: Vec<VertexId> =
                (0..6).map(|digit| VertexId((code / 3_usize.pow(digit) % 3) as u32)).collect();
            for length in 1..=6 {
                let contour = &contour[..length];
                let rotations = (0..length).map(|start| {
                    let mut moved = contour.to_vec();
                    moved.rotate_left(start);
                    moved
                });
                assert_eq!(Some(smallest_rotation(contour.to_vec())), rotations.min());
            }
        }
    }
}
