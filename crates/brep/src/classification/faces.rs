//! Classifies single faces: degenerate, planar, convex.

use crate::convexity::is_convex_face;
use crate::planarity::{PLANARITY_TOLERANCE, base_corners, deviation, is_exactly_planar};
use crate::{Dcel, Face, FaceId, PolygonMesh, VertexId};

/// Result of the scan over the faces.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    /// For each face three non-collinear corners; meaningless for degenerate faces.
    pub(super) bases: Vec<[VertexId; 3]>,
    pub(super) degenerate: Vec<FaceId>,
    pub(super) nonplanar: Vec<FaceId>,
    pub(super) nearly_planar: Vec<FaceId>,
    pub(super) nonconvex: Vec<FaceId>,
    pub(super) deviation: f64,
}

pub(super) fn survey(mesh: &PolygonMesh, dcel: &Dcel) -> Shapes {
    let mut shapes = Shapes { bases: Vec::with_capacity(mesh.face_count()), ..Shapes::default() };
    for face in mesh.faces() {
        let base = base_corners(mesh, face.corners());
        shapes.bases.push(base.unwrap_or_default());
        let Some(base) = base else {
            // Collinear, hence planar.
            shapes.degenerate.push(face.id());
            shapes.nonconvex.push(face.id());
            continue;
        };
        let lies_on_lines = face.contours().len() > 1
            && face.contours().all(|contour| base_corners(mesh, contour).is_none());
        let without_area = lies_on_lines || runs_back_everywhere(dcel, face);
        if without_area {
            shapes.degenerate.push(face.id());
        }
        if without_area || !is_convex_face(mesh, face, base) {
            shapes.nonconvex.push(face.id());
        }
        if !is_exactly_planar(mesh, face, base) {
            let deviation = deviation(mesh, face, base);
            shapes.deviation = shapes.deviation.max(deviation);
            if deviation <= PLANARITY_TOLERANCE {
                shapes.nearly_planar.push(face.id());
            } else {
                shapes.nonplanar.push(face.id());
            }
        }
    }
    shapes
}

/// Whether the contours of a face run each edge as often back as forth, so that they bound nothing.
fn runs_back_everywhere(dcel: &Dcel, face: Face<'_>) -> bool {
    // Without repeated vertices no edge repeats, except in contours of two corners.
    if face.contours().len() == 1 && !repeats_a_vertex(face.corners()) {
        return false;
    }
    let mut sides: Vec<_> = dcel
        .half_edges_of(face.id())
        .map(|side| (dcel.edge(side), dcel.origin(side)))
        .filter(|&(edge, _)| !dcel.is_degenerate(edge))
        .collect();
    sides.sort_unstable();
    sides.chunk_by(|a, b| a.0 == b.0).all(|edge| {
        let alike = edge.iter().filter(|side| side.1 == edge[0].1).count();
        2 * alike == edge.len()
    })
}

fn repeats_a_vertex(corners: &[VertexId]) -> bool {
    if corners.len() <= 8 {
        return (1..corners.len()).any(|index| corners[..index].contains(&corners[index]));
    }
    let mut sorted = corners.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
