//! The boxes around one box.

use super::octant::Octant;
use super::tree::{NONE, Node, Reference, Tree};
use crate::PairCollector;
use crate::classic::stamps::Stamps;

/// Looks for the boxes that may overlap one box: those attached to its octants, to the ones these
/// lie in, and to those in them (Zachmann 1994, 5.4.2). Both boxes of a pair would find each other,
/// so that one looks that has the smaller index.
pub(crate) struct Scan<'a, 's, R, F> {
    pub(crate) tree: &'a Tree<R>,
    pub(crate) object: u32,
    pub(crate) refer: &'a F,
    /// Boxes that were offered with this one.
    pub(crate) objects_seen: &'a mut Stamps,
    /// Octants above that were looked at.
    pub(crate) octants_seen: &'a mut Stamps,
    pub(crate) collector: &'a mut PairCollector<'s>,
}

impl<'a, R: Reference, F: Fn(u32, &Octant) -> R> Scan<'a, '_, R, F> {
    /// From the octants of the box.
    pub(crate) fn around(&mut self, octants: &[u32]) {
        for &octant in octants {
            let node = self.node(octant);
            if node.objects.len() > 1 {
                self.look_at(node);
            }
            self.look_below(node);
            let mut above = node.parent;
            while above != NONE && self.octants_seen.mark(above) {
                let node = self.node(above);
                self.look_at(node);
                above = node.parent;
            }
        }
    }

    #[inline]
    fn node(&self, place: u32) -> &'a Node<R> {
        &self.tree.nodes[place as usize]
    }

    fn look_below(&mut self, node: &'a Node<R>) {
        for &child in node.children.iter().filter(|&&child| child != NONE) {
            let child = self.node(child);
            self.look_at(child);
            self.look_below(child);
        }
    }

    #[inline]
    fn look_at(&mut self, node: &'a Node<R>) {
        if !node.objects.iter().any(|entry| entry.object() > self.object) {
            return;
        }
        let own = (self.refer)(self.object, &node.octant);
        for &entry in node.objects.iter() {
            let other = entry.object();
            if other > self.object && own.may_meet(entry) && self.objects_seen.mark(other) {
                self.collector.test(self.object, other);
            }
        }
    }
}
