//! Builds a box-tree top down. Large subtrees are built in parallel and joined in a fixed order.

use xcollide_bounds::Aabb;

use super::cut::{self, Side};
use super::{BoxTreeOptions, EDGES, LEAF, Node, TRIANGLES};
use crate::fork_join;

/// Smaller subtrees are not worth a task of their own.
const TASK: usize = 2048;

/// The source of the cuts.
pub(super) enum Plan<'a> {
    /// A search.
    Search(&'a BoxTreeOptions),
    /// An existing tree, whose box has changed.
    Keep { nodes: &'a [Node], before: Aabb, now: Aabb },
}

/// A tree, or a subtree that is numbered from 0.
pub(super) struct Grown {
    pub(super) nodes: Vec<Node>,
    pub(super) ends: Vec<[u32; 2]>,
    pub(super) lists: [Vec<u32>; 2],
    pub(super) depth: u32,
}

/// The input of every step of a build.
pub(super) struct Work<'a> {
    pub(super) boxes: &'a [Vec<Aabb>; 2],
    pub(super) thickness: f64,
    pub(super) plan: Plan<'a>,
}

/// The place of a node in the tree.
#[derive(Clone, Copy)]
struct Place {
    /// The number of the node in the tree whose cuts are kept.
    kept: usize,
    depth: u32,
    /// The product of (left + right) / all over the cuts above.
    growth: f64,
}

impl Work<'_> {
    /// The tree over all items, in a box.
    pub(super) fn grow(&self, cell: Aabb) -> Grown {
        let items = [0, 1].map(|kind| (0..self.boxes[kind].len() as u32).collect());
        self.tree(cell, items, Place { kept: 0, depth: 0, growth: 1.0 })
    }

    fn tree(&self, cell: Aabb, items: [Vec<u32>; 2], place: Place) -> Grown {
        let mut grown = Grown {
            nodes: vec![Node { cut: 0.0, first: 0, axis: LEAF }],
            ends: Vec::new(),
            lists: [Vec::new(), Vec::new()],
            depth: 0,
        };
        self.divide(&mut grown, 0, cell, items, place);
        grown
    }

    /// Builds the subtree of a node that is already in `nodes`.
    fn divide(
        &self,
        grown: &mut Grown,
        node: usize,
        cell: Aabb,
        items: [Vec<u32>; 2],
        place: Place,
    ) {
        grown.depth = grown.depth.max(place.depth);
        let Some((axis, cut)) = self.choose(&cell, &items, place) else {
            grown.nodes[node].first = grown.ends.len() as u32;
            for (list, items) in grown.lists.iter_mut().zip(&items) {
                list.extend_from_slice(items);
            }
            grown.ends.push([0, 1].map(|kind| grown.lists[kind].len() as u32));
            return;
        };
        let children = grown.nodes.len();
        grown.nodes.extend([Node { cut: 0.0, first: 0, axis: LEAF }; 2]);
        grown.nodes[node] = Node { cut, first: children as u32, axis: axis as u32 };
        let [left, right] = self.part(&items, axis, cut);
        let count = items[TRIANGLES].len();
        drop(items);
        let both = (left[TRIANGLES].len() + right[TRIANGLES].len()) as f64;
        let growth = place.growth * (both / count.max(1) as f64).max(1.0);
        let kept = |side: usize| match self.plan {
            Plan::Search(_) => 0,
            Plan::Keep { nodes, .. } => nodes[place.kept].first as usize + side,
        };
        let below = |side| Place { kept: kept(side), depth: place.depth + 1, growth };
        let mut halves = [cell; 2];
        halves[0].max[axis] = cut;
        halves[1].min[axis] = cut;
        if count < TASK {
            self.divide(grown, children, halves[0], left, below(0));
            self.divide(grown, children + 1, halves[1], right, below(1));
            return;
        }
        let (left, right) = fork_join::join(
            true,
            || self.tree(halves[0], left, below(0)),
            || self.tree(halves[1], right, below(1)),
        );
        grown.append(children, left);
        grown.append(children + 1, right);
    }

    /// The items of both sides.
    fn part(&self, items: &[Vec<u32>; 2], axis: usize, cut: f64) -> [[Vec<u32>; 2]; 2] {
        let mut parts = [[Vec::new(), Vec::new()], [Vec::new(), Vec::new()]];
        let [left, right] = &mut parts;
        for kind in [TRIANGLES, EDGES] {
            for &item in &items[kind] {
                let side = Side::of(&self.boxes[kind][item as usize], axis, cut, self.thickness);
                if side != Side::Right {
                    left[kind].push(item);
                }
                if side != Side::Left {
                    right[kind].push(item);
                }
            }
        }
        parts
    }

    /// The axis and place of a node's cut; `None` for a leaf.
    fn choose(&self, cell: &Aabb, items: &[Vec<u32>; 2], place: Place) -> Option<(usize, f64)> {
        match &self.plan {
            Plan::Search(options) => {
                if place.depth >= options.max_depth.min(BoxTreeOptions::DEPTH_LIMIT) {
                    return None;
                }
                let search = cut::Search {
                    boxes: &self.boxes[TRIANGLES],
                    items: &items[TRIANGLES],
                    cell,
                    thickness: self.thickness,
                    growth: place.growth,
                    options,
                };
                search.find()
            }
            Plan::Keep { nodes, before, now } => {
                let Node { cut, axis, .. } = nodes[place.kept];
                let axis = axis as usize;
                if axis == LEAF as usize {
                    return None;
                }
                let moved = if (before.min[axis], before.max[axis])
                    == (now.min[axis], now.max[axis])
                {
                    cut
                } else {
                    let share = (cut - before.min[axis]) / (before.max[axis] - before.min[axis]);
                    now.min[axis] + share * (now.max[axis] - now.min[axis])
                };
                // Rounding, or 0 / 0, must not turn the box of a child inside out.
                Some((axis, moved.max(cell.min[axis]).min(cell.max[axis])))
            }
        }
    }
}

impl Grown {
    /// Appends a subtree; its root replaces the node at `place`.
    fn append(&mut self, place: usize, subtree: Self) {
        let nodes = self.nodes.len() as u32 - 1;
        let leaves = self.ends.len() as u32;
        let ends = [0, 1].map(|kind| self.lists[kind].len() as u32);
        let mut numbered = subtree.nodes.into_iter().map(|mut node| {
            // Lists that are too long are detected at the end.
            node.first = node.first.wrapping_add(if node.axis == LEAF { leaves } else { nodes });
            node
        });
        if let Some(root) = numbered.next() {
            self.nodes[place] = root;
        }
        self.nodes.extend(numbered);
        let moved = |end: [u32; 2]| [0, 1].map(|kind| end[kind].wrapping_add(ends[kind]));
        self.ends.extend(subtree.ends.into_iter().map(moved));
        for (list, items) in self.lists.iter_mut().zip(subtree.lists) {
            list.extend(items);
        }
        self.depth = self.depth.max(subtree.depth);
    }
}
