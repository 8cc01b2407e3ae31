//! Trees of cut-planes, level by level.

use xcollide_bounds::Aabb;

use super::{CutNode, CutTree};
use crate::levels::Opening;

/// The children of a node of a tree of cut-planes, or its leaf.
pub(crate) fn open_cut(
    tree: &impl CutTree,
    node: &Opening<Aabb>,
    children: &mut Vec<Opening<Aabb>>,
    leaf: impl FnOnce(usize),
) {
    match tree.open(node.id) {
        CutNode::Leaf(number) => leaf(number),
        CutNode::Inner { axis, planes, children: [first, second] } => {
            let (mut low, mut high) = (node.volume, node.volume);
            // A cell is never larger than its parent's.
            low.max[axis] = low.max[axis].min(planes[0]);
            high.min[axis] = high.min[axis].max(planes[1]);
            // What only lacks empty space has one child: the plane of the other is at infinity.
            if planes[0] != f64::NEG_INFINITY {
                children.push(Opening { id: first, volume: low });
            }
            if planes[1] != f64::INFINITY {
                children.push(Opening { id: second, volume: high });
            }
        }
    }
}
