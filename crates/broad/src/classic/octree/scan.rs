//! The search for neighbours in an octree (Zachmann 1994, 5.4.2).

use std::ops::Range;

use super::method::OctreeMethod;
use super::tree::{NONE, Node, Place, ROOT, Reference, Tree};
use crate::classic::stamps::Stamps;
use crate::overlap::Bits;
use crate::{PairCollector, Proxies};

/// What one box's search has seen: scratch memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Seen {
    /// Boxes already tested with this one.
    objects: Stamps,
    /// Ancestors already visited.
    octants: Stamps,
}

impl Seen {
    pub(super) fn bytes(&self) -> usize {
        self.objects.bytes() + self.octants.bytes()
    }
}

impl<R: Reference> Tree<R> {
    /// Tests the pairs of some boxes and those with larger numbers that are attached to the same octant or to one within the
    /// other, if they may meet there.
    pub(super) fn pairs(
        &self,
        range: Range<usize>,
        proxies: &Proxies,
        seen: &mut Seen,
        collector: &mut PairCollector<'_>,
    ) {
        seen.objects.shrink(self.places.len());
        seen.octants.shrink(self.nodes.len());
        for object in range {
            let Some(place) = &self.places[object] else { continue };
            seen.objects.begin(self.places.len());
            let mut scan = Scan { tree: self, object: object as u32, proxies, seen, collector };
            match self.method {
                OctreeMethod::Traversal => scan.below_root(ROOT, place),
                OctreeMethod::Paths => scan.along_paths(ROOT),
                _ => {
                    scan.seen.octants.begin(self.nodes.len());
                    scan.around(&place.octants);
                }
            }
        }
    }
}

/// Finds the boxes that may overlap one box: those attached to its octants, to their ancestors, and to their
/// descendants (Zachmann 1994, 5.4.2). Only boxes with larger indices, as both boxes of a pair would find each
/// other.
struct Scan<'a, 's, R> {
    tree: &'a Tree<R>,
    object: u32,
    proxies: &'a Proxies,
    seen: &'a mut Seen,
    collector: &'a mut PairCollector<'s>,
}

impl<'a, R: Reference> Scan<'a, '_, R> {
    /// From the octants of the box.
    fn around(&mut self, octants: &[u32]) {
        for &octant in octants {
            let node = self.node(octant);
            if node.objects.len() > 1 {
                self.visit(node);
            }
            self.visit_below(node);
            let mut above = node.parent;
            while above != NONE && self.seen.octants.mark(above) {
                let node = self.node(above);
                self.visit(node);
                above = node.parent;
            }
        }
    }

    /// From the root, as the box is inserted.
    fn below_root(&mut self, node: u32, place: &Place) {
        let node = self.node(node);
        self.visit(node);
        let here = node.octant.cells();
        if node.octant.level == place.bottom || place.cells.covers(&here) {
            return self.visit_below(node);
        }
        for which in Bits(node.octant.decide(&place.cells.common(&here)).into()) {
            let child = node.children[which];
            if child != NONE {
                self.below_root(child, place);
            }
        }
    }

    /// From the root, through the octants that the box is noted in.
    fn along_paths(&mut self, number: u32) {
        let node = self.node(number);
        self.visit(node);
        if !self.tree.is_passed_by(number, self.object) {
            return self.visit_below(node);
        }
        for &child in node.children.iter().filter(|&&child| child != NONE) {
            if self.tree.holds(child, self.object) {
                self.along_paths(child);
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
            if other > self.object && own.may_meet(entry) && self.seen.objects.mark(other) {
                self.collector.test(self.object, other);
            }
        }
    }
}
