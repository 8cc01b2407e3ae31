//! Two faces that a search did not test exactly, as it is approximate or had no time.

use xcollide_brep::FaceId;
use xcollide_predicates::triangles_within;

use super::witness::triangles;
use crate::{Feature, Placed, ProofError};

/// Two faces in boxes that overlap, which may meet, and how far apart they are at most.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Suspects {
    /// A face of each model.
    pub faces: [FaceId; 2],
    /// The models are no farther apart: the distance of the nearest corners of the faces, rounded up.
    pub at_most: f64,
}

impl Suspects {
    /// Two faces by a triangle of each.
    pub(crate) fn of_triangles([a, b]: [Placed<'_>; 2], [s, t]: [usize; 2]) -> Self {
        let face = |placed: Placed<'_>, triangle| placed.model().triangulation().face_of(triangle);
        Self::new([face(a, s), face(b, t)], [&a.triangle(s), &b.triangle(t)])
    }

    /// Two faces by some of their corners.
    pub(crate) fn new(faces: [FaceId; 2], [a, b]: [&[[f64; 3]]; 2]) -> Self {
        use xcollide_math::vector::{scaled_length, sub};
        let gaps = a.iter().flat_map(|p| b.iter().map(move |q| scaled_length(sub(*p, *q))));
        let least = gaps.fold(f64::INFINITY, f64::min);
        Self { faces, at_most: (least * (1.0 + 8.0 * f64::EPSILON)).next_up() }
    }

    /// Verifies that the faces are no farther apart, exactly. Takes a comparison for each pair of their triangles.
    ///
    /// # Errors
    /// A model has no such face, or they are farther apart.
    pub fn verify(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        let Self { faces: [face_a, face_b], at_most } = *self;
        let of_a = triangles(a, Feature::Face(face_a))?;
        let of_b = triangles(b, Feature::Face(face_b))?;
        let near = of_a.iter().any(|s| of_b.iter().any(|t| triangles_within(s, t, at_most)));
        let too_far = ProofError::TooFar { a: face_a, b: face_b, tolerance: at_most };
        near.then_some(()).ok_or(too_far)
    }
}
