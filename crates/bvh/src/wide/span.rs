//! Lane by lane, the least and the greatest of some numbers.

use xcollide_simd::F32x8;

/// Numbers side by side.
pub(super) const LANES: usize = 8;

/// The least and the greatest number of each lane.
#[derive(Clone, Copy)]
pub(super) struct Span<F> {
    pub(super) low: F,
    pub(super) high: F,
}

impl<F: F32x8> Span<F> {
    #[inline(always)]
    pub(super) fn empty() -> Self {
        Self { low: F::splat(f32::MAX), high: F::splat(f32::MIN) }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, values: F) {
        self.low = values.min(self.low);
        self.high = values.max(self.high);
    }

    #[inline(always)]
    pub(super) fn length(&self) -> F {
        self.high.sub(self.low)
    }
}
