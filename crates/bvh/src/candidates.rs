//! The queries that all traversals of two trees share.

use std::ops::ControlFlow;

/// Two trees at two poses: a source of pairs of primitives that may collide.
///
/// Each query takes a closure that decides about two primitives by their numbers. If it decides by **world**
/// positions as [`Pose::apply`](xcollide_math::Pose::apply) rounds them, the answer is that of brute force.
///
/// ```
/// use xcollide_bounds::Obb;
/// use xcollide_bvh::Candidates;
/// use xcollide_bvh::binary::{Builder, Bvh, PairTraversal};
/// use xcollide_math::Pose;
///
/// /// Works with any kind of tree.
/// fn triangles_that_coincide(mut trees: impl Candidates, triangles: &[[[f64; 3]; 3]]) -> u64 {
///     trees.count(|a, b| triangles[a as usize] == triangles[b as usize])
/// }
///
/// let strip: Vec<[[f64; 3]; 3]> = (0..50)
///     .map(|i| [0.0, 1.0, 2.0].map(|k| [f64::from(i) + k, k % 2.0, 0.0]))
///     .collect();
/// let tree: Bvh<Obb> = Builder::default().build(&strip)?;
/// let placed = (&tree, &Pose::IDENTITY);
/// assert_eq!(triangles_that_coincide(PairTraversal::new(placed, placed), &strip), 50);
/// # Ok::<(), xcollide_bvh::BuildError>(())
/// ```
pub trait Candidates {
    /// Calls `pair` with pairs of primitives, one of each tree, until it breaks. They include all colliding
    /// pairs; each pair is passed at most once, always in the same order.
    fn candidates(&mut self, pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()>;

    /// The first colliding pair.
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

    /// All colliding pairs, sorted by number.
    fn all(&mut self, mut collide: impl FnMut(u32, u32) -> bool) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        let _ = self.candidates(|a, b| {
            if collide(a, b) {
                found.push((a, b));
            }
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        found
    }

    /// The number of colliding pairs.
    fn count(&mut self, mut collide: impl FnMut(u32, u32) -> bool) -> u64 {
        let mut count = 0;
        let _ = self.candidates(|a, b| {
            count += u64::from(collide(a, b));
            ControlFlow::Continue(())
        });
        count
    }
}
