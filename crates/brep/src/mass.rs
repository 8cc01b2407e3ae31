//! Volume, center of mass and inertia of closed meshes; surface area of any.
//!
//! Each triangle spans a tetrahedron with the origin, whose integrals are polynomials in its
//! corners; where the surface turns back, their signs differ, and what is outside cancels.
//!
//! Source: Mirtich, *Fast and accurate computation of polyhedral mass properties*, 1996; Eberly,
//! *Polyhedral mass properties (revisited)*, 2002; the second moments as Blow and Binstock, *How
//! to find the inertia tensor of a 3D solid body represented by a triangle mesh*, 2004, have them.

use crate::chain::Chain;
use crate::projection::unit_scale;
use crate::repair::{Weld, places};
use crate::{PolygonMesh, VertexId};

/// Volume, centroid and inertia tensor of the body that a closed mesh bounds, at density 1.
///
/// A mesh is closed if every edge, between places, is run as often one way as the other; vertices
/// of equal position need not be welded, and any number of surfaces may touch, enclose or cross
/// each other. Points that the surface winds around k times count k times: cavities, whose faces
/// look inward, count 0; where two bodies overlap, 2; a body that is inside out, −1.
///
/// Computed in floating point, relative to the middle of the body, so that a body far from the
/// origin loses no more digits than its vertices did. No collision answer depends on it.
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
#[non_exhaustive]
pub struct MassProperties {
    /// Volume, in cubes of the mesh's unit; negative for a body that is inside out.
    pub volume: f64,
    /// Center of mass, in the mesh's frame.
    pub centroid: [f64; 3],
    /// Inertia tensor about the centroid, axes as the mesh's, rows and columns x, y, z: the moment
    /// of inertia about an axis with unit vector n through the centroid is n · I n. Symmetric. For
    /// density ρ multiply by ρ. It has the sign of the volume.
    pub inertia: [[f64; 3]; 3],
}

/// Why a mesh has no mass properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MassError {
    /// The mesh has no inside, so its volume means nothing: faces are missing, or look different
    /// ways; [`repair`](crate::repair()) may help.
    #[error(
        "the mesh is not closed or not oriented: the edge from vertex {} to vertex {} has no \
         counterpart, expected every edge to be run as often one way as the other",
        edge[0], edge[1]
    )]
    NotClosed {
        /// A directed edge that no other cancels.
        edge: [VertexId; 2],
    },
    /// The volume is zero, or rounding does not tell it from zero; so there is no center of mass.
    #[error("the mesh encloses no volume, so it has no center of mass")]
    NoVolume,
}

impl MassProperties {
    /// The mass properties of a closed mesh; polygons are taken as their
    /// [triangles](crate::Triangulation). Takes n log n steps for n corners.
    ///
    /// Beyond the range of f64 (above about 1e61 units, below about 1e-61) inertia, then volume
    /// become infinite or zero.
    ///
    /// # Errors
    /// The mesh is not closed, or has no volume.
    pub fn of(mesh: &PolygonMesh) -> Result<Self, MassError> {
        check_closed(mesh)?;
        let local = Local::new(mesh);
        let integrals = Integrals::of(mesh, &local);
        // Each of the sums is the difference of what is added and what is taken away.
        if integrals.volume.abs() <= 1e-13 * integrals.turnover {
            return Err(MassError::NoVolume);
        }
        Ok(integrals.properties(&local))
    }
}

impl PolygonMesh {
    /// The sum of the areas of all triangles of all faces, in squares of the mesh's unit. For
    /// planar faces that do not intersect themselves this is their area.
    ///
    /// ```
    /// use xcollide_brep::PolygonMesh;
    ///
    /// let corners = vec![[0.0, 0.0, 7.0], [3.0, 0.0, 7.0], [3.0, 2.0, 7.0], [0.0, 2.0, 7.0]];
    /// let mesh = PolygonMesh::from_polygons(corners, [[0, 1, 2, 3]])?;
    /// assert_eq!(mesh.surface_area(), 6.0);
    /// # Ok::<(), xcollide_brep::MeshError>(())
    /// ```
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        let local = Local::new(self);
        let area = |[a, b, c]: [VertexId; 3]| {
            let [a, b, c] = [a, b, c].map(|vertex| local.position(self, vertex));
            let n = cross(sub(b, a), sub(c, a));
            dot(n, n).sqrt()
        };
        let triangulation = self.triangulate();
        let sum: f64 = triangulation.triangles().iter().map(|&triangle| area(triangle)).sum();
        sum / 2.0 / local.scale / local.scale
    }
}

/// Every edge between places has its counterpart.
fn check_closed(mesh: &PolygonMesh) -> Result<(), MassError> {
    let places = places(mesh, Weld::Equal);
    let mut chain = Chain::default();
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

/// Coordinates from −2 to 2, in the middle of which is the body.
struct Local {
    /// A power of two.
    scale: f64,
    middle: [f64; 3],
}

impl Local {
    fn new(mesh: &PolygonMesh) -> Self {
        let used = || mesh.faces().flat_map(|face| face.corners()).map(|&v| mesh.position(v));
        let (mut min, mut max) = ([f64::MAX; 3], [f64::MIN; 3]);
        for position in used() {
            for k in 0..3 {
                (min[k], max[k]) = (min[k].min(position[k]), max[k].max(position[k]));
            }
        }
        // Halves first, as the sum may be too large for f64.
        let middle = [0, 1, 2].map(|k| min[k] / 2.0 + max[k] / 2.0);
        let scale = unit_scale(used().map(|position| sub(position, middle)));
        Self { scale, middle }
    }

    fn position(&self, mesh: &PolygonMesh, vertex: VertexId) -> [f64; 3] {
        sub(mesh.position(vertex), self.middle).map(|x| x * self.scale)
    }
}

/// Integrals over the body, in local coordinates.
#[derive(Default)]
struct Integrals {
    /// Of 1, and the same with all tetrahedra counted as positive.
    volume: f64,
    turnover: f64,
    /// Of x, y and z.
    first: [f64; 3],
    /// Of the products of two coordinates.
    second: [[f64; 3]; 3],
}

impl Integrals {
    fn of(mesh: &PolygonMesh, local: &Local) -> Self {
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
        self.turnover += d.abs() / 6.0;
        for i in 0..3 {
            self.first[i] += d * s[i] / 24.0;
            for j in i..3 {
                let products = s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
                self.second[i][j] += d * products / 120.0;
            }
        }
    }

    fn properties(&self, local: &Local) -> MassProperties {
        let centroid = self.first.map(|moment| moment / self.volume);
        // About the centroid, each product loses that of the body's mass in one point.
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

fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
