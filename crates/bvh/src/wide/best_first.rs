//! The nearest parts of two trees: pairs of boxes in the order of their distance (Johnson and Cohen 1998), eight lower bounds
//! at once.
//!
//! The [lower bounds](super::least_distance) have margins for all rounding, and are in the unit of the first tree. Of the way to a distance in the world they are off by the part by which the poses are no rotations: a ten-thousandth
//! is added to the bound for that, and for the rounding to f32.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_math::{Pose, f32_above};
use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::NodeKind;
use super::descent::{Pair, Side, with_children};
use super::least_distance::least_distances;
use super::node::{Node, WIDTH};
use super::relative_transform::{PlacedTrees, Probe};
use super::tree::WideBvh;
use crate::{Counter, NodePair};

/// Pairs that wait in the order of their distance, at most. Beyond, which only surfaces reach that run close together
/// everywhere, pairs are finished depth first.
const MOST: usize = 1 << 16;

/// Most searches need no more.
const FEW: usize = 1 << 10;

/// Twice the error of a measured distance as a share of the magnitudes of both models: once for the least distance found,
/// once for a pruned one.
const NOISE: f64 = 1.0 / (1_u64 << 36) as f64;

/// Passes `leaves` the triangles (numbers in the first and in the second mesh) of pairs of leaves, near ones first, with the
/// bound of the moment: as long as boxes may be within it. What `leaves` returns, if it is lower, is the new bound; below 0
/// ends the search.
///
/// The bound is a distance in the world, at first `limit`, which may be infinite. With the least measured distance as the
/// bound no nearer pair is missed, if distances are measured from world coordinates by [`Pose::apply`] with an error below
/// 1e-5 of them plus 2⁻³⁷ of the largest coordinate of both models. The pairs and their order are the same on every machine.
///
/// ```
/// use xcollide_bvh::wide::{WideOptions, WideTree, best_first};
/// use xcollide_math::Pose;
///
/// let strip = |x: f64| [[x, 0.0, 0.0], [x + 1.0, 0.0, 0.0], [x, 1.0, 0.0]];
/// let positions: Vec<[f64; 3]> = (0..100).flat_map(|i| strip(f64::from(2 * i))).collect();
/// let triangles: Vec<[u32; 3]> = (0..100).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// let behind = Pose::from_translation([250.0, 0.0, 0.0]);
/// let (mut least, mut looks) = (f64::INFINITY, 0);
/// best_first((&tree, &Pose::IDENTITY), (&tree, &behind), f64::INFINITY, |of_a, of_b, bound| {
///     looks += 1;
///     let first = |triangles: &[u32]| triangles.iter().min().map_or(0.0, |&t| f64::from(2 * t));
///     let last = |triangles: &[u32]| triangles.iter().max().map_or(0.0, |&t| f64::from(2 * t + 1));
///     let distance = 250.0 + first(of_b) - last(of_a);
///     (distance < bound).then(|| {
///         least = distance;
///         distance
///     })
/// });
/// assert_eq!(least, 51.0);
/// assert!(looks < 10, "of 10,000 pairs");
/// ```
pub fn best_first<N: NodeKind>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    limit: f64,
    leaves: impl FnMut(&[u32], &[u32], f64) -> Option<f64>,
) {
    let _ = best_first_in_time(a, b, limit, &mut (), leaves);
}

/// [`best_first`], which ends early when `counter` breaks. The counter is asked before each pair of boxes is opened, but not on the
/// way down to the first pair of leaves: so one pair is always visited, if the limit is infinite.
///
/// `None` if the search was complete; else a lower bound of the distance, in the world, of all pairs that are left: measured
/// distances are, within the error that [`best_first`] permits, at least this or the bound of the moment. The counter is told
/// how many pairs are [left](Counter::left).
///
/// It is the least bound of the pairs that wait, so it grows as the search goes on.
#[must_use]
pub fn best_first_in_time<N: NodeKind>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    limit: f64,
    counter: &mut impl Counter,
    leaves: impl FnMut(&[u32], &[u32], f64) -> Option<f64>,
) -> Option<f64> {
    let trees = PlacedTrees::within(a, b, f64::INFINITY)?;
    let mut search = Search {
        sides: Side::both(&trees),
        trees: &trees,
        unit: trees.a.frame.unit.reciprocal(),
        noise: NOISE * (trees.a.frame.magnitude + trees.b.frame.magnitude),
        bound: limit,
        farthest: 0.0,
        heap: BinaryHeap::with_capacity(FEW),
        serial: 0,
        counter,
        leaves,
    };
    search.set_bound(limit);
    search.run()
}

/// A pair of boxes, not farther apart than any other that waits when its turn comes.
#[derive(Clone, Copy)]
struct Waiting {
    /// The nearest pair has the greatest rank, of those equally near the newest one: the bits of the gap inverted, then a serial
    /// number.
    rank: u64,
    /// Where the boxes are stored: node × 8 + lane.
    places: [u32; 2],
}

impl Waiting {
    /// The gap is in the unit of the first tree and at least 0.
    #[inline(always)]
    fn new(gap: f32, serial: u32, places: [u32; 2]) -> Self {
        Self { rank: u64::from(!gap.to_bits()) << 32 | u64::from(serial), places }
    }

    #[inline(always)]
    fn gap(self) -> f32 {
        f32::from_bits(!((self.rank >> 32) as u32))
    }

    #[inline(always)]
    fn nodes(self) -> NodePair {
        let [a, b] = self.places;
        NodePair { a, b, turn: false }
    }
}

impl Ord for Waiting {
    /// The nearest is the greatest.
    #[inline(always)]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank.cmp(&other.rank)
    }
}

impl PartialOrd for Waiting {
    #[inline(always)]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Waiting {}

struct Search<'s, N, C, F> {
    trees: &'s PlacedTrees<'s, N>,
    sides: [Side<'s, N>; 2],
    /// From the world into the unit of the first tree.
    unit: f64,
    noise: f64,
    /// In the world.
    bound: f64,
    /// Boxes farther apart, in the unit of the first tree, have nothing within the bound.
    farthest: f32,
    heap: BinaryHeap<Waiting>,
    serial: u32,
    counter: &'s mut C,
    leaves: F,
}

impl<N: NodeKind, C: Counter, F: FnMut(&[u32], &[u32], f64) -> Option<f64>> Search<'_, N, C, F> {
    /// The bound of what is left, if the counter ends the search.
    fn run(&mut self) -> Option<f64> {
        // First straight down, for a bound that spares the queue most pairs.
        let mut next = Some(Waiting::new(0.0, 0, [0, 0]));
        while let Some(waiting) = next {
            next = self.look(waiting);
        }
        while let Some(waiting) = self.heap.pop() {
            if self.is_beyond(waiting.gap()) {
                break;
            }
            if self.heap.len() >= MOST {
                if let Err(left) = self.finish(waiting) {
                    return Some(self.bound_of_left(&left));
                }
                continue;
            }
            if self.counter.go_on().is_break() {
                return Some(self.bound_of_left(&[waiting]));
            }
            next = self.look(waiting);
            while let Some(nearest) = next {
                if self.heap.peek().is_some_and(|first| *first > nearest) {
                    self.heap.push(nearest);
                    break;
                }
                if self.counter.go_on().is_break() {
                    return Some(self.bound_of_left(&[nearest]));
                }
                next = self.look(nearest);
            }
        }
        None
    }

    /// The bound of these pairs and of those that wait, in the world, at least 0. Tells the counter of them.
    #[cold]
    fn bound_of_left(&mut self, others: &[Waiting]) -> f64 {
        let [a, b] = &self.sides;
        let farthest = self.farthest;
        // Those beyond it are not nearer than the bound of the moment.
        let left = || others.iter().chain(&self.heap).filter(|one| one.gap() <= farthest);
        let nearest = left().max();
        let first =
            |nearest: &Waiting| Side::first_below([a, b], Side::at([a, b], nearest.nodes()));
        self.counter.left(left().count(), || nearest.map(first));
        // As in `set_bound`, with more for the rounding to f32.
        let gap = nearest.map_or(farthest, |nearest| nearest.gap());
        let gap = f64::from(gap) * (1.0 - 1e-6) / self.unit;
        ((gap - self.noise) / (1.0 + 1e-4) * (1.0 - 1e-12)).max(0.0)
    }

    fn set_bound(&mut self, bound: f64) {
        self.bound = bound;
        let farthest = f32_above((bound * (1.0 + 1e-4) + self.noise) * self.unit);
        self.farthest = if bound < 0.0 { -1.0 } else { farthest };
    }

    #[inline(always)]
    fn is_beyond(&self, gap: f32) -> bool {
        gap > self.farthest
    }

    /// Looks at a pair: at the triangles of leaves, else at the pairs below, of which the nearest is returned and the others
    /// wait.
    #[inline(always)]
    fn look(&mut self, waiting: Waiting) -> Option<Waiting> {
        if self.is_beyond(waiting.gap()) {
            return None;
        }
        let pair = self.pair(waiting);
        if self.measured(pair) {
            return None;
        }
        let mut below = [waiting; WIDTH];
        let count = self.open(waiting, pair, &mut below);
        let (first, others) = below[..count].split_first()?;
        let mut nearest = *first;
        for &other in others {
            self.heap.push(nearest.min(other));
            nearest = nearest.max(other);
        }
        Some(nearest)
    }

    #[inline(always)]
    fn pair(&self, waiting: Waiting) -> Pair {
        let [a, b] = &self.sides;
        Side::at([a, b], waiting.nodes())
    }

    /// Looks at all that is below a pair, depth first; the pairs that are left if the counter ends that.
    fn finish(&mut self, waiting: Waiting) -> Result<(), Vec<Waiting>> {
        let mut stack = vec![waiting];
        while let Some(waiting) = stack.pop() {
            if self.counter.go_on().is_break() {
                stack.push(waiting);
                return Err(stack);
            }
            let pair = self.pair(waiting);
            if self.is_beyond(waiting.gap()) || self.measured(pair) {
                continue;
            }
            let mut below = [waiting; WIDTH];
            let count = self.open(waiting, pair, &mut below);
            below[..count].sort_unstable();
            stack.extend_from_slice(&below[..count]);
        }
        Ok(())
    }

    /// Passes the triangles of two leaves on; `false` if the pair is not one of leaves.
    #[inline]
    fn measured(&mut self, pair: Pair) -> bool {
        let Some([of_a, of_b]) = pair.leaves() else { return false };
        let PlacedTrees { a, b, .. } = self.trees;
        self.counter.primitives((of_a.len() * of_b.len()) as u64);
        let found = (self.leaves)(&a.order[of_a], &b.order[of_b], self.bound);
        if let Some(bound) = found.filter(|bound| *bound < self.bound) {
            self.set_bound(bound);
        }
        true
    }

    /// The pairs below one, the children of the larger box with the other one, that may be near enough, and their number.
    #[inline(always)]
    fn open(&mut self, waiting: Waiting, pair: Pair, below: &mut [Waiting; WIDTH]) -> usize {
        self.counter.volumes(WIDTH as u64);
        let [a, b] = &self.sides;
        let (opens_b, index) = (pair.opens_b(), pair.opened());
        let (node, probe, scale) = if opens_b {
            let scale = self.trees.b_to_a.scaled(1.0);
            (&self.trees.b.nodes[index], a.probe(pair.a, b.here), scale)
        } else {
            (&self.trees.a.nodes[index], b.probe(pair.b, a.here), 1.0)
        };
        // What is around the children is not nearer than they are, but for rounding.
        let least = waiting.gap();
        let (gaps, near) =
            dispatch(LeastDistances { node, probe, scale, least, farthest: self.farthest });
        let mut near = with_children(node, near);
        let mut count = 0;
        while near != 0 {
            let lane = near.trailing_zeros();
            near &= near - 1;
            let place = (index * WIDTH) as u32 + lane;
            let [in_a, in_b] = waiting.places;
            let places = if opens_b { [in_a, place] } else { [place, in_b] };
            self.serial = self.serial.wrapping_add(1);
            below[count] = Waiting::new(gaps[lane as usize], self.serial, places);
            count += 1;
        }
        count
    }
}

/// The kernel that bounds the distances of the boxes of a node from a probe, in the unit of the first tree and by at least
/// `least`, and tells which may be within `farthest`: NaN as of an overflow is.
struct LeastDistances<'n, N> {
    node: &'n N,
    probe: Probe,
    /// The unit of the node's tree.
    scale: f32,
    least: f32,
    farthest: f32,
}

impl<N: Node> SimdKernel for LeastDistances<'_, N> {
    type Output = ([f32; WIDTH], u32);

    #[inline(always)]
    fn run<S: Simd>(self) -> ([f32; WIDTH], u32) {
        let gaps = least_distances(&self.node.boxes::<S::F32x8>(), &self.probe);
        let gaps = gaps.mul(S::F32x8::splat(self.scale)).max(S::F32x8::splat(self.least));
        let beyond = gaps.gt(S::F32x8::splat(self.farthest)).to_bits();
        (gaps.to_array(), !beyond & ((1 << WIDTH) - 1))
    }
}
