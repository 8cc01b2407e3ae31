//! The hierarchies of [`xcollide_bvh`] and the names of their algorithms. An early exit of a traversal
//! is recorded by the visitor or the counter, so its result is dropped.

use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_bvh::binary::{Builder, Bvh, Fit, OverlapVisitor, PairTraversal};
use xcollide_bvh::levels::LevelFront;
use xcollide_bvh::wide::{
    self, CompactTree, TemporalFront, Traversal, Visit, WideOptions, WideTree,
};
use xcollide_bvh::{Counter, NodePair};
use xcollide_predicates::Point;

use super::tree_builder::TreeBuilder;
use super::{Hierarchy, coherent_by_levels};
use crate::{Model, Pose};

/// The corners of the triangles of a model.
pub(crate) fn triangles(model: &Model) -> Vec<[Point; 3]> {
    let positions = model.mesh().positions();
    let corners = model.triangulation().triangles().iter();
    corners.map(|corners| corners.map(|vertex| positions[vertex.index()])).collect()
}

/// The vertex numbers of the triangles of a model.
pub(crate) fn corners(model: &Model) -> Vec<[u32; 3]> {
    model.triangulation().triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect()
}

macro_rules! wide_hierarchy {
    ($tree:ty, $name:literal $($more:tt)*) => {
        impl Hierarchy for $tree {
            const NAME: &'static str = $name;
            const FAST_RAYS: bool = true;
            const KIND: &'static str = "an 8-wide tree";
            type Settings = WideOptions;
            type Scratch = Traversal;
            type Part = NodePair;
            type Front = TemporalFront;

            fn settings(builder: &TreeBuilder) -> Option<WideOptions> {
                match builder {
                    TreeBuilder::Wide(options) => Some(*options),
                    _ => None,
                }
            }

            fn build(model: &Model, settings: &WideOptions) -> Option<Self> {
                /// The most triangles that the nodes can number.
                const LIMIT: usize = (1 << 29) - 1;
                let corners = corners(model);
                let positions = model.mesh().positions();
                let build = || Self::build(positions, &corners, *settings);
                (corners.len() < LIMIT).then(build)
            }

            fn refit_to(&mut self, moved: &Model, _: &WideOptions, triangles_kept: bool) -> bool {
                let triangles = moved.triangulation().triangles();
                let same = triangles.len() == self.triangle_count();
                if same {
                    let corners = |number: u32| triangles[number as usize].map(|vertex| vertex.0);
                    let positions = moved.mesh().positions();
                    self.refit_by(positions, triangles.len(), &corners, triangles_kept);
                }
                same
            }

            fn memory(&self) -> usize {
                self.bytes()
            }

            #[inline]
            fn candidates(
                a: (&Self, &Pose),
                b: (&Self, &Pose),
                scratch: &mut Traversal,
                work: &mut impl Counter,
                visit: impl Visit,
            ) {
                let _ = wide::candidates(a, b, scratch, work, visit);
            }

            fn candidates_below(
                part: &NodePair,
                a: (&Self, &Pose),
                b: (&Self, &Pose),
                scratch: &mut Traversal,
                work: &mut impl Counter,
                visit: impl Visit,
            ) {
                let _ = wide::candidates_below(*part, a, b, scratch, work, visit);
            }

            fn parts(
                a: (&Self, &Pose),
                b: (&Self, &Pose),
                at_least: usize,
                scratch: &mut Traversal,
                work: &mut impl Counter,
                parts: &mut Vec<NodePair>,
            ) {
                let _ = wide::parts(a, b, at_least, scratch, work, parts);
            }

            #[inline]
            fn along(
                tree: (&Self, &Pose),
                segment: [Point; 2],
                scratch: &mut Traversal,
                found: &mut Vec<u32>,
            ) -> bool {
                wide::segment_query(tree, segment, scratch, |triangle| {
                    found.push(triangle);
                    ControlFlow::Continue(())
                })
                .is_continue()
            }

            $($more)*
        }
    };
}

wide_hierarchy!(CompactTree, "wide-compact");
wide_hierarchy!(
    WideTree,
    "wide-obb"

    #[inline]
    fn coherent(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        front: &mut TemporalFront,
        scratch: &mut Traversal,
        work: &mut impl Counter,
        mut visit: impl Visit,
        world: &mut dyn FnMut(u32, u32) -> [[Point; 3]; 2],
    ) {
        let _ = front.search(a, b, scratch, work, &mut |s, t| visit.pair(s, t), world);
    }
);

/// The names of the binary trees by their volumes.
pub trait TreeVolume: BoundingVolume {
    /// The name of the algorithm.
    const TREE_NAME: &'static str;
}

impl TreeVolume for Obb {
    const TREE_NAME: &'static str = "obb-tree";
}

impl TreeVolume for Aabb {
    const TREE_NAME: &'static str = "aabb-tree";
}

impl TreeVolume for KDop<18> {
    const TREE_NAME: &'static str = "kdop-tree";
}

impl TreeVolume for Sphere {
    const TREE_NAME: &'static str = "sphere-tree";
}

impl<V: TreeVolume> Hierarchy for Bvh<V> {
    const NAME: &'static str = V::TREE_NAME;
    const KIND: &'static str = "a binary tree";
    type Settings = Builder;
    type Scratch = ();
    type Part = NodePair;
    type Front = LevelFront<V>;

    fn settings(builder: &TreeBuilder) -> Option<Builder> {
        match builder {
            TreeBuilder::Binary(builder) => Some(*builder),
            _ => None,
        }
    }

    fn build(model: &Model, builder: &Builder) -> Option<Self> {
        #[cfg(feature = "parallel")]
        let builder = builder.parallel(true);
        builder.build(&triangles(model)).ok()
    }

    /// Fitted as tightly as a new tree, in O(n · depth).
    fn refit_to(&mut self, moved: &Model, builder: &Builder, _: bool) -> bool {
        #[cfg(feature = "parallel")]
        let builder = &builder.parallel(true);
        let triangles = triangles(moved);
        self.refit(&triangles, Fit::Tight).is_ok() && self.rebuild_worn(&triangles, builder).is_ok()
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    #[inline]
    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let mut traversal = PairTraversal::new(a, b).counting(work);
        let _ = traversal.visit(&mut OverlapVisitor(|s, t| visit.pair(s, t)));
    }

    fn candidates_below(
        part: &NodePair,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let mut traversal = PairTraversal::new(a, b).counting(work);
        let _ = traversal.candidates_below(*part, |s, t| visit.pair(s, t));
    }

    fn parts(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        at_least: usize,
        _: &mut (),
        work: &mut impl Counter,
        parts: &mut Vec<NodePair>,
    ) {
        let _ = PairTraversal::new(a, b).counting(work).parts(at_least, parts);
    }

    fn coherent(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        front: &mut Self::Front,
        scratch: &mut Self::Scratch,
        work: &mut impl Counter,
        visit: impl Visit,
        _: &mut dyn FnMut(u32, u32) -> [[Point; 3]; 2],
    ) {
        coherent_by_levels(a, b, front, scratch, work, visit);
    }

    fn along(
        (tree, pose): (&Self, &Pose),
        segment: [Point; 2],
        _: &mut (),
        found: &mut Vec<u32>,
    ) -> bool {
        tree.segment_query(pose, segment, |triangle| {
            found.push(triangle);
            ControlFlow::Continue(())
        })
        .is_continue()
    }
}
