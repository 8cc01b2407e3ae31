//! The pairs of the boxes in one cell.

use crate::cell_plan::MAX_PARTS;
use crate::grid::{CellKey, Level};
use crate::{STORED_BOX_BYTES, StoredBox};

/// Why a box is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// The level of the box.
    pub level: Level,
    /// Whether this is the level of the cell.
    pub is_own: bool,
    /// Whether the box meets here the boxes whose own cell this is. It does in one part of a cell that is split.
    pub is_projected: bool,
}

impl Role {
    /// As one number.
    #[must_use]
    pub fn to_number(self) -> i32 {
        i32::from(self.level) << 2 | i32::from(self.is_projected) << 1 | i32::from(self.is_own)
    }

    /// The role of a number of [`to_number`](Self::to_number).
    #[must_use]
    pub fn from_number(number: i32) -> Self {
        Self {
            level: (number >> 2) as Level,
            is_own: number & 1 != 0,
            is_projected: number & 2 != 0,
        }
    }
}

/// A box in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CellEntry {
    /// The row of the box.
    pub row: u64,
    /// The box. None of its numbers is NaN.
    pub of: StoredBox,
    /// Why it is here.
    pub role: Role,
}

impl CellEntry {
    /// The size of an entry in bytes.
    pub const BYTES: usize = 8 + STORED_BOX_BYTES + 4;

    /// The bytes of the entry, little-endian.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.row.to_le_bytes());
        bytes[8..8 + STORED_BOX_BYTES].copy_from_slice(&self.of.to_bytes());
        bytes[8 + STORED_BOX_BYTES..].copy_from_slice(&self.role.to_number().to_le_bytes());
        bytes
    }

    /// The entry of the bytes of [`to_bytes`](Self::to_bytes).
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let (mut row, mut of, mut role) = ([0; 8], [0; STORED_BOX_BYTES], [0; 4]);
        row.copy_from_slice(&bytes[..8]);
        of.copy_from_slice(&bytes[8..8 + STORED_BOX_BYTES]);
        role.copy_from_slice(&bytes[8 + STORED_BOX_BYTES..]);
        Self {
            row: u64::from_le_bytes(row),
            of: StoredBox::from_bytes(&of),
            role: Role::from_number(i32::from_le_bytes(role)),
        }
    }
}

/// Calls `found` with the rows of the pairs that overlap and whose home cell this is, by sorting along x: each pair once, if the
/// cells of all boxes are looked at. Changes the order of the entries.
///
/// O(n log n + k) for n entries and k pairs that overlap along x and have an own entry.
pub fn cell_pairs(key: CellKey, entries: &mut [CellEntry], mut found: impl FnMut([u64; 2])) {
    entries.sort_unstable_by(|a, b| {
        let lower = a.of.min[0].total_cmp(&b.of.min[0]);
        b.role.is_own.cmp(&a.role.is_own).then(lower)
    });
    let (own, others) = entries.split_at(entries.partition_point(|entry| entry.role.is_own));
    let mut look = |a: &CellEntry, b: &CellEntry| {
        if meet(key, a, b) {
            found([a.row.min(b.row), a.row.max(b.row)]);
        }
    };
    let mut first_other = 0;
    for (place, a) in own.iter().enumerate() {
        let end = a.of.max[0];
        let within = |b: &&CellEntry| b.of.min[0] <= end;
        own[place + 1..].iter().take_while(within).for_each(|b| look(a, b));
        // Those before begin before this one.
        while others.get(first_other).is_some_and(|b| b.of.min[0] < a.of.min[0]) {
            first_other += 1;
        }
        others[first_other..].iter().take_while(within).for_each(|b| look(a, b));
    }
    let mut first_own = 0;
    for b in others {
        while own.get(first_own).is_some_and(|a| a.of.min[0] <= b.of.min[0]) {
            first_own += 1;
        }
        let within = |a: &&CellEntry| a.of.min[0] <= b.of.max[0];
        own[first_own..].iter().take_while(within).for_each(|a| look(a, b));
    }
}

/// Whether a pair is found in this cell: the boxes overlap, it is their home cell, and of the two the one of the coarser level,
/// of one level the one with the smaller row, is own and the other projected.
#[inline]
fn meet(key: CellKey, a: &CellEntry, b: &CellEntry) -> bool {
    if !a.of.overlaps(&b.of) || a.row == b.row {
        return false;
    }
    let is_first = a.role.level > b.role.level || a.role.level == b.role.level && a.row < b.row;
    let (first, second) = if is_first { (a, b) } else { (b, a) };
    first.role.is_own
        && second.role.is_projected
        && a.of.home_cell(&b.of, first.role.level) == key & !(u64::from(MAX_PARTS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_survive_as_bytes() {
        for level in [-200, -1, 0, 7, 200] {
            for (is_own, is_projected) in
                [(false, false), (false, true), (true, false), (true, true)]
            {
                let role = Role { level, is_own, is_projected };
                let of = StoredBox { min: [-1.5, 0.0, 2.0], max: [1.0, f32::MAX, 2.5] };
                let entry = CellEntry { row: u64::MAX - 7, of, role };
                assert_eq!(CellEntry::from_bytes(&entry.to_bytes()), entry);
            }
        }
    }
}
