//! Box-trees, level by level.

use xcollide_bounds::Aabb;

use super::{BoxTree, TRIANGLES};
use crate::classic::cut_tree::open_cut;
use crate::levels::Opening;
use crate::levels::sealed::Open;

impl Open for BoxTree {
    type Volume = Aabb;

    fn root(&self) -> Option<Opening<Aabb>> {
        (!self.nodes.is_empty() && self.triangles() > 0)
            .then_some(Opening { id: 0, volume: self.cell })
    }

    fn open(
        &self,
        node: &Opening<Aabb>,
        children: &mut Vec<Opening<Aabb>>,
        primitives: &mut Vec<u32>,
    ) {
        open_cut(self, node, children, |leaf| {
            primitives.extend(self.leaf_items(leaf, TRIANGLES));
        });
    }

    fn magnitude(&self) -> f64 {
        self.reach
    }

    fn slack(&self) -> f64 {
        self.thickness
    }
}
