//! The working copy: faces as cycles of corners, linked, so that corners and faces can go.

use super::{RepairReport, Repaired};
use crate::{FaceId, PolygonMesh, VertexId};

/// No corner.
pub(super) const NONE: u32 = u32::MAX;

/// The faces of a mesh as cycles of corners; vertices that are welded share a place.
///
/// Corners are numbered through the mesh. The *side* of a corner is the directed edge from it to
/// the next corner of its contour.
pub(super) struct Cycles<'a> {
    pub(super) mesh: &'a PolygonMesh,
    /// For each vertex the first one it is welded to.
    place: Vec<u32>,
    /// Vertex of each corner.
    vertex: Vec<VertexId>,
    /// Face of each corner.
    face: Vec<FaceId>,
    /// The next corner in the contour; `NONE` if this one is gone.
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

    /// The corners that are still there.
    pub(super) fn corners(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.next.len() as u32).filter(|&corner| self.is_kept(corner))
    }

    pub(super) fn is_kept(&self, corner: u32) -> bool {
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

    /// The first vertex that the corner's vertex is welded to: its name in comparisons.
    pub(super) fn place(&self, corner: u32) -> u32 {
        self.place_of(self.vertex(corner))
    }

    pub(super) fn place_of(&self, vertex: VertexId) -> u32 {
        self.place[vertex.index()]
    }

    pub(super) fn position(&self, corner: u32) -> [f64; 3] {
        self.mesh.position(VertexId(self.place(corner)))
    }

    /// The two places of the corner's side, in the order in which it runs.
    pub(super) fn ends(&self, corner: u32) -> (u32, u32) {
        (self.place(corner), self.place(self.next(corner)))
    }

    /// The undirected edge of the corner's side: lower and higher place.
    pub(super) fn edge(&self, corner: u32) -> (u32, u32) {
        let (p, q) = self.ends(corner);
        (p.min(q), p.max(q))
    }

    /// The contours of a face, each as its corners that are still there, empty ones left out.
    pub(super) fn contours(&self, face: FaceId) -> impl Iterator<Item = Vec<u32>> + '_ {
        let mut start = self.mesh.face(face).first_corner() as u32;
        self.mesh.face(face).contours().filter_map(move |contour| {
            let range = start..start + contour.len() as u32;
            start = range.end;
            let kept: Vec<u32> = range.filter(|&corner| self.is_kept(corner)).collect();
            (!kept.is_empty()).then_some(kept)
        })
    }

    /// The corners of a face that are still there, contour after contour.
    pub(super) fn face_corners(&self, face: FaceId) -> impl Iterator<Item = u32> + '_ {
        let face = self.mesh.face(face);
        let start = face.first_corner() as u32;
        (start..start + face.corners().len() as u32).filter(|&corner| self.is_kept(corner))
    }

    /// Whether the face is still there.
    pub(super) fn has_face(&self, face: FaceId) -> bool {
        self.is_kept(self.mesh.face(face).first_corner() as u32)
    }

    /// Leaves only some corners of a contour, in order; the first corner of a face must be among
    /// them, or the face must go as a whole.
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

    /// The new mesh: `vertices` has for each corner its vertex in the new mesh and for each of
    /// those the old vertex; faces that are `turned` run the other way round.
    pub(super) fn into_repaired(
        self,
        vertices: &NewVertices,
        turned: &[bool],
        report: RepairReport,
    ) -> Repaired {
        // Copies of a welded vertex stand where the first of the welded ones does.
        let position = |&vertex: &VertexId| self.mesh.position(VertexId(self.place_of(vertex)));
        let positions = vertices.origin.iter().map(position).collect();
        // Positions and numbers come from a mesh that was accepted, and there are not more.
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

/// The vertices of the new mesh.
pub(super) struct NewVertices {
    /// New vertex of each old corner that is still there.
    pub(super) of_corner: Vec<u32>,
    /// Old vertex of each new one.
    pub(super) origin: Vec<VertexId>,
}
