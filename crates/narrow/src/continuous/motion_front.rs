//! Proofs that two moving surfaces are apart for some time: as a [`Front`](crate::Front), a partition of all pairs of
//! triangles into rectangles, each with directions along which the two ranges stay apart one after the other.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, Content, NodeId};
use xcollide_math::vector::{length, length_squared};

use super::MOST_LOOKS;
use crate::ProofError;
use crate::query::Deadline;

type Vector = [f64; 3];

/// A verifiable proof that no triangle of one moving model meets any of another during some time.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct MotionFront {
    /// The steps of the recursion over the table of all pairs, in the order of the triangles of the hierarchies.
    cuts: Vec<Cut>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Cut {
    /// Cut A's range after this many triangles; continue with the first part, then the second.
    SplitA(u32),
    /// The same for B's range.
    SplitB(u32),
    /// The ranges stay apart until the end.
    Apart(Parting),
    /// The ranges stay apart along this direction until this time; continue with the same ranges from there.
    Until(Vector, f64),
}

/// How two ranges of triangles stay apart.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Parting {
    /// Along this direction, of length 1.
    Along(Vector),
    /// By the exact test of each pair.
    Exact,
}

/// How all that is below two nodes stays apart for some time.
pub(super) struct PartedNodes {
    /// Of length 1.
    pub(super) direction: Vector,
    pub(super) until: f64,
    /// Whether another direction from then on will probably part them for much longer.
    pub(super) is_loose: bool,
}

/// Two bodies that move from time 0 until an end, and what parts them.
pub(super) trait MovingPair {
    /// Their hierarchies; `None` if a model is too large for one.
    fn trees(&self) -> Option<[&Bvh<Obb>; 2]>;

    /// The time until which the bodies are to be parted.
    fn end(&self) -> f64;

    /// How all that is below two nodes stays apart from a time on, if a direction is found.
    fn part_nodes(&self, nodes: [NodeId; 2], from: f64) -> Option<PartedNodes>;

    /// How two triangles stay apart from a time on, and until when; `None` if that is not found.
    fn part_triangles(&self, triangles: [u32; 2], from: f64) -> Option<(Parting, f64)>;

    /// Whether two sets of triangles stay apart along a direction of length 1 between two times.
    fn are_apart_along(&self, triangles: [&[u32]; 2], direction: Vector, times: [f64; 2]) -> bool;

    /// Whether two sets of triangles stay apart until the end by the exact test of each pair.
    fn are_apart_exactly(&self, triangles: [&[u32]; 2]) -> bool;
}

/// The least part of the time that is left for which ranges that are split then get a direction before.
const SHARE: f64 = 0.1;

/// Whether a direction has length 1, up to rounding.
pub(super) fn is_unit(direction: Vector) -> bool {
    (length_squared(direction) - 1.0).abs() <= 1e-14
}

impl MotionFront {
    /// Builds the front. `None` if a model is too large for a hierarchy, two triangles are not found apart, or the time is
    /// used up.
    pub(super) fn build(bodies: &impl MovingPair, deadline: &mut Deadline) -> Option<Self> {
        let trees = bodies.trees()?;
        let mut cuts = Vec::new();
        let mut open = Vec::new();
        if let [Some(a), Some(b)] = trees.map(Bvh::root) {
            open.push(([a, b], 0.0, 0));
        }
        let end = bodies.end();
        while let Some((nodes, mut from, looks)) = open.pop() {
            deadline.check().ok()?;
            if let Some(parted) = bodies.part_nodes(nodes, from) {
                let PartedNodes { direction, until, is_loose } = parted;
                if until >= end {
                    cuts.push(Cut::Apart(Parting::Along(direction)));
                    continue;
                }
                if until > from && (is_loose || until - from > SHARE * (end - from)) {
                    cuts.push(Cut::Until(direction, until));
                    from = until;
                    if is_loose && looks < MOST_LOOKS {
                        open.push((nodes, from, looks + 1));
                        continue;
                    }
                }
            }
            match children(trees, nodes) {
                Children::Nodes([first, second]) => {
                    cuts.push(split(trees, nodes, first));
                    open.extend([(second, from, 0), (first, from, 0)]);
                }
                Children::Triangles(ranges) => leaves(bodies, ranges, from, &mut cuts)?,
            }
        }
        Some(Self { cuts })
    }

    /// Verifies that the rectangles cover all pairs of triangles, and that each stays apart.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub(super) fn verify(&self, bodies: &impl MovingPair) -> Result<(), ProofError> {
        let broken = |what| ProofError::BrokenFront { what };
        let trees = bodies.trees().ok_or(broken("a model is too large"))?;
        let [order_a, order_b] = trees.map(Bvh::order);
        let end = bodies.end();
        let check = |ranges: [&[u32]; 2], direction: Vector, times: [f64; 2]| {
            let is_apart = is_unit(direction) && bodies.are_apart_along(ranges, direction, times);
            is_apart
                .then_some(())
                .ok_or(broken("two ranges do not stay apart along their direction"))
        };
        let mut cuts = self.cuts.iter();
        let mut open = Vec::new();
        if !order_a.is_empty() && !order_b.is_empty() {
            open.push((order_a, order_b, 0.0));
        }
        while let Some((range_a, range_b, from)) = open.pop() {
            let cut_of = |range: &[u32], cut: u32| -> Result<usize, ProofError> {
                let inside = 0 < cut && (cut as usize) < range.len();
                inside.then_some(cut as usize).ok_or(broken("a part without triangles"))
            };
            match *cuts.next().ok_or(broken("it ends before all pairs are covered"))? {
                Cut::SplitA(cut) => {
                    let (first, second) = range_a.split_at(cut_of(range_a, cut)?);
                    open.extend([(second, range_b, from), (first, range_b, from)]);
                }
                Cut::SplitB(cut) => {
                    let (first, second) = range_b.split_at(cut_of(range_b, cut)?);
                    open.extend([(range_a, second, from), (range_a, first, from)]);
                }
                Cut::Apart(Parting::Along(direction)) => {
                    check([range_a, range_b], direction, [from, end])?;
                }
                Cut::Until(direction, until) => {
                    // False for NaN.
                    if !(from < until && until < end) {
                        return Err(broken("the times of two ranges are not in order"));
                    }
                    check([range_a, range_b], direction, [from, until])?;
                    open.push((range_a, range_b, until));
                }
                Cut::Apart(Parting::Exact) => {
                    if !bodies.are_apart_exactly([range_a, range_b]) {
                        return Err(broken("two ranges do not stay apart by the exact test"));
                    }
                }
            }
        }
        if cuts.next().is_some() {
            return Err(broken("it goes on after all pairs are covered"));
        }
        Ok(())
    }
}

/// What is below a pair of nodes.
pub(super) enum Children<'a> {
    Nodes([[NodeId; 2]; 2]),
    Triangles([&'a [u32]; 2]),
}

/// What is below a pair of nodes: the halves of the larger one with the other, or triangles.
pub(super) fn children<'a>(trees: [&'a Bvh<Obb>; 2], [a, b]: [NodeId; 2]) -> Children<'a> {
    let size = |k: usize, node: NodeId| length(trees[k].volume(node).half_extents());
    match (trees[0].content(a), trees[1].content(b)) {
        (Content::Leaf(of_a), Content::Leaf(of_b)) => Children::Triangles([of_a, of_b]),
        (Content::Inner([first, second]), Content::Leaf(_)) => {
            Children::Nodes([[first, b], [second, b]])
        }
        (Content::Inner([first, second]), Content::Inner(_)) if size(0, a) >= size(1, b) => {
            Children::Nodes([[first, b], [second, b]])
        }
        (_, Content::Inner([first, second])) => Children::Nodes([[a, first], [a, second]]),
    }
}

/// The cut from a pair of nodes to its children, of which this is the first.
fn split(trees: [&Bvh<Obb>; 2], nodes: [NodeId; 2], first: [NodeId; 2]) -> Cut {
    let count = |k: usize| trees[k].below(first[k]).len() as u32;
    if first[0] == nodes[0] { Cut::SplitB(count(1)) } else { Cut::SplitA(count(0)) }
}

/// Adds the rectangles of two leaves, of single triangles.
fn leaves(
    bodies: &impl MovingPair,
    ranges: [&[u32]; 2],
    mut from: f64,
    cuts: &mut Vec<Cut>,
) -> Option<()> {
    let [of_a, of_b] = ranges;
    if of_a.len() > 1 {
        cuts.push(Cut::SplitA(1));
        leaves(bodies, [&of_a[..1], of_b], from, cuts)?;
        return leaves(bodies, [&of_a[1..], of_b], from, cuts);
    }
    if of_b.len() > 1 {
        cuts.push(Cut::SplitB(1));
        leaves(bodies, [of_a, &of_b[..1]], from, cuts)?;
        return leaves(bodies, [of_a, &of_b[1..]], from, cuts);
    }
    let numbers = [*of_a.first()?, *of_b.first()?];
    for _ in 0..MOST_LOOKS {
        let (parting, until) = bodies.part_triangles(numbers, from)?;
        if until >= bodies.end() {
            cuts.push(Cut::Apart(parting));
            return Some(());
        }
        let Parting::Along(direction) = parting else { return None };
        if until <= from {
            return None;
        }
        cuts.push(Cut::Until(direction, until));
        from = until;
    }
    None
}
