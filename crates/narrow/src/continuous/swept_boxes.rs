//! Boxes around the triangles below each node of a hierarchy, at both ends of a linear motion.

use xcollide_bounds::{Aabb, Obb};
use xcollide_bvh::binary::{Bvh, Content};
use xcollide_math::vector::{add, dot};
use xcollide_math::{f32_above, f32_below};
use xcollide_predicates::moving::MovingPoint;

use super::entry_time::Heights;

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

    fn center(&self) -> [f64; 3] {
        [0, 1, 2].map(|k| 0.5 * (f64::from(self.min[k]) + f64::from(self.max[k])))
    }

    /// The least and the greatest height along a direction.
    #[inline]
    fn heights(&self, direction: [f64; 3]) -> [f64; 2] {
        let [min, max] = [self.min, self.max].map(|corner| corner.map(f64::from));
        let (mut low, mut high) = (0.0, 0.0);
        for k in 0..3 {
            let (at_min, at_max) = (direction[k] * min[k], direction[k] * max[k]);
            low += at_min.min(at_max);
            high += at_min.max(at_max);
        }
        [low, high]
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
                    let corners = || triangles.iter().flat_map(|&number| triangle(number));
                    let start = Aabb::from_points(corners().map(|corner| corner.start));
                    let end = Aabb::from_points(corners().map(|corner| corner.end));
                    [start, end].map(|bounds| RoundedBox::new(&bounds, origin))
                }
            };
        }
        Self { origin, boxes }
    }

    /// The centers of the boxes of a node.
    pub(super) fn centers(&self, node: usize) -> [[f64; 3]; 2] {
        self.boxes[node].map(|bounds| add(self.origin, bounds.center()))
    }

    /// The heights of the boxes of a node, up to rounding in f64.
    #[inline]
    pub(super) fn heights(&self, node: usize, direction: [f64; 3]) -> Heights {
        let base = dot(direction, self.origin);
        let [start, end] = self.boxes[node].map(|bounds| bounds.heights(direction));
        Heights { low: [base + start[0], base + end[0]], high: [base + start[1], base + end[1]] }
    }

    /// Memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&self.boxes[..])
    }
}
