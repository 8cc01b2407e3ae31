//! The fastest bounding volume hierarchy (BVH) here: eight oriented boxes a node, tested at once.
//!
//! A binary hierarchy by the surface area heuristic, down to single triangles, is collapsed to nodes of
//! eight children by dynamic programming (Ylitie, Karras and Laine 2017). Each child has an oriented box in
//! f32 (Gottschalk, Lin and Manocha 1996). Two hierarchies are traversed together: one box, moved into the
//! frame of the other tree, is tested against eight boxes at once by SIMD instructions. The remaining pairs
//! of triangles need an exact test.
//!
//! The f32 arithmetic has a proven margin (the head of `relative_transform`), so no pair of triangles with a
//! common point is lost, at any distance and scale. All instruction sets compute the same bits, so the order
//! of pairs does not depend on the machine.

mod best_first;
mod binary;
mod clusters;
mod coarse_descent;
mod collapse;
mod compact_node;
mod corners;
mod descent;
mod few;
mod fit;
mod kernel;
mod least_distance;
mod levels;
mod measure;
mod morton;
mod moving_trees;
mod node;
mod opened_node;
mod ordered_query;
mod primitive;
mod principal;
mod ray_query;
mod refit;
mod refitting;
mod relative_transform;
mod sah;
mod sample;
mod segment_query;
mod self_descent;
mod slots;
mod span;
mod split_search;
#[cfg(feature = "serde")]
mod stored;
mod subtree;
mod swept_tree;
mod temporal_front;
mod tree;
mod unit;
mod vector;
mod vertices;
mod visit;

use std::ops::{ControlFlow, Range};
use xcollide_math::Pose;

use xcollide_simd::{SimdLevel, dispatch_up_to, prefetch};

pub use best_first::{best_first, best_first_in_time};
pub use binary::WideSplit;
pub use compact_node::CompactNode;
pub use fit::Fit;
pub use moving_trees::{Entry, MovingTrees, PairsBelow, RelativeMotion};
pub use node::WideNode;
pub use swept_tree::{MovingCorners, SweptTree, SweptTrees, swept_self_candidates};
pub use temporal_front::TemporalFront;
pub use tree::{CompactTree, WideBvh, WideOptions, WideTree};
pub use visit::{Visit, each_pair};

use coarse_descent::CoarseDescent;
use descent::Descent;
use node::{ChildRef, Node};
use opened_node::Opened;
use ordered_query::{AroundPoint, OrderedQuery, Ranked};
use ray_query::AlongRay;
use relative_transform::PlacedTrees;
use segment_query::{SegmentQuery, point_probe, probe};
use self_descent::SelfDescent;
use split_search::{SearchBelow, SplitSearch};
use temporal_front::Entry as FrontEntry;

use crate::{Counter, NodePair};

/// The kinds of nodes of a [`WideBvh`]: [`WideNode`] and [`CompactNode`]. Sealed.
pub trait NodeKind: Node {}

impl NodeKind for WideNode {}
impl NodeKind for CompactNode {}

/// Reusable memory of queries, and the choice of instructions.
#[derive(Clone, Debug, Default)]
pub struct Traversal {
    stack: Vec<FrontEntry>,
    deep_pairs: Vec<Opened>,
    deep_children: Vec<ChildRef>,
    deep_ranked: Vec<Ranked>,
    portable: bool,
}

impl Traversal {
    /// Empty memory; uses the best instructions of the processor.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empty memory; uses only instructions of every processor of the target. For comparison.
    #[must_use]
    pub fn portable() -> Self {
        Self { portable: true, ..Self::default() }
    }

    #[inline(always)]
    fn limit(&self) -> SimdLevel {
        if self.portable { SimdLevel::Portable } else { SimdLevel::Avx512 }
    }
}

/// The first pair of triangles (numbers in the first and in the second mesh) for which `exact` holds.
///
/// `exact` decides whether two triangles have a common point, in world coordinates by [`Pose::apply`]. It is
/// called for pairs whose boxes overlap until it returns true. The pair is the same on every machine.
///
/// ```
/// use xcollide_math::Pose;
/// use xcollide_predicates::triangles_intersect;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WideTree};
///
/// let positions = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
/// let triangles = [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
///
/// let here = (&tree, &Pose::IDENTITY);
/// let mut traversal = Traversal::new();
/// let mut meets = |x: f64| {
///     let pose = Pose::from_translation([x, 0.0, 0.0]);
///     let there = (&tree, &pose);
///     let world = |pose: &Pose, triangle: u32| {
///         triangles[triangle as usize].map(|corner| pose.apply(positions[corner as usize]))
///     };
///     let exact = |s, t| triangles_intersect(&world(here.1, s), &world(there.1, t));
///     wide::first_hit(here, there, &mut traversal, exact).is_some()
/// };
/// assert!(meets(1.0), "touching is meeting");
/// assert!(!meets(1.0_f64.next_up()));
/// ```
pub fn first_hit<N: NodeKind>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    traversal: &mut Traversal,
    mut exact: impl FnMut(u32, u32) -> bool,
) -> Option<(u32, u32)> {
    let mut hit = None;
    // The hit tells whether the visitor broke.
    let _ = candidates(a, b, traversal, &mut (), |s, t| {
        if exact(s, t) {
            hit = Some((s, t));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    hit
}

/// Calls `visit` with every pair of triangles whose boxes overlap, each once, until it breaks. They
/// include all pairs with a common point in the world.
#[inline]
pub fn candidates<N: NodeKind, T: Counter>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    traversal: &mut Traversal,
    counter: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    // The first nodes are loaded while the transforms are computed.
    for node in a.0.nodes.iter().take(2).chain(b.0.nodes.iter().take(2)) {
        prefetch(node);
    }
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    let limit = traversal.limit();
    let deep = &mut traversal.deep_pairs;
    dispatch_up_to(limit, Descent { trees: &trees, deep, counter, visit: &mut visit })
}

/// Two triangles below the first boxes that overlap and are no larger than the smaller tree's box after so many
/// `halvings`, or leaves. `None`: no two triangles have a point in common in the world, or the counter broke.
///
/// The size of a box is the sum of its sides. Tests fewer boxes than [`candidates`], the fewer the fewer halvings.
pub fn first_small_overlap<N: NodeKind, T: Counter>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    halvings: u8,
    traversal: &mut Traversal,
    counter: &mut T,
) -> Option<(u32, u32)> {
    let trees = PlacedTrees::new(a, b)?;
    let limit = traversal.limit();
    let deep = &mut traversal.deep_pairs;
    dispatch_up_to(limit, CoarseDescent { trees: &trees, halvings, deep, counter })
}

/// Splits the search for [`candidates`] into parts, breadth first, until there are `at_least` parts (but
/// fewer than eight times as many) or nothing is left to split. Appends them to `parts` in the order of the
/// search; [`candidates_below`] of all parts together makes the same tests. If the counter breaks, no parts
/// are added.
pub fn parts<N: NodeKind, T: Counter>(
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    at_least: usize,
    traversal: &mut Traversal,
    counter: &mut T,
    parts: &mut Vec<NodePair>,
) -> ControlFlow<()> {
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    dispatch_up_to(traversal.limit(), SplitSearch { trees: &trees, at_least, counter, parts })
}

/// The [`candidates`] below a [part](parts) of the search.
pub fn candidates_below<N: NodeKind, T: Counter>(
    part: NodePair,
    a: (&WideBvh<N>, &Pose),
    b: (&WideBvh<N>, &Pose),
    traversal: &mut Traversal,
    counter: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    let Some(trees) = PlacedTrees::new(a, b) else { return ControlFlow::Continue(()) };
    let limit = traversal.limit();
    let deep = &mut traversal.deep_pairs;
    dispatch_up_to(limit, SearchBelow { part, trees: &trees, deep, counter, visit: &mut visit })
}

/// Calls `visit` with every pair of different triangles of one tree whose boxes overlap, each once in one of its two orders,
/// until it breaks. They include all pairs with a common point.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WideTree};
///
/// // Two triangles with a common edge, and one far away.
/// let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [9.0; 3]];
/// let triangles = [[0, 1, 2], [1, 0, 3], [4, 4, 4]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// let mut pairs = Vec::new();
/// let _ = wide::self_candidates(&tree, &mut Traversal::new(), &mut (), |s: u32, t: u32| {
///     pairs.push((s.min(t), s.max(t)));
///     ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(0, 1)]);
/// ```
pub fn self_candidates<N: NodeKind, T: Counter>(
    tree: &WideBvh<N>,
    traversal: &mut Traversal,
    counter: &mut T,
    visit: impl Visit,
) -> ControlFlow<()> {
    self_candidates_below(0..tree.node_count(), tree, traversal, counter, visit)
}

/// The [`self_candidates`] whose lowest common node is in a range of the [nodes](WideBvh::node_count). Ranges that make up
/// all of them show each pair once, and do the same tests as the whole.
///
/// # Panics
/// The range exceeds the nodes.
pub fn self_candidates_below<N: NodeKind, T: Counter>(
    nodes: Range<usize>,
    tree: &WideBvh<N>,
    traversal: &mut Traversal,
    counter: &mut T,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    let placed = (tree, &Pose::IDENTITY);
    let Some(trees) = PlacedTrees::new(placed, placed) else { return ControlFlow::Continue(()) };
    let limit = traversal.limit();
    let deep = &mut traversal.deep_pairs;
    dispatch_up_to(limit, SelfDescent { trees: &trees, nodes, deep, counter, visit: &mut visit })
}

/// Calls `visit` with the triangles whose boxes a segment in the world meets, each once, until it breaks.
/// They include all triangles with a point in common with it, in world coordinates by [`Pose::apply`]. The
/// segment is closed, and may be a point.
///
/// A ray is clipped to the model's box first. Visits some dozen nodes of a million
/// triangles.
#[inline]
pub fn segment_query<N: NodeKind>(
    placed: (&WideBvh<N>, &Pose),
    segment: [[f64; 3]; 2],
    traversal: &mut Traversal,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    swept_sphere_query(placed, segment, 0.0, traversal, visit)
}

/// The same for a sphere that moves along a segment: calls `visit` with the triangles whose boxes a box around its way
/// meets. They include all triangles that are at most `radius` from a point of the segment. A negative radius counts as 0.
#[inline]
pub fn swept_sphere_query<N: NodeKind>(
    placed: (&WideBvh<N>, &Pose),
    segment: [[f64; 3]; 2],
    radius: f64,
    traversal: &mut Traversal,
    visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for node in placed.0.nodes.iter().take(2) {
        prefetch(node);
    }
    match probe(placed.0, placed.1, segment, radius.max(0.0)) {
        Some(probe) => {
            let limit = traversal.limit();
            let deep = &mut traversal.deep_children;
            dispatch_up_to(limit, SegmentQuery { tree: placed.0, probe, deep, visit })
        }
        None => ControlFlow::Continue(()),
    }
}

/// Calls `visit` with triangles along the ray `origin + s · direction`, 0 ≤ s ≤ `reach`, in the world, those of the boxes that
/// it enters first before others, until it breaks. After each triangle it tells up to which parameter s others matter; NaN
/// tells nothing. Each is shown once at most; left out are only triangles that the ray does not meet, in world coordinates by
/// [`Pose::apply`], up to the last parameter that `visit` told.
///
/// `ray` is the origin and the direction, which may be rounded. All are shown if the numbers exceed the range of f64, or the
/// direction is zero.
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bvh::wide::{self, Traversal, WideOptions, WideTree};
/// use xcollide_math::Pose;
///
/// let at = |x: f64| [[x, 0.0, 0.0], [x, 1.0, 0.0], [x, 0.0, 1.0]];
/// let positions = [7.0, 7.5, 1.0, 1.5].map(at).concat();
/// let triangles = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]];
/// let tree = WideTree::build(&positions, &triangles, WideOptions::default());
/// let ray = [[0.0, 0.25, 0.25], [2.0, 0.0, 0.0]];
/// let mut seen = Vec::new();
/// let placed = (&tree, &Pose::IDENTITY);
/// let _ = wide::ordered_ray_query(placed, ray, 4.0, &mut Traversal::new(), |triangle| {
///     seen.push(triangle);
///     ControlFlow::Continue(4.0)
/// });
/// assert_eq!(seen.len(), 4);
/// assert!(seen[..2].iter().all(|&triangle| triangle >= 2), "the near ones first");
/// ```
#[inline]
pub fn ordered_ray_query<N: NodeKind>(
    placed: (&WideBvh<N>, &Pose),
    ray: [[f64; 3]; 2],
    reach: f64,
    traversal: &mut Traversal,
    mut visit: impl FnMut(u32) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    for node in placed.0.nodes.iter().skip(1).take(1) {
        prefetch(node);
    }
    let (tree, pose) = placed;
    if tree.nodes.is_empty() {
        return ControlFlow::Continue(());
    }
    let ControlFlow::Continue(order) = AlongRay::new(&tree.frame, pose, ray, reach) else {
        return ControlFlow::Continue(());
    };
    let limit = traversal.limit();
    let deep = &mut traversal.deep_ranked;
    dispatch_up_to(limit, OrderedQuery { tree, order, deep, visit: &mut visit })
}

/// Calls `visit` with the triangles around a point in the world, those of near boxes first, until it breaks. After each
/// triangle it tells up to which distance others matter; NaN tells nothing. Each is shown once at most; left out are
/// only triangles that are farther away than the last distance that `visit` told.
#[inline]
pub fn nearest_query<N: NodeKind>(
    placed: (&WideBvh<N>, &Pose),
    point: [f64; 3],
    traversal: &mut Traversal,
    mut visit: impl FnMut(u32) -> ControlFlow<(), f64>,
) -> ControlFlow<()> {
    for node in placed.0.nodes.iter().take(2) {
        prefetch(node);
    }
    let Some(probe) = point_probe(placed.0, placed.1, point) else {
        return ControlFlow::Continue(());
    };
    let limit = traversal.limit();
    let order = AroundPoint::new(probe, placed.0.frame.unit);
    let (tree, deep) = (placed.0, &mut traversal.deep_ranked);
    dispatch_up_to(limit, OrderedQuery { tree, order, deep, visit: &mut visit })
}
