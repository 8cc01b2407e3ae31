//! Morton codes: the order of boxes along a space-filling curve.

use xcollide_bounds::Aabb;

use crate::sample::Sample;

/// Cells along an axis.
const CELLS: f64 = 1024.0;

/// Divides the part of space that contains most boxes into 2³⁰ cells, numbered along a Morton curve. Boxes
/// outside are assigned to border cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Morton {
    low: [f64; 3],
    /// Cells per unit of length.
    density: f64,
}

impl Morton {
    /// A curve for the boxes with these indices, at least one.
    pub(super) fn new(sample: &mut Sample, indices: &[u32], all: &[Aabb]) -> Self {
        let mut low = [0.0; 3];
        let mut longest = 0.0_f64;
        for axis in 0..3 {
            let range = [0.03, 0.97];
            let [from, to] = sample.quantiles(indices, all, |aabb| middle(aabb, axis), range);
            // Leaves room on both sides for boxes outside the sample.
            let reserve = 0.25 * (to - from);
            low[axis] = from - reserve;
            longest = longest.max(to - from + 2.0 * reserve);
        }
        let density = if longest > 0.0 { CELLS / longest } else { 0.0 };
        Self { low, density: if density.is_finite() { density } else { 0.0 } }
    }

    /// The number of the cell that contains the middle of a box.
    #[inline(always)]
    pub(super) fn key(&self, aabb: &Aabb) -> u32 {
        let cell = |axis: usize| {
            let at = (middle(aabb, axis) - self.low[axis]) * self.density;
            spread(at.clamp(0.0, CELLS - 1.0) as u32)
        };
        cell(0) | cell(1) << 1 | cell(2) << 2
    }
}

/// The middle of a box on an axis. The sides are halved first, so that the sum does not overflow.
#[inline(always)]
fn middle(aabb: &Aabb, axis: usize) -> f64 {
    0.5 * aabb.min[axis] + 0.5 * aabb.max[axis]
}

/// Inserts two zero bits after each of the lowest ten bits.
#[inline(always)]
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00FF;
    let bits = (bits | bits << 8) & 0x0300_F00F;
    let bits = (bits | bits << 4) & 0x030C_30C3;
    (bits | bits << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn every_bit_goes_to_three_times_its_place() {
        for bit in 0..10 {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread(0x3FF), 0x0924_9249);
    }
}
