//! A tree over the vertices of a polytope, to find its height along many directions.
//!
//! Climbing along edges is faster, but on a fine surface rounding may end it at a vertex below the highest.

use xcollide_bounds::Aabb;
use xcollide_math::vector::dot;

type Vector = [f64; 3];

/// The most vertices of a leaf.
const LEAF: usize = 16;

/// A balanced binary tree of boxes, implicit: the halves of a range of the points are its children.
pub(super) struct VertexTree {
    points: Vec<Vector>,
    /// By node; the children of node i are 2 i + 1 and 2 i + 2.
    boxes: Vec<Aabb>,
}

impl VertexTree {
    /// O(n log n).
    pub(super) fn new(points: &[Vector]) -> Self {
        let leaves = points.len().div_ceil(LEAF).next_power_of_two();
        let mut tree = Self { points: points.to_vec(), boxes: vec![Aabb::EMPTY; 2 * leaves - 1] };
        tree.build(0, 0..points.len());
        tree
    }

    fn build(&mut self, node: usize, range: std::ops::Range<usize>) {
        let points = &mut self.points[range.clone()];
        let bounds = Aabb::from_points(points.iter().copied());
        self.boxes[node] = bounds;
        if 2 * node + 1 >= self.boxes.len() {
            return;
        }
        let size = bounds.size();
        let axis = (1..3).fold(0, |best, k| if size[k] > size[best] { k } else { best });
        let half = points.len() / 2;
        if half > 0 {
            points.select_nth_unstable_by(half, |p, q| p[axis].total_cmp(&q[axis]));
        }
        let middle = range.start + half;
        self.build(2 * node + 1, range.start..middle);
        self.build(2 * node + 2, middle..range.end);
    }

    /// The greatest height of a point along a direction, if it is above `known`, up to a few roundings of the heights;
    /// O(log n) as a rule.
    pub(super) fn height(&self, direction: Vector, known: f64) -> f64 {
        self.below(0, 0..self.points.len(), direction, known)
    }

    fn below(
        &self,
        node: usize,
        range: std::ops::Range<usize>,
        direction: Vector,
        mut best: f64,
    ) -> f64 {
        if 2 * node + 1 >= self.boxes.len() {
            return self.points[range].iter().map(|&p| dot(direction, p)).fold(best, f64::max);
        }
        let middle = range.start + range.len() / 2;
        let mut children = [(2 * node + 1, range.start..middle), (2 * node + 2, middle..range.end)];
        let top = |child: usize| {
            let Aabb { min, max } = &self.boxes[child];
            (0..3).map(|k| (direction[k] * min[k]).max(direction[k] * max[k])).sum::<f64>()
        };
        if top(children[1].0) > top(children[0].0) {
            children.swap(0, 1);
        }
        for (child, range) in children {
            // No point of an empty box is higher.
            if !range.is_empty() && top(child) > best {
                best = self.below(child, range, direction, best);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_scenes::Random;

    #[test]
    fn heights_are_those_of_all_points() {
        let mut random = Random::new(1);
        for count in [0, 1, 5, 16, 17, 100, 1000] {
            let mut point = || [(); 3].map(|()| random.between(-10.0, 10.0).round());
            let points: Vec<Vector> = (0..count).map(|_| point()).collect();
            let tree = VertexTree::new(&points);
            for _ in 0..50 {
                let direction = point();
                let all = points.iter().map(|&p| dot(direction, p));
                let greatest = all.fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(tree.height(direction, f64::NEG_INFINITY), greatest);
                assert_eq!(tree.height(direction, greatest), greatest);
            }
        }
    }
}
