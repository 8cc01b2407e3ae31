//! The nearest parts of two trees: pairs of boxes in the order of their distance (Johnson and Cohen 1998), eight lower bounds
//! at once.
//!
//! The lower bounds are the gaps of the [kernel](super::kernel), which have margins for all rounding, in the unit of the first
//! tree. Of the way to a distance in the world they are off by the part by which the poses are no rotations: a ten-thousandth
//! is added to the bound for that, and for the rounding to f32.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_math::{Pose, f32_above};
use xcollide_simd::{Simd, SimdFloat, SimdKernel, dispatch};

use super::NodeKind;
use super::descent::{Pair, Side, with_children};
use super::kernel::least_distances;
use super::node::{Node, WIDTH};
use super::relative_transform::{PlacedTrees, Probe};
use super::tree::WideBvh;

/// Pairs that wait in the order of their distance, at most. Beyond, which only surfaces reach that run close together
/// everywhere, pairs are finished depth first.
const MOST: usize = 1 << 16;

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
    let Some(trees) = PlacedTrees::within(a, b, f64::INFINITY) else { return };
    let mut search = Search {
        sides: Side::both(&trees),
        trees: &trees,
        unit: trees.a.frame.unit.reciprocal(),
        noise: NOISE * (trees.a.frame.magnitude + trees.b.frame.magnitude),
        bound: limit,
        farthest: 0.0,
        heap: BinaryHeap::new(),
        serial: 0,
        leaves,
    };
    search.set_bound(limit);
    search.run();
}

/// A pair of boxes, not farther apart than any other that waits when its turn comes.
#[derive(Clone, Copy)]
struct Waiting {
    /// In the unit of the first tree.
    gap: f32,
    /// Of equal gaps the newest comes first.
    serial: u32,
    pair: Pair,
}

impl Ord for Waiting {
    /// The nearest is the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.gap.total_cmp(&self.gap).then(self.serial.cmp(&other.serial))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Waiting {}

struct Search<'s, N, F> {
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
    leaves: F,
}

impl<N: NodeKind, F: FnMut(&[u32], &[u32], f64) -> Option<f64>> Search<'_, N, F> {
    fn run(&mut self) {
        let [a, b] = &self.sides;
        let whole = Pair { a: a.branch(0, 0), b: b.branch(0, 0) };
        let probe = a.probe(whole.a, b.here);
        let gap = dispatch(LeastDistances { node: &self.trees.b.nodes[0], probe })[0];
        let scale = self.trees.b_to_a.scaled(1.0);
        let root = Waiting { gap: above_zero(gap * scale), serial: 0, pair: whole };
        // First straight down, for a bound that spares the queue most pairs.
        let mut next = Some(root);
        while let Some(waiting) = next {
            next = self.look(waiting);
        }
        while let Some(waiting) = self.heap.pop() {
            if self.is_beyond(waiting.gap) {
                break;
            }
            if self.heap.len() >= MOST {
                self.finish(waiting);
                continue;
            }
            next = self.look(waiting);
            while let Some(nearest) = next {
                if self.heap.peek().is_some_and(|first| *first > nearest) {
                    self.heap.push(nearest);
                    break;
                }
                next = self.look(nearest);
            }
        }
    }

    fn set_bound(&mut self, bound: f64) {
        self.bound = bound;
        self.farthest = f32_above((bound * (1.0 + 1e-4) + self.noise) * self.unit);
    }

    /// `false` for NaN, as of an overflow.
    #[inline]
    fn is_beyond(&self, gap: f32) -> bool {
        self.bound < 0.0 || gap > self.farthest
    }

    /// Looks at a pair: at the triangles of leaves, else at the pairs below, of which the nearest is returned and the others
    /// wait.
    fn look(&mut self, waiting: Waiting) -> Option<Waiting> {
        if self.is_beyond(waiting.gap) {
            return None;
        }
        if self.measured(waiting.pair) {
            return None;
        }
        let mut nearest: Option<Waiting> = None;
        self.open(waiting, |search, below| match &mut nearest {
            Some(nearest) if *nearest > below => search.heap.push(below),
            Some(nearest) => search.heap.push(std::mem::replace(nearest, below)),
            None => nearest = Some(below),
        });
        nearest
    }

    /// Looks at all that is below a pair, depth first.
    fn finish(&mut self, waiting: Waiting) {
        let mut stack = vec![waiting];
        while let Some(waiting) = stack.pop() {
            if self.is_beyond(waiting.gap) || self.measured(waiting.pair) {
                continue;
            }
            let height = stack.len();
            self.open(waiting, |_, below| stack.push(below));
            stack[height..].sort_unstable();
        }
    }

    /// Passes the triangles of two leaves on; `false` if the pair is not one of leaves.
    #[inline]
    fn measured(&mut self, pair: Pair) -> bool {
        let Some([of_a, of_b]) = pair.leaves() else { return false };
        let PlacedTrees { a, b, .. } = self.trees;
        let found = (self.leaves)(&a.order[of_a], &b.order[of_b], self.bound);
        if let Some(bound) = found.filter(|bound| *bound < self.bound) {
            self.set_bound(bound);
        }
        true
    }

    /// Calls `wait` with the pairs below one, the children of the larger box with the other one, that may be near enough.
    #[inline]
    fn open(&mut self, waiting: Waiting, mut wait: impl FnMut(&mut Self, Waiting)) {
        let pair = waiting.pair;
        let [a, b] = &self.sides;
        let (opens_b, index) = (pair.opens_b(), pair.opened());
        let (node, probe, scale) = if opens_b {
            let scale = self.trees.b_to_a.scaled(1.0);
            (&self.trees.b.nodes[index], a.probe(pair.a, b.here), scale)
        } else {
            (&self.trees.a.nodes[index], b.probe(pair.b, a.here), 1.0)
        };
        let gaps = dispatch(LeastDistances { node, probe });
        let lanes = with_children(node, (1 << WIDTH) - 1);
        for (lane, gap) in gaps.into_iter().enumerate() {
            // What is around the children is not nearer than they are, but for rounding.
            let gap = above_zero(gap * scale).max(waiting.gap);
            if lanes >> lane & 1 == 0 || self.is_beyond(gap) {
                continue;
            }
            let [a, b] = &self.sides;
            let below = if opens_b {
                Pair { a: pair.a, b: b.branch(index, lane) }
            } else {
                Pair { a: a.branch(index, lane), b: pair.b }
            };
            self.serial = self.serial.wrapping_add(1);
            let below = Waiting { gap, serial: self.serial, pair: below };
            wait(self, below);
        }
    }
}

/// 0 for NaN.
#[inline]
fn above_zero(gap: f32) -> f32 {
    if gap > 0.0 { gap } else { 0.0 }
}

/// The kernel that bounds the distances of the boxes of a node from a probe.
struct LeastDistances<'n, N> {
    node: &'n N,
    probe: Probe,
}

impl<N: Node> SimdKernel for LeastDistances<'_, N> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<S: Simd>(self) -> [f32; WIDTH] {
        least_distances(&self.node.boxes::<S::F32x8>(), &self.probe).to_array()
    }
}
