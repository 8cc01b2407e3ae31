//! Boxes around the triangles below each node of a hierarchy, at both ends of a linear motion.

use xcollide_bounds::{Aabb, Obb};
use xcollide_bvh::binary::{Bvh, Content};
use xcollide_math::vector::add;
use xcollide_math::{f32_above, f32_below};
use xcollide_predicates::moving::MovingPoint;

use super::entry_time::SweptBox;

/// A box relative to the origin of its [`SweptBoxes`], rounded outward.
#[derive(Clone, Copy, Debug)]
struct RoundedBox {
    min: [f32; 3],
    max: [f32; 3],
}

impl RoundedBox {
    fn new(bounds: &Aabb, origin: [f64; 3]) -> Self {
        Self {
            min: [0, 1, 2].map(|k| f32_below(bounds.min[k] - origin[k])),
            max: [0, 1, 2].map(|k| f32_above(bounds.max[k] - origin[k])),
        }
    }

    fn merged(&self, other: &Self) -> Self {
        Self {
            min: [0, 1, 2].map(|k| self.min[k].min(other.min[k])),
            max: [0, 1, 2].map(|k| self.max[k].max(other.max[k])),
        }
    }

    /// The center and half the lengths of the sides, in f64.
    #[inline]
    fn center_and_half(&self) -> [[f64; 3]; 2] {
        let [min, max] = [self.min, self.max].map(|corner| corner.map(f64::from));
        [[0, 1, 2].map(|k| 0.5 * (min[k] + max[k])), [0, 1, 2].map(|k| 0.5 * (max[k] - min[k]))]
    }
}

/// For each node of a hierarchy the boxes at time 0 and at time 1, 48 bytes together.
#[derive(Clone, Debug, Default)]
pub(super) struct SweptBoxes {
    origin: [f64; 3],
    /// As [`Bvh::nodes`].
    boxes: Vec<[RoundedBox; 2]>,
}

impl SweptBoxes {
    /// The boxes of the nodes of a hierarchy over moved triangles. Linear time.
    pub(super) fn fit(tree: &Bvh<Obb>, triangle: impl Fn(u32) -> [MovingPoint; 3]) -> Self {
        // A point among the triangles, so that f32 is precise enough.
        let origin = tree.order().first().map_or([0.0; 3], |&first| triangle(first)[0].start);
        let points = [RoundedBox::new(&Aabb::EMPTY, [0.0; 3]); 2];
        let mut boxes = vec![points; tree.nodes().len()];
        // A node comes after its parent.
        for node in tree.nodes().rev() {
            boxes[node.index()] = match tree.content(node) {
                Content::Inner(children) => {
                    let [a, b] = children.map(|child| boxes[child.index()]);
                    [a[0].merged(&b[0]), a[1].merged(&b[1])]
                }
                Content::Leaf(triangles) => {
                    let (mut start, mut end) = (Aabb::EMPTY, Aabb::EMPTY);
                    for corner in triangles.iter().flat_map(|&number| triangle(number)) {
                        start.extend(corner.start);
                        end.extend(corner.end);
                    }
                    [start, end].map(|bounds| RoundedBox::new(&bounds, origin))
                }
            };
        }
        Self { origin, boxes }
    }

    /// The boxes of a node, up to rounding in f64.
    #[inline]
    pub(super) fn swept_box(&self, node: usize) -> SweptBox {
        const AXES: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let [start, end] = self.boxes[node].map(|bounds| bounds.center_and_half());
        SweptBox {
            centers: [add(self.origin, start[0]), add(self.origin, end[0])],
            axes: [AXES; 2],
            half: [start[1], end[1]],
            is_rigid: false,
        }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.boxes[..])
    }
}
