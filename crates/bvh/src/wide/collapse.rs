//! From the binary hierarchy to the 8-wide one, by dynamic programming.
//!
//! Ylitie, Karras and Laine, *Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs*, 2017, section 3.1: for each binary node the cheapest way to represent it by at most
//! 1, 2, …, 8 children of a wide node.

use std::ops::Deref;

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
        for node in (0..costs.len()).rev() {
            let (before, after) = costs.split_at_mut(node + 1);
            let below = |child: usize| &after[child - index - node - 1];
            before[node] = cost(binary, index + node, most, below);
        }
        return;
    }
    let (first, second) = halves(binary, index);
    let (own, below) = costs.split_at_mut(1);
    let (left, right) = below.split_at_mut(second - first);
    fork_join::join(true, || fill(binary, first, left, most), || fill(binary, second, right, most));
    own[0] = cost(binary, index, most, |child| if child == first { &left[0] } else { &right[0] });
}

/// The costs of a node from those of its halves.
fn cost<'a>(
    binary: &[BinaryNode],
    node: usize,
    most: usize,
    of: impl Fn(usize) -> &'a Costs,
) -> Costs {
    let as_leaf = leaf_cost(&binary[node], most);
    if binary[node].len() == 1 {
        return [as_leaf; WIDTH];
    }
    let (first, second) = halves(binary, node);
    let (first, second) = (of(first), of(second));
    if binary[node].len() == 2 {
        // Each half is one triangle, for any number of slots.
        let spread = first[0] + second[0];
        let mut own = [spread.min(as_leaf.min(spread + binary[node].area * NODE_COST)); WIDTH];
        own[0] = as_leaf.min(spread + binary[node].area * NODE_COST);
        return own;
    }
    let mut own = [0.0; WIDTH];
    let (_, spread) = distribute(first, second, WIDTH);
    own[0] = as_leaf.min(spread + binary[node].area * NODE_COST);
    for slots in 2..=WIDTH {
        own[slots - 1] = own[slots - 2].min(distribute(first, second, slots).1);
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
