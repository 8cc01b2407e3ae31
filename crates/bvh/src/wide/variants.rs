//! The hierarchy that takes less memory than [`WideTree`](super::WideTree), and more time.

use std::ops::ControlFlow;

use super::compact::CompactNode;
use super::packed::Packed;
use super::sealed::Hierarchy;
use super::{
    Tally, Traversal, Visit, WideHierarchy, WideOptions, WidePlaced, WideTree, cut, search,
    search_below, search_segment,
};
use crate::NodePair;

/// An 8-wide hierarchy of oriented boxes in numbers of 16 bits, with up to four triangles a leaf:
/// a third of the memory of [`WideTree`] (about 20 bytes a triangle), and queries that take 15 to
/// 40 % longer.
///
/// For many large models, or where caches are small. It is built from the same binary hierarchy,
/// and queried by the same functions.
///
/// ```
/// use xcollide_bounds::Motion;
/// use xcollide_bvh::wide::{self, CompactTree, Traversal, WideOptions, WidePlaced};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = CompactTree::build(&positions, &triangles, WideOptions::default());
/// let here = WidePlaced { tree: &tree, motion: Motion::IDENTITY };
/// let any = |_, _| true; // An exact test belongs here.
/// assert!(wide::first_hit(here, here, &mut Traversal::new(), any).is_some());
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct CompactTree(Packed<CompactNode>);

macro_rules! variant {
    ($tree:ty) => {
        impl $tree {
            /// Builds the hierarchy of triangles given by three positions each. O(n log n).
            ///
            /// Deterministic, as [`WideTree::build`] is.
            ///
            /// # Panics
            /// A triangle refers to a position that does not exist, or there are half a billion
            /// triangles (2²⁹ − 1) or more.
            #[must_use]
            pub fn build(
                positions: &[[f64; 3]],
                triangles: &[[u32; 3]],
                options: WideOptions,
            ) -> Self {
                Self(Packed::build(positions, triangles, options))
            }

            /// Fits the volumes anew to moved positions of the same triangles, as
            /// [`WideTree::refit`] does.
            ///
            /// # Panics
            /// There are not as many triangles as before, or one refers to a position that does not
            /// exist.
            pub fn refit(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
                self.0.refit(positions, triangles);
            }

            /// Triangles in the tree.
            #[must_use]
            pub fn triangle_count(&self) -> usize {
                self.0.triangle_count()
            }

            /// Memory of the nodes and of the order of the triangles, in bytes.
            #[must_use]
            pub fn bytes(&self) -> usize {
                self.0.bytes()
            }
        }

        impl WideHierarchy for $tree {}

        impl Hierarchy for $tree {
            #[inline]
            fn candidates<T: Tally>(
                a: WidePlaced<'_, Self>,
                b: WidePlaced<'_, Self>,
                traversal: &mut Traversal,
                tally: &mut T,
                visit: &mut impl Visit,
            ) -> ControlFlow<()> {
                search((&a.tree.0, &a.motion), (&b.tree.0, &b.motion), traversal, tally, visit)
            }

            #[inline]
            fn parts<T: Tally>(
                a: WidePlaced<'_, Self>,
                b: WidePlaced<'_, Self>,
                at_least: usize,
                traversal: &mut Traversal,
                tally: &mut T,
                parts: &mut Vec<NodePair>,
            ) -> ControlFlow<()> {
                cut(
                    (&a.tree.0, &a.motion),
                    (&b.tree.0, &b.motion),
                    at_least,
                    traversal,
                    tally,
                    parts,
                )
            }

            #[inline]
            fn candidates_below<T: Tally>(
                part: NodePair,
                a: WidePlaced<'_, Self>,
                b: WidePlaced<'_, Self>,
                traversal: &mut Traversal,
                tally: &mut T,
                visit: &mut impl Visit,
            ) -> ControlFlow<()> {
                search_below(
                    part,
                    (&a.tree.0, &a.motion),
                    (&b.tree.0, &b.motion),
                    traversal,
                    tally,
                    visit,
                )
            }

            #[inline]
            fn segment_query(
                placed: WidePlaced<'_, Self>,
                segment: [[f64; 3]; 2],
                traversal: &mut Traversal,
                visit: impl FnMut(u32) -> ControlFlow<()>,
            ) -> ControlFlow<()> {
                search_segment((&placed.tree.0, &placed.motion), segment, traversal, visit)
            }
        }
    };
}

variant!(CompactTree);

impl WideHierarchy for WideTree {}

impl Hierarchy for WideTree {
    #[inline]
    fn candidates<T: Tally>(
        a: WidePlaced<'_>,
        b: WidePlaced<'_>,
        traversal: &mut Traversal,
        tally: &mut T,
        visit: &mut impl Visit,
    ) -> ControlFlow<()> {
        search((a.tree, &a.motion), (b.tree, &b.motion), traversal, tally, visit)
    }

    #[inline]
    fn parts<T: Tally>(
        a: WidePlaced<'_, Self>,
        b: WidePlaced<'_, Self>,
        at_least: usize,
        traversal: &mut Traversal,
        tally: &mut T,
        parts: &mut Vec<NodePair>,
    ) -> ControlFlow<()> {
        cut((a.tree, &a.motion), (b.tree, &b.motion), at_least, traversal, tally, parts)
    }

    #[inline]
    fn candidates_below<T: Tally>(
        part: NodePair,
        a: WidePlaced<'_, Self>,
        b: WidePlaced<'_, Self>,
        traversal: &mut Traversal,
        tally: &mut T,
        visit: &mut impl Visit,
    ) -> ControlFlow<()> {
        search_below(part, (a.tree, &a.motion), (b.tree, &b.motion), traversal, tally, visit)
    }

    #[inline]
    fn segment_query(
        placed: WidePlaced<'_, Self>,
        segment: [[f64; 3]; 2],
        traversal: &mut Traversal,
        visit: impl FnMut(u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        search_segment((placed.tree, &placed.motion), segment, traversal, visit)
    }
}
