//! Proofs that two surfaces have no point in common: the cut through all pairs of triangles at
//! which every pair is disjoint for a reason that is easy to check.
//!
//! Think of the table of all pairs (triangle of A, triangle of B). A front cuts the table into
//! rectangles, each the product of a range of A's triangles and a range of B's:
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
//! The cuts are stored as the steps of a fixed recursion, so that they cover the whole table by
//! construction and the checker has to look at the reasons only.

use xcollide_brep::FaceId;
use xcollide_predicates::triangles_intersect;

use crate::halves::{Half, Halves};
use crate::{Placed, ProofError};

/// A checkable proof that no triangle of one placed model meets any of another.
#[derive(Clone, Debug, PartialEq)]
pub struct Front {
    /// Permutations of the triangle numbers of the two models.
    order_a: Vec<u32>,
    order_b: Vec<u32>,
    /// What to do with each rectangle, in the order of the recursion.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Step {
    /// Halve A's range, go on with the first half, then with the second.
    SplitA,
    /// The same for B's range.
    SplitB,
    /// One of the ranges lies at `coordinate ≤ at`, the other at `coordinate > at`.
    Axis { axis: u8, a_below: bool, at: f64 },
    /// A single pair of triangles, disjoint by the exact test.
    Disjoint,
}

/// Builds the front, or finds a pair of triangles that meet.
pub(crate) fn build(a: Placed<'_>, b: Placed<'_>) -> Result<Front, (usize, usize)> {
    let (halves_a, halves_b) = (Halves::new(a), Halves::new(b));
    let mut steps = Vec::new();
    let mut open = Vec::new();
    if let (Some(root_a), Some(root_b)) = (halves_a.root(), halves_b.root()) {
        open.push((root_a, root_b));
    }
    while let Some((half_a, half_b)) = open.pop() {
        let (box_a, box_b) = (halves_a.bounds(half_a), halves_b.bounds(half_b));
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
        } else if half_a.len == 1 && half_b.len == 1 {
            let pair = (halves_a.triangle(half_a), halves_b.triangle(half_b));
            if triangles_intersect(&halves_a.triangles[pair.0], &halves_b.triangles[pair.1]) {
                return Err(pair);
            }
            steps.push(Step::Disjoint);
        } else if half_b.len == 1 || (half_a.len > 1 && longest(box_a) >= longest(box_b)) {
            steps.push(Step::SplitA);
            let [first, second] = half_a.split();
            open.extend([(second, half_b), (first, half_b)]);
        } else {
            steps.push(Step::SplitB);
            let [first, second] = half_b.split();
            open.extend([(half_a, second), (half_a, first)]);
        }
    }
    Ok(Front { order_a: halves_a.order, order_b: halves_b.order, steps })
}

fn longest(bounds: &xcollide_bounds::Aabb) -> f64 {
    bounds.size()[bounds.longest_axis()]
}

impl Front {
    /// How many rectangles the table of pairs was cut into.
    #[must_use]
    pub fn rectangles(&self) -> usize {
        let is_cut = |step: &&Step| matches!(step, Step::SplitA | Step::SplitB);
        self.steps.len() - self.steps.iter().filter(is_cut).count()
    }

    /// Checks the proof: that the rectangles cover all pairs of triangles and that each is
    /// disjoint. Time: the sum of the sizes of all ranges that are parted by a plane.
    ///
    /// # Errors
    /// The first thing that does not hold.
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
            open.push((Half::whole(lengths[0]), Half::whole(lengths[1])));
        }
        while let Some((half_a, half_b)) = open.pop() {
            let range_a = &self.order_a[half_a.start..half_a.start + half_a.len];
            let range_b = &self.order_b[half_b.start..half_b.start + half_b.len];
            match *steps.next().ok_or(broken("it ends before all pairs are covered"))? {
                Step::SplitA if half_a.len > 1 => {
                    open.extend(half_a.split().map(|part| (part, half_b)).into_iter().rev());
                }
                Step::SplitB if half_b.len > 1 => {
                    open.extend(half_b.split().map(|part| (half_a, part)).into_iter().rev());
                }
                Step::SplitA | Step::SplitB => {
                    return Err(broken("a single triangle cannot be split"));
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
                    if half_a.len != 1 || half_b.len != 1 {
                        return Err(broken("the triangle test is of single triangles"));
                    }
                    let (s, t) = (range_a[0] as usize, range_b[0] as usize);
                    if triangles_intersect(&a.triangle(s), &b.triangle(t)) {
                        return Err(faces_meet(a, s, b, t));
                    }
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
