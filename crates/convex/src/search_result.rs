//! What a search comes back with.

use crate::plane::Plane;

/// What a search has found out about a pair.
///
/// `Separated` and `Intersecting` are proofs and end the query. They are made by [`Pair::apart`],
/// [`ContactCertificate::common_point`] and what is known of ellipsoids only, which check them,
/// and for many pairs by the same bounds in lanes; everything else is a hint of where to look, and
/// the exact test decides.
///
/// [`Pair::apart`]: super::Pair::apart
/// [`ContactCertificate::common_point`]: super::ContactCertificate::common_point
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SearchResult {
    /// The bodies are apart, and this plane parts them.
    Separated(Plane),
    /// The bodies meet, and this point is in both.
    Intersecting([f64; 3]),
    /// This direction separates, or nearly: the gap is within rounding.
    Direction([f64; 3]),
    /// The bodies meet, or nearly: no certificate could be had.
    Inconclusive,
    /// The search gave up. It leans to this answer; an algorithm whose guarantee is exact asks the
    /// exact test, a biased one says that it is undecided.
    Biased(Bias),
}

/// Which answer a biased algorithm leans to when it is not sure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bias {
    /// It found no contact, but may have missed one.
    Apart,
    /// It found no separation, though there may be one.
    Collides,
}

impl SearchResult {
    /// A plane parts the bodies.
    ///
    /// A call of its own, of numbers: where findings of several kinds come together, compilers make them in one
    /// place and copy them from there, by loads that have to wait for smaller stores.
    #[inline(never)]
    pub(crate) fn set_apart(&mut self, x: f64, y: f64, z: f64, offset: f64) {
        *self = Self::Separated(Plane { normal: [x, y, z], offset });
    }

    /// A point is in both bodies; a call of its own as well.
    #[inline(never)]
    pub(crate) fn set_meet(&mut self, x: f64, y: f64, z: f64) {
        *self = Self::Intersecting([x, y, z]);
    }
}
