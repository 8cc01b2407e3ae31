//! Splits triangles in two where the surface area heuristic is least (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007). Many triangles are sorted into bins on all axes in one
//! pass; few are sorted, and all splits compared. In f32, as it is only a heuristic.

use xcollide_simd::{F32x4, Simd, SimdFloat, SimdKernel, dispatch};

use super::binary::{Extent, Halves, Primitive, extent as box_of};
use crate::fork_join;

/// Bins on each axis, of many triangles.
const BINS: usize = 16;

/// Bins on each axis, of up to [`MANY`] triangles.
const FEWER_BINS: usize = 8;

/// More triangles than this get more bins.
const MANY: usize = 32;

/// Up to this many triangles are sorted.
const FEW: usize = 8;

/// Triangles that one thread bins in turn.
const CHUNK: usize = 1 << 14;

/// Splits a range of at least two where area × count is smallest. Neither part is empty. `scratch` is as long
/// as the range.
pub(super) fn split(range: &mut [Primitive], scratch: &mut [Primitive]) -> Halves {
    if let [first, second] = range {
        return Halves { first: 1, extents: [first.extent, second.extent] };
    }
    let halves = if range.len() <= FEW {
        split_few(range)
    } else if range.len() <= MANY {
        dispatch(Binned::<FEWER_BINS> { range, scratch })
    } else if range.len() <= CHUNK {
        dispatch(Binned::<BINS> { range, scratch })
    } else {
        let grid = Grid::<BINS>::new(&centers(range));
        let bins = |part: &[Primitive]| dispatch(Fill { range: part, grid: &grid });
        let bins = fork_join::merged(range, CHUNK, &bins, &Bins::merged);
        bins.best().map(|cut| cut.part(&grid, range, scratch))
    };
    halves.unwrap_or_else(|| Halves::equal(range))
}

/// The box of the centers.
pub(super) fn centers(range: &[Primitive]) -> Extent {
    let part = |part: &[Primitive]| {
        let mut centers = Extent::EMPTY;
        for primitive in part {
            let [a, b, c, _, x, y, z, _] = primitive.extent.0;
            let [x, y, z] = [x - a, y - b, z - c];
            centers.merge(&Extent([-x, -y, -z, 0.0, x, y, z, 0.0]));
        }
        centers
    };
    fork_join::merged(range, CHUNK, &part, &Extent::merged)
}

/// Splits a range by bins.
struct Binned<'r, const B: usize> {
    range: &'r mut [Primitive],
    scratch: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for Binned<'_, B> {
    type Output = Option<Halves>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Halves> {
        let grid = Grid::<B>::new(&centers_here(self.range));
        let bins = Bins::of::<S>(self.range, &grid);
        Some(bins.best()?.part(&grid, self.range, self.scratch))
    }
}

/// Sorts triangles into bins.
struct Fill<'r> {
    range: &'r [Primitive],
    grid: &'r Grid<BINS>,
}

impl SimdKernel for Fill<'_> {
    type Output = Bins<BINS>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Bins<BINS> {
        Bins::of::<S>(self.range, self.grid)
    }
}

#[inline(always)]
fn centers_here(range: &[Primitive]) -> Extent {
    let (mut low, mut high) = (F32x4::splat(f32::MAX), F32x4::splat(f32::MIN));
    for primitive in range {
        let center = center(primitive);
        low = center.min(low);
        high = center.max(high);
    }
    let [a, b, c, _] = low.to_array();
    let [x, y, z, _] = high.to_array();
    Extent([-a, -b, -c, 0.0, x, y, z, 0.0])
}

/// Twice the middle of the box. The fourth lane is of no use.
#[inline(always)]
fn center(primitive: &Primitive) -> F32x4 {
    let [a, b, c, d, x, y, z, w] = primitive.extent.0;
    F32x4::load(&[x, y, z, w]).sub(F32x4::load(&[a, b, c, d]))
}

/// The bins: the box of the centers in equal parts.
struct Grid<const B: usize> {
    low: [f32; 4],
    /// Bins per length; 0 on an axis along which all centers are equal.
    factor: [f32; 4],
}

impl<const B: usize> Grid<B> {
    fn new(centers: &Extent) -> Self {
        let (mut low, mut factors) = ([0.0; 4], [0.0; 4]);
        for axis in 0..3 {
            let width = centers.width(axis);
            let factor = B as f32 / width;
            low[axis] = centers.low(axis);
            factors[axis] = if width > 0.0 && factor.is_finite() { factor } else { 0.0 };
        }
        Self { low, factor: factors }
    }

    /// The bins on all axes. NaN is in the first one.
    #[inline(always)]
    fn bins(&self, primitive: &Primitive) -> [usize; 4] {
        // 2²³ and a small number are rounded to an integer, which is then in the lowest bits of the sum.
        let integers = F32x4::splat(8_388_608.0);
        let place = center(primitive).sub(F32x4::load(&self.low)).mul(F32x4::load(&self.factor));
        let place = place.sub(F32x4::splat(0.499_99)).max(F32x4::splat(0.0));
        let place = place.min(F32x4::splat((B - 1) as f32));
        place.add(integers).to_array().map(|place| place.to_bits() as usize % B)
    }
}

/// Boxes and numbers of the triangles in each bin of each axis.
struct Bins<const B: usize> {
    extents: [[Extent; B]; 3],
    counts: [[u32; B]; 3],
}

impl<const B: usize> Bins<B> {
    #[inline(always)]
    fn of<S: Simd>(range: &[Primitive], grid: &Grid<B>) -> Self {
        let mut bins = Self { extents: [[Extent::EMPTY; B]; 3], counts: [[0; B]; 3] };
        for primitive in range {
            let extent = S::F32x8::load(&primitive.extent.0);
            let places = grid.bins(primitive);
            for axis in 0..3 {
                let bin = places[axis];
                let target = &mut bins.extents[axis][bin].0;
                extent.max(S::F32x8::load(target)).store(target);
                bins.counts[axis][bin] += 1;
            }
        }
        bins
    }

    fn merged(mut self, other: Self) -> Self {
        for axis in 0..3 {
            for bin in 0..B {
                self.extents[axis][bin].merge(&other.extents[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
        self
    }

    /// The best cut between bins, if triangles are in several.
    #[inline(always)]
    fn best(&self) -> Option<Cut> {
        let mut best = None;
        let mut least = f32::INFINITY;
        for axis in 0..3 {
            let (extents, counts) = (&self.extents[axis], &self.counts[axis]);
            // The cost behind each cut, then before it.
            let mut behind = [f32::INFINITY; B];
            let (mut count, mut extent) = (0, Extent::EMPTY);
            for cut in (1..B).rev() {
                count += counts[cut];
                extent.merge(&extents[cut]);
                behind[cut] = extent.area() * count as f32;
            }
            let (mut count, mut extent) = (0, Extent::EMPTY);
            for cut in 1..B {
                count += counts[cut - 1];
                extent.merge(&extents[cut - 1]);
                let cost = extent.area() * count as f32 + behind[cut];
                if cost < least {
                    least = cost;
                    best = Some((axis, cut));
                }
            }
        }
        let (axis, cut) = best?;
        let (mut extents, mut first) = ([Extent::EMPTY; 2], 0);
        for bin in 0..B {
            extents[usize::from(bin >= cut)].merge(&self.extents[axis][bin]);
            first += if bin < cut { self.counts[axis][bin] as usize } else { 0 };
        }
        Some(Cut { axis, cut, first, extents })
    }
}

/// A cut between two bins.
struct Cut {
    axis: usize,
    /// The first bin of the second part.
    cut: usize,
    /// Triangles before it.
    first: usize,
    extents: [Extent; 2],
}

impl Cut {
    /// Moves the triangles before the cut to the front; the order is kept in both parts.
    #[inline(always)]
    fn part<const B: usize>(
        self,
        grid: &Grid<B>,
        range: &mut [Primitive],
        scratch: &mut [Primitive],
    ) -> Halves {
        if self.first == 0 || self.first == range.len() {
            return Halves::equal(range);
        }
        let (mut first, mut second) = (0, 0);
        for place in 0..range.len() {
            let primitive = range[place];
            // To both, without a branch that would often be mispredicted.
            range[first] = primitive;
            scratch[second] = primitive;
            let is_first = grid.bins(&primitive)[self.axis] < self.cut;
            first += usize::from(is_first);
            second += usize::from(!is_first);
        }
        range[first..].copy_from_slice(&scratch[..second]);
        debug_assert_eq!(first, self.first);
        Halves { first, extents: self.extents }
    }
}

/// Compares all cuts of the triangles sorted along the axis of the most distant centers.
#[inline(always)]
fn split_few(range: &mut [Primitive]) -> Option<Halves> {
    let count = range.len();
    let centers = centers_here(range);
    let [x, y, z] = [centers.width(0), centers.width(1), centers.width(2)];
    let axis = if x >= y && x >= z { 0 } else { 2 - usize::from(y >= z) };
    // Each triangle's place: how many are before it, those of equal centers in their order.
    let mut places = [0_u8; FEW];
    for i in 1..count {
        let center = range[i].center(axis);
        for j in 0..i {
            let is_before = range[j].center(axis) > center;
            places[j] += u8::from(is_before);
            places[i] += u8::from(!is_before);
        }
    }
    let mut sorted = [range[0]; FEW];
    for (primitive, place) in range.iter().zip(places) {
        sorted[place as usize % FEW] = *primitive;
    }
    range.copy_from_slice(&sorted[..count]);
    let mut costs = [0.0; FEW];
    let mut extent = Extent::EMPTY;
    for cut in (1..count).rev() {
        extent.merge(&range[cut].extent);
        costs[cut % FEW] = extent.area() * (count - cut) as f32;
    }
    let mut extent = Extent::EMPTY;
    let mut least = f32::INFINITY;
    let mut best = None;
    for cut in 1..count {
        extent.merge(&range[cut - 1].extent);
        let cost = extent.area() * cut as f32 + costs[cut % FEW];
        if cost < least {
            least = cost;
            best = Some(cut);
        }
    }
    let (left, right) = range.split_at(best?);
    Some(Halves { first: left.len(), extents: [box_of(left), box_of(right)] })
}
