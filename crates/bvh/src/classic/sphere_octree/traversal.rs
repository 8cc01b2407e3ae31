//! The simultaneous descent of two sphere trees.

use std::ops::ControlFlow;

use xcollide_bounds::{BoundingVolume, Sphere};
use xcollide_math::Pose;

use super::{SphereOctree, TRUSTED};
use crate::classic::cut_tree::every_pair;
use crate::classic::pair_set::PairSet;
use crate::{Candidates, Counter};

/// Two sphere trees at two poses: see [`Candidates`].
#[derive(Debug)]
pub struct SphereOctreeTraversal<'a, C = ()> {
    trees: [&'a SphereOctree; 2],
    relative: Pose,
    margin: f64,
    into_first: <Sphere as BoundingVolume>::Prepared,
    is_trusted: bool,
    counter: C,
}

impl<'a> SphereOctreeTraversal<'a> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a SphereOctree, &Pose), b: (&'a SphereOctree, &Pose)) -> Self {
        let ((a, pose_a), (b, pose_b)) = (a, b);
        let margin = Pose::relative_margin(pose_a, pose_b, a.reach, b.reach);
        let relative = Pose::relative(pose_a, pose_b);
        let into_first = Sphere::prepare(&relative, margin);
        let translations = [pose_a, pose_b].map(Pose::translation);
        let coordinates = translations.as_flattened().iter().chain([&a.reach, &b.reach]);
        let is_trusted = { coordinates }.all(|value| value.abs() < TRUSTED);
        Self { trees: [a, b], relative, margin, into_first, is_trusted, counter: () }
    }
}

impl<'a, C: Counter> SphereOctreeTraversal<'a, C> {
    /// Counts tests, and may end the traversal.
    #[must_use]
    pub fn counting<D: Counter>(self, counter: D) -> SphereOctreeTraversal<'a, D> {
        let Self { trees, relative, margin, into_first, is_trusted, counter: _ } = self;
        SphereOctreeTraversal { trees, relative, margin, into_first, is_trusted, counter }
    }

    /// Also visits what is no farther apart than `distance` in the world.
    #[must_use]
    pub fn widened(mut self, distance: f64) -> Self {
        // Rotations are orthonormal up to 1e-6.
        self.into_first = Sphere::prepare(&self.relative, self.margin + 1.0001 * distance);
        self
    }
}

/// Pairs of triangles whose leaves have spheres that may meet, each once even if several leaves list them. Of two spheres
/// that can be opened, the larger one is.
impl<C: Counter> Candidates for SphereOctreeTraversal<'_, C> {
    fn candidates(&mut self, mut pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let [a, b] = self.trees;
        if !self.is_trusted {
            return every_pair([a.triangles, b.triangles], &mut self.counter, pair);
        }
        if a.nodes.is_empty() || b.nodes.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut seen = PairSet::default();
        let mut waiting = vec![[0, 0]];
        while let Some([i, j]) = waiting.pop() {
            let (of_a, of_b) = (&a.nodes[i as usize], &b.nodes[j as usize]);
            self.counter.volumes(1);
            if !of_a.sphere.overlaps(&of_b.sphere.moved(&self.into_first)) {
                continue;
            }
            if self.counter.go_on().is_break() {
                self.counter
                    .left(waiting.len() + 1, || Some((a.first_below(i)?, b.first_below(j)?)));
                return ControlFlow::Break(());
            }
            if of_a.is_leaf && of_b.is_leaf {
                for &s in &a.list[of_a.range()] {
                    for &t in &b.list[of_b.range()] {
                        if seen.is_new(s, t) {
                            self.counter.primitives(1);
                            pair(s, t)?;
                        }
                    }
                }
                continue;
            }
            let opens_b = of_a.is_leaf || !of_b.is_leaf && of_b.sphere.radius > of_a.sphere.radius;
            if opens_b {
                waiting.extend((of_b.first..of_b.first + of_b.count).rev().map(|j| [i, j]));
            } else {
                waiting.extend((of_a.first..of_a.first + of_a.count).rev().map(|i| [i, j]));
            }
        }
        ControlFlow::Continue(())
    }
}
