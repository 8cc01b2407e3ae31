//! The subtrees over few triangles: these are sorted along the axis of the most distant centers, and all splits
//! compared.

use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask};

use super::binary::BinaryNode;
use super::primitive::{Extent, Primitive};
use super::subtree::Draft;

/// Subtrees over up to this many triangles are built so.
pub(super) const FEW: usize = 8;

/// Builds a subtree over two to [`FEW`] triangles, which are sorted.
pub(super) struct Few<'f> {
    pub(super) triangles: &'f mut [Primitive],
    /// One less than triangles.
    pub(super) nodes: &'f mut [BinaryNode],
    pub(super) drafts: &'f mut [Draft],
    /// The place of the first triangle, and the area of the whole.
    pub(super) start: usize,
    pub(super) area: f32,
}

/// A range of the triangles, and its node.
#[derive(Clone, Copy, Default)]
struct Range {
    start: usize,
    end: usize,
    index: usize,
    area: f32,
}

impl SimdKernel for Few<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { triangles, nodes, drafts, start: place, area } = self;
        // With room for eight from each place on.
        let mut own = [Primitive { extent: Extent::EMPTY }; 2 * FEW];
        own[..triangles.len()].copy_from_slice(triangles);
        let mut waiting = [Range::default(); FEW];
        waiting[0] = Range { start: 0, end: triangles.len(), index: 0, area };
        let mut next = 1;
        while next > 0 {
            next -= 1;
            let Range { start, end, index, area } = waiting[next % FEW];
            let count = end - start;
            drafts[index] = Draft { start: (place + start) as u32, count: count as u32, area };
            if count == 2 {
                nodes[index].first = 1;
                continue;
            }
            let Some(range) = own[start..].first_chunk_mut() else { continue };
            let (first, [left, right]) = split::<S::F32x8>(range, count);
            nodes[index].first = first as u32;
            if count - first > 1 {
                let (start, index) = (start + first, index + first);
                waiting[next % FEW] = Range { start, end, index, area: right };
                next += 1;
            }
            if first > 1 {
                let (end, index) = (start + first, index + 1);
                waiting[next % FEW] = Range { start, end, index, area: left };
                next += 1;
            }
        }
        triangles.copy_from_slice(&own[..triangles.len()]);
    }
}

/// Sorts `count` triangles, at least three. Returns the length of the first part and the areas of both for the best of
/// all splits.
#[inline(always)]
fn split<F: F32x8>(triangles: &mut [Primitive; FEW], count: usize) -> (usize, [f32; 2]) {
    let [a, b, c, _, x, y, z, _] = F::transpose(triangles.each_ref().map(|one| &one.extent.0));
    let present = F::Mask::from_bits((1 << count) - 1);
    let (zero, one, far) = (F::splat(0.0), F::splat(1.0), F::splat(f32::MAX));
    let centers = [
        F::select(present, x.sub(a), far),
        F::select(present, y.sub(b), far),
        F::select(present, z.sub(c), far),
    ];
    let mut widths = [0.0; 3];
    for (width, of_axis) in widths.iter_mut().zip(centers) {
        let negated = F::select(present, zero.sub(of_axis), far);
        *width = zero.sub(negated.reduce_min()).sub(of_axis.reduce_min()).to_array()[0];
    }
    let [x, y, z] = widths;
    let axis = if x >= y && x >= z { 0 } else { 2 - usize::from(y >= z) };
    // Each triangle's place: how many are before it, those of equal centers in their order.
    let centers = centers[axis];
    let mut places = zero;
    for (other, center) in centers.to_array().into_iter().enumerate().take(count) {
        let (center, behind) = (F::splat(center), F::Mask::from_bits(0xFE << other & 0xFF));
        let is_before = center.lt(centers).or(center.eq(centers).and(behind));
        places = places.add(F::select(is_before, one, zero));
    }
    let unsorted = *triangles;
    for (primitive, place) in unsorted.iter().zip(places.to_u32()).take(count) {
        triangles[place as usize % FEW] = *primitive;
    }
    // The boxes before and behind each split.
    let (mut before, mut behind) = ([Extent::EMPTY; FEW], [Extent::EMPTY; FEW]);
    let empty = F::load(&Extent::EMPTY.0);
    let mut extent = empty;
    for (target, primitive) in before[1..count].iter_mut().zip(&*triangles) {
        extent = F::load(&primitive.extent.0).max(extent);
        extent.store(&mut target.0);
    }
    let mut extent = empty;
    for (target, primitive) in behind[1..count].iter_mut().zip(&triangles[1..count]).rev() {
        extent = F::load(&primitive.extent.0).max(extent);
        extent.store(&mut target.0);
    }
    let numbers = F::load(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let (before, behind) = (areas::<F>(&before), areas::<F>(&behind));
    let costs = before.mul(numbers).add(behind.mul(F::splat(count as f32).sub(numbers)));
    let splits = F::Mask::from_bits((1 << count) - 2).and(costs.lt(F::splat(f32::INFINITY)));
    let costs = F::select(splits, costs, F::splat(f32::INFINITY));
    // The first of equal ones; without any, the middle.
    let best = costs.eq(costs.reduce_min()).and(splits).to_bits();
    let best = if best == 0 { count / 2 } else { best.trailing_zeros() as usize };
    (best, [before.to_array()[best % FEW], behind.to_array()[best % FEW]])
}

/// Half the surface of each box.
#[inline(always)]
fn areas<F: F32x8>(extents: &[Extent; FEW]) -> F {
    let [a, b, c, _, x, y, z, _] = F::transpose(extents.each_ref().map(|extent| &extent.0));
    let [x, y, z] = [x.add(a), y.add(b), z.add(c)];
    x.mul(y).add(y.mul(z)).add(z.mul(x))
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;
    use xcollide_simd::dispatch;

    /// The cheapest of all splits of the triangles sorted along the axis of the most distant centers, one by one.
    fn expected(range: &mut [Primitive]) -> (usize, [f32; 2]) {
        let center = |one: &Primitive, axis: usize| one.extent.0[axis + 4] - one.extent.0[axis];
        let width = |axis: usize| {
            let centers = range.iter().map(|one| center(one, axis));
            let high = centers.clone().fold(f32::MIN, f32::max);
            high - centers.fold(f32::MAX, f32::min)
        };
        let axis = (1..3).fold(0, |best, axis| if width(axis) > width(best) { axis } else { best });
        range.sort_by(|a, b| center(a, axis).total_cmp(&center(b, axis)));
        let area = |part: &[Primitive]| {
            part.iter().map(|one| one.extent).reduce(Extent::merged).map_or(0.0, |all| all.area())
        };
        let mut least = (f32::INFINITY, 0, [0.0; 2]);
        for first in 1..range.len() {
            let (left, right) = range.split_at(first);
            let areas = [area(left), area(right)];
            let cost = areas[0] * left.len() as f32 + areas[1] * right.len() as f32;
            if cost < least.0 {
                least = (cost, first, areas);
            }
        }
        (least.1, least.2)
    }

    #[test]
    fn few_triangles_are_split_at_the_cheapest_of_all_places() {
        let mut random = Random::new(4);
        for round in 0..300 {
            let mut next = |size: f64| (size * random.signed()) as f32;
            let count = 2 + round % 7;
            let one = |_| {
                let [x, y, z] = [next(1.0), next(0.5), next(0.7)];
                let [a, b, c] = [0; 3].map(|_: i32| next(0.3).abs());
                Primitive { extent: Extent([a - x, b - y, c - z, 0.0, x + a, y + b, z + c, 0.0]) }
            };
            let mut triangles: Vec<Primitive> = (0..count).map(one).collect();
            let mut sorted = triangles.clone();
            let mut nodes = vec![BinaryNode::default(); count - 1];
            let mut drafts = vec![Draft::default(); count - 1];
            let few = Few {
                triangles: &mut triangles,
                nodes: &mut nodes,
                drafts: &mut drafts,
                start: 10,
                area: 5.0,
            };
            dispatch(few);
            let mut waiting = vec![(0, count, 0, 5.0)];
            while let Some((start, end, index, area)) = waiting.pop() {
                if end - start < 2 {
                    continue;
                }
                let (first, [left, right]) = if end - start == 2 {
                    (1, [0.0; 2])
                } else {
                    expected(&mut sorted[start..end])
                };
                assert_eq!(nodes[index].first as usize, first);
                let draft = &drafts[index];
                assert_eq!((draft.start as usize, draft.count as usize), (10 + start, end - start));
                assert_eq!(draft.area, area);
                waiting.push((start, start + first, index + 1, left));
                waiting.push((start + first, end, index + first, right));
            }
            assert!(triangles.iter().zip(&sorted).all(|(a, b)| a.extent.0 == b.extent.0));
        }
    }
}
