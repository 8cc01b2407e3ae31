//! Building again the parts of a binary tree that no longer suit its primitives.
//!
//! A part's quality is its [cost](Bvh::cost), taken for what is below one node, relative to that node. [`Bvh::refit`] keeps the
//! structure, so the cost of a part grows where primitives have moved past each other.

use xcollide_bounds::BoundingVolume;

use super::build::{Link, Work, below, costs};
use super::{Builder, Bvh, Node, NodeId};
use crate::BuildError;

/// If the cost below a node has grown so much since that was built, it is built again.
const BUILD_AGAIN: f32 = 1.5;

/// Nodes with fewer primitives are not looked at.
const FEWEST: usize = 16;

impl<V: BoundingVolume> Bvh<V> {
    /// Builds again what is below the topmost nodes at which the [cost](Self::cost) has grown by half since it was built, after
    /// [`refit`](Self::refit) has fitted the volumes to moved primitives, which are given as there. Returns how many primitives
    /// are below these nodes.
    ///
    /// The volumes above stay as they are. Linear time, and that of [`Builder::build`] for what is built.
    ///
    /// # Errors
    /// As for [`refit`](Self::refit). The tree is then unchanged.
    pub fn rebuild_worn<const K: usize>(
        &mut self,
        primitives: &[[[f64; 3]; K]],
        builder: &Builder,
    ) -> Result<usize, BuildError> {
        self.reach = self.check_moved(primitives)?;
        let worn = self.worn();
        let below = worn.iter().map(|&node| self.below(NodeId(node)).len()).sum();
        if below > 0 {
            self.build_below(&worn, primitives, builder);
        }
        Ok(below)
    }

    /// The topmost nodes below which the volumes have become too large, from left to right.
    fn worn(&self) -> Vec<u32> {
        let costs = costs(&self.nodes);
        let is_worn = |index: usize| costs[index] > BUILD_AGAIN * self.nodes[index].built;
        let mut worn = Vec::new();
        let mut waiting: Vec<u32> = self.root().map(|root| root.0).into_iter().collect();
        while let Some(node) = waiting.pop() {
            let index = node as usize;
            if self.nodes[index].count > 0 || self.below(NodeId(node)).len() < FEWEST {
                continue;
            }
            if is_worn(index) {
                worn.push(node);
            } else {
                waiting.extend([self.nodes[index].link, node + 1]);
            }
        }
        worn
    }

    /// Builds what is below some nodes, none of them below another, from left to right.
    fn build_below<const K: usize>(
        &mut self,
        worn: &[u32],
        primitives: &[[[f64; 3]; K]],
        builder: &Builder,
    ) {
        let old = std::mem::take(&mut self.nodes);
        let links: Vec<Link> = old.iter().map(Node::link).collect();
        let below = below(&links);
        let (depths, ends) = (depths(&links), ends(&links));
        let work = Work::new(builder, primitives);
        let mut worn = worn.iter().map(|&node| node as usize).peekable();
        // Where each node gets that is kept, or built again.
        let mut places = vec![0_u32; old.len()];
        let mut kept = Vec::new();
        let mut index = 0;
        while index < old.len() {
            let place = self.nodes.len() as u32;
            places[index] = place;
            if worn.next_if_eq(&index).is_none() {
                kept.push(place);
                self.nodes.push(old[index].clone());
                index += 1;
                continue;
            }
            let (first, end) = below[index];
            let order = &mut self.order[first as usize..end as usize];
            let mut links = Vec::new();
            work.subtree(order, first, depths[index], &mut links);
            let built = work.nodes(&self.order, &links);
            self.nodes.extend(built.into_iter().map(|mut node: Node<V>| {
                node.link += if node.count == 0 { place } else { 0 };
                node
            }));
            index = ends[index] as usize;
        }
        for node in kept {
            let node = &mut self.nodes[node as usize];
            if node.count == 0 {
                node.link = places[node.link as usize];
            }
        }
    }
}

/// The number of nodes on the path from the root to each node, both included.
fn depths(links: &[Link]) -> Vec<usize> {
    let mut depths = vec![1; links.len()];
    for (index, &Link { link, count }) in links.iter().enumerate() {
        if count == 0 {
            let depth = depths[index] + 1;
            (depths[index + 1], depths[link as usize]) = (depth, depth);
        }
    }
    depths
}

/// The node after the last one below each node.
fn ends(links: &[Link]) -> Vec<u32> {
    let mut ends = vec![0; links.len()];
    for (index, &Link { link, count }) in links.iter().enumerate().rev() {
        ends[index] = if count == 0 { ends[link as usize] } else { index as u32 + 1 };
    }
    ends
}
