//! Where boxes are expected, and when two of them may overlap.
//!
//! ```text
//! side │        ··· ╱ ···   tolerance        A box keeps its course while each of its sides stays within
//!      │    ···╱···                          a tolerance of a straight line over time.
//!      └──────────────── frames
//! ```

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_math::f32_above;
use xcollide_simd::{
    Baseline, F32x8, F64x4, Simd, SimdFloat, SimdKernel, SimdLevel, SimdMask, dispatch,
};

use crate::overlap::{high_sides, low_sides};
use crate::parallel::fill_per_chunk_mut;
use crate::proxies::{greatest, holds, least};
use crate::stats::held;

/// Where a [`PairFinder`](crate::PairFinder) expects boxes in its next search, by index: each on a straight course, with a
/// tolerance.
#[derive(Clone, Debug, Default)]
pub struct Courses {
    all: Vec<Course>,
    /// The places of boxes without a course, such as unbounded ones, by ascending index.
    places: Vec<(u32, Aabb)>,
    /// Courses are relative to it, so that f32 suffices.
    origin: [f64; 3],
    /// Frames since the courses began.
    time: u32,
    /// Whether some courses lead anywhere.
    are_moving: bool,
    /// Whether the static boxes have their courses.
    pub(crate) knows_static: bool,
    /// Reused memory for parts of `places`, by chunk.
    parts: Vec<Part>,
}

/// Of some courses: whether they lead anywhere, and the places of boxes without a course.
#[derive(Clone, Debug, Default)]
struct Part {
    is_moving: bool,
    places: Vec<(u32, Aabb)>,
}

/// Where a box is expected: its sides at the beginning, and their velocities.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Course {
    /// The low sides, the tolerance, the margin, the high sides. The margin is the tolerance with a bound on the errors of
    /// rounding in [`window`](Self::window).
    sides: [f32; 8],
    /// In the same order.
    velocities: [f32; 8],
}

const _: () = assert!(size_of::<Course>() == 64);

const TOLERANCE: usize = 3;
const MARGIN: usize = 4;

/// How a box is expected to move.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'a> {
    pub(crate) aabb: &'a Aabb,
    /// An earlier box, from which its sides have come.
    pub(crate) before: &'a Aabb,
    /// One over the number of frames since then; 0 if it rests.
    pub(crate) rate: f64,
    /// Sides that seem faster are taken to rest.
    pub(crate) fastest: f64,
    /// How long it is expected to move on.
    pub(crate) frames: f64,
    /// The tolerance as a share of the larger of the longest and the usual way.
    pub(crate) doubt: f64,
    pub(crate) usual: f64,
    /// The least tolerance.
    pub(crate) tolerance: f64,
    /// Whether velocities last; if not, it is expected within that way from where it is.
    pub(crate) is_straight: bool,
}

impl<'a> Expected<'a> {
    /// A box that stays where it is, up to a tolerance.
    #[inline(always)]
    pub(crate) fn at_rest(aabb: &'a Aabb, tolerance: f64) -> Self {
        Self {
            aabb,
            before: aabb,
            rate: 0.0,
            fastest: 0.0,
            frames: 0.0,
            doubt: 0.0,
            usual: 0.0,
            tolerance,
            is_straight: true,
        }
    }

    /// The course of the box, or its place if it can have none.
    pub(crate) fn course(&self, origin: &[f64; 3]) -> Result<Course, Aabb> {
        let origin = sides_of_origin::<<Baseline as Simd>::F64x4>(origin);
        Course::new::<Baseline>(&origin, self).ok_or_else(|| self.place())
    }

    /// The place of a box without a course.
    pub(crate) fn place(&self) -> Aabb {
        // Without a tolerance the box itself: `expanded` rounds outward.
        let stays = self.aabb.is_empty() || self.tolerance == 0.0;
        if stays { *self.aabb } else { self.aabb.expanded(self.tolerance) }
    }
}

/// Says how boxes are expected to move. Compiled for the processor's vector instructions, so its methods must be inlined.
pub(crate) trait Prediction: Sync {
    /// Whether the box of an index has been on the same course before, and stays on it.
    fn stays(&self, index: u32) -> bool;

    fn expect(&self, index: u32) -> Expected<'_>;
}

/// Begins consecutive courses.
struct Begin<'a, P> {
    first: u32,
    all: &'a mut [Course],
    origin: [f64; 3],
    prediction: &'a P,
    part: &'a mut Part,
}

impl<P: Prediction> SimdKernel for Begin<'_, P> {
    type Output = ();
    const MAX_LEVEL: SimdLevel = SimdLevel::Avx2;

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { first, all, origin, prediction, part } = self;
        let origin = sides_of_origin::<S::F64x4>(&origin);
        for (index, place) in (first..).zip(all) {
            if prediction.stays(index) {
                continue;
            }
            let expected = prediction.expect(index);
            *place = Course::NONE;
            match Course::new::<S>(&origin, &expected) {
                Some(course) => *place = course,
                None => part.places.push((index, expected.place())),
            }
            part.is_moving |= place.is_moving();
        }
    }
}

#[inline(always)]
fn sides_of_origin<D: F64x4>(&[x, y, z]: &[f64; 3]) -> [D; 2] {
    [D::from_array([x, y, z, x]), D::from_array([z, x, y, z])]
}

impl Course {
    /// No box is on it.
    const NONE: Self = Self { sides: [f32::NAN; 8], velocities: [0.0; 8] };

    /// The course of a box. `None` for boxes that are empty or too far from the origin.
    #[inline(always)]
    fn new<S: Simd>(origin: &[S::F64x4; 2], motion: &Expected<'_>) -> Option<Self> {
        const FARTHEST: f64 = 1e30;
        let now = [low_sides::<S::F64x4>(motion.aabb), high_sides::<S::F64x4>(motion.aabb)];
        if !is_full(now) {
            return None;
        }
        let near = [now[0].sub(origin[0]), now[1].sub(origin[1])];
        let Expected { before, rate, fastest, frames, doubt, usual, tolerance, .. } = motion;
        let old = [low_sides::<S::F64x4>(before), high_sides::<S::F64x4>(before)];
        let mut speeds = [now[0].sub(old[0]), now[1].sub(old[1])];
        let mut fastest_side = S::F64x4::splat(0.0);
        for speed in &mut speeds {
            *speed = speed.mul(S::F64x4::splat(*rate));
            let is_likely = speed.abs().le(S::F64x4::splat(*fastest));
            *speed = S::F64x4::select(is_likely, *speed, S::F64x4::splat(0.0));
            fastest_side = fastest_side.max(speed.abs());
        }
        let reach = near[0].abs().max(near[1].abs()).reduce_max().first();
        let way = fastest_side.reduce_max().first() * frames;
        let mut tolerance = tolerance + doubt * greatest(way, *usual);
        // Not so for infinite sides, whose reach may be NaN.
        let reach = reach + way + tolerance;
        let is_near = reach <= FARTHEST;
        if !is_near {
            return None;
        }
        if !motion.is_straight {
            tolerance += way;
            speeds = [S::F64x4::splat(0.0); 2];
        }
        let mut course = Self::NONE;
        rounded::<S::F32x8, _>(near).store(&mut course.sides);
        rounded::<S::F32x8, _>(speeds).store(&mut course.velocities);
        // Four roundings to f32 of numbers up to `reach` in `keeps`, and as many in `window`.
        let error = (reach + way) * (1.0 / f64::from(1 << 22)) + 1e-37;
        let tolerance = f32_above(tolerance + error);
        course.sides[TOLERANCE] = tolerance;
        course.sides[MARGIN] = f32_above(f64::from(tolerance) + error);
        course.velocities[TOLERANCE] = 0.0;
        course.velocities[MARGIN] = 0.0;
        Some(course)
    }

    /// Contains every box on the course between two times.
    #[inline(always)]
    pub(crate) fn hull(&self, origin: &[f64; 3], [from, to]: [f64; 2]) -> Aabb {
        let Self { sides, velocities } = self;
        let margin = f64::from(sides[MARGIN]);
        let at =
            |place: usize, time: f64| f64::from(sides[place]) + f64::from(velocities[place]) * time;
        Aabb::new(
            from_fn(|axis| least(at(axis, from), at(axis, to)) - margin + origin[axis]),
            from_fn(|axis| greatest(at(axis + 5, from), at(axis + 5, to)) + margin + origin[axis]),
        )
    }

    #[inline(always)]
    fn is_moving(&self) -> bool {
        self.velocities != [0.0; 8]
    }

    /// Whether the box is on the course, and not empty. False if a side is NaN.
    #[inline(always)]
    fn is_kept<F: F32x8, D: F64x4>(&self, aabb: &Aabb, origin: &[D; 2], time: F) -> bool {
        let sides = [low_sides::<D>(aabb), high_sides::<D>(aabb)];
        let is_full = is_full(sides);
        let sides = rounded::<F, D>([sides[0].sub(origin[0]), sides[1].sub(origin[1])]);
        let expected = F::load(&self.sides).add(F::load(&self.velocities).mul(time));
        let near = sides.sub(expected).abs().le(F::splat(self.sides[TOLERANCE]));
        is_full & (near.to_bits() & 0b1110_0111 == 0b1110_0111)
    }

    /// When two boxes on their courses may overlap within `frames`, and when they must; `None` if they cannot.
    #[inline(always)]
    pub(crate) fn window<F: F32x8>(&self, other: &Self, frames: [u8; 2]) -> Option<Window> {
        let margin = self.sides[MARGIN] + other.sides[MARGIN];
        let [first, last] = frames;
        if margin.is_nan() {
            return Some(Window { possible: frames, certain: NEVER });
        }
        // Boxes overlap if six distances are not positive.
        let signs = F::from_array([1.0, 1.0, 1.0, 0.0, 0.0, -1.0, -1.0, -1.0]);
        let distance = F::load(&self.sides).sub(opposite(&other.sides)).mul(signs);
        let speed = F::load(&self.velocities).sub(opposite(&other.velocities)).mul(signs);
        // More than the error of a time below 256.
        const SLACK: f32 = 0.01;
        let (begin, end) = times_below(distance, speed, margin);
        let begin = (begin - SLACK).ceil().max(f32::from(first));
        let end = (end + SLACK).floor().min(f32::from(last));
        if begin > end {
            return None;
        }
        let mut window = Window { possible: [begin as u8, end as u8], certain: NEVER };
        // Neither box is empty.
        let (begin, end) = times_below(distance, speed, -margin);
        let begin = (begin + SLACK).ceil().max(0.0);
        let end = (end - SLACK).floor().min(255.0);
        if begin <= end {
            window.certain = [begin as u8, end as u8];
        }
        Some(window)
    }
}

/// Whether a box is not empty.
#[inline(always)]
fn is_full<D: F64x4>([low, high]: [D; 2]) -> bool {
    low.le(high.rotate_left()).to_bits() & 0b0111 == 0b0111
}

#[inline(always)]
fn rounded<F: F32x8, D: F64x4>(sides: [D; 2]) -> F {
    let [[a, b, c, d], [e, f, g, h]] = sides.map(D::to_array);
    F::from_f64(&[a, b, c, d, e, f, g, h])
}

/// The high and the low sides in each other's place.
#[inline(always)]
fn opposite<F: F32x8>(&[a, b, c, _, _, x, y, z]: &[f32; 8]) -> F {
    F::from_array([x, y, z, 0.0, 0.0, a, b, c])
}

/// The first and the last time at which no distance is above the limit, from -1 to 1000. The first is later than the last
/// if there is no such time.
#[inline(always)]
fn times_below<F: F32x8>(distance: F, speed: F, limit: f32) -> (f32, f32) {
    let (zero, limit) = (F::splat(0.0), F::splat(limit));
    let time = limit.sub(distance).div(speed);
    let begin = F::select(speed.lt(zero), time, F::splat(-1.0)).to_array();
    let end = F::select(speed.gt(zero), time, F::splat(1000.0));
    let sides = F::Mask::from_bits(0b1110_0111);
    let never = speed.eq(zero).and(distance.gt(limit)).and(sides);
    let end = F::select(never, F::splat(-2.0), end).to_array();
    let (mut first, mut last) = (-1.0, 1000.0);
    for lane in 0..8 {
        first = if begin[lane] > first { begin[lane] } else { first };
        last = if end[lane] < last { end[lane] } else { last };
    }
    (first, last)
}

/// In which frames two boxes may overlap, and in which they must; first and last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Window {
    pub(crate) possible: [u8; 2],
    pub(crate) certain: [u8; 2],
}

const NEVER: [u8; 2] = [1, 0];

/// What [`Courses::is_kept`] needs for many boxes.
#[derive(Clone, Copy)]
pub(crate) struct Now<F, D> {
    time: F,
    origin: [D; 2],
}

impl<F: F32x8, D: F64x4> Now<F, D> {
    /// Whether a box keeps its course.
    #[inline(always)]
    pub(crate) fn is_kept(&self, course: &Course, aabb: &Aabb) -> bool {
        course.is_kept(aabb, &self.origin, self.time)
    }
}

impl Courses {
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether some courses lead anywhere.
    pub(crate) fn are_moving(&self) -> bool {
        self.are_moving
    }

    pub(crate) fn origin(&self) -> &[f64; 3] {
        &self.origin
    }

    /// Sets for which time boxes are checked, in frames since the courses began.
    pub(crate) fn set_time(&mut self, time: u32) {
        self.time = time;
    }

    /// The course of an index, if it has one.
    pub(crate) fn get(&self, index: u32) -> Option<&Course> {
        self.all.get(index as usize).filter(|course| !course.sides[MARGIN].is_nan())
    }

    /// As [`get`](Self::get); if it has none, a course that no box keeps.
    #[inline(always)]
    pub(crate) fn get_any(&self, index: u32) -> &Course {
        self.all.get(index as usize).unwrap_or(&Course::NONE)
    }

    /// Begins `count` courses.
    pub(crate) fn begin(
        &mut self,
        count: usize,
        origin: [f64; 3],
        threads: bool,
        prediction: &impl Prediction,
    ) {
        let Self { all, parts, places, .. } = self;
        (self.origin, self.time) = (origin, 0);
        all.resize(count, Course::NONE);
        fill_per_chunk_mut(all, threads, parts, |first, all, part| {
            (part.is_moving, part.places) = (false, std::mem::take(&mut part.places));
            part.places.clear();
            dispatch(Begin { first: first as u32, all, origin, prediction, part });
        });
        places.retain(|&(index, _)| prediction.stays(index));
        places.extend(parts.iter().flat_map(|part| &part.places));
        places.sort_unstable_by_key(|&(index, _)| index);
        self.are_moving = parts.iter().any(|part| part.is_moving);
    }

    /// Replaces the course of one box, or gives it a place.
    pub(crate) fn set(&mut self, index: u32, course: Result<Course, Aabb>) {
        let slot = index as usize;
        if slot >= self.all.len() {
            self.all.resize(slot + 1, Course::NONE);
        }
        let at = self.places.partition_point(|&(other, _)| other < index);
        let is_there = self.places.get(at).is_some_and(|&(other, _)| other == index);
        self.all[slot] = match course {
            Ok(course) => {
                if is_there {
                    self.places.remove(at);
                }
                course
            }
            Err(place) => {
                if is_there {
                    self.places[at].1 = place;
                } else {
                    self.places.insert(at, (index, place));
                }
                Course::NONE
            }
        };
    }

    /// What [`is_kept`](Self::is_kept) needs.
    #[inline(always)]
    pub(crate) fn now<F: F32x8, D: F64x4>(&self) -> Now<F, D> {
        Now { time: F::splat(self.time as f32), origin: sides_of_origin(&self.origin) }
    }

    /// Whether the box of an index, which has a course, keeps it. False if it is in a place instead.
    #[inline(always)]
    pub(crate) fn is_kept<F: F32x8, D: F64x4>(
        &self,
        now: &Now<F, D>,
        index: usize,
        aabb: &Aabb,
    ) -> bool {
        now.is_kept(&self.all[index], aabb)
    }

    /// The courses of consecutive indices.
    pub(crate) fn from(&self, first: usize, len: usize) -> &[Course] {
        let end = (first + len).min(self.all.len());
        &self.all[first.min(end)..end]
    }

    /// Whether the box of an index keeps its course, or is in the place that it has instead.
    pub(crate) fn holds(&self, index: usize, aabb: &Aabb) -> bool {
        let now = self.now::<<Baseline as Simd>::F32x8, <Baseline as Simd>::F64x4>();
        index < self.all.len() && self.is_kept(&now, index, aabb)
            || !self.places.is_empty() && self.is_in_place(index as u32, aabb)
    }

    #[cold]
    fn is_in_place(&self, index: u32, aabb: &Aabb) -> bool {
        let at = self.places.binary_search_by_key(&index, |&(other, _)| other);
        at.is_ok_and(|at| holds(&self.places[at].1, aabb))
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.all)
            + held(&self.places)
            + self.parts.iter().map(|part| held(&part.places)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use xcollide_fixtures::Random;
    use xcollide_simd::{SimdLevel, dispatch_at};

    use super::*;

    struct Pair<'a>(&'a [Course; 2]);

    impl SimdKernel for Pair<'_> {
        type Output = Option<Window>;

        #[inline(always)]
        fn run<S: Simd>(self) -> Option<Window> {
            self.0[0].window::<S::F32x8>(&self.0[1], [0, FRAMES])
        }
    }

    const FRAMES: u8 = 20;

    /// Two boxes stray within their tolerances from straight courses: in frames in which they overlap they may, and in those
    /// in which they must they do.
    #[test]
    fn windows_hold_for_all_boxes_on_their_courses() {
        let mut random = Random::new(7);
        let mut number = |low: f64, high: f64| {
            low + (high - low) * (random.bits() >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut possible, mut certain, mut none) = (0, 0, 0);
        for case in 0..2000 {
            let origin = [1e4, -3.0, 0.1];
            let tolerance = if case % 3 == 0 { 0.0 } else { 0.05 };
            let mut boxes = [(); 2].map(|()| {
                let low: [f64; 3] = from_fn(|axis| origin[axis] + number(-2.0, 2.0));
                Aabb::new(low, low.map(|side| side + number(0.2, 2.0)))
            });
            let ways = [(); 2].map(|()| [(); 3].map(|()| number(-0.2, 0.2)));
            let courses: [Course; 2] = from_fn(|at| {
                let before = Aabb::new(
                    from_fn(|axis| boxes[at].min[axis] - ways[at][axis]),
                    from_fn(|axis| boxes[at].max[axis] - ways[at][axis]),
                );
                let expected = Expected {
                    before: &before,
                    rate: 1.0,
                    fastest: 1.0,
                    frames: f64::from(FRAMES),
                    ..Expected::at_rest(&boxes[at], tolerance)
                };
                expected.course(&origin).unwrap_or(Course::NONE)
            });
            let window = Pair(&courses).run::<Baseline>();
            for level in SimdLevel::ALL {
                assert!(dispatch_at(level, Pair(&courses)).is_none_or(|found| found == window));
            }
            none += u32::from(window.is_none());
            let begin = boxes;
            for frame in 0..=FRAMES {
                let time = f64::from(frame);
                for at in 0..2 {
                    let mut side = |side: f64, axis: usize| {
                        side + ways[at][axis] * time + number(-tolerance, tolerance)
                    };
                    boxes[at].min = from_fn(|axis| side(begin[at].min[axis], axis));
                    boxes[at].max = from_fn(|axis| side(begin[at].max[axis], axis));
                    let mut all = Courses { all: vec![courses[at]], origin, ..Courses::default() };
                    all.set_time(u32::from(frame));
                    assert!(all.holds(0, &boxes[at]), "case {case}, frame {frame}");
                    let hull = courses[at].hull(&origin, [0.0, f64::from(FRAMES)]);
                    assert!(holds(&hull, &boxes[at]), "case {case}, frame {frame}");
                    let mut off = boxes[at];
                    off.max[case % 3] += 2.5 * tolerance + 0.01;
                    assert!(!all.holds(0, &off), "case {case}, frame {frame}");
                }
                let is_within = |of: fn(&Window) -> [u8; 2]| {
                    window.is_some_and(|window| {
                        let [first, last] = of(&window);
                        first <= frame && frame <= last
                    })
                };
                let overlap = boxes[0].overlaps(&boxes[1]);
                let [may, must] = [is_within(|w| w.possible), is_within(|w| w.certain)];
                assert!(may || !overlap, "case {case}, frame {frame}: {window:?}");
                assert!(overlap || !must, "case {case}, frame {frame}: {window:?}");
                possible += u32::from(may);
                certain += u32::from(must);
            }
        }
        assert!(none > 1000 && certain > 1000 && possible > certain, "{none} {certain} {possible}");
    }

    #[test]
    fn boxes_without_a_course_have_a_place() {
        let unbounded = Aabb::new([f64::NEG_INFINITY; 3], [1.0; 3]);
        for aabb in [Aabb::EMPTY, unbounded, Aabb::new([1e40; 3], [2e40; 3])] {
            let course = Expected::at_rest(&aabb, 0.0).course(&[0.0; 3]);
            assert!(course.is_err_and(|place| place == aabb), "{aabb:?}");
            let mut courses = Courses::default();
            courses.set(3, Err(aabb));
            courses.set(3, Err(aabb));
            assert!(courses.holds(3, &aabb) && !courses.holds(2, &aabb), "{aabb:?}");
            assert!(!courses.holds(3, &Aabb::new([-1e50; 3], [1.5; 3])), "{aabb:?}");
            courses
                .set(3, Expected::at_rest(&Aabb::new([0.0; 3], [1.0; 3]), 0.0).course(&[0.0; 3]));
            assert!(!courses.holds(3, &aabb), "{aabb:?}");
        }
    }
}
