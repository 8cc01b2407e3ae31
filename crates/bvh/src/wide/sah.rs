//! Splits triangles in two where the surface area heuristic is least (Wald, *On fast construction of
//! SAH-based bounding volume hierarchies*, 2007). Many triangles are sorted into bins on all axes in one
//! pass; few are sorted along one axis, and all splits compared. In f32, as it is only a heuristic.

use xcollide_simd::{F32x4, F32x8, Simd, SimdFloat, SimdKernel, dispatch};

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
    let bins = |part: &[Primitive]| dispatch(Fill { range: part, grid: &grid });
    let bins = fork_join::merged(range, CHUNK, &bins, &Bins::merged);
    dispatch(Split { bins: &bins, grid: &grid, range, scratch })
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
    const EMPTY: Self = Self { extents: [[Extent::EMPTY; B]; 3], counts: [[0; B]; 3] };

    #[inline(always)]
    fn of<S: Simd>(range: &[Primitive], grid: &Grid<B>) -> Self {
        // Two triangles at once, as neighbours are often in the same bin, and would wait for each other.
        let (left, right) = range.split_at(range.len() / 2);
        let (mut bins, mut others) = (Self::EMPTY, Self::EMPTY);
        for (a, b) in left.iter().zip(right) {
            bins.add::<S>(a, grid);
            others.add::<S>(b, grid);
        }
        for last in &right[left.len()..] {
            bins.add::<S>(last, grid);
        }
        bins.merge(&others);
        bins
    }

    #[inline(always)]
    fn add<S: Simd>(&mut self, primitive: &Primitive, grid: &Grid<B>) {
        let extent = S::F32x8::load(&primitive.extent.0);
        let places = grid.bins(primitive);
        for axis in 0..3 {
            let bin = places[axis];
            let target = &mut self.extents[axis][bin].0;
            extent.max(S::F32x8::load(target)).store(target);
            self.counts[axis][bin] += 1;
        }
    }

    #[inline(always)]
    fn merge(&mut self, other: &Self) {
        for axis in 0..3 {
            for bin in 0..B {
                self.extents[axis][bin].merge(&other.extents[axis][bin]);
                self.counts[axis][bin] += other.counts[axis][bin];
            }
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.merge(&other);
        self
    }

    /// The best cut between bins, if triangles are in several.
    #[inline(always)]
    fn best<F: F32x8>(&self) -> Option<Cut> {
        // The boxes before and behind each cut.
        let mut sides = [[[Extent::EMPTY; B]; 2]; 3];
        let mut least = f32::INFINITY;
        let mut best = None;
        for axis in 0..3 {
            let [before, behind] = &mut sides[axis];
            let mut counts = [[0.0; B]; 2];
            let (mut count, mut extent) = (0, F::load(&Extent::EMPTY.0));
            for cut in 1..B {
                count += self.counts[axis][cut - 1];
                extent = F::load(&self.extents[axis][cut - 1].0).max(extent);
                extent.store(&mut before[cut].0);
                counts[0][cut] = count as f32;
            }
            let (mut count, mut extent) = (0, F::load(&Extent::EMPTY.0));
            for cut in (1..B).rev() {
                count += self.counts[axis][cut];
                extent = F::load(&self.extents[axis][cut].0).max(extent);
                extent.store(&mut behind[cut].0);
                counts[1][cut] = count as f32;
            }
            let costs = [costs::<F, B>(before, &counts[0]), costs::<F, B>(behind, &counts[1])];
            for cut in 1..B {
                let cost = costs[0][cut] + costs[1][cut];
                if cost < least {
                    least = cost;
                    best = Some((axis, cut));
                }
            }
        }
        let (axis, cut) = best?;
        let [before, behind] = &sides[axis];
        Some(Cut { axis, cut, extents: [before[cut], behind[cut]] })
    }
}

/// Area × count of each box; not a number or infinite if there is nothing in it.
#[inline(always)]
fn costs<F: F32x8, const B: usize>(extents: &[Extent; B], counts: &[f32; B]) -> [f32; B] {
    const { assert!(B.is_multiple_of(8), "all bins are in eights") };
    let mut costs = [0.0; B];
    let eights = extents.as_chunks::<8>().0.iter().zip(counts.as_chunks::<8>().0);
    for (costs, (extents, counts)) in costs.as_chunks_mut::<8>().0.iter_mut().zip(eights) {
        let [a, b, c, _, x, y, z, _] = F::transpose(extents.each_ref().map(|extent| &extent.0));
        let [x, y, z] = [x.add(a), y.add(b), z.add(c)];
        let area = x.mul(y).add(y.mul(z)).add(z.mul(x));
        area.mul(F::load(counts)).store(costs);
    }
    costs
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

/// Splits a range at the best cut between bins: the triangles before it move to the front, and the order is
/// kept in both parts.
struct Split<'r, const B: usize> {
    bins: &'r Bins<B>,
    grid: &'r Grid<B>,
    range: &'r mut [Primitive],
    scratch: &'r mut [Primitive],
}

impl<const B: usize> SimdKernel for Split<'_, B> {
    type Output = Option<Halves>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Halves> {
        let Self { bins, grid, range, scratch } = self;
        let Cut { axis, cut, extents } = bins.best::<S::F32x8>()?;
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
            return None;
        }
        Some(Halves { first, extents })
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
            let mut range = primitives(count);
            let grid = Grid::<BINS>::new(&centers(&range));
            let mut least = (f32::INFINITY, Vec::new());
            for (axis, cut) in (0..3).flat_map(|axis| (1..BINS).map(move |cut| (axis, cut))) {
                let (mut left, right): (Vec<_>, Vec<_>) =
                    range.iter().copied().partition(|one| grid.bins(one)[axis] < cut);
                let cost = |half: &[Primitive]| box_of(half).area() * half.len() as f32;
                let both = cost(&left) + cost(&right);
                if both < least.0 {
                    left.extend(right);
                    least = (both, left);
                }
            }
            let mut scratch = range.clone();
            let Halves { first, extents } = split(&mut range, &mut scratch);
            let sides = [&range[..first], &range[first..]];
            for (extent, side) in extents.iter().zip(sides) {
                assert_eq!(extent.0, box_of(side).0);
            }
            assert!(range.iter().zip(&least.1).all(|(a, b)| a.extent.0 == b.extent.0));
        }
    }
}
