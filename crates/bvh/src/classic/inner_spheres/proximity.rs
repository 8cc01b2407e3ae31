//! The distance, or the volume in common with forces and torques, of two sets of inner spheres: one search.
//!
//! First the nearest pairs of nodes are opened, until the nearest two spheres are known or two overlap. If two do, the
//! volume is added up from the root again. With a limit, the pairs that can have most in common are opened first, each down
//! to its best leaves, and what is left when the time is up counts as the volume that it can have at most: so the interval shrinks
//! from both sides.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use xcollide_bounds::Sphere;
use xcollide_math::Pose;
use xcollide_math::vector::{add, cross, length, scale, sub};
use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::InnerSphereTree;
use super::lens::{lens, middle};
use super::node::{SphereNode, WIDTH};
use super::placed_pair::PlacedPair;

/// How far apart two sets of inner spheres are, or what they have in common.
///
/// `distance_at_most` and `volume_at_least` hold for the bodies as well; the other two bounds are about the spheres alone,
/// made smaller by what rounding can do to a placed body. Force and torque are rounded.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Proximity {
    /// Not more than the distance of any two inner spheres; 0 where spheres overlap.
    pub distance_at_least: f64,
    /// Not less than the distance of the bodies; infinite if there are no spheres.
    pub distance_at_most: f64,
    /// The nearest points of the two spheres with that distance, in the world, rounded; if spheres overlap, twice a point
    /// in both bodies.
    pub points: Option<[[f64; 3]; 2]>,
    /// Not more than the volume of what the bodies have in common, if the spheres of each are disjoint.
    pub volume_at_least: f64,
    /// Not less than the volume of what the spheres have in common.
    pub volume_at_most: f64,
    /// The force on the first body, in the world's axes: for each two spheres that overlap, a vector from the second's
    /// center to the first's with their volume in common as length.
    pub force: [f64; 3],
    /// The torque of these forces on the first body about the origin of its frame, each applied at the middle of the
    /// common circle.
    pub torque: [f64; 3],
    /// Whether the search came to its end. Else the bounds are farther apart, and force and torque are those of the
    /// spheres that were reached.
    pub complete: bool,
}

impl Proximity {
    /// The torque on the first body about another point, for example its center of mass; that on the second is the negative
    /// one. `origin` is where the pose puts the origin of the first frame.
    #[must_use]
    pub fn torque_about(&self, origin: [f64; 3], point: [f64; 3]) -> [f64; 3] {
        add(self.torque, cross(sub(origin, point), self.force))
    }
}

/// Reusable memory of searches; allocates nothing once it is large enough.
#[derive(Clone, Debug, Default)]
pub struct ProximitySearch {
    heap: BinaryHeap<Open>,
    stack: Vec<Open>,
}

impl ProximitySearch {
    /// Empty memory.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

/// Two nodes that are still to be opened.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The most volume that they can have in common, or the negative gap.
    key: f64,
    nodes: [u32; 2],
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.total_cmp(&other.key).then(other.nodes.cmp(&self.nodes))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Open {}

/// Bounds the distance of two sets of inner spheres at two poses, or what they have in common.
///
/// With `go_on`, which is called once for each two nodes that are opened, the search ends when it returns `false`. It may
/// count or look at a clock; after the same number of calls the result is the same.
///
/// Takes time in the pairs of spheres that overlap, or are about as near as the nearest.
#[must_use]
pub fn proximity(
    a: (&InnerSphereTree, &Pose),
    b: (&InnerSphereTree, &Pose),
    memory: &mut ProximitySearch,
    go_on: Option<&mut dyn FnMut() -> bool>,
) -> Proximity {
    dispatch(Search { trees: [a.0, b.0], poses: [a.1, b.1], memory, go_on, touching: false })
}

/// A point that is in an inner sphere of both, by more than rounding can change: so it is in both bodies. `None` if no two
/// spheres overlap so far, or `go_on` ended the search.
#[must_use]
pub fn common_point(
    a: (&InnerSphereTree, &Pose),
    b: (&InnerSphereTree, &Pose),
    memory: &mut ProximitySearch,
    go_on: Option<&mut dyn FnMut() -> bool>,
) -> Option<[f64; 3]> {
    let search = Search { trees: [a.0, b.0], poses: [a.1, b.1], memory, go_on, touching: true };
    let found = dispatch(search);
    found.points.filter(|_| found.distance_at_most == 0.0).map(|points| points[0])
}

struct Search<'a, 'g> {
    trees: [&'a InnerSphereTree; 2],
    poses: [&'a Pose; 2],
    memory: &'a mut ProximitySearch,
    go_on: Option<&'g mut dyn FnMut() -> bool>,
    /// Whether to end at the first two spheres that overlap.
    touching: bool,
}

impl SimdKernel for Search<'_, '_> {
    type Output = Proximity;

    #[inline(always)]
    fn run<S: Simd>(self) -> Proximity {
        let Self { trees, poses, memory, mut go_on, touching } = self;
        let pair = PlacedPair::new(poses, trees.map(|tree| tree.reach));
        let least = trees[0].volume.min(trees[1].volume) * (1.0 + 1e-9);
        let mut result = Proximity {
            distance_at_least: 0.0,
            distance_at_most: f64::INFINITY,
            points: None,
            volume_at_least: 0.0,
            volume_at_most: if least.is_finite() { least } else { f64::INFINITY },
            force: [0.0; 3],
            torque: [0.0; 3],
            complete: false,
        };
        if !pair.trusted || trees.iter().any(|tree| tree.nodes.is_empty()) {
            return result;
        }
        let scene = Scene { trees, pair };
        let ended = scene.nearest::<S>(poses[0], memory, &mut go_on, &mut result);
        if result.distance_at_least > 0.0 {
            (result.volume_at_most, result.complete) = (0.0, ended);
        } else if ended && !touching {
            scene.common::<S>(poses[0], memory, &mut go_on, &mut result);
        }
        result
    }
}

/// Both trees, and how they lie to each other.
struct Scene<'a> {
    trees: [&'a InnerSphereTree; 2],
    pair: PlacedPair,
}

impl<'a> Scene<'a> {
    fn nodes(&self, open: Open) -> [&'a SphereNode; 2] {
        [0, 1].map(|side| &self.trees[side].nodes[open.nodes[side] as usize])
    }

    /// Finds the nearest two spheres, or any two that overlap; whether it came to the end.
    #[inline(always)]
    fn nearest<S: Simd>(
        &self,
        pose: &Pose,
        memory: &mut ProximitySearch,
        go_on: &mut Option<&mut dyn FnMut() -> bool>,
        result: &mut Proximity,
    ) -> bool {
        let heap = &mut memory.heap;
        heap.clear();
        heap.push(Open { key: f64::INFINITY, nodes: [0, 0] });
        let margin = self.pair.margin;
        let mut best = f64::INFINITY;
        let mut nearest = None;
        let mut ended = true;
        // All gaps that were not looked at are at least this.
        let mut remaining = f64::INFINITY;
        while let Some(open) = heap.pop() {
            if -open.key >= best {
                remaining = -open.key;
                break;
            }
            if go_on.as_mut().is_some_and(|go_on| !go_on()) {
                (ended, remaining) = (false, -open.key);
                break;
            }
            let nodes = self.nodes(open);
            let limit = best;
            let mut beside_leaf = [f64::INFINITY; WIDTH];
            let leaves = nodes.map(|node| node.is_leaf);
            self.each_near::<S>(nodes, limit, |i, j, gap| match leaves {
                [true, true] => {
                    let spheres = self.pair.inner(&nodes[0].sphere(i), &nodes[1].sphere(j));
                    let gap = PlacedPair::gap(&spheres);
                    if gap < best {
                        (best, nearest) = (gap, Some(spheres));
                    }
                }
                [false, false] => {
                    heap.push(Open { key: -gap, nodes: below(open, nodes, [i, j]) });
                }
                [a_is_leaf, _] => {
                    let child = if a_is_leaf { j } else { i };
                    beside_leaf[child] = beside_leaf[child].min(gap);
                }
            });
            for (child, &gap) in beside_leaf.iter().enumerate().filter(|(_, gap)| **gap < limit) {
                heap.push(Open { key: -gap, nodes: below(open, nodes, [child; 2]) });
            }
            // Deeper than rounding, so that the rounded point is in both.
            if best < -8.0 * margin {
                break;
            }
        }
        let [least, most] = self.pair.to_world;
        let low = best.min(remaining) - 4.0 * margin;
        result.distance_at_least = (low * least).max(0.0);
        let overlap = best < -8.0 * margin;
        result.distance_at_most = if overlap { 0.0 } else { (best + margin).max(margin) * most };
        result.points = nearest.map(|spheres: [Sphere; 2]| {
            let [a, b] = spheres.map(|sphere| sphere.center);
            let (way, distance) = (sub(b, a), length(sub(b, a)));
            let at = |part: f64| pose.apply(add(a, scale(way, part)));
            let radii = spheres.map(|sphere| sphere.radius);
            if overlap {
                return [at(middle(radii, distance)); 2];
            }
            let part = |length: f64| if distance > 0.0 { length / distance } else { 0.0 };
            [at(part(radii[0])), at(1.0 - part(radii[1]))]
        });
        ended
    }

    /// Adds up what the spheres have in common.
    #[inline(always)]
    fn common<S: Simd>(
        &self,
        pose: &Pose,
        memory: &mut ProximitySearch,
        go_on: &mut Option<&mut dyn FnMut() -> bool>,
        result: &mut Proximity,
    ) {
        let ProximitySearch { heap, stack } = memory;
        heap.clear();
        stack.clear();
        let ordered = go_on.is_some();
        let root = Open { key: f64::INFINITY, nodes: [0, 0] };
        if ordered {
            heap.push(root);
        } else {
            stack.push(root);
        }
        let mut sum = Sum::default();
        let mut left = 0.0;
        let mut complete = true;
        // The best child of the pair that was opened last. It comes next, so that leaves are reached from the beginning and
        // the lower bound grows, too.
        let mut dive: Option<Open> = None;
        while let Some(open) =
            dive.take().or_else(|| if ordered { heap.pop() } else { stack.pop() })
        {
            if go_on.as_mut().is_some_and(|go_on| !go_on()) {
                left = open.key + heap.iter().map(|open| open.key).sum::<f64>();
                complete = false;
                break;
            }
            let nodes = self.nodes(open);
            let mut seen = 0;
            self.each_near::<S>(nodes, 0.0, |i, j, _| match nodes.map(|node| node.is_leaf) {
                [true, true] => {
                    sum.add(&self.pair.inner(&nodes[0].sphere(i), &nodes[1].sphere(j)));
                }
                [a_is_leaf, b_is_leaf] => {
                    // A leaf stays closed until the other is one, and so is pushed once with each of its children.
                    let child = if a_is_leaf {
                        8 * j
                    } else if b_is_leaf {
                        i
                    } else {
                        i + 8 * j
                    };
                    if seen & 1_u64 << child == 0 {
                        seen |= 1 << child;
                        let key = if ordered { self.most_in_common(nodes, [i, j]) } else { 0.0 };
                        let next = Open { key, nodes: below(open, nodes, [i, j]) };
                        if !ordered {
                            stack.push(next);
                        } else if let Some(less) = keep_greater(&mut dive, next) {
                            heap.push(less);
                        }
                    }
                }
            });
        }
        let [least, most] = self.pair.volume;
        let slack = (sum.terms + 1) as f64 * 4.0 * f64::EPSILON;
        result.volume_at_least = sum.volume[0] * least * (1.0 - slack);
        result.volume_at_most = (sum.volume[1] * most * (1.0 + slack) + left * most * (1.0 + 1e-9))
            .min(result.volume_at_most);
        result.force = scale(pose.rotate(sum.force), least);
        result.torque = scale(pose.rotate(sum.torque), least);
        result.complete = complete;
    }

    /// The most volume that two children can have in common.
    #[inline(always)]
    fn most_in_common(&self, nodes: [&SphereNode; 2], [i, j]: [usize; 2]) -> f64 {
        let [is_leaf_a, is_leaf_b] = nodes.map(|node| node.is_leaf);
        let volume = |node: &SphereNode, lane: usize, whole: bool| {
            if whole { node.volume.iter().sum() } else { node.volume[lane] }
        };
        let of_a: f64 = volume(nodes[0], i, is_leaf_a);
        let most = of_a.min(volume(nodes[1], j, is_leaf_b)) * (1.0 + 1e-9);
        if is_leaf_a || is_leaf_b {
            return most;
        }
        let (a, b) = (nodes[0].sphere(i), self.pair.outer(&nodes[1].sphere(j)));
        let distance = (length(sub(b.center, a.center)) - self.pair.margin).max(0.0);
        most.min(lens([a.radius, b.radius], distance)[1])
    }

    /// Shows `visit` the lanes of all pairs of spheres whose gap can be below a limit, with a lower bound of the gap.
    #[inline(always)]
    fn each_near<S: Simd>(
        &self,
        [a, b]: [&SphereNode; 2],
        limit: f64,
        mut visit: impl FnMut(usize, usize, f64),
    ) {
        let center = [0, 1, 2].map(|axis| S::F64x8::load(&a.center[axis]));
        let radius = S::F64x8::load(&a.radius);
        for j in 0..(b.count as usize).min(WIDTH) {
            let sphere = self.pair.outer(&b.sphere(j));
            let splat = |value| S::F64x8::splat(value);
            let x = center[0].sub(splat(sphere.center[0]));
            let y = center[1].sub(splat(sphere.center[1]));
            let z = center[2].sub(splat(sphere.center[2]));
            let squared = x.mul(x).add(y.mul(y)).add(z.mul(z));
            let gap = squared.sqrt().sub(radius.add(splat(sphere.radius)));
            let mut lanes = gap.lt(splat(limit)).to_bits();
            if lanes == 0 {
                continue;
            }
            let gaps = gap.to_array();
            while lanes != 0 {
                let i = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                visit(i, j, gaps[i]);
            }
        }
    }
}

/// The nodes to open after two lanes came near each other; a leaf stays as it is until both are.
#[inline(always)]
fn below(open: Open, nodes: [&SphereNode; 2], lanes: [usize; 2]) -> [u32; 2] {
    [0, 1].map(|side| match nodes[side].is_leaf {
        true => open.nodes[side],
        false => nodes[side].first + lanes[side] as u32,
    })
}

/// Keeps the greater of two; returns the other one, if there are two.
#[inline(always)]
fn keep_greater(kept: &mut Option<Open>, next: Open) -> Option<Open> {
    match kept {
        Some(kept) if next > *kept => Some(std::mem::replace(kept, next)),
        Some(_) => Some(next),
        None => {
            *kept = Some(next);
            None
        }
    }
}

/// What pairs of spheres have in common so far, in the frame of the first body.
#[derive(Default)]
struct Sum {
    volume: [f64; 2],
    force: [f64; 3],
    torque: [f64; 3],
    terms: u64,
}

impl Sum {
    #[inline(always)]
    fn add(&mut self, [a, b]: &[Sphere; 2]) {
        let way = sub(b.center, a.center);
        let distance = length(way);
        let radii = [a.radius, b.radius];
        if radii.iter().any(|&radius| radius <= 0.0) || distance >= radii[0] + radii[1] {
            return;
        }
        let [low, high] = lens(radii, distance);
        self.volume = [self.volume[0] + low, self.volume[1] + high];
        self.terms += 1;
        if distance > 0.0 {
            let force = scale(way, -0.5 * (low + high) / distance);
            let at = add(a.center, scale(way, middle(radii, distance)));
            self.force = add(self.force, force);
            self.torque = add(self.torque, cross(at, force));
        }
    }
}
