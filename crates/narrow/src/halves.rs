//! A median hierarchy over the triangles of a placed model, for proofs and distances.
//!
//! The plainest of all hierarchies: the triangles are halved at the median of the longest axis
//! until one is left, and each range keeps its box. It is built anew from world coordinates for
//! every proof, and so it holds for exactly the points that decide.

use xcollide_bounds::Aabb;

use crate::Placed;

/// Triangles in an order in which every range that comes from halving lies close together.
pub(crate) struct Halves {
    /// Triangle numbers; ranges of this list are halved at `start + len / 2`.
    pub(crate) order: Vec<u32>,
    /// Corners in the world, by triangle number.
    pub(crate) triangles: Vec<[[f64; 3]; 3]>,
    /// Boxes of the ranges, a range before its halves, the first half before the second.
    boxes: Vec<Aabb>,
}

/// A range of a [`Halves`] order: one node of the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Half {
    pub(crate) start: usize,
    pub(crate) len: usize,
    /// Where its box is.
    node: usize,
}

impl Half {
    /// The whole order.
    pub(crate) fn whole(len: usize) -> Self {
        Self { start: 0, len, node: 0 }
    }

    /// The two halves of a range of at least two.
    pub(crate) fn split(self) -> [Self; 2] {
        let first = self.len / 2;
        // A range of n triangles has 2n − 1 nodes: itself, and those of its halves.
        [
            Self { start: self.start, len: first, node: self.node + 1 },
            Self { start: self.start + first, len: self.len - first, node: self.node + 2 * first },
        ]
    }
}

impl Halves {
    /// Builds the hierarchy in O(n log n).
    pub(crate) fn new(placed: Placed<'_>) -> Self {
        let count = placed.model().triangulation().len();
        let triangles: Vec<_> = (0..count).map(|triangle| placed.triangle(triangle)).collect();
        let mut halves = Self { order: (0..count as u32).collect(), triangles, boxes: Vec::new() };
        if count > 0 {
            halves.boxes = vec![Aabb::EMPTY; 2 * count - 1];
            let mut order = std::mem::take(&mut halves.order);
            halves.build(&mut order, Half::whole(count));
            halves.order = order;
        }
        halves
    }

    /// The box of a range.
    pub(crate) fn bounds(&self, half: Half) -> &Aabb {
        &self.boxes[half.node]
    }

    /// The whole as a range; `None` where there are no triangles.
    pub(crate) fn root(&self) -> Option<Half> {
        (!self.order.is_empty()).then(|| Half::whole(self.order.len()))
    }

    /// The number of the only triangle of a range of length one.
    pub(crate) fn triangle(&self, half: Half) -> usize {
        self.order[half.start] as usize
    }

    fn build(&mut self, order: &mut [u32], half: Half) {
        let range = &mut order[half.start..half.start + half.len];
        let corners = range.iter().flat_map(|&t| self.triangles[t as usize]);
        let bounds = Aabb::from_points(corners);
        self.boxes[half.node] = bounds;
        if half.len == 1 {
            return;
        }
        let axis = bounds.longest_axis();
        let triangles = &self.triangles;
        // Sums of halves and quarters: no overflow at the end of the range of f64.
        let middle = |t: u32| {
            let [a, b, c] = triangles[t as usize].map(|corner| corner[axis]);
            a * 0.25 + b * 0.25 + c * 0.25
        };
        range.select_nth_unstable_by(half.len / 2, |&s, &t| {
            middle(s).total_cmp(&middle(t)).then(s.cmp(&t))
        });
        for part in half.split() {
            self.build(order, part);
        }
    }
}
