//! From the binary hierarchy to the 8-wide one, by dynamic programming.
//!
//! Ylitie, Karras and Laine, *Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs*, 2017, section 3.1: for each binary node the cheapest way to represent it by at most
//! 1, 2, …, 8 children of a wide node.

use std::ops::{Deref, Range};

use xcollide_simd::{F32x8, Simd, SimdKernel, dispatch};

use super::binary::BinaryNode;
use super::clusters::clustered;
use super::node::{ChildRef, WIDTH};
use crate::fork_join;

/// Cost of testing a node, per unit of its area.
const NODE_COST: f32 = 1.0;
/// Cost of a triangle in a leaf, per unit of the leaf's area.
const TRIANGLE_COST: f32 = 0.35;

/// Subtrees up to this size are collapsed by one thread, and their nodes stand together.
const TASK: usize = 1 << 12;

/// One child of a wide node before it has a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildRange {
    /// Range of the triangle order.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) child: ChildRef,
}

impl ChildRange {
    /// The range of the triangle order.
    pub(super) fn range(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The children of a wide node.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChildRanges {
    parts: [ChildRange; WIDTH],
    count: usize,
}

impl ChildRanges {
    pub(super) const NONE: Self =
        Self { parts: [ChildRange { start: 0, end: 0, child: ChildRef::NONE }; WIDTH], count: 0 };

    /// Appends a child, of at most eight.
    pub(super) fn push(&mut self, part: ChildRange) {
        self.parts[self.count] = part;
        self.count += 1;
    }

    /// The children.
    pub(super) fn each_mut(&mut self) -> &mut [ChildRange] {
        &mut self.parts[..self.count]
    }
}

impl Deref for ChildRanges {
    type Target = [ChildRange];

    fn deref(&self) -> &[ChildRange] {
        &self.parts[..self.count]
    }
}

/// `costs[node][k − 1]`: the least cost of representing a binary node by at most k children; for k = 1, as a
/// leaf or as a wide node.
type Costs = [f32; WIDTH];

/// The wide nodes as lists of their children, each after its parent, in clusters. Node 0 has the whole as
/// its only child. Leaves have up to `most` triangles, at most four.
pub(super) fn collapse(binary: &[BinaryNode], most: usize) -> Vec<ChildRanges> {
    let Some(root) = binary.first() else {
        return Vec::new();
    };
    let mut costs = vec![[0.0; WIDTH]; binary.len()];
    fill(binary, 0, &mut costs, most);
    let mut whole = ChildRanges::NONE;
    if is_leaf(root, &costs[0], most) {
        whole.push(part(root, ChildRef::leaf(root.start, root.end)));
        return vec![whole];
    }
    whole.push(part(root, ChildRef::node(1)));
    let mut wide = vec![whole];
    let mut tasks = Vec::new();
    expand(binary, &costs, 0, &mut wide, most, Some(&mut tasks));
    let subtrees = fork_join::map(&tasks, |task| {
        let mut wide = Vec::with_capacity(binary[task.node].len() / 4);
        expand(binary, &costs, task.node, &mut wide, most, None);
        wide
    });
    for (task, mut subtree) in tasks.iter().zip(subtrees) {
        let offset = wide.len();
        for part in subtree.iter_mut().flat_map(ChildRanges::each_mut) {
            if !part.child.is_leaf() {
                part.child = ChildRef::node(offset + part.child.index());
            }
        }
        wide[task.place].parts[task.lane].child = ChildRef::node(offset);
        wide.append(&mut subtree);
    }
    clustered(&wide)
}

/// A binary node whose subtree is expanded separately, and the child that will lead to it.
struct Task {
    node: usize,
    place: usize,
    lane: usize,
}

fn part(node: &BinaryNode, child: ChildRef) -> ChildRange {
    ChildRange { start: node.start, end: node.end, child }
}

/// Appends the wide node of a binary node, and its subtree except for small subtrees, which become `tasks`.
fn expand(
    binary: &[BinaryNode],
    costs: &[Costs],
    node: usize,
    wide: &mut Vec<ChildRanges>,
    most: usize,
    mut tasks: Option<&mut Vec<Task>>,
) {
    wide.push(ChildRanges::NONE);
    let mut waiting = vec![(node, wide.len() - 1)];
    let mut members = Vec::with_capacity(WIDTH);
    while let Some((node, place)) = waiting.pop() {
        members.clear();
        let (first, second) = halves(binary, node);
        let (share, _) = distribute(&costs[first], &costs[second], WIDTH);
        gather(binary, costs, first, share, &mut members);
        gather(binary, costs, second, WIDTH - share, &mut members);
        for (lane, &member) in members.iter().enumerate() {
            let range = &binary[member];
            let child = if is_leaf(range, &costs[member], most) {
                ChildRef::leaf(range.start, range.end)
            } else if let Some(tasks) = &mut tasks
                && range.len() <= TASK
            {
                tasks.push(Task { node: member, place, lane });
                ChildRef::NONE
            } else {
                wide.push(ChildRanges::NONE);
                waiting.push((member, wide.len() - 1));
                ChildRef::node(wide.len() - 1)
            };
            wide[place].push(part(range, child));
        }
    }
}

/// Computes the costs of a subtree, which begins at node `index`, from the leaves up.
fn fill(binary: &[BinaryNode], index: usize, costs: &mut [Costs], most: usize) {
    if binary[index].len() <= TASK {
        return dispatch(Fill { binary, index, costs, most });
    }
    let (first, second) = halves(binary, index);
    let (own, below) = costs.split_at_mut(1);
    let (left, right) = below.split_at_mut(second - first);
    fork_join::join(true, || fill(binary, first, left, most), || fill(binary, second, right, most));
    let spread = dispatch(Spread { first: &left[0], second: &right[0] });
    own[0] = cost(&binary[index], most, &spread);
}

/// Computes the costs of a subtree, in turn.
struct Fill<'c> {
    binary: &'c [BinaryNode],
    index: usize,
    costs: &'c mut [Costs],
    most: usize,
}

impl SimdKernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { binary, index, costs, most } = self;
        let nodes = &binary[index..index + costs.len()];
        for place in (0..costs.len()).rev() {
            let node = &nodes[place];
            if node.len() == 1 {
                costs[place] = [leaf_cost(node, most); WIDTH];
                continue;
            }
            let second = node.second as usize - index;
            costs[place] = if node.len() == 2 {
                // Each half is one triangle, for any number of slots.
                let spread = costs[place + 1][0] + costs[second][0];
                let whole = leaf_cost(node, most).min(spread + node.area * NODE_COST);
                let mut own = [spread.min(whole); WIDTH];
                own[0] = whole;
                own
            } else {
                cost(node, most, &spread::<S::F32x8>(&costs[place + 1], &costs[second]))
            };
        }
    }
}

/// Computes the costs of two subtrees together.
struct Spread<'c> {
    first: &'c Costs,
    second: &'c Costs,
}

impl SimdKernel for Spread<'_> {
    type Output = Costs;

    #[inline(always)]
    fn run<S: Simd>(self) -> Costs {
        spread::<S::F32x8>(self.first, self.second)
    }
}

/// The least costs of the halves together, for each number of slots; infinite for one.
#[inline(always)]
fn spread<F: F32x8>(first: &Costs, second: &Costs) -> Costs {
    // Behind seven numbers and one more, so that it can be loaded with a shift.
    let mut shifted = [f32::INFINITY; 2 * WIDTH];
    shifted[WIDTH..].copy_from_slice(second);
    let mut least = F::splat(f32::INFINITY);
    for share in 1..WIDTH {
        let mut of_rest = [0.0; WIDTH];
        of_rest.copy_from_slice(&shifted[WIDTH - share..2 * WIDTH - share]);
        least = F::splat(first[share - 1]).add(F::load(&of_rest)).min(least);
    }
    least.to_array()
}

/// The costs of a node of more than two triangles from those of its halves together.
#[inline(always)]
fn cost(node: &BinaryNode, most: usize, spread: &Costs) -> Costs {
    let mut own = *spread;
    own[0] = leaf_cost(node, most).min(spread[WIDTH - 1] + node.area * NODE_COST);
    for slots in 1..WIDTH {
        own[slots] = if own[slots - 1] < own[slots] { own[slots - 1] } else { own[slots] };
    }
    own
}

fn leaf_cost(node: &BinaryNode, most: usize) -> f32 {
    if node.len() <= most { node.area * node.len() as f32 * TRIANGLE_COST } else { f32::INFINITY }
}

fn is_leaf(node: &BinaryNode, costs: &Costs, most: usize) -> bool {
    node.len() == 1 || (node.len() <= most && costs[0] == leaf_cost(node, most))
}

fn halves(binary: &[BinaryNode], node: usize) -> (usize, usize) {
    (node + 1, binary[node].second as usize)
}

/// The best number of slots for the first half, and its cost.
fn distribute(first: &Costs, second: &Costs, slots: usize) -> (usize, f32) {
    let mut best = (1, f32::INFINITY);
    for share in 1..slots {
        let cost = first[share - 1] + second[slots - share - 1];
        if cost < best.1 {
            best = (share, cost);
        }
    }
    best
}

/// Appends the binary nodes that best represent a node in so many slots.
fn gather(
    binary: &[BinaryNode],
    costs: &[Costs],
    node: usize,
    mut slots: usize,
    members: &mut Vec<usize>,
) {
    let own = &costs[node];
    while slots > 1 && own[slots - 1] == own[slots - 2] {
        slots -= 1;
    }
    if slots == 1 || binary[node].len() == 1 {
        members.push(node);
        return;
    }
    let (first, second) = halves(binary, node);
    let (share, _) = distribute(&costs[first], &costs[second], slots);
    gather(binary, costs, first, share, members);
    gather(binary, costs, second, slots - share, members);
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    /// All numbers of slots at once cost what `distribute` finds for each.
    #[test]
    fn costs_of_halves_together_are_those_of_the_best_distribution() {
        let mut random = Random::new(7);
        for _ in 0..200 {
            let [first, second] = [[0; WIDTH]; 2].map(|costs| {
                let mut left = 9.0_f32;
                costs.map(|_: i32| {
                    left -= random.signed().abs() as f32;
                    left
                })
            });
            let found = dispatch(Spread { first: &first, second: &second });
            for slots in 1..=WIDTH {
                assert_eq!(found[slots - 1], distribute(&first, &second, slots).1);
            }
        }
    }
}
