//! Triangulates every face of a mesh so that closed meshes stay closed.
//!
//! Collisions are decided on triangles over *rounded* vertices, because a pose rounds each vertex it
//! moves. If a triangulator drops a collinear vertex, as most do, this opens a crack: the rounded vertex
//! leaves the edge that replaces it.
//!
//! ```text
//!        c                 c
//!       / \               / \          the neighbour across a-b has b' too; where the pose
//!      /   \             /   \         moves b' off the line, the two faces part
//!     a--b'-b           a-----b
//! ```
//!
//! So the boundary of the proposed triangles (from a fan, the `earcut` library, or exact ear clipping)
//! is compared with the contours, as chains of directed edges between vertex *numbers*. The difference
//! is a set of cycles, which are filled with fans: slivers without area for dropped vertices. The
//! comparison is combinatorial, so the guarantee holds for every input: non-planar, self-intersecting,
//! with repeated vertices, with bridged or nested holes. Sources: Zachmann 1994, 3.2 and 4.2.2; the
//! chains are those of simplicial homology.

mod ears;
mod face;

use std::ops::Range;

use crate::{FaceId, PolygonMesh, VertexId};
use face::FaceTriangulator;

/// The faces of a mesh cut into triangles.
///
/// Guaranteed for every mesh:
///
/// - Every face has at least one triangle: a face `a` gives `[a, a, a]`, a face `a b` gives
///   `[a, b, b]`.
/// - The directed edges of a face's triangles, with opposite ones cancelled and loops ignored, are the
///   directed edges of its contours, cancelled likewise. So a closed mesh gives triangles that are
///   closed by vertex numbers.
/// - Every edge of every contour is an edge of a triangle of its face, every vertex of a contour
///   a corner of one. No other vertices are used.
/// - A triangle stays unchanged. A polygon that is visible as a whole from its first corner, such as
///   any convex one, becomes the fan from there.
/// - The same mesh gives the same triangles on every platform.
///
/// Planar polygons that do not intersect themselves are tiled by triangles of their own orientation (see
/// [`folded_faces`](Self::folded_faces)). For others, the triangles *define* which points belong to the
/// face. Holes have the orientation opposite to that of the outer contour; the second guarantee is
/// about the contours as given.
///
/// ```
/// use xcollide_brep::PolygonMesh;
///
/// // An L is not convex, so one fan does not tile it.
/// let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
/// let corners = corners.map(|[x, y]| [x, y, 0.0]).to_vec();
/// let mesh = PolygonMesh::from_polygons(corners, [[0, 1, 2, 3, 4, 5]])?;
/// let triangulation = mesh.triangulate();
/// assert_eq!(triangulation.len(), 4);
/// assert_eq!(triangulation.triangles_of(0.into()), 0..4);
/// assert!(triangulation.folded_faces().is_empty());
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Triangulation {
    triangles: Vec<[VertexId; 3]>,
    /// Face of each triangle; empty while face and triangle numbers are equal.
    faces: Vec<FaceId>,
    /// Face `f` has the triangles `ends[f - 1]..ends[f]`; empty together with `faces`.
    ends: Vec<u32>,
    folded: Vec<FaceId>,
}

impl PolygonMesh {
    /// Cuts every face into triangles; [`Triangulation`] lists the guarantees.
    ///
    /// O(n) for triangles and for faces that a fan tiles; other faces cost what the `earcut` library
    /// takes, usually about n log n for n corners and n² at worst. Polygons of up to 2048 corners that
    /// it does not tile are tried again by exact ear clipping in n² steps.
    #[must_use]
    pub fn triangulate(&self) -> Triangulation {
        let mut result = Triangulation::default();
        self.triangulate_into(&mut result);
        result
    }

    /// [`triangulate`](Self::triangulate) into the memory of an earlier triangulation. For triangles, and for faces that
    /// a fan tiles, allocates nothing if that was as large.
    pub fn triangulate_into(&self, result: &mut Triangulation) {
        let mut triangulator = FaceTriangulator::default();
        result.clear();
        let plain = self.faces().all(|face| face.holes().len() == 0 && face.outer().len() <= 3);
        result.triangles.reserve_exact(if plain { self.face_count() } else { self.corner_count() });
        for face in self.faces() {
            let tiled = triangulator.triangulate(self.positions(), face, &mut result.triangles);
            if !tiled {
                result.folded.push(face.id());
            }
            if !plain {
                result.faces.resize(result.triangles.len(), face.id());
                result.ends.push(result.triangles.len() as u32);
            }
        }
    }
}

impl Triangulation {
    fn clear(&mut self) {
        self.triangles.clear();
        self.faces.clear();
        self.ends.clear();
        self.folded.clear();
    }

    /// Whether the triangles are the same wherever the vertices are: no face has more than three corners.
    #[inline]
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        self.faces.is_empty()
    }

    /// All triangles, ordered by face, each in the direction of its face.
    #[inline]
    #[must_use]
    pub fn triangles(&self) -> &[[VertexId; 3]] {
        &self.triangles
    }

    /// Number of triangles.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.triangles.len()
    }

    /// Whether there are no triangles, that is no faces.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.triangles.is_empty()
    }

    /// The face of a triangle, given by its index in [`triangles`](Self::triangles). O(1).
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn face_of(&self, triangle: usize) -> FaceId {
        assert!(triangle < self.triangles.len(), "triangle {triangle} of {}", self.len());
        if self.faces.is_empty() { FaceId::from_index(triangle) } else { self.faces[triangle] }
    }

    /// The indices in [`triangles`](Self::triangles) of a face's triangles, at least one. O(1).
    ///
    /// # Panics
    /// If there is no such face.
    #[inline]
    #[must_use]
    pub fn triangles_of(&self, face: FaceId) -> Range<usize> {
        let face = face.index();
        if self.faces.is_empty() {
            assert!(face < self.triangles.len(), "face {face} of {}", self.len());
            return face..face + 1;
        }
        let start = if face == 0 { 0 } else { self.ends[face - 1] as usize };
        start..self.ends[face] as usize
    }

    /// The faces whose triangles do not all have the same orientation in the projection along the
    /// largest component of the face's normal; decided exactly.
    ///
    /// Such faces intersect themselves, are far from planar, or have a hole that leaves the outline or
    /// has the wrong orientation; their triangles overlap or leave the outline. All other faces are
    /// tiled: points with winding number n are covered n times.
    #[inline]
    #[must_use]
    pub fn folded_faces(&self) -> &[FaceId] {
        &self.folded
    }

    /// Heap memory in bytes: 12 a triangle, and another 4 a triangle and 4 a face if any face has more
    /// than three corners.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.triangles.capacity() * size_of::<[VertexId; 3]>()
            + (self.faces.capacity() + self.ends.capacity() + self.folded.capacity())
                * size_of::<u32>()
    }
}
