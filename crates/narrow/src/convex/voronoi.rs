//! The Voronoi regions of a hull's features: which vertex, edge or face is nearest to a point
//! outside.
//!
//! The regions are bounded by planes only, one for each pair of features that meet, and so a point
//! is told from the wrong side of which plane it is, and with that which neighbour is nearer.
//!
//! ```text
//!              │ V(edge)  ╱
//!     V(face)  │        ╱         plane between a face and its edge: through the edge, square to
//!              │      ╱  V(vertex)      the face; `into` points to the face
//!     ─────────●────╱             plane between an edge and its end: through the vertex, square to
//!      face   edge,  vertex             the edge; `along` is the direction of the edge
//! ```
//!
//! Source: Lin and Canny, *A fast algorithm for incremental distance calculation*, 1991; I-COLLIDE
//! (Cohen, Lin, Manocha and Ponamgi 1995), 3.2 and 3.3.

use xcollide_brep::{ConvexHull, Dcel, EdgeId, FaceId, HalfEdgeId, VertexId};

use super::vector::{Vector, add, cross, dot, negated, sub, unit};

/// A vertex, an edge or a face of the hull of a [`Polytope`](super::Polytope).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HullFeature {
    /// A vertex, by its number in the polytope.
    Vertex(u32),
    /// An edge, by its number in the half-edge structure of the hull.
    Edge(EdgeId),
    /// A face of the hull.
    Face(FaceId),
}

/// An edge with the four planes that bound its region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    /// Tail and head.
    pub(crate) ends: [u32; 2],
    /// From tail to head, of length 1.
    pub(crate) along: Vector,
    /// The faces that meet there. None in hulls that have none: a segment.
    pub(crate) faces: Option<[FaceId; 2]>,
    /// In the plane of each face, square to the edge, into the face, of length 1.
    pub(crate) into: [Vector; 2],
}

/// The plane of a face: `normal · x = offset`, the normal outwards and of length 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub(crate) normal: Vector,
    pub(crate) offset: f64,
}

/// The features of a hull, their neighbours, and the planes between their Voronoi regions, in the
/// model's frame.
///
/// Built by [`Polytope::regions`](super::Polytope::regions) in linear time from the half-edge
/// structure of the hull; about 200 bytes an edge. Hulls of any dimension have them: a polygon has
/// two faces, a segment none.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::convex::{HullFeature, Polytope};
/// # use xcollide_narrow::Model;
///
/// # let mesh = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
/// # let tetrahedron = Model::from_mesh(mesh)?;
/// let polytope = Polytope::of(&tetrahedron);
/// let regions = polytope.regions();
/// assert_eq!([regions.vertex_count(), regions.edge_count(), regions.face_count()], [4, 6, 4]);
/// assert_eq!(regions.corners(HullFeature::Face(0.into())).len(), 3);
/// # Ok::<(), xcollide_brep::BrepError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VoronoiRegions {
    edges: Vec<Edge>,
    faces: Vec<Face>,
    /// The vertices, for their corners.
    vertices: Vec<u32>,
    /// The edges at vertex `v` are `at_vertex[vertex_ends[v]..vertex_ends[v + 1]]`.
    at_vertex: Vec<u32>,
    vertex_ends: Vec<u32>,
    /// The corners and the edges of face `f` are at `face_ends[f]..face_ends[f + 1]`; the edge
    /// leaves the corner.
    corners: Vec<u32>,
    borders: Vec<u32>,
    face_ends: Vec<u32>,
}

impl VoronoiRegions {
    pub(crate) fn new(hull: &ConvexHull) -> Self {
        let mesh = hull.mesh();
        let vertices = 0..mesh.vertex_count() as u32;
        let mut regions = Self {
            vertices: vertices.clone().collect(),
            vertex_ends: vec![0],
            face_ends: vec![0],
            ..Self::default()
        };
        if hull.dimension() == 0 {
            regions.vertex_ends.push(0);
            return regions;
        }
        let dcel = Dcel::new(mesh);
        let has_faces = hull.dimension() > 1;
        if has_faces {
            for face in mesh.faces() {
                let corners = face.outer();
                let at = |i: usize| mesh.position(corners[i]);
                // Twice the area, as a sum that no single thin corner can spoil (Newell).
                let area = (2..corners.len()).fold([0.0; 3], |area, i| {
                    add(area, cross(sub(at(i - 1), at(0)), sub(at(i), at(0))))
                });
                let normal = unit(area).unwrap_or_default();
                regions.faces.push(Face { normal, offset: dot(normal, at(0)) });
            }
            for face in (0..mesh.face_count()).map(FaceId::from_index) {
                for side in dcel.half_edges_of(face) {
                    regions.corners.push(dcel.origin(side).0);
                    regions.borders.push(dcel.edge(side).0);
                }
                regions.face_ends.push(regions.corners.len() as u32);
            }
        }
        regions.edges = dcel
            .edges()
            .map(|edge| {
                let side = dcel.first_side(edge);
                let [tail, head] = [dcel.origin(side), dcel.target(side)];
                let along = unit(sub(mesh.position(head), mesh.position(tail))).unwrap_or_default();
                let face = |side: HalfEdgeId| dcel.face(side);
                let twin = dcel.twin(side).filter(|_| has_faces);
                let faces = twin.map(|twin| [face(side), face(twin)]);
                let into = faces.map_or([[0.0; 3]; 2], |[left, right]| {
                    let normal = |face: FaceId| regions.faces[face.index()].normal;
                    [cross(normal(left), along), cross(along, normal(right))]
                });
                Edge { ends: [tail.0, head.0], along, faces, into }
            })
            .collect();
        for vertex in vertices {
            let mut edges: Vec<u32> =
                dcel.half_edges_at(VertexId(vertex)).iter().map(|&h| dcel.edge(h).0).collect();
            edges.sort_unstable();
            edges.dedup();
            regions.at_vertex.extend(edges);
            regions.vertex_ends.push(regions.at_vertex.len() as u32);
        }
        regions
    }

    /// How many vertices the hull has.
    #[must_use]
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// How many edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// How many faces: two for a polygon, none for a segment or a point.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// All features: vertices, edges, faces.
    pub fn features(&self) -> impl Iterator<Item = HullFeature> + '_ {
        let vertices = self.vertices.iter().map(|&vertex| HullFeature::Vertex(vertex));
        let edges = (0..self.edges.len()).map(|e| HullFeature::Edge(EdgeId::from_index(e)));
        let faces = (0..self.faces.len()).map(|f| HullFeature::Face(FaceId::from_index(f)));
        vertices.chain(edges).chain(faces)
    }

    /// Whether there is such a feature.
    #[must_use]
    pub fn has(&self, feature: HullFeature) -> bool {
        match feature {
            HullFeature::Vertex(vertex) => (vertex as usize) < self.vertices.len(),
            HullFeature::Edge(edge) => edge.index() < self.edges.len(),
            HullFeature::Face(face) => face.index() < self.faces.len(),
        }
    }

    /// The vertices of a feature: one, two, or those of a face in order.
    ///
    /// # Panics
    /// The hull has no such feature.
    #[must_use]
    pub fn corners(&self, feature: HullFeature) -> &[u32] {
        match feature {
            HullFeature::Vertex(vertex) => std::slice::from_ref(&self.vertices[vertex as usize]),
            HullFeature::Edge(edge) => &self.edges[edge.index()].ends,
            HullFeature::Face(face) => &self.corners[self.range(face)],
        }
    }

    /// The smallest feature that has these vertices, of which there are one to three distinct ones;
    /// `None` where no feature has all of them.
    #[must_use]
    pub fn smallest(&self, vertices: &[u32]) -> Option<HullFeature> {
        let (&first, others) = vertices.split_first()?;
        if others.iter().all(|&v| v == first) {
            return Some(HullFeature::Vertex(first));
        }
        let holds = |feature: &HullFeature| {
            vertices.iter().all(|vertex| self.corners(*feature).contains(vertex))
        };
        let around = self.edges_at(first);
        let edges = around.iter().map(|&e| HullFeature::Edge(EdgeId(e)));
        let faces = around.iter().flat_map(|&e| self.edges[e as usize].faces).flatten();
        edges.chain(faces.map(HullFeature::Face)).find(holds)
    }

    fn range(&self, face: FaceId) -> std::ops::Range<usize> {
        self.face_ends[face.index()] as usize..self.face_ends[face.index() + 1] as usize
    }

    #[inline]
    pub(crate) fn edge(&self, edge: EdgeId) -> &Edge {
        &self.edges[edge.index()]
    }

    #[inline]
    pub(crate) fn face(&self, face: FaceId) -> &Face {
        &self.faces[face.index()]
    }

    #[inline]
    fn edges_at(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.at_vertex[self.vertex_ends[v] as usize..self.vertex_ends[v + 1] as usize]
    }

    /// The edges at a vertex, each with its direction away from the vertex.
    #[inline]
    pub(crate) fn leaving(&self, vertex: u32) -> impl Iterator<Item = (EdgeId, Vector)> + '_ {
        self.edges_at(vertex).iter().map(move |&e| {
            let edge = &self.edges[e as usize];
            let away = if edge.ends[0] == vertex { edge.along } else { negated(edge.along) };
            (EdgeId(e), away)
        })
    }

    /// The edges of a face, each with a corner of it, the direction into the face, and the face
    /// across.
    #[inline]
    pub(crate) fn borders(
        &self,
        face: FaceId,
    ) -> impl Iterator<Item = (EdgeId, u32, Vector, FaceId)> + '_ {
        let range = self.range(face);
        self.borders[range.clone()].iter().zip(&self.corners[range]).map(move |(&e, &corner)| {
            let edge = &self.edges[e as usize];
            match edge.faces {
                Some([left, across]) if left == face => (EdgeId(e), corner, edge.into[0], across),
                Some([across, _]) => (EdgeId(e), corner, edge.into[1], across),
                None => (EdgeId(e), corner, [0.0; 3], face),
            }
        })
    }
}
