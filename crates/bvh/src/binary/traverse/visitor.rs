//! Visitors: which pairs of volumes a traversal opens, in which order, and what it does with pairs of
//! primitives.

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;

/// What to do with a pair of nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Skip it.
    Prune,
    /// Continue below it. Of pairs with the same parents the least number comes first.
    Open(f64),
    /// End the whole traversal, for instance at a deadline (Daneu 3.4.1).
    Stop,
}

/// A query by simultaneous traversal.
///
/// For collisions use a closure in [`OverlapVisitor`] or a method of
/// [`PairTraversal`](crate::binary::PairTraversal). Your own visitor can order, stop, or search for other
/// things:
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::{Aabb, BoundingVolume};
/// use xcollide_math::Pose;
/// use xcollide_bvh::binary::{Builder, Bvh, PairTraversal, Step, Visitor};
///
/// /// Collects at most ten candidates, the nearest parts first, and gives up after 1000 tests.
/// #[derive(Default)]
/// struct Hasty {
///     tests: u32,
///     candidates: Vec<(u32, u32)>,
/// }
///
/// impl Visitor<Aabb> for Hasty {
///     fn step(&mut self, a: &Aabb, b: &Aabb) -> Step {
///         self.tests += 1;
///         match () {
///             () if self.tests > 1000 => Step::Stop,
///             () if !a.overlaps(b) => Step::Prune,
///             () => Step::Open((0..3).map(|k| (a.center()[k] - b.center()[k]).powi(2)).sum()),
///         }
///     }
///     fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
///         self.candidates.push((a, b));
///         if self.candidates.len() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
///     }
/// }
///
/// let points: Vec<_> = (0..50).map(|i| [[f64::from(i), 0.0, 0.0]]).collect();
/// let tree: Bvh<Aabb> = Builder::default().build(&points)?;
/// let mut hasty = Hasty::default();
/// let ended = PairTraversal::new((&tree, &Pose::IDENTITY), (&tree, &Pose::IDENTITY)).visit(&mut hasty);
/// assert_eq!(ended, ControlFlow::Break(()));
/// assert_eq!(hasty.candidates.len(), 10);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
pub trait Visitor<V: BoundingVolume> {
    /// Decides about two nodes. Both volumes are in the frame of the first tree; the second is enlarged by
    /// the margin. An exact query must open all pairs that may contain a result.
    #[inline]
    fn step(&mut self, a: &V, b: &V) -> Step {
        if a.overlaps(b) { Step::Open(0.0) } else { Step::Prune }
    }

    /// Whether priorities order the search; otherwise the order of the trees does.
    #[inline]
    fn ordered(&self) -> bool {
        true
    }

    /// A second test of two nodes that [`step`](Self::step) opens, with the stored volumes, each in its own
    /// frame. False skips them.
    #[inline]
    fn confirm(&mut self, _a: &V, _b: &V) -> bool {
        true
    }

    /// Whether waiting pairs of this priority are obsolete.
    #[inline]
    fn expired(&self, _priority: f64) -> bool {
        false
    }

    /// Two primitives whose leaves were opened, each pair at most once; a break ends the traversal.
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()>;
}

/// Calls a closure with the pairs of primitives whose leaves overlap.
#[derive(Clone, Copy, Debug)]
pub struct OverlapVisitor<F>(
    /// Called with a primitive of the first and one of the second tree.
    pub F,
);

impl<V: BoundingVolume, F: FnMut(u32, u32) -> ControlFlow<()>> Visitor<V> for OverlapVisitor<F> {
    #[inline]
    fn ordered(&self) -> bool {
        false
    }

    #[inline]
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.0(a, b)
    }
}

/// A visitor that descends into every pair of nodes, whatever their volumes.
pub(super) struct Unfiltered<'a, W>(pub(super) &'a mut W);

impl<V: BoundingVolume, W: Visitor<V>> Visitor<V> for Unfiltered<'_, W> {
    fn step(&mut self, _: &V, _: &V) -> Step {
        Step::Open(0.0)
    }

    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        self.0.pair(a, b)
    }
}

/// Visits pairs within a bound, which may shrink meanwhile, nearest volumes first.
pub(super) struct Near<F> {
    /// Squared, and enlarged by [`slack`](Self::slack).
    limit: f64,
    /// The error of the bound, besides 1e-5 of it.
    noise: f64,
    /// Measures or tests a pair; returns a new bound, or breaks.
    pair: F,
}

impl<F> Near<F> {
    pub(super) fn new(bound: f64, noise: f64, pair: F) -> Self {
        let mut near = Self { limit: 0.0, noise, pair };
        near.limit = near.slack(bound);
        near
    }

    /// Volumes beyond this squared distance contain nothing within `bound`. Covers matrices that are
    /// rotations only up to 1e-5, errors of measured distances, and rounding and underflow of squares.
    fn slack(&self, bound: f64) -> f64 {
        let bound = bound + self.noise;
        bound * bound * 1.0001 + f64::MIN_POSITIVE
    }
}

impl<V: BoundingVolume, F: FnMut(u32, u32) -> ControlFlow<(), Option<f64>>> Visitor<V> for Near<F> {
    #[inline]
    fn step(&mut self, a: &V, b: &V) -> Step {
        let gap = a.distance_squared(b);
        if gap > self.limit { Step::Prune } else { Step::Open(gap) }
    }

    #[inline]
    fn expired(&self, gap: f64) -> bool {
        gap > self.limit
    }

    #[inline]
    fn pair(&mut self, a: u32, b: u32) -> ControlFlow<()> {
        if let Some(bound) = (self.pair)(a, b)? {
            self.limit = self.slack(bound);
        }
        ControlFlow::Continue(())
    }
}
