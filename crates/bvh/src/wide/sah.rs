//! Splits triangles in two where the surface area heuristic is least (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007). Many triangles are sorted into bins on all axes in one
//! pass; few are sorted, and all splits compared. In f32, as it is only a heuristic.

use super::binary::{Extent, Primitive};
use crate::fork_join;

/// Bins on each axis.
const BINS: usize = 16;

/// Up to this many triangles are sorted.
const FEW: usize = 8;

/// Triangles that one thread bins in turn.
const CHUNK: usize = 1 << 14;

/// Splits a range of at least two where area × count is smallest; returns the length of the first part.
/// Neither part is empty.
pub(super) fn split(range: &mut [Primitive], centers: &Extent) -> usize {
    let half = range.len() / 2;
    if range.len() == 2 {
        return half;
    }
    if range.len() <= FEW {
        return split_few(range);
    }
    let grid = Grid::new(centers);
    let bins =
        fork_join::merged(range, CHUNK, &|part: &[Primitive]| Bins::of(part, &grid), &Bins::merged);
    let Some((axis, cut)) = bins.best(&grid) else {
        return half;
    };
    // From both ends, so that triangles on the correct side stay in place.
    let (mut first, mut last) = (0, range.len());
    loop {
        while first < last && grid.bin(&range[first], axis) < cut {
            first += 1;
        }
        while first < last && grid.bin(&range[last - 1], axis) >= cut {
            last -= 1;
        }
        if first == last {
            break;
        }
        range.swap(first, last - 1);
    }
    if first == 0 || first == range.len() { half } else { first }
}

/// The bins: the box of the centers in equal parts.
struct Grid {
    low: [f32; 3],
    /// Bins per length; 0 on an axis along which all centers are equal.
    factor: [f32; 3],
}

impl Grid {
    fn new(centers: &Extent) -> Self {
        let factor = [0, 1, 2].map(|axis| {
            let width = centers.high[axis] - centers.low[axis];
            let factor = BINS as f32 / width;
            if width > 0.0 && factor.is_finite() { factor } else { 0.0 }
        });
        let [x, y, z, _] = centers.low;
        Self { low: [x, y, z], factor }
    }

    #[inline(always)]
    fn bin(&self, primitive: &Primitive, axis: usize) -> usize {
        let place = (primitive.center(axis) - self.low[axis]) * self.factor[axis];
        // NaN is in the first bin.
        (place as i32).clamp(0, BINS as i32 - 1) as usize
    }
}

/// Boxes and numbers of the triangles in each bin of each axis.
struct Bins {
    extents: [[Extent; BINS]; 3],
    counts: [[u32; BINS]; 3],
}

impl Bins {
    fn of(range: &[Primitive], grid: &Grid) -> Self {
        let mut bins = Self { extents: [[Extent::EMPTY; BINS]; 3], counts: [[0; BINS]; 3] };
        for primitive in range {
            for axis in 0..3 {
                let bin = grid.bin(primitive, axis);
                bins.extents[axis][bin].merge(&primitive.extent);
                bins.counts[axis][bin] += 1;
            }
        }
        bins
    }

    fn merged(mut self, other: Self) -> Self {
        for axis in 0..3 {
            for bin in 0..BINS {
                self.extents[axis][bin].merge(&other.extents[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
        self
    }

    /// The axis, and the first bin of the second part.
    fn best(&self, grid: &Grid) -> Option<(usize, usize)> {
        let mut best = None;
        let mut least = f32::INFINITY;
        for axis in 0..3 {
            if grid.factor[axis] == 0.0 {
                continue;
            }
            let (extents, counts) = (&self.extents[axis], &self.counts[axis]);
            // The cost behind each cut, then before it.
            let mut behind = [0.0; BINS];
            let (mut count, mut extent) = (0, Extent::EMPTY);
            for cut in (1..BINS).rev() {
                count += counts[cut];
                extent.merge(&extents[cut]);
                behind[cut] = if count > 0 { extent.area() * count as f32 } else { f32::INFINITY };
            }
            let (mut count, mut extent) = (0, Extent::EMPTY);
            for cut in 1..BINS {
                count += counts[cut - 1];
                extent.merge(&extents[cut - 1]);
                let cost = extent.area() * count as f32 + behind[cut];
                if count > 0 && cost < least {
                    least = cost;
                    best = Some((axis, cut));
                }
            }
        }
        best
    }
}

/// Compares all cuts of the triangles sorted along each axis.
fn split_few(range: &mut [Primitive]) -> usize {
    let count = range.len();
    let mut best = (f32::INFINITY, [0; FEW], count / 2);
    for axis in 0..3 {
        // A stable insertion sort.
        let mut order = [0_usize; FEW];
        for i in 0..count {
            let mut place = i;
            while place > 0 && range[order[place - 1]].center(axis) > range[i].center(axis) {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = i;
        }
        let mut behind = [0.0; FEW];
        let mut extent = Extent::EMPTY;
        for cut in (1..count).rev() {
            extent.merge(&range[order[cut]].extent);
            behind[cut] = extent.area() * (count - cut) as f32;
        }
        let mut extent = Extent::EMPTY;
        for cut in 1..count {
            extent.merge(&range[order[cut - 1]].extent);
            let cost = extent.area() * cut as f32 + behind[cut];
            if cost < best.0 {
                best = (cost, order, cut);
            }
        }
    }
    let (cost, order, cut) = best;
    if cost < f32::INFINITY {
        let mut sorted = [range[0]; FEW];
        for (place, &from) in sorted.iter_mut().zip(&order[..count]) {
            *place = range[from];
        }
        range.copy_from_slice(&sorted[..count]);
    }
    cut
}
