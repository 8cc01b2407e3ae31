//! Wide hierarchies that take less memory than [`Wide`](crate::mesh::Wide)'s.

use std::ops::ControlFlow;

use xcollide_bounds::Motion;
use xcollide_bvh::NodePair;
use xcollide_bvh::wide::{self, CompactTree, Traversal, Visit, WideOptions, WidePlaced};

use super::Hierarchy;
use super::kinds::corners;
use super::tree_builder::TreeBuilder;
use crate::Model;
use xcollide_bvh::Counter;

macro_rules! hierarchy {
    ($tree:ty, $name:literal) => {
        impl Hierarchy for $tree {
            const NAME: &'static str = $name;
            const PARTS: bool = true;
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
                a: (&Self, &Motion),
                b: (&Self, &Motion),
                scratch: &mut Traversal,
                work: &mut impl Counter,
                visit: impl Visit,
            ) {
                let a = WidePlaced { tree: a.0, motion: *a.1 };
                let b = WidePlaced { tree: b.0, motion: *b.1 };
                // Who broke off knows it.
                let _ = wide::candidates(a, b, scratch, work, visit);
            }

            fn parts(
                a: (&Self, &Motion),
                b: (&Self, &Motion),
                at_least: usize,
                scratch: &mut Traversal,
                work: &mut impl Counter,
                parts: &mut Vec<NodePair>,
            ) {
                let (a, b) = (
                    WidePlaced { tree: a.0, motion: *a.1 },
                    WidePlaced { tree: b.0, motion: *b.1 },
                );
                let _ = wide::parts(a, b, at_least, scratch, work, parts);
            }

            fn candidates_below(
                part: NodePair,
                a: (&Self, &Motion),
                b: (&Self, &Motion),
                scratch: &mut Traversal,
                work: &mut impl Counter,
                visit: impl Visit,
            ) {
                let (a, b) = (
                    WidePlaced { tree: a.0, motion: *a.1 },
                    WidePlaced { tree: b.0, motion: *b.1 },
                );
                let _ = wide::candidates_below(part, a, b, scratch, work, visit);
            }

            #[inline]
            fn along(
                placed: (&Self, &Motion),
                segment: [[f64; 3]; 2],
                scratch: &mut Traversal,
                mut found: impl FnMut(u32),
            ) -> bool {
                let placed = WidePlaced { tree: placed.0, motion: *placed.1 };
                let _ = wide::segment_query(placed, segment, scratch, |triangle| {
                    found(triangle);
                    ControlFlow::Continue(())
                });
                true
            }
        }
    };
}

hierarchy!(CompactTree, "wide-compact");
