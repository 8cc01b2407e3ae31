//! Boolean GJK by signs, in registers: whether the differences of two point sets hold the origin.
//!
//! ```text
//!            d  the newest        d was farthest towards the origin, so the feature that is nearest
//!           /│\                   to the origin has d as a corner. Of a tetrahedron three faces remain,
//!          / │ \                  and signs of determinants show beyond which of them the origin is;
//!         /  ○  \                 of a triangle two edges remain, of a segment its line.
//!        a───┼───c                The origin is on the side of d of the face a b c.
//!            b
//! ```
//!
//! The search computes no nearest point except on an edge, and only that and the first direction take divisions.
//! Normals of triangles and directions square to an edge stay sharp however near the origin is. Results are rounded;
//! callers derive a proof from the last direction or the four corners.
//!
//! The latency of the steps is the whole running time. So the three faces are tested together, one in each lane, and
//! everything else has one number in all lanes, which stays in registers from step to step. Up to 32 points are moved
//! to the world first, and each step compares all of them ([`pair_kernel::search`]). With more points the normal fan is searched, and
//! the first directions are tilted instead of reflected ([`Tilt`]).
//!
//! Sources: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999: a yes or no needs no nearest point, and the newest
//! corner always belongs to the feature; Chung 1996, formula 3.2: reflection of the first direction.

use xcollide_simd::vec3::{dot, scale, splat, sub};
use xcollide_simd::{F64x4, Simd, SimdFloat};

use crate::body::Body;
use crate::gjk::simplex_signs::Corners;
use crate::gjk::tilt::Tilt;
use crate::pair_kernel::{self, SearchOfSets};
use crate::placed_set::PlacedSet;
use crate::support_pair::{Last, SupportPair};

/// Two polytopes, each with at least one vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BooleanGjk<'a> {
    pub(crate) bodies: [Body<'a>; 2],
    /// Is subtracted from the differences q − p that become corners.
    pub(crate) shift: [f64; 3],
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct GjkResult {
    pub(crate) origin: GjkOutcome,
    /// The points of the last direction.
    pub(crate) last: SupportPair,
    /// The number of directions searched.
    pub(crate) probes: u32,
}

/// Where the origin is, up to rounding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GjkOutcome {
    /// Outside: all differences q − p have a positive product with the last direction.
    Separated,
    /// In the hull of the four shifted differences between these points.
    Intersecting([[u32; 2]; 4]),
    /// So near to the border of the shifted differences that rounding decides, or outside the shifted ones only.
    Inconclusive,
}

/// The most directions. Random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: u32 = 64;

impl BooleanGjk<'_> {
    /// Searches from a direction of any length but zero.
    #[inline]
    pub(crate) fn run(self, direction: [f64; 3]) -> GjkResult {
        pair_kernel::search(self.bodies, BooleanSearch { direction, shift: self.shift })
    }
}

/// [`BooleanGjk`] of any two sets.
#[derive(Clone, Copy)]
pub(crate) struct BooleanSearch {
    pub(crate) direction: [f64; 3],
    pub(crate) shift: [f64; 3],
}

impl SearchOfSets for BooleanSearch {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self, sides: &[impl PlacedSet; 2]) -> GjkResult {
        let (last, origin) = find_origin::<S>(sides, splat(self.direction), splat(self.shift));
        GjkResult { origin, last: last.pair(), probes: last.probes }
    }
}

#[inline(always)]
fn find_origin<S: Simd>(
    sides: &[impl PlacedSet; 2],
    given: [S::F64x4; 3],
    shift: [S::F64x4; 3],
) -> (Last<S>, GjkOutcome) {
    let mut last = Last::<S>::of(sides, given, 0);
    if last.gap.first() > 0.0 {
        return (last, GjkOutcome::Separated);
    }
    let mut corners = Corners::of(sub(last.difference, shift), last.ends, given);
    let mut nearest = corners.first;
    let [a, b] = sides;
    let radius = match (a.radius(), b.radius()) {
        (Some(a), Some(b)) => Some(a + b),
        _ => None,
    };
    let mut tilt = Tilt::new(radius, dot(given, given), last.gap);
    let mut direction = match tilt.of(given, nearest) {
        Some(tilted) => tilted,
        None => reflected(&last).unwrap_or(nearest),
    };
    // Whether the direction goes straight to the nearest feature, so that the newest corner belongs to the next one.
    let mut promising = false;
    while last.probes < MOST_PROBES {
        let length = dot(direction, direction).first();
        if length == 0.0 || length.is_nan() {
            return (last, GjkOutcome::Inconclusive);
        }
        last = Last::<S>::of(sides, direction, last.probes);
        if last.gap.first() > 0.0 {
            return (last, GjkOutcome::Separated);
        }
        let point = sub(last.difference, shift);
        let height = dot(direction, point);
        let known = corners.knows(last.ends);
        if known && !promising {
            // No new corner: tilt farther, or go straight.
            (direction, promising) = match tilt.farther(corners.middle(), nearest) {
                Some(tilted) => (tilted, false),
                None => (nearest, true),
            };
            continue;
        }
        // The shifted differences do not hold the origin, or there is no new corner: within rounding of touching.
        if known || (promising && height.first() > 0.0) {
            return (last, GjkOutcome::Inconclusive);
        }
        match corners.take(point, last.ends, direction, height, promising) {
            Some(next) => {
                (nearest, direction, promising) = (next, next, true);
                if corners.is_short()
                    && let Some(tilted) = tilt.of(corners.middle(), nearest)
                {
                    (direction, promising) = (tilted, false);
                }
            }
            None => {
                let origin = corners
                    .held(last.ends)
                    .map_or(GjkOutcome::Inconclusive, GjkOutcome::Intersecting);
                return (last, origin);
            }
        }
    }
    (last, GjkOutcome::Inconclusive)
}

/// The last direction, mirrored at the plane across its difference (Chung 1996, formula 3.2).
#[inline(always)]
fn reflected<S: Simd>(last: &Last<S>) -> Option<[S::F64x4; 3]> {
    let length = dot(last.difference, last.difference);
    let double = last.gap.add(last.gap);
    // Without a closure: one that is not inlined has not the instructions of the level.
    if length.first() > 0.0 && last.gap.first() < 0.0 {
        Some(sub(last.direction, scale(last.difference, double.div(length))))
    } else {
        None
    }
}

#[cfg(test)]
mod tests;
