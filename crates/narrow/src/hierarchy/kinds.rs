//! Which hierarchies there are: the kinds of [`xcollide_bvh`], each with the name of its
//! algorithm.

use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, BoundingVolume, KDop, Obb, Sphere};
use xcollide_bvh::binary::{Builder, Bvh, Fit, OverlapVisitor, PairTraversal};
use xcollide_bvh::wide::{self, CompactTree, Traversal, Visit, WideOptions, WidePlaced, WideTree};
use xcollide_bvh::{Counter, NodePair};

use super::Hierarchy;
use super::coherent::Coherence;
use super::tree_builder::TreeBuilder;
use crate::{Model, Pose};

/// The triangles of a model by their corners.
pub(crate) fn triangles(model: &Model) -> Vec<[[f64; 3]; 3]> {
    let positions = model.mesh().positions();
    let corners = model.triangulation().triangles().iter();
    corners.map(|corners| corners.map(|vertex| positions[vertex.index()])).collect()
}

/// The triangles of a model by the numbers of their corners.
pub(crate) fn corners(model: &Model) -> Vec<[u32; 3]> {
    model.triangulation().triangles().iter().map(|t| t.map(|vertex| vertex.0)).collect()
}

macro_rules! wide_hierarchy {
    ($tree:ty, $name:literal $($more:tt)*) => {
        impl Hierarchy for $tree {
            const NAME: &'static str = $name;
            const PARTS: bool = true;
            const FAST_RAYS: bool = true;
            const KIND: &'static str = "an 8-wide tree";
            type Settings = WideOptions;
            type Scratch = Traversal;

            fn settings(builder: &TreeBuilder) -> Option<WideOptions> {
                match builder {
                    TreeBuilder::Wide(options) => Some(*options),
                    _ => None,
                }
            }

            fn build(model: &Model, settings: &WideOptions) -> Option<Self> {
                /// What the nodes of this hierarchy can number.
                const LIMIT: usize = (1 << 29) - 1;
                let corners = corners(model);
                let positions = model.mesh().positions();
                let build = || Self::build(positions, &corners, *settings);
                (corners.len() < LIMIT).then(build)
            }

            fn refitted(&self, moved: &Model) -> Option<Self> {
                let corners = corners(moved);
                let mut tree = self.clone();
                let same = corners.len() == tree.triangle_count();
                same.then(|| tree.refit(moved.mesh().positions(), &corners))?;
                Some(tree)
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
                let a = WidePlaced { tree: a.0, pose: *a.1 };
                let b = WidePlaced { tree: b.0, pose: *b.1 };
                // The visitor knows whether it broke off.
                let _ = wide::candidates(a, b, scratch, work, visit);
            }

            fn parts(
                a: (&Self, &Pose),
                b: (&Self, &Pose),
                at_least: usize,
                scratch: &mut Traversal,
                work: &mut impl Counter,
                parts: &mut Vec<NodePair>,
            ) {
                let (a, b) = (
                    WidePlaced { tree: a.0, pose: *a.1 },
                    WidePlaced { tree: b.0, pose: *b.1 },
                );
                let _ = wide::parts(a, b, at_least, scratch, work, parts);
            }

            fn candidates_below(
                part: NodePair,
                a: (&Self, &Pose),
                b: (&Self, &Pose),
                scratch: &mut Traversal,
                work: &mut impl Counter,
                visit: impl Visit,
            ) {
                let (a, b) = (
                    WidePlaced { tree: a.0, pose: *a.1 },
                    WidePlaced { tree: b.0, pose: *b.1 },
                );
                let _ = wide::candidates_below(part, a, b, scratch, work, visit);
            }

            #[inline]
            fn along(
                placed: (&Self, &Pose),
                segment: [[f64; 3]; 2],
                scratch: &mut Traversal,
                mut found: impl FnMut(u32),
            ) -> bool {
                let placed = WidePlaced { tree: placed.0, pose: *placed.1 };
                let _ = wide::segment_query(placed, segment, scratch, |triangle| {
                    found(triangle);
                    ControlFlow::Continue(())
                });
                true
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
        coherence: &mut Coherence,
        scratch: &mut Traversal,
        work: &mut impl Counter,
        mut visit: impl Visit,
        world: impl FnMut(u32, u32) -> [[[f64; 3]; 3]; 2],
    ) {
        coherence.search_wide(a, b, scratch, work, |s, t| visit.pair(s, t), world);
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
    const PARTS: bool = true;
    const KIND: &'static str = "a binary tree";
    type Settings = Builder;
    type Scratch = ();

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
    fn refitted(&self, moved: &Model) -> Option<Self> {
        let mut tree = self.clone();
        tree.refit(&triangles(moved), Fit::Tight).ok()?;
        Some(tree)
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn candidates(
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let _ = PairTraversal::new(a, b)
            .counting(work)
            .visit(&mut OverlapVisitor(|s, t| visit.pair(s, t)));
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

    fn candidates_below(
        part: NodePair,
        a: (&Self, &Pose),
        b: (&Self, &Pose),
        _: &mut (),
        work: &mut impl Counter,
        mut visit: impl Visit,
    ) {
        let _ =
            PairTraversal::new(a, b).counting(work).candidates_below(part, |s, t| visit.pair(s, t));
    }

    fn along(
        (tree, motion): (&Self, &Pose),
        segment: [[f64; 3]; 2],
        _: &mut (),
        mut found: impl FnMut(u32),
    ) -> bool {
        let _ = tree.segment_query(motion, segment, |triangle| {
            found(triangle);
            ControlFlow::Continue(())
        });
        true
    }
}
