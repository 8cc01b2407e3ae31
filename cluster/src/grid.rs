//! The hierarchical grid: the level of a box, the cells that it covers, and the home cell of two boxes.
//!
//! A cell of level l is a cube with sides of 2^l, at multiples of them. The level of a box is such that it covers at most two
//! cells along each axis:
//!
//! ```text
//!   level 3  |               A               |               .      A covers few large cells,
//!   level 2  |       .       |       .       |   B   .       |      B few small ones
//!            the cells of level 3 that B covers are where A and B meet
//! ```
//!
//! Two boxes meet on the coarser one of their levels. Of the cells there that both cover, the *home cell* is the one that
//! contains the larger one of their smaller corners, axis by axis. If the boxes overlap, this point is in both, so both cover
//! the home cell. It is the only one, so a pair that is emitted only there is emitted once.
//!
//! The functions that map a coordinate to a cell grow with it, also where they round; this is all that the argument needs.

use crate::StoredBox;

/// A level of the grid: cells have sides of 2^level.
pub type Level = i16;

/// The level of boxes without a size in numbers: one cell is all of space.
pub const TOP: Level = 200;

/// The finest level.
pub const BOTTOM: Level = -200;

/// How much larger than the box its cells are at least, as a power of two: larger cells are fewer for each box, and have more
/// boxes each.
const ROOM: Level = 1;

/// A cell of a level, as a number of 56 bits: a hash. Two cells may have the same one, which costs time but changes no result.
pub type CellKey = u64;

/// The number of bits of a key that tell parts of one cell apart.
pub const PART_BITS: u32 = 8;

impl StoredBox {
    /// The finest level on which the box covers at most two cells along each axis.
    #[must_use]
    pub fn level(&self) -> Level {
        let (mut size, mut far) = (0.0, 0.0);
        for axis in 0..3 {
            let (low, high) = (f64::from(self.min[axis]), f64::from(self.max[axis]));
            size = f64::max(size, high - low);
            far = f64::max(far, f64::max(low.abs(), high.abs()));
        }
        if !far.is_finite() {
            return TOP;
        }
        // Numbers of cells far away stay small enough to be exact.
        (exponent(size) + ROOM).max(exponent(far) - 40).max(BOTTOM)
    }

    /// Calls `found` with the key of each cell that the box covers on a level, each once.
    #[inline]
    pub fn cells(&self, level: Level, mut found: impl FnMut(CellKey)) {
        let side = inverse_side(level);
        let low = self.min.map(|value| cell(value, side));
        let high = self.max.map(|value| cell(value, side));
        for x in low[0]..=high[0] {
            for y in low[1]..=high[1] {
                for z in low[2]..=high[2] {
                    found(key(level, [x, y, z]));
                }
            }
        }
    }

    /// The key of the cell on a level in which this and another box meet, if they overlap.
    #[inline]
    #[must_use]
    pub fn home_cell(&self, other: &Self, level: Level) -> CellKey {
        let side = inverse_side(level);
        key(level, [0, 1, 2].map(|axis| cell(self.min[axis].max(other.min[axis]), side)))
    }
}

/// The smallest e with 2^e of at least a number that is not negative, as far as there are levels.
fn exponent(value: f64) -> Level {
    let bits = value.to_bits();
    let floor = (bits >> 52) as Level - 1023;
    let is_power = bits & ((1 << 52) - 1) == 0;
    (floor + Level::from(!is_power)).clamp(BOTTOM, TOP - ROOM - 1)
}

/// 2^-level, and 0 for the level with one cell.
#[inline]
fn inverse_side(level: Level) -> f64 {
    match level {
        TOP => 0.0,
        _ => f64::from_bits(((1023 - i64::from(level)) as u64) << 52),
    }
}

/// The number of the cell with a coordinate along an axis.
#[inline]
fn cell(value: f32, inverse_side: f64) -> i64 {
    if inverse_side == 0.0 { 0 } else { (f64::from(value) * inverse_side).floor() as i64 }
}

/// The key of a cell, with the part 0.
#[inline]
fn key(level: Level, cell: [i64; 3]) -> CellKey {
    let mut hash = level as u64;
    for number in cell {
        // Multiplication by an odd number and rotation lose nothing; the last steps mix the upper bits in.
        hash = (hash.rotate_left(23) ^ number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    hash ^= hash >> 32;
    hash.wrapping_mul(0xd6e8_feb8_6659_fd93) << PART_BITS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &StoredBox, level: Level) -> Vec<CellKey> {
        let mut found = Vec::new();
        of.cells(level, |key| found.push(key));
        found
    }

    #[test]
    fn a_box_covers_few_cells_on_its_level() {
        let mut random = 1_u32;
        let mut next = |scale: f32| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as f32 / (1 << 24) as f32 * scale
        };
        for scale in [1e-30, 1e-3, 1.0, 1e6, 1e30] {
            for _ in 0..200 {
                let min = [next(scale) - scale / 2.0, next(scale), -next(scale)];
                let max = min.map(|low| low + next(scale / 8.0));
                let of = StoredBox { min, max };
                let level = of.level();
                assert!(cells(&of, level).len() <= 8);
                assert!(cells(&of, level + 3).len() <= 8);
            }
        }
    }

    #[test]
    fn boxes_that_overlap_both_cover_their_home_cell() {
        let sizes = [0.0, 1.0, 3.0, 17.0, 250.0];
        let places = [-256.0, -3.0, 0.0, 1.0, 128.0];
        let mut boxes = Vec::new();
        for size in sizes {
            for x in places {
                for y in places {
                    boxes.push(StoredBox { min: [x, y, 0.0], max: [x + size, y + size, size] });
                }
            }
        }
        let mut overlapping = 0;
        for a in &boxes {
            for b in boxes.iter().filter(|b| a.overlaps(b)) {
                let level = a.level().max(b.level());
                let home = a.home_cell(b, level);
                assert!(cells(a, level).contains(&home) && cells(b, level).contains(&home));
                assert_eq!(home, b.home_cell(a, level));
                overlapping += 1;
            }
        }
        assert!(overlapping > 1000);
    }

    #[test]
    fn extreme_boxes_have_cells() {
        let infinite = StoredBox { min: [f32::NEG_INFINITY; 3], max: [f32::INFINITY; 3] };
        let largest = StoredBox { min: [f32::MIN; 3], max: [f32::MAX; 3] };
        let point = StoredBox { min: [0.0; 3], max: [0.0; 3] };
        let far = StoredBox { min: [1e30; 3], max: [1e30_f32.next_up(); 3] };
        for of in [infinite, largest, point, far] {
            for level in [of.level(), TOP] {
                assert!((1..=8).contains(&cells(&of, level).len()), "{of:?}");
            }
        }
        assert_eq!(cells(&infinite, TOP), cells(&point, TOP));
    }
}
