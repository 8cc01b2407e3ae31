//! Eight boxes at once.
//!
//! [`Packed`] keeps boxes in f32, rounded outward, in an order in which neighbours are tested
//! together. A [`Job`] is written once, over [`Lanes`]; [`run`] compiles it twice, for AVX2 and for
//! every processor, and chooses when the program runs. Comparisons are all there is to it, so both
//! give the same answers in the same order.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod packed;
mod sides;

pub(crate) use packed::{BoxF32, Packed, WIDTH};
pub(crate) use sides::Sides;
use xcollide_bounds::Aabb;

/// A loop over packed boxes.
pub(crate) trait Job {
    /// The result.
    type Output;

    /// Does the work with the given instructions. Must be inlined, with all it calls on `L`.
    fn run<L: Lanes>(self) -> Self::Output;
}

/// Does a job with the best instructions the processor has.
pub(crate) fn run<J: Job>(job: J) -> J::Output {
    #[cfg(target_arch = "x86_64")]
    if avx2::is_there() {
        return avx2::run(job);
    }
    job.run::<Portable>()
}

/// One box, to be compared with eight.
pub(crate) trait Lanes: Copy {
    /// One box, to be compared with single ones.
    type Single: Copy;

    /// Prepares a box for [`meets`](Self::meets).
    fn single(probe: &Sides) -> Self::Single;

    /// Whether two boxes overlap.
    fn meets(probe: Self::Single, other: &Sides) -> bool;

    /// Whether two boxes in f64 have a common point; false where one is empty, so that its
    /// greatest low side on some axis is above the least high one.
    fn common(a: &Aabb, b: &Aabb) -> bool;

    /// Whether no side of a box in f64 is outside another box.
    fn holds(outer: &Aabb, inner: &Aabb) -> bool;

    /// Spreads a box over the lanes.
    fn spread(probe: &BoxF32) -> Self;

    /// Bit `i` is set where the box overlaps box `at + i`. The boxes past the end are empty.
    ///
    /// # Panics
    /// `at` is more than the number of boxes.
    fn overlap(self, boxes: &Packed, at: usize) -> u32;
}

/// Lanes as plain numbers; compilers make of it what the target has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable(BoxF32);

impl Lanes for Portable {
    type Single = [f32; 8];

    #[inline(always)]
    fn single(probe: &Sides) -> [f32; 8] {
        probe.flipped()
    }

    #[inline(always)]
    fn meets(probe: [f32; 8], other: &Sides) -> bool {
        let mut all = true;
        for lane in 0..8 {
            all &= other.0[lane] <= probe[lane];
        }
        all
    }

    #[inline(always)]
    fn common(a: &Aabb, b: &Aabb) -> bool {
        let mut all = true;
        for axis in 0..3 {
            let low = if a.min[axis] > b.min[axis] { a.min[axis] } else { b.min[axis] };
            let high = if a.max[axis] < b.max[axis] { a.max[axis] } else { b.max[axis] };
            all &= low <= high;
        }
        all
    }

    #[inline(always)]
    fn holds(outer: &Aabb, inner: &Aabb) -> bool {
        // Without a branch, for most boxes do.
        (0..3).fold(true, |all, axis| {
            all & (outer.min[axis] <= inner.min[axis]) & (inner.max[axis] <= outer.max[axis])
        })
    }

    #[inline(always)]
    fn spread(probe: &BoxF32) -> Self {
        Self(*probe)
    }

    #[inline(always)]
    fn overlap(self, boxes: &Packed, at: usize) -> u32 {
        let mut hit = [true; WIDTH];
        for axis in 0..3 {
            let (low, high) = (boxes.low(axis, at), boxes.high(axis, at));
            for lane in 0..WIDTH {
                hit[lane] &= low[lane] <= self.0.max[axis] && high[lane] >= self.0.min[axis];
            }
        }
        (0..WIDTH).fold(0, |mask, lane| mask | u32::from(hit[lane]) << lane)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Collects the masks of one box against all, from every start.
    struct Masks<'a>(&'a Packed, &'a BoxF32);

    impl Job for Masks<'_> {
        type Output = Vec<u32>;

        fn run<L: Lanes>(self) -> Vec<u32> {
            let probe = L::spread(self.1);
            (0..self.0.len()).map(|at| probe.overlap(self.0, at)).collect()
        }
    }

    /// Compares one box with others, each by itself.
    struct Single<'a>(&'a [Sides], &'a Sides);

    impl Job for Single<'_> {
        type Output = Vec<bool>;

        fn run<L: Lanes>(self) -> Vec<bool> {
            let probe = L::single(self.1);
            self.0.iter().map(|other| L::meets(probe, other)).collect()
        }
    }

    /// Compares two boxes in f64: whether they have a common point, and whether one holds the other.
    struct Exact<'a>(&'a Aabb, &'a Aabb);

    impl Job for Exact<'_> {
        type Output = [bool; 2];

        fn run<L: Lanes>(self) -> [bool; 2] {
            [L::common(self.0, self.1), L::holds(self.0, self.1)]
        }
    }

    #[test]
    fn boxes_in_f64_meet_and_hold_each_other_as_their_sides_say() {
        let ends = [f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1e-300, 1.0, f64::INFINITY];
        let mut boxes = vec![Aabb::EMPTY];
        for axis in 0..3 {
            for low in ends {
                for high in ends {
                    // Empty ones and points among them.
                    let mut aabb = Aabb::new([-1.0; 3], [1.0; 3]);
                    (aabb.min[axis], aabb.max[axis]) = (low, high);
                    boxes.push(aabb);
                }
            }
        }
        let [mut meeting, mut held] = [0, 0];
        for a in &boxes {
            for b in &boxes {
                let sides = |axis: usize| (a.min[axis], a.max[axis], b.min[axis], b.max[axis]);
                let within =
                    (0..3).map(sides).all(|(low, high, min, max)| low <= min && max <= high);
                let expected = [!a.is_empty() && !b.is_empty() && a.overlaps(b), within];
                assert_eq!(run(Exact(a, b)), expected, "{a:?} {b:?}");
                assert_eq!(Exact(a, b).run::<Portable>(), expected, "{a:?} {b:?}");
                meeting += usize::from(expected[0]);
                held += usize::from(within);
            }
        }
        assert!(meeting > 1000 && held > 1000, "{meeting} {held}");
    }

    #[test]
    fn boxes_compared_one_by_one_never_miss_an_overlap() {
        let origin = [0.1, 1e9, -3.0];
        let mut boxes = Vec::new();
        for x in -2..3_i8 {
            for y in -2..3_i8 {
                for side in [0.0, 0.3, 1.0, 1e-50] {
                    let corner = [0.1 * f64::from(x), 1e9 + f64::from(y), -3.3];
                    boxes.push(Aabb::new(corner, corner.map(|c| c + side)));
                }
            }
        }
        let unbounded = Aabb::new([f64::NEG_INFINITY; 3], [f64::INFINITY; 3]);
        let sides: Vec<_> = boxes.iter().map(|b| Sides::around_finite(b, &origin)).collect();
        let mut apart = 0;
        for probe in boxes.iter().chain([&unbounded]) {
            let packed = Sides::around(probe, &origin);
            let found = run(Single(&sides, &packed));
            assert_eq!(found, Single(&sides, &packed).run::<Portable>());
            for (other, found) in boxes.iter().zip(found) {
                assert!(found || !probe.overlaps(other), "{probe:?} {other:?}");
                apart += usize::from(!found);
            }
        }
        assert!(apart > boxes.len() * boxes.len() / 2);
    }

    fn overlap(a: &BoxF32, b: &BoxF32) -> bool {
        (0..3).all(|axis| a.min[axis] <= b.max[axis] && b.min[axis] <= a.max[axis])
    }

    #[test]
    fn the_masks_say_which_boxes_overlap_on_every_processor() {
        let cube = |at: [f32; 3], side: f32| BoxF32 { min: at, max: at.map(|x| x + side) };
        let mut boxes = Vec::new();
        for x in -3..4_i8 {
            for y in -3..4_i8 {
                for z in [-1.5_f32, 0.0, 1.0] {
                    boxes.push(cube([f32::from(x), f32::from(y), z], 1.0));
                }
            }
        }
        boxes.push(BoxF32::EMPTY);
        boxes.push(BoxF32 { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] });
        let mut packed = Packed::default();
        packed.refill(boxes.len(), |at| boxes[at]);
        for probe in &boxes {
            let expected: Vec<u32> = (0..boxes.len())
                .map(|at| {
                    let hit = |lane: usize| {
                        boxes.get(at + lane).is_some_and(|other| overlap(other, probe))
                    };
                    (0..WIDTH).fold(0, |mask, lane| mask | u32::from(hit(lane)) << lane)
                })
                .collect();
            assert_eq!(Masks(&packed, probe).run::<Portable>(), expected);
            assert_eq!(run(Masks(&packed, probe)), expected);
        }
    }
}
