//! Trees that follow moving vertices: refitted in place, and built again where that no longer suffices.
//!
//! The quality of a part of a tree is the surface of its boxes relative to that of its triangles. It is measured by each
//! refit, for each node. What has become worse than it was, is mended: all frames are chosen again if the whole tree has, and
//! what is below a node is built again if that has.

use super::WideBvh;
use super::fit::SLACK;
use super::node::{ChildRef, Node};
use super::refit::RefitMemory;
use super::tree::{Identity, child_ranges, frame_between, frame_of, half_between};
use super::vertices::Vertices;

/// What a tree that is refitted in place keeps.
#[derive(Clone, Debug)]
pub(super) struct Refitting {
    memory: RefitMemory,
    /// The cost of the whole when all frames were chosen last.
    framed: f32,
    /// The cost below each node when that was built last.
    built: Vec<f32>,
}

/// If the boxes have become so much larger, relative to the triangles, all their frames are chosen again.
const FRAMES_AGAIN: f32 = 1.25;

/// If those below a node have become so much larger than they were when it was built, that part is built again. With 1.25, parts
/// of a sheet in waves were built in each frame, at ten times the time of a refit and for 15 % fewer box tests.
const BUILD_AGAIN: f32 = 2.0;

/// Nodes that fewer triangles are below are not looked at.
const FEWEST: usize = 64;

impl Refitting {
    pub(super) fn bytes(&self) -> usize {
        self.memory.bytes() + size_of_val(&self.built[..])
    }
}

impl<N: Node> WideBvh<N> {
    /// Fits the boxes to moved positions of the same triangles, in the order of
    /// [`build`](Self::build), and keeps the structure and the memory.
    ///
    /// For a [`WideTree`](super::WideTree) this takes linear time and allocates nothing, but for the first time; the frames of
    /// the boxes stay, but for those of leaves. If the boxes become larger by a quarter, relative to the triangles, all
    /// frames are chosen again; where they then are twice as large as when they were built, that part of the tree is built
    /// again. Keeps about 30 bytes a triangle more. For a [`CompactTree`](super::CompactTree) all frames are chosen again
    /// each time: O(n log n), somewhat faster than building; after large deformations a new tree is faster to query.
    ///
    /// Triangles must have the corners that they had in the last refit; boxes are wrong else.
    ///
    /// # Panics
    /// There are not as many triangles as before, or one refers to a position that does not exist.
    pub fn refit(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        self.refit_by(positions, triangles.len(), &|triangle| triangles[triangle as usize], true);
    }

    /// [`refit`](Self::refit) with the corners of each triangle from a function. `kept`: whether they are those of the
    /// last refit, so that what is known of them can be used.
    ///
    /// # Panics
    /// As for [`refit`](Self::refit).
    pub fn refit_by(
        &mut self,
        positions: &[[f64; 3]],
        count: usize,
        triangles: &(impl Fn(u32) -> [u32; 3] + Sync),
        kept: bool,
    ) {
        assert_eq!(count, self.order.len(), "the triangles are not those of the tree");
        if count == 0 {
            return;
        }
        let Some(mut refit) = self.refit.take().filter(|_| kept) else {
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(triangles).collect();
            self.choose_frames(positions, &triangles);
            self.begin_refitting(positions, &triangles);
            return;
        };
        let (low, high) = refit.memory.extremes(positions);
        self.frame = frame_between(low, high);
        self.identity = Identity::default();
        let half = half_between(low, high);
        self.measure(&mut refit.memory, positions, half);
        let has_grown = refit.memory.costs()[0] > FRAMES_AGAIN * refit.framed;
        if has_grown {
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(triangles).collect();
            self.choose_frames(positions, &triangles);
            self.measure(&mut refit.memory, positions, half);
            refit.framed = refit.memory.costs()[0];
        }
        let worn = self.worn(&refit);
        if !worn.is_empty() {
            let triangles: Vec<[u32; 3]> = (0..count as u32).map(triangles).collect();
            let before = self.build_below(&worn, positions, &triangles);
            let corners = |triangle: u32| triangles[triangle as usize];
            let Some(nodes) = N::refittable(&mut self.nodes) else { return };
            refit.memory = RefitMemory::new(nodes, &self.order, positions.len(), &corners);
            self.measure(&mut refit.memory, positions, half);
            let costs = refit.memory.costs();
            let built = before.iter().zip(costs).map(|(before, cost)| match before {
                Some(node) => refit.built[*node as usize],
                None => *cost,
            });
            refit.built = built.collect();
            refit.framed = costs[0];
        }
        self.refit = Some(refit);
    }

    /// Measures the boxes in their frames.
    fn measure(&mut self, memory: &mut RefitMemory, positions: &[[f64; 3]], half: [f64; 3]) {
        let Some(nodes) = N::refittable(&mut self.nodes) else { return };
        let found = memory.refit(nodes, positions, &self.frame, half);
        let slack = SLACK * found.vertex.max(1.0);
        let vertex = f64::from(found.vertex) * (1.0 + 1e-6) + f64::from(slack);
        let center = f64::from(found.center) * (1.0 + 1e-6);
        self.frame.reach = center.max(vertex).max(1.0 / 1024.0);
    }

    /// Makes the memory of later refits, and changes nothing else.
    fn begin_refitting(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        let Some(nodes) = N::refittable(&mut self.nodes) else { return };
        let corners = |triangle: u32| triangles[triangle as usize];
        let mut memory = RefitMemory::new(nodes, &self.order, positions.len(), &corners);
        let (low, high) = memory.extremes(positions);
        memory.refit(&mut nodes.to_vec(), positions, &self.frame, half_between(low, high));
        let built = memory.costs().to_vec();
        self.refit = Some(Box::new(Refitting { memory, framed: built[0], built }));
    }

    /// Fits the boxes with new frames.
    fn choose_frames(&mut self, positions: &[[f64; 3]], triangles: &[[u32; 3]]) {
        self.frame = frame_of(positions, triangles);
        self.identity = Identity::default();
        let children = child_ranges(&self.nodes);
        let vertices = Vertices::new(positions, triangles, &self.frame);
        self.enclose(&vertices, &children);
    }

    /// The topmost nodes below which the boxes have become too large.
    fn worn(&self, refit: &Refitting) -> Vec<usize> {
        let costs = refit.memory.costs().iter().zip(&refit.built);
        let is_worn = |(cost, built): (&f32, &f32)| *cost > BUILD_AGAIN * *built;
        if !costs.clone().any(is_worn) {
            return Vec::new();
        }
        let below = self.triangles_below();
        let mut within = vec![false; self.nodes.len()];
        let mut worn = Vec::new();
        // A node comes after its parent.
        for (index, pair) in costs.enumerate() {
            // The first node has the whole in its only lane.
            if index > 0 && !within[index] && below[index].len() >= FEWEST && is_worn(pair) {
                worn.push(index);
                within[index] = true;
            }
            if within[index] {
                for child in self.nodes[index].children().iter().filter(|child| !child.is_leaf()) {
                    within[child.index()] = true;
                }
            }
        }
        worn
    }

    /// Builds again what is below some nodes, none of them below another. Returns for each node that the tree then has its
    /// number before; `None` for new ones.
    fn build_below(
        &mut self,
        worn: &[usize],
        positions: &[[f64; 3]],
        triangles: &[[u32; 3]],
    ) -> Vec<Option<u32>> {
        let below = self.triangles_below();
        let mut is_gone = vec![false; self.nodes.len()];
        worn.iter().for_each(|&node| is_gone[node] = true);
        for (index, node) in self.nodes.iter().enumerate() {
            if is_gone[index] {
                let children = node.children().iter().filter(|child| !child.is_leaf());
                children.for_each(|child| is_gone[child.index()] = true);
            }
        }
        let before = (0..).zip(&is_gone).filter(|(_, is_gone)| !**is_gone);
        let mut before: Vec<Option<u32>> = before.map(|(node, _)| Some(node)).collect();
        // Where each node gets, and what is there.
        let mut references: Vec<ChildRef> = vec![ChildRef::NONE; self.nodes.len()];
        for (place, &node) in before.iter().enumerate() {
            references[node.unwrap_or_default() as usize] = ChildRef::node(place);
        }
        let mut added: Vec<N> = Vec::new();
        for &node in worn {
            let range = below[node].clone();
            let old = self.order[range.clone()].to_vec();
            let own: Vec<[u32; 3]> = old.iter().map(|&number| triangles[number as usize]).collect();
            let tree = Self::build_in(self.frame, positions, &own, self.options);
            self.frame.reach = self.frame.reach.max(tree.frame.reach);
            for (number, &own) in self.order[range.clone()].iter_mut().zip(&tree.order) {
                *number = old[own as usize];
            }
            // Its first node is replaced by the place of the worn one.
            let first = before.len();
            let start = range.start as u32;
            let moved = |child: ChildRef| {
                if child == ChildRef::NONE {
                    child
                } else if child.is_leaf() {
                    let range = child.range();
                    ChildRef::leaf(start + range.start as u32, start + range.end as u32)
                } else {
                    ChildRef::node(first + child.index() - 1)
                }
            };
            references[node] =
                tree.nodes.first().map_or(ChildRef::NONE, |whole| moved(whole.children()[0]));
            for mut node in tree.nodes.into_iter().skip(1) {
                node.children_mut().iter_mut().for_each(|child| *child = moved(*child));
                added.push(node);
                before.push(None);
            }
        }
        let kept = self.nodes.iter().zip(&is_gone).filter(|(_, is_gone)| !**is_gone);
        let mut nodes: Vec<N> = kept.map(|(node, _)| node.clone()).collect();
        for child in nodes.iter_mut().flat_map(Node::children_mut) {
            if !child.is_leaf() {
                *child = references[child.index()];
            }
        }
        nodes.append(&mut added);
        self.nodes = nodes;
        before
    }
}

#[cfg(test)]
mod tests;
