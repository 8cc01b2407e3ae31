//! Queries of two hierarchies at two poses.

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;
use xcollide_math::Pose;

use super::best_first::MOST;
use super::visitor::{Near, Unfiltered};
use super::{Descent, OverlapVisitor, Visitor};
#[cfg(doc)]
use crate::Counts;
use crate::binary::Bvh;
use crate::{Candidates, Counter, DescentRule};

/// Queries of two hierarchies at two poses: those of [`Candidates`], and distances.
///
/// Each query takes a closure that decides about two primitives by their numbers, called only for pairs
/// whose volumes overlap. If it decides by **world** positions as [`Pose::apply`] rounds them, the answer is
/// that of brute force ([proof](crate::binary#why-no-colliding-pair-is-lost)).
///
/// ```
/// use xcollide_bounds::Obb;
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::{Candidates, Counts};
/// use xcollide_bvh::binary::{Builder, Bvh, PairTraversal, Split};
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..100)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree: Bvh<Obb> = Builder::new(Split::TotalVolume).build(&strip)?;
/// let upright = Pose::from_matrix([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]], [50.0, 0.0, 0.0])?;
///
/// let world = |motion: &Pose, i: u32| strip[i as usize].map(|corner| motion.apply(corner));
/// let mut counts = Counts::default();
/// let hits = PairTraversal::new((&tree, &Pose::IDENTITY), (&tree, &upright))
///     .counting(&mut counts)
///     .all(|a, b| triangles_intersect(&world(&Pose::IDENTITY, a), &world(&upright, b)));
/// assert!(!hits.is_empty());
/// assert!(counts.primitives < 100, "of 10,000 pairs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PairTraversal<'a, V: BoundingVolume, C = ()> {
    pub(super) descent: Descent<'a, V>,
    /// Whether the coordinates are in the range for which volumes make promises.
    pub(super) filtered: bool,
    pub(super) counter: C,
}

/// The answer of [`PairTraversal::nearest`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Nearest {
    /// A primitive of the first tree.
    pub a: u32,
    /// A primitive of the second tree.
    pub b: u32,
    /// Their distance, as measured by the closure.
    pub distance: f64,
}

/// Twice the error of a measured distance as a share of the reaches: once for the least distance found, once
/// for a pruned one.
const NOISE: f64 = 1.0 / (1_u64 << 36) as f64;

/// Volumes make promises up to this magnitude.
pub(crate) const TRUSTED: f64 = 1e100;

impl<'a, V: BoundingVolume> PairTraversal<'a, V> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a Bvh<V>, &Pose), b: (&'a Bvh<V>, &Pose)) -> Self {
        Self::widened(a, b, 0.0)
    }

    /// The same, with volumes that also overlap where primitives are no farther apart than `distance` in the world.
    #[must_use]
    pub fn widened(a: (&'a Bvh<V>, &Pose), b: (&'a Bvh<V>, &Pose), distance: f64) -> Self {
        let ((a, motion_a), (b, motion_b)) = (a, b);
        let margin = Pose::relative_margin(motion_a, motion_b, a.reach(), b.reach());
        // Rotations are orthonormal up to 1e-6.
        let margin = margin + 1.0001 * distance;
        let into_a = V::prepare(&Pose::relative(motion_a, motion_b), margin);
        let small = |value: f64| value.abs() < TRUSTED;
        let filtered = [a.reach(), b.reach()].into_iter().all(small)
            && [motion_a, motion_b]
                .iter()
                .all(|motion| motion.translation().into_iter().all(small));
        let descent = Descent { a, b, into_a, rule: DescentRule::default() };
        Self { descent, filtered, counter: () }
    }
}

impl<'a, V: BoundingVolume, C: Counter> PairTraversal<'a, V, C> {
    /// With another descent rule. The answers are the same, but another pair may come first.
    #[must_use]
    pub fn rule(mut self, rule: DescentRule) -> Self {
        self.descent.rule = rule;
        self
    }

    /// Counts tests, in a `&mut` [`Counts`] or your own counter, which may also end the traversal.
    #[must_use]
    pub fn counting<D: Counter>(self, counter: D) -> PairTraversal<'a, V, D> {
        PairTraversal { descent: self.descent, filtered: self.filtered, counter }
    }

    /// The pair of least measured distance within `limit` (may be infinite), by branch and bound, nearest
    /// nodes first. `measure` returns the distance of two primitives with an error below 1e-5 of it plus
    /// 2⁻³⁷ of the [reaches](Bvh::reach) of both trees.
    pub fn nearest(
        &mut self,
        limit: f64,
        mut measure: impl FnMut(u32, u32) -> f64,
    ) -> Option<Nearest> {
        let mut best = None;
        let mut bound = limit;
        let noise = NOISE * (self.descent.a.reach() + self.descent.b.reach());
        let mut visitor = Near::new(limit, noise, |a, b| {
            let distance = measure(a, b);
            if distance < bound || (distance == bound && best.is_none()) {
                best = Some(Nearest { a, b, distance });
                bound = distance;
                if distance <= 0.0 {
                    return ControlFlow::Break(());
                }
                return ControlFlow::Continue(Some(distance));
            }
            ControlFlow::Continue(None)
        });
        let Self { descent, filtered, counter } = self;
        let _ = if *filtered {
            descent.run_best_first(MOST, &mut visitor, counter)
        } else {
            descent.run_best_first(MOST, &mut Unfiltered(&mut visitor), counter)
        };
        best
    }

    /// A pair for which `decide` holds, near parts first. `decide` must hold only for primitives within
    /// `tolerance` (at least 0).
    pub fn within(
        &mut self,
        tolerance: f64,
        mut decide: impl FnMut(u32, u32) -> bool,
    ) -> Option<(u32, u32)> {
        let mut found = None;
        let mut visitor = Near::new(tolerance, 0.0, |a, b| {
            if decide(a, b) {
                found = Some((a, b));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(None)
        });
        let _ = self.visit(&mut visitor);
        found
    }

    /// Traverses with a visitor; breaks if it did.
    pub fn visit<W: Visitor<V>>(&mut self, visitor: &mut W) -> ControlFlow<()> {
        let Self { descent, filtered, counter } = self;
        if *filtered {
            descent.run(visitor, counter)
        } else {
            descent.run(&mut Unfiltered(visitor), counter)
        }
    }
}

/// The pairs of primitives whose leaves overlap.
impl<V: BoundingVolume, C: Counter> Candidates for PairTraversal<'_, V, C> {
    fn candidates(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.visit(&mut OverlapVisitor(pair))
    }
}
