//! A box in one SIMD register.

use xcollide_bounds::Aabb;
use xcollide_simd::{F32x8, SimdMask};

use super::BoxF32;

/// The six sides of a box in f32, rounded outward, for comparison in one step: the low sides and the
/// negated high sides. Two of the eight numbers are not used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Sides([f32; 8]);

impl Sides {
    /// A box around `aabb`, which is not empty and has finite sides, relative to `origin`.
    #[inline(always)]
    pub(crate) fn around_finite(aabb: &Aabb, origin: &[f64; 3]) -> Self {
        let mut sides = [0.0; 8];
        for axis in 0..3 {
            sides[axis] = low_of(aabb.min[axis] - origin[axis]);
            sides[axis + 4] = low_of(origin[axis] - aabb.max[axis]);
        }
        Self(sides)
    }

    /// As [`around_finite`](Self::around_finite), for sides that may be infinite.
    #[inline(always)]
    pub(crate) fn around(aabb: &Aabb, origin: &[f64; 3]) -> Self {
        let mut sides = Self::around_finite(aabb, origin);
        for axis in 0..3 {
            // Infinity minus a share of itself would be NaN.
            if aabb.min[axis].is_infinite() {
                sides.0[axis] = aabb.min[axis] as f32;
            }
            if aabb.max[axis].is_infinite() {
                sides.0[axis + 4] = -aabb.max[axis] as f32;
            }
        }
        sides
    }

    /// The same box.
    #[inline(always)]
    pub(crate) fn to_box(self) -> BoxF32 {
        let [x, y, z, _, fx, fy, fz, _] = self.0;
        BoxF32 { min: [x, y, z], max: [-fx, -fy, -fz] }
    }

    /// The other operand of a comparison: the high sides and the negated low sides.
    #[inline(always)]
    pub(crate) fn probe<F: F32x8>(&self) -> F {
        let [x, y, z, _, fx, fy, fz, _] = self.0;
        F::from_array([-fx, -fy, -fz, 0.0, -x, -y, -z, 0.0])
    }

    /// Whether the box overlaps a [probe](Self::probe).
    #[inline(always)]
    pub(crate) fn overlaps<F: F32x8>(&self, probe: F) -> bool {
        F::load(&self.0).le(probe).all()
    }
}

/// An f32 number not above `value`; slightly below the nearest one, which is cheaper than rounding to the next
/// number.
#[inline(always)]
pub(super) fn low_of(value: f64) -> f32 {
    // More than half of the distance between neighbours in f32, which bounds the rounding error: the first for
    // normal numbers, the second for the others.
    const RELATIVE: f64 = 1.0 / (1 << 23) as f64;
    const ABSOLUTE: f64 = 1e-44;
    (value - (value.abs() * RELATIVE + ABSOLUTE)) as f32
}
