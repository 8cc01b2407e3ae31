//! A binary hierarchy from Morton's space-filling curve (Lauterbach and others, *Fast BVH construction on
//! GPUs*, 2009): faster to build than by the surface area heuristic, slower to query.
//!
//! Triangles are sorted along the curve; a range is split where the highest differing bit of its codes
//! changes.

use xcollide_simd::{SimdFloat, dispatch};

use super::binary::{BinaryNode, TASK};
use super::primitive::{Extent, Outline, Primitive};
use super::slots::{Choose, Costs};
use super::subtree::{Collapse, Draft};
use crate::fork_join;

/// Bits of a code on each axis.
const BITS: u32 = 21;

/// Triangles that one thread measures in turn.
const CHUNK: usize = 1 << 14;

/// Sorts the triangles along the curve and builds the nodes over them; leaves will have up to `most`.
pub(super) fn build(
    primitives: &[Primitive],
    order: &mut [u32],
    nodes: &mut [BinaryNode],
    most: usize,
) {
    let centers = fork_join::merged(primitives, CHUNK, &Outline::of, &Outline::merged).centers;
    let cells = f64::from(1_u32 << BITS);
    let low = [0, 1, 2].map(|axis| -f64::from(centers.0[axis]));
    let factor = [0, 1, 2].map(|axis| {
        let width = f64::from(centers.0[axis] + centers.0[axis + 4]);
        if width > 0.0 { cells / width } else { 0.0 }
    });
    let mut keys: Vec<(u64, u32)> = fork_join::numbered(primitives, |index, primitive| {
        let center = primitive.center().to_array();
        let cell = |axis: usize| {
            let place = (f64::from(center[axis]) - low[axis]) * factor[axis];
            u64::from((place as u32).min((1 << BITS) - 1))
        };
        (spread(cell(0)) << 2 | spread(cell(1)) << 1 | spread(cell(2)), index as u32)
    });
    fork_join::sort(&mut keys);
    let sorted = fork_join::map(&keys, |&(_, index)| primitives[index as usize]);
    for (place, &(_, triangle)) in order.iter_mut().zip(&keys) {
        *place = triangle;
    }
    Part { keys: &keys, range: &sorted, nodes }.build(most);
}

/// The bits of a number at every third place.
fn spread(bits: u64) -> u64 {
    let bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF;
    let bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF;
    let bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F;
    let bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// A range of triangles that is to be halved. The hierarchy is no deeper than the bits of a code and of a triangle's number
/// together.
struct Part<'p> {
    keys: &'p [(u64, u32)],
    range: &'p [Primitive],
    nodes: &'p mut [BinaryNode],
}

impl Part<'_> {
    /// Returns the box and the costs.
    fn build(self, most: usize) -> (Extent, Costs) {
        let count = self.range.len();
        if count <= TASK {
            return build_subtree(self, most);
        }
        let Self { keys, range, nodes } = self;
        let Some((node, below)) = nodes.split_first_mut() else {
            return (Extent::EMPTY, Costs::NONE);
        };
        let first = first_half(keys);
        let (left, right) = range.split_at(first);
        let (keys_left, keys_right) = keys.split_at(first);
        let (nodes_left, nodes_right) = below.split_at_mut(first - 1);
        let left = Part { keys: keys_left, range: left, nodes: nodes_left };
        let right = Part { keys: keys_right, range: right, nodes: nodes_right };
        let ((extent, left), (other, right)) =
            fork_join::join(true, || left.build(most), || right.build(most));
        let extent = extent.merged(other);
        let area = extent.area();
        let (costs, choice) = dispatch(Choose { area, count, most, halves: [&left, &right] });
        *node = BinaryNode { first: first as u32, choice };
        (extent, costs)
    }
}

/// Builds a subtree by one thread.
fn build_subtree(part: Part<'_>, most: usize) -> (Extent, Costs) {
    let Part { keys, range, nodes } = part;
    let triangles: Vec<f32> = range.iter().map(|triangle| triangle.extent.area()).collect();
    let mut drafts = vec![Draft::default(); nodes.len()];
    let mut waiting = Vec::with_capacity(64);
    waiting.push((0, range.len(), 0));
    while let Some((start, end, index)) = waiting.pop() {
        if end - start > 1 {
            let first = first_half(&keys[start..end]);
            let middle = start + first;
            nodes[index].first = first as u32;
            let (start_bits, count) = (start as u32, (end - start) as u32);
            drafts[index] = Draft { start: start_bits, count, area: 0.0 };
            waiting.push((middle, end, index + first));
            waiting.push((start, middle, index + 1));
        }
    }
    let mut extents = vec![Extent::EMPTY; nodes.len()];
    for index in (0..nodes.len()).rev() {
        let (draft, first) = (&mut drafts[index], nodes[index].first as usize);
        let (start, count) = (draft.start as usize, draft.count as usize);
        let of = |index: usize, count: usize, start: usize| {
            if count > 1 { extents[index] } else { range[start].extent }
        };
        let left = of(index + 1, first, start);
        let extent = left.merged(of(index + first, count - first, start + first));
        draft.area = extent.area();
        extents[index] = extent;
    }
    let whole = extents.first().copied().unwrap_or_else(|| range[0].extent);
    (whole, dispatch(Collapse { nodes, drafts: &drafts, triangles: &triangles, most }))
}

/// The number of keys, of at least two, before the highest bit that changes; half of them if none does.
fn first_half(keys: &[(u64, u32)]) -> usize {
    let (least, greatest) = (keys[0].0, keys[keys.len() - 1].0);
    let differing = least ^ greatest;
    if differing == 0 {
        return keys.len() / 2;
    }
    let bit = 1_u64 << differing.ilog2();
    keys.partition_point(|key| key.0 & bit == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_bits_stand_at_every_third_place() {
        for bit in 0..BITS {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread((1 << BITS) - 1).count_ones(), BITS);
    }

    #[test]
    fn ranges_are_parted_where_the_highest_bit_changes() {
        let keys = [1, 2, 3, 8, 9, 15].map(|code| (code, 0));
        assert_eq!(first_half(&keys), 3);
        assert_eq!(first_half(&keys[..3]), 1);
        assert_eq!(first_half(&[(7, 0), (7, 1), (7, 2)]), 1);
    }
}
