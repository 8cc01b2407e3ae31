//! The Voronoi regions of a hull's features: the vertex, edge or face that is nearest to a point outside.
//!
//! Planes bound the regions, one for each pair of features that meet. The neighbour across a plane with the point on its
//! other side is nearer.
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

use crate::gauss_map::{Facet, true_faces};
use crate::polytope::Polytope;
use xcollide_math::vector::{cross, dot, neg, sub, unit};

/// A vertex, an edge or a face of the hull of a [`Polytope`](super::Polytope).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum HullFeature {
    /// A vertex, by its number in the polytope.
    Vertex(u32),
    /// An edge, numbered by its first occurrence in the facets, corner by corner.
    Edge(u32),
    /// A face, by its place among the [facets](super::Polytope::facets).
    Face(u32),
}

/// An edge with the four planes that bound its region.
#[derive(Clone, Copy, Debug)]
pub struct VoronoiEdge {
    /// Tail and head.
    pub ends: [u32; 2],
    /// From tail to head, of length 1.
    pub along: [f64; 3],
    /// The faces that meet there; none for a segment.
    pub faces: Option<[u32; 2]>,
    /// In the plane of each face, orthogonal to the edge, into the face, of length 1.
    pub into: [[f64; 3]; 2],
}

/// The plane of a face: `normal · x = offset`, with an outward normal of length 1.
#[derive(Clone, Copy, Debug)]
pub struct VoronoiFace {
    pub normal: [f64; 3],
    pub offset: f64,
}

/// The features of a hull, their neighbours, and the planes between their Voronoi regions, in the polytope's frame.
///
/// [`Polytope::regions`](super::Polytope::regions) builds it in linear time; about 200 bytes an edge. Hulls of any
/// dimension have one: a polygon has two faces, a segment none.
///
/// ```
/// use xcollide_convex::{HullFeature, Polytope};
///
/// let corners = vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let tetrahedron = Polytope::new(corners, [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
/// let regions = tetrahedron.regions();
/// assert_eq!(regions.features().count(), 4 + 6 + 4);
/// assert_eq!(regions.corners(HullFeature::Face(0)).len(), 3);
/// # Ok::<(), xcollide_convex::PolytopeError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct VoronoiRegions {
    edges: Vec<VoronoiEdge>,
    faces: Vec<VoronoiFace>,
    /// All vertices, as the corners of themselves.
    vertices: Vec<u32>,
    /// The edges at vertex `v` are `at_vertex[vertex_ends[v]..vertex_ends[v + 1]]`.
    at_vertex: Vec<u32>,
    vertex_ends: Vec<u32>,
    /// The corners of face `f` and the edges that leave them are at `face_ends[f]..face_ends[f + 1]`.
    corners: Vec<u32>,
    borders: Vec<u32>,
    face_ends: Vec<u32>,
}

impl VoronoiRegions {
    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = [&self.vertices, &self.at_vertex, &self.vertex_ends, &self.corners];
        let numbers = numbers.into_iter().chain([&self.borders, &self.face_ends]);
        let numbers: usize = numbers.map(|numbers| size_of_val(&**numbers)).sum();
        size_of_val(&*self.edges) + size_of_val(&*self.faces) + numbers
    }

    pub(crate) fn of(polytope: &Polytope) -> Self {
        let Some(adjacency) = polytope.adjacency() else { return Self::default() };
        let vertices = 0..polytope.len() as u32;
        let mut regions = Self {
            vertices: vertices.clone().collect(),
            vertex_ends: vec![0],
            face_ends: vec![0],
            ..Self::default()
        };
        if polytope.dimension() == 0 {
            regions.vertex_ends.push(0);
            return regions;
        }
        let has_faces = polytope.dimension() > 1;
        if has_faces {
            let facets = &polytope.facets;
            let face = |Facet { normal, vertex, .. }| VoronoiFace {
                normal,
                offset: dot(normal, polytope.position(vertex)),
            };
            regions.faces = true_faces(polytope, facets).into_iter().map(face).collect();
            for face in 0..facets.len() {
                for side in facets.range(face) {
                    regions.corners.push(adjacency.origin(side as u32));
                    regions.borders.push(adjacency.edge(side as u32));
                }
                regions.face_ends.push(regions.corners.len() as u32);
            }
        }
        let edge = |side: u32| {
            let ends = [adjacency.origin(side), adjacency.target(side)];
            let [tail, head] = ends.map(|vertex| polytope.position(vertex));
            let along = unit(sub(head, tail)).unwrap_or_default();
            let twin = adjacency.twin(side);
            let faces = has_faces.then(|| [adjacency.facet(side), adjacency.facet(twin)]);
            let into = faces.map_or([[0.0; 3]; 2], |[left, right]| {
                let normal = |face: u32| regions.faces[face as usize].normal;
                [cross(normal(left), along), cross(along, normal(right))]
            });
            VoronoiEdge { ends, along, faces, into }
        };
        regions.edges = adjacency.first_sides().map(edge).collect();
        for vertex in vertices {
            let mut edges: Vec<u32> =
                adjacency.half_edges_at(vertex).map(|h| adjacency.edge(h)).collect();
            edges.sort_unstable();
            edges.dedup();
            regions.at_vertex.extend(edges);
            regions.vertex_ends.push(regions.at_vertex.len() as u32);
        }
        regions
    }

    /// The number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// All features: vertices, edges, faces.
    pub fn features(&self) -> impl Iterator<Item = HullFeature> + '_ {
        let vertices = self.vertices.iter().map(|&vertex| HullFeature::Vertex(vertex));
        let edges = (0..self.edges.len()).map(|e| HullFeature::Edge(e as u32));
        let faces = (0..self.faces.len()).map(|f| HullFeature::Face(f as u32));
        vertices.chain(edges).chain(faces)
    }

    /// Whether the hull has this feature.
    #[must_use]
    pub fn has(&self, feature: HullFeature) -> bool {
        match feature {
            HullFeature::Vertex(vertex) => (vertex as usize) < self.vertices.len(),
            HullFeature::Edge(edge) => (edge as usize) < self.edges.len(),
            HullFeature::Face(face) => (face as usize) < self.faces.len(),
        }
    }

    /// The vertices of a feature: one, two, or the corners of a face in order.
    ///
    /// # Panics
    /// The hull has no such feature.
    #[must_use]
    pub fn corners(&self, feature: HullFeature) -> &[u32] {
        match feature {
            HullFeature::Vertex(vertex) => std::slice::from_ref(&self.vertices[vertex as usize]),
            HullFeature::Edge(edge) => &self.edges[edge as usize].ends,
            HullFeature::Face(face) => &self.corners[self.range(face)],
        }
    }

    /// The smallest feature with these vertices, one to three distinct ones; `None` if no feature has all of them.
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
        let edges = around.iter().map(|&e| HullFeature::Edge(e));
        let faces = around.iter().flat_map(|&e| self.edges[e as usize].faces).flatten();
        edges.chain(faces.map(HullFeature::Face)).find(holds)
    }

    fn range(&self, face: u32) -> std::ops::Range<usize> {
        self.face_ends[face as usize] as usize..self.face_ends[face as usize + 1] as usize
    }

    /// An edge by its number.
    #[inline]
    #[must_use]
    pub fn edge(&self, edge: u32) -> &VoronoiEdge {
        &self.edges[edge as usize]
    }

    /// A face by its number.
    #[inline]
    #[must_use]
    pub fn face(&self, face: u32) -> &VoronoiFace {
        &self.faces[face as usize]
    }

    #[inline]
    fn edges_at(&self, vertex: u32) -> &[u32] {
        let v = vertex as usize;
        &self.at_vertex[self.vertex_ends[v] as usize..self.vertex_ends[v + 1] as usize]
    }

    /// The edges at a vertex, each with its direction away from the vertex.
    #[inline]
    pub fn leaving(&self, vertex: u32) -> impl Iterator<Item = (u32, [f64; 3])> + '_ {
        self.edges_at(vertex).iter().map(move |&e| {
            let edge = &self.edges[e as usize];
            let away = if edge.ends[0] == vertex { edge.along } else { neg(edge.along) };
            (e, away)
        })
    }

    /// The edges of a face, each with one of its ends, the direction into the face, and the face across.
    #[inline]
    pub fn borders(&self, face: u32) -> impl Iterator<Item = (u32, u32, [f64; 3], u32)> + '_ {
        let range = self.range(face);
        self.borders[range.clone()].iter().zip(&self.corners[range]).map(move |(&e, &corner)| {
            let edge = &self.edges[e as usize];
            match edge.faces {
                Some([left, across]) if left == face => (e, corner, edge.into[0], across),
                Some([across, _]) => (e, corner, edge.into[1], across),
                None => (e, corner, [0.0; 3], face),
            }
        })
    }
}
