//! Proofs of contact.

use xcollide_brep::{FaceId, VertexId};
use xcollide_predicates::{
    Point, point_on_triangle, segment_intersects_triangle, triangles_within,
};

use crate::point_in_polyhedron::{Location, locate};
use crate::{Placed, ProofError, Semantics};

/// A part of a model in a contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Feature {
    /// A face: the union of its triangles.
    Face(FaceId),
    /// An edge of a face, by its end points, which are equal if the face is a point.
    Edge {
        /// The first face that has this edge.
        face: FaceId,
        /// The end points.
        ends: [VertexId; 2],
    },
    /// A vertex that some face uses.
    Vertex(VertexId),
    /// The body that the model bounds.
    Body,
}

impl Feature {
    /// The face, if there is one.
    #[must_use]
    pub fn face(&self) -> Option<FaceId> {
        match *self {
            Self::Face(face) | Self::Edge { face, .. } => Some(face),
            Self::Vertex(_) | Self::Body => None,
        }
    }
}

/// Proof that two placed models have a point in common: the two features that meet, and a point.
///
/// The features are the proof, or the point if both are bodies: the predicates decide exactly whether two
/// segments or triangles meet. The point is rounded, so it lies on both features only up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Witness {
    /// The feature of the first model.
    pub a: Feature,
    /// The feature of the second model.
    pub b: Feature,
    /// A common point in world coordinates: exactly in a body, and within 2⁻³⁸ of the largest coordinate of
    /// the two features from other features. Of two formulas that touch where f64 has no common point, within 2⁻²⁴ of both.
    pub point: [f64; 3],
}

/// The largest distance of a witness's point from its features: 2⁻³⁸ of their largest coordinate.
pub(crate) fn point_tolerance(a: &[Triangle], b: &[Triangle]) -> f64 {
    let coordinates = a.iter().chain(b).flatten().flatten();
    coordinates.fold(0.0, |most: f64, x| most.max(x.abs())) / (1_u64 << 38) as f64
}

/// Whether a point is finite and within a tolerance of one of some triangles.
pub(crate) fn is_near(point: Point, triangles: &[Triangle], tolerance: f64) -> bool {
    point.iter().all(|x| x.is_finite())
        && triangles.iter().any(|t| triangles_within(&[point; 3], t, tolerance))
}

impl Witness {
    /// The proof by a common point of two bodies.
    #[inline(always)]
    pub(crate) fn common(point: [f64; 3]) -> Self {
        Self { a: Feature::Body, b: Feature::Body, point }
    }

    /// [`verify`](Self::verify) of two meshes.
    pub(crate) fn verify_of_meshes(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        match (self.a, self.b) {
            (Feature::Vertex(vertex), Feature::Body) => self.verify_inside(a, vertex, b, semantics),
            (Feature::Body, Feature::Vertex(vertex)) => self.verify_inside(b, vertex, a, semantics),
            (Feature::Body, Feature::Body) => self.verify_common(a, b, semantics),
            (Feature::Body, _) | (_, Feature::Body) => Err(ProofError::UnknownElement {
                element: "a body where a vertex is needed".into(),
            }),
            (of_a, of_b) => self.verify_meeting(&triangles(a, of_a)?, &triangles(b, of_b)?),
        }
    }

    /// The same proof with the two models exchanged.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { a: self.b, b: self.a, point: self.point }
    }

    fn verify_inside(
        &self,
        inner: Placed<'_>,
        vertex: VertexId,
        outer: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        if semantics == Semantics::Surface {
            return Err(ProofError::NoBody);
        }
        triangles(inner, Feature::Vertex(vertex))?;
        let point = inner.position(vertex);
        if point != self.point {
            return Err(ProofError::PointOff { point: self.point });
        }
        if locate(outer, point) == Location::Outside {
            return Err(ProofError::NotInside { vertex });
        }
        Ok(())
    }

    /// Verifies that the point is in both bodies.
    fn verify_common(
        &self,
        a: Placed<'_>,
        b: Placed<'_>,
        semantics: Semantics,
    ) -> Result<(), ProofError> {
        if semantics == Semantics::Surface {
            return Err(ProofError::NoBody);
        }
        let finite = self.point.iter().all(|x| x.is_finite());
        let is_in = |body: Placed<'_>| locate(body, self.point) != Location::Outside;
        if !finite || !is_in(a) || !is_in(b) {
            return Err(ProofError::PointOff { point: self.point });
        }
        Ok(())
    }

    /// Verifies that two sets of (possibly degenerate) triangles meet, and the point.
    fn verify_meeting(&self, a: &[Triangle], b: &[Triangle]) -> Result<(), ProofError> {
        let meet = a.iter().any(|s| b.iter().any(|t| corners_meet(s, t)));
        if !meet {
            return Err(ProofError::FeaturesDisjoint);
        }
        let tolerance = point_tolerance(a, b);
        if !is_near(self.point, a, tolerance) || !is_near(self.point, b, tolerance) {
            return Err(ProofError::PointOff { point: self.point });
        }
        Ok(())
    }
}

pub(crate) type Triangle = [[f64; 3]; 3];

/// Whether two triangles meet, by their edges: another way than the faster triangle–triangle test of the
/// algorithms.
pub(crate) fn corners_meet(s: &Triangle, t: &Triangle) -> bool {
    edges(s).iter().any(|edge| segment_intersects_triangle(edge, t))
        || edges(t).iter().any(|edge| segment_intersects_triangle(edge, s))
        || point_on_triangle(s[0], t)
}

/// The sides of a triangle.
pub(crate) fn edges([a, b, c]: &Triangle) -> [[[f64; 3]; 2]; 3] {
    [[*a, *b], [*b, *c], [*c, *a]]
}

/// A feature of a model as triangles in the world, degenerate for edges and vertices.
pub(crate) fn triangles(placed: Placed<'_>, feature: Feature) -> Result<Vec<Triangle>, ProofError> {
    let model = placed.model();
    let unknown = |element: String| ProofError::UnknownElement { element };
    let checked = |face: FaceId| {
        let known = face.index() < model.mesh().face_count();
        known.then_some(face).ok_or_else(|| unknown(format!("face {face}")))
    };
    match feature {
        Feature::Face(face) => Ok(model
            .triangulation()
            .triangles_of(checked(face)?)
            .map(|triangle| placed.triangle(triangle))
            .collect()),
        Feature::Edge { face, ends } => {
            let has_edge = model.triangulation().triangles_of(checked(face)?).any(|triangle| {
                let corners = model.triangulation().triangles()[triangle];
                (0..3).any(|i| {
                    let edge = [corners[i], corners[(i + 1) % 3]];
                    edge == ends || edge == [ends[1], ends[0]]
                })
            });
            if !has_edge {
                return Err(unknown(format!("edge {}–{} of face {face}", ends[0], ends[1])));
            }
            let [start, end] = ends.map(|vertex| placed.position(vertex));
            Ok(vec![[start, end, end]])
        }
        Feature::Vertex(vertex) => {
            if model.used_vertices().binary_search(&vertex).is_err() {
                return Err(unknown(format!("vertex {vertex}")));
            }
            Ok(vec![[placed.position(vertex); 3]])
        }
        Feature::Body => Err(unknown("a body where a face is needed".into())),
    }
}
