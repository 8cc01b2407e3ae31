//! SIMD overlap tests of boxes.
//!
//! [`Packed`] stores boxes in f32, rounded outward; a [`Probe`] is compared with eight consecutive ones at once.
//! [`Sides`] is one box in a register, compared with one other. Only comparisons are involved, so all
//! instruction sets give the same answers in the same order. AVX-512 would not be faster than AVX2.

mod packed;
mod sides;

pub(crate) use packed::{BoxF32, Packed, WIDTH};
pub(crate) use sides::Sides;
use xcollide_bounds::Aabb;
use xcollide_simd::{F32x8, F64x4, SimdMask, vec3};

/// A box with each of its sides in all lanes, for comparison with eight others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe<F> {
    min: [F; 3],
    max: [F; 3],
}

impl<F: F32x8> Probe<F> {
    #[inline(always)]
    pub(crate) fn new(BoxF32 { min, max }: &BoxF32) -> Self {
        Self { min: vec3::splat(*min), max: vec3::splat(*max) }
    }

    /// Bit `i` is set if the box overlaps box `at + i`. Boxes past the end are empty.
    ///
    /// # Panics
    /// If `at` exceeds the number of boxes.
    #[inline(always)]
    pub(crate) fn overlap(&self, boxes: &Packed, at: usize) -> u32 {
        let x = self.overlap_on(boxes, at, 0);
        let y = self.overlap_on(boxes, at, 1);
        x.and(y).and(self.overlap_on(boxes, at, 2)).to_bits()
    }

    #[inline(always)]
    fn overlap_on(&self, boxes: &Packed, at: usize, axis: usize) -> F::Mask {
        let starts = F::load(boxes.low(axis, at)).le(self.max[axis]);
        starts.and(F::load(boxes.high(axis, at)).ge(self.min[axis]))
    }
}

/// Iterates over the positions of the set bits, ascending.
pub(crate) struct Bits(pub(crate) u32);

impl Iterator for Bits {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let place = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(place)
    }
}

/// Whether two boxes have a common point; false if one is empty, because its low side on some axis is above its
/// high side.
#[inline(always)]
pub(crate) fn overlaps<F: F64x4>(a: &Aabb, b: &Aabb) -> bool {
    let low = low_sides::<F>(a).max(low_sides(b));
    let high = high_sides::<F>(a).min(high_sides(b)).rotate_left();
    low.le(high).to_bits() & 0b0111 == 0b0111
}

// The sides of a box are adjacent in memory, so each of these is one load.

/// The low sides and one unused number.
#[inline(always)]
pub(crate) fn low_sides<F: F64x4>(Aabb { min, max }: &Aabb) -> F {
    F::from_array([min[0], min[1], min[2], max[0]])
}

/// One unused number and the high sides.
#[inline(always)]
pub(crate) fn high_sides<F: F64x4>(Aabb { min, max }: &Aabb) -> F {
    F::from_array([min[2], max[0], max[1], max[2]])
}

#[cfg(test)]
mod tests {
    use xcollide_simd::{Simd, SimdKernel, SimdLevel, dispatch, dispatch_at};

    use super::*;

    /// The result of a kernel; checks that it is the same at every SIMD level.
    fn run<K: SimdKernel<Output: PartialEq + std::fmt::Debug> + Copy>(kernel: K) -> K::Output {
        let result = dispatch(kernel);
        for level in SimdLevel::ALL {
            if let Some(found) = dispatch_at(level, kernel) {
                assert_eq!(found, result, "{level:?}");
            }
        }
        result
    }

    /// Collects the masks of one box against all, from every start.
    #[derive(Clone, Copy)]
    struct Masks<'a>(&'a Packed, &'a BoxF32);

    impl SimdKernel for Masks<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn run<S: Simd>(self) -> Vec<u32> {
            let probe = Probe::<S::F32x8>::new(self.1);
            (0..self.0.len()).map(|at| probe.overlap(self.0, at)).collect()
        }
    }

    /// Compares one box with others, one at a time.
    #[derive(Clone, Copy)]
    struct Single<'a>(&'a [Sides], &'a Sides);

    impl SimdKernel for Single<'_> {
        type Output = Vec<bool>;

        #[inline(always)]
        fn run<S: Simd>(self) -> Vec<bool> {
            let probe = self.1.probe::<S::F32x8>();
            self.0.iter().map(|other| other.overlaps(probe)).collect()
        }
    }

    /// Compares two boxes in f64: whether they have a common point.
    #[derive(Clone, Copy)]
    struct Exact<'a>(&'a Aabb, &'a Aabb);

    impl SimdKernel for Exact<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<S: Simd>(self) -> bool {
            overlaps::<S::F64x4>(self.0, self.1)
        }
    }

    #[test]
    fn boxes_in_f64_meet_as_their_sides_say() {
        let ends = [f64::NEG_INFINITY, -1.0, -0.0, 0.0, 1e-300, 1.0, f64::INFINITY];
        let mut boxes = vec![Aabb::EMPTY];
        for axis in 0..3 {
            for low in ends {
                for high in ends {
                    // Includes empty boxes and points.
                    let mut aabb = Aabb::new([-1.0; 3], [1.0; 3]);
                    (aabb.min[axis], aabb.max[axis]) = (low, high);
                    boxes.push(aabb);
                }
            }
        }
        let mut meeting = 0;
        for a in &boxes {
            for b in &boxes {
                let expected = !a.is_empty() && !b.is_empty() && a.overlaps(b);
                assert_eq!(run(Exact(a, b)), expected, "{a:?} {b:?}");
                meeting += usize::from(expected);
            }
        }
        assert!(meeting > 1000, "{meeting}");
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
        packed.refill(boxes.len(), false, |at| boxes[at]);
        for probe in &boxes {
            let expected: Vec<u32> = (0..boxes.len())
                .map(|at| {
                    let hit = |lane: usize| {
                        boxes.get(at + lane).is_some_and(|other| overlap(other, probe))
                    };
                    (0..WIDTH).fold(0, |mask, lane| mask | u32::from(hit(lane)) << lane)
                })
                .collect();
            assert_eq!(run(Masks(&packed, probe)), expected);
        }
    }
}
