//! Proofs that two moving surfaces are apart for some time: as a [`Front`](crate::Front), a partition of all pairs of
//! triangles into rectangles, each with a direction along which the two ranges stay apart.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, Content, NodeId};
use xcollide_math::vector::{length, length_squared};

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
    /// The ranges stay apart.
    Apart(Parting),
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

/// Two bodies that move for some time, and what parts them.
pub(super) trait MovingPair {
    /// Their hierarchies; `None` if a model is too large for one.
    fn trees(&self) -> Option<[&Bvh<Obb>; 2]>;

    /// A direction along which all that is below two nodes stays apart, if one is found.
    fn part_nodes(&self, nodes: [NodeId; 2]) -> Option<Vector>;

    /// How two triangles stay apart; `None` if that is not found.
    fn part_triangles(&self, triangles: [u32; 2]) -> Option<Parting>;

    /// Whether two sets of triangles stay apart along a direction of length 1.
    fn are_apart_along(&self, triangles: [&[u32]; 2], direction: Vector) -> bool;

    /// Whether two sets of triangles stay apart by the exact test of each pair.
    fn are_apart_exactly(&self, triangles: [&[u32]; 2]) -> bool;
}

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
            open.push([a, b]);
        }
        while let Some(nodes) = open.pop() {
            deadline.check().ok()?;
            if let Some(direction) = bodies.part_nodes(nodes) {
                cuts.push(Cut::Apart(Parting::Along(direction)));
                continue;
            }
            match children(trees, nodes) {
                Children::Nodes([first, second]) => {
                    cuts.push(split(trees, nodes, first));
                    open.extend([second, first]);
                }
                Children::Triangles(ranges) => leaves(bodies, ranges, &mut cuts)?,
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
        let mut cuts = self.cuts.iter();
        let mut open = Vec::new();
        if !order_a.is_empty() && !order_b.is_empty() {
            open.push((order_a, order_b));
        }
        while let Some((range_a, range_b)) = open.pop() {
            let cut_of = |range: &[u32], cut: u32| -> Result<usize, ProofError> {
                let inside = 0 < cut && (cut as usize) < range.len();
                inside.then_some(cut as usize).ok_or(broken("a part without triangles"))
            };
            match *cuts.next().ok_or(broken("it ends before all pairs are covered"))? {
                Cut::SplitA(cut) => {
                    let (first, second) = range_a.split_at(cut_of(range_a, cut)?);
                    open.extend([(second, range_b), (first, range_b)]);
                }
                Cut::SplitB(cut) => {
                    let (first, second) = range_b.split_at(cut_of(range_b, cut)?);
                    open.extend([(range_a, second), (range_a, first)]);
                }
                Cut::Apart(Parting::Along(direction)) => {
                    if !(is_unit(direction)
                        && bodies.are_apart_along([range_a, range_b], direction))
                    {
                        return Err(broken("two ranges do not stay apart along their direction"));
                    }
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
fn leaves(bodies: &impl MovingPair, ranges: [&[u32]; 2], cuts: &mut Vec<Cut>) -> Option<()> {
    let [of_a, of_b] = ranges;
    if of_a.len() > 1 {
        cuts.push(Cut::SplitA(1));
        leaves(bodies, [&of_a[..1], of_b], cuts)?;
        return leaves(bodies, [&of_a[1..], of_b], cuts);
    }
    if of_b.len() > 1 {
        cuts.push(Cut::SplitB(1));
        leaves(bodies, [of_a, &of_b[..1]], cuts)?;
        return leaves(bodies, [of_a, &of_b[1..]], cuts);
    }
    cuts.push(Cut::Apart(bodies.part_triangles([*of_a.first()?, *of_b.first()?])?));
    Some(())
}
