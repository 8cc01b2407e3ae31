//! The ranges of the faces' contours among the half-edges. The half-edges of a contour are consecutive,
//! so next and previous need no arrays. If all contours have the same number of corners, as in triangle
//! meshes, a division gives the contour of a half-edge and nothing is stored.

use crate::{FaceId, HalfEdgeId, PolygonMesh};
use std::ops::Range;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contours {
    /// Every face has one contour of this many corners.
    Uniform { corners: u32 },
    Mixed {
        /// By half-edge: its contour.
        of: Vec<u32>,
        /// Contour `c` is the half-edges `ends[c - 1]..ends[c]`.
        ends: Vec<u32>,
        /// By contour: its face. Empty if every face has one contour, as is `face_ends`.
        faces: Vec<u32>,
        /// Face `f` has the contours `face_ends[f - 1]..face_ends[f]`.
        face_ends: Vec<u32>,
    },
}

impl Contours {
    pub(super) fn of_mesh(mesh: &PolygonMesh) -> Self {
        let corners = mesh.faces().next().map_or(1, |face| face.corners().len());
        let same = |contours: usize, count: usize| contours == 1 && count == corners;
        if mesh.faces().all(|face| same(face.contours().len(), face.corners().len())) {
            return Self::Uniform { corners: corners as u32 };
        }
        let contour_count = mesh.faces().map(|face| face.contours().len()).sum();
        let mut of = Vec::with_capacity(mesh.corner_count());
        let mut ends = Vec::with_capacity(contour_count);
        for contour in mesh.faces().flat_map(|face| face.contours()) {
            of.resize(of.len() + contour.len(), ends.len() as u32);
            ends.push(of.len() as u32);
        }
        let (mut faces, mut face_ends) = (Vec::new(), Vec::new());
        if contour_count != mesh.face_count() {
            faces.reserve_exact(contour_count);
            face_ends.reserve_exact(mesh.face_count());
            for face in mesh.faces() {
                faces.resize(faces.len() + face.contours().len(), face.id().0);
                face_ends.push(faces.len() as u32);
            }
        }
        Self::Mixed { of, ends, faces, face_ends }
    }

    #[inline]
    fn contour_of(&self, half_edge: HalfEdgeId) -> u32 {
        match self {
            // The compiler turns a division by a constant into a multiplication.
            Self::Uniform { corners: 3 } => half_edge.0 / 3,
            Self::Uniform { corners } => half_edge.0 / corners,
            Self::Mixed { of, .. } => of[half_edge.index()],
        }
    }

    #[inline]
    pub(super) fn around(&self, half_edge: HalfEdgeId) -> (u32, u32) {
        let contour = self.contour_of(half_edge);
        match self {
            Self::Uniform { corners } => {
                let start = contour * corners;
                (start, start + corners)
            }
            Self::Mixed { ends, .. } => {
                let range = run(ends, contour as usize);
                (range.start, range.end)
            }
        }
    }

    #[inline]
    pub(super) fn face_of(&self, half_edge: HalfEdgeId) -> FaceId {
        let contour = self.contour_of(half_edge);
        FaceId(match self {
            Self::Mixed { faces, .. } if !faces.is_empty() => faces[contour as usize],
            _ => contour,
        })
    }

    pub(super) fn half_edges_of(&self, face: FaceId) -> Range<u32> {
        match self {
            Self::Uniform { corners } => face.0 * corners..(face.0 + 1) * corners,
            Self::Mixed { ends, face_ends, .. } if face_ends.is_empty() => run(ends, face.index()),
            Self::Mixed { ends, face_ends, .. } => {
                let contours = run(face_ends, face.index());
                let start = run(ends, contours.start as usize).start;
                start..ends[contours.end as usize - 1]
            }
        }
    }

    pub(super) fn count(&self, half_edges: usize) -> usize {
        match self {
            Self::Uniform { corners } => half_edges / *corners as usize,
            Self::Mixed { ends, .. } => ends.len(),
        }
    }

    pub(super) fn face_count(&self, half_edges: usize) -> usize {
        match self {
            Self::Mixed { face_ends, .. } if !face_ends.is_empty() => face_ends.len(),
            _ => self.count(half_edges),
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        match self {
            Self::Uniform { .. } => 0,
            Self::Mixed { of, ends, faces, face_ends } => {
                size_of::<u32>()
                    * [of, ends, faces, face_ends].map(Vec::capacity).iter().sum::<usize>()
            }
        }
    }
}

#[inline]
fn run(ends: &[u32], index: usize) -> Range<u32> {
    let start = if index == 0 { 0 } else { ends[index - 1] };
    start..ends[index]
}
