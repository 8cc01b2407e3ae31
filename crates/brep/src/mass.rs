//! Volume, center of mass and inertia of closed meshes; surface area of any mesh.
//!
//! The body is the signed sum of the tetrahedra between the origin and each triangle, over which the
//! integrals are polynomials in the corners. Sources: Mirtich, *Fast and accurate computation of
//! polyhedral mass properties*, 1996; Eberly, *Polyhedral mass properties (revisited)*, 2002; second
//! moments: Blow and Binstock, *How to find the inertia tensor of a 3D solid body represented by a
//! triangle mesh*, 2004.

use crate::edge_chain::EdgeChain;
use crate::projection::{bounds, unit_scale};
use crate::repair::{Weld, places};
use crate::{PolygonMesh, VertexId};
use xcollide_math::vector::{cross, dot, length, scale, sub};

/// Volume, centroid and inertia tensor of the body that a closed mesh bounds, at density 1.
///
/// A mesh is closed if its faces traverse every edge between positions equally often in both
/// directions: equal vertices need not be welded, and surfaces may touch, enclose or cross each other.
/// Points with winding number k count k times: 0 in cavities, 2 where two bodies overlap, −1 in a body
/// that is inside out.
///
/// Computed in floating point relative to the middle of the body, so accuracy does not depend on the
/// distance from the origin. Collisions never depend on it.
///
/// ```
/// use xcollide_brep::{ConvexHull, MassProperties};
///
/// let corners = [[1.0, 1.0, 1.0], [3.0, 1.0, 1.0], [1.0, 3.0, 1.0], [1.0, 1.0, 5.0]];
/// let tetrahedron = ConvexHull::of(&corners)?.into_mesh();
/// let mass = MassProperties::of(&tetrahedron)?;
/// assert!((mass.volume - 2.0 * 2.0 * 4.0 / 6.0).abs() < 1e-12);
/// assert!((mass.centroid[2] - 2.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MassProperties {
    /// Volume, in cubes of the mesh's unit; negative for a body that is inside out.
    pub volume: f64,
    /// Center of mass, in the mesh's frame.
    pub centroid: [f64; 3],
    /// Inertia tensor about the centroid in the mesh's axes, rows and columns x, y, z: the moment of
    /// inertia about an axis with unit vector n through the centroid is n · I n. Symmetric; has the
    /// sign of the volume. For density ρ multiply by ρ.
    pub inertia: [[f64; 3]; 3],
}

/// Error of computing mass properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// Faces are missing or inconsistently oriented, so there is no inside; [`repair`](crate::repair())
    /// may help.
    #[error(
        "the mesh is not closed or not oriented: the edge from vertex {} to vertex {} has no \
         counterpart, expected every edge to be run as often one way as the other",
        edge[0], edge[1]
    )]
    NotClosed {
        /// A directed edge without an opposite one.
        edge: [VertexId; 2],
    },
    /// The volume is zero, or not distinguishable from zero after rounding.
    #[error("the mesh encloses no volume, so it has no center of mass")]
    NoVolume,
}

impl MassProperties {
    /// The mass properties of a closed mesh, computed from its [triangles](crate::Triangulation).
    /// O(n log n) in the corners.
    ///
    /// Beyond the range of f64 (above about 1e61 units, below about 1e-61) inertia, then volume
    /// become infinite or zero.
    ///
    /// # Errors
    /// The mesh is not closed or has no volume.
    pub fn of(mesh: &PolygonMesh) -> Result<Self, MassError> {
        check_closed(mesh)?;
        let local = LocalFrame::new(mesh);
        let integrals = Integrals::of(mesh, &local);
        // The limit is relative to the rounding errors of the sum.
        if integrals.volume.abs() <= 1e-13 * integrals.absolute_volume {
            return Err(MassError::NoVolume);
        }
        Ok(integrals.properties(&local))
    }
}

impl PolygonMesh {
    /// The sum of the areas of all triangles of all faces, in squares of the mesh's unit. For planar
    /// faces that do not intersect themselves this is their area.
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        let local = LocalFrame::new(self);
        let area = |[a, b, c]: [VertexId; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| local.position(self, vertex));
            length(cross(sub(b, a), sub(c, a)))
        };
        let triangulation = self.triangulate();
        let sum: f64 = triangulation.triangles().iter().map(|&triangle| area(triangle)).sum();
        sum / 2.0 / local.scale / local.scale
    }
}

fn check_closed(mesh: &PolygonMesh) -> Result<(), MassError> {
    let places = places(mesh, Weld::Equal);
    let mut chain = EdgeChain::default();
    for face in mesh.faces() {
        for contour in face.contours() {
            chain.add_cycle(contour.iter().map(|vertex| places[vertex.index()]));
        }
    }
    match chain.cancel().first() {
        None => Ok(()),
        Some(&(from, to)) => Err(MassError::NotClosed { edge: [VertexId(from), VertexId(to)] }),
    }
}

/// A frame centered on the body, scaled so that coordinates are within ±2.
struct LocalFrame {
    scale: f64,
    middle: [f64; 3],
}

impl LocalFrame {
    fn new(mesh: &PolygonMesh) -> Self {
        let used = || mesh.faces().flat_map(|face| face.corners()).map(|&v| mesh.position(v));
        let [min, max] = bounds(used());
        // Halves first: the sum may overflow.
        let middle = [0, 1, 2].map(|k| min[k] / 2.0 + max[k] / 2.0);
        let scale = unit_scale(used().map(|position| sub(position, middle)));
        Self { scale, middle }
    }

    fn position(&self, mesh: &PolygonMesh, vertex: VertexId) -> [f64; 3] {
        scale(sub(mesh.position(vertex), self.middle), self.scale)
    }
}

/// Integrals over the body, in local coordinates.
#[derive(Default)]
struct Integrals {
    /// Of 1: signed, and with all tetrahedra counted as positive.
    volume: f64,
    absolute_volume: f64,
    /// Of x, y and z.
    first: [f64; 3],
    /// Of the products of two coordinates.
    second: [[f64; 3]; 3],
}

impl Integrals {
    fn of(mesh: &PolygonMesh, local: &LocalFrame) -> Self {
        let mut sum = Self::default();
        for triangle in mesh.triangulate().triangles() {
            sum.add(triangle.map(|vertex| local.position(mesh, vertex)));
        }
        sum
    }

    /// Adds the tetrahedron between the origin and a triangle a b c. With d its determinant, six
    /// times its volume, and s = a + b + c:
    ///
    /// ```text
    /// ∫ 1 = d / 6     ∫ x = d s / 24     ∫ x xᵀ = d (s sᵀ + a aᵀ + b bᵀ + c cᵀ) / 120
    /// ```
    fn add(&mut self, [a, b, c]: [[f64; 3]; 3]) {
        let d = dot(a, cross(b, c));
        let s = [0, 1, 2].map(|k| a[k] + b[k] + c[k]);
        self.volume += d / 6.0;
        self.absolute_volume += d.abs() / 6.0;
        for i in 0..3 {
            self.first[i] += d * s[i] / 24.0;
            for j in i..3 {
                let products = s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                self.second[i][j] += d * products / 120.0;
            }
        }
    }

    fn properties(&self, local: &LocalFrame) -> MassProperties {
        let centroid = self.first.map(|moment| moment / self.volume);
        // Parallel axis theorem: subtract the moments of a point mass at the centroid.
        let product = |i: usize, j: usize| {
            self.second[i.min(j)][i.max(j)] - self.volume * centroid[i] * centroid[j]
        };
        let trace = product(0, 0) + product(1, 1) + product(2, 2);
        let unit = |power: i32| (0..power).fold(1.0, |product, _| product / local.scale);
        let inertia = |i: usize, j: usize| {
            (if i == j { trace - product(i, i) } else { -product(i, j) }) * unit(5)
        };
        MassProperties {
            volume: self.volume * unit(3),
            centroid: [0, 1, 2].map(|k| centroid[k] / local.scale + local.middle[k]),
            inertia: [0, 1, 2].map(|i| [0, 1, 2].map(|j| inertia(i, j))),
        }
    }
}
