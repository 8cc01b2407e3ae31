//! A bounded lattice of cubes, and boxes of its cells in integers (Zachmann 1994, 5.4.1 and 5.4.3).

use xcollide_bounds::Aabb;

use crate::sides::longest_side;

/// Divides space into half-open cubic cells. Border cells extend to infinity, so every point is in a cell.
/// Coordinates are monotonic, so boxes with a common point have a common cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    origin: [f64; 3],
    /// Cells per unit of length.
    scale: f64,
    /// Cells along each axis.
    dims: [u32; 3],
}

impl Lattice {
    /// A lattice with its low corner at `origin`. `cell` is positive, `dims` at least 1.
    pub(crate) fn new(origin: [f64; 3], cell: f64, dims: [u32; 3]) -> Self {
        Self { origin, scale: 1.0 / cell, dims }
    }

    pub(crate) fn cell(&self) -> f64 {
        1.0 / self.scale
    }

    pub(crate) fn all(&self) -> CellBox {
        CellBox { low: [0; 3], high: self.dims.map(|dim| dim - 1) }
    }

    /// The cells that a box touches.
    #[inline]
    pub(crate) fn cells(&self, aabb: &Aabb) -> CellBox {
        CellBox {
            low: [0, 1, 2].map(|axis| self.cell_at(axis, aabb.min[axis])),
            high: [0, 1, 2].map(|axis| self.cell_at(axis, aabb.max[axis])),
        }
    }

    /// A coordinate in cells, relative to the low corner.
    #[inline]
    pub(crate) fn along(&self, axis: usize, x: f64) -> f64 {
        (x - self.origin[axis]) * self.scale
    }

    #[inline]
    pub(crate) fn cell_at(&self, axis: usize, x: f64) -> u32 {
        // The conversion rounds down, and maps negative numbers to 0.
        (self.along(axis, x) as u32).min(self.dims[axis] - 1)
    }

    /// The index of a cell in a table of all cells.
    #[inline]
    pub(crate) fn place(&self, cell: [u32; 3]) -> u32 {
        (cell[2] * self.dims[1] + cell[1]) * self.dims[0] + cell[0]
    }

    /// The cell at an index of that table.
    #[inline]
    pub(crate) fn cell_of_place(&self, place: u32) -> [u32; 3] {
        let [x, y, _] = self.dims;
        [place % x, place / x % y, place / (x * y)]
    }

    /// The largest magnitude of a coordinate.
    pub(crate) fn reach(&self) -> f64 {
        let far = self.point(self.dims.map(f64::from));
        self.origin.iter().chain(&far).fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    /// The point with these coordinates in cells, rounded.
    pub(crate) fn point(&self, along: [f64; 3]) -> [f64; 3] {
        [0, 1, 2].map(|axis| self.origin[axis] + along[axis] / self.scale)
    }

    /// Whether a box lies within the lattice, disregarding the infinite border cells.
    #[inline]
    pub(crate) fn holds(&self, aabb: &Aabb) -> bool {
        (0..3).all(|axis| {
            self.along(axis, aabb.min[axis]) >= 0.0
                && self.along(axis, aabb.max[axis]) < f64::from(self.dims[axis])
        })
    }
}

/// A box of cells, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellBox {
    pub(crate) low: [u32; 3],
    pub(crate) high: [u32; 3],
}

impl CellBox {
    pub(crate) const EMPTY: Self = Self { low: [1; 3], high: [0; 3] };

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        (0..3).any(|axis| self.low[axis] > self.high[axis])
    }

    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    #[inline]
    pub(crate) fn covers(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.low[axis] && other.high[axis] <= self.high[axis])
    }

    #[inline]
    pub(crate) fn contains(&self, cell: [u32; 3]) -> bool {
        (0..3).all(|axis| self.low[axis] <= cell[axis] && cell[axis] <= self.high[axis])
    }

    /// The intersection; [`EMPTY`](Self::EMPTY) if there is none.
    #[inline]
    pub(crate) fn common(&self, other: &Self) -> Self {
        let common = Self {
            low: [0, 1, 2].map(|axis| self.low[axis].max(other.low[axis])),
            high: [0, 1, 2].map(|axis| self.high[axis].min(other.high[axis])),
        };
        if common.is_empty() { Self::EMPTY } else { common }
    }

    /// The longest side, in cells.
    #[inline]
    pub(crate) fn longest(&self) -> u32 {
        (0..3).map(|axis| self.high[axis] - self.low[axis] + 1).max().unwrap_or(1)
    }

    /// The number of cells; the sides are below 2³¹.
    #[inline]
    pub(crate) fn count(&self) -> u128 {
        if self.is_empty() {
            return 0;
        }
        (0..3).map(|axis| u128::from(self.high[axis] - self.low[axis]) + 1).product()
    }

    /// The cells, along the first axis first.
    #[inline]
    pub(crate) fn cells(self) -> impl Iterator<Item = [u32; 3]> {
        let Self { low, high } = self;
        (low[2]..=high[2]).flat_map(move |z| {
            (low[1]..=high[1]).flat_map(move |y| (low[0]..=high[0]).map(move |x| [x, y, z]))
        })
    }

    /// The cells that are not in `other`, as at most six disjoint boxes (Zachmann 1994, 5.4.3, "box
    /// difference").
    ///
    /// ```text
    ///   +-----+-----------+        this box
    ///   |     |     2     |
    ///   |     +-----+-----+--+     1: below the other on the first axis
    ///   |  1  |common     |  |     2: the rest beyond it on the second, and so on
    ///   +-----+-----------+  |
    ///         +--------------+     the other
    /// ```
    #[inline]
    pub(crate) fn without(self, other: &Self) -> impl Iterator<Item = Self> {
        let mut parts = [Self::EMPTY; 6];
        let mut rest = self;
        if !self.overlaps(other) || other.is_empty() {
            parts[0] = self;
        } else {
            for axis in 0..3 {
                if rest.low[axis] < other.low[axis] {
                    parts[2 * axis] = rest;
                    parts[2 * axis].high[axis] = other.low[axis] - 1;
                    rest.low[axis] = other.low[axis];
                }
                if rest.high[axis] > other.high[axis] {
                    parts[2 * axis + 1] = rest;
                    parts[2 * axis + 1].low[axis] = other.high[axis] + 1;
                    rest.high[axis] = other.high[axis];
                }
            }
        }
        parts.into_iter().filter(|part| !part.is_empty())
    }
}

/// Whether a lattice can cover this box.
pub(crate) fn is_valid_universe(universe: &Aabb) -> bool {
    !universe.is_empty()
        && longest_side(universe).is_normal()
        && universe.min.iter().all(|x| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn any_box() -> impl Strategy<Value = CellBox> {
        let corner = || prop::array::uniform3(0_u32..5);
        (corner(), corner()).prop_map(|(low, size)| CellBox {
            low,
            high: [0, 1, 2].map(|axis| low[axis] + size[axis]),
        })
    }

    proptest! {
        /// Compares with sets of cells.
        #[test]
        fn the_difference_is_that_of_the_sets(one in any_box(), other in any_box()) {
            let others: BTreeSet<_> = other.cells().collect();
            let mut expected: Vec<_> = one.cells().filter(|cell| !others.contains(cell)).collect();
            let mut found: Vec<_> = one.without(&other).flat_map(CellBox::cells).collect();
            expected.sort_unstable();
            found.sort_unstable(); // with repetitions, if there were any
            prop_assert_eq!(found, expected);
            prop_assert_eq!(one.cells().count() as u128, one.count());
        }

        /// Even if they are far outside.
        #[test]
        fn boxes_with_a_common_point_have_a_common_cell(
            a in prop::array::uniform3(-1e3..1e3_f64), size in prop::array::uniform3(0.0..9.0_f64),
            at in prop::array::uniform3(0.0..=1.0_f64), other in prop::array::uniform3(0.0..9.0_f64),
            origin in prop::array::uniform3(-1e2..1e2_f64), cell in 0.1..50.0_f64,
        ) {
            let one = Aabb::new(a, [0, 1, 2].map(|k| a[k] + size[k]));
            let corner = [0, 1, 2].map(|k| a[k] + at[k] * size[k]);
            let two = Aabb::new(corner, [0, 1, 2].map(|k| corner[k] + other[k]));
            let lattice = Lattice::new(origin, cell, [7, 1, 30]);
            prop_assert_eq!(
                !one.overlaps(&two) || lattice.cells(&one).overlaps(&lattice.cells(&two)), true
            );
            prop_assert!(lattice.all().covers(&lattice.cells(&two)));
        }
    }
}
