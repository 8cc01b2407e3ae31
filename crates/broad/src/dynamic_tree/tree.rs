//! A binary tree with insertion and removal of single boxes.

use xcollide_bounds::Aabb;

use crate::sides::is_ordinary;
use crate::stats::held;

/// No node, or no leaf.
const NONE: u32 = u32::MAX;
/// The entry in `places` of a box in the list.
const LISTED: u32 = u32::MAX - 1;

/// Boxes by index, in the leaves of a binary tree. Boxes that are not [ordinary](is_ordinary) are in a list, so
/// that no area overflows.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    root: u32,
    /// The first free node; its `parent` is the next.
    free: u32,
    /// By index, the leaf, or [`NONE`] or [`LISTED`].
    places: Vec<u32>,
    unbounded: Vec<(u32, Aabb)>,
}

/// A leaf or an inner node; the size of a cache line.
#[derive(Clone, Copy, Debug)]
struct Node {
    aabb: Aabb,
    parent: u32,
    /// In a leaf, the first is the index of the box.
    children: [u32; 2],
    /// The height of the subtree; 0 for a leaf.
    height: u32,
}

const _: () = assert!(size_of::<Node>() == 64);

impl Default for Tree {
    fn default() -> Self {
        Self {
            nodes: Vec::new(),
            root: NONE,
            free: NONE,
            places: Vec::new(),
            unbounded: Vec::new(),
        }
    }
}

impl Tree {
    pub(crate) fn get(&self, index: u32) -> Option<&Aabb> {
        match self.place(index) {
            NONE => None,
            LISTED => self.unbounded.iter().find(|entry| entry.0 == index).map(|entry| &entry.1),
            leaf => Some(&self.nodes[leaf as usize].aabb),
        }
    }

    /// Adds a non-empty box under an unused index. O(log n) if boxes overlap little.
    pub(crate) fn insert(&mut self, index: u32, aabb: &Aabb) {
        debug_assert!(!aabb.is_empty() && self.place(index) == NONE, "box {index}: {aabb:?}");
        if self.places.len() <= index as usize {
            self.places.resize(index as usize + 1, NONE);
        }
        if !is_ordinary(aabb) {
            self.places[index as usize] = LISTED;
            self.unbounded.push((index, *aabb));
            return;
        }
        let leaf =
            self.take(Node { aabb: *aabb, parent: NONE, children: [index, NONE], height: 0 });
        self.places[index as usize] = leaf;
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(aabb);
        let parent = self.nodes[sibling as usize].parent;
        let joint = self.take(Node { aabb: *aabb, parent, children: [sibling, leaf], height: 1 });
        self.hang(parent, sibling, joint);
        self.nodes[sibling as usize].parent = joint;
        self.nodes[leaf as usize].parent = joint;
        self.settle(joint);
    }

    /// Removes the box of an index, if there is one. O(height).
    pub(crate) fn remove(&mut self, index: u32) {
        let leaf = self.place(index);
        if leaf == NONE {
            return;
        }
        self.places[index as usize] = NONE;
        if leaf == LISTED {
            self.unbounded.retain(|entry| entry.0 != index);
            return;
        }
        let joint = self.nodes[leaf as usize].parent;
        self.release(leaf);
        if joint == NONE {
            self.root = NONE;
            return;
        }
        let Node { parent, children: [first, second], .. } = self.nodes[joint as usize];
        let sibling = if first == leaf { second } else { first };
        self.release(joint);
        self.hang(parent, joint, sibling);
        self.nodes[sibling as usize].parent = parent;
        self.settle(parent);
    }

    /// Visits the index of every box that overlaps the non-empty `probe`. `stack` is reused memory.
    pub(crate) fn each_overlap(
        &self,
        probe: &Aabb,
        stack: &mut Vec<u32>,
        mut visit: impl FnMut(u32),
    ) {
        for (index, aabb) in &self.unbounded {
            if aabb.overlaps(probe) {
                visit(*index);
            }
        }
        stack.clear();
        if self.root != NONE {
            stack.push(self.root);
        }
        while let Some(node) = stack.pop() {
            let node = &self.nodes[node as usize];
            if !node.aabb.overlaps(probe) {
                continue;
            }
            if node.height == 0 {
                visit(node.children[0]);
            } else {
                stack.extend(node.children);
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.nodes) + held(&self.places) + held(&self.unbounded)
    }

    fn place(&self, index: u32) -> u32 {
        self.places.get(index as usize).copied().unwrap_or(NONE)
    }

    /// The node beside which a box enlarges the tree least. A greedy descent by the surface of the new parent
    /// and the growth of its ancestors' surfaces.
    fn best_sibling(&self, aabb: &Aabb) -> u32 {
        let own = surface(aabb);
        let (mut node, mut inherited) = (self.root, 0.0);
        let (mut best, mut least) = (node, f64::INFINITY);
        loop {
            let Node { aabb: around, children, height, .. } = self.nodes[node as usize];
            let joint = surface(&around.merged(aabb));
            // The deepest of equal costs: otherwise boxes in one place would form a chain.
            if inherited + joint <= least {
                (best, least) = (node, inherited + joint);
            }
            if height == 0 {
                return best;
            }
            inherited += joint - surface(&around);
            // A lower bound on the cost in each child.
            let [(first, first_height), (second, second_height)] = children.map(|child| {
                let Node { aabb: around, height, .. } = self.nodes[child as usize];
                let joint = surface(&around.merged(aabb));
                (joint + (own - surface(&around)).min(0.0), height)
            });
            let goes_first = first < second || first == second && first_height <= second_height;
            node = children[usize::from(!goes_first)];
            if inherited + first.min(second) > least {
                return best;
            }
        }
    }

    /// Rotates where that makes the tree smaller, and updates boxes and heights, from a node up to the root.
    fn settle(&mut self, mut node: u32) {
        while node != NONE {
            self.rotate(node);
            self.refit(node);
            node = self.nodes[node as usize].parent;
        }
    }

    /// Swaps a child of a node with a child of the other child, if that shrinks the other child's box:
    ///
    /// ```text
    ///      A                 A
    ///    /   \             /   \
    ///   B     C     →     F     C      if B and G together have
    ///        / \               / \     less surface than C had
    ///       F   G             B   G
    /// ```
    fn rotate(&mut self, node: u32) {
        let [b, c] = self.nodes[node as usize].children;
        let (mut most, mut turn) = (0.0, None);
        for (down, around) in [(b, c), (c, b)] {
            let Node { aabb, children: [f, g], height, .. } = self.nodes[around as usize];
            if height == 0 {
                continue;
            }
            for (up, stays) in [(f, g), (g, f)] {
                let [down_box, other] = [down, stays].map(|node| self.nodes[node as usize].aabb);
                let gain = surface(&aabb) - surface(&down_box.merged(&other));
                if gain > most {
                    (most, turn) = (gain, Some((down, around, up)));
                }
            }
        }
        if let Some((down, around, up)) = turn {
            self.hang(node, down, up);
            self.hang(around, up, down);
            self.nodes[up as usize].parent = node;
            self.nodes[down as usize].parent = around;
            self.refit(around);
        }
    }

    fn refit(&mut self, node: u32) {
        let [first, second] =
            self.nodes[node as usize].children.map(|child| self.nodes[child as usize]);
        let node = &mut self.nodes[node as usize];
        node.aabb = first.aabb.merged(&second.aabb);
        node.height = 1 + first.height.max(second.height);
    }

    fn hang(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = &mut self.nodes[parent as usize].children;
        children[usize::from(children[0] != old)] = new;
    }

    fn take(&mut self, node: Node) -> u32 {
        if self.free == NONE {
            self.nodes.push(node);
            return self.nodes.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.nodes[place as usize].parent;
        self.nodes[place as usize] = node;
        place
    }

    fn release(&mut self, node: u32) {
        self.nodes[node as usize].parent = self.free;
        self.free = node;
    }
}

/// Half of the surface area. The second term decides only among points on a line, which have no area.
fn surface(aabb: &Aabb) -> f64 {
    let [x, y, z] = [0, 1, 2].map(|axis| aabb.max[axis] - aabb.min[axis]);
    x * y + y * z + z * x + 1e-30 * (x + y + z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64Mcg;
    use rand_pcg::rand_core::{Rng as _, SeedableRng as _};

    /// Checks all links, boxes and heights; returns the height.
    fn check(tree: &Tree) -> u32 {
        let mut reached = 0;
        let mut stack: Vec<(u32, u32)> = Vec::new();
        if tree.root != NONE {
            stack.push((tree.root, NONE));
        }
        while let Some((place, parent)) = stack.pop() {
            reached += 1;
            let node = &tree.nodes[place as usize];
            assert_eq!(node.parent, parent);
            if node.height == 0 {
                assert_eq!(tree.places[node.children[0] as usize], place);
                continue;
            }
            let [first, second] = node.children.map(|child| tree.nodes[child as usize]);
            assert_eq!(node.aabb, first.aabb.merged(&second.aabb));
            assert_eq!(node.height, 1 + first.height.max(second.height));
            stack.extend(node.children.map(|child| (child, place)));
        }
        let leaves = tree.places.iter().filter(|&&place| place < LISTED).count();
        assert_eq!(reached, (2 * leaves).saturating_sub(1));
        let mut unused = 0;
        let mut free = tree.free;
        while free != NONE {
            unused += 1;
            free = tree.nodes[free as usize].parent;
        }
        assert_eq!(reached + unused, tree.nodes.len());
        if tree.root == NONE { 0 } else { tree.nodes[tree.root as usize].height }
    }

    #[test]
    fn it_is_a_tree_around_its_boxes_whatever_comes_and_goes() {
        let mut random = Pcg64Mcg::seed_from_u64(3);
        let mut below = |limit: u64| random.next_u64() % limit;
        let mut tree = Tree::default();
        let mut model: Vec<Option<Aabb>> = vec![None; 150];
        let mut found_any = 0;
        for step in 0..3000 {
            let index = below(150) as usize;
            if model[index].take().is_some() {
                tree.remove(index as u32);
            } else {
                let corner = [(); 3].map(|()| below(100) as f64);
                let mut aabb = Aabb::new(corner, corner.map(|c| c + below(12) as f64));
                if below(20) == 0 {
                    aabb.max[1] = f64::INFINITY;
                }
                tree.insert(index as u32, &aabb);
                model[index] = Some(aabb);
            }
            assert_eq!(tree.get(index as u32), model[index].as_ref());
            if step % 50 > 0 {
                continue;
            }
            assert!(check(&tree) < 40);
            let probe = Aabb::new([20.0; 3], [70.0, 40.0, 90.0]);
            let mut found = Vec::new();
            tree.each_overlap(&probe, &mut Vec::new(), |index| found.push(index));
            found.sort_unstable();
            let expected = (0..150)
                .filter(|&index| model[index as usize].is_some_and(|aabb| aabb.overlaps(&probe)));
            assert!(expected.eq(found.iter().copied()));
            found_any += found.len();
        }
        assert!(found_any > 100);
        for index in 0..150 {
            tree.remove(index);
        }
        assert_eq!((check(&tree), tree.root), (0, NONE));
    }

    /// Insertion orders that degenerate unbalanced trees to chains.
    #[test]
    fn it_stays_shallow() {
        // All in one place; all at one point; in a row; points on a line.
        for (kind, (step, side)) in
            [(0.0, 1.0), (0.0, 0.0), (1.0, 1.0), (1.0, 0.0)].iter().enumerate()
        {
            let mut tree = Tree::default();
            for index in 0..1024 {
                let corner = [step * f64::from(index), 1.0, 1.0];
                tree.insert(index, &Aabb::new(corner, corner.map(|c| c + side)));
            }
            let height = check(&tree);
            assert!(height <= 30, "kind {kind}: {height}");
        }
    }

    /// The cost of a search hardly grows with the number of boxes.
    #[test]
    fn a_search_visits_few_nodes() {
        let mut random = Pcg64Mcg::seed_from_u64(4);
        let mut unit = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut cost = |count: u32| {
            let mut tree = Tree::default();
            let reach = f64::from(count).cbrt() * 2.0;
            let mut boxes = Vec::new();
            for index in 0..count {
                let corner = [(); 3].map(|()| reach * unit());
                boxes.push(Aabb::new(corner, corner.map(|c| c + 1.0)));
                tree.insert(index, &boxes[index as usize]);
            }
            // Moves the boxes, as in use.
            for round in 0..2 * count {
                let index = round % count;
                boxes[index as usize].min[0] += 0.1;
                boxes[index as usize].max[0] += 0.1;
                tree.remove(index);
                tree.insert(index, &boxes[index as usize]);
            }
            let mut visited = 0;
            for probe in &boxes {
                let hit = |node: &&Node| node.aabb.overlaps(probe);
                visited += tree.nodes.iter().filter(hit).count();
            }
            f64::from(visited as u32) / f64::from(count)
        };
        let (few, many) = (cost(250), cost(2000));
        assert!(few < 40.0 && many < 1.6 * few, "{few} {many}");
    }
}
