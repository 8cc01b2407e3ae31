//! The fastest bounding volume hierarchy (BVH) here: eight oriented boxes a node, tested at once.
//!
//! A binary hierarchy by the surface area heuristic, down to single triangles, is collapsed to
//! nodes of eight children by dynamic programming (Ylitie, Karras and Laine 2017). Each child has
//! an oriented box in f32 (Gottschalk, Lin and Manocha 1996), fitted several ways. Two hierarchies
//! are descended together; one box of the one, moved into the frame of the other, is tested against
//! eight boxes of the other by one sequence of SIMD instructions. What is left over are pairs of
//! triangles for an exact test.
//!
//! Boxes only filter: their f32 arithmetic has a proven margin (the head of `passage`), so no pair
//! of triangles with a common point is ever lost, wherever the models are and however large.
//! With and without SIMD instructions the same bits are computed, so even the order of the pairs
//! does not depend on the machine.

mod binary;
mod clusters;
mod collapse;
mod compact_node;
mod compact_tree;
mod descent;
mod fit;
mod kernel;
mod levels;
mod morton;
mod node;
mod principal;
mod relative_transform;
mod sah;
mod sample;
mod segment_query;
mod split_search;
#[cfg(feature = "serde")]
mod stored;
mod temporal_front;
mod tree;
mod unit;
mod vector;
mod visit;

use std::ops::ControlFlow;

use xcollide_bounds::Motion;
use xcollide_simd::{SimdLevel, dispatch_up_to, prefetch};

pub use binary::WideSplit;
pub use compact_tree::CompactTree;
pub use fit::Fit;
pub use temporal_front::TemporalFront;
pub use tree::{WideOptions, WideTree};
pub use visit::{Visit, each_pair};

use descent::{Descent, Entry};
use node::Tree;
use relative_transform::PlacedTrees;
use segment_query::{SegmentQuery, probe};
use split_search::{SearchBelow, SplitSearch};

use crate::{Counter, NodePair};

/// A hierarchy, [`WideTree`] or another kind, and where its model is.
#[derive(Debug)]
pub struct WidePlaced<'a, H = WideTree> {
    /// The hierarchy.
    pub tree: &'a H,
    /// From the model's frame to the world. What the margin covers is that the caller moves each
    /// corner by [`Motion::apply`].
    pub motion: Motion,
}

impl<H> Clone for WidePlaced<'_, H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for WidePlaced<'_, H> {}

/// The kinds of hierarchy that the queries here accept: [`WideTree`] and [`CompactTree`].
pub trait WideHierarchy: Tree {}

impl WideHierarchy for WideTree {}
impl WideHierarchy for CompactTree {}

/// Memory of queries, used again from one to the next, and the choice of instructions.
#[derive(Clone, Debug, Default)]
pub struct Traversal {
    stack: Vec<Entry>,
    portable: bool,
}

impl Traversal {
    /// Empty memory; the instructions are the best that the processor has.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty memory; no instructions that not every processor of the target has. For comparison.
    #[must_use]
    pub fn portable() -> Self {
        Self { portable: true, ..Self::default() }
    }

    #[inline(always)]
    fn limit(&self) -> SimdLevel {
        if self.portable { SimdLevel::Portable } else { SimdLevel::Avx512 }
    }
}

/// A pair of triangles (numbers in the first and in the second mesh) for which `exact` holds, or
/// `None` if there is no such pair.
///
/// `exact` has to say whether two triangles have a common point, over world coordinates that come
/// from [`Motion::apply`]; it is asked about pairs whose boxes overlap until it says yes. Which
/// pair is found is the same on every machine.
///
/// ```
/// use xcollide_bounds::Motion;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WidePlaced, WideTree};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
///
/// let here = WidePlaced { tree: &tree, motion: Motion::IDENTITY };
/// let mut traversal = Traversal::new();
/// let mut meets = |x: f64| {
///     let mut there = here;
///     there.motion.translation = [x, 0.0, 0.0];
///     let world = |placed: &WidePlaced<'_>, triangle: u32| {
///         triangles[triangle as usize].map(|corner| placed.motion.apply(positions[corner as usize]))
///     };
///     let exact = |s, t| triangles_intersect(&world(&here, s), &world(&there, t));
///     wide::first_hit(here, there, &mut traversal, exact).is_some()
/// };
/// assert!(meets(1.0), "touching is meeting");
/// assert!(!meets(1.0_f64.next_up()));
/// ```
pub fn first_hit<H: WideHierarchy>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    mut exact: impl FnMut(u32, u32) -> bool,
) -> Option<(u32, u32)> {
    let mut hit = None;
    // Whether the descent was broken off is told by the hit.
    let _ = candidates(a, b, traversal, &mut (), |s, t| {
        if exact(s, t) {
            hit = Some((s, t));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    hit
}

/// Shows `visit` every pair of triangles for which `exact` holds, each once, in the same order on
/// every machine, until it breaks off.
pub fn all_hits<H: WideHierarchy>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    mut exact: impl FnMut(u32, u32) -> bool,
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    candidates(a, b, traversal, &mut (), |s, t| {
        if exact(s, t) { visit(s, t) } else { ControlFlow::Continue(()) }
    })
}

/// Shows `visit` every pair of triangles whose boxes overlap, each once, until it breaks off: among
/// them are all pairs with a common point in the world. What the others are made from.
#[inline]
pub fn candidates<H: WideHierarchy, T: Counter>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    counter: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    // The first nodes may have to come from memory: they do while the transforms are computed.
    for node in a.tree.nodes().iter().take(2).chain(b.tree.nodes().iter().take(2)) {
        prefetch(node);
    }
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    let descent = Descent { trees: &trees, counter, visit: &mut visit };
    dispatch_up_to(traversal.limit(), descent)
}

/// Cuts the search for candidates into parts, breadth first, until there are `at_least` so many or
/// nothing is left to cut; there are less than eight times as many. The parts are written after those
/// that are in `parts` already: the one that [`candidates`] looks into first comes first, and so on.
/// Together with [`candidates_below`] of each, the same tests are made as by [`candidates`]; the break
/// of the counter is passed on, and no parts are written then.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::Motion;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WidePlaced, WideTree};
///
/// let positions: Vec<[f64; 3]> =
///     (0..102).map(|i| [f64::from(i), f64::from(i % 2), f64::from(i % 3)]).collect();
/// let triangles: Vec<[u32; 3]> = (0..100).map(|i| [i, i + 1, i + 2]).collect();
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// let here = WidePlaced { tree: &tree, motion: Motion::IDENTITY };
/// let (mut traversal, mut whole, mut in_parts) = (Traversal::new(), Vec::new(), Vec::new());
/// let list = |pairs: &mut Vec<(u32, u32)>, s, t| {
///     pairs.push((s, t));
///     ControlFlow::Continue(())
/// };
/// let _ = wide::candidates(here, here, &mut traversal, &mut (), |s, t| list(&mut whole, s, t));
///
/// let mut parts = Vec::new();
/// let _ = wide::parts(here, here, 10, &mut traversal, &mut (), &mut parts);
/// assert!((10..80).contains(&parts.len()));
/// for part in parts {
///     let visit = |s, t| list(&mut in_parts, s, t);
///     let _ = wide::candidates_below(part, here, here, &mut traversal, &mut (), visit);
/// }
/// assert_eq!(in_parts, whole);
/// ```
pub fn parts<H: WideHierarchy, T: Counter>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    at_least: usize,
    traversal: &mut Traversal,
    counter: &mut T,
    parts: &mut Vec<NodePair>,
) -> ControlFlow<()> {
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    dispatch_up_to(traversal.limit(), SplitSearch { trees: &trees, at_least, counter, parts })
}

/// What [`candidates`] shows below a [part](parts) of the search.
pub fn candidates_below<H: WideHierarchy, T: Counter>(
    part: NodePair,
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    counter: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    let below = SearchBelow { part, trees: &trees, counter, visit: &mut visit };
    dispatch_up_to(traversal.limit(), below)
}

/// Shows `visit` the triangles whose boxes a segment in the world meets, each once, until it breaks
/// off: among them are all that have a point in common with it, over world coordinates that come from
/// [`Motion::apply`]. The segment is closed, and may be a point.
///
/// For rays, which are as long as the model's box: some dozen nodes of a million triangles. Nothing is
/// built or allocated.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bounds::Motion;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WidePlaced, WideTree};
///
/// let positions: Vec<[f64; 3]> =
///     (0..102).map(|i| [f64::from(i), f64::from(i % 2), f64::from(i % 3)]).collect();
/// let triangles: Vec<[u32; 3]> = (0..100).map(|i| [i, i + 1, i + 2]).collect();
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// let mut found = Vec::new();
/// let across = [[50.0, 0.5, -9.0], [50.0, 0.5, 9.0]];
/// let placed = WidePlaced { tree: &tree, motion: Motion::IDENTITY };
/// let _ = wide::segment_query(placed, across, &mut Traversal::new(), |triangle| {
///     found.push(triangle);
///     ControlFlow::Continue(())
/// });
/// assert!(found.contains(&49) && found.iter().all(|triangle| (45..55).contains(triangle)));
/// ```
#[inline]
pub fn segment_query<H: WideHierarchy>(
    placed: WidePlaced<'_, H>,
    segment: [[f64; 3]; 2],
    traversal: &mut Traversal,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for node in placed.tree.nodes().iter().take(2) {
        prefetch(node);
    }
    match probe(placed.tree, &placed.motion, segment) {
        Some(probe) => {
            let query = SegmentQuery { tree: placed.tree, probe, visit };
            dispatch_up_to(traversal.limit(), query)
        }
        None => ControlFlow::Continue(()),
    }
}
