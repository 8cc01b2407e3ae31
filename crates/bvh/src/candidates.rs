//! What all pairings of two trees can be asked.
//!
//! A pairing of any kind of tree does one thing: it hands over the pairs of primitives that may
//! collide. Which pair is the first that does, which do, how many: these questions are the same for
//! all of them, and answered here, once.

use std::ops::ControlFlow;

/// Two trees at two poses, as a source of pairs that may collide.
///
/// Every question takes a closure that decides about two primitives, by their numbers. It should
/// look at their **world** positions, rounded as
/// [`Motion::apply`](xcollide_bounds::Motion::apply) rounds them; then the answer is that of brute
/// force over all pairs.
///
/// ```
/// use xcollide_bounds::{Aabb, Motion};
/// use xcollide_bvh::Candidates;
/// use xcollide_bvh::binary::{Builder, Bvh, PairTraversal};
/// use xcollide_bvh::classic::interval_tree::{IntervalSplit, IntervalTree, IntervalTreeTraversal};
///
/// /// The same question to any kind of tree.
/// fn triangles_that_coincide(mut trees: impl Candidates, triangles: &[[[f64; 3]; 3]]) -> u64 {
///     trees.count(|a, b| triangles[a as usize] == triangles[b as usize])
/// }
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..50)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let here = Motion::IDENTITY;
/// let boxes: Bvh<Aabb> = Builder::default().build(&strip)?;
/// let intervals = IntervalTree::new(&strip, IntervalSplit::default(), 1)?;
/// let pairing = PairTraversal::new((&boxes, &here), (&boxes, &here));
/// assert_eq!(triangles_that_coincide(pairing, &strip), 50);
/// let pairing = IntervalTreeTraversal::new((&intervals, &here), (&intervals, &here));
/// assert_eq!(triangles_that_coincide(pairing, &strip), 50);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
pub trait Candidates {
    /// Hands over pairs of primitives, one of each tree, among them all that collide, until `pair`
    /// breaks; returns whether the search was ended. Each pair comes at most once, always in the
    /// same order.
    fn candidates(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The first pair that is found to collide, `None` if none does.
    fn first(&mut self, mut collide: impl FnMut(u32, u32) -> bool) -> Option<(u32, u32)> {
        let mut found = None;
        let _ = self.candidates(|a, b| {
            if collide(a, b) {
                found = Some((a, b));
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// All pairs that collide, ordered by number.
    fn all(&mut self, collide: impl FnMut(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut found = self.at_most(usize::MAX, collide);
        found.sort_unstable();
        found
    }

    /// Pairs that collide, in the order in which they are found, but not more than `limit`.
    fn at_most(
        &mut self,
        limit: usize,
        mut collide: impl FnMut(u32, u32) -> bool,
    ) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        if limit > 0 {
            let _ = self.candidates(|a, b| {
                if collide(a, b) {
                    found.push((a, b));
                    if found.len() == limit {
                        return ControlFlow::Break(());
                    }
                }
                ControlFlow::Continue(())
            });
        }
        found
    }

    /// How many pairs collide.
    fn count(&mut self, mut collide: impl FnMut(u32, u32) -> bool) -> u64 {
        let mut count = 0;
        let _ = self.candidates(|a, b| {
            count += u64::from(collide(a, b));
            ControlFlow::Continue(())
        });
        count
    }
}
