//! Splits triangles in two where the surface area heuristic is least (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007). Many triangles are sorted into bins on all axes in one
//! pass; few are sorted along one axis, and all splits compared. In f32, as it is only a heuristic.

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

/// A triangle so little before a bin, in bins, is in it: regular meshes have many at borders.
const TOLERANCE: f32 = 1e-5;

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
        split_many::<FEWER_BINS>(range, scratch)
    } else {
        split_many::<BINS>(range, scratch)
    };
    halves.unwrap_or_else(|| Halves::equal(range))
}

/// Splits a range by bins, if there are triangles in several.
#[inline(always)]
fn split_many<const B: usize>(
    range: &mut [Primitive],
    scratch: &mut [Primitive],
) -> Option<Halves> {
    let grid = Grid::<B>::new(&centers(range));
    if range.len() <= CHUNK {
        return dispatch(Binned { grid, range, scratch });
    }
    let bins = |part: &[Primitive]| dispatch(Fill { range: part, grid: &grid });
    let cut = fork_join::merged(range, CHUNK, &bins, &Bins::merged).best()?;
    Some(dispatch(Part { cut, grid, range, scratch }))
}

/// The box of the centers.
pub(super) fn centers(range: &[Primitive]) -> Extent {
    let part = |part: &[Primitive]| {
        let (mut low, mut high) = (F32x4::splat(f32::MAX), F32x4::splat(f32::MIN));
        for primitive in part {
            let center = center(primitive);
            low = center.min(low);
            high = center.max(high);
        }
        let [a, b, c, _] = low.to_array();
        let [x, y, z, _] = high.to_array();
        Extent([-a, -b, -c, 0.0, x, y, z, 0.0])
    };
    fork_join::merged(range, CHUNK, &part, &Extent::merged)
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
        let place = place.sub(F32x4::splat(0.5 - TOLERANCE)).max(F32x4::splat(0.0));
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
        let mut extents = [Extent::EMPTY; 2];
        for bin in 0..B {
            extents[usize::from(bin >= cut)].merge(&self.extents[axis][bin]);
        }
        Some(Cut { axis, cut, extents })
    }
}

/// A cut between two bins.
struct Cut {
    axis: usize,
    /// The first bin of the second part.
    cut: usize,
    /// The boxes on both sides.
    extents: [Extent; 2],
}

/// Sorts triangles into bins.
struct Fill<'r, const B: usize> {
    range: &'r [Primitive],
    grid: &'r Grid<B>,
}

impl<const B: usize> SimdKernel for Fill<'_, B> {
    type Output = Bins<B>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Bins<B> {
        Bins::of::<S>(self.range, self.grid)
    }
}

/// Splits a range by bins, in turn.
struct Binned<'r, const B: usize> {
    grid: Grid<B>,
    range: &'r mut [Primitive],
    scratch: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for Binned<'_, B> {
    type Output = Option<Halves>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Halves> {
        let Self { grid, range, scratch } = self;
        let cut = Bins::of::<S>(range, &grid).best()?;
        Some(Part { cut, grid, range, scratch }.run::<S>())
    }
}

/// Moves the triangles before a cut to the front; the order is kept in both parts.
struct Part<'r, const B: usize> {
    cut: Cut,
    grid: Grid<B>,
    range: &'r mut [Primitive],
    scratch: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for Part<'_, B> {
    type Output = Halves;

    #[inline(always)]
    fn run<S: Simd>(self) -> Halves {
        let Self { cut: Cut { axis, cut, extents }, grid, range, scratch } = self;
        // Where the bins part, with the tolerance of their numbers.
        let border = grid.low[axis] + (cut as f32 - TOLERANCE) / grid.factor[axis];
        let (mut first, mut second) = (0, 0);
        for place in 0..range.len() {
            // To both, without a branch that would often be mispredicted.
            let is_first = range[place].center(axis) < border;
            let primitive = S::F32x8::load(&range[place].extent.0);
            primitive.store(&mut range[first].extent.0);
            primitive.store(&mut scratch[second].extent.0);
            first += usize::from(is_first);
            second += usize::from(!is_first);
        }
        range[first..].copy_from_slice(&scratch[..second]);
        if first == 0 || second == 0 {
            return Halves::equal(range);
        }
        Halves { first, extents }
    }
}

/// Compares all cuts of the triangles sorted along the axis of the most distant centers.
#[inline(always)]
fn split_few(range: &mut [Primitive]) -> Option<Halves> {
    let count = range.len();
    let centers = centers(range);
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
