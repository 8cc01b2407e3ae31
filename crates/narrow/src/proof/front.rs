//! Fronts: proofs that two surfaces have no point in common, by a partition of all pairs of triangles into
//! groups that are easy to verify.
//!
//! A front cuts the table of all pairs (triangle of A, triangle of B) into rectangles, each the product of a
//! range of A's triangles and a range of B's:
//!
//! ```text
//!            B's triangles
//!          ┌───────┬───┬───┐
//!       A' │   x   │ y │ z │      x, y, z: the two ranges are on different sides
//!       s  ├───┬───┼───┴───┤               of a plane x = c, y = c or z = c
//!       tri│ z │ · │   y   │      ·:       one pair, disjoint by the exact triangle test
//!          └───┴───┴───────┘
//! ```
//!
//! The cuts are stored as the steps of a fixed recursion, so they cover the whole table by construction, and
//! the verifier tests the rectangles only.
//!
//! The cuts follow the hierarchy of `BinaryTrees<Aabb>`, refitted in linear time to the world coordinates.
//! The proof does not depend on it.

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_bvh::binary::{Bvh, Content, Fit, NodeId};
use xcollide_predicates::triangles_intersect;

use crate::hierarchy::prepared::prepared;
use crate::query::{Deadline, OutOfTime};
use crate::{Placed, ProofError};

/// A verifiable proof that no triangle of one placed model meets any of another.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Front {
    /// Permutations of the triangle numbers of the two models.
    order_a: Vec<u32>,
    order_b: Vec<u32>,
    /// The steps in the order of the recursion.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Step {
    /// Cut A's range after this many triangles; continue with the first part, then the second.
    SplitA(u32),
    /// The same for B's range.
    SplitB(u32),
    /// One of the ranges lies at `coordinate ≤ at`, the other at `coordinate > at`.
    Axis { axis: u8, a_below: bool, at: f64 },
    /// Pairs of triangles, mostly a single one, that are disjoint by the exact test.
    Disjoint,
}

/// A front, or two triangles that meet.
type Built = Result<Front, (usize, usize)>;

/// Builds the front, or finds a pair of triangles that meet. Checks the time before and after the refit, and
/// every few dozen rectangles.
pub(crate) fn build(a: Placed<'_>, b: Placed<'_>, time: &mut Deadline) -> Result<Built, OutOfTime> {
    time.check()?;
    let triangles = |placed: Placed<'_>| placed.model().triangulation().len();
    let (Some(tree_a), Some(tree_b)) = (in_world(a), in_world(b)) else {
        return Ok(without_hierarchy(a, b));
    };
    time.spend((triangles(a) + triangles(b)) as u64);
    let mut steps = Vec::new();
    let mut open = Vec::new();
    if let (Some(root_a), Some(root_b)) = (tree_a.root(), tree_b.root()) {
        open.push((root_a, root_b));
    }
    while let Some((node_a, node_b)) = open.pop() {
        time.check()?;
        let (box_a, box_b) = (tree_a.volume(node_a), tree_b.volume(node_b));
        let parting = (0..3_u8).find_map(|axis| {
            let k = usize::from(axis);
            if box_a.max[k] < box_b.min[k] {
                Some(Step::Axis { axis, a_below: true, at: box_a.max[k] })
            } else if box_b.max[k] < box_a.min[k] {
                Some(Step::Axis { axis, a_below: false, at: box_b.max[k] })
            } else {
                None
            }
        });
        if let Some(step) = parting {
            steps.push(step);
            continue;
        }
        let first = |tree: &Bvh<Aabb>, parts: [NodeId; 2]| tree.below(parts[0]).len() as u32;
        let (in_a, in_b) = (tree_a.content(node_a), tree_b.content(node_b));
        let larger_a = matches!(in_b, Content::Leaf(_)) || longest(box_a) >= longest(box_b);
        if let (Content::Inner(parts), true) = (in_a, larger_a) {
            steps.push(Step::SplitA(first(&tree_a, parts)));
            open.extend([(parts[1], node_b), (parts[0], node_b)]);
        } else if let Content::Inner(parts) = in_b {
            steps.push(Step::SplitB(first(&tree_b, parts)));
            open.extend([(node_a, parts[1]), (node_a, parts[0])]);
        } else {
            if let Err(meeting) = disjoint(a, tree_a.below(node_a), b, tree_b.below(node_b)) {
                return Ok(Err(meeting));
            }
            steps.push(Step::Disjoint);
        }
    }
    let [order_a, order_b] = [&tree_a, &tree_b].map(|tree| tree.order().to_vec());
    Ok(Ok(Front { order_a, order_b, steps }))
}

/// The hierarchy of a model over its world coordinates.
fn in_world(placed: Placed<'_>) -> Option<Bvh<Aabb>> {
    let mut tree = prepared::<Bvh<Aabb>>(placed.model())?.clone();
    let count = placed.model().triangulation().len();
    let triangles: Vec<_> = (0..count).map(|triangle| placed.triangle(triangle)).collect();
    tree.refit(&triangles, Fit::Merged).ok()?;
    Some(tree)
}

/// The front of a single rectangle, for models that are too large for a hierarchy.
fn without_hierarchy(a: Placed<'_>, b: Placed<'_>) -> Built {
    let [order_a, order_b] =
        [a, b].map(|placed| (0..placed.model().triangulation().len() as u32).collect::<Vec<u32>>());
    disjoint(a, &order_a, b, &order_b)?;
    let none = order_a.is_empty() || order_b.is_empty();
    let steps = if none { Vec::new() } else { vec![Step::Disjoint] };
    Ok(Front { order_a, order_b, steps })
}

/// Tests all pairs of some triangles exactly; the first pair that meets is the error.
fn disjoint(
    a: Placed<'_>,
    of_a: &[u32],
    b: Placed<'_>,
    of_b: &[u32],
) -> Result<(), (usize, usize)> {
    for &s in of_a {
        let triangle = a.triangle(s as usize);
        for &t in of_b {
            if triangles_intersect(&triangle, &b.triangle(t as usize)) {
                return Err((s as usize, t as usize));
            }
        }
    }
    Ok(())
}

fn longest(bounds: &Aabb) -> f64 {
    bounds.size()[bounds.longest_axis()]
}

impl Front {
    /// The number of rectangles.
    #[must_use]
    pub fn rectangles(&self) -> usize {
        let is_cut = |step: &&Step| matches!(step, Step::SplitA(_) | Step::SplitB(_));
        self.steps.len() - self.steps.iter().filter(is_cut).count()
    }

    /// Verifies that the rectangles cover all pairs of triangles and that each is disjoint. Takes time
    /// proportional to the sizes of all ranges that a plane separates and the number of pairs tested.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn verify(&self, a: Placed<'_>, b: Placed<'_>) -> Result<(), ProofError> {
        let broken = |what| ProofError::BrokenFront { what };
        let lengths = [a.model().triangulation().len(), b.model().triangulation().len()];
        if !is_permutation(&self.order_a, lengths[0]) || !is_permutation(&self.order_b, lengths[1])
        {
            return Err(broken("an order is no permutation of the triangles"));
        }
        let mut steps = self.steps.iter();
        let mut open = Vec::new();
        if lengths[0] > 0 && lengths[1] > 0 {
            open.push((&self.order_a[..], &self.order_b[..]));
        }
        while let Some((range_a, range_b)) = open.pop() {
            let split = |range: &'_ [u32], cut: u32| -> Result<usize, ProofError> {
                let inside = 0 < cut && (cut as usize) < range.len();
                inside.then_some(cut as usize).ok_or(broken("a part without triangles"))
            };
            match *steps.next().ok_or(broken("it ends before all pairs are covered"))? {
                Step::SplitA(cut) => {
                    let (first, second) = range_a.split_at(split(range_a, cut)?);
                    open.extend([(second, range_b), (first, range_b)]);
                }
                Step::SplitB(cut) => {
                    let (first, second) = range_b.split_at(split(range_b, cut)?);
                    open.extend([(range_a, second), (range_a, first)]);
                }
                Step::Axis { axis, a_below, at } => {
                    let axis = usize::from(axis);
                    if axis > 2 {
                        return Err(broken("there are three axes"));
                    }
                    let below = |corner: [f64; 3]| corner[axis] <= at;
                    check_side(a, range_a, "first", |corner| below(corner) == a_below)?;
                    check_side(b, range_b, "second", |corner| below(corner) != a_below)?;
                }
                Step::Disjoint => {
                    disjoint(a, range_a, b, range_b).map_err(|(s, t)| faces_meet(a, s, b, t))?;
                }
            }
        }
        if steps.next().is_some() {
            Err(broken("it goes on after all pairs are covered"))
        } else {
            Ok(())
        }
    }
}

pub(crate) fn faces_meet(a: Placed<'_>, s: usize, b: Placed<'_>, t: usize) -> ProofError {
    let face = |placed: Placed<'_>, triangle| -> FaceId {
        placed.model().triangulation().face_of(triangle)
    };
    ProofError::FacesMeet { a: face(a, s), b: face(b, t) }
}

fn check_side(
    placed: Placed<'_>,
    range: &[u32],
    side: &'static str,
    on_its_side: impl Fn([f64; 3]) -> bool,
) -> Result<(), ProofError> {
    for &triangle in range {
        for vertex in placed.model().triangulation().triangles()[triangle as usize] {
            if !on_its_side(placed.position(vertex)) {
                return Err(ProofError::WrongSide { side, vertex });
            }
        }
    }
    Ok(())
}

fn is_permutation(order: &[u32], len: usize) -> bool {
    let mut seen = vec![false; len];
    order.len() == len
        && order.iter().all(|&entry| {
            let fresh = seen.get(entry as usize) == Some(&false);
            if fresh {
                seen[entry as usize] = true;
            }
            fresh
        })
}
