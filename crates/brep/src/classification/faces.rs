//! Classifies single faces: degenerate, planar, convex.

use super::Classification;
use crate::convexity::is_convex_face;
use crate::edge_chain::EdgeChain;
use crate::planarity::{PLANARITY_TOLERANCE, base_corners, deviation, is_exactly_planar};
use crate::{Face, PolygonMesh, VertexId};

/// Fills in the fields of `found` about single faces. Returns three non-collinear corners of each face,
/// arbitrary ones if all are collinear.
pub(super) fn survey(mesh: &PolygonMesh, found: &mut Classification) -> Vec<[VertexId; 3]> {
    let mut bases = Vec::with_capacity(mesh.face_count());
    for face in mesh.faces() {
        let shape = FaceShape::of(mesh, face);
        bases.push(shape.base.unwrap_or_default());
        if shape.degenerate {
            found.degenerate_faces.push(face.id());
        }
        if !shape.convex {
            found.nonconvex_faces.push(face.id());
        }
        if let Some(deviation) = shape.deviation {
            found.planarity_deviation = found.planarity_deviation.max(deviation);
            if shape.is_planar() {
                found.nearly_planar_faces.push(face.id());
            } else {
                found.nonplanar_faces.push(face.id());
            }
        }
    }
    bases
}

/// The shape of one face.
pub(super) struct FaceShape {
    /// Three non-collinear corners; `None` if all are collinear.
    pub(super) base: Option<[VertexId; 3]>,
    pub(super) degenerate: bool,
    pub(super) convex: bool,
    /// How far the corners are from a common plane; `None` if the face is exactly planar.
    pub(super) deviation: Option<f64>,
}

impl FaceShape {
    pub(super) fn of(mesh: &PolygonMesh, face: Face<'_>) -> Self {
        let base = base_corners(mesh, face.corners());
        let Some(corners) = base else {
            // Collinear, hence planar.
            return Self { base, degenerate: true, convex: false, deviation: None };
        };
        let lies_on_lines = face.contours().len() > 1
            && face.contours().all(|contour| base_corners(mesh, contour).is_none());
        let degenerate = lies_on_lines || runs_back_everywhere(face);
        let planar = is_exactly_planar(mesh, face, corners);
        Self {
            base,
            degenerate,
            convex: !degenerate && is_convex_face(mesh, face, corners),
            deviation: (!planar).then(|| deviation(mesh, face, corners)),
        }
    }

    /// Whether the corners lie in a plane, within the tolerance.
    pub(super) fn is_planar(&self) -> bool {
        self.deviation.is_none_or(|deviation| deviation <= PLANARITY_TOLERANCE)
    }
}

/// Whether a face traverses each of its edges equally often in both directions, so that it bounds
/// nothing.
fn runs_back_everywhere(face: Face<'_>) -> bool {
    // Without repeated vertices no edge repeats, except in contours of two corners.
    if face.contours().len() == 1 && !repeats_a_vertex(face.corners()) {
        return false;
    }
    let mut chain = EdgeChain::default();
    for contour in face.contours() {
        chain.add_cycle(contour.iter().map(|vertex| vertex.0));
    }
    chain.cancel().is_empty()
}

fn repeats_a_vertex(corners: &[VertexId]) -> bool {
    if corners.len() <= 8 {
        return (1..corners.len()).any(|index| corners[..index].contains(&corners[index]));
    }
    let mut sorted = corners.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}
