//! The properties of a mesh, with counts and lists of the elements that violate them. Source: Zachmann
//! 1994, 4.2, "Topological/Geometrical Properties" (booleans only).

mod duplicates;
mod faces;
mod flags;
mod on_demand;
mod surface;

use crate::{Dcel, EdgeId, FaceId, PolygonMesh, Topology, VertexId};
pub use duplicates::DuplicateFace;
pub(crate) use on_demand::OnDemand;

/// The properties of a mesh. All lists are in increasing order.
///
/// Vertices are identified by number; [repair](crate::repair) welds equal positions first. An edge has
/// one *side* for each time that a face traverses it; a face traverses the bridge to its hole twice.
/// *Degenerate* edges, from a vertex to itself, are listed and not counted elsewhere.
///
/// Takes O(n) time in the corners, except for sorting faces that share all their edges with more than
/// one other face. Fields are exact unless stated otherwise; collisions never depend on the others.
///
/// ```
/// use xcollide_brep::{Brep, PolygonMesh, Topology};
///
/// // A tetrahedron whose last face has the wrong orientation.
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let faces = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 2, 3]];
/// let brep = Brep::new(PolygonMesh::from_polygons(corners, faces)?)?;
/// let found = brep.classification();
/// assert!(brep.topology().contains(Topology::CLOSED | Topology::MANIFOLD));
/// assert!(!brep.topology().contains(Topology::ORIENTED));
/// assert_eq!(found.euler_characteristic, 2);
/// // It takes part in all three conflicts.
/// assert!(found.misoriented_edges.iter().all(|conflict| conflict.faces.contains(&3.into())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Classification {
    /// Number of vertices, used or not.
    pub vertices: usize,
    /// Number of faces.
    pub faces: usize,
    /// Number of edges, without degenerate ones.
    pub edges: usize,
    /// Number of pieces: faces that share a vertex are connected.
    pub components: usize,
    /// V − E + F − H over the used vertices, the edges that are not degenerate, the faces, and
    /// the hole contours: 2 (1 − genus) for each closed piece that is an orientable manifold. A
    /// face with *n* holes counts 1 − *n*; a bridge to a hole counts as an edge.
    pub euler_characteristic: i64,
    /// Edges with exactly one side.
    pub boundary_edges: Vec<EdgeId>,
    /// Edges with more than two sides.
    pub nonmanifold_edges: Vec<EdgeId>,
    /// Used vertices whose faces do not form exactly one fan or ring; the ends of non-manifold
    /// edges are among them.
    pub nonmanifold_vertices: Vec<VertexId>,
    /// Edges that two faces traverse in the same direction, so that one of the two has the wrong
    /// orientation (thesis figure 4.4).
    pub misoriented_edges: Vec<MisorientedEdge>,
    /// Edges from a vertex to itself.
    pub degenerate_edges: Vec<EdgeId>,
    /// Faces without area: the corners of each contour are exactly collinear, or the contours
    /// traverse every edge equally often in both directions.
    pub degenerate_faces: Vec<FaceId>,
    /// Faces that repeat an earlier one: the same vertices in the same cyclic order, in either
    /// direction.
    pub duplicate_faces: Vec<DuplicateFace>,
    /// Vertices that no face uses.
    pub unused_vertices: Vec<VertexId>,
    /// Faces whose corners deviate from a common plane by more than
    /// [`PLANARITY_TOLERANCE`](crate::PLANARITY_TOLERANCE).
    pub nonplanar_faces: Vec<FaceId>,
    /// Faces that are planar only within the tolerance. If this list and
    /// [`nonplanar_faces`](Self::nonplanar_faces) are empty, all faces are exactly planar, and
    /// [`Topology::CONVEX_FACES`] and [`Topology::CONVEX`] are exact.
    pub nearly_planar_faces: Vec<FaceId>,
    /// The largest distance of a corner from the fitted plane of its face, relative to the largest
    /// extent of the face along an axis; 0 if all faces are exactly planar. In floating point.
    pub planarity_deviation: f64,
    /// Faces that are not convex, degenerate ones among them. Exact for exactly planar faces.
    pub nonconvex_faces: Vec<FaceId>,
    /// Edges with an inner dihedral angle above 180°. Empty unless the mesh is closed, manifold,
    /// oriented and connected, with planar convex faces. Exact for exactly planar faces, except that if
    /// edges bend both ways, the rounded volume decides which side is inside.
    pub reflex_edges: Vec<EdgeId>,
    interior: Interior,
    topology: Topology,
}

/// An edge that two faces traverse in the same direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MisorientedEdge {
    /// The edge.
    pub edge: EdgeId,
    /// The first two faces that traverse it in the more frequent direction, in increasing order; equal
    /// if one face does so twice.
    pub faces: [FaceId; 2],
}

/// Which points a mesh encloses, for collisions of solids. Depends only on vertex numbers: on how often
/// faces traverse each edge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interior {
    /// Faces traverse every edge equally often in both directions, so that the winding number of
    /// every point off the surface is defined. Inside is where it is not zero.
    Winding,
    /// Every edge has an even number of sides, but faces traverse some edges more often in one
    /// direction. Inside is where a ray crosses the surface an odd number of times.
    Parity,
    /// The mesh has no inside: it has no faces, or an edge has an odd number of sides.
    #[default]
    None,
}

impl Classification {
    /// Classifies a mesh. `dcel` must have been built from it.
    ///
    /// # Panics
    /// May panic if `dcel` belongs to another mesh.
    #[must_use]
    pub fn new(mesh: &PolygonMesh, dcel: &Dcel) -> Self {
        let mut found = Self {
            vertices: dcel.vertex_count(),
            faces: dcel.face_count(),
            duplicate_faces: duplicates::find(mesh, dcel),
            ..Self::default()
        };
        surface::survey(dcel, &mut found);
        let holes = dcel.contour_count() - dcel.face_count();
        found.edges = dcel.edge_count() - found.degenerate_edges.len();
        let used = found.vertices - found.unused_vertices.len();
        found.euler_characteristic =
            used as i64 - found.edges as i64 + found.faces as i64 - holes as i64;
        found.survey_shape(mesh, dcel);
        found
    }

    /// Makes this the classification of the same faces over other positions.
    fn renew(&mut self, mesh: &PolygonMesh, dcel: &Dcel) {
        self.degenerate_faces.clear();
        self.nonplanar_faces.clear();
        self.nearly_planar_faces.clear();
        self.planarity_deviation = 0.0;
        self.nonconvex_faces.clear();
        self.reflex_edges.clear();
        self.survey_shape(mesh, dcel);
    }

    /// Fills in what depends on the positions, and the flags.
    fn survey_shape(&mut self, mesh: &PolygonMesh, dcel: &Dcel) {
        let bases = faces::survey(mesh, self);
        self.topology = self.flags();
        let needed = Topology::all() - Topology::CONVEX;
        if self.topology.contains(needed) {
            let exact = self.nearly_planar_faces.is_empty();
            let body = crate::convexity::convexity(mesh, dcel, &bases, exact);
            self.topology.set(Topology::CONVEX, body.convex);
            self.reflex_edges = body.reflex_edges;
        }
    }

    /// All properties as flags.
    #[must_use]
    pub const fn topology(&self) -> Topology {
        self.topology
    }

    /// Which points the mesh encloses.
    #[must_use]
    pub const fn interior(&self) -> Interior {
        self.interior
    }

    /// Whether every face is exactly planar, without any tolerance.
    #[must_use]
    pub const fn is_exactly_planar(&self) -> bool {
        self.nonplanar_faces.is_empty() && self.nearly_planar_faces.is_empty()
    }

    fn flags(&self) -> Topology {
        let mut flags = Topology::empty();
        flags.set(Topology::MANIFOLD_EDGES, self.nonmanifold_edges.is_empty());
        flags.set(Topology::MANIFOLD_VERTICES, self.nonmanifold_vertices.is_empty());
        flags.set(Topology::CLOSED, self.faces > 0 && self.boundary_edges.is_empty());
        flags.set(Topology::ORIENTED, self.misoriented_edges.is_empty());
        flags.set(Topology::PLANAR_FACES, self.nonplanar_faces.is_empty());
        flags.set(Topology::CONVEX_FACES, self.nonconvex_faces.is_empty());
        flags.set(Topology::CONNECTED, self.components == 1);
        flags
    }
}
