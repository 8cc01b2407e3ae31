//! Queries of two box-trees at two poses.

use std::ops::ControlFlow;

use xcollide_bounds::{Aabb, BoundingVolume, PreparedAabb};
use xcollide_math::Pose;

use super::tables::{LinePair, Tables};
use super::{BoxTree, EDGES, TRIANGLES};
#[cfg(doc)]
use crate::Counts;
use crate::classic::cut_tree::{
    CutPart, CutTraversal, PairState, PlacedPair, Realigned, Rotations, every_pair,
};
use crate::classic::pair_set::PairSet;
use crate::{Candidates, Counter, DescentRule};

/// How boxes are tested in a traversal of box-trees.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum BoxTest {
    /// The thesis's method: line parameters of all edges of each box inside the other (t- and s-tables). Half
    /// of them carry over from a level to the next. Exact up to the margin.
    LineTables,
    /// The thesis's future work: axis-aligned boxes around the boxes in the other's frame, computed on the
    /// fly. Six axes instead of fifteen, and a fraction of the work for each.
    #[default]
    Realigned,
}

/// An edge and a triangle, one of each tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EdgeFace {
    /// An edge of the first tree and a triangle of the second.
    EdgeOfFirst {
        /// Of the first tree.
        edge: u32,
        /// Of the second tree.
        triangle: u32,
    },
    /// A triangle of the first tree and an edge of the second.
    EdgeOfSecond {
        /// Of the first tree.
        triangle: u32,
        /// Of the second tree.
        edge: u32,
    },
}

/// Two box-trees at two poses, for the queries of [`Candidates`] and for pairs of an edge and a triangle.
///
/// As with [`PairTraversal`](crate::binary::PairTraversal) the answer is that of brute force
/// ([proof](crate::classic::box_tree#why-no-colliding-pair-is-lost)).
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_math::Pose;
/// use xcollide_predicates::segment_intersects_triangle;
/// use xcollide_bvh::classic::box_tree::{BoxTest, BoxTree, BoxTreeOptions, BoxTreeTraversal, EdgeFace};
///
/// let floor = [[[0.0, 0.0, 0.0], [9.0, 0.0, 0.0], [0.0, 9.0, 0.0]]];
/// let borders = [[floor[0][0], floor[0][1]], [floor[0][1], floor[0][2]], [floor[0][2], floor[0][0]]];
/// let tree = BoxTree::new(&floor, &borders, &BoxTreeOptions::default())?;
///
/// // On its side, and a little lower: two of its edges pierce the floor.
/// let raised = Pose::from_matrix([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]], [1.0, 1.0, -1.0])?;
/// let mut pierced = 0;
/// let _ = BoxTreeTraversal::new((&tree, &Pose::IDENTITY), (&tree, &raised))
///     .test(BoxTest::LineTables)
///     .edge_face_candidates(|pair| {
///         pierced += u32::from(match pair {
///             EdgeFace::EdgeOfFirst { edge, triangle } => segment_intersects_triangle(
///                 &borders[edge as usize],
///                 &floor[triangle as usize].map(|corner| raised.apply(corner)),
///             ),
///             EdgeFace::EdgeOfSecond { triangle, edge } => segment_intersects_triangle(
///                 &borders[edge as usize].map(|corner| raised.apply(corner)),
///                 &floor[triangle as usize],
///             ),
///         });
///         ControlFlow::Continue(())
///     });
/// assert_eq!(pierced, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BoxTreeTraversal<'a, C = ()> {
    trees: [&'a BoxTree; 2],
    relation: PlacedPair,
    test: BoxTest,
    rule: DescentRule,
    phases_apart: bool,
    counter: C,
}

impl<'a> BoxTreeTraversal<'a> {
    /// Two trees, each with the motion from its own frame into the world.
    #[must_use]
    pub fn new(a: (&'a BoxTree, &Pose), b: (&'a BoxTree, &Pose)) -> Self {
        Self {
            trees: [a.0, b.0],
            relation: PlacedPair::new([a.1, b.1], [a.0.reach, b.0.reach]),
            test: BoxTest::default(),
            rule: DescentRule::default(),
            phases_apart: false,
            counter: (),
        }
    }
}

impl<'a, C: Counter> BoxTreeTraversal<'a, C> {
    /// With another test of boxes. The answers are the same.
    #[must_use]
    pub fn test(mut self, test: BoxTest) -> Self {
        self.test = test;
        self
    }

    /// Also visits what is no farther apart than `distance` in the world.
    #[must_use]
    pub fn widened(mut self, distance: f64) -> Self {
        self.relation = self.relation.widened(distance);
        self
    }

    /// With another descent rule. [`DescentRule::Alternate`] and [`DescentRule::Both`] are the thesis's: both boxes are cut
    /// by turns (3.6.1). The answers are the same.
    #[must_use]
    pub fn rule(mut self, rule: DescentRule) -> Self {
        self.rule = rule;
        self
    }

    /// Whether [`edge_face_candidates`](Self::edge_face_candidates) traverses the trees twice, as in the thesis (3.6.4): for
    /// the edges of the first against the faces of the second, then for the reverse. The answers are the same.
    #[must_use]
    pub fn phases_apart(mut self, phases_apart: bool) -> Self {
        self.phases_apart = phases_apart;
        self
    }

    /// Counts tests, in a `&mut` [`Counts`] or your own counter, which may also end the traversal.
    #[must_use]
    pub fn counting<D: Counter>(self, counter: D) -> BoxTreeTraversal<'a, D> {
        let Self { trees, relation, test, rule, phases_apart, counter: _ } = self;
        BoxTreeTraversal { trees, relation, test, rule, phases_apart, counter }
    }

    /// Calls `pair` with each edge and triangle that may collide, each pair at most once, until it breaks.
    /// A tree without edges has none.
    pub fn edge_face_candidates(
        &mut self,
        mut pair: impl FnMut(EdgeFace) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        // Both phases of the thesis, edges of P against faces of Q and the reverse, mostly in one traversal.
        let at_once = if self.phases_apart { 1 } else { 2 };
        let mut traversals = EDGES_AND_FACES.chunks(at_once);
        while let Some(phases) = traversals.next() {
            let visit = |kinds: [usize; 2], a, b| pair(edge_face(kinds, a, b));
            if self.traverse(None, phases, visit).is_break() {
                // The pair of the roots, of each traversal that would follow.
                self.counter.left(traversals.len(), || None);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }

    /// Splits a search into parts, breadth first, until there are `at_least` (but fewer than twice as many) or nothing is left
    /// to split. Appends them to `parts` in the order of the search, with [phases apart](Self::phases_apart) those of the first
    /// phase and those of the second. If the counter breaks, no more are added.
    ///
    /// The searches below all parts together make the tests of boxes of the whole search. Each hands a pair over at most
    /// once, but a pair may come from two parts.
    pub fn parts(&mut self, at_least: usize, parts: &mut Vec<BoxTreePart>) -> ControlFlow<()> {
        let phases =
            if self.phases_apart { &[Phases::First, Phases::Second][..] } else { &[Phases::Both] };
        for &phases in phases {
            if !self.relation.trusted {
                parts.push(BoxTreePart { state: PartState::Whole, phases });
                continue;
            }
            self.counter.volumes(1);
            let margin = self.margin();
            let mut states = Vec::new();
            match self.test {
                BoxTest::LineTables => {
                    let fixed = LinePair::new(&self.relation, margin);
                    let roots = self.line_roots(&fixed);
                    self.cut(roots, &fixed, at_least, PartState::Lines, &mut states)?;
                }
                BoxTest::Realigned => {
                    let fixed = Rotations::new(&self.relation);
                    let roots = self.realigned_roots(margin);
                    self.cut(roots, &fixed, at_least, PartState::Realigned, &mut states)?;
                }
            }
            parts.extend(states.into_iter().map(|state| BoxTreePart { state, phases }));
        }
        ControlFlow::Continue(())
    }

    /// The [candidates](Candidates::candidates) below a [part](Self::parts) of the same search.
    pub fn candidates_below(
        &mut self,
        part: &BoxTreePart,
        mut pair: impl FnMut(u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if part.phases == Phases::Second {
            // The first phase shows the triangles.
            return ControlFlow::Continue(());
        }
        self.traverse(Some(&part.state), &[[TRIANGLES; 2]], |_, a, b| pair(a, b))
    }

    /// The [candidates](Self::edge_face_candidates) below a [part](Self::parts) of the same search.
    pub fn edge_face_candidates_below(
        &mut self,
        part: &BoxTreePart,
        mut pair: impl FnMut(EdgeFace) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let kinds = match part.phases {
            Phases::Both => &EDGES_AND_FACES[..],
            Phases::First => &EDGES_AND_FACES[..1],
            Phases::Second => &EDGES_AND_FACES[1..],
        };
        self.traverse(Some(&part.state), kinds, |kinds, a, b| pair(edge_face(kinds, a, b)))
    }

    fn cut<S: PairState>(
        &mut self,
        roots: Option<CutPart<S>>,
        fixed: &S::Fixed,
        at_least: usize,
        make: impl Fn(Box<CutPart<S>>) -> PartState,
        parts: &mut Vec<PartState>,
    ) -> ControlFlow<()> {
        let Some(roots) = roots else { return ControlFlow::Continue(()) };
        let mut walk = CutTraversal {
            trees: self.trees,
            fixed,
            counter: &mut self.counter,
            rule: self.rule,
            leaves: |_: &mut C, _: [usize; 2], _: &S| ControlFlow::Continue(()),
        };
        let mut all = Vec::new();
        walk.cut(roots, at_least, &mut all)?;
        parts.extend(all.into_iter().map(|part| make(Box::new(part))));
        ControlFlow::Continue(())
    }

    fn margin(&self) -> f64 {
        let [a, b] = self.trees;
        2.0 * (a.thickness + b.thickness) + 16.0 * self.relation.margin + self.relation.wider
    }

    fn line_roots(&self, fixed: &LinePair) -> Option<CutPart<Tables>> {
        Tables::roots(self.trees.map(|tree| &tree.cell), fixed).map(CutPart::roots)
    }

    fn realigned_roots(&self, margin: f64) -> Option<CutPart<Realigned>> {
        let [a, b] = self.trees;
        let cells = [&a.cell, &b.cell];
        let roots = Realigned::roots(cells, &self.relation, margin, a.depth + b.depth);
        roots.map(CutPart::roots)
    }

    /// Searches below a part, or the whole.
    fn traverse(
        &mut self,
        part: Option<&PartState>,
        kinds: &[[usize; 2]],
        mut visit: impl FnMut([usize; 2], u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [a, b] = self.trees;
        if !self.relation.trusted {
            for &[kind_a, kind_b] in kinds {
                let counts = [a.boxes[kind_a].len(), b.boxes[kind_b].len()];
                let visit = |i, j| visit([kind_a, kind_b], i, j);
                every_pair(counts, &mut self.counter, visit)?;
            }
            return ControlFlow::Continue(());
        }
        let margin = self.margin();
        match (part, self.test) {
            (Some(PartState::Lines(part)), _) => {
                let fixed = LinePair::new(&self.relation, margin);
                self.descend(Some(part), &fixed, margin, kinds, visit)
            }
            (Some(PartState::Realigned(part)), _) => {
                let fixed = Rotations::new(&self.relation);
                self.descend(Some(part), &fixed, margin, kinds, visit)
            }
            (_, BoxTest::LineTables) => {
                self.counter.volumes(1);
                let fixed = LinePair::new(&self.relation, margin);
                let roots = self.line_roots(&fixed);
                self.descend(roots.as_ref(), &fixed, margin, kinds, visit)
            }
            (_, BoxTest::Realigned) => {
                self.counter.volumes(1);
                let fixed = Rotations::new(&self.relation);
                let roots = self.realigned_roots(margin);
                self.descend(roots.as_ref(), &fixed, margin, kinds, visit)
            }
        }
    }

    fn descend<S: PairState>(
        &mut self,
        part: Option<&CutPart<S>>,
        fixed: &S::Fixed,
        margin: f64,
        kinds: &[[usize; 2]],
        mut visit: impl FnMut([usize; 2], u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(part) = part else { return ControlFlow::Continue(()) };
        let mut leaves = LeafPairs::new(self.trees, &self.relation, margin);
        let mut walk = CutTraversal {
            trees: self.trees,
            fixed,
            counter: &mut self.counter,
            rule: self.rule,
            leaves: |counter: &mut C, pair: [usize; 2], state: &S| {
                leaves.test(pair, state.cells(), kinds, counter, &mut visit)
            },
        };
        walk.run(part)
    }
}

/// Pairs of triangles whose leaves and own boxes may meet, each once even if several leaves list them.
impl<C: Counter> Candidates for BoxTreeTraversal<'_, C> {
    fn candidates(&mut self, mut pair: impl FnMut(u32, u32) -> ControlFlow<()>) -> ControlFlow<()> {
        self.traverse(None, &[[TRIANGLES; 2]], |_, a, b| pair(a, b))
    }
}

/// Both phases of the thesis: edges of P against faces of Q, and the reverse.
const EDGES_AND_FACES: [[usize; 2]; 2] = [[EDGES, TRIANGLES], [TRIANGLES, EDGES]];

fn edge_face(kinds: [usize; 2], a: u32, b: u32) -> EdgeFace {
    if kinds[0] == EDGES {
        EdgeFace::EdgeOfFirst { edge: a, triangle: b }
    } else {
        EdgeFace::EdgeOfSecond { triangle: a, edge: b }
    }
}

/// Part of a traversal of two box-trees.
#[derive(Clone, Debug)]
pub struct BoxTreePart {
    state: PartState,
    phases: Phases,
}

/// The phases of a part: edges of the first tree against faces of the second, and the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phases {
    Both,
    First,
    Second,
}

#[derive(Clone, Debug)]
enum PartState {
    /// Every pair of items.
    Whole,
    Lines(Box<CutPart<Tables>>),
    Realigned(Box<CutPart<Realigned>>),
}

/// The elementary operation on two leaves (3.6.1, 3.6.5): collect the items near the other leaf's box, then
/// find pairs whose own boxes meet.
struct LeafPairs<'a> {
    trees: [&'a BoxTree; 2],
    /// From the second frame into the first, and back, for boxes of leaves.
    for_cells: [PreparedAabb; 2],
    /// From the second frame into the first, for boxes of items.
    for_items: PreparedAabb,
    near_first: Vec<u32>,
    /// With its box in the first frame.
    near_second: Vec<(u32, Aabb)>,
    /// The pairs handed over, for each pair of kinds.
    seen: [PairSet; 2],
}

impl<'a> LeafPairs<'a> {
    fn new(trees: [&'a BoxTree; 2], relation: &PlacedPair, margin: f64) -> Self {
        Self {
            trees,
            for_cells: [0, 1].map(|side| Aabb::prepare(&relation.into[side], margin)),
            for_items: Aabb::prepare(&relation.into[0], relation.margin + relation.wider),
            near_first: Vec::new(),
            near_second: Vec::new(),
            seen: Default::default(),
        }
    }

    fn test<C: Counter>(
        &mut self,
        [leaf_a, leaf_b]: [usize; 2],
        [cell_a, cell_b]: [&Aabb; 2],
        kinds: &[[usize; 2]],
        counter: &mut C,
        visit: &mut impl FnMut([usize; 2], u32, u32) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let [a, b] = self.trees;
        let region_in_a = cell_b.moved(&self.for_cells[0]);
        let region_in_b = cell_a.moved(&self.for_cells[1]);
        for (&[kind_a, kind_b], seen) in kinds.iter().zip(&mut self.seen) {
            let boxes_a = &a.boxes[kind_a];
            self.near_first.clear();
            self.near_first.extend(
                a.leaf_items(leaf_a, kind_a)
                    .iter()
                    .filter(|&&item| boxes_a[item as usize].overlaps(&region_in_a)),
            );
            if self.near_first.is_empty() {
                continue;
            }
            self.near_second.clear();
            for &item in b.leaf_items(leaf_b, kind_b) {
                let around = &b.boxes[kind_b][item as usize];
                if around.overlaps(&region_in_b) {
                    counter.moved(1);
                    self.near_second.push((item, around.moved(&self.for_items)));
                }
            }
            for &i in &self.near_first {
                for (j, around) in &self.near_second {
                    if boxes_a[i as usize].overlaps(around) && seen.is_new(i, *j) {
                        counter.primitives(1);
                        visit([kind_a, kind_b], i, *j)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }
}
