//! The certificate of contact of two convex hulls: up to four pairs of vertices.
//!
//! Two convex sets P and Q have a common point iff their Minkowski difference (CSO), the set of all q − p,
//! contains the origin. By Carathéodory's theorem the origin is then a convex combination of four differences
//! of vertices; its weights give the same point from the p as from the q. Source: Gilbert, Johnson and
//! Keerthi 1988; Chung 1996, 5.1.

use xcollide_brep::{FaceId, VertexId};
use xcollide_convex::{Body, ContactCertificate, Pair, Simplex};
use xcollide_predicates::{differences_hold_origin, triangles_intersect};

use super::prepare::polytope_of;
use crate::mesh::Wide;
use crate::{Feature, NarrowPhase, PairCache, Placed, ProofError, Query, Verdict};

/// Proof that the convex hulls of two placed models have a point in common: up to four pairs of
/// vertices, the first of each a vertex of the first model, whose differences enclose the origin.
///
/// It proves contact as a [`Plane`](xcollide_convex::Plane) proves separation, and takes constant time to
/// verify. Both are exact about hulls, and never exist for the same pair. The hull of a convex body is the
/// body except for dents, about a unit in the last place deep, from the rounding of its placed vertices; the
/// [`Witness`](crate::Witness) proves the verdict about the bodies.
///
/// ```
/// use xcollide_narrow::convex::MinkowskiSimplex;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let (corners, faces) = xcollide_fixtures::tetrahedron();
/// # let tetrahedron = xcollide_brep::PolygonMesh::from_polygons(corners.to_vec(), faces)?;
/// let model = Model::from_mesh(tetrahedron)?;
/// let a = Placed::new(&model, &Pose::IDENTITY)?;
/// let (touching, apart) = (Pose::from_translation([1.0, 0.0, 0.0]), Pose::from_translation([1.5, 0.0, 0.0]));
/// let b = Placed::new(&model, &touching)?;
/// let proof = MinkowskiSimplex::find(a, b).ok_or("they touch")?;
/// proof.verify(a, b)?;
/// let b = Placed::new(&model, &apart)?;
/// assert!(proof.verify(a, b).is_err());
/// assert_eq!(MinkowskiSimplex::find(a, b), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MinkowskiSimplex {
    /// The pairs: one to four of them.
    pub pairs: Vec<[VertexId; 2]>,
}

impl MinkowskiSimplex {
    /// Verifies this proof without the algorithm that found it. Exact, in constant time plus a binary search
    /// of the vertices.
    ///
    /// # Errors
    /// [`ProofError::UnknownElement`] for a vertex that no face uses, or more than four pairs;
    /// [`ProofError::OriginOutside`] if the differences do not enclose the origin.
    pub fn verify(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        let unknown = |element: String| Err(ProofError::UnknownElement { element });
        if self.pairs.len() > MOST_PAIRS {
            return unknown(format!("{} pairs where four are enough", self.pairs.len()));
        }
        for &[p, q] in &self.pairs {
            for (placed, vertex) in [(a, p), (b, q)] {
                if placed.model().used_vertices().binary_search(&vertex).is_err() {
                    return unknown(format!("vertex {vertex}"));
                }
            }
        }
        if holds_origin(a, b, &self.pairs) { Ok(()) } else { Err(ProofError::OriginOutside) }
    }

    /// The same proof with the two models exchanged.
    #[must_use]
    pub fn swapped(&self) -> Self {
        Self { pairs: self.pairs.iter().map(|&[p, q]| [q, p]).collect() }
    }

    /// Finds the proof for two models by GJK, whose simplices are verified exactly, and if the hulls hardly
    /// overlap from a witness of the exact test: two triangles, or a vertex and a body.
    ///
    /// `Some` if the models collide. `None` if the hulls are apart; if the hulls meet but not the models, as
    /// for two rings, a simplex may be missed. Takes at most three exact tests of four pairs if hulls overlap
    /// well, else a test of the bodies and some hundred such tests, or one for each triangle.
    #[must_use]
    pub fn find(a: Placed<'_>, b: Placed<'_>) -> Option<Self> {
        let (of_a, of_b) = (polytope_of(a.model()), polytope_of(b.model()));
        if of_a.is_empty() || of_b.is_empty() {
            return None;
        }
        let mut pair = Pair::new(Body::new(&of_a, a.pose()), Body::new(&of_b, b.pose()));
        // For symmetric placements the origin is often on the border of a simplex; then shift the centers.
        for certificate in [None, ContactCertificate::of(&pair), ContactCertificate::askew(&pair)] {
            let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
            let _ = pair.gjk(certificate.as_ref(), &mut simplex, &mut direction, &mut [0; 2]);
            let named = |&[p, q]: &[u32; 2]| [of_a.number(p), of_b.number(q)].map(VertexId);
            let pairs: Vec<[VertexId; 2]> = simplex.ends().iter().map(named).collect();
            if holds_origin(a, b, &pairs) {
                return Some(Self { pairs });
            }
        }
        Self::of_bodies(a, b)
    }

    /// From the exact witness: two triangles that meet, or a vertex in a body.
    #[cold]
    fn of_bodies(a: Placed<'_>, b: Placed<'_>) -> Option<Self> {
        let verdict = Wide::new().test(a, b, &Query::new(), &mut PairCache::new());
        let Verdict::Collides(witness) = verdict else { return None };
        match (witness.a, witness.b) {
            (Feature::Vertex(vertex), Feature::Body) => Self::of_vertex_in_body(a, vertex, b),
            (Feature::Body, Feature::Vertex(vertex)) => {
                Some(Self::of_vertex_in_body(b, vertex, a)?.swapped())
            }
            (of_a, of_b) => Self::of_faces(a, of_a.face()?, b, of_b.face()?),
        }
    }

    /// A ray from a vertex of the body through a point in it leaves the body through some triangle; the point
    /// is in the tetrahedron of that vertex and that triangle.
    fn of_vertex_in_body(a: Placed<'_>, inside: VertexId, b: Placed<'_>) -> Option<Self> {
        let &from = b.model().used_vertices().first()?;
        b.model().triangulation().triangles().iter().find_map(|&[s, t, u]| {
            let pairs = vec![[inside, from], [inside, s], [inside, t], [inside, u]];
            holds_origin(a, b, &pairs).then_some(Self { pairs })
        })
    }

    /// From two faces that meet.
    fn of_faces(a: Placed<'_>, face_a: FaceId, b: Placed<'_>, face_b: FaceId) -> Option<Self> {
        let triangles =
            |placed: Placed<'_>, face| placed.model().triangulation().triangles_of(face);
        for s in triangles(a, face_a) {
            for t in triangles(b, face_b) {
                if triangles_intersect(&a.triangle(s), &b.triangle(t)) {
                    let corners = |placed: Placed<'_>, triangle: usize| {
                        placed.model().triangulation().triangles()[triangle]
                    };
                    return Self::of_corners(a, b, corners(a, s), corners(b, t));
                }
            }
        }
        None
    }

    /// Four of the nine differences of the corners of two triangles.
    fn of_corners(
        a: Placed<'_>,
        b: Placed<'_>,
        s: [VertexId; 3],
        t: [VertexId; 3],
    ) -> Option<Self> {
        let nine: Vec<[VertexId; 2]> = s.iter().flat_map(|&p| t.map(|q| [p, q])).collect();
        for set in 0_u32..1 << nine.len() {
            if set.count_ones() as usize == MOST_PAIRS {
                let chosen = nine.iter().enumerate().filter(|(i, _)| set >> i & 1 == 1);
                let pairs: Vec<[VertexId; 2]> = chosen.map(|(_, &pair)| pair).collect();
                if holds_origin(a, b, &pairs) {
                    return Some(Self { pairs });
                }
            }
        }
        None
    }
}

/// The most pairs that Carathéodory's theorem requires.
const MOST_PAIRS: usize = 4;

fn holds_origin(a: Placed<'_>, b: Placed<'_>, pairs: &[[VertexId; 2]]) -> bool {
    let positions: Vec<[[f64; 3]; 2]> =
        pairs.iter().map(|&[p, q]| [a.position(p), b.position(q)]).collect();
    differences_hold_origin(&positions)
}
