//! Binary hierarchies, level by level.

use xcollide_bounds::BoundingVolume;

use super::{Bvh, Content, NodeId};
use crate::levels::Opening;
use crate::levels::sealed::Open;

impl<V: BoundingVolume> Open for Bvh<V> {
    type Volume = V;

    fn root(&self) -> Option<Opening<V>> {
        Some(Opening { id: 0, volume: self.nodes.first()?.volume.clone() })
    }

    fn open(&self, node: &Opening<V>, children: &mut Vec<Opening<V>>, primitives: &mut Vec<u32>) {
        match self.content(NodeId(node.id)) {
            Content::Leaf(own) => primitives.extend(own),
            Content::Inner(two) => children.extend(
                two.map(|child| Opening { id: child.0, volume: self.volume(child).clone() }),
            ),
        }
    }

    fn magnitude(&self) -> f64 {
        Bvh::reach(self)
    }
}
