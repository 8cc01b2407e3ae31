//! The binary hierarchy that is collapsed to the wide one: ranges of triangles, split in two.
//!
//! A subtree over n triangles has 2n − 1 nodes, so the place of each node is known in advance and several
//! threads can build halves. `sah` and `morton` choose the splits.

use super::{morton, sah};
use crate::fork_join;

/// A range of the triangle order, halved until one triangle is left.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct BinaryNode {
    pub(super) start: u32,
    pub(super) end: u32,
    /// The second half; the first one follows its parent. 0 for a single triangle.
    pub(super) second: u32,
    /// Half the surface of the axis-aligned box.
    pub(super) area: f32,
}

impl BinaryNode {
    pub(super) fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// An axis-aligned box. The fourth lane is for SIMD.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) low: [f32; 4],
    pub(super) high: [f32; 4],
}

impl Extent {
    pub(super) const EMPTY: Self = Self { low: [f32::MAX; 4], high: [f32::MIN; 4] };

    #[inline(always)]
    pub(super) fn merge(&mut self, other: &Self) {
        for lane in 0..4 {
            let (low, high) = (other.low[lane], other.high[lane]);
            self.low[lane] = if low < self.low[lane] { low } else { self.low[lane] };
            self.high[lane] = if high > self.high[lane] { high } else { self.high[lane] };
        }
    }

    fn merged(mut self, other: Self) -> Self {
        self.merge(&other);
        self
    }

    /// Half the surface.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [x, y, z] = [0, 1, 2].map(|axis| (self.high[axis] - self.low[axis]).max(0.0));
        x * y + y * z + z * x
    }
}

/// A triangle as the input of the heuristic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primitive {
    /// The box; its fourth lanes hold the triangle's number.
    pub(super) extent: Extent,
}

impl Primitive {
    /// Low bits of a triangle's number in the first of the fourth lanes.
    const BITS: u32 = 15;

    fn new(index: usize, corners: &[[f64; 3]; 3]) -> Self {
        let mut extent = Extent::EMPTY;
        for corner in corners {
            let [x, y, z] = corner.map(|x| x as f32);
            extent.merge(&Extent { low: [x, y, z, 0.0], high: [x, y, z, 0.0] });
        }
        // Both halves of the number are exact in f32.
        extent.low[3] = (index & ((1 << Self::BITS) - 1)) as f32;
        extent.high[3] = (index >> Self::BITS) as f32;
        Self { extent }
    }

    fn triangle(&self) -> u32 {
        (self.extent.high[3] as u32) << Self::BITS | self.extent.low[3] as u32
    }

    /// Twice the middle of the box.
    #[inline(always)]
    pub(super) fn center(&self, axis: usize) -> f32 {
        self.extent.low[axis] + self.extent.high[axis]
    }

    #[inline(always)]
    fn centers(&self) -> Extent {
        let center = [0, 1, 2, 3].map(|lane| self.extent.low[lane] + self.extent.high[lane]);
        Extent { low: center, high: center }
    }
}

/// From this depth on ranges are halved by number instead of by the heuristic: at most 30 more levels.
const RULE_DEPTH: u32 = 90;

/// Smaller subtrees are not worth a task of their own.
const TASK: usize = 2048;

/// Triangles that one thread measures in turn.
const CHUNK: usize = 1 << 14;

/// How a [`WideBvh`](super::WideBvh) divides its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WideSplit {
    /// Where the surface area heuristic is least (Wald 2007), in 16 bins on each axis.
    #[default]
    SurfaceArea,
    /// Along Morton's space-filling curve (Lauterbach and others 2009).
    Morton,
}

/// Halves at least one triangle recursively. Returns the nodes, a parent before its halves, and the order of
/// the triangles that their ranges refer to. O(n log n) on ordinary meshes.
pub(super) fn build(triangles: &[[[f64; 3]; 3]], split: WideSplit) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut primitives: Vec<Primitive> = fork_join::numbered(triangles, Primitive::new);
    let mut nodes = vec![BinaryNode::default(); 2 * primitives.len() - 1];
    match split {
        WideSplit::SurfaceArea => halve(&mut primitives, 0, &mut nodes, 0, 0),
        WideSplit::Morton => {
            let (_, centers) = fork_join::merged(&primitives, CHUNK, &measure, &merged);
            morton::build(&mut primitives, &centers, &mut nodes);
        }
    }
    (nodes, fork_join::map(&primitives, Primitive::triangle))
}

/// Builds the subtree over a range that begins at `start` of the order; its nodes begin at `index`.
fn halve(
    range: &mut [Primitive],
    start: usize,
    nodes: &mut [BinaryNode],
    index: usize,
    depth: u32,
) {
    let end = start + range.len();
    let (extent, centers) = fork_join::merged(range, CHUNK, &measure, &merged);
    let Some((node, below)) = nodes.split_first_mut() else {
        return;
    };
    *node = BinaryNode { start: start as u32, end: end as u32, second: 0, area: extent.area() };
    if range.len() == 1 {
        return;
    }
    let first = if depth < RULE_DEPTH { sah::split(range, &centers) } else { range.len() / 2 };
    let second = index + 2 * first;
    node.second = second as u32;
    let (left, right) = range.split_at_mut(first);
    let (nodes_left, nodes_right) = below.split_at_mut(2 * first - 1);
    let middle = start + first;
    fork_join::join(
        end - start >= TASK,
        || halve(left, start, nodes_left, index + 1, depth + 1),
        || halve(right, middle, nodes_right, second, depth + 1),
    );
}

/// The box of the triangles and that of their centers.
fn measure(range: &[Primitive]) -> (Extent, Extent) {
    let (mut extent, mut centers) = (Extent::EMPTY, Extent::EMPTY);
    for primitive in range {
        extent.merge(&primitive.extent);
        centers.merge(&primitive.centers());
    }
    (extent, centers)
}

fn merged((extent, centers): (Extent, Extent), other: (Extent, Extent)) -> (Extent, Extent) {
    (extent.merged(other.0), centers.merged(other.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(triangles: &[[[f64; 3]; 3]]) {
        for split in [WideSplit::SurfaceArea, WideSplit::Morton] {
            check_split(triangles, split);
        }
    }

    fn check_split(triangles: &[[[f64; 3]; 3]], split: WideSplit) {
        let (nodes, order) = build(triangles, split);
        assert_eq!(nodes.len(), 2 * triangles.len() - 1);
        let mut sorted = order;
        sorted.sort_unstable();
        assert!(sorted.iter().enumerate().all(|(i, &triangle)| i == triangle as usize));
        for (i, node) in nodes.iter().enumerate() {
            if node.len() > 1 {
                let (first, second) = (nodes[i + 1], nodes[node.second as usize]);
                assert_eq!((first.start, second.end), (node.start, node.end));
                assert!(first.end == second.start && first.len() > 0 && second.len() > 0);
            }
        }
    }

    #[test]
    fn every_range_is_halved_down_to_one_triangle() {
        let line: Vec<_> = (0..100).map(|i| [[f64::from(i) * 0.01, 0.0, 0.0]; 3]).collect();
        check(&line);
        check(&[[[0.5; 3]; 3]; 37]);
        let shrinking: Vec<_> = (0..300).map(|i| [[0.5_f64.powi(i), 0.0, 0.0]; 3]).collect();
        check(&shrinking);
    }
}
