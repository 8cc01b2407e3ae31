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
mod compact;
mod descent;
mod fit;
mod kernel;
mod levels;
mod morton;
mod node;
mod packed;
mod parts;
mod principal;
mod relative_transform;
mod sah;
mod sample;
mod segment_query;
#[cfg(feature = "serde")]
mod stored;
mod temporal_front;
mod tree;
mod unit;
mod variants;
mod vector;
mod visit;

use std::ops::ControlFlow;

use xcollide_bounds::Motion;
use xcollide_simd::{SimdLevel, dispatch_up_to, prefetch};

pub use binary::WideSplit;
pub use fit::Fit;
pub use temporal_front::TemporalFront;
pub use tree::{WideOptions, WideTree};
pub use variants::CompactTree;
pub use visit::{Visit, each_pair};

use descent::{Descent, Entry};
use node::Tree;
use parts::{Below, Cut};
use relative_transform::PairTraversal;
use segment_query::{Along, probe};

use crate::NodePair;

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
pub trait WideHierarchy: sealed::Hierarchy {}

mod sealed {
    use std::ops::ControlFlow;

    use super::{Tally, Traversal, Visit, WidePlaced};
    use crate::NodePair;

    /// What a kind of hierarchy can do. That is no one else's to implement.
    pub trait Hierarchy: Sized {
        fn parts<T: Tally>(
            a: WidePlaced<'_, Self>,
            b: WidePlaced<'_, Self>,
            at_least: usize,
            traversal: &mut Traversal,
            tally: &mut T,
            parts: &mut Vec<NodePair>,
        ) -> ControlFlow<()>;

        fn candidates_below<T: Tally>(
            part: NodePair,
            a: WidePlaced<'_, Self>,
            b: WidePlaced<'_, Self>,
            traversal: &mut Traversal,
            tally: &mut T,
            visit: &mut impl Visit,
        ) -> ControlFlow<()>;

        fn candidates<T: Tally>(
            a: WidePlaced<'_, Self>,
            b: WidePlaced<'_, Self>,
            traversal: &mut Traversal,
            tally: &mut T,
            visit: &mut impl Visit,
        ) -> ControlFlow<()>;

        fn segment_query(
            placed: WidePlaced<'_, Self>,
            segment: [[f64; 3]; 2],
            traversal: &mut Traversal,
            visit: impl FnMut(u32) -> ControlFlow<()>,
        ) -> ControlFlow<()>;
    }
}

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

/// Counts the work of a query. `()` counts nothing, at no cost.
pub trait Tally {
    /// So many pairs of boxes were tested (`N_V` of the cost model).
    fn boxes(&mut self, count: u64);
    /// So many pairs of triangles were tested (`N_P` of the cost model).
    fn triangles(&mut self, count: u64);
    /// Asked for every pair of boxes that is looked into: a break ends the query, for instance
    /// because time is up.
    #[inline(always)]
    fn go_on(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl Tally for () {
    #[inline(always)]
    fn boxes(&mut self, _: u64) {}

    #[inline(always)]
    fn triangles(&mut self, _: u64) {}
}

/// The work of one query or several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideStatistics {
    /// Pairs of boxes tested; a node counts eight.
    pub boxes: u64,
    /// Pairs of triangles tested.
    pub triangles: u64,
}

impl Tally for WideStatistics {
    fn boxes(&mut self, count: u64) {
        self.boxes += count;
    }

    fn triangles(&mut self, count: u64) {
        self.triangles += count;
    }
}

impl<T: Tally> Tally for &mut T {
    #[inline(always)]
    fn boxes(&mut self, count: u64) {
        (**self).boxes(count);
    }

    #[inline(always)]
    fn triangles(&mut self, count: u64) {
        (**self).triangles(count);
    }

    #[inline(always)]
    fn go_on(&mut self) -> ControlFlow<()> {
        (**self).go_on()
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
pub fn candidates<H: WideHierarchy, T: Tally>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    tally: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    H::candidates(a, b, traversal, tally, &mut visit)
}

/// Cuts the search for candidates into parts, breadth first, until there are `at_least` so many or
/// nothing is left to cut; there are less than eight times as many. The parts are written after those
/// that are in `parts` already: the one that [`candidates`] looks into first comes first, and so on.
/// Together with [`candidates_below`] of each, the same tests are made as by [`candidates`]; the break
/// of the tally is passed on, and no parts are written then.
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
pub fn parts<H: WideHierarchy, T: Tally>(
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    at_least: usize,
    traversal: &mut Traversal,
    tally: &mut T,
    parts: &mut Vec<NodePair>,
) -> ControlFlow<()> {
    H::parts(a, b, at_least, traversal, tally, parts)
}

/// What [`candidates`] shows below a [part](parts) of the search.
pub fn candidates_below<H: WideHierarchy, T: Tally>(
    part: NodePair,
    a: WidePlaced<'_, H>,
    b: WidePlaced<'_, H>,
    traversal: &mut Traversal,
    tally: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    H::candidates_below(part, a, b, traversal, tally, &mut visit)
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
pub fn segment_query<H: WideHierarchy>(
    placed: WidePlaced<'_, H>,
    segment: [[f64; 3]; 2],
    traversal: &mut Traversal,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    H::segment_query(placed, segment, traversal, visit)
}

/// A tree and its motion.
type Moved<'a, H> = (&'a H, &'a Motion);

/// The descent.
#[inline]
fn search<H: Tree, T: Tally>(
    (a, a_to_world): Moved<'_, H>,
    (b, b_to_world): Moved<'_, H>,
    traversal: &mut Traversal,
    tally: &mut T,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    // The boxes of the wholes, and what is opened first, may have to come from memory: they do while
    // the ways are found, all at once.
    for node in a.nodes().iter().take(2).chain(b.nodes().iter().take(2)) {
        prefetch(node);
    }
    let Some(pairing) = PairTraversal::new(a, a_to_world, b, b_to_world) else {
        return ControlFlow::Continue(());
    };
    dispatch_up_to(traversal.limit(), Descent { pairing: &pairing, tally, visit })
}

/// Cuts the descent.
fn cut<H: Tree, T: Tally>(
    (a, a_to_world): Moved<'_, H>,
    (b, b_to_world): Moved<'_, H>,
    at_least: usize,
    traversal: &mut Traversal,
    tally: &mut T,
    parts: &mut Vec<NodePair>,
) -> ControlFlow<()> {
    let Some(pairing) = PairTraversal::new(a, a_to_world, b, b_to_world) else {
        return ControlFlow::Continue(());
    };
    dispatch_up_to(traversal.limit(), Cut { pairing: &pairing, at_least, tally, parts })
}

/// A part of the descent.
fn search_below<H: Tree, T: Tally>(
    part: NodePair,
    (a, a_to_world): Moved<'_, H>,
    (b, b_to_world): Moved<'_, H>,
    traversal: &mut Traversal,
    tally: &mut T,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    let Some(pairing) = PairTraversal::new(a, a_to_world, b, b_to_world) else {
        return ControlFlow::Continue(());
    };
    dispatch_up_to(traversal.limit(), Below { part, pairing: &pairing, tally, visit })
}

/// The descent along a segment.
#[inline]
fn search_segment<H: Tree>(
    (tree, to_world): Moved<'_, H>,
    segment: [[f64; 3]; 2],
    traversal: &Traversal,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for node in tree.nodes().iter().take(2) {
        prefetch(node);
    }
    match probe(tree, to_world, segment) {
        Some(probe) => dispatch_up_to(traversal.limit(), Along { tree, probe, visit }),
        None => ControlFlow::Continue(()),
    }
}
