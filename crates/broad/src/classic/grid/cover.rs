//! The cells that a box occupies.

use xcollide_bounds::{Aabb, Obb};

use crate::classic::lattice::{CellBox, Lattice};

/// The cells of one box.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Cover {
    /// The box is empty.
    #[default]
    Nowhere,
    /// The box has too many cells and is compared with every box.
    Everywhere,
    /// The cells of an axis-aligned box.
    Cells(CellBox),
    /// The cells of an oriented box, by columns.
    Sticks(Box<Sticks>),
}

/// Cells in columns along one axis, each without gaps ("z-sticks").
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sticks {
    /// Contains all columns.
    bounds: CellBox,
    axis: usize,
    /// The first and the last covered cell of each column; the first is larger if the column is empty.
    runs: Box<[(u32, u32)]>,
}

impl Cover {
    /// The most cells of a box. With more, comparing the box with all others is cheaper.
    pub(crate) const MOST: u128 = 512;

    #[inline]
    pub(crate) fn of_aabb(aabb: &Aabb, lattice: &Lattice) -> Self {
        if aabb.is_empty() {
            return Self::Nowhere;
        }
        let cells = lattice.cells(aabb);
        if cells.count() > Self::MOST { Self::Everywhere } else { Self::Cells(cells) }
    }

    /// The cells of an oriented box: all that it touches within the tolerance of [`Obb`]'s overlap test.
    pub(crate) fn of_obb(obb: &Obb, lattice: &Lattice) -> Self {
        if obb.is_empty() {
            return Self::Nowhere;
        }
        let margin = margin(obb, lattice);
        let around = obb.aabb().expanded(margin);
        let bounds = lattice.cells(&around);
        if !margin.is_finite() || bounds.count() > 8 * Self::MOST {
            return Self::Everywhere;
        }
        let cover = if bounds.longest() > 1 && lattice.holds(&around) {
            Self::Sticks(stab(obb, margin, bounds, lattice).into())
        } else {
            // Border cells are not cubes.
            Self::Cells(bounds)
        };
        if cover.count() > Self::MOST { Self::Everywhere } else { cover }
    }

    #[inline]
    pub(crate) fn contains(&self, cell: [u32; 3]) -> bool {
        match self {
            Self::Nowhere | Self::Everywhere => false,
            Self::Cells(cells) => cells.contains(cell),
            Self::Sticks(sticks) => sticks.contains(cell),
        }
    }

    fn count(&self) -> u128 {
        match self {
            Self::Nowhere | Self::Everywhere => 0,
            Self::Cells(cells) => cells.count(),
            Self::Sticks(sticks) => {
                let runs = sticks.runs.iter().filter(|(first, last)| first <= last);
                runs.map(|(first, last)| u128::from(last - first) + 1).sum()
            }
        }
    }

    /// Calls `f` for each cell.
    #[inline]
    pub(crate) fn for_each(&self, mut f: impl FnMut([u32; 3])) {
        match self {
            Self::Nowhere | Self::Everywhere => {}
            Self::Cells(cells) => cells.cells().for_each(f),
            Self::Sticks(sticks) => sticks.for_each(&mut f),
        }
    }

    /// Calls `f` for each cell that is not in `other`; for axis-aligned boxes, visits only these.
    #[inline]
    pub(crate) fn for_each_without(&self, other: &Self, mut f: impl FnMut([u32; 3])) {
        if let (Self::Cells(one), Self::Cells(other)) = (self, other) {
            one.without(other).flat_map(CellBox::cells).for_each(f);
        } else {
            self.for_each(|cell| {
                if !other.contains(cell) {
                    f(cell);
                }
            });
        }
    }

    /// The cells of [`for_each_without`](Self::for_each_without) that are in `slab`.
    pub(crate) fn for_each_without_in(
        &self,
        other: &Self,
        slab: &CellBox,
        mut f: impl FnMut([u32; 3]),
    ) {
        if let (Self::Cells(one), Self::Cells(other)) = (self, other) {
            let parts = one.common(slab).without(other);
            parts.flat_map(CellBox::cells).for_each(f);
        } else if let (Self::Cells(one), Self::Nowhere | Self::Everywhere) = (self, other) {
            one.common(slab).cells().for_each(f);
        } else {
            self.for_each_without(other, |cell| {
                if slab.contains(cell) {
                    f(cell);
                }
            });
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        if let Self::Sticks(sticks) = self {
            size_of::<Sticks>() + sticks.runs.len() * size_of::<(u32, u32)>()
        } else {
            0
        }
    }
}

impl Sticks {
    /// The two axes across the columns.
    fn plane(&self) -> (usize, usize) {
        ((self.axis + 1) % 3, (self.axis + 2) % 3)
    }

    fn contains(&self, cell: [u32; 3]) -> bool {
        let (u, v) = self.plane();
        let Self { bounds, axis, runs } = self;
        let width = bounds.high[u] - bounds.low[u] + 1;
        bounds.contains(cell) && {
            let column = (cell[v] - bounds.low[v]) * width + cell[u] - bounds.low[u];
            let (first, last) = runs[column as usize];
            first <= cell[*axis] && cell[*axis] <= last
        }
    }

    fn for_each(&self, f: &mut impl FnMut([u32; 3])) {
        let (u, v) = self.plane();
        let mut runs = self.runs.iter();
        let mut cell = [0; 3];
        for along_v in self.bounds.low[v]..=self.bounds.high[v] {
            for along_u in self.bounds.low[u]..=self.bounds.high[u] {
                (cell[u], cell[v]) = (along_u, along_v);
                let Some(&(first, last)) = runs.next() else { return };
                for along in first..=last {
                    cell[self.axis] = along;
                    f(cell);
                }
            }
        }
    }
}

/// How much to enlarge an oriented box for its cover.
///
/// The overlap test tolerates gaps that may be due to rounding: along a unit axis, up to 2⁻⁴⁵ · s, where s is
/// the sum of the half sides of both boxes and the distance of their centers. The cross product of edges at a
/// small angle a has length a, so there the gap may be 1/a times as large; but such a gap is at most about 2.5
/// a·s, as the face normals find larger ones. So the gap is below √(2.5 · 2⁻⁴⁵) · s or 3e-7 · s, and s is below
/// three times the half sides. Both boxes are enlarged.
fn margin(obb: &Obb, lattice: &Lattice) -> f64 {
    let size: f64 = obb.half_extents().iter().sum();
    let place = obb.aabb();
    let far = place.min.iter().chain(&place.max).fold(0.0, |most: f64, x| most.max(x.abs()));
    4e-6 * size + 1e-12 * (far + lattice.reach())
}

/// Stabs the lattice along the axis on which the box is longest (Zachmann 1994, 5.5.1).
///
/// The source shoots four rays a column, misses cells between them, and adds the cells of the eight vertices.
/// Here each of the three slabs is intersected with the whole column, which misses nothing: the column meets a
/// plane at the height of its middle ray ± a constant.
fn stab(obb: &Obb, margin: f64, bounds: CellBox, lattice: &Lattice) -> Sticks {
    use xcollide_bounds::BoundingVolume;
    let sides = [0, 1, 2].map(|k| bounds.high[k] - bounds.low[k]);
    let axis = (1..3).fold(0, |best, k| if sides[k] > sides[best] { k } else { best });
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    // From here on, lengths are in cells.
    let center = obb.center();
    let center = [0, 1, 2].map(|k| lattice.along(k, center[k]));
    let half = obb.half_extents().map(|half| (half + margin) / lattice.cell());
    let mut runs = Vec::with_capacity((sides[u] as usize + 1) * (sides[v] as usize + 1));
    for at_v in bounds.low[v]..=bounds.high[v] {
        for at_u in bounds.low[u]..=bounds.high[u] {
            let from_u = f64::from(at_u) + 0.5 - center[u];
            let from_v = f64::from(at_v) + 0.5 - center[v];
            let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
            for (normal, half) in obb.axes().iter().zip(half) {
                let middle = normal[u] * from_u + normal[v] * from_v;
                let reach = half + 0.5 * (normal[u].abs() + normal[v].abs());
                // Where |middle + normal[axis] · t| ≤ reach.
                if normal[axis] == 0.0 {
                    if middle.abs() > reach {
                        high = f64::NEG_INFINITY;
                    }
                    continue;
                }
                let one = (-reach - middle) / normal[axis];
                let other = (reach - middle) / normal[axis];
                low = low.max(one.min(other));
                high = high.min(one.max(other));
            }
            // The conversion rounds down, because nothing within the bounds is negative.
            let cell = |t: f64| (center[axis] + t) as u32;
            let first = cell(low).max(bounds.low[axis]);
            let last = cell(high).min(bounds.high[axis]);
            let is_hit = low <= high && center[axis] + high >= 0.0;
            runs.push(if is_hit { (first, last) } else { (1, 0) });
        }
    }
    Sticks { bounds, axis, runs: runs.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use xcollide_bounds::BoundingVolume;
    use xcollide_math::Pose;

    /// A box with sides `2 · half`, rotated by a quaternion that need not be normalized.
    fn turned(half: [f64; 3], [w, x, y, z]: [f64; 4], at: [f64; 3]) -> Obb {
        let n = (w * w + x * x + y * y + z * z).sqrt().max(1e-9);
        let q = [x / n, y / n, z / n, w / n];
        Obb::from(Aabb::new(half.map(|h| -h), half))
            .transformed(&Pose::from_quaternion(q, at).unwrap())
    }

    fn cells_of(cover: &Cover) -> Vec<[u32; 3]> {
        let mut cells = Vec::new();
        cover.for_each(|cell| cells.push(cell));
        cells
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
        /// Compares with the separating axis test of every cell: no cell is missing, and superfluous cells are
        /// neighbours of necessary ones.
        #[test]
        fn the_sticks_hold_the_box_and_little_more(
            half in prop::array::uniform3(prop_oneof![Just(0.0), 0.0..3.0_f64]),
            turn in prop::array::uniform4(prop_oneof![Just(0.0), -1.0..1.0_f64]),
            at in prop::array::uniform3(6.0..10.0_f64),
        ) {
            let lattice = Lattice::new([0.0; 3], 1.0, [16; 3]);
            let obb = turned(half, if turn == [0.0; 4] { [1.0, 0.0, 0.0, 0.0] } else { turn }, at);
            let cover = Cover::of_obb(&obb, &lattice);
            prop_assume!(cover != Cover::Everywhere);
            let found = cells_of(&cover);
            prop_assert_eq!(found.len() as u128, cover.count());
            let cube = |cell: [u32; 3], by: f64| {
                let low = cell.map(f64::from);
                Obb::from(Aabb::new(low.map(|x| x - by), low.map(|x| x + 1.0 + by)))
            };
            for cell in lattice.all().cells() {
                let inside = cube(cell, -1e-3).overlaps(&obb);
                prop_assert!(!inside || found.contains(&cell), "{cell:?} of {cover:?}");
                prop_assert_eq!(cover.contains(cell), found.contains(&cell));
            }
            for cell in found {
                prop_assert!(cube(cell, 1.0).overlaps(&obb), "{cell:?} of {cover:?}");
            }
        }
    }

    #[test]
    fn a_tilted_rod_occupies_far_fewer_cells_than_its_aligned_box() {
        let lattice = Lattice::new([0.0; 3], 1.0, [12; 3]);
        // Rotated about the axis (1, -1, 0), so that the rod lies along a diagonal of the cage.
        let rod = turned([0.1, 0.1, 5.0], [0.888, 0.325, -0.325, 0.0], [6.0; 3]);
        let tight = Cover::of_obb(&rod, &lattice).count();
        let loose = Cover::of_aabb(&rod.aabb(), &lattice);
        let loose = if loose == Cover::Everywhere { Cover::MOST } else { loose.count() };
        assert!(tight * 6 < loose && tight >= 6, "{tight} cells instead of {loose}");
    }
}
