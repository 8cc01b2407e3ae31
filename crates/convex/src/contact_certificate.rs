//! Certificates of contact: a point that is in both bodies, deep enough for rounding not to matter.
//!
//! That two hulls meet does not prove that the bodies do (see [`Solidity`](crate::Solidity)); a common point that is deep
//! enough in both hulls does. So both hulls are shrunk about their centers by the same small factor s:
//!
//! ```text
//!    hull        p′ = c + (1 − s)(p − c)
//!   ┌────────────┐
//!   │ ┌────────┐ │      The shrunken hull is at least s · r deep in the hull, where r is the radius of
//!   │ │  c ●   │ │      a ball about c in the hull. If s is just large enough for that depth to exceed
//!   │ └────────┘ │      the dents and all rounding, a common point of the two shrunken hulls is a
//!   └────────────┘      point of both bodies.
//! ```
//!
//! The shrunken hulls meet iff the differences of the hulls hold a certain point instead of the origin: from
//! c + (1 − s)(x − c) = d + (1 − s)(y − d) follows y − x = s/(1 − s) · (c − d). So no hull needs to be shrunk: searches
//! subtract that *shift* from every difference and look for the origin.
//!
//! The proof is computed afterwards from the weights. Any weights, however inaccurate, make *some* point of either hull;
//! the proof checks that the two points coincide up to rounding.

use crate::body::Body;
use crate::gjk::simplex::Simplex;
use crate::pair::Pair;
use crate::solidity::SAFETY;
use xcollide_math::vector::{add, cross, dot, largest, scale, sub};

/// A shift of the Minkowski difference with which contact can be proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactCertificate {
    /// Is to be subtracted from each difference.
    pub shift: [f64; 3],
    /// s / (1 − s).
    part: f64,
    centers: [[f64; 3]; 2],
    tolerance: f64,
}

/// A body is shrunk by at most this part of its size.
pub(crate) const LARGEST_FACTOR: f64 = 0.25;

/// The greatest difference of a point of each body that count as one, as part of the noise.
pub(crate) const TOLERANCE: f64 = 0.25;

/// An unlikely direction, so that no plane or line of vertices holds the shifted origin.
const UNLIKELY: [f64; 3] = [0.618_033_988_7, -0.414_213_562_3, 0.267_949_192_4];

impl ContactCertificate {
    /// The smallest shift of a pair that proves contact; `None` if one of the two has no solidity.
    #[inline]
    #[must_use]
    pub fn of(pair: &Pair<'_>) -> Option<Self> {
        let noise = pair.a().noise() + pair.b().noise();
        let [a, b] = [needed(pair.a(), noise)?, needed(pair.b(), noise)?];
        Self::new([pair.a().center(), pair.b().center()], a.max(b), noise)
    }

    /// A much larger shift, about centers a little aside: for pairs that lie so well in each other that every simplex
    /// has the origin on an edge.
    #[must_use]
    pub fn askew(pair: &Pair<'_>) -> Option<Self> {
        /// Half the inner ball remains about the new centers.
        const ASIDE: f64 = 0.5;
        const FACTOR: f64 = 1.0 / 64.0;
        let noise = pair.a().noise() + pair.b().noise();
        let needed = needed(pair.a(), noise)?.max(needed(pair.b(), noise)?);
        if needed > (1.0 - ASIDE) * FACTOR {
            return None;
        }
        let aside = |body: &Body<'_>, sign: f64| {
            let inner = body.polytope().solidity().map_or(0.0, |solidity| solidity.inner);
            add(body.center(), scale(UNLIKELY, sign * ASIDE * inner))
        };
        Self::new([aside(pair.a(), 1.0), aside(pair.b(), -1.0)], FACTOR, noise)
    }

    #[inline]
    fn new(centers: [[f64; 3]; 2], factor: f64, noise: f64) -> Option<Self> {
        if factor > LARGEST_FACTOR || factor.is_nan() {
            return None;
        }
        // Slightly more than factor / (1 − factor).
        let part = factor * (1.0 + 1.5 * factor);
        let shift = scale(sub(centers[0], centers[1]), part);
        Some(Self { shift, part, centers, tolerance: TOLERANCE * noise })
    }

    /// No shift: for weights only, certifies nothing.
    pub(crate) fn nothing(pair: &Pair<'_>) -> Self {
        let centers = [pair.a().center(), pair.b().center()];
        Self { shift: [0.0; 3], part: 0.0, centers, tolerance: 0.0 }
    }

    /// Certifies contact: a point in both bodies, computed from a simplex of four shifted differences that holds the
    /// origin. `None` if it does not, or rounding leaves a doubt.
    #[inline]
    #[must_use]
    pub fn common_point(&self, pair: &Pair<'_>, simplex: &Simplex) -> Option<[f64; 3]> {
        let &[a, b, c, d] = simplex.ends() else { return None };
        self.common_point_of(pair, [a, b, c, d])
    }

    /// The same from the pairs of vertices.
    #[inline]
    pub(crate) fn common_point_of(&self, pair: &Pair<'_>, ends: [[u32; 2]; 4]) -> Option<[f64; 3]> {
        let [of_a, of_b] = self.weigh(pair, ends)?;
        // False for NaN.
        (largest(sub(of_a, of_b)) <= self.tolerance).then_some(of_a)
    }

    /// The same from the difference of the centers and three differences of vertices.
    #[inline]
    pub(crate) fn common_point_from_center(
        &self,
        pair: &Pair<'_>,
        ends: [[u32; 2]; 3],
    ) -> Option<[f64; 3]> {
        let [a, b, c] = [corner(pair, ends[0]), corner(pair, ends[1]), corner(pair, ends[2])];
        let [of_a, of_b] = self.weigh_points([self.centers, a, b, c])?;
        (largest(sub(of_a, of_b)) <= self.tolerance).then_some(of_a)
    }

    /// The weights with which four shifted differences make the origin, applied to the vertices of each body: two points
    /// that are equal but for rounding. `None` if a weight is negative.
    #[inline]
    pub(crate) fn weigh(&self, pair: &Pair<'_>, ends: [[u32; 2]; 4]) -> Option<[[f64; 3]; 2]> {
        let [a, b, c, d] = ends;
        let corners = [corner(pair, a), corner(pair, b), corner(pair, c), corner(pair, d)];
        self.weigh_points(corners)
    }

    /// The same for any points of the hulls, one of each body for each difference.
    #[inline(always)]
    fn weigh_points(&self, corners: [[[f64; 3]; 2]; 4]) -> Option<[[f64; 3]; 2]> {
        let difference = |i: usize| sub(sub(corners[i][1], corners[i][0]), self.shift);
        let [a, b, c, d] = [difference(0), difference(1), difference(2), difference(3)];
        // Barycentric coordinates of the origin, up to a factor.
        let (ab, cd) = (cross(a, b), cross(c, d));
        let weights = [dot(b, cd), -dot(a, cd), dot(d, ab), -dot(c, ab)];
        let reciprocal = 1.0 / ((weights[0] + weights[1]) + (weights[2] + weights[3]));
        let none_negative = (weights[0] * reciprocal >= 0.0 && weights[1] * reciprocal >= 0.0)
            && (weights[2] * reciprocal >= 0.0 && weights[3] * reciprocal >= 0.0);
        // One division at the end, which overlaps with the rest.
        let weighed = |body: usize| {
            let part = |i: usize| scale(sub(corners[i][body], self.centers[body]), weights[i]);
            scale(add(add(part(0), part(1)), add(part(2), part(3))), reciprocal)
        };
        let (of_a, of_b) = (weighed(0), weighed(1));
        // 1 − s.
        let left = 1.0 / (1.0 + self.part);
        let shrunk = |from: [f64; 3], center: [f64; 3]| add(center, scale(from, left));
        none_negative.then(|| [shrunk(of_a, self.centers[0]), shrunk(of_b, self.centers[1])])
    }
}

#[inline]
fn corner(pair: &Pair<'_>, [p, q]: [u32; 2]) -> [[f64; 3]; 2] {
    [pair.a().position(p), pair.b().position(q)]
}

/// The factor by which a hull must be shrunk so that the rest is in the body for sure: for its dents and the rounding of
/// its vertices, of the point, and of the point's twin in the other body.
#[inline]
pub(crate) fn needed(body: &Body<'_>, noise: f64) -> Option<f64> {
    let solidity = body.polytope().solidity()?;
    Some(SAFETY * (solidity.dent + 2.0 * noise) / solidity.inner)
}
