//! The binary hierarchy that is collapsed to the wide one: ranges of triangles, split in two.
//!
//! A subtree over n triangles has 2n − 1 nodes, so the place of each node is known in advance and several
//! threads can build halves. `sah` and `morton` choose the splits.

use super::relative_transform::TreeFrame;
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

/// An axis-aligned box: the least coordinates, negated, and the greatest ones; so boxes are merged by one
/// maximum. The fourth lane of each half is free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent(pub(super) [f32; 8]);

impl Extent {
    pub(super) const EMPTY: Self = Self([f32::MIN; 8]);

    #[inline(always)]
    pub(super) fn merge(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own = if other > *own { other } else { *own };
        }
    }

    pub(super) fn merged(mut self, other: Self) -> Self {
        self.merge(&other);
        self
    }

    pub(super) fn low(&self, axis: usize) -> f32 {
        -self.0[axis]
    }

    /// The width along an axis.
    #[inline(always)]
    pub(super) fn width(&self, axis: usize) -> f32 {
        self.0[axis] + self.0[axis + 4]
    }

    /// Half the surface; of no points 0, or more.
    #[inline(always)]
    pub(super) fn area(&self) -> f32 {
        let [x, y, z] = [self.width(0), self.width(1), self.width(2)];
        x * y + y * z + z * x
    }
}

/// A triangle as the input of the heuristic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Primitive {
    /// The box; its free lanes hold the triangle's number.
    pub(super) extent: Extent,
}

impl Primitive {
    /// Low bits of a triangle's number in the first of the free lanes.
    const BITS: u32 = 15;

    fn new(index: usize, corners: [[f32; 3]; 3]) -> Self {
        let mut extent = Extent::EMPTY;
        for [x, y, z] in corners {
            extent.merge(&Extent([-x, -y, -z, 0.0, x, y, z, 0.0]));
        }
        // Both halves of the number are exact in f32.
        extent.0[3] = (index & ((1 << Self::BITS) - 1)) as f32;
        extent.0[7] = (index >> Self::BITS) as f32;
        Self { extent }
    }

    fn triangle(&self) -> u32 {
        (self.extent.0[7] as u32) << Self::BITS | self.extent.0[3] as u32
    }

    /// Twice the middle of the box.
    #[inline(always)]
    pub(super) fn center(&self, axis: usize) -> f32 {
        self.extent.0[axis + 4] - self.extent.0[axis]
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
pub(super) fn build(
    positions: &[[f64; 3]],
    triangles: &[[u32; 3]],
    frame: &TreeFrame,
    split: WideSplit,
) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut primitives: Vec<Primitive> = fork_join::numbered(triangles, |index, triangle| {
        Primitive::new(index, triangle.map(|vertex| frame.local(positions[vertex as usize])))
    });
    let mut nodes = vec![BinaryNode::default(); 2 * primitives.len() - 1];
    match split {
        WideSplit::SurfaceArea => {
            let mut scratch = primitives.clone();
            let whole = fork_join::merged(&primitives, CHUNK, &extent, &Extent::merged);
            halve(&mut primitives, &mut scratch, whole, 0, &mut nodes, 0, 0);
        }
        WideSplit::Morton => morton::build(&mut primitives, &mut nodes),
    }
    (nodes, fork_join::map(&primitives, Primitive::triangle))
}

/// Builds the subtree over a range with the given box that begins at `start` of the order; its nodes begin
/// at `index`.
fn halve(
    range: &mut [Primitive],
    scratch: &mut [Primitive],
    extent: Extent,
    start: usize,
    nodes: &mut [BinaryNode],
    index: usize,
    depth: u32,
) {
    let end = start + range.len();
    let Some((node, below)) = nodes.split_first_mut() else {
        return;
    };
    *node = BinaryNode { start: start as u32, end: end as u32, second: 0, area: extent.area() };
    if range.len() == 1 {
        return;
    }
    let Halves { first, extents: [left_extent, right_extent] } =
        if depth < RULE_DEPTH { sah::split(range, scratch) } else { Halves::equal(range) };
    let second = index + 2 * first;
    node.second = second as u32;
    let (left, right) = range.split_at_mut(first);
    let (scratch_left, scratch_right) = scratch.split_at_mut(first);
    let (nodes_left, nodes_right) = below.split_at_mut(2 * first - 1);
    let middle = start + first;
    let depth = depth + 1;
    fork_join::join(
        end - start >= TASK,
        || halve(left, scratch_left, left_extent, start, nodes_left, index + 1, depth),
        || halve(right, scratch_right, right_extent, middle, nodes_right, second, depth),
    );
}

/// Where a range is split: the length of the first part, and the boxes of both.
pub(super) struct Halves {
    pub(super) first: usize,
    pub(super) extents: [Extent; 2],
}

impl Halves {
    /// As many triangles in one part as in the other.
    pub(super) fn equal(range: &[Primitive]) -> Self {
        let (left, right) = range.split_at(range.len() / 2);
        Self { first: left.len(), extents: [extent(left), extent(right)] }
    }
}

/// The box of the triangles.
pub(super) fn extent(range: &[Primitive]) -> Extent {
    let mut extent = Extent::EMPTY;
    for primitive in range {
        extent.merge(&primitive.extent);
    }
    extent
}

/// The hierarchy of triangles whose corners are below 1.
#[cfg(test)]
pub(super) fn of_soup(soup: &[[[f64; 3]; 3]], split: WideSplit) -> (Vec<BinaryNode>, Vec<u32>) {
    let triangles: Vec<[u32; 3]> =
        (0..soup.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    build(&soup.concat(), &triangles, &TreeFrame::UNIT, split)
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
        let (nodes, order) = of_soup(triangles, split);
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
