//! Whether the differences of two point sets hold the origin: boolean Gilbert by signs, in
//! registers from the first step to the last.
//!
//! ```text
//!            d  the newest        d was farthest towards the origin, so the feature that is nearest
//!           /│\                   to the origin has d as a corner: of a tetrahedron three faces are
//!          / │ \                  left to look at, and signs of determinants tell beyond which of them
//!         /  ○  \                 the origin is; of a triangle two edges; of a segment its line.
//!        a───┼───c                The face a b c is known to have the origin on the side of d.
//!            b
//! ```
//!
//! No nearest point is computed but that of an edge, which with the first direction has the only divisions.
//! Normals of triangles and what is square to an edge stay sharp however near the origin is. What is found is
//! rounded: whoever wants a proof makes it of the last direction, or of the four corners.
//!
//! Steps wait for each other, and that is all the time they take. So the three faces are looked at together,
//! a lane each, and all else has one number in all lanes, which need not go through memory from one step to
//! the next. Up to 32 points are moved to where they are before the search begins, and all looked at in each
//! step (`few`); of more points with a [`NormalFan`] those that come into question are looked up, and the
//! first directions are tilted rather than reflected (`tilt`).
//!
//! Source: Gilbert, Johnson and Keerthi 1988; that the nearest point is not needed for a yes or no, and the
//! newest corner always is part of the feature, van den Bergen 1999; reflection of the first direction,
//! Chung 1996, formula 3.2.

use xcollide_math::Pose;
use xcollide_simd::vec3::{dot, first, scale, splat, sub};
use xcollide_simd::{F64x4, Portable, Simd, SimdFloat, SimdKernel, dispatch};

use crate::PointSet;
use crate::gjk::placed_set::{self, InFrame, Side};
use crate::gjk::simplex_signs::Corners;
use crate::gjk::tilt::Tilt;
use crate::normal_fan::NormalFan;
use crate::point_set::few::Few;

/// Two point sets at their places.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_convex::{BooleanGjk, GjkOutcome, PointSet, GjkStart};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let set = PointSet::new(&corners);
/// let origin = |x, y, z| {
///     let there = Pose::from_translation([x, y, z]);
///     let motions = [&Pose::IDENTITY, &there];
///     let search = BooleanGjk { sets: [&set, &set], fans: [None; 2], motions, shift: [0.0; 3] };
///     search.run(GjkStart::Direction([1.0, 0.0, 0.0])).origin
/// };
/// assert!(matches!(origin(0.2, 0.1, 0.1), GjkOutcome::Intersecting(_)));
/// assert_eq!(origin(0.5, 0.4, 0.2), GjkOutcome::Separated);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BooleanGjk<'a> {
    /// The points p and q in their frames. There must be one of each at least: of none, the search
    /// panics.
    pub sets: [&'a PointSet; 2],
    /// Their fans, where there are any: so many points are not all looked at, but looked up.
    pub fans: [Option<&'a NormalFan>; 2],
    /// Where they are.
    pub motions: [&'a Pose; 2],
    /// Is subtracted from all differences q − p of which corners are made.
    pub shift: [f64; 3],
}

/// What one direction met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SupportPair {
    /// The direction, of any length.
    pub direction: [f64; 3],
    /// The points p and q that are farthest towards each other along it.
    pub ends: [u32; 2],
    /// q − p, each where its motion puts it.
    pub difference: [f64; 3],
    /// direction · (q − p).
    pub gap: f64,
    /// direction · p and direction · q.
    pub heights: [f64; 2],
}

/// Where a search goes on from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GjkStart<'a> {
    /// A direction of any length but zero.
    Direction([f64; 3]),
    /// One to three shifted differences, such as those to which four have been reduced that do not hold
    /// the origin.
    Feature {
        /// The differences, and the points that they are between.
        corners: &'a [([f64; 3], [u32; 2])],
        /// From the origin to the feature: square to it.
        direction: [f64; 3],
    },
}

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GjkResult {
    /// What of the origin.
    pub origin: GjkOutcome,
    /// What the last direction met.
    pub last: SupportPair,
    /// How many directions were tried.
    pub probes: u32,
}

/// Where the origin is. Rounded: nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GjkOutcome {
    /// All differences q − p, shifted or not, have a positive product with the direction.
    Separated,
    /// Four shifted differences hold it: those between these points.
    Intersecting([[u32; 2]; 4]),
    /// On the border of the shifted differences, so nearly that rounding decides; or beyond that
    /// of the shifted ones only.
    Inconclusive,
}

/// The most directions: random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: u32 = 64;

impl BooleanGjk<'_> {
    /// What a direction of any length meets, in O(m + n) for m and n points, or by the fans.
    #[inline]
    #[must_use]
    pub fn probe(&self, direction: [f64; 3]) -> SupportPair {
        dispatch(Probe { search: self, direction })
    }

    /// Searches from somewhere on. Each step takes O(m + n), or for sets with fans a time that hardly
    /// depends on their sizes.
    #[inline]
    #[must_use]
    pub fn run(self, start: GjkStart<'_>) -> GjkResult {
        match self.most_blocks() {
            1 => dispatch(HuntOfFew::<1> { search: self, start }),
            2 => dispatch(HuntOfFew::<2> { search: self, start }),
            3 => dispatch(HuntOfFew::<3> { search: self, start }),
            4 => dispatch(HuntOfFew::<4> { search: self, start }),
            _ => dispatch(Hunt { search: self, start }),
        }
    }

    /// [`run`](Self::run) in plain code, for tests and comparisons.
    #[must_use]
    pub fn run_portable(self, start: GjkStart<'_>) -> GjkResult {
        match self.most_blocks() {
            1 => HuntOfFew::<1> { search: self, start }.run::<Portable>(),
            2 => HuntOfFew::<2> { search: self, start }.run::<Portable>(),
            3 => HuntOfFew::<3> { search: self, start }.run::<Portable>(),
            4 => HuntOfFew::<4> { search: self, start }.run::<Portable>(),
            _ => Hunt { search: self, start }.run::<Portable>(),
        }
    }

    #[inline(always)]
    fn most_blocks(&self) -> usize {
        self.sets[0].blocks.len().max(self.sets[1].blocks.len())
    }

    #[inline(always)]
    fn sides(&self) -> [InFrame<'_>; 2] {
        let ([a, b], [fan_a, fan_b], [of_a, of_b]) = (self.sets, self.fans, self.motions);
        let of = |points, fan, motion| InFrame { points, fan, motion };
        [of(a, fan_a, of_a), of(b, fan_b, of_b)]
    }
}

#[derive(Clone, Copy)]
struct Probe<'a> {
    search: &'a BooleanGjk<'a>,
    direction: [f64; 3],
}

impl SimdKernel for Probe<'_> {
    type Output = SupportPair;

    #[inline(always)]
    fn run<S: Simd>(self) -> SupportPair {
        Last::<S>::of(&self.search.sides(), splat(self.direction), 0).met()
    }
}

#[derive(Clone, Copy)]
struct Hunt<'a> {
    search: BooleanGjk<'a>,
    start: GjkStart<'a>,
}

impl SimdKernel for Hunt<'_> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        hunt::<S>(&self.search.sides(), self.start, self.search.shift)
    }
}

/// Of sets of up to so many blocks.
#[derive(Clone, Copy)]
struct HuntOfFew<'a, const BLOCKS: usize> {
    search: BooleanGjk<'a>,
    start: GjkStart<'a>,
}

impl<const BLOCKS: usize> SimdKernel for HuntOfFew<'_, BLOCKS> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        let ([a, b], [of_a, of_b]) = (self.search.sets, self.search.motions);
        let moved = [Few::<BLOCKS>::new::<S>(a, of_a), Few::<BLOCKS>::new::<S>(b, of_b)];
        hunt::<S>(&moved, self.start, self.search.shift)
    }
}

/// What the last direction met, in all lanes.
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
    fn of(sides: &[impl Side; 2], direction: [S::F64x4; 3], before: u32) -> Self {
        let ([p, q], at) = placed_set::farthest::<S>(sides, direction);
        let difference = sub(at[1], at[0]);
        let gap = dot(direction, difference);
        let ends = [p as u32, q as u32];
        Self { direction, ends, at, difference, gap, probes: before + 1 }
    }

    /// Before anything was met.
    #[inline(always)]
    fn nothing(direction: [S::F64x4; 3], ends: [u32; 2]) -> Self {
        let gap = S::F64x4::splat(0.0);
        let difference = [gap; 3];
        Self { direction, ends, at: [difference; 2], difference, gap, probes: 0 }
    }

    #[inline(always)]
    fn met(&self) -> SupportPair {
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

#[inline(always)]
fn hunt<S: Simd>(sides: &[impl Side; 2], start: GjkStart<'_>, shift: [f64; 3]) -> GjkResult {
    let (last, origin) = hunted::<S>(sides, start, splat(shift));
    GjkResult { origin, last: last.met(), probes: last.probes }
}

#[inline(always)]
fn hunted<S: Simd>(
    sides: &[impl Side; 2],
    start: GjkStart<'_>,
    shift: [S::F64x4; 3],
) -> (Last<S>, GjkOutcome) {
    // Of a direction that does not go straight to what is nearest nothing is promised.
    let (mut last, mut corners, mut nearest, mut direction, mut promising, mut tilt);
    match start {
        GjkStart::Direction(given) => {
            let given = splat::<S::F64x4>(given);
            last = Last::<S>::of(sides, given, 0);
            if last.gap.first() > 0.0 {
                return (last, GjkOutcome::Separated);
            }
            corners = Corners::of(sub(last.difference, shift), last.ends, given);
            nearest = corners.first;
            tilt = Tilt::new(placed_set::radius(sides), dot(given, given), last.gap);
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
            // Nothing new: farther aside, or straight on.
            (direction, promising) = match tilt.farther(corners.middle(), nearest) {
                Some(tilted) => (tilted, false),
                None => (nearest, true),
            };
            continue;
        }
        // The shifted differences are beyond, or nothing new is met: within rounding of touching.
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

/// The last direction mirrored at the plane across what it met (Chung 1996, formula 3.2).
#[inline(always)]
fn reflected<S: Simd>(last: &Last<S>) -> Option<[S::F64x4; 3]> {
    let length = dot(last.difference, last.difference);
    let double = last.gap.add(last.gap);
    (length.first() > 0.0 && last.gap.first() < 0.0)
        .then(|| sub(last.direction, scale(last.difference, double.div(length))))
}

#[cfg(test)]
mod tests {
    use xcollide_simd::{SimdLevel, dispatch_at};

    use super::*;
    use crate::normal_fan::FanArc;
    use xcollide_fixtures::Random;

    /// The result of a kernel, which all levels have to give.
    fn each_level<K: SimdKernel<Output: std::fmt::Debug> + Copy>(kernel: K) -> K::Output {
        let expected = kernel.run::<Portable>();
        for level in SimdLevel::ALL {
            if let Some(found) = dispatch_at(level, kernel) {
                assert_eq!(format!("{found:?}"), format!("{expected:?}"), "{level:?}");
            }
        }
        expected
    }

    /// Whether the origin is held.
    fn all_levels_find_the_same(search: BooleanGjk<'_>, direction: [f64; 3]) -> bool {
        let start = GjkStart::Direction(direction);
        let found = match search.most_blocks() {
            1 => each_level(HuntOfFew::<1> { search, start }),
            2 => each_level(HuntOfFew::<2> { search, start }),
            3 => each_level(HuntOfFew::<3> { search, start }),
            4 => each_level(HuntOfFew::<4> { search, start }),
            _ => each_level(Hunt { search, start }),
        };
        each_level(Probe { search: &search, direction });
        matches!(found.origin, GjkOutcome::Intersecting(_))
    }

    #[test]
    fn all_levels_agree_on_what_is_looked_at() {
        let mut random = Random::new(7);
        let mut held = 0;
        for count in 1..300 {
            let mut points =
                || -> Vec<[f64; 3]> { (0..1 + count % 40).map(|_| random.point(1.0)).collect() };
            let sets = [PointSet::new(&points()), PointSet::new(&points())];
            let translation = [(); 3].map(|()| 0.6 * random.signed());
            let there = Pose::from_translation(translation);
            let search = BooleanGjk {
                sets: [&sets[0], &sets[1]],
                fans: [None; 2],
                motions: [&Pose::IDENTITY, &there],
                shift: [1e-14; 3],
            };
            let direction = random.point(1.0);
            held += u32::from(all_levels_find_the_same(search, direction));
        }
        assert!(held > 50, "{held}");
    }

    /// Two pyramids over one ring.
    fn bipyramid(ring: u32, height: f64) -> (Vec<[f64; 3]>, Vec<FanArc>) {
        let angle = |i: f64| i * std::f64::consts::TAU / f64::from(ring);
        let around = |i: f64, z: f64| [angle(i).cos(), angle(i).sin(), z];
        let mut points: Vec<[f64; 3]> = (0..ring).map(|i| around(f64::from(i), 0.0)).collect();
        points.extend([[0.0, 0.0, height], [0.0, 0.0, -height]]);
        // A face is at right angles to what is half way from its ring edge.
        let flat = angle(0.5).cos();
        let normal = |i: f64, up: f64| around(i + 0.5, up * flat / height);
        let mut arcs = Vec::new();
        for i in 0..ring {
            let (next, here, before) = ((i + 1) % ring, f64::from(i), f64::from(i) - 1.0);
            arcs.push(FanArc { normals: [normal(here, 1.0), normal(here, -1.0)], ends: [i, next] });
            for (apex, up) in [(ring, 1.0), (ring + 1, -1.0)] {
                let normals = [normal(before, up), normal(here, up)];
                arcs.push(FanArc { normals, ends: [apex, i] });
            }
        }
        (points, arcs)
    }

    #[test]
    fn all_levels_agree_on_what_is_looked_up() {
        let mut random = Random::new(3);
        let (mut held, mut total) = (0, 0);
        for ring in [40, 100, 399] {
            let sets = [(ring, 0.7), (ring - 5, 0.01)].map(|(ring, height)| {
                let (points, arcs) = bipyramid(ring, height);
                let (fan, set) = (NormalFan::new(&points, &arcs), PointSet::new(&points));
                for _ in 0..500 {
                    let d = random.point(1.0);
                    assert_eq!(fan.farthest(d), set.farthest(d), "{d:?}");
                }
                (fan, set)
            });
            for _ in 0..400 {
                let translation = random.point(1.0);
                let there = Pose::from_translation(translation);
                let search = BooleanGjk {
                    sets: [&sets[0].1, &sets[1].1],
                    fans: [Some(&sets[0].0), Some(&sets[1].0)],
                    motions: [&Pose::IDENTITY, &there],
                    shift: [1e-14; 3],
                };
                held += u32::from(all_levels_find_the_same(search, translation));
                total += 1;
            }
        }
        assert!(held > 200 && held + 200 < total, "{held} of {total}");
    }
}
