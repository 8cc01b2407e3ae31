//! Octants in integer coordinates.

use crate::classic::lattice::CellBox;

/// A cube of `2^level` cells along each side; its coordinates are multiples of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Octant {
    corner: [u16; 3],
    /// 0 for the finest octants.
    pub(crate) level: u8,
}

impl Octant {
    /// The deepest tree that the coordinates allow.
    pub(crate) const MAX_DEPTH: u8 = 15;

    pub(crate) fn root(depth: u8) -> Self {
        Self { corner: [0; 3], level: depth }
    }

    /// The child in the upper half on each axis k for which bit k of `which` is set.
    #[inline]
    pub(crate) fn child(&self, which: usize) -> Self {
        let level = self.level - 1;
        let corner =
            [0, 1, 2].map(|axis| self.corner[axis] | ((which >> axis & 1) << level) as u16);
        Self { corner, level }
    }

    /// Its number among its parent's children.
    #[inline]
    pub(crate) fn which(&self) -> usize {
        let side = |axis: usize| usize::from(self.corner[axis] >> self.level & 1) << axis;
        side(0) | side(1) | side(2)
    }

    /// The child that contains a smaller octant within this one.
    pub(crate) fn towards(&self, octant: &Self) -> usize {
        let side = |axis: usize| usize::from(octant.corner[axis] >> (self.level - 1) & 1) << axis;
        side(0) | side(1) | side(2)
    }

    #[inline]
    pub(crate) fn parent(&self) -> Self {
        let level = self.level + 1;
        Self { corner: self.corner.map(|corner| corner >> level << level), level }
    }

    #[inline]
    pub(crate) fn cells(&self) -> CellBox {
        let low = self.corner.map(u32::from);
        CellBox { low, high: low.map(|low| low + (1 << self.level) - 1) }
    }

    /// The middle, in cells.
    pub(crate) fn middle(&self) -> [f64; 3] {
        let half = 0.5 * f64::from(1_u32 << self.level);
        self.corner.map(|corner| f64::from(corner) + half)
    }

    /// The children touched by a box within this octant, one bit each: the decision tree of the source (7.3.4).
    /// A box that begins right of the middle is in none of the four left children, and so on for the other axes;
    /// each comparison clears four bits.
    #[inline]
    pub(crate) fn decide(&self, cells: &CellBox) -> u8 {
        const LEFT: [u8; 3] = [0b0101_0101, 0b0011_0011, 0b0000_1111];
        let mut children = 0xff;
        for axis in 0..3 {
            let middle = u32::from(self.corner[axis]) + (1 << (self.level - 1));
            if cells.low[axis] >= middle {
                children &= !LEFT[axis];
            }
            if cells.high[axis] < middle {
                children &= LEFT[axis];
            }
        }
        children
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::overlap::Bits;

    #[test]
    fn the_decision_tree_finds_the_children_that_overlap() {
        let octant = Octant { corner: [8, 16, 24], level: 2 };
        let mut tried = 0;
        for low in octant.cells().cells() {
            for high in octant.cells().cells() {
                let cells = CellBox { low, high };
                if cells.is_empty() {
                    continue;
                }
                let overlap = |which: usize| octant.child(which).cells().overlaps(&cells);
                let found = Bits(octant.decide(&cells).into());
                assert!((0..8).filter(|&which| overlap(which)).eq(found));
                tried += 1;
            }
        }
        assert_eq!(tried, 1000);
    }

    #[test]
    fn children_know_their_parents() {
        let octant = Octant { corner: [0, 0b1_1000, 0b1000], level: 3 };
        for which in 0..8 {
            let child = octant.child(which);
            assert_eq!((child.parent(), child.which()), (octant, which));
            assert!(octant.cells().covers(&child.cells()));
        }
    }
}
