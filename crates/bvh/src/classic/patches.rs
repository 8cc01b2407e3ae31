//! Convex patches: a mesh cut into pieces of convex surfaces, and a hierarchy with these pieces in
//! its leaves (Daneu 2002, 3.2 and 3.3).
//!
//! ```text
//!      ____                 A patch grows from a triangle over its edges. It takes in a neighbour if
//!     /    \      /         every vertex of the patch stays on one side of the plane of every
//!    / bulge\____/          triangle of the patch: the triangles are faces of the convex hull of
//!   /        hollow         their vertices.
//! ```
//!
//! Trees are smaller, as a leaf has one volume for several triangles, and a walk from triangle to triangle
//! quickly finds a plane that separates two convex surfaces.
//!
//! Differences from the paper: patches grow over shared edges, so they are connected and take
//! O(n log n + n · most) instead of O(n²); one exact condition, no vertex on the wrong side of a plane,
//! replaces three; patches may be convex from either side.

mod adjacency;
mod grow;
mod tree;

use xcollide_predicates::Sign;

pub use tree::{PatchOptions, PatchTree};

use grow::Growth;

/// The triangles of a mesh, each in one convex patch.
///
/// For any mesh:
/// - Every triangle is in exactly one patch; a patch has one to `most` triangles.
/// - The triangles of a patch are connected by edges of exactly two, oppositely oriented triangles.
/// - When [built](Self::new), no patch is [loose](Bend::Loose), by exact predicates.
/// - The same mesh gives the same patches on every platform.
///
/// ```
/// use xcollide_bvh::classic::patches::{Bend, Patches};
///
/// // A tetrahedron is convex, so it is a single patch.
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let patches = Patches::new(&positions, &triangles, 8)?;
/// assert_eq!(patches.len(), 1);
/// assert_eq!(patches.patch(0).bend, Bend::Bulge);
/// # Ok::<(), xcollide_bvh::classic::patches::PatchError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Patches {
    /// Where each patch ends.
    ends: Vec<End>,
    /// The vertices of one patch after the other.
    vertices: Vec<u32>,
    /// The triangles of one patch after the other.
    triangles: Vec<PatchTriangle>,
}

/// Where a patch ends in the lists, and the next one begins.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    vertices: u32,
    triangles: u32,
    bend: Bend,
}

/// A patch, as a view.
#[derive(Clone, Copy, Debug)]
pub struct Patch<'a> {
    /// The numbers of its vertices, each once.
    pub vertices: &'a [u32],
    /// Its triangles.
    pub triangles: &'a [PatchTriangle],
    /// To which side it is convex.
    pub bend: Bend,
}

/// To which side a patch is convex. Seen from above, triangles run counter-clockwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bend {
    /// All vertices are in one plane.
    Flat,
    /// All vertices are on or below the plane of each triangle: convex from outside.
    Bulge,
    /// All vertices are on or above the plane of each triangle: convex from behind.
    Hollow,
    /// None of these; only after vertices have moved.
    Loose,
}

impl Bend {
    /// The bend with more vertices on this side of a triangle.
    fn with(self, side: Sign) -> Self {
        match (self, side) {
            (bend, Sign::Zero) => bend,
            (Self::Flat | Self::Bulge, Sign::Negative) => Self::Bulge,
            (Self::Flat | Self::Hollow, Sign::Positive) => Self::Hollow,
            _ => Self::Loose,
        }
    }
}

/// A triangle of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatchTriangle {
    /// Its number in the mesh.
    pub number: u32,
    /// Its corners in order, as places in [`Patch::vertices`].
    pub corners: [u8; 3],
    /// The triangles of the patch across the edges that start at these corners, or [`NOBODY`].
    across: [u8; 3],
}

const _: () = assert!(size_of::<PatchTriangle>() == 12);

/// No triangle of this patch.
const NOBODY: u8 = u8::MAX;

impl PatchTriangle {
    /// The neighbours in the patch across the edges that start at the first, second and third corner, as
    /// places in [`Patch::triangles`].
    #[inline]
    pub fn neighbours(&self) -> impl Iterator<Item = usize> + use<> {
        self.across.into_iter().filter(|&place| place != NOBODY).map(usize::from)
    }
}

/// Why a mesh cannot be cut into patches, or a tree cannot be adapted to moved vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// A triangle has a corner that is no vertex.
    #[error("triangle {triangle} has the corner {vertex}, but there are {vertices} vertices")]
    NoSuchVertex {
        /// The number of the triangle.
        triangle: usize,
        /// The corner.
        vertex: u32,
        /// The number of vertices.
        vertices: usize,
    },
    /// A vertex that triangles use has a coordinate that is NaN or infinite.
    #[error("vertex {vertex} has a coordinate that is not finite")]
    NonFinite {
        /// The number of the vertex.
        vertex: u32,
    },
    /// More triangles than can be numbered.
    #[error("{found} triangles are more than the limit of 1073741823")]
    TooMany {
        /// The number found.
        found: usize,
    },
}

/// The limit of triangles: their edges have 32-bit numbers too.
const LIMIT: usize = (1 << 30) - 1;

impl Patches {
    /// The most triangles of a patch: places in it take one byte, and n connected triangles have at most
    /// n + 2 vertices.
    pub const LARGEST: usize = 254;

    /// Cuts a mesh, given by positions and the corners of its triangles, into patches of at most `most`
    /// triangles, clamped to 1 to [`LARGEST`](Self::LARGEST).
    ///
    /// Patches grow breadth first; the next one starts at the border of the existing ones. Takes O(n log n)
    /// for the neighbours, and O(most) exact signs a triangle.
    ///
    /// # Errors
    /// Corners that do not exist, coordinates that are not finite, too many triangles.
    pub fn new(
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
        most: usize,
    ) -> Result<Self, PatchError> {
        if triangles.len() > LIMIT {
            return Err(PatchError::TooMany { found: triangles.len() });
        }
        for (triangle, corners) in triangles.iter().enumerate() {
            for &vertex in corners {
                let position = positions.get(vertex as usize).ok_or(PatchError::NoSuchVertex {
                    triangle,
                    vertex,
                    vertices: positions.len(),
                })?;
                check(vertex, position)?;
            }
        }
        Ok(Growth::new(positions, triangles, most.clamp(1, Self::LARGEST)).run())
    }

    /// The number of patches.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no patches, as for a mesh without triangles.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// A patch by its number.
    ///
    /// # Panics
    /// If there is no such patch.
    #[inline]
    #[must_use]
    pub fn patch(&self, patch: usize) -> Patch<'_> {
        let end = self.ends[patch];
        let (vertices, triangles) = match patch.checked_sub(1) {
            Some(before) => (self.ends[before].vertices, self.ends[before].triangles),
            None => (0, 0),
        };
        Patch {
            vertices: &self.vertices[vertices as usize..end.vertices as usize],
            triangles: &self.triangles[triangles as usize..end.triangles as usize],
            bend: end.bend,
        }
    }

    /// All patches.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Patch<'_>> + Clone {
        (0..self.len()).map(|patch| self.patch(patch))
    }

    /// The number of triangles in all patches.
    #[must_use]
    pub fn triangle_count(&self) -> usize {
        self.triangles.len()
    }

    /// Memory in bytes. Spare capacity is not counted.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + size_of_val(self.ends.as_slice())
            + size_of_val(self.vertices.as_slice())
            + size_of_val(self.triangles.as_slice())
    }

    /// Determines the bends again after vertices have moved. Returns the number of
    /// [loose](Bend::Loose) patches. O(most) exact signs a triangle.
    ///
    /// # Errors
    /// A vertex that is missing or not finite. The patches are then unchanged.
    pub fn verify(&mut self, positions: &[[f64; 3]]) -> Result<usize, PatchError> {
        self.check_positions(positions)?;
        let bends: Vec<Bend> = self.iter().map(|patch| patch.bend_at(positions)).collect();
        for (end, &bend) in self.ends.iter_mut().zip(&bends) {
            end.bend = bend;
        }
        Ok(bends.iter().filter(|&&bend| bend == Bend::Loose).count())
    }

    /// Checks that every vertex has a finite position.
    fn check_positions(&self, positions: &[[f64; 3]]) -> Result<(), PatchError> {
        for patch in self.iter() {
            for triangle in patch.triangles {
                for corner in triangle.corners {
                    let vertex = patch.vertices[usize::from(corner)];
                    let vertices = positions.len();
                    let position =
                        positions.get(vertex as usize).ok_or(PatchError::NoSuchVertex {
                            triangle: triangle.number as usize,
                            vertex,
                            vertices,
                        })?;
                    check(vertex, position)?;
                }
            }
        }
        Ok(())
    }
}

/// Checks that a position is finite.
fn check(vertex: u32, position: &[f64; 3]) -> Result<(), PatchError> {
    let finite = position.iter().all(|coordinate| coordinate.is_finite());
    if finite { Ok(()) } else { Err(PatchError::NonFinite { vertex }) }
}

impl Patch<'_> {
    /// The positions of the corners of a triangle of this patch.
    #[inline]
    #[must_use]
    pub fn corners(&self, triangle: &PatchTriangle, positions: &[[f64; 3]]) -> [[f64; 3]; 3] {
        triangle.corners.map(|corner| positions[self.vertices[usize::from(corner)] as usize])
    }

    /// To which side the patch is convex with its vertices at these positions, exactly: tests every vertex
    /// against every triangle, and that no two neighbours in one plane are folded onto each other.
    #[must_use]
    pub fn bend_at(&self, positions: &[[f64; 3]]) -> Bend {
        let mut bend = Bend::Flat;
        for triangle in self.triangles {
            let corners = self.corners(triangle, positions);
            let plane = xcollide_predicates::TrianglePlane::new(&corners);
            for (place, &vertex) in self.vertices.iter().enumerate() {
                if !triangle.corners.iter().any(|&corner| usize::from(corner) == place) {
                    bend = bend.with(plane.side(positions[vertex as usize]));
                }
            }
            if bend == Bend::Loose {
                return bend;
            }
        }
        let turned = |triangle: &PatchTriangle| {
            let of = |triangle| grow::facing(&self.corners(triangle, positions));
            triangle.neighbours().any(|place| of(triangle) != of(&self.triangles[place]))
        };
        if bend == Bend::Flat && self.triangles.iter().any(turned) { Bend::Loose } else { bend }
    }
}
