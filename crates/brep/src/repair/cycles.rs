//! The working copy of a mesh: faces as linked cycles of corners, which can be removed.

use super::{RepairReport, Repaired};
use crate::{FaceId, PolygonMesh, VertexId};

pub(super) const NONE: u32 = u32::MAX;

/// The faces of a mesh as cycles of corners, numbered through the mesh; welded vertices share a place.
/// The *side* of a corner is the directed edge from it to the next corner of its contour.
pub(super) struct Cycles<'a> {
    pub(super) mesh: &'a PolygonMesh,
    /// For each vertex the first one it is welded to.
    place: Vec<u32>,
    vertex: Vec<VertexId>,
    face: Vec<FaceId>,
    /// The next corner in the contour; `NONE` for a removed corner.
    next: Vec<u32>,
}

impl<'a> Cycles<'a> {
    pub(super) fn new(mesh: &'a PolygonMesh, place: Vec<u32>) -> Self {
        let corners = mesh.corner_count();
        let mut cycles = Self {
            mesh,
            place,
            vertex: Vec::with_capacity(corners),
            face: Vec::with_capacity(corners),
            next: Vec::with_capacity(corners),
        };
        for face in mesh.faces() {
            for contour in face.contours() {
                let first = cycles.next.len() as u32;
                cycles.next.extend(first + 1..first + contour.len() as u32);
                cycles.next.push(first);
                cycles.vertex.extend_from_slice(contour);
            }
            cycles.face.resize(cycles.next.len(), face.id());
        }
        cycles
    }

    pub(super) fn corner_count(&self) -> usize {
        self.next.len()
    }

    pub(super) fn corners(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.next.len() as u32).filter(|&corner| self.is_present(corner))
    }

    pub(super) fn is_present(&self, corner: u32) -> bool {
        self.next[corner as usize] != NONE
    }

    pub(super) fn next(&self, corner: u32) -> u32 {
        self.next[corner as usize]
    }

    pub(super) fn vertex(&self, corner: u32) -> VertexId {
        self.vertex[corner as usize]
    }

    pub(super) fn face(&self, corner: u32) -> FaceId {
        self.face[corner as usize]
    }

    pub(super) fn place(&self, corner: u32) -> u32 {
        self.place_of(self.vertex(corner))
    }

    pub(super) fn place_of(&self, vertex: VertexId) -> u32 {
        self.place[vertex.index()]
    }

    pub(super) fn position(&self, corner: u32) -> [f64; 3] {
        self.mesh.position(VertexId(self.place(corner)))
    }

    /// The two places of the corner's side, in its direction.
    pub(super) fn ends(&self, corner: u32) -> (u32, u32) {
        (self.place(corner), self.place(self.next(corner)))
    }

    /// The undirected edge of the corner's side: lower and higher place.
    pub(super) fn edge(&self, corner: u32) -> (u32, u32) {
        let (p, q) = self.ends(corner);
        (p.min(q), p.max(q))
    }

    /// The remaining corners of each contour of a face, without empty contours.
    pub(super) fn contours(&self, face: FaceId) -> impl Iterator<Item = Vec<u32>> + '_ {
        let mut start = self.mesh.face(face).first_corner() as u32;
        self.mesh.face(face).contours().filter_map(move |contour| {
            let range = start..start + contour.len() as u32;
            start = range.end;
            let kept: Vec<u32> = range.filter(|&corner| self.is_present(corner)).collect();
            (!kept.is_empty()).then_some(kept)
        })
    }

    pub(super) fn face_corners(&self, face: FaceId) -> impl Iterator<Item = u32> + '_ {
        let face = self.mesh.face(face);
        let start = face.first_corner() as u32;
        (start..start + face.corners().len() as u32).filter(|&corner| self.is_present(corner))
    }

    pub(super) fn faces(&self) -> impl Iterator<Item = FaceId> + '_ {
        self.mesh.faces().map(|face| face.id()).filter(|&face| self.has_face(face))
    }

    pub(super) fn has_face(&self, face: FaceId) -> bool {
        self.is_present(self.mesh.face(face).first_corner() as u32)
    }

    /// Reduces a contour to the corners `kept`, in order. They must include the first corner of the
    /// face, unless the whole face is removed.
    pub(super) fn keep_only(&mut self, contour: &[u32], kept: &[u32]) {
        for &corner in contour {
            self.next[corner as usize] = NONE;
        }
        for (i, &corner) in kept.iter().enumerate() {
            self.next[corner as usize] = kept[(i + 1) % kept.len()];
        }
    }

    pub(super) fn drop_face(&mut self, face: FaceId) {
        let face = self.mesh.face(face);
        let start = face.first_corner();
        self.next[start..start + face.corners().len()].fill(NONE);
    }

    /// The repaired mesh. `vertices` has the new vertex of each corner; `turned`, the faces to reverse.
    pub(super) fn into_repaired(
        self,
        vertices: &NewVertices,
        turned: &[bool],
        report: RepairReport,
    ) -> Repaired {
        // Copies of a welded vertex take the position of the first of its group.
        let position = |&vertex: &VertexId| self.mesh.position(VertexId(self.place_of(vertex)));
        let positions = vertices.origin.iter().map(position).collect();
        // Cannot fail: positions and numbers come from a valid mesh.
        let mut mesh = PolygonMesh::from_positions(positions).unwrap_or_default();
        let mut face_origin = Vec::new();
        let mut contours: Vec<Vec<u32>> = Vec::new();
        for face in self.mesh.faces().filter(|face| self.has_face(face.id())) {
            contours.clear();
            for contour in self.contours(face.id()) {
                let mut numbers: Vec<u32> =
                    contour.iter().map(|&corner| vertices.of_corner[corner as usize]).collect();
                if turned[face.id().index()] {
                    numbers[1..].reverse();
                }
                contours.push(numbers);
            }
            let holes: Vec<&[u32]> = contours[1..].iter().map(Vec::as_slice).collect();
            if mesh.push_face_with_holes(&contours[0], &holes).is_ok() {
                face_origin.push(face.id());
            }
        }
        Repaired { mesh, report, vertex_origin: vertices.origin.clone(), face_origin }
    }
}

pub(super) struct NewVertices {
    /// New vertex of each remaining old corner.
    pub(super) of_corner: Vec<u32>,
    /// Old vertex of each new one.
    pub(super) origin: Vec<VertexId>,
}
