//! Wide hierarchies, level by level; their boxes in f64 and in the model's frame.

use xcollide_bounds::{BoundingVolume, Obb};

use super::node::{ChildRef, Node, OrientedBox};
use super::tree::WideBvh;
use crate::levels::Opening;
use crate::levels::sealed::Open;

impl<N: Node> Open for WideBvh<N> {
    type Volume = Obb;

    fn root(&self) -> Option<Opening<Obb>> {
        let first = self.nodes.first()?;
        Some(Opening { id: first.children()[0].bits(), volume: self.in_model(&first.get(0)) })
    }

    fn open(
        &self,
        node: &Opening<Obb>,
        children: &mut Vec<Opening<Obb>>,
        primitives: &mut Vec<u32>,
    ) {
        let below = ChildRef::of_bits(node.id);
        if below.is_leaf() {
            primitives.extend(&self.order[below.range()]);
            return;
        }
        let node = &self.nodes[below.index()];
        for (child, bounds) in node.children().iter().zip(node.boxes_present()) {
            children.push(Opening { id: child.bits(), volume: self.in_model(&bounds) });
        }
    }

    fn magnitude(&self) -> f64 {
        self.frame.magnitude
    }
}

impl<N: Node> WideBvh<N> {
    /// A box in the model's frame, with axes that are orthonormal in f64: around the computed corners, and
    /// enlarged by the errors of these and of the tree's coordinates.
    fn in_model(&self, bounds: &OrientedBox) -> Obb {
        let unit = 1.0 / self.frame.unit.reciprocal();
        let axes = bounds.axes.map(|axis| axis.map(f64::from));
        let corner = |bits: usize| {
            let local = (0..3).fold(bounds.center.map(f64::from), |at, axis| {
                let extent = f64::from(bounds.extent[axis]);
                let step = if bits >> axis & 1 == 0 { -extent } else { extent };
                [0, 1, 2].map(|k| at[k] + step * axes[axis][k])
            });
            [0, 1, 2].map(|k| local[k] * unit + self.frame.origin[k])
        };
        let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
        let extents: f64 = bounds.extent.iter().map(|&extent| f64::from(extent)).sum();
        let margin = unit * extents * N::EPSILON + self.frame.magnitude * 16.0 * f64::EPSILON;
        Obb::with_axes(&corners, axes).expanded(margin)
    }
}
