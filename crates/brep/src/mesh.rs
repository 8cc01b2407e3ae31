//! Polygon meshes: vertex positions and faces as lists of vertex numbers.
//!
//! A mesh guarantees only finite positions and existing vertex numbers, so that it can hold any file.
//! Faces may be non-planar, non-convex, overlap themselves, repeat vertices or have fewer than three;
//! vertices may coincide or be unused. [`Classification`](crate::Classification) describes a mesh,
//! [`repair`](crate::repair()) improves it.

use crate::{FaceId, VertexId};

/// Vertex positions (f64) and polygons as lists of vertex numbers.
///
/// A face has one outer contour and any number of hole contours. A hole may also be bridged: joined
/// to the outer contour by an edge that is traversed both ways, as most file formats require.
///
/// Memory: 24 bytes a vertex, 4 a corner, 4 a face (8 a face if any face has holes).
///
/// ```
/// use xcollide_brep::PolygonMesh;
///
/// let square = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
/// let mesh = PolygonMesh::from_polygons(square, [[0, 1, 2, 3]])?;
/// assert_eq!(mesh.face_count(), 1);
/// assert_eq!(mesh.face(0.into()).outer().len(), 4);
/// # Ok::<(), xcollide_brep::MeshError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PolygonMesh {
    positions: Vec<[f64; 3]>,
    /// Vertex numbers, contour after contour.
    corners: Vec<VertexId>,
    /// Contour `c` is `corners[contour_ends[c - 1]..contour_ends[c]]`.
    contour_ends: Vec<u32>,
    /// Face `f` has the contours `face_ends[f - 1]..face_ends[f]`. Empty while every face has
    /// exactly one contour: then contour and face numbers are equal.
    face_ends: Vec<u32>,
}

/// Error of building or changing a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex}: coordinate {} is {value}, expected a finite number", ["x", "y", "z"][*axis])]
    NonFinite {
        /// Number of the vertex, from 0.
        vertex: usize,
        /// 0, 1 or 2 for x, y or z.
        axis: usize,
        /// The value.
        value: f64,
    },
    /// A face refers to a vertex that does not exist.
    #[error(
        "face {face}, corner {corner}: vertex {index} does not exist, expected a number below {vertices}"
    )]
    VertexOutOfRange {
        /// Number of the face, from 0.
        face: usize,
        /// The corner in the face, counted from 0 through all its contours.
        corner: usize,
        /// The vertex number.
        index: u32,
        /// Number of vertices of the mesh.
        vertices: usize,
    },
    /// A contour of a face has no vertex.
    #[error("face {face}: contour {contour} has no vertex, expected at least one")]
    EmptyContour {
        /// Number of the face, from 0.
        face: usize,
        /// The contour in the face: 0 is the outer one.
        contour: usize,
    },
    /// The number of positions differs from the number of vertices.
    #[error("found {found} positions, expected one for each of the {expected} vertices")]
    PositionCount {
        /// Number of positions given.
        found: usize,
        /// Number of vertices.
        expected: usize,
    },
    /// More elements than 32-bit ids can number.
    #[error("too many {what}: a mesh holds at most {} of them", u32::MAX - 1)]
    TooLarge {
        /// `"vertices"`, `"corners"` or `"faces"`.
        what: &'static str,
    },
}

impl PolygonMesh {
    /// The mesh without vertices and faces.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A mesh of polygons with one contour each, given by vertex numbers from 0.
    ///
    /// # Errors
    /// The first non-finite coordinate, missing vertex or empty face.
    pub fn from_polygons<P: AsRef<[u32]>>(
        positions: Vec<[f64; 3]>,
        polygons: impl IntoIterator<Item = P>,
    ) -> Result<Self, MeshError> {
        let mut mesh = Self::from_positions(positions)?;
        for polygon in polygons {
            mesh.push_face(polygon.as_ref())?;
        }
        Ok(mesh)
    }

    /// A mesh with vertices and no faces.
    ///
    /// # Errors
    /// The first non-finite coordinate.
    pub fn from_positions(positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        if positions.len() >= u32::MAX as usize {
            return Err(MeshError::TooLarge { what: "vertices" });
        }
        for (vertex, position) in positions.iter().enumerate() {
            check_finite(vertex, position)?;
        }
        Ok(Self { positions, ..Self::default() })
    }

    /// The same faces over other vertex positions, one for each vertex.
    ///
    /// # Errors
    /// Another number of positions, or the first non-finite coordinate.
    pub fn moved(&self, positions: Vec<[f64; 3]>) -> Result<Self, MeshError> {
        self.check_positions(&positions)?;
        Ok(Self {
            positions,
            corners: self.corners.clone(),
            contour_ends: self.contour_ends.clone(),
            face_ends: self.face_ends.clone(),
        })
    }

    /// [`moved`](Self::moved) in place: copies the positions and allocates nothing.
    ///
    /// # Errors
    /// As for [`moved`](Self::moved); the mesh is then unchanged.
    pub fn set_positions(&mut self, positions: &[[f64; 3]]) -> Result<(), MeshError> {
        self.check_positions(positions)?;
        self.positions.copy_from_slice(positions);
        Ok(())
    }

    /// Whether these positions may replace those of the vertices.
    ///
    /// # Errors
    /// Another number of positions, or the first non-finite coordinate.
    pub fn check_positions(&self, positions: &[[f64; 3]]) -> Result<(), MeshError> {
        let (found, expected) = (positions.len(), self.positions.len());
        if found != expected {
            return Err(MeshError::PositionCount { found, expected });
        }
        // The sum of what is finite times 0 is 0: no branch for each coordinate.
        let zero = |sum: f64, [x, y, z]: &[f64; 3]| sum + (x * 0.0 + y * 0.0 + z * 0.0);
        if positions.iter().fold(0.0, zero) == 0.0 {
            return Ok(());
        }
        let mut all = positions.iter().enumerate();
        all.try_for_each(|(vertex, position)| check_finite(vertex, position))
    }

    /// Adds a vertex and returns its number.
    ///
    /// # Errors
    /// A coordinate is not finite, or there are 2³² − 2 vertices already.
    pub fn push_vertex(&mut self, position: [f64; 3]) -> Result<VertexId, MeshError> {
        let vertex = self.positions.len();
        if vertex + 1 >= u32::MAX as usize {
            return Err(MeshError::TooLarge { what: "vertices" });
        }
        check_finite(vertex, &position)?;
        self.positions.push(position);
        Ok(VertexId::from_index(vertex))
    }

    /// Adds a face of one contour over existing vertices and returns its number.
    ///
    /// # Errors
    /// A vertex does not exist, or the face is empty. The mesh is then unchanged.
    pub fn push_face(&mut self, corners: &[u32]) -> Result<FaceId, MeshError> {
        self.push_face_with_holes(corners, &[])
    }

    /// Adds a face with an outer contour and holes over existing vertices and returns its number.
    ///
    /// # Errors
    /// A vertex does not exist, or a contour is empty. The mesh is then unchanged.
    pub fn push_face_with_holes(
        &mut self,
        outer: &[u32],
        holes: &[&[u32]],
    ) -> Result<FaceId, MeshError> {
        let face = self.face_count();
        let limit = u32::MAX as usize - 1;
        let added = outer.len() + holes.iter().map(|hole| hole.len()).sum::<usize>();
        if face >= limit {
            return Err(MeshError::TooLarge { what: "faces" });
        }
        if added > limit - self.corners.len().min(limit) {
            return Err(MeshError::TooLarge { what: "corners" });
        }
        let contours = || std::iter::once(outer).chain(holes.iter().copied());
        let mut corner = 0;
        for (contour, corners) in contours().enumerate() {
            if corners.is_empty() {
                return Err(MeshError::EmptyContour { face, contour });
            }
            for &index in corners {
                if index as usize >= self.positions.len() {
                    let vertices = self.positions.len();
                    return Err(MeshError::VertexOutOfRange { face, corner, index, vertices });
                }
                corner += 1;
            }
        }
        if !holes.is_empty() && self.face_ends.is_empty() {
            self.face_ends = (1..=face as u32).collect();
        }
        for corners in contours() {
            self.corners.extend(corners.iter().map(|&index| VertexId(index)));
            self.contour_ends.push(self.corners.len() as u32);
        }
        if !holes.is_empty() || !self.face_ends.is_empty() {
            self.face_ends.push(self.contour_ends.len() as u32);
        }
        Ok(FaceId::from_index(face))
    }

    /// All vertex positions, in the mesh's own frame.
    #[inline]
    #[must_use]
    pub fn positions(&self) -> &[[f64; 3]] {
        &self.positions
    }

    /// The position of one vertex.
    ///
    /// # Panics
    /// If the mesh has no such vertex.
    #[inline]
    #[must_use]
    pub fn position(&self, vertex: VertexId) -> [f64; 3] {
        self.positions[vertex.index()]
    }

    /// Number of vertices, used or not.
    #[inline]
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.positions.len()
    }

    /// Number of faces.
    #[inline]
    #[must_use]
    pub fn face_count(&self) -> usize {
        if self.face_ends.is_empty() { self.contour_ends.len() } else { self.face_ends.len() }
    }

    /// Number of corners of all faces; also the number of half-edges.
    #[inline]
    #[must_use]
    pub fn corner_count(&self) -> usize {
        self.corners.len()
    }

    /// One face.
    ///
    /// # Panics
    /// If the mesh has no such face.
    #[inline]
    #[must_use]
    pub fn face(&self, face: FaceId) -> Face<'_> {
        let index = face.index();
        let (first, end) = if self.face_ends.is_empty() {
            (index, index + 1)
        } else {
            let first = if index == 0 { 0 } else { self.face_ends[index - 1] as usize };
            (first, self.face_ends[index] as usize)
        };
        let start = if first == 0 { 0 } else { self.contour_ends[first - 1] };
        Face { id: face, start, ends: &self.contour_ends[first..end], corners: &self.corners }
    }

    /// All faces in order.
    #[must_use]
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> + DoubleEndedIterator + Clone {
        (0..self.face_count()).map(|face| self.face(FaceId::from_index(face)))
    }

    /// Heap memory in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.positions.capacity() * size_of::<[f64; 3]>()
            + (self.corners.capacity() + self.contour_ends.capacity() + self.face_ends.capacity())
                * size_of::<u32>()
    }
}

/// One polygon of a mesh: an outer contour and its holes.
#[derive(Clone, Copy, Debug)]
pub struct Face<'a> {
    id: FaceId,
    start: u32,
    ends: &'a [u32],
    corners: &'a [VertexId],
}

impl<'a> Face<'a> {
    /// The number of this face.
    #[must_use]
    pub fn id(&self) -> FaceId {
        self.id
    }

    /// The vertices of the outer contour in order.
    #[must_use]
    pub fn outer(&self) -> &'a [VertexId] {
        &self.corners[self.start as usize..self.ends[0] as usize]
    }

    /// All contours, the outer one first.
    #[must_use]
    pub fn contours(&self) -> impl ExactSizeIterator<Item = &'a [VertexId]> + Clone + use<'a> {
        let (ends, corners, start) = (self.ends, self.corners, self.start);
        (0..ends.len()).map(move |contour| {
            let first = if contour == 0 { start } else { ends[contour - 1] };
            &corners[first as usize..ends[contour] as usize]
        })
    }

    /// The contours of the holes.
    #[must_use]
    pub fn holes(&self) -> impl ExactSizeIterator<Item = &'a [VertexId]> + Clone + use<'a> {
        self.contours().skip(1)
    }

    /// The vertices of all contours, one after the other.
    #[must_use]
    pub fn corners(&self) -> &'a [VertexId] {
        &self.corners[self.start as usize..self.ends[self.ends.len() - 1] as usize]
    }

    /// Index of this face's first corner among the corners of the mesh.
    #[must_use]
    pub fn first_corner(&self) -> usize {
        self.start as usize
    }
}

fn check_finite(vertex: usize, position: &[f64; 3]) -> Result<(), MeshError> {
    match position.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(axis) => Err(MeshError::NonFinite { vertex, axis, value: position[axis] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle() -> Vec<[f64; 3]> {
        vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    }

    #[test]
    fn vertices_move_under_the_same_faces() -> Result<(), MeshError> {
        let mut mesh = PolygonMesh::from_positions(vec![[0.0; 3]; 6])?;
        mesh.push_face_with_holes(&[0, 1, 2], &[&[3, 4, 5]])?;
        let positions: Vec<[f64; 3]> = (0..6).map(|i| [f64::from(i); 3]).collect();
        let moved = mesh.moved(positions.clone())?;
        assert_eq!(moved.positions(), positions);
        assert_eq!(moved.moved(vec![[0.0; 3]; 6])?, mesh);
        let few = mesh.moved(positions[..5].to_vec());
        assert_eq!(few, Err(MeshError::PositionCount { found: 5, expected: 6 }));
        let broken = mesh.moved([&positions[..5], &[[0.0, f64::INFINITY, 0.0]]].concat());
        assert!(matches!(broken, Err(MeshError::NonFinite { vertex: 5, axis: 1, .. })));
        Ok(())
    }

    #[test]
    fn contours_come_back_as_they_went_in() -> Result<(), MeshError> {
        let mut mesh = PolygonMesh::from_positions(vec![[0.0; 3]; 9])?;
        mesh.push_face(&[0, 1, 2])?;
        mesh.push_face_with_holes(&[0, 1, 2, 3], &[&[4, 5, 6], &[7, 8]])?;
        mesh.push_face(&[8])?;
        let numbers = |corners: &[VertexId]| corners.iter().map(|v| v.0).collect::<Vec<_>>();
        let faces: Vec<Vec<Vec<u32>>> =
            mesh.faces().map(|face| face.contours().map(numbers).collect()).collect();
        assert_eq!(faces[0], [vec![0, 1, 2]]);
        assert_eq!(faces[1], [vec![0, 1, 2, 3], vec![4, 5, 6], vec![7, 8]]);
        assert_eq!(faces[2], [vec![8]]);
        let holed = mesh.face(FaceId(1));
        assert_eq!(numbers(holed.corners()), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(holed.first_corner(), 3);
        assert_eq!(holed.holes().len(), 2);
        Ok(())
    }

    #[test]
    fn what_cannot_be_held_is_refused_and_changes_nothing() -> Result<(), MeshError> {
        let mut mesh = PolygonMesh::from_positions(triangle())?;
        let missing = mesh.push_face(&[0, 1, 3]);
        assert_eq!(
            missing,
            Err(MeshError::VertexOutOfRange { face: 0, corner: 2, index: 3, vertices: 3 })
        );
        assert_eq!(
            mesh.push_face_with_holes(&[0, 1, 2], &[&[]]),
            Err(MeshError::EmptyContour { face: 0, contour: 1 })
        );
        assert!(matches!(
            mesh.push_vertex([0.0, f64::NAN, 0.0]),
            Err(MeshError::NonFinite { vertex: 3, axis: 1, .. })
        ));
        assert_eq!(mesh, PolygonMesh::from_positions(triangle())?);
        Ok(())
    }
}
