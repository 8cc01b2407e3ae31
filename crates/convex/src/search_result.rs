//! The result of a search.

use crate::plane::Plane;

/// The result of a search for a pair.
///
/// `Separated`, `Intersecting` and `Apart` are proofs and end the query. Only [`Pair::apart`](super::Pair::apart),
/// [`ContactCertificate::common_point`](super::ContactCertificate::common_point), ellipsoids and their twins in lanes, and
/// clipping make them, and they check them. The other variants are hints, and the exact test decides.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SearchResult {
    /// The bodies are apart, separated by this plane.
    Separated(Plane),
    /// The bodies meet, and this point is in both.
    Intersecting([f64; 3]),
    /// The bodies are apart, by a proof that is no plane.
    Apart,
    /// This direction separates, or nearly: the gap is within rounding.
    Direction([f64; 3]),
    /// The bodies meet, or nearly, without a certificate.
    Inconclusive,
    /// The search gave up and leans to this answer. For an exact algorithm the exact test decides; a biased one returns
    /// undecided.
    Biased(Bias),
}

/// The answer that a biased algorithm leans to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bias {
    /// It found no contact, but may have missed one.
    Apart,
    /// It found no separation, though there may be one.
    Collides,
}

impl SearchResult {
    /// Sets [`Separated`](Self::Separated).
    ///
    /// Not inlined, and with numbers as parameters: where results of several kinds come together, compilers make them
    /// in one place and copy them, by loads that wait for smaller stores.
    #[inline(never)]
    pub(crate) fn set_separated(&mut self, x: f64, y: f64, z: f64, offset: f64) {
        *self = Self::Separated(Plane { normal: [x, y, z], offset });
    }

    /// Sets [`Intersecting`](Self::Intersecting); not inlined as well.
    #[inline(never)]
    pub(crate) fn set_intersecting(&mut self, x: f64, y: f64, z: f64) {
        *self = Self::Intersecting([x, y, z]);
    }
}
