//! Two trees in motion: until when their boxes are certainly apart, eight pairs at once.
//!
//! # Proof
//!
//! Let p be a point of the first mesh and q one of the second, in the world, that are in one place after a part τ of the
//! motion, from 0 to 1: q + τ w(q) − p = e, where w(q) = `shift + turn × q` and |e| ≤ d + τ `drift` + τ² `bend`, with
//! d = `distance`. Then the fraction that is computed for the boxes that hold them is at most τ.
//!
//! 1. *In the frame of the first tree* w is w(O) + `turn` × (q − O), with the tree's origin O. For a box around c, w(q)
//!    differs from w(c) by at most |`turn`| times half its diagonal, which is added to `drift`. Along a direction L of
//!    length 1 at most, on the side of the other box, the gap is then at least
//!    `gap − τ (w(c)·L + drift) − τ² bend − d`, and it is at most 0 at the time of contact.
//! 2. *The root of that* is at least `gap / (rate + bend · F)` for any bound F of it, as τ² ≤ F τ. F is 1 where the
//!    direction is chosen, and then the root as computed, and a thousandth more.
//! 3. *In the frame of the second tree* the first one moves, by −w(p) for a point p. With w(p) in place of w(q), p is off by
//!    τ |w(q) − w(p)|, which is at most τ |`turn`| |q − p|; and |q − p| is at most τ |w(q)| + |e|. So d |`turn`| is added to
//!    `drift`, and |`turn`| times the largest |w(q)|, `drift` and `bend` to `bend`.
//! 4. *Rounding.* f64: sums of products are off by less than 2⁻⁴⁸ of the sum of the magnitudes of their terms. f32: w(c)
//!    and its products with axes are off by less than 2⁻¹⁹ of |w(O)| + |`turn`| |c − O|, and for the cross products of axes
//!    (point 5 in [`relative_transform`](super::relative_transform)) the cosines by four times `epsilon`, less than 2⁻¹⁷.
//!    2⁻¹⁵ of it, for the farthest c, is added to `drift`. The gaps have the margins of placed trees. A computed fraction is
//!    off by a few roundings; 2⁻²⁰ of it is taken off.
//! 5. *Motions that are no rotations*: as in the frames of trees, |Rᵀ·R − I| is at most σ, so Rᵀ w is off by σ |w| from what
//!    becomes of w in the tree's frame, and lengths become longer by that part. Four times σ is added to both.
//! 6. *Range.* What is not finite in f32 makes d infinite, and all fractions 0.

use xcollide_math::vector::{add, cross, neg, scaled_length, sub};
use xcollide_math::{Pose, f32_above};
use xcollide_simd::vec3::{dot, scale, splat, sub as minus};
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask, dispatch};

use super::NodeKind;
use super::descent::{Pair, Side, with_children};
use super::kernel::Boxes;
use super::node::{Node, WIDTH, WideNode};
use super::relative_transform::{PlacedTrees, Probe, TreeFrame, skew};
use super::tree::WideBvh;
use super::vector::Vector;
use crate::NodePair;

/// How the second of two meshes moves relative to the first, from their poses on: after a part τ of the motion, from 0 to 1,
/// points p and q can only be in one place if `|q + τ (shift + turn × q) − p| ≤ distance + τ drift + τ² bend`, all in world
/// coordinates at these poses.
///
/// For two rigid bodies whose points move at the velocities `v + ω × q`, `shift` and `turn` are the differences of v and of
/// ω, second less first, times the length of the motion.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RelativeMotion {
    /// What moves all points.
    pub shift: [f64; 3],
    /// What turns them about the origin of the world: an axis, at the length of the angle.
    pub turn: [f64; 3],
    /// How far points may be off at any time, as by rounding.
    pub distance: f64,
    /// How fast that grows.
    pub drift: f64,
    /// How fast it grows with the square of the time.
    pub bend: f64,
}

/// A [`RelativeMotion`] in the frame and in the unit of a tree.
#[derive(Clone, Copy, Debug)]
struct MotionInFrame {
    /// At the origin.
    shift: [f32; 3],
    turn: [f32; 3],
    /// The length of `turn`.
    angle: f32,
    distance: f32,
    drift: f32,
    bend: f32,
}

impl MotionInFrame {
    /// The motion in the frame of a tree, for boxes not farther than `reach` from the tree's origin.
    fn new(motion: &RelativeMotion, frame: &TreeFrame, pose: &Pose, reach: f64) -> Self {
        let RelativeMotion { shift, turn, distance, drift, bend } = *motion;
        let unit = frame.unit.reciprocal();
        let origin = pose.apply(frame.origin);
        let [r, s, t] = pose.rotation();
        let turned_back =
            |v: Vector| [0, 1, 2].map(|axis| r[axis] * v[0] + s[axis] * v[1] + t[axis] * v[2]);
        let skew = 4.0 * skew(pose.rotation());
        let at_origin = add(shift, cross(turn, origin));
        let angle = scaled_length(turn);
        let rounding =
            (scaled_length(shift) + angle * (scaled_length(origin) + reach)) / (1_u64 << 46) as f64;
        let most = scaled_length(at_origin) + angle * reach;
        let drift = drift + rounding + most * (skew + 1.0 / f64::from(1 << 15));
        let scaled = |length: f64| f32_above(length * unit * (1.0 + skew + 1e-6));
        let in_frame = Self {
            shift: turned_back(at_origin).map(|x| (x * unit) as f32),
            turn: turned_back(turn).map(|x| x as f32),
            angle: f32_above(angle * (1.0 + 1e-6)),
            distance: scaled(distance),
            drift: scaled(drift),
            bend: scaled(bend),
        };
        let is_regular = in_frame.shift.iter().chain(&in_frame.turn).all(|x| x.is_finite());
        if is_regular { in_frame } else { Self { distance: f32::INFINITY, ..in_frame } }
    }

    /// The way of a box during the whole motion, and how far its points may be from there by then, but for `bend`.
    #[inline(always)]
    fn way(&self, probe: &Probe) -> ([f32; 3], f32) {
        let ([x, y, z], [u, v, w]) = (self.turn, probe.center);
        let [a, b, c] = self.shift;
        let way = [a + (y * w - z * v), b + (z * u - x * w), c + (x * v - y * u)];
        let [p, q, r] = probe.extent;
        let diagonal = (p * p + q * q + r * r).sqrt() * (1.0 + 1.0 / 1024.0);
        (way, self.drift + self.angle * diagonal)
    }
}

/// Two wide trees and the motion of the second relative to the first: bounds on the time at which their boxes meet.
///
/// ```
/// use xcollide_bvh::wide::{MovingTrees, RelativeMotion, WideOptions, WideTree};
/// use xcollide_math::Pose;
///
/// let triangle = WideTree::build(
///     &[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
///     &[[0, 1, 2]],
///     WideOptions::default(),
/// );
/// let above = Pose::from_translation([0.0, 0.0, 2.0]);
/// let apart_until = |shift| {
///     let motion = RelativeMotion { shift, ..RelativeMotion::default() };
///     let pair = [(&triangle, &Pose::IDENTITY), (&triangle, &above)];
///     MovingTrees::new(pair[0], pair[1], &motion).map(|trees| trees.look(trees.root()).part)
/// };
/// // It comes down after half of the way, but for rounding; and it passes.
/// assert!(apart_until([0.0, 0.0, -4.0]).is_some_and(|part| 0.4999 < part && part <= 0.5));
/// assert!(apart_until([9.0, 9.0, -4.0]).is_some_and(|part| part > 1.0));
/// ```
pub struct MovingTrees<'a, N = WideNode> {
    trees: PlacedTrees<'a, N>,
    motion: [MotionInFrame; 2],
}

impl<'a, N: NodeKind> MovingTrees<'a, N> {
    /// Two trees at their poses, and the motion from there. `None` if one of them is empty.
    #[must_use]
    pub fn new(
        a: (&'a WideBvh<N>, &Pose),
        b: (&'a WideBvh<N>, &Pose),
        motion: &RelativeMotion,
    ) -> Option<Self> {
        let (frame_a, frame_b) = (&a.0.frame, &b.0.frame);
        let reach = |frame: &TreeFrame| 1.01 * frame.reach / frame.unit.reciprocal();
        let [origin_a, origin_b] = [a.1.apply(frame_a.origin), b.1.apply(frame_b.origin)];
        let angle = scaled_length(motion.turn);
        let apart = 1.01 * scaled_length(sub(origin_b, origin_a));
        // The longest way of a point of the second, and all else.
        let at_b = scaled_length(add(motion.shift, cross(motion.turn, origin_b)));
        let most = at_b + angle * reach(frame_b) + motion.drift + motion.bend;
        let seen_back = RelativeMotion {
            shift: neg(motion.shift),
            turn: neg(motion.turn),
            drift: motion.drift + 1.01 * angle * motion.distance,
            bend: motion.bend + 1.01 * angle * most,
            distance: motion.distance,
        };
        let in_a = MotionInFrame::new(motion, frame_a, a.1, apart + reach(frame_b));
        let in_b = MotionInFrame::new(&seen_back, frame_b, b.1, apart + reach(frame_a));
        let trees = PlacedTrees::within(a, b, f64::INFINITY)?;
        Some(Self { trees, motion: [in_a, in_b] })
    }

    /// The boxes of the whole meshes.
    #[must_use]
    pub fn root(&self) -> NodePair {
        let [a, b] = Side::both(&self.trees);
        Pair { a: a.branch(0, 0), b: b.branch(0, 0) }.part()
    }

    /// Until when the boxes of a pair are certainly apart.
    ///
    /// # Panics
    /// The pair is not one of these trees.
    #[must_use]
    pub fn look(&self, pair: NodePair) -> Entry {
        let [a, b] = Side::both(&self.trees);
        let probe = a.probe(Side::at([&a, &b], pair).a, b.here);
        let place = pair.b as usize;
        let node = &self.trees.b.nodes[place / WIDTH];
        let entries = dispatch(Entries { node, probe, motion: &self.motion[1] });
        entries.of(place % WIDTH)
    }

    /// The triangles of two leaves; `None` if the pair is not one of leaves.
    ///
    /// # Panics
    /// The pair is not one of these trees.
    #[must_use]
    pub fn triangles(&self, pair: NodePair) -> Option<[&'a [u32]; 2]> {
        let [a, b] = Side::both(&self.trees);
        let pair = Side::at([&a, &b], pair);
        let PlacedTrees { a, b, .. } = &self.trees;
        pair.leaves().map(|[of_a, of_b]| [&a.order[of_a], &b.order[of_b]])
    }

    /// The pairs below one that is not of leaves: the children of the larger box with the other one. None below leaves.
    ///
    /// # Panics
    /// The pair is not one of these trees.
    #[must_use]
    pub fn below(&self, pair: NodePair) -> PairsBelow {
        let [a, b] = Side::both(&self.trees);
        let pair = Side::at([&a, &b], pair);
        let opens_b = pair.opens_b();
        if pair.is_of_leaves() {
            return PairsBelow {
                first: pair.part(),
                opens_b,
                parts: [f64::INFINITY; WIDTH],
                loose: 0,
            };
        }
        let index = pair.opened();
        let (node, probe, motion) = if opens_b {
            (&self.trees.b.nodes[index], a.probe(pair.a, b.here), &self.motion[1])
        } else {
            (&self.trees.a.nodes[index], b.probe(pair.b, a.here), &self.motion[0])
        };
        let entries = dispatch(Entries { node, probe, motion });
        let near = with_children(node, entries.near);
        let mut parts = [0.0; WIDTH];
        for (lane, part) in parts.iter_mut().enumerate() {
            *part = if near >> lane & 1 == 1 { entries.part(lane) } else { f64::INFINITY };
        }
        let mut first = pair.part();
        *(if opens_b { &mut first.b } else { &mut first.a }) = (index * WIDTH) as u32;
        PairsBelow { first, opens_b, parts, loose: entries.loose as u8 }
    }
}

/// Up to eight pairs of boxes of two trees in motion, below a pair.
#[derive(Clone, Copy, Debug)]
pub struct PairsBelow {
    /// That of lane 0.
    first: NodePair,
    opens_b: bool,
    /// Until when each pair is certainly apart, as [`Entry::part`]; infinite for those that are so all the time, and where there is
    /// none.
    pub parts: [f64; 8],
    /// Bit i: that of lane i is a [loose](Entry::is_loose) bound.
    pub loose: u8,
}

impl PairsBelow {
    /// The pair in a lane whose part is finite.
    #[must_use]
    pub fn pair(&self, lane: usize) -> NodePair {
        let NodePair { a, b, turn } = self.first;
        let lane = lane as u32;
        if self.opens_b {
            NodePair { a, b: b + lane, turn }
        } else {
            NodePair { a: a + lane, b, turn }
        }
    }

    /// The pairs that are not certainly apart all the time, in order, and until when they are.
    pub fn iter(&self) -> impl Iterator<Item = (NodePair, f64)> + use<'_> {
        let parts = self.parts.iter().enumerate().filter(|(_, part)| part.is_finite());
        parts.map(|(lane, &part)| (self.pair(lane), part))
    }
}

/// Until when two boxes in motion are certainly apart.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// The part of the motion during which they are so: above 1 for all of it.
    pub part: f64,
    /// Whether it is mostly what [bends](RelativeMotion::bend) the motion that limits this, so that the boxes are probably apart
    /// for much longer, if they are looked at again then.
    pub is_loose: bool,
}

/// The entries of eight boxes.
#[derive(Clone, Copy, Debug)]
struct EightEntries {
    parts: [f32; WIDTH],
    /// Bit i: box i is not certainly apart all the time.
    near: u32,
    /// Bit i: the entry of box i is loose.
    loose: u32,
}

impl EightEntries {
    /// The part of a lane, less what rounding may have added.
    #[inline(always)]
    fn part(&self, lane: usize) -> f64 {
        f64::from(self.parts[lane]) * (1.0 - f64::from(ROUNDING))
    }

    #[inline(always)]
    fn of(&self, lane: usize) -> Entry {
        Entry { part: self.part(lane), is_loose: self.loose >> lane & 1 == 1 }
    }
}

/// How much rounding may have added to a part of the motion (point 4).
const ROUNDING: f32 = 1.0 / (1 << 20) as f32;

/// The part of a gap that `bend` uses up, from which on an entry is a loose one.
const LOOSE: f32 = 0.25;

/// The kernel that tells for each box of a node until when it is apart from a probe in motion.
struct Entries<'n, N> {
    node: &'n N,
    probe: Probe,
    motion: &'n MotionInFrame,
}

impl<N: Node> SimdKernel for Entries<'_, N> {
    type Output = EightEntries;

    #[inline(always)]
    fn run<S: Simd>(self) -> EightEntries {
        entries(&self.node.boxes::<S::F32x8>(), &self.probe, self.motion)
    }
}

/// The best direction found: the gap along it, how fast it closes, and the part of the motion that this gives.
struct Best<F> {
    gap: F,
    rate: F,
    part: F,
    /// How fast gaps close in all directions, but for `bend`; and with it.
    drift: F,
    drift_and_bend: F,
}

impl<F: F32x8> Best<F> {
    /// Takes a direction if it is better: the distance of the centers and how fast the probe moves along it, how far the boxes
    /// reach, and the margin. What is NaN is no better.
    #[inline(always)]
    fn raise(&mut self, distance: F, way: F, reach: F) {
        let zero = F::splat(0.0);
        let gap = distance.abs().sub(reach);
        let rate = F::select(zero.gt(distance), zero.sub(way), way);
        let closing = rate.add(self.drift_and_bend);
        let part = F::select(closing.gt(zero), gap.div(closing), F::splat(f32::MAX));
        let is_better = gap.gt(zero).and(part.gt(self.part));
        self.gap = F::select(is_better, gap, self.gap);
        self.rate = F::select(is_better, rate.add(self.drift), self.rate);
        self.part = F::select(is_better, part, self.part);
    }

    /// The part of the motion, by the root of the parabola.
    #[inline(always)]
    fn entries(&self) -> EightEntries {
        let (zero, one, two) = (F::splat(0.0), F::splat(1.0), F::splat(2.0));
        let bend = self.drift_and_bend.sub(self.drift);
        // The root in the form that does not cancel.
        let square = self.rate.mul(self.rate).add(F::splat(4.0).mul(bend).mul(self.gap));
        let (sum, closes) = (self.rate.abs().add(square.sqrt()), self.rate.ge(zero));
        let root = F::select(closes, two.mul(self.gap), sum)
            .div(F::select(closes, sum, two.mul(bend)))
            .mul(F::splat(1.0 + 1.0 / 1024.0));
        let at_most = F::select(root.le(one), root, one);
        let root = self.gap.div(self.rate.add(bend.mul(at_most)));
        // NaN where no direction was found.
        let part = F::select(root.gt(self.part), root, self.part);
        let bent = bend.mul(part.mul(part));
        EightEntries {
            parts: part.to_array(),
            // What rounding may have added is taken off before a part is above 1.
            near: part.le(F::splat(1.0 + 2.0 * ROUNDING)).to_bits(),
            loose: bent.gt(self.gap.mul(F::splat(LOOSE))).to_bits(),
        }
    }
}

/// The directions of [`separate`](super::kernel::separate), and the one across the way between the centers: along it, boxes do
/// not come closer that pass each other.
#[inline(always)]
fn entries<F: F32x8>(boxes: &Boxes<F>, probe: &Probe, motion: &MotionInFrame) -> EightEntries {
    let Boxes { center, extent, axes } = boxes;
    let (way, drift) = motion.way(probe);
    let way = splat::<F>(way);
    let between = minus(*center, splat(probe.center));
    let probe_axes = [splat(probe.axes[0]), splat(probe.axes[1]), splat(probe.axes[2])];
    let probe_extent: [F; 3] = splat(probe.extent);
    let sum = extent[0].add(extent[1]).add(extent[2]);
    let distance = F::splat(motion.distance);
    let margin = sum.mul(F::splat(probe.epsilon)).add(F::splat(probe.face_margin));
    let (face, edge) = (margin.add(distance), margin.mul(F::splat(4.0)).add(distance));
    let mut best = Best {
        gap: F::splat(0.0),
        rate: F::splat(0.0),
        part: F::splat(0.0),
        drift: F::splat(drift),
        drift_and_bend: F::splat((drift + motion.bend) * (1.0 + 1.0 / f32::from(1_u16 << 15))),
    };

    let mut cosines = [[F::splat(0.0); 3]; 3];
    let mut magnitudes = cosines;
    for j in 0..3 {
        for i in 0..3 {
            cosines[i][j] = dot(probe_axes[i], axes[j]);
            magnitudes[i][j] = cosines[i][j].abs();
        }
        let of_probe = dot(probe_extent, [magnitudes[0][j], magnitudes[1][j], magnitudes[2][j]]);
        let reach = extent[j].add(of_probe).add(face);
        best.raise(dot(between, axes[j]), dot(way, axes[j]), reach);
    }
    let (mut along, mut along_way) = (between, way);
    for i in 0..3 {
        along[i] = dot(between, probe_axes[i]);
        along_way[i] = dot(way, probe_axes[i]);
        let reach = probe_extent[i].add(dot(*extent, magnitudes[i])).add(face);
        best.raise(along[i], along_way[i], reach);
    }
    for (i, i1, i2) in [(0, 1, 2), (1, 2, 0)] {
        for (j, j1, j2) in [(0, 1, 2), (1, 2, 0)] {
            let across =
                |along: &[F; 3]| along[i2].mul(cosines[i1][j]).sub(along[i1].mul(cosines[i2][j]));
            let of_probe = probe_extent[i1]
                .mul(magnitudes[i2][j])
                .add(probe_extent[i2].mul(magnitudes[i1][j]));
            let of_box = extent[j1].mul(magnitudes[i][j2]).add(extent[j2].mul(magnitudes[i][j1]));
            let reach = of_probe.add(of_box).add(edge);
            best.raise(across(&along), across(&along_way), reach);
        }
    }
    let square = dot(way, way);
    let sideways = minus(between, scale(way, dot(between, way).div(square)));
    let direction = scale(sideways, F::splat(1.0).div(dot(sideways, sideways).sqrt()));
    let on = |axis: &[F; 3]| dot(*axis, direction).abs();
    let reach = dot(*extent, [on(&axes[0]), on(&axes[1]), on(&axes[2])])
        .add(dot(probe_extent, [on(&probe_axes[0]), on(&probe_axes[1]), on(&probe_axes[2])]))
        .add(edge);
    best.raise(dot(between, direction), dot(way, direction), reach);
    best.entries()
}
