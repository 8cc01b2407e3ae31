//! The certificate of contact of two convex hulls: up to four pairs of vertices.
//!
//! Two convex sets P and Q have a common point iff their Minkowski difference, the set of all
//! q − p, holds the origin, and then, by Carathéodory's theorem, four differences of vertices do: the weights that
//! make the origin of them make one and the same point of the p as of the q. Source: Gilbert, Johnson
//! and Keerthi 1988; Chung 1996, 5.1.

use xcollide_brep::{FaceId, VertexId};
use xcollide_convex::{Body, ContactCertificate, Pair, Simplex};
use xcollide_predicates::{differences_hold_origin, triangles_intersect};

use super::prepare::polytope_of;
use crate::mesh::Wide;
use crate::{Feature, NarrowPhase, PairCache, Placed, ProofError, Query, Verdict};

/// Proof that the convex hulls of two placed models have a point in common: up to four pairs of
/// vertices, the first of each a vertex of the first model, whose differences enclose the origin.
///
/// It is to contact what a [`Plane`](xcollide_convex::Plane) is to separation, and shorter: checking it takes
/// constant time. Like a plane it is about hulls, and exact about these: of two hulls either a simplex
/// or a separating plane can be had, if not always one of 64-bit numbers, and never both. The hull of a
/// convex body is the body but for dents, about a unit in the last place deep, that the rounding of its
/// placed vertices makes. What has been decided about the bodies, dents and all, the
/// [`Witness`](crate::Witness) proves.
///
/// ```
/// # use xcollide_brep::PolygonMesh;
/// use xcollide_narrow::convex::MinkowskiSimplex;
/// use xcollide_narrow::{Model, Placed, Pose};
///
/// # let tetrahedron = PolygonMesh::from_polygons(
/// #     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
/// #     [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
/// # )?;
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
pub struct MinkowskiSimplex {
    /// The pairs: one to four of them.
    pub pairs: Vec<[VertexId; 2]>,
}

impl MinkowskiSimplex {
    /// Checks this proof against the two placed models, without the algorithm that made it. Exact,
    /// in constant time but for looking the vertices up.
    ///
    /// # Errors
    /// [`ProofError::UnknownElement`] for a vertex that no face uses, or more than four pairs;
    /// [`ProofError::OriginOutside`] where the differences do not enclose the origin.
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

    /// Finds the proof for two models, whichever algorithm has answered about them: by a few searches
    /// of Gilbert's, whose simplices are checked exactly, and where the hulls hardly meet from what
    /// meets there: two triangles, or a vertex and a body.
    ///
    /// `Some` wherever the models collide. `None` where the hulls are apart; where they meet but not
    /// the models, as of two rings, a simplex that is hard to find may be missed. Takes at most three
    /// exact tests of four pairs where hulls overlap well, else a test of the bodies and some hundred
    /// such tests, or one for each triangle.
    #[must_use]
    pub fn find(a: Placed<'_>, b: Placed<'_>) -> Option<Self> {
        let (of_a, of_b) = (polytope_of(a.model()), polytope_of(b.model()));
        if of_a.is_empty() || of_b.is_empty() {
            return None;
        }
        let [in_a, in_b] = [a.pose(), b.pose()];
        let mut pair = Pair::new(Body::new(&of_a, in_a), Body::new(&of_b, in_b));
        // The origin is on the border of a simplex more often than one would think: where bodies lie
        // well in each other. It is not on that of another one.
        for inset in [None, ContactCertificate::of(&pair), ContactCertificate::askew(&pair)] {
            let (mut simplex, mut direction) = (Simplex::new(), pair.first_direction());
            let _ = pair.gjk(inset.as_ref(), &mut simplex, &mut direction, &mut [0; 2]);
            let named = |&[p, q]: &[u32; 2]| [of_a.number(p), of_b.number(q)].map(VertexId);
            let pairs: Vec<[VertexId; 2]> = simplex.ends().iter().map(named).collect();
            if holds_origin(a, b, &pairs) {
                return Some(Self { pairs });
            }
        }
        Self::of_bodies(a, b)
    }

    /// From the exact answer about the bodies: two triangles that meet, or a vertex in a body.
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

    /// A ray from one vertex of the body through a point in it leaves the body in some triangle: then
    /// the point is in the tetrahedron of that vertex and that triangle.
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

/// In space no more are needed.
const MOST_PAIRS: usize = 4;

fn holds_origin(a: Placed<'_>, b: Placed<'_>, pairs: &[[VertexId; 2]]) -> bool {
    let positions: Vec<[[f64; 3]; 2]> =
        pairs.iter().map(|&[p, q]| [a.position(p), b.position(q)]).collect();
    differences_hold_origin(&positions)
}
