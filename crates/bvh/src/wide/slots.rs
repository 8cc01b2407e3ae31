//! The cheapest ways to represent a binary hierarchy by the children of wide nodes, by dynamic programming.
//!
//! Ylitie, Karras and Laine, *Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs*, 2017, section 3.1: for each binary node the cheapest way to represent it by at most
//! 1, 2, …, 8 children of a wide node.

use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask};

use super::node::WIDTH;

/// Cost of testing a node, per unit of its area.
const NODE_COST: f32 = 1.0;
/// Cost of a triangle in a leaf, per unit of the leaf's area.
const TRIANGLE_COST: f32 = 0.35;

/// The least costs of representing a binary node by at most 1, 2, …, 8 children; by one, as a leaf or as a
/// wide node. Eight infinite numbers are before them, so that they can be loaded with a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Costs([f32; 2 * WIDTH]);

impl Costs {
    pub(super) const NONE: Self = Self([f32::INFINITY; 2 * WIDTH]);

    /// Of a leaf of one triangle.
    #[inline(always)]
    pub(super) fn of_triangle(area: f32) -> Self {
        let mut costs = Self::NONE;
        costs.own_mut().fill(area * TRIANGLE_COST);
        costs
    }

    #[inline(always)]
    fn own(&self) -> &[f32; WIDTH] {
        let [_, own] = self.0.as_chunks().0 else { return &[f32::INFINITY; WIDTH] };
        own
    }

    #[inline(always)]
    fn own_mut(&mut self) -> &mut [f32] {
        &mut self.0[WIDTH..]
    }

    /// Those for more children than `share`, with the rest of them.
    #[inline(always)]
    fn rest<F: F32x8>(&self, share: usize) -> F {
        let mut of_rest = [0.0; WIDTH];
        of_rest.copy_from_slice(&self.0[WIDTH - share..2 * WIDTH - share]);
        F::load(&of_rest)
    }
}

/// How a binary node is represented by at most 2, 3, …, 8 children: three bits each for the share of its first
/// half. Then a bit for each number of children whether one child less costs no more, and whether the node is
/// a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Choice(u32);

impl Choice {
    /// The first of the bits whether one child less costs no more.
    const FEWER: u32 = 24;
    const LEAF: u32 = 1 << 23;

    /// Of at least two children of a wide node, those that represent the first half.
    pub(super) fn share(self, slots: usize) -> usize {
        (self.0 >> (3 * (slots - 2)) & 7) as usize
    }

    /// The least number of children that cost no more than `slots` children.
    pub(super) fn fewest(self, mut slots: usize) -> usize {
        while slots > 1 && self.0 >> (Self::FEWER as usize + slots - 1) & 1 == 1 {
            slots -= 1;
        }
        slots
    }

    /// Whether the node is a leaf where it is one child.
    pub(super) fn is_leaf(self) -> bool {
        self.0 & Self::LEAF != 0
    }
}

/// The costs and the choices of a binary node from the costs of its halves. `count` is the number of its
/// triangles; leaves have up to `most`.
#[inline(always)]
pub(super) fn choose<F: F32x8>(
    area: f32,
    count: usize,
    most: usize,
    [first, second]: [&Costs; 2],
) -> (Costs, Choice) {
    // The least costs of the halves together, for each number of children; infinite for one.
    let mut least = F::splat(f32::INFINITY);
    let mut shares = F::splat(0.0);
    for share in 1..WIDTH {
        let costs = F::splat(first.own()[share - 1]).add(second.rest(share));
        shares = F::select(costs.lt(least), F::splat(share as f32), shares);
        least = costs.min(least);
    }
    let spread = least.to_array()[WIDTH - 1];
    let leaf = if count <= most { area * count as f32 * TRIANGLE_COST } else { f32::INFINITY };
    let node = spread + area * NODE_COST;
    let whole = if leaf < node { leaf } else { node };
    // More children never cost more.
    let own = F::splat(whole).min(least);
    let previous = F::permute_two::<0>(own, own, &[0, 0, 1, 2, 3, 4, 5, 6]);
    let fewer = own.eq(previous).to_bits() & 0xFE;
    // Exact: less than 2²¹.
    let places = [0.0, 1.0, 8.0, 64.0, 512.0, 4096.0, 32_768.0, 262_144.0];
    let shares = shares.mul(F::load(&places)).sum() as u32;
    let is_leaf = if leaf <= node && count <= most { Choice::LEAF } else { 0 };
    let mut costs = Costs::NONE;
    let mut numbers = [0.0; WIDTH];
    own.store(&mut numbers);
    costs.own_mut().copy_from_slice(&numbers);
    (costs, Choice(shares | is_leaf | fewer << Choice::FEWER))
}

/// The same for two triangles of given areas, which are one child each however many there may be.
#[inline(always)]
pub(super) fn choose_of_pair(area: f32, triangles: [f32; 2], most: usize) -> (Costs, Choice) {
    let spread = triangles[0] * TRIANGLE_COST + triangles[1] * TRIANGLE_COST;
    let leaf = if most > 1 { area * 2.0 * TRIANGLE_COST } else { f32::INFINITY };
    let node = spread + area * NODE_COST;
    let whole = if leaf < node { leaf } else { node };
    let mut costs = Costs::NONE;
    costs.own_mut().fill(if whole < spread { whole } else { spread });
    costs.own_mut()[0] = whole;
    let fewer = if whole <= spread { 0xFE } else { 0xFC };
    let is_leaf = if leaf <= node && most > 1 { Choice::LEAF } else { 0 };
    (costs, Choice(0o111_1111 | is_leaf | fewer << Choice::FEWER))
}

/// [`choose`] for a node by itself.
pub(super) struct Choose<'c> {
    pub(super) area: f32,
    pub(super) count: usize,
    pub(super) most: usize,
    pub(super) halves: [&'c Costs; 2],
}

impl SimdKernel for Choose<'_> {
    type Output = (Costs, Choice);

    #[inline(always)]
    fn run<S: Simd>(self) -> (Costs, Choice) {
        choose::<S::F32x8>(self.area, self.count, self.most, self.halves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;
    use xcollide_simd::dispatch;

    /// All numbers of children at once cost what the best of all distributions costs for each.
    #[test]
    fn costs_of_halves_together_are_those_of_the_best_distribution() {
        let mut random = Random::new(7);
        for round in 0..400 {
            let halves = [(); 2].map(|()| {
                let mut left = 9.0_f32;
                let mut costs = Costs::NONE;
                for cost in costs.own_mut() {
                    *cost = left;
                    left -= if round % 3 == 0 { random.signed().abs() as f32 } else { 0.5 };
                }
                costs
            });
            let [first, second] = halves.each_ref().map(Costs::own);
            let best = |slots: usize| {
                let cost = |share: usize| (first[share - 1] + second[slots - share - 1], share);
                (1..slots).map(cost).min_by(|a, b| a.0.total_cmp(&b.0)).expect("some share")
            };
            let area = 3.0 * random.signed().abs() as f32;
            let count = 1 + round % 4 * 2;
            let kernel = Choose { area, count, most: 4, halves: halves.each_ref() };
            let (costs, choice) = dispatch(kernel);
            let node = best(WIDTH).0 + area;
            let leaf = if count <= 4 { area * count as f32 * TRIANGLE_COST } else { f32::INFINITY };
            let mut least = node.min(leaf);
            assert_eq!(costs.own()[0], least);
            assert_eq!(choice.is_leaf(), leaf <= node);
            for slots in 2..=WIDTH {
                let (cost, share) = best(slots);
                assert_eq!(choice.share(slots), share);
                let is_less = cost < least;
                assert_eq!(choice.fewest(slots) < slots, !is_less);
                least = least.min(cost);
                assert_eq!(costs.own()[slots - 1], least);
            }
        }
    }
}
