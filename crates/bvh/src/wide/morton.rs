//! A binary hierarchy from Morton's space-filling curve (Lauterbach and others, *Fast BVH construction on
//! GPUs*, 2009): faster to build than by the surface area heuristic, slower to query.
//!
//! Triangles are sorted along the curve; a range is split where the highest differing bit of its codes
//! changes.

use super::binary::{BinaryNode, Extent, Primitive};
use super::sah;
use crate::fork_join;

/// Bits of a code on each axis.
const BITS: u32 = 21;

/// Smaller subtrees are not worth a task of their own.
const TASK: usize = 2048;

/// Sorts the triangles along the curve and builds the nodes over them.
pub(super) fn build(primitives: &mut Vec<Primitive>, nodes: &mut [BinaryNode]) {
    let centers = sah::centers(primitives);
    let cells = f64::from(1_u32 << BITS);
    let [low, factor] = [
        [0, 1, 2].map(|axis| f64::from(centers.low(axis))),
        [0, 1, 2].map(|axis| {
            let width = f64::from(centers.width(axis));
            if width > 0.0 { cells / width } else { 0.0 }
        }),
    ];
    let mut keys: Vec<(u64, u32)> = fork_join::numbered(primitives, |index, primitive| {
        let cell = |axis: usize| {
            let place = (f64::from(primitive.center(axis)) - low[axis]) * factor[axis];
            u64::from((place as u32).min((1 << BITS) - 1))
        };
        (spread(cell(0)) << 2 | spread(cell(1)) << 1 | spread(cell(2)), index as u32)
    });
    fork_join::sort(&mut keys);
    *primitives = fork_join::map(&keys, |&(_, index)| primitives[index as usize]);
    halve(&keys, primitives, 0, nodes, 0);
}

/// The bits of a number at every third place.
fn spread(bits: u64) -> u64 {
    let bits = (bits | bits << 32) & 0x001F_0000_0000_FFFF;
    let bits = (bits | bits << 16) & 0x001F_0000_FF00_00FF;
    let bits = (bits | bits << 8) & 0x100F_00F0_0F00_F00F;
    let bits = (bits | bits << 4) & 0x10C3_0C30_C30C_30C3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

/// Builds the subtree over a range that begins at `start` of the order; its nodes begin at `index`. Returns
/// its box. No deeper than the bits of a code and of a triangle's number together.
fn halve(
    keys: &[(u64, u32)],
    range: &[Primitive],
    start: usize,
    nodes: &mut [BinaryNode],
    index: usize,
) -> Extent {
    let [node, below @ ..] = nodes else {
        return Extent::EMPTY;
    };
    *node = BinaryNode { start: start as u32, end: (start + range.len()) as u32, ..*node };
    let (extent, second) = if let [single] = range {
        (single.extent, 0)
    } else {
        let first = part(keys);
        let (left, right) = range.split_at(first);
        let (keys_left, keys_right) = keys.split_at(first);
        let (nodes_left, nodes_right) = below.split_at_mut(2 * first - 1);
        let (middle, second) = (start + first, index + 2 * first);
        let (mut extent, other) = fork_join::join(
            range.len() >= TASK,
            || halve(keys_left, left, start, nodes_left, index + 1),
            || halve(keys_right, right, middle, nodes_right, second),
        );
        extent.merge(&other);
        (extent, second)
    };
    node.second = second as u32;
    node.area = extent.area();
    extent
}

/// The number of keys, of at least two, before the highest bit that changes; half of them if none does.
fn part(keys: &[(u64, u32)]) -> usize {
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
        assert_eq!(part(&keys), 3);
        assert_eq!(part(&keys[..3]), 1);
        assert_eq!(part(&[(7, 0), (7, 1), (7, 2)]), 1);
    }
}
