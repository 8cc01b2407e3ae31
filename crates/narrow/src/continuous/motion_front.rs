//! Proofs that two moving surfaces are apart during a step: as a [`Front`](crate::Front), a partition of all pairs of
//! triangles into rectangles, each with a direction along which the two ranges stay apart.

use xcollide_bounds::Obb;
use xcollide_bvh::binary::{Bvh, NodeId};
use xcollide_math::vector::length_squared;

use super::safe_time::{Children, Step};
use crate::ProofError;

/// A verifiable proof that no triangle of one moving model meets any of another during a step.
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
    /// The ranges stay apart along this direction.
    Apart([f64; 3]),
}

impl MotionFront {
    /// Builds the front of a step for which the bodies are safe. `None` if a model is too large for a hierarchy or the
    /// step is not safe.
    pub(super) fn build(step: &Step<'_>) -> Option<Self> {
        let trees = step.trees()?;
        let mut cuts = Vec::new();
        let mut open = Vec::new();
        if let [Some(a), Some(b)] = trees.map(Bvh::root) {
            open.push([a, b]);
        }
        while let Some(nodes) = open.pop() {
            let (direction, time) =
                step.best_of_boxes([trees[0].volume(nodes[0]), trees[1].volume(nodes[1])]);
            if time >= step.remaining {
                cuts.push(Cut::Apart(direction));
                continue;
            }
            match step.children(trees, nodes) {
                Children::Nodes([first, second]) => {
                    cuts.push(split(trees, nodes, first));
                    open.extend([second, first]);
                }
                Children::Triangles(ranges) => leaves(step, ranges, &mut cuts)?,
            }
        }
        Some(Self { cuts })
    }

    /// Verifies that the rectangles cover all pairs of triangles, and that each stays apart during the step.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub(super) fn verify(&self, step: &Step<'_>) -> Result<(), ProofError> {
        let broken = |what| ProofError::BrokenFront { what };
        let trees = step.trees().ok_or(broken("a model is too large"))?;
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
                Cut::Apart(direction) => {
                    let is_unit = (length_squared(direction) - 1.0).abs() <= 1e-14;
                    if !(is_unit && step.are_apart([range_a, range_b], direction)) {
                        return Err(broken("two ranges do not stay apart along their direction"));
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

/// The cut from a pair of nodes to its children, of which this is the first.
fn split(trees: [&Bvh<Obb>; 2], nodes: [NodeId; 2], first: [NodeId; 2]) -> Cut {
    let count = |k: usize| trees[k].below(first[k]).len() as u32;
    if first[0] == nodes[0] { Cut::SplitB(count(1)) } else { Cut::SplitA(count(0)) }
}

/// Adds the rectangles of two leaves, of single triangles.
fn leaves(step: &Step<'_>, ranges: [&[u32]; 2], cuts: &mut Vec<Cut>) -> Option<()> {
    let [of_a, of_b] = ranges;
    if of_a.len() > 1 {
        cuts.push(Cut::SplitA(1));
        leaves(step, [&of_a[..1], of_b], cuts)?;
        return leaves(step, [&of_a[1..], of_b], cuts);
    }
    if of_b.len() > 1 {
        cuts.push(Cut::SplitB(1));
        leaves(step, [of_a, &of_b[..1]], cuts)?;
        return leaves(step, [of_a, &of_b[1..]], cuts);
    }
    let triangles =
        [step.sides[0].triangle(*of_a.first()?), step.sides[1].triangle(*of_b.first()?)];
    let (direction, time) = step.best_of_triangles([&triangles[0], &triangles[1]]);
    cuts.push(Cut::Apart(direction));
    (time >= step.remaining).then_some(())
}
