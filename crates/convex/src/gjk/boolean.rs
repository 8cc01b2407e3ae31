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
//! to the world first, and each step compares all of them ([`Few`]). With more points the normal fan is searched, and
//! the first directions are tilted instead of reflected ([`Tilt`]).
//!
//! Sources: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999: a yes or no needs no nearest point, and the newest
//! corner always belongs to the feature; Chung 1996, formula 3.2: reflection of the first direction.

use xcollide_simd::vec3::{dot, first, scale, splat, sub};
use xcollide_simd::{F64x4, Simd, SimdFloat, SimdKernel, SimdLevel, dispatch};

use crate::body::Body;
use crate::gjk::simplex_signs::Corners;
use crate::gjk::tilt::Tilt;
use crate::placed_set::{self, PlacedSet};
use crate::point_set;
use crate::point_set::few::Few;

/// Two polytopes, each with at least one vertex.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BooleanGjk<'a> {
    pub(crate) bodies: [Body<'a>; 2],
    /// Is subtracted from the differences q − p that become corners.
    pub(crate) shift: [f64; 3],
}

/// The points that are farthest towards each other along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SupportPair {
    /// Of any length.
    pub(crate) direction: [f64; 3],
    /// The points p and q.
    pub(crate) ends: [u32; 2],
    /// q − p in the world.
    pub(crate) difference: [f64; 3],
    /// direction · (q − p).
    pub(crate) gap: f64,
    /// direction · p and direction · q.
    pub(crate) heights: [f64; 2],
}

/// Where a search starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GjkStart<'a> {
    /// A direction of any length but zero.
    Direction([f64; 3]),
    /// The direction of an earlier query. The search ends if the points overlap by more than this depth along it: after
    /// a small motion they would not.
    Recalled { direction: [f64; 3], depth: f64 },
    /// One to three shifted differences with their points, such as the feature of a tetrahedron that is nearest to
    /// the origin, and the direction from the origin to it.
    Feature { corners: &'a [([f64; 3], [u32; 2])], direction: [f64; 3] },
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
    /// Far from the border, along a recalled direction: that is no good start.
    Far,
    /// So near to the border of the shifted differences that rounding decides, or outside the shifted ones only.
    Inconclusive,
}

/// The most blocks of points that are moved to the world.
const MOST_BLOCKS: usize = 4;

/// The most directions. Random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: u32 = 64;

impl BooleanGjk<'_> {
    /// Each step takes O(m + n) for m and n points, or, with fans, a time that hardly depends on them.
    #[inline]
    pub(crate) fn run(self, start: GjkStart<'_>) -> GjkResult {
        match self.most_blocks() {
            1 => dispatch(SearchFew::<1> { of: self, start }),
            2 => dispatch(SearchFew::<2> { of: self, start }),
            3 => dispatch(SearchFew::<3> { of: self, start }),
            MOST_BLOCKS => dispatch(SearchFew::<MOST_BLOCKS> { of: self, start }),
            _ => dispatch(SearchAny { of: self, start }),
        }
    }

    #[inline(always)]
    fn most_blocks(&self) -> usize {
        let [a, b] = &self.bodies;
        a.polytope().points.blocks.len().max(b.polytope().points.blocks.len())
    }
}

#[derive(Clone, Copy)]
struct SearchAny<'a> {
    of: BooleanGjk<'a>,
    start: GjkStart<'a>,
}

impl SimdKernel for SearchAny<'_> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        search::<S>(&self.of.bodies, self.start, self.of.shift)
    }
}

/// For sets of up to `BLOCKS` blocks.
#[derive(Clone, Copy)]
struct SearchFew<'a, const BLOCKS: usize> {
    of: BooleanGjk<'a>,
    start: GjkStart<'a>,
}

impl<const BLOCKS: usize> SimdKernel for SearchFew<'_, BLOCKS> {
    type Output = GjkResult;
    // Each step waits for masks, which take longer to come from the mask registers of AVX-512 than from the others; only its
    // widest registers make up for that.
    const MAX_LEVEL: SimdLevel =
        if BLOCKS <= point_set::NARROW { SimdLevel::Avx2 } else { SimdLevel::Avx512 };

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        search_few::<S, BLOCKS>(self.of, self.start)
    }
}

#[inline(always)]
fn search_few<S: Simd, const BLOCKS: usize>(of: BooleanGjk<'_>, start: GjkStart<'_>) -> GjkResult {
    let [a, b] = of.bodies;
    let moved = [
        Few::<BLOCKS>::new::<S>(&a.polytope().points, a.pose()),
        Few::<BLOCKS>::new::<S>(&b.polytope().points, b.pose()),
    ];
    search::<S>(&moved, start, of.shift)
}

/// The last direction and its farthest points, in all lanes.
struct Last<S: Simd> {
    direction: [S::F64x4; 3],
    ends: [u32; 2],
    at: [[S::F64x4; 3]; 2],
    difference: [S::F64x4; 3],
    gap: S::F64x4,
    probes: u32,
}

impl<S: Simd> Last<S> {
    #[inline(always)]
    fn of(sides: &[impl PlacedSet; 2], direction: [S::F64x4; 3], before: u32) -> Self {
        let ([p, q], at) = placed_set::farthest::<S>(sides, direction);
        let difference = sub(at[1], at[0]);
        let gap = dot(direction, difference);
        let ends = [p as u32, q as u32];
        Self { direction, ends, at, difference, gap, probes: before + 1 }
    }

    /// Before the first direction was searched.
    #[inline(always)]
    fn nothing(direction: [S::F64x4; 3], ends: [u32; 2]) -> Self {
        let gap = S::F64x4::splat(0.0);
        let difference = [gap; 3];
        Self { direction, ends, at: [difference; 2], difference, gap, probes: 0 }
    }

    #[inline(always)]
    fn pair(&self) -> SupportPair {
        SupportPair {
            direction: first(self.direction),
            ends: self.ends,
            difference: first(self.difference),
            gap: self.gap.first(),
            heights: [
                dot(self.direction, self.at[0]).first(),
                dot(self.direction, self.at[1]).first(),
            ],
        }
    }
}

/// [`BooleanGjk`] of any two sets.
#[inline(always)]
pub(crate) fn search<S: Simd>(
    sides: &[impl PlacedSet; 2],
    start: GjkStart<'_>,
    shift: [f64; 3],
) -> GjkResult {
    let (last, origin) = find_origin::<S>(sides, start, splat(shift));
    GjkResult { origin, last: last.pair(), probes: last.probes }
}

#[inline(always)]
fn find_origin<S: Simd>(
    sides: &[impl PlacedSet; 2],
    start: GjkStart<'_>,
    shift: [S::F64x4; 3],
) -> (Last<S>, GjkOutcome) {
    // `promising`: the direction goes straight to the nearest feature, so the newest corner belongs to the next one.
    let (mut last, mut corners, mut nearest, mut direction, mut promising, mut tilt);
    match start {
        GjkStart::Direction(given) | GjkStart::Recalled { direction: given, .. } => {
            let given = splat::<S::F64x4>(given);
            last = Last::<S>::of(sides, given, 0);
            if last.gap.first() > 0.0 {
                return (last, GjkOutcome::Separated);
            }
            if let GjkStart::Recalled { depth, .. } = start
                && last.gap.mul(last.gap).first() > depth * depth * dot(given, given).first()
            {
                return (last, GjkOutcome::Far);
            }
            corners = Corners::of(sub(last.difference, shift), last.ends, given);
            nearest = corners.first;
            let [a, b] = sides;
            let radius = match (a.radius(), b.radius()) {
                (Some(a), Some(b)) => Some(a + b),
                _ => None,
            };
            tilt = Tilt::new(radius, dot(given, given), last.gap);
            direction = match tilt.of(given, nearest) {
                Some(tilted) => tilted,
                None => reflected(&last).unwrap_or(nearest),
            };
            promising = false;
        }
        GjkStart::Feature { corners: &[], direction } => {
            return (Last::<S>::nothing(splat(direction), [0; 2]), GjkOutcome::Inconclusive);
        }
        GjkStart::Feature { corners: given, direction: given_direction } => {
            direction = splat::<S::F64x4>(given_direction);
            last = Last::<S>::nothing(direction, given[0].1);
            corners = Corners::of_feature(given);
            nearest = direction;
            tilt = Tilt::none();
            promising = true;
        }
    }
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
