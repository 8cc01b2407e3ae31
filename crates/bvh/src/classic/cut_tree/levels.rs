//! Trees of cut-planes, level by level.

use xcollide_bounds::Aabb;

use super::{CutNode, CutTree};
use crate::levels::Opening;
use crate::levels::sealed::Open;

impl<T: CutTree> Open for T {
    type Volume = Aabb;

    fn root(&self) -> Option<Opening<Aabb>> {
        let volume = *self.cell();
        (!volume.is_empty()).then_some(Opening { id: 0, volume })
    }

    fn open(
        &self,
        node: &Opening<Aabb>,
        children: &mut Vec<Opening<Aabb>>,
        primitives: &mut Vec<u32>,
    ) {
        match CutTree::open(self, node.id) {
            CutNode::Leaf(leaf) => primitives.extend(self.leaf(leaf)),
            CutNode::Inner { axis, planes, children: [first, second] } => {
                let (mut low, mut high) = (node.volume, node.volume);
                // A cell is never larger than its parent's.
                low.max[axis] = low.max[axis].min(planes[0]);
                high.min[axis] = high.min[axis].max(planes[1]);
                // A node that only cuts off empty space has one child: the other's plane is at infinity.
                if planes[0] != f64::NEG_INFINITY {
                    children.push(Opening { id: first, volume: low });
                }
                if planes[1] != f64::INFINITY {
                    children.push(Opening { id: second, volume: high });
                }
            }
        }
    }

    fn magnitude(&self) -> f64 {
        self.reach()
    }

    fn slack(&self) -> f64 {
        self.thickness()
    }
}
