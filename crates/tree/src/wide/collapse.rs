//! From the binary hierarchy to the 8-wide one, by dynamic programming.
//!
//! Ylitie, Karras and Laine, *Efficient incoherent ray traversal on GPUs through compressed wide
//! BVHs*, 2017, section 3.1: for each binary node the cheapest way to represent it by at most
//! 1, 2, …, 8 children of a wide node.

use super::binary::BinaryNode;
use super::node::{ChildRef, WIDTH};

/// Cost of testing a node, per unit of its area.
const NODE_COST: f32 = 1.0;
/// Cost of a triangle in a leaf, per unit of the leaf's area.
const TRIANGLE_COST: f32 = 0.35;
/// Triangles a leaf may hold.
pub(super) const LEAF_TRIANGLES: usize = 2;

/// One child of a wide node before it has a box.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// Range of the triangle order.
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) child: ChildRef,
}

/// `costs[node][k − 1]`: the least cost of representing a binary node by at most k children; with
/// k = 1 that is as a leaf or as a wide node of its own.
type Costs = [f32; WIDTH];

/// The wide nodes as lists of their children. Node 0 has the whole as its only child.
pub(super) fn collapse(binary: &[BinaryNode]) -> Vec<Vec<Part>> {
    let Some(root) = binary.first() else {
        return Vec::new();
    };
    let costs = costs(binary);
    let part = |node: &BinaryNode, child| Part { start: node.start, end: node.end, child };
    if is_leaf(root, &costs[0]) {
        return vec![vec![part(root, ChildRef::leaf(root.start, root.end))]];
    }
    let mut wide = vec![vec![part(root, ChildRef::node(1))], Vec::new()];
    let mut waiting = vec![(0, 1)];
    let mut members = Vec::with_capacity(WIDTH);
    while let Some((node, place)) = waiting.pop() {
        members.clear();
        let (first, second) = halves(binary, node);
        let (share, _) = distribute(&costs[first], &costs[second], WIDTH);
        gather(binary, &costs, first, share, &mut members);
        gather(binary, &costs, second, WIDTH - share, &mut members);
        for &member in &members {
            let child = if is_leaf(&binary[member], &costs[member]) {
                ChildRef::leaf(binary[member].start, binary[member].end)
            } else {
                wide.push(Vec::new());
                waiting.push((member, wide.len() - 1));
                ChildRef::node(wide.len() - 1)
            };
            wide[place].push(part(&binary[member], child));
        }
    }
    wide
}

fn costs(binary: &[BinaryNode]) -> Vec<Costs> {
    let mut costs = vec![[0.0; WIDTH]; binary.len()];
    for node in (0..binary.len()).rev() {
        let as_leaf = leaf_cost(&binary[node]);
        if binary[node].len() == 1 {
            costs[node] = [as_leaf; WIDTH];
            continue;
        }
        let (first, second) = halves(binary, node);
        let (first, second) = (costs[first], costs[second]);
        let own = &mut costs[node];
        let (_, spread) = distribute(&first, &second, WIDTH);
        own[0] = as_leaf.min(spread + binary[node].area * NODE_COST);
        for slots in 2..=WIDTH {
            own[slots - 1] = own[slots - 2].min(distribute(&first, &second, slots).1);
        }
    }
    costs
}

fn leaf_cost(node: &BinaryNode) -> f32 {
    if node.len() <= LEAF_TRIANGLES {
        node.area * node.len() as f32 * TRIANGLE_COST
    } else {
        f32::INFINITY
    }
}

fn is_leaf(node: &BinaryNode, costs: &Costs) -> bool {
    node.len() == 1 || (node.len() <= LEAF_TRIANGLES && costs[0] == leaf_cost(node))
}

fn halves(binary: &[BinaryNode], node: usize) -> (usize, usize) {
    (node + 1, binary[node].second as usize)
}

/// How many of the slots the first half best gets, and the cost of that.
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

/// The binary nodes by which a node is best represented in so many slots.
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
