//! Where a box is expected, and when two of them may overlap.
//!
//! ```text
//! side │        ··· ╱ ···   tolerance        A box keeps its course while each of its sides stays within
//!      │    ···╱···                          a tolerance of a straight line over time.
//!      └──────────────── frames
//! ```

use std::array::from_fn;

use xcollide_bounds::Aabb;
use xcollide_math::f32_above;
use xcollide_simd::{Baseline, F32x8, F64x4, Simd, SimdFloat, SimdMask};

use crate::overlap::{high_sides, low_sides};
use crate::sides::{greatest, least};

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
    /// How long ago the course begins.
    pub(crate) age: f64,
    /// The tolerance as a share of the larger of the longest and the usual way.
    pub(crate) doubt: f64,
    pub(crate) usual: f64,
    /// The least tolerance.
    pub(crate) tolerance: f64,
    /// Whether both sides of an axis have the velocity of the center.
    pub(crate) is_by_center: bool,
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
            age: 0.0,
            doubt: 0.0,
            usual: 0.0,
            tolerance,
            is_by_center: false,
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

/// The origin beside each side.
#[inline(always)]
pub(crate) fn sides_of_origin<D: F64x4>(&[x, y, z]: &[f64; 3]) -> [D; 2] {
    [D::from_array([x, y, z, x]), D::from_array([z, x, y, z])]
}

impl Course {
    /// No box is on it.
    pub(crate) const NONE: Self = Self { sides: [f32::NAN; 8], velocities: [0.0; 8] };

    /// The course of a box. `None` for boxes that are empty or too far from the origin.
    #[inline(always)]
    pub(crate) fn new<S: Simd>(origin: &[S::F64x4; 2], motion: &Expected<'_>) -> Option<Self> {
        const FARTHEST: f64 = 1e30;
        let now = [low_sides::<S::F64x4>(motion.aabb), high_sides::<S::F64x4>(motion.aabb)];
        if !is_full(now) {
            return None;
        }
        let mut near = [now[0].sub(origin[0]), now[1].sub(origin[1])];
        let Expected { before, rate, fastest, frames, age, doubt, usual, tolerance, .. } = motion;
        let old = [low_sides::<S::F64x4>(before), high_sides::<S::F64x4>(before)];
        let mut speeds = [now[0].sub(old[0]), now[1].sub(old[1])];
        if motion.is_by_center {
            // The axes are in the first lanes of the low sides and in the last ones of the high sides.
            let center = S::F64x4::splat(0.5).mul(speeds[0].add(speeds[1].rotate_left()));
            speeds = [center, center.rotate_left().rotate_left().rotate_left()];
        }
        let mut fastest_side = S::F64x4::splat(0.0);
        for speed in &mut speeds {
            *speed = speed.mul(S::F64x4::splat(*rate));
            let is_likely = speed.abs().le(S::F64x4::splat(*fastest));
            *speed = S::F64x4::select(is_likely, *speed, S::F64x4::splat(0.0));
            fastest_side = fastest_side.max(speed.abs());
        }
        let reach = near[0].abs().max(near[1].abs()).reduce_max().first();
        let fastest = fastest_side.reduce_max().first();
        let way = fastest * frames;
        let mut tolerance = tolerance + doubt * greatest(way, *usual);
        let whole_way = way + fastest * age;
        // Not so for infinite sides, whose reach may be NaN.
        let reach = reach + whole_way + tolerance;
        let is_near = reach <= FARTHEST;
        if !is_near {
            return None;
        }
        if motion.is_straight {
            for (side, speed) in near.iter_mut().zip(speeds) {
                *side = side.sub(speed.mul(S::F64x4::splat(*age)));
            }
        } else {
            tolerance += way;
            speeds = [S::F64x4::splat(0.0); 2];
        }
        let mut course = Self::NONE;
        rounded::<S::F32x8, _>(near).store(&mut course.sides);
        rounded::<S::F32x8, _>(speeds).store(&mut course.velocities);
        // Four roundings to f32 of numbers up to `reach` in `keeps`, and as many in `window`.
        let error = (reach + whole_way) * (1.0 / f64::from(1 << 22)) + 1e-37;
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

    /// Whether no box is on it.
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.sides[MARGIN].is_nan()
    }

    #[inline(always)]
    pub(crate) fn is_moving(&self) -> bool {
        self.velocities != [0.0; 8]
    }

    /// Whether the box is on the course, and not empty. False if a side is NaN.
    #[inline(always)]
    pub(crate) fn is_kept<F: F32x8, D: F64x4>(
        &self,
        aabb: &Aabb,
        origin: &[D; 2],
        time: F,
    ) -> bool {
        let sides = [low_sides::<D>(aabb), high_sides::<D>(aabb)];
        let is_full = is_full(sides);
        let sides = rounded::<F, D>([sides[0].sub(origin[0]), sides[1].sub(origin[1])]);
        let expected = F::load(&self.sides).add(F::load(&self.velocities).mul(time));
        let near = sides.sub(expected).abs().le(F::splat(self.sides[TOLERANCE]));
        is_full & (near.to_bits() & 0b1110_0111 == 0b1110_0111)
    }

    /// Whether two boxes on their courses may overlap within `frames`, and when they may and must. Has no branch that depends
    /// on the way they move, which would be unpredictable.
    #[inline(always)]
    pub(crate) fn window<F: F32x8>(&self, other: &Self, frames: [u8; 2]) -> (bool, Window) {
        let margin = self.sides[MARGIN] + other.sides[MARGIN];
        if margin.is_nan() {
            return (true, Window { possible: frames, certain: NEVER });
        }
        // Boxes overlap if six distances are not positive.
        let signs = F::from_array([1.0, 1.0, 1.0, 0.0, 0.0, -1.0, -1.0, -1.0]);
        let distance = F::load(&self.sides).sub(opposite(&other.sides)).mul(signs);
        let speed = F::load(&self.velocities).sub(opposite(&other.velocities)).mul(signs);
        // More than the error of a time below 256.
        const SLACK: f32 = 0.01;
        let [first, last] = frames.map(f32::from);
        let (begin, end) = times_below(distance, speed, margin);
        let (may, possible) = whole((begin - SLACK).ceil(), (end + SLACK).floor(), [first, last]);
        // Neither box is empty.
        let (begin, end) = times_below(distance, speed, -margin);
        let (must, certain) = whole((begin + SLACK).ceil(), (end - SLACK).floor(), [0.0, 255.0]);
        (may, Window { possible, certain: if must { certain } else { NEVER } })
    }
}

/// Whether a time is from `begin` to `end` and within limits from 0 to 255, and the first and the last one.
#[inline(always)]
fn whole(begin: f32, end: f32, [first, last]: [f32; 2]) -> (bool, [u8; 2]) {
    let begin = if begin > first { begin } else { first };
    let end = if end < last { end } else { last };
    (begin <= end, [begin as u8, end as u8])
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
    let begin = F::select(speed.lt(zero), time, F::splat(-1.0));
    let end = F::select(speed.gt(zero), time, F::splat(1000.0));
    let sides = F::Mask::from_bits(0b1110_0111);
    let never = speed.eq(zero).and(distance.gt(limit)).and(sides);
    let end = F::select(never, F::splat(-2.0), end);
    let [before, ..] = zero.sub(begin).reduce_min().to_array();
    let [last, ..] = end.reduce_min().to_array();
    (-before, last)
}

/// In which frames two boxes may overlap, and in which they must; first and last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Window {
    pub(crate) possible: [u8; 2],
    pub(crate) certain: [u8; 2],
}

const NEVER: [u8; 2] = [1, 0];
