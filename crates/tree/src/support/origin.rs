//! Whether the differences of two small point sets hold the origin: boolean Gilbert by signs, in
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
//! No nearest point is computed but that of an edge, which with the reflection has the only divisions;
//! there are no roots. Normals of triangles and what is square to an edge stay sharp however near the origin
//! is. What is found is rounded: whoever wants a proof makes it of the last direction, or of the four
//! corners. The three faces are looked at
//! together, a lane each; all else has one number in all lanes, so that nothing ever goes through memory
//! from one step to the next: steps wait for each other, and that is all the time they take.
//!
//! Source: Gilbert, Johnson and Keerthi 1988; that the nearest point is not needed for a yes or no, and the
//! newest corner always is part of the feature, van den Bergen 1999; reflection of the first direction,
//! Chung 1996, formula 3.2.

use xcollide_bounds::Motion;

use super::corners::Corners;
use super::quad::{Plain, Quad, Work};
use super::three::{Three, dot, first, opposite, scaled, splat, sub};
use super::{LANES, PointSet};

/// Two point sets at their places.
///
/// ```
/// use xcollide_bounds::Motion;
/// use xcollide_tree::{OriginSearch, Origin, PointSet};
///
/// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let set = PointSet::new(&corners);
/// let origin = |x, y, z| {
///     let there = Motion { translation: [x, y, z], ..Motion::IDENTITY };
///     let motions = [&Motion::IDENTITY, &there];
///     let search = OriginSearch { sets: [&set, &set], motions, shift: [0.0; 3] };
///     search.run([1.0, 0.0, 0.0]).origin
/// };
/// assert!(matches!(origin(0.2, 0.1, 0.1), Origin::Held { .. }));
/// assert_eq!(origin(0.5, 0.4, 0.2), Origin::Beyond);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OriginSearch<'a> {
    /// The points p and q in their frames. There must be one of each at least: of none, the search
    /// panics.
    pub sets: [&'a PointSet; 2],
    /// Where they are.
    pub motions: [&'a Motion; 2],
    /// Is subtracted from all differences q − p of which corners are made.
    pub shift: [f64; 3],
}

/// What one direction met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Met {
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
pub enum Start<'a> {
    /// What a first direction has met that has no gap.
    First(&'a Met),
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
pub struct Found {
    /// What of the origin.
    pub origin: Origin,
    /// What the last direction met.
    pub last: Met,
    /// How many directions were tried, the first one not counted.
    pub probes: u32,
}

/// Where the origin is. Rounded: nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Origin {
    /// All differences q − p, shifted or not, have a positive product with the direction.
    Beyond,
    /// Four shifted differences hold it.
    Held {
        /// The differences.
        corners: [[f64; 3]; 4],
        /// The points that they are between.
        ends: [[u32; 2]; 4],
    },
    /// On the border of the shifted differences, so nearly that rounding decides; or beyond that
    /// of the shifted ones only.
    Near,
}

/// The most directions: random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: u32 = 64;

impl OriginSearch<'_> {
    /// What a direction of any length meets, in O(m + n) for m and n points.
    #[must_use]
    pub fn probe(&self, direction: [f64; 3]) -> Met {
        let both = Probe { placed: self.placed(), support: &All };
        both.meet(splat::<Plain>(direction), [0; 2], 0).0
    }

    /// Searches from a direction of any length but zero on.
    #[must_use]
    pub fn run(self, direction: [f64; 3]) -> Found {
        let first = self.probe(direction);
        if first.gap > 0.0 {
            return Found { origin: Origin::Beyond, last: first, probes: 0 };
        }
        self.go_on(Start::First(&first))
    }

    /// Goes on. Each step takes O(m + n).
    #[inline]
    #[must_use]
    pub fn go_on(self, start: Start<'_>) -> Found {
        Hunt { search: self, start, support: All }.run_best()
    }

    /// The same, where the farthest points are found in another way: `farthest` is given the directions in
    /// the frames of the two sets, the points that it found last, and how many directions were tried before.
    /// Whatever it returns, the search ends; if it is not a farthest point, with a worse answer.
    ///
    /// # Panics
    /// There are no such points.
    #[inline]
    #[must_use]
    pub fn go_on_by(
        self,
        start: Start<'_>,
        farthest: impl Fn([[f64; 3]; 2], [u32; 2], u32) -> [u32; 2],
    ) -> Found {
        Hunt { search: self, start, support: By(farthest) }.run_best()
    }

    /// [`go_on`](Self::go_on) in plain code, for tests and comparisons.
    #[must_use]
    pub fn go_on_portable(self, start: Start<'_>) -> Found {
        Hunt { search: self, start, support: All }.run::<Plain>()
    }

    #[inline(always)]
    fn placed(&self) -> [Placed<'_>; 2] {
        let ([a, b], [of_a, of_b]) = (self.sets, self.motions);
        [Placed { points: a, motion: of_a }, Placed { points: b, motion: of_b }]
    }
}

struct Hunt<'a, S> {
    search: OriginSearch<'a>,
    start: Start<'a>,
    support: S,
}

impl<S: Support> Hunt<'_, S> {
    #[inline]
    fn run_best(self) -> Found {
        #[cfg(target_arch = "x86_64")]
        let this = match super::simd_quad::work_with_avx2(self) {
            Ok(found) => return found,
            Err(this) => this,
        };
        #[cfg(not(target_arch = "x86_64"))]
        let this = self;
        this.run::<Plain>()
    }
}

/// How farthest points are found.
trait Support {
    fn farthest<L: Quad>(
        &self,
        sets: [&PointSet; 2],
        along: [Three<L>; 2],
        near: [u32; 2],
        probes: u32,
    ) -> [usize; 2];
}

/// By looking at all.
struct All;

impl Support for All {
    #[inline(always)]
    fn farthest<L: Quad>(
        &self,
        [a, b]: [&PointSet; 2],
        [along_a, along_b]: [Three<L>; 2],
        _: [u32; 2],
        _: u32,
    ) -> [usize; 2] {
        [L::farthest(&a.blocks, along_a), L::farthest(&b.blocks, along_b)]
    }
}

/// By asking.
struct By<F>(F);

impl<F: Fn([[f64; 3]; 2], [u32; 2], u32) -> [u32; 2]> Support for By<F> {
    #[inline(always)]
    fn farthest<L: Quad>(
        &self,
        _: [&PointSet; 2],
        [along_a, along_b]: [Three<L>; 2],
        near: [u32; 2],
        probes: u32,
    ) -> [usize; 2] {
        let [p, q] = (self.0)([first(along_a), first(along_b)], near, probes);
        [p as usize, q as usize]
    }
}

/// The set's points, and where they are.
struct Placed<'a> {
    points: &'a PointSet,
    motion: &'a Motion,
}

impl Placed<'_> {
    /// A direction in the set's frame.
    #[inline(always)]
    fn local<L: Quad>(&self, [x, y, z]: Three<L>) -> Three<L> {
        let rows = &self.motion.rotation;
        let [r, s, t] = [splat::<L>(rows[0]), splat::<L>(rows[1]), splat::<L>(rows[2])];
        let along = |i: usize| r[i].mul(x).add(s[i].mul(y)).add(t[i].mul(z));
        [along(0), along(1), along(2)]
    }

    /// Where a point is.
    #[inline(always)]
    fn point<L: Quad>(&self, index: usize) -> Three<L> {
        let [xs, ys, zs] = &self.points.blocks[index / LANES].coordinates;
        let lane = index % LANES;
        let point = [L::splat(xs[lane]), L::splat(ys[lane]), L::splat(zs[lane])];
        let rows = &self.motion.rotation;
        let [r, s, t] = [splat::<L>(rows[0]), splat::<L>(rows[1]), splat::<L>(rows[2])];
        let [tx, ty, tz] = splat::<L>(self.motion.translation);
        [dot(r, point).add(tx), dot(s, point).add(ty), dot(t, point).add(tz)]
    }
}

/// Both sets.
struct Probe<'a, S> {
    placed: [Placed<'a>; 2],
    support: &'a S,
}

impl<S: Support> Probe<'_, S> {
    /// What a direction meets; its difference and gap once more, in all lanes.
    #[inline(always)]
    fn meet<L: Quad>(
        &self,
        direction: Three<L>,
        near: [u32; 2],
        probes: u32,
    ) -> (Met, Three<L>, L) {
        let [a, b] = &self.placed;
        let along = [a.local(direction), b.local(opposite(direction))];
        let [p, q] = self.support.farthest([a.points, b.points], along, near, probes);
        let (at_p, at_q) = (a.point(p), b.point(q));
        let difference = sub(at_q, at_p);
        let gap = dot(direction, difference);
        let met = Met {
            direction: first(direction),
            ends: [p as u32, q as u32],
            difference: first(difference),
            gap: gap.first(),
            heights: [dot(direction, at_p).first(), dot(direction, at_q).first()],
        };
        (met, difference, gap)
    }
}

impl<S: Support> Work for Hunt<'_, S> {
    type Output = Found;

    #[inline(always)]
    fn run<L: Quad>(self) -> Found {
        let both = Probe { placed: self.search.placed(), support: &self.support };
        let shift = splat::<L>(self.search.shift);
        // A reflected direction promises nothing of what it will meet.
        let (mut last, mut corners, mut direction, mut promising) = match self.start {
            Start::First(&met) => {
                let difference = splat::<L>(met.difference);
                let corners = Corners::of(sub(difference, shift), met.ends);
                let (double, length) = (L::splat(2.0 * met.gap), dot(difference, difference));
                let direction = if length.first() > 0.0 && met.gap < 0.0 {
                    sub(splat(met.direction), scaled(difference, double.div(length)))
                } else {
                    corners.first
                };
                (met, corners, direction, false)
            }
            Start::Feature { corners: &[], direction } => {
                let last = nothing_met(direction, [0; 2]);
                return Found { origin: Origin::Near, last, probes: 0 };
            }
            Start::Feature { corners, direction } => {
                let last = nothing_met(direction, corners[0].1);
                (last, Corners::of_feature(corners), splat::<L>(direction), true)
            }
        };
        for probes in 1..=MOST_PROBES {
            let length = dot(direction, direction).first();
            if length == 0.0 || length.is_nan() {
                return Found { origin: Origin::Near, last, probes: probes - 1 };
            }
            let (met, difference, gap) = both.meet(direction, last.ends, probes);
            last = met;
            if gap.first() > 0.0 {
                return Found { origin: Origin::Beyond, last, probes };
            }
            let point = sub(difference, shift);
            let height = dot(direction, point);
            let known = corners.knows(met.ends);
            if known && !promising {
                // Nothing new by reflection: on from the first corner as if there had been none.
                (direction, promising) = (corners.first, true);
                continue;
            }
            // The shifted differences are beyond, or nothing new is met: within rounding of touching.
            if known || (promising && height.first() > 0.0) {
                return Found { origin: Origin::Near, last, probes };
            }
            promising = true;
            match corners.take(point, met.ends, direction, height) {
                Some(next) => direction = next,
                None => {
                    let origin = corners.held(point, met.ends);
                    return Found { origin, last, probes };
                }
            }
        }
        Found { origin: Origin::Near, last, probes: MOST_PROBES }
    }
}

/// Before anything was met.
fn nothing_met(direction: [f64; 3], ends: [u32; 2]) -> Met {
    Met { direction, ends, difference: [0.0; 3], gap: 0.0, heights: [0.0; 2] }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::simd_quad::work_without_avx512;
    use super::*;

    /// Else processors with AVX-512 would never run what those with AVX2 alone do.
    #[test]
    fn four_lanes_find_what_plain_code_finds() {
        let mut state = 7_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        };
        let mut held = 0;
        for count in 1..300 {
            let mut points = || -> Vec<[f64; 3]> {
                (0..1 + count % 40).map(|_| [(); 3].map(|()| random())).collect()
            };
            let sets = [PointSet::new(&points()), PointSet::new(&points())];
            let there =
                Motion { translation: [(); 3].map(|()| 0.6 * random()), ..Motion::IDENTITY };
            let search = OriginSearch {
                sets: [&sets[0], &sets[1]],
                motions: [&Motion::IDENTITY, &there],
                shift: [1e-14; 3],
            };
            let first = search.probe([(); 3].map(|()| random()));
            let hunt = Hunt { search, start: Start::First(&first), support: All };
            let Some(found) = work_without_avx512(hunt) else { return };
            let plain = search.go_on_portable(Start::First(&first));
            assert_eq!(format!("{found:?}"), format!("{plain:?}"));
            held += u32::from(matches!(found.origin, Origin::Held { .. }));
        }
        assert!(held > 50, "{held}");
    }
}
