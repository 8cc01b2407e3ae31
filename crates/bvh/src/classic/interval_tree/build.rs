//! Building a restricted box-tree from the top.

use xcollide_bounds::Aabb;

use super::{Kind, LAST, Node};
use crate::fork_join;

/// How a [restricted box-tree](crate::classic::interval_tree::IntervalTree) divides its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum IntervalSplit {
    /// Into halves of equal number along the longest axis. Builds quickly.
    Median,
    /// Where the surfaces of the children's boxes, weighted by their numbers of triangles, are least. (The
    /// slides minimise the total volume, which hardly differs between boxes with one moved side.)
    #[default]
    Surface,
}

/// From this depth on nodes are halved by number and not trimmed, so that at most 28 more follow on a path.
const RULE_DEPTH: u32 = 60;

/// A box is trimmed if that takes this share of its surface.
const TRIM: f64 = 0.15;

/// The nodes, without planes, and the depth. Puts the triangles in order.
pub(super) fn build(
    boxes: &[Aabb],
    order: &mut [u32],
    split: IntervalSplit,
    leaf_size: usize,
) -> (Vec<Node>, u32) {
    let cell = boxes.iter().fold(Aabb::EMPTY, |cell, item| cell.merged(item));
    let work = Work { boxes, split, leaf_size };
    let mut grown = work.tree(order, 0, cell, 0);
    grown.nodes.shrink_to_fit();
    (grown.nodes, grown.depth)
}

/// Smaller subtrees are not worth a task of their own.
const TASK: usize = 2048;

struct Work<'a> {
    boxes: &'a [Aabb],
    split: IntervalSplit,
    leaf_size: usize,
}

/// A tree, or a subtree that is numbered from 0.
struct Grown {
    nodes: Vec<Node>,
    depth: u32,
    /// Costs of left parts, by their number of triangles less one.
    costs: Vec<f64>,
}

impl Grown {
    /// Appends a subtree; its root replaces the node at `place`.
    fn append(&mut self, place: usize, subtree: Self) {
        let offset = self.nodes.len() - 1;
        let mut numbered = subtree.nodes.into_iter().map(|mut node| {
            let (kind, below) = node.content();
            if kind != Kind::Leaf {
                node.set(kind, below + offset);
            }
            node
        });
        if let Some(root) = numbered.next() {
            self.nodes[place] = root;
        }
        self.nodes.extend(numbered);
        self.depth = self.depth.max(subtree.depth);
    }
}

impl Work<'_> {
    fn tree(&self, part: &mut [u32], first: usize, cell: Aabb, depth: u32) -> Grown {
        let mut grown = Grown { nodes: vec![Node::default()], depth: 0, costs: Vec::new() };
        self.divide(&mut grown, 0, part, first, cell, depth);
        grown
    }

    /// Builds the subtree over a part of the order that begins at `first`.
    fn divide(
        &self,
        grown: &mut Grown,
        node: usize,
        part: &mut [u32],
        first: usize,
        cell: Aabb,
        depth: u32,
    ) {
        grown.depth = grown.depth.max(depth);
        if depth < RULE_DEPTH
            && let Some((kind, trimmed)) = self.trim(part, &cell)
        {
            let child = grown.nodes.len();
            grown.nodes.push(Node::default());
            grown.nodes[node].set(kind, child);
            return self.divide(grown, child, part, first, trimmed, depth + 1);
        }
        if part.len() <= self.leaf_size {
            grown.nodes[node].set(Kind::Leaf, first);
            if let Some(last) = part.last_mut() {
                *last |= LAST;
            }
            return;
        }
        let (axis, count) = match self.split {
            IntervalSplit::Surface if depth < RULE_DEPTH => {
                self.least_surface(part, &cell, &mut grown.costs)
            }
            _ => self.halves(part),
        };
        let children = grown.nodes.len();
        grown.nodes.extend([Node::default(); 2]);
        grown.nodes[node].set(Kind::Cut(axis), children);
        let all = part.len();
        let (left, right) = part.split_at_mut(count);
        let (mut cell_left, mut cell_right) = (cell, cell);
        cell_left.max[axis] = self.around(left).max[axis];
        cell_right.min[axis] = self.around(right).min[axis];
        let (middle, depth) = (first + count, depth + 1);
        if all < TASK {
            self.divide(grown, children, left, first, cell_left, depth);
            self.divide(grown, children + 1, right, middle, cell_right, depth);
            return;
        }
        let (left, right) = fork_join::join(
            true,
            || self.tree(left, first, cell_left, depth),
            || self.tree(right, middle, cell_right, depth),
        );
        grown.append(children, left);
        grown.append(children + 1, right);
    }

    fn around(&self, part: &[u32]) -> Aabb {
        part.iter().fold(Aabb::EMPTY, |all, &item| all.merged(&self.boxes[item as usize]))
    }

    /// The box without the most empty space at one side, if that is worth a node.
    fn trim(&self, part: &[u32], cell: &Aabb) -> Option<(Kind, Aabb)> {
        let around = self.around(part);
        let mut best = None;
        let mut least = (1.0 - TRIM) * half_surface(cell);
        for axis in 0..3 {
            let mut trimmed = [*cell; 2];
            trimmed[0].max[axis] = around.max[axis];
            trimmed[1].min[axis] = around.min[axis];
            for (kind, trimmed) in
                [Kind::TrimAbove(axis), Kind::TrimBelow(axis)].into_iter().zip(trimmed)
            {
                let surface = half_surface(&trimmed);
                if surface < least {
                    least = surface;
                    best = Some((kind, trimmed));
                }
            }
        }
        best
    }

    /// Halves of equal number on the longest axis.
    fn halves(&self, part: &mut [u32]) -> (usize, usize) {
        let axis = self.around(part).longest_axis();
        let count = part.len() / 2;
        let middle = |item: u32| self.boxes[item as usize].center()[axis];
        part.select_nth_unstable_by(count, |&i, &j| {
            middle(i).total_cmp(&middle(j)).then(i.cmp(&j))
        });
        (axis, count)
    }

    /// The best division on any axis; leaves the part sorted along it.
    fn least_surface(&self, part: &mut [u32], cell: &Aabb, costs: &mut Vec<f64>) -> (usize, usize) {
        let mut best = (f64::INFINITY, 0, part.len() / 2);
        let mut sorted_along = 3;
        for axis in 0..3 {
            self.sort(part, axis);
            sorted_along = axis;
            costs.clear();
            let mut left = *cell;
            left.max[axis] = f64::NEG_INFINITY;
            for (number, &item) in part.iter().enumerate() {
                left.max[axis] = left.max[axis].max(self.boxes[item as usize].max[axis]);
                costs.push((number + 1) as f64 * half_surface(&left));
            }
            let mut right = *cell;
            right.min[axis] = f64::INFINITY;
            for count in (1..part.len()).rev() {
                let item = part[count] as usize;
                right.min[axis] = right.min[axis].min(self.boxes[item].min[axis]);
                let number = (part.len() - count) as f64;
                let cost = costs[count - 1] + number * half_surface(&right);
                if cost < best.0 {
                    best = (cost, axis, count);
                }
            }
        }
        let (_, axis, count) = best;
        if axis != sorted_along {
            self.sort(part, axis);
        }
        (axis, count)
    }

    fn sort(&self, part: &mut [u32], axis: usize) {
        let middle = |item: u32| self.boxes[item as usize].center()[axis];
        part.sort_unstable_by(|&i, &j| middle(i).total_cmp(&middle(j)).then(i.cmp(&j)));
    }
}

/// Half the surface of a box.
fn half_surface(cell: &Aabb) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| cell.max[axis] - cell.min[axis]);
    x * y + y * z + z * x
}
