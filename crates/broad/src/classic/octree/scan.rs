//! The boxes around one box.

use super::tree::{NONE, Node, Reference, Tree};
use crate::classic::stamps::Stamps;
use crate::{PairCollector, Proxies};

/// Finds the boxes that may overlap one box: those attached to its octants, to the octants around these,
/// and to those within (Zachmann 1994, 5.4.2). Only boxes with larger indices, as both boxes of a pair
/// would find each other.
pub(crate) struct Scan<'a, 's, R> {
    pub(crate) tree: &'a Tree<R>,
    pub(crate) object: u32,
    pub(crate) proxies: &'a Proxies,
    /// Boxes that were tested with this one.
    pub(crate) objects_seen: &'a mut Stamps,
    /// Octants above that were visited.
    pub(crate) octants_seen: &'a mut Stamps,
    pub(crate) collector: &'a mut PairCollector<'s>,
}

impl<'a, R: Reference> Scan<'a, '_, R> {
    /// Searches from the octants of the box.
    pub(crate) fn around(&mut self, octants: &[u32]) {
        for &octant in octants {
            let node = self.node(octant);
            if node.objects.len() > 1 {
                self.visit(node);
            }
            self.visit_below(node);
            let mut above = node.parent;
            while above != NONE && self.octants_seen.mark(above) {
                let node = self.node(above);
                self.visit(node);
                above = node.parent;
            }
        }
    }

    #[inline]
    fn node(&self, place: u32) -> &'a Node<R> {
        &self.tree.nodes[place as usize]
    }

    fn visit_below(&mut self, node: &'a Node<R>) {
        for &child in node.children.iter().filter(|&&child| child != NONE) {
            let child = self.node(child);
            self.visit(child);
            self.visit_below(child);
        }
    }

    #[inline]
    fn visit(&mut self, node: &'a Node<R>) {
        if !node.objects.iter().any(|entry| entry.object() > self.object) {
            return;
        }
        let own = self.tree.refer(self.proxies, self.object, &node.octant);
        for &entry in node.objects.iter() {
            let other = entry.object();
            if other > self.object && own.may_meet(entry) && self.objects_seen.mark(other) {
                self.collector.test(self.object, other);
            }
        }
    }
}
