//! Whether the differences of two point sets hold the origin, of many pairs of sets at once: portal
//! refinement, eight pairs in turns.
//!
//! ```text
//!        ╲ b             From a difference c that is inside, a ray goes to the origin O and through the
//!         ╲              portal a b: in space a triangle. The point p that is farthest beyond the portal
//!   c ─────┼──O─── p     parts it, and the ray goes through one of the parts: that is the next portal.
//!         ╱              O before the portal is inside, O beyond a plane through p across the direction
//!        ╱ a             in which p was farthest is outside.
//! ```
//!
//! The portal has three corners at each step, so all pairs do the same in each, whatever they have come to:
//! their numbers lie side by side in the lanes of [`F64x8`], and only the farthest points are searched pair by
//! pair, where no search waits for another. That, and that a processor need not guess what comes next, is why
//! a step of many takes about half the time of a step of one; see [`BooleanGjk`](super::BooleanGjk) for
//! that. What is found is rounded: whoever wants a proof makes it of what was met.
//!
//! The first portal is *borrowed*: its corners are no differences of points, but guesses of where the border
//! might be, around the ray. So the first direction may be any, the best that is known, and no step is lost
//! on finding a portal. Corners are replaced one after the other; a borrowed one that turns out to be outside
//! moves towards c, which changes nothing of what the ray goes through. Near contact it takes 4.7
//! directions for sets of 8 points, 5.8 for 20, 6.2 for 50 and 6.9 for 500.
//!
//! Source: Snethen, *`XenoCollide`: Complex Collision Made Simple*, Game Programming Gems 7, 2008; borrowed
//! portals, and to ask eight pairs at once, are ours.

pub(crate) mod batch;
mod search;

use xcollide_simd::{F64x8, Portable, Simd, SimdFloat, SimdKernel, dispatch};

use crate::batch::{EIGHT, Motions, MovedSet, MovedSets, rows};
use crate::gjk::boolean::SupportPair;

/// Two point sets at their places, and where to begin.
#[derive(Clone, Copy, Debug)]
pub struct Mpr<S> {
    /// The points p and q.
    pub sets: [S; 2],
    /// Is subtracted from all differences q − p of which corners are made.
    pub shift: [f64; 3],
    /// A shifted difference that is inside of all others.
    pub center: [f64; 3],
    /// What a first direction has met: best towards what is nearest to the origin.
    pub first: SupportPair,
    /// How far it is from the center to the border against that direction, about, times the length of the
    /// direction.
    pub height: f64,
    /// How round the sets are, from 0 for very edgy ones to 1.
    pub roundness: f64,
    /// By how much heights may be off, both together, along a direction of length 1.
    pub doubt: f64,
}

/// Eight of these, side by side.
#[derive(Debug)]
pub(crate) struct MprBatch<'a, S: Simd, M> {
    /// The points p, and the points q.
    pub sets: &'a [MovedSets<'a, S, M>; 2],
    /// See [`Mpr::shift`].
    pub shift: [S::F64x8; 3],
    /// See [`Mpr::center`].
    pub center: [S::F64x8; 3],
    /// First directions.
    pub direction: [S::F64x8; 3],
    /// The points that they met, and the differences, without the shift.
    pub ends: [[u32; EIGHT]; 2],
    /// q − p of the first points.
    pub difference: [S::F64x8; 3],
    /// See [`Mpr::height`].
    pub height: S::F64x8,
    /// See [`Mpr::roundness`].
    pub roundness: S::F64x8,
    /// See [`Mpr::doubt`].
    pub doubt: S::F64x8,
}

/// What eight have come to, side by side. Rounded: nothing is proved.
#[derive(Debug)]
pub(crate) struct MprBatchResult {
    /// Bit i is set where the direction of lane i separates.
    pub beyond: u32,
    /// And where that is more than what heights may be off.
    pub clear: u32,
    /// Where the center and three shifted differences hold the origin. All others are near the border.
    pub held: u32,
    /// Of those that are separated: the directions.
    pub direction: [[f64; EIGHT]; 3],
    /// And direction · p and direction · q of what they met.
    pub heights: [[f64; EIGHT]; 2],
    difference: [[f64; EIGHT]; 3],
    gap: [f64; EIGHT],
    /// In which steps the corners were met, and in which the search has ended; see [`BIAS`].
    corners: [[f64; EIGHT]; 3],
    last: [f64; EIGHT],
    /// The points that were met in each step.
    steps: Vec<[[u32; EIGHT]; 2]>,
}

/// Is added to small integers, which then are the last bits of their numbers.
const BIAS: f64 = 4_503_599_627_370_496.0;

#[inline(always)]
fn without_bias(number: f64) -> usize {
    usize::from(number.to_bits() as u8)
}

/// What a portal search has come to. Rounded: nothing is proved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MprResult {
    /// What of the origin.
    pub portal: MprOutcome,
    /// How many directions were tried.
    pub probes: u32,
}

/// Where the origin is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MprOutcome {
    /// All differences q − p have a positive product with the direction, up to rounding.
    Separated {
        /// What it met.
        met: SupportPair,
        /// Whether that is more than what heights may be off.
        is_clear: bool,
    },
    /// The center and three shifted differences hold it: those between these points.
    Intersecting([[u32; 2]; 3]),
    /// So near to the border that rounding decides, or the search gave up.
    Inconclusive,
}

/// The most directions: random sets take fewer than ten, touching ones some twenty.
const MOST_PROBES: usize = 40;

impl<S: MovedSet> Mpr<S> {
    /// Searches for each of many pairs: writes what is found to `found` (which is cleared first), in their
    /// order. What is found for one does not depend on the others.
    pub fn run_all(searches: &[Self], found: &mut Vec<MprResult>) {
        dispatch(All { searches, found });
    }

    /// [`run_all`](Self::run_all) in plain code, for tests and comparisons.
    pub fn run_all_portable(searches: &[Self], found: &mut Vec<MprResult>) {
        All { searches, found }.run::<Portable>();
    }
}

struct All<'a, 'b, M> {
    searches: &'a [Mpr<M>],
    found: &'b mut Vec<MprResult>,
}

impl<M: MovedSet> SimdKernel for All<'_, '_, M> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { searches, found } = self;
        found.clear();
        let mut passed = MprBatchResult::default();
        let mut begin = 0;
        while begin < searches.len() {
            let group = &searches[begin..(begin + EIGHT).min(searches.len())];
            let active = u32::from(u8::MAX) >> (EIGHT - group.len());
            // Lanes that are left have the last one again.
            let lane = |lane: usize| &group[lane.min(group.len() - 1)];
            let each = [lane(0), lane(1), lane(2), lane(3), lane(4), lane(5), lane(6), lane(7)];
            let sets = [each.map(|search| &search.sets[0]), each.map(|search| &search.sets[1])];
            let motions: [Motions<S::F64x8>; 2] = [
                Motions::of(sets[0].map(MovedSet::motion)),
                Motions::of(sets[1].map(MovedSet::motion)),
            ];
            let sets = [MovedSets::of(&sets[0], &motions[0]), MovedSets::of(&sets[1], &motions[1])];
            MprBatch::<S, M>::of(&each, &sets).run(active, &mut passed);
            found.extend((0..group.len()).map(|lane| passed.of(lane)));
            begin += EIGHT;
        }
    }
}

impl Default for MprBatchResult {
    /// Of what was not searched.
    fn default() -> Self {
        let nothing = [0.0; EIGHT];
        Self {
            beyond: 0,
            clear: 0,
            held: 0,
            direction: [nothing; 3],
            heights: [nothing; 2],
            difference: [nothing; 3],
            gap: nothing,
            corners: [nothing; 3],
            last: nothing,
            steps: Vec::with_capacity(MOST_PROBES + 1),
        }
    }
}

impl MprBatchResult {
    /// How many directions were tried in a lane.
    #[inline]
    #[must_use]
    pub(crate) fn probes(&self, lane: usize) -> u32 {
        1 + without_bias(self.last[lane % EIGHT]) as u32
    }

    /// The points that the last direction of a lane met.
    #[inline]
    #[must_use]
    pub(crate) fn last_ends(&self, lane: usize) -> [u32; 2] {
        self.ends(lane, self.last[lane % EIGHT])
    }

    /// The points between which a corner of the portal of a lane is the difference, if the origin is held.
    #[inline]
    #[must_use]
    pub(crate) fn corner(&self, lane: usize, number: usize) -> [u32; 2] {
        self.ends(lane, self.corners[number % 3][lane % EIGHT])
    }

    #[inline(always)]
    fn ends(&self, lane: usize, step: f64) -> [u32; 2] {
        let step = self.steps.get(without_bias(step));
        step.map_or([0; 2], |[p, q]| [p[lane % EIGHT], q[lane % EIGHT]])
    }

    /// What one lane has come to.
    #[must_use]
    pub(crate) fn of(&self, lane: usize) -> MprResult {
        let lane = lane % EIGHT;
        let holds = |bits: u32| bits >> lane & 1 == 1;
        let portal = if holds(self.beyond) {
            let met = SupportPair {
                direction: self.direction.map(|axis| axis[lane]),
                ends: self.last_ends(lane),
                difference: self.difference.map(|axis| axis[lane]),
                gap: self.gap[lane],
                heights: self.heights.map(|heights| heights[lane]),
            };
            MprOutcome::Separated { met, is_clear: holds(self.clear) }
        } else if holds(self.held) {
            MprOutcome::Intersecting([0, 1, 2].map(|number| self.corner(lane, number)))
        } else {
            MprOutcome::Inconclusive
        };
        MprResult { portal, probes: self.probes(lane) }
    }
}

impl<'a, S: Simd, M: MovedSet> MprBatch<'a, S, M> {
    #[inline(always)]
    fn of(each: &[&Mpr<M>; EIGHT], sets: &'a [MovedSets<'a, S, M>; 2]) -> Self {
        let mut numbers = [[0.0; EIGHT]; 3];
        let mut ends = [[0; EIGHT]; 2];
        for (lane, search) in each.iter().enumerate() {
            numbers[0][lane] = search.height;
            numbers[1][lane] = search.roundness;
            numbers[2][lane] = search.doubt;
            (ends[0][lane], ends[1][lane]) = (search.first.ends[0], search.first.ends[1]);
        }
        Self {
            sets,
            shift: S::F64x8::from_vectors(rows(each, |search| &search.shift)),
            center: S::F64x8::from_vectors(rows(each, |search| &search.center)),
            direction: S::F64x8::from_vectors(rows(each, |search| &search.first.direction)),
            ends,
            difference: S::F64x8::from_vectors(rows(each, |search| &search.first.difference)),
            height: S::F64x8::load(&numbers[0]),
            roundness: S::F64x8::load(&numbers[1]),
            doubt: S::F64x8::load(&numbers[2]),
        }
    }
}

#[cfg(test)]
mod tests {
    use xcollide_math::Pose;
    use xcollide_simd::{SimdLevel, dispatch_at};

    use super::*;
    use crate::BooleanGjk;
    use crate::batch::moved_points::MovedPoints;
    use xcollide_fixtures::Random;

    #[test]
    fn all_levels_find_the_same() {
        let mut random = Random::new(5);
        let pairs: Vec<[MovedPoints; 2]> = (0..300)
            .map(|number| {
                [0.0, 0.8].map(|away| {
                    let count = 4 + number % 37;
                    let positions: Vec<[f64; 3]> = (0..count).map(|_| random.point(1.0)).collect();
                    let translation = [(); 3].map(|()| away * random.signed());
                    let motion = Pose::from_translation(translation);
                    MovedPoints::new(positions, motion)
                })
            })
            .collect();
        let mut searches = Vec::new();
        for [a, b] in &pairs {
            let center = [0, 1, 2].map(|i| b.motion.translation()[i] - a.motion.translation()[i]);
            let (sets, motions) = ([&a.set, &b.set], [&a.motion, &b.motion]);
            let shift = [1e-14; 3];
            let first = BooleanGjk { sets, fans: [None; 2], motions, shift }.probe(center);
            let [height, roundness, doubt] = [1.0, 0.4, 1e-14];
            searches.push(Mpr { sets: [a, b], shift, center, first, height, roundness, doubt });
        }
        let (mut found, mut plain) = (Vec::new(), Vec::new());
        Mpr::run_all_portable(&searches, &mut plain);
        for level in SimdLevel::ALL {
            if dispatch_at(level, All { searches: &searches, found: &mut found }).is_some() {
                assert_eq!(format!("{found:?}"), format!("{plain:?}"), "{level:?}");
            }
        }
        let held = plain
            .iter()
            .filter(|found| matches!(found.portal, MprOutcome::Intersecting(_)))
            .count();
        assert!(held > 50, "{held}");
    }
}
