//! What the stack of a descent has: an opened node and its children that are still to be visited.
//!
//! A step of a descent is a chain of dependent instructions, as the next one needs the child that it found. So the order of
//! the children is computed before the test of their boxes, which takes longest, and a branch assumes that the nearest child
//! overlaps: the processor goes on with it while the test is still under way.

use xcollide_simd::{F32x8, SimdMask};

use super::descent::{Branch, Pair, Side, with_children};
use super::kernel::{nearness, separate_faces};
use super::node::{ChildRef, Node, WIDTH};

/// An opened node, the box of the other tree that it was opened for, and those of its children that overlap this and are
/// still to be visited.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Opened {
    /// The smaller, the sooner a child is visited; of equal ones the last comes first. Infinite for all that are not `left`.
    near: [f32; WIDTH],
    other: Branch,
    node: u32,
    /// Bit i is set if child i is to be visited.
    left: u32,
    /// The nearest child that is left, if there is one: found when its predecessor was taken, as then nothing waits for it.
    next: u32,
    /// Whether the node is one of the second tree.
    of_b: bool,
}

const _: () = assert!(size_of::<Opened>() == 64);

impl Opened {
    /// Fills unused places of a stack. Zeros are the fastest to write.
    pub(super) const NOTHING: Self = Self {
        near: [0.0; WIDTH],
        other: Branch { child: ChildRef::FIRST, place: 0, size: 0.0 },
        node: 0,
        left: 0,
        next: 0,
        of_b: false,
    };

    /// A node of the second tree of which these children are left, the last ones first.
    #[inline(always)]
    pub(super) fn of(other: Branch, node: usize, left: u32) -> Self {
        let mut near = [f32::INFINITY; WIDTH];
        for (lane, near) in near.iter_mut().enumerate() {
            if left >> lane & 1 == 1 {
                *near = 0.0;
            }
        }
        let next = left.checked_ilog2().unwrap_or(0);
        Self { near, other, node: node as u32, left, next, of_b: true }
    }

    /// Only this pair.
    #[inline(always)]
    pub(super) fn only(pair: Pair) -> Self {
        let place = pair.b.place as usize;
        Self::of(pair.a, place / WIDTH, 1 << (place % WIDTH))
    }

    /// The pairs that are left of some opened nodes.
    #[cold]
    pub(super) fn pairs_left(stack: &[Self]) -> usize {
        stack.iter().map(|opened| opened.left.count_ones() as usize).sum()
    }

    /// Whether no child is left.
    #[inline(always)]
    pub(super) fn is_done(&self) -> bool {
        self.left == 0
    }

    /// Starts loading the node of the child that is taken next.
    #[inline(always)]
    pub(super) fn prefetch<N: Node>(&self, [a, b]: [&Side<'_, N>; 2]) {
        let side = if self.of_b { b } else { a };
        let lane = self.next as usize % WIDTH;
        side.prefetch(side.nodes[self.node as usize].children()[lane]);
    }

    /// Takes the pair that is visited next.
    #[inline(always)]
    pub(super) fn take_pair<F: F32x8, N: Node>(&mut self, sides: [&Side<'_, N>; 2]) -> Pair {
        let near = F::load(&self.near);
        self.take(near, self.next as usize % WIDTH, sides)
    }

    /// Takes the pair of a child.
    #[inline(always)]
    fn take<F: F32x8, N: Node>(&mut self, near: F, lane: usize, [a, b]: [&Side<'_, N>; 2]) -> Pair {
        /// Row i makes lane i infinite, and keeps the others.
        const TAKEN: [[f32; WIDTH]; WIDTH] = {
            let mut rows = [[f32::MIN; WIDTH]; WIDTH];
            let mut lane = 0;
            while lane < WIDTH {
                rows[lane][lane] = f32::INFINITY;
                lane += 1;
            }
            rows
        };
        let near = near.max(F::load(&TAKEN[lane]));
        near.store(&mut self.near);
        self.left &= !(1 << lane);
        if self.left != 0 {
            self.next = nearest(near, self.left) as u32;
        }
        let (node, other) = (self.node as usize, self.other);
        if self.of_b {
            Pair { a: other, b: b.branch(node, lane) }
        } else {
            Pair { a: a.branch(node, lane), b: other }
        }
    }

    /// The children of the larger box of a pair that overlap the other one, and the pair of the nearest of them, which is
    /// taken. `None` if none overlaps.
    #[inline(always)]
    pub(super) fn new<F: F32x8, N: Node>(
        sides: [&Side<'_, N>; 2],
        pair: Pair,
    ) -> Option<(Self, Pair)> {
        let of_b = pair.opens_b();
        let [opened, other] = if of_b { [pair.b, pair.a] } else { [pair.a, pair.b] };
        let [side, other_side] = if of_b { [sides[1], sides[0]] } else { sides };
        let index = opened.child.index();
        let node = &side.nodes[index];
        let place = other.place as usize;
        let bounds = other_side.nodes[place / WIDTH].get(place % WIDTH);
        let boxes = node.boxes::<F>();
        let (center, normal) = side.here.center_and_normal::<F>(&bounds);
        // NaN becomes the nearest.
        let near = nearness(&boxes, center, normal).max(F::splat(f32::MIN));
        let first = nearest(near, ALL);
        let probe = side.here.probe_lanes(&bounds, center, normal);
        let faces = separate_faces(&boxes, &probe);
        if faces.largest.gt(F::splat(0.0)).to_bits() == ALL {
            return None;
        }
        let apart = faces.with_edges().gt(F::splat(0.0));
        let overlapping = !apart.to_bits() & ALL;
        let left = with_children(node, overlapping);
        let mut near = F::select(apart, F::splat(f32::INFINITY), near);
        if left != overlapping {
            let mut numbers = near.to_array();
            keep_only(left, &mut numbers);
            near = F::load(&numbers);
        }
        let mut found = Self { near: [0.0; WIDTH], other, node: index as u32, left, next: 0, of_b };
        // A branch of its own, so that the processor can assume it.
        if left >> first & 1 == 1 {
            let pair = found.take(near, first, sides);
            return Some((found, pair));
        }
        if left == 0 {
            return None;
        }
        let pair = found.take(near, nearest(near, left), sides);
        Some((found, pair))
    }
}

/// All lanes.
const ALL: u32 = (1 << WIDTH) - 1;

/// The last of the lanes with the least number, which must be among those of a mask.
#[inline(always)]
fn nearest<F: F32x8>(near: F, among: u32) -> usize {
    let nearest = near.eq(near.reduce_min()).to_bits() & among;
    nearest.checked_ilog2().unwrap_or(0) as usize % WIDTH
}

/// Makes all but these lanes infinite.
#[cold]
#[inline(never)]
fn keep_only(lanes: u32, near: &mut [f32; WIDTH]) {
    for (lane, near) in near.iter_mut().enumerate() {
        if lanes >> lane & 1 == 0 {
            *near = f32::INFINITY;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::relative_transform::{PlacedTrees, ProbeLanes};
    use super::super::{WideNode, WideOptions, WideTree};
    use super::*;
    use crate::NodePair;
    use xcollide_fixtures::Random;
    use xcollide_math::Pose;
    use xcollide_simd::vec3::splat;
    use xcollide_simd::{Portable, Simd, SimdFloat, SimdKernel, SimdLevel, dispatch_at};

    /// Where the children of an opened pair are, in their order.
    #[derive(Clone, Copy)]
    struct Order<'s, 'a>([&'s Side<'a, WideNode>; 2], Pair);

    impl SimdKernel for Order<'_, '_> {
        type Output = Vec<NodePair>;

        #[inline(always)]
        fn run<S: Simd>(self) -> Vec<NodePair> {
            let Self(sides, pair) = self;
            let found = Opened::new::<S::F32x8, _>(sides, pair);
            let mut all = Vec::new();
            if let Some((mut opened, first)) = found {
                all.push(first.part());
                while !opened.is_done() {
                    all.push(opened.take_pair::<S::F32x8, _>(sides).part());
                }
            }
            all
        }
    }

    /// The same from the gaps of all boxes, sorted.
    fn sorted(sides: [&Side<'_, WideNode>; 2], pair: Pair) -> Vec<NodePair> {
        type F = <Portable as Simd>::F32x8;
        let [side, other_side] = if pair.opens_b() { [sides[1], sides[0]] } else { sides };
        let node = &side.nodes[pair.opened()];
        let probe = other_side.probe(if pair.opens_b() { pair.a } else { pair.b }, side.here);
        let near =
            nearness(&node.boxes::<F>(), splat(probe.center), splat(probe.axes[2])).to_array();
        let faces = separate_faces(&node.boxes::<F>(), &ProbeLanes::new(&probe));
        let apart = faces.with_edges().gt(F::splat(0.0)).to_bits();
        let overlapping = with_children(node, !apart & ALL);
        let mut lanes: Vec<usize> =
            (0..WIDTH).filter(|lane| overlapping >> lane & 1 == 1).collect();
        lanes.sort_by(|&i, &j| near[i].total_cmp(&near[j]).then(j.cmp(&i)));
        let part = |lane: usize| {
            let place = (pair.opened() * WIDTH + lane) as u32;
            let NodePair { a, b, turn } = pair.part();
            if pair.opens_b() {
                NodePair { a, b: place, turn }
            } else {
                NodePair { a: place, b, turn }
            }
        };
        lanes.into_iter().map(part).collect()
    }

    /// Each child whose box overlaps comes once, the nearest first, at every level.
    #[test]
    fn children_that_overlap_come_once_and_in_order() {
        let mut random = Random::new(8);
        let mut tree = || {
            let soup: Vec<[f64; 3]> = (0..400)
                .flat_map(|_| {
                    let at = [0, 1, 2].map(|_| random.signed());
                    [
                        at,
                        at.map(|x| x + 0.1 * random.signed()),
                        at.map(|x| x + 0.1 * random.signed()),
                    ]
                })
                .collect();
            let triangles: Vec<[u32; 3]> =
                (0..400).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            WideTree::build(&soup, &triangles, WideOptions::default())
        };
        let (a, b) = (tree(), tree());
        let pose = Pose::from_quaternion([0.6, 0.0, 0.0, 0.8], [0.3, 0.2, 0.1]).unwrap();
        let trees = PlacedTrees::new((&a, &Pose::IDENTITY), (&b, &pose)).unwrap();
        let [a, b] = Side::both(&trees);
        let mut open = vec![Pair { a: a.branch(0, 0), b: b.branch(0, 0) }];
        let (mut several, mut none) = (0, 0);
        while let Some(pair) = open.pop() {
            if pair.is_of_leaves() {
                continue;
            }
            let expected = sorted([&a, &b], pair);
            for level in SimdLevel::ALL {
                if let Some(found) = dispatch_at(level, Order([&a, &b], pair)) {
                    assert_eq!(found, expected, "{level:?}");
                }
            }
            several += usize::from(expected.len() > 2);
            none += usize::from(expected.is_empty());
            open.extend(expected.into_iter().map(|part| Side::at([&a, &b], part)));
        }
        assert!(several > 50 && none > 100, "{several} {none}");
    }
}
