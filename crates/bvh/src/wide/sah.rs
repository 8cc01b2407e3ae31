//! Splits triangles in two where the surface area heuristic is least (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007): they are sorted into bins on all axes in one pass. In f32,
//! as it is only a heuristic.

use xcollide_simd::{F32x4, F32x8, Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::primitive::{Extent, Outline, Primitive};
use crate::fork_join;

/// Bins on each axis, of many triangles.
const BINS: usize = 16;

/// Bins on each axis, of up to [`MANY`] triangles.
const FEWER_BINS: usize = 8;

/// More triangles than this get more bins.
const MANY: usize = 32;

/// A triangle so little before a bin, in bins, is in it: regular meshes have many at borders.
const TOLERANCE: f32 = 1e-5;

/// Triangles that one thread bins in turn.
const CHUNK: usize = 1 << 14;

/// Where a range is split: the length of the first part, and the outlines of both.
pub(super) struct Halves {
    pub(super) first: usize,
    pub(super) outlines: [Outline; 2],
}

impl Halves {
    /// As many triangles in one part as in the other, in their order.
    pub(super) fn equal(range: &[Primitive]) -> Self {
        let (left, right) = range.split_at(range.len() / 2);
        Self { first: left.len(), outlines: [Outline::of(left), Outline::of(right)] }
    }
}

/// Splits a range of several triangles where area × count is smallest. Neither part is empty. The
/// triangles go to `to`, the first part to the front, and their order is kept in both parts.
pub(super) fn split(from: &[Primitive], to: &mut [Primitive], centers: &Extent) -> Halves {
    if from.len() <= MANY {
        dispatch(Split::<FEWER_BINS> { centers, from, to })
    } else {
        dispatch(Split::<BINS> { centers, from, to })
    }
}

/// The same by all threads.
pub(super) fn split_in_parallel(
    from: &[Primitive],
    to: &mut [Primitive],
    centers: &Extent,
) -> Halves {
    let grid = Grid::<BINS>::new(centers);
    let bins = |part: &[Primitive]| dispatch(Fill { range: part, grid: &grid });
    let bins = fork_join::merged(from, CHUNK, &bins, &Bins::merged);
    dispatch(SplitAtBest { bins: &bins, grid: &grid, from, to })
}

/// The bins: the box of the centers in equal parts.
struct Grid<const B: usize> {
    low: F32x4,
    /// Bins per length; 0 on an axis along which all centers are equal.
    factor: F32x4,
}

impl<const B: usize> Grid<B> {
    /// The middle of a bin, in bins; less the tolerance of their numbers.
    const MIDDLE: f32 = 0.5 - TOLERANCE;

    /// 2²³: its sum with a small number is rounded to an integer, which is then in its lowest bits.
    const INTEGERS: f32 = 8_388_608.0;

    /// 2¹⁷: its sum with a small integer has that integer in its bits from the sixth on, as an offset into [`Bins`].
    const SHIFTED: f32 = 131_072.0;
    const SHIFT: u32 = 6;

    #[inline(always)]
    fn new(centers: &Extent) -> Self {
        let zero = F32x4::splat(0.0);
        let [a, b, c, d, x, y, z, w] = centers.0;
        let low = zero.sub(F32x4::load(&[a, b, c, d]));
        let width = F32x4::load(&[x, y, z, w]).sub(low);
        let factor = F32x4::splat(B as f32).div(width);
        let valid = width.gt(zero).and(factor.le(F32x4::splat(f32::MAX)));
        Self { low, factor: F32x4::select(valid, factor, zero) }
    }

    /// The bins on all axes. NaN is in the first one.
    #[inline(always)]
    fn bins(&self, primitive: &Primitive) -> [usize; 4] {
        let place = primitive.center().sub(self.low).mul(self.factor);
        let place = place.sub(F32x4::splat(Self::MIDDLE)).max(F32x4::splat(0.0));
        let place = place.min(F32x4::splat((B - 1) as f32));
        let integers = F32x4::splat(Self::INTEGERS);
        let place = place.add(integers).sub(integers).add(F32x4::splat(Self::SHIFTED));
        place.to_array().map(|place| (place.to_bits() >> Self::SHIFT) as usize % B)
    }
}

/// The box and the number of the triangles in a bin.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Bin {
    extent: Extent,
    count: u32,
}

impl Bin {
    const EMPTY: Self = Self { extent: Extent::EMPTY, count: 0 };
}

/// The bins of each axis.
struct Bins<const B: usize>([[Bin; B]; 3]);

impl<const B: usize> Bins<B> {
    #[inline(always)]
    fn of<S: Simd>(range: &[Primitive], grid: &Grid<B>) -> Self {
        let mut bins = Self([[Bin::EMPTY; B]; 3]);
        // In turns from four quarters, as neighbours are often in the same bin, and would wait for each other.
        let (quarter, rest) = (range.len() / 4, range.len() % 4);
        let (quarters, rest) = range.split_at(range.len() - rest);
        let (ab, cd) = quarters.split_at(2 * quarter);
        let ((a, b), (c, d)) = (ab.split_at(quarter), cd.split_at(quarter));
        for (((a, b), c), d) in a.iter().zip(b).zip(c).zip(d) {
            bins.add::<S>(a, grid);
            bins.add::<S>(b, grid);
            bins.add::<S>(c, grid);
            bins.add::<S>(d, grid);
        }
        for last in rest {
            bins.add::<S>(last, grid);
        }
        bins
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, primitive: &Primitive, grid: &Grid<B>) {
        let extent = S::F32x8::load(&primitive.extent.0);
        let places = grid.bins(primitive);
        for axis in 0..3 {
            let bin = &mut self.0[axis][places[axis]];
            extent.max(S::F32x8::load(&bin.extent.0)).store(&mut bin.extent.0);
            bin.count += 1;
        }
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            own.extent.merge(&other.extent);
            own.count += other.count;
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.merge(&other);
        self
    }

    /// Splits a range at the best cut between bins, or in the middle.
    #[inline(always)]
    fn split<S: Simd>(&self, grid: &Grid<B>, from: &[Primitive], to: &mut [Primitive]) -> Halves {
        let Some(cut) = self.best::<S::F32x8>() else {
            to.copy_from_slice(from);
            return Halves::equal(from);
        };
        let [left, right] = partition::<S, B>(&cut, grid, from, to);
        let [a, b] = cut.extents;
        let outlines =
            [Outline { extent: a, centers: left }, Outline { extent: b, centers: right }];
        Halves { first: cut.first, outlines }
    }

    /// The best cut between bins, if triangles are in several.
    #[inline(always)]
    fn best<F: F32x8>(&self) -> Option<Cut> {
        const { assert!(B.is_multiple_of(8), "all bins are in eights") };
        let empty = F32x4::splat(f32::MIN);
        // Of eight cuts side by side, the least cost on any axis, and the number of that cut.
        let (mut least, mut numbers) = (F::splat(f32::INFINITY), F::splat(0.0));
        for axis in 0..3 {
            let bins = &self.0[axis];
            // The widths of the boxes before and behind each cut; nothing is before the first one.
            let (mut before, mut behind) = ([[f32::MIN; 4]; B], [[f32::MIN; 4]; B]);
            let mut counts_before = [0.0; B];
            let (mut low, mut high, mut count) = (empty, empty, 0);
            for cut in 1..B {
                let [a, b] = halves(&bins[cut - 1].extent);
                (low, high) = (a.max(low), b.max(high));
                low.add(high).store(&mut before[cut]);
                count += bins[cut - 1].count;
                counts_before[cut] = count as f32;
            }
            let all = F::splat((count + bins[B - 1].count) as f32);
            let (mut low, mut high) = (empty, empty);
            for cut in (1..B).rev() {
                let [a, b] = halves(&bins[cut].extent);
                (low, high) = (a.max(low), b.max(high));
                low.add(high).store(&mut behind[cut]);
            }
            let eights = before.as_chunks::<8>().0.iter().zip(behind.as_chunks::<8>().0);
            let eights = eights.zip(counts_before.as_chunks::<8>().0);
            for (eight, ((before, behind), count)) in eights.enumerate() {
                let count = F::load(count);
                let cost = areas::<F>(before).mul(count);
                let cost = cost.add(areas::<F>(behind).mul(all.sub(count)));
                let is_less = cost.lt(least);
                least = F::select(is_less, cost, least);
                numbers = F::select(is_less, F::splat((axis * B + 8 * eight) as f32), numbers);
            }
        }
        // The first of equal ones.
        let numbers = numbers.add(F::load(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]));
        let is_least = least.eq(least.reduce_min()).and(least.lt(F::splat(f32::INFINITY)));
        if !is_least.any() {
            return None;
        }
        let far = F::splat(f32::MAX);
        let number = F::select(is_least, numbers, far).reduce_min().to_array()[0] as usize;
        let (axis, cut) = (number / B % 3, number % B);
        let (before, behind) = self.0[axis].split_at(cut);
        let first = before.iter().map(|bin| bin.count).sum::<u32>() as usize;
        Some(Cut { axis, cut, first, extents: [merged::<F>(before), merged::<F>(behind)] })
    }
}

/// Both halves of a box.
#[inline(always)]
fn halves(extent: &Extent) -> [F32x4; 2] {
    let [a, b, c, d, x, y, z, w] = extent.0;
    [F32x4::load(&[a, b, c, d]), F32x4::load(&[x, y, z, w])]
}

/// The box around several.
#[inline(always)]
fn merged<F: F32x8>(bins: &[Bin]) -> Extent {
    let mut all = F::load(&Extent::EMPTY.0);
    for bin in bins {
        all = F::load(&bin.extent.0).max(all);
    }
    Extent(all.to_array())
}

/// Half the surfaces of boxes from their widths.
#[inline(always)]
fn areas<F: F32x8>(widths: &[[f32; 4]; 8]) -> F {
    let [x, y, z] = F::gather_points(widths, &[0, 1, 2, 3, 4, 5, 6, 7]);
    x.mul(y).add(y.mul(z)).add(z.mul(x))
}

/// A cut between two bins.
struct Cut {
    axis: usize,
    /// The first bin of the second part.
    cut: usize,
    /// Triangles before it.
    first: usize,
    /// The boxes on both sides.
    extents: [Extent; 2],
}

/// Moves the triangles before a cut to the front of `to`, the others behind them. Returns the boxes of their centers.
#[inline(always)]
fn partition<S: Simd, const B: usize>(
    cut: &Cut,
    grid: &Grid<B>,
    from: &[Primitive],
    to: &mut [Primitive],
) -> [Extent; 2] {
    let axis = cut.axis % 3;
    let low = S::F32x8::splat(grid.low.to_array()[axis]);
    let factor = S::F32x8::splat(grid.factor.to_array()[axis]);
    // The same arithmetic as for the bins, so that as many are on either side.
    let (middle, integers) = (S::F32x8::splat(Grid::<B>::MIDDLE), Grid::<B>::INTEGERS);
    let border = S::F32x8::splat(cut.cut as f32 + integers);
    let integers = S::F32x8::splat(integers);
    // Neither less nor greater than any number.
    let none = S::F32x8::splat(f32::from_bits(u32::MAX));
    let empty = S::F32x8::load(&Extent::EMPTY.0);
    let (mut left, mut right) = (empty, empty);
    let (mut first, mut second) = (0, cut.first);
    for primitive in from {
        let extent = &primitive.extent.0;
        let place = S::F32x8::splat(extent[axis + 4]).sub(S::F32x8::splat(extent[axis]));
        let place = place.sub(low).mul(factor).sub(middle).add(integers);
        let behind = place.ge(border);
        let is_second = (behind.to_bits() & 1) as usize;
        let target = &mut to[if is_second == 1 { second } else { first }];
        S::F32x8::load(extent).store(&mut target.extent.0);
        second += is_second;
        first += 1 - is_second;
        let center = primitive.center_box::<S::F32x8>();
        left = S::F32x8::select(behind, none, center).max(left);
        right = S::F32x8::select(behind, center, none).max(right);
    }
    [Extent(left.to_array()), Extent(right.to_array())]
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

/// Splits a range by its bins.
struct SplitAtBest<'r, const B: usize> {
    bins: &'r Bins<B>,
    grid: &'r Grid<B>,
    from: &'r [Primitive],
    to: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for SplitAtBest<'_, B> {
    type Output = Halves;

    #[inline(always)]
    fn run<S: Simd>(self) -> Halves {
        let Self { bins, grid, from, to } = self;
        bins.split::<S>(grid, from, to)
    }
}

/// Sorts triangles into bins and splits them.
struct Split<'r, const B: usize> {
    centers: &'r Extent,
    from: &'r [Primitive],
    to: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for Split<'_, B> {
    type Output = Halves;

    #[inline(always)]
    fn run<S: Simd>(self) -> Halves {
        let Self { centers, from, to } = self;
        let grid = Grid::<B>::new(centers);
        Bins::of::<S>(from, &grid).split::<S>(&grid, from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    fn primitives(count: usize) -> Vec<Primitive> {
        let mut random = Random::new(9);
        let mut next = |size: f64| (size * random.signed()) as f32;
        let mut primitive = || {
            let [x, y, z] = [next(1.0), next(0.5), next(0.1)];
            let [a, b, c] = [0; 3].map(|_: i32| next(0.1).abs());
            Primitive { extent: Extent([a - x, b - y, c - z, 0.0, x + a, y + b, z + c, 0.0]) }
        };
        (0..count).map(|_| primitive()).collect()
    }

    /// Bins, boxes and costs side by side find what comparing all cuts one by one finds.
    #[test]
    fn ranges_are_split_at_the_cheapest_of_all_cuts() {
        for count in [33, 100, 1000] {
            let range = primitives(count);
            let outline = Outline::of(&range);
            let grid = Grid::<BINS>::new(&outline.centers);
            let mut least = (f32::INFINITY, Vec::new());
            for (axis, cut) in (0..3).flat_map(|axis| (1..BINS).map(move |cut| (axis, cut))) {
                let (mut left, right): (Vec<_>, Vec<_>) =
                    range.iter().copied().partition(|one| grid.bins(one)[axis] < cut);
                let cost = |half: &[Primitive]| Outline::of(half).extent.area() * half.len() as f32;
                let both = cost(&left) + cost(&right);
                if both < least.0 {
                    left.extend(right);
                    least = (both, left);
                }
            }
            let mut parted = range.clone();
            let Halves { first, outlines } = split(&range, &mut parted, &outline.centers);
            let sides = [&parted[..first], &parted[first..]];
            for (outline, side) in outlines.iter().zip(sides) {
                let Outline { extent, centers } = Outline::of(side);
                assert_eq!(outline.extent.0, extent.0);
                assert_eq!(outline.centers.0[..3], centers.0[..3]);
                assert_eq!(outline.centers.0[4..7], centers.0[4..7]);
            }
            assert!(parted.iter().zip(&least.1).all(|(a, b)| a.extent.0 == b.extent.0));
        }
    }
}
