//! Segment query of a binary hierarchy: the primitives along a segment in the world.

use std::ops::ControlFlow;

use xcollide_bounds::BoundingVolume;
use xcollide_math::Pose;

use super::Bvh;
use super::traverse::TRUSTED;

impl<V: BoundingVolume> Bvh<V> {
    /// Calls `found` with the primitives of all leaves whose volumes may meet a segment in the world, each once,
    /// until it breaks. They include all that have a point in common with the segment, with corners
    /// moved by [`Pose::apply`]. `motion` maps the tree's frame to the world. The segment is closed, and may
    /// be a point.
    ///
    /// A volume around the segment is moved into the tree's frame with the margin of a
    /// [`PairTraversal`](crate::binary::PairTraversal).
    pub fn segment_query(
        &self,
        motion: &Pose,
        segment: [[f64; 3]; 2],
        found: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let ends = segment.as_flattened().iter();
        let reach = ends.fold(0.0, |most: f64, x| most.max(x.abs()));
        let small = |value: &f64| value.abs() < TRUSTED;
        if ![self.reach(), reach].iter().chain(&motion.translation()).all(small) {
            return self.search(|_| true, found);
        }
        let margin = Pose::relative_margin(motion, &Pose::IDENTITY, self.reach(), reach);
        let into_tree = V::prepare(&Pose::relative(motion, &Pose::IDENTITY), margin);
        let moved = V::fit(&segment).moved(&into_tree);
        self.search(|volume| volume.overlaps(&moved), found)
    }
}
