//! Two features that a search did not test exactly, as it is approximate or had no time.

use xcollide_brep::FaceId;
use xcollide_predicates::triangles_within;

use super::witness::{Triangle, triangles};
use crate::{Feature, Placed, ProofError};

/// Two features that may meet, and how far apart they are at most.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Suspects {
    /// A feature of each model: two faces, where surfaces were tested; a vertex of a connected piece and the body that may contain it,
    /// where all surfaces are apart; a face or vertex and a body, if that is given by a formula.
    pub features: [Feature; 2],
    /// The models are no farther apart: the distance of the nearest corners of the features, rounded up, or a bound of that from a
    /// formula.
    pub at_most: f64,
}

impl Suspects {
    /// Two faces by a triangle of each.
    pub(crate) fn of_triangles([a, b]: [Placed<'_>; 2], [s, t]: [usize; 2]) -> Self {
        let face = |placed: Placed<'_>, triangle| placed.model().triangulation().face_of(triangle);
        Self::of_faces([face(a, s), face(b, t)], [&a.triangle(s), &b.triangle(t)])
    }

    /// Two faces by some of their corners.
    pub(crate) fn of_faces(faces: [FaceId; 2], corners: [&[[f64; 3]]; 2]) -> Self {
        Self::new(faces.map(Feature::Face), corners)
    }

    /// Two features by some of their points.
    pub(crate) fn new(features: [Feature; 2], [a, b]: [&[[f64; 3]]; 2]) -> Self {
        use xcollide_math::vector::{scaled_length, sub};
        let gaps = a.iter().flat_map(|p| b.iter().map(move |q| scaled_length(sub(*p, *q))));
        let least = gaps.fold(f64::INFINITY, f64::min);
        Self { features, at_most: (least * (1.0 + 8.0 * f64::EPSILON)).next_up() }
    }

    /// Those of the models exchanged.
    pub(crate) fn swapped(self) -> Self {
        let [a, b] = self.features;
        Self { features: [b, a], ..self }
    }

    /// [`verify`](Self::verify) of two meshes.
    pub(crate) fn verify_of_meshes(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        let Self { features: [of_a, of_b], at_most } = *self;
        let (of_a, of_b) = (surface(a, of_a)?, surface(b, of_b)?);
        let near = of_a.iter().any(|s| of_b.iter().any(|t| triangles_within(s, t, at_most)));
        if near { Ok(()) } else { Err(self.too_far()) }
    }

    pub(crate) fn too_far(&self) -> ProofError {
        let Self { features: [a, b], at_most } = *self;
        ProofError::TooFar { a, b, tolerance: at_most }
    }
}

/// The triangles of a feature; of a body all.
fn surface(placed: Placed<'_>, feature: Feature) -> Result<Vec<Triangle>, ProofError> {
    match feature {
        Feature::Body => {
            Ok((0..placed.model().triangulation().len()).map(|t| placed.triangle(t)).collect())
        }
        _ => triangles(placed, feature),
    }
}
