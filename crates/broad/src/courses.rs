//! Where boxes are expected, by index.

use std::ops::Range;

use xcollide_bounds::Aabb;
use xcollide_simd::{Baseline, F32x8, F64x4, Simd, SimdKernel, SimdLevel, dispatch};

use crate::course::{Course, Expected, sides_of_origin};
use crate::parallel::{LIGHT, fill_per_chunk_mut, resize};
use crate::sides::holds;
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
        self.all.get(index as usize).filter(|course| !course.is_none())
    }

    /// The place of an index without a course.
    pub(crate) fn place(&self, index: u32) -> Option<&Aabb> {
        let at = self.places.binary_search_by_key(&index, |&(other, _)| other);
        at.ok().map(|at| &self.places[at].1)
    }

    /// As [`get`](Self::get); if it has none, a course that no box keeps.
    #[inline(always)]
    pub(crate) fn get_any(&self, index: u32) -> &Course {
        self.all.get(index as usize).unwrap_or(&Course::NONE)
    }

    /// Begins anew, without any course but those that stay; there will be courses for `len` indices.
    pub(crate) fn clear(&mut self, origin: [f64; 3], len: usize) {
        self.all.reserve(len.saturating_sub(self.all.len()));
        (self.origin, self.time, self.are_moving) = (origin, 0, false);
    }

    /// Begins consecutive courses.
    pub(crate) fn begin(
        &mut self,
        range: Range<usize>,
        threads: bool,
        prediction: &impl Prediction,
    ) {
        let Self { all, parts, places, origin, .. } = self;
        let origin = *origin;
        resize(all, all.len().max(range.end), Course::NONE, threads);
        fill_per_chunk_mut(&mut all[range.clone()], LIGHT, threads, parts, |first, all, part| {
            (part.is_moving, part.places) = (false, std::mem::take(&mut part.places));
            part.places.clear();
            let first = (range.start + first) as u32;
            dispatch(Begin { first, all, origin, prediction, part });
        });
        places.retain(|&(index, _)| !range.contains(&(index as usize)) || prediction.stays(index));
        places.extend(parts.iter().flat_map(|part| &part.places));
        places.sort_unstable_by_key(|&(index, _)| index);
        self.are_moving |= parts.iter().any(|part| part.is_moving);
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
        self.place(index).is_some_and(|place| holds(place, aabb))
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.all)
            + held(&self.places)
            + self.parts.iter().map(|part| held(&part.places)).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use std::array::from_fn;

    use xcollide_fixtures::Random;
    use xcollide_simd::dispatch_at;

    use super::*;
    use crate::course::Window;

    struct Pair<'a>(&'a [Course; 2]);

    impl SimdKernel for Pair<'_> {
        type Output = Option<Window>;

        #[inline(always)]
        fn run<S: Simd>(self) -> Option<Window> {
            let (may, window) = self.0[0].window::<S::F32x8>(&self.0[1], [0, FRAMES]);
            may.then_some(window)
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

    /// A box of which a later frame is known is on the course that has begun before it.
    #[test]
    fn courses_may_have_begun_in_an_earlier_frame() {
        let mut random = Random::new(9);
        for age in 0..9_u8 {
            let origin = [1e4, -3.0, 0.1];
            let low: [f64; 3] = from_fn(|axis| origin[axis] + 4.0 * random.signed());
            let begin = Aabb::new(low, low.map(|side| side + 0.5 + random.unit()));
            let speed = [(); 3].map(|()| 0.3 * random.signed());
            let at = |time: f64| {
                let moved = |side: [f64; 3]| from_fn(|axis| side[axis] + speed[axis] * time);
                Aabb::new(moved(begin.min), moved(begin.max))
            };
            let since = f64::from(age);
            let (before, now) = (at(since - 1.0), at(since));
            for is_by_center in [false, true] {
                let expected = Expected {
                    before: &before,
                    rate: 1.0,
                    fastest: 1.0,
                    frames: f64::from(FRAMES - age),
                    age: since,
                    is_by_center,
                    ..Expected::at_rest(&now, 0.0)
                };
                let course = expected.course(&origin).unwrap_or(Course::NONE);
                let mut all = Courses { all: vec![course], origin, ..Courses::default() };
                for frame in age..=FRAMES {
                    all.set_time(u32::from(frame));
                    assert!(all.holds(0, &at(f64::from(frame))), "age {age}, frame {frame}");
                    let next = at(f64::from(frame) + 1.0);
                    assert!(!all.holds(0, &next), "age {age}, frame {frame}");
                    let hull = course.hull(&origin, [since, f64::from(FRAMES)]);
                    assert!(holds(&hull, &at(f64::from(frame))), "age {age}, frame {frame}");
                }
            }
        }
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
