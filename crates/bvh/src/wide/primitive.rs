//! Triangles as the input of the heuristics that build hierarchies: axis-aligned boxes, and the middles of these.

use xcollide_simd::{F32x4, F32x8, Simd, SimdFloat, SimdKernel, dispatch};

/// An axis-aligned box: the least coordinates, negated, and the greatest ones; so boxes are merged by one
/// maximum. The fourth lane of each half is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent(pub(super) [f32; 8]);

impl Extent {
    pub(super) const EMPTY: Self = Self([f32::MIN; 8]);

    #[inline(always)]
    pub(super) fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = if other > *own { other } else { *own };
        }
    }

    #[inline(always)]
    pub(super) fn merged(mut self, other: Self) -> Self {
        self.merge(&other);
        self
    }

    /// Half the surface; of no points 0, or more.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let width = |axis: usize| self.0[axis] + self.0[axis + 4];
        let [x, y, z] = [width(0), width(1), width(2)];
        x * y + y * z + z * x
    }
}

/// A triangle: its box, whose free lanes hold the triangle's number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primitive {
    pub(super) extent: Extent,
}

impl Primitive {
    /// Low bits of a triangle's number in the first of the free lanes.
    const BITS: u32 = 15;

    #[inline(always)]
    pub(super) fn new(index: usize, corners: [[f32; 4]; 3]) -> Self {
        let mut extent = Extent::EMPTY;
        for [x, y, z, _] in corners {
            extent.merge(&Extent([-x, -y, -z, 0.0, x, y, z, 0.0]));
        }
        // Both halves of the number are exact in f32.
        extent.0[3] = (index & ((1 << Self::BITS) - 1)) as f32;
        extent.0[7] = (index >> Self::BITS) as f32;
        Self { extent }
    }

    #[inline(always)]
    pub(super) fn triangle(&self) -> u32 {
        (self.extent.0[7] as u32) << Self::BITS | self.extent.0[3] as u32
    }

    /// Twice the middle of the box. The fourth lane is of no use.
    #[inline(always)]
    pub(super) fn center(&self) -> F32x4 {
        let [a, b, c, d, x, y, z, w] = self.extent.0;
        F32x4::load(&[x, y, z, w]).sub(F32x4::load(&[a, b, c, d]))
    }

    /// The box around its [center](Self::center), as an [`Extent`].
    #[inline(always)]
    pub(super) fn center_box<F: F32x8>(&self) -> F {
        let [a, b, c, d, x, y, z, w] = self.extent.0;
        F::load(&self.extent.0).sub(F::load(&[x, y, z, w, a, b, c, d]))
    }
}

/// What is known of some triangles before they are split.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outline {
    pub(super) extent: Extent,
    /// The box of the [centers](Primitive::center).
    pub(super) centers: Extent,
}

impl Outline {
    pub(super) fn of(range: &[Primitive]) -> Self {
        dispatch(Outlined { range })
    }

    pub(super) fn merged(self, other: Self) -> Self {
        Self {
            extent: self.extent.merged(other.extent),
            centers: self.centers.merged(other.centers),
        }
    }
}

struct Outlined<'r> {
    range: &'r [Primitive],
}

impl SimdKernel for Outlined<'_> {
    type Output = Outline;

    #[inline(always)]
    fn run<S: Simd>(self) -> Outline {
        let empty = S::F32x8::load(&Extent::EMPTY.0);
        let (mut extent, mut centers) = (empty, empty);
        for primitive in self.range {
            extent = S::F32x8::load(&primitive.extent.0).max(extent);
            centers = primitive.center_box::<S::F32x8>().max(centers);
        }
        Outline { extent: Extent(extent.to_array()), centers: Extent(centers.to_array()) }
    }
}
