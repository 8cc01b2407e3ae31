//! Removal by a traversal with the old box (Zachmann 1994, 5.4.3, the naive way).

use super::tree::{NONE, Place, Reference, Tree};
use crate::overlap::Bits;

impl<R: Reference> Tree<R> {
    /// Detaches a box from its octants within this one.
    pub(super) fn leave_by_traversal(&mut self, node: u32, object: u32, place: &Place) {
        let octant = self.nodes[node as usize].octant;
        let here = octant.cells();
        if octant.level == place.bottom || place.cells.covers(&here) {
            let objects = &mut self.nodes[node as usize].objects;
            if let Some(at) = objects.iter().position(|entry| entry.object() == object) {
                objects.take(at);
                self.moves += 1;
            }
            return self.prune(node);
        }
        for which in Bits(octant.decide(&place.cells.common(&here)).into()) {
            let child = self.nodes[node as usize].children[which];
            if child != NONE {
                self.leave_by_traversal(child, object, place);
            }
        }
    }
}
