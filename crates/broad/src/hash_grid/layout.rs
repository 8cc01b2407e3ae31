//! The division of space into cells, and the places of cells in memory.

use xcollide_bounds::Aabb;

/// The largest number of cells on an axis. With more, rounding could exceed the slack of a cell.
const REACH: f64 = (1 << 30) as f64;

/// How much wider a cell is than the widest box in it. Covers rounding: a coordinate is below [`REACH`] cells,
/// so its error is below `2⁻²²` of a cell.
const SLACK: f64 = 1.0 + 1e-5;

/// Unbounded cells of equal size in a table of bounded size. If there are many more cells than boxes, distant
/// cells share a place: coordinates count modulo a power of two. Neighbours along x are adjacent in memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) origin: [f64; 3],
    /// Cells per unit of length.
    density: [f64; 3],
    pub(super) width: u32,
    /// Places along x, minus 1, if x is folded. `None` if every cell has its own place, with an empty place at
    /// either end.
    fold_x: Option<u32>,
    /// Places along y and z, minus 1; the places are powers of two.
    fold: [u32; 2],
    shift_z: u32,
    /// The largest permitted sides of boxes.
    pub(super) widest: [f64; 3],
}

impl Layout {
    /// A layout for `count` boxes with their low corners in `corners`, none wider than `widest`. No coordinate
    /// exceeds 1e150.
    pub(super) fn new(count: usize, corners: &Aabb, widest: [f64; 3]) -> Self {
        let extent = |axis: usize| corners.max[axis] - corners.min[axis];
        let longest = (0..3).map(extent).fold(0.0, f64::max);
        // Points and flat boxes would allow cells of size zero; about one box a cell is the finest useful size.
        let finest = longest / libm::cbrt(count as f64).max(1.0);
        let thickest = widest.iter().copied().fold(0.0, f64::max);
        let smallest = if thickest > 0.0 { finest.min(thickest) } else { finest };
        let mut density = [0.0; 3];
        let mut cells = [1.0; 3];
        for axis in 0..3 {
            let in_reach = extent(axis) / (0.5 * REACH);
            let side = (widest[axis] * SLACK).max(smallest).max(in_reach).max(1e-300);
            density[axis] = 1.0 / side;
            cells[axis] = (extent(axis) / side).floor() + 1.0;
        }
        let (width, fold_x, fold) = places(count, cells);
        let shift_z = (fold[0] + 1).trailing_zeros();
        Self { origin: corners.min, density, width, fold_x, fold, shift_z, widest }
    }

    pub(super) fn len(&self) -> usize {
        self.width as usize * ((self.fold[1] as usize + 1) << self.shift_z)
    }

    /// The cell of a coordinate. Monotone in `x`.
    #[inline(always)]
    fn cell(&self, axis: usize, x: f64) -> i64 {
        let t = (x - self.origin[axis]) * self.density[axis];
        let toward_zero = t as i64;
        // Rounds down. `floor` would be a function call on the baseline processor.
        toward_zero.saturating_sub(i64::from((toward_zero as f64) > t))
    }

    /// The coordinates of the place of the box with this low corner.
    #[inline(always)]
    pub(super) fn coordinates(&self, corner: &[f64; 3]) -> [u32; 3] {
        // No corner lies before the origin, so rounding toward zero is rounding down.
        let at =
            |axis: usize| ((corner[axis] - self.origin[axis]) * self.density[axis]) as u64 as u32;
        let x = match self.fold_x {
            None => at(0) + 1,
            Some(fold) => at(0) & fold,
        };
        [x, at(1) & self.fold[0], at(2) & self.fold[1]]
    }

    #[inline(always)]
    pub(super) fn row(&self, y: u32, z: u32) -> u32 {
        ((y & self.fold[0]) + ((z & self.fold[1]) << self.shift_z)) * self.width
    }

    /// The rows, and the ranges in each, in which boxes that overlap `probe` may have their low corners. `None`
    /// if these are nearly all.
    pub(super) fn around(&self, probe: &Aabb) -> Option<Around> {
        let mut range = [(0, 0); 3];
        for axis in 0..3 {
            let first = self.cell(axis, probe.min[axis] - self.widest[axis] * SLACK);
            let last = self.cell(axis, probe.max[axis]);
            range[axis] = (first, last);
        }
        let [x, y, z] = range;
        let too_many =
            |axis: (i64, i64), places: u32| axis.1.saturating_sub(axis.0) >= i64::from(places);
        if too_many(y, self.fold[0]) || too_many(z, self.fold[1]) {
            return None;
        }
        let stretches = match self.fold_x {
            None => {
                let end = i64::from(self.width);
                let first = x.0.saturating_add(1).clamp(0, end);
                let last = x.1.saturating_add(2).clamp(first, end);
                [(first as u32, last as u32), (0, 0)]
            }
            Some(fold) => {
                if too_many(x, fold) {
                    return None;
                }
                let first = x.0 as u32 & fold;
                let last = first + (x.1 - x.0) as u32 + 1;
                [(first, last.min(self.width)), (0, last.saturating_sub(self.width))]
            }
        };
        Some(Around { y, z, stretches })
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    y: (i64, i64),
    z: (i64, i64),
    /// The ranges of places in each row; the second one is where a folded row wraps around.
    pub(super) stretches: [(u32, u32); 2],
}

impl Around {
    pub(super) fn rows(&self) -> usize {
        (self.y.1 - self.y.0 + 1) as usize * (self.z.1 - self.z.0 + 1) as usize
    }

    /// Visits the place of the first cell of each row.
    #[inline(always)]
    pub(super) fn each_row(&self, layout: &Layout, mut visit: impl FnMut(u32)) {
        for z in self.z.0..=self.z.1 {
            for y in self.y.0..=self.y.1 {
                visit(layout.row(y as u32, z as u32));
            }
        }
    }
}

/// Computes `width`, `fold_x` and `fold` from the number of cells on each axis. The table gets at most about
/// four places a box.
///
/// An axis that is not folded has one place more than cells: an empty one, which adjoins both of its ends. A
/// folded axis has at least four, so that the two neighbours of a cell differ. Rows stay unfolded as long as
/// possible, because wrapping around is slow.
fn places(count: usize, cells: [f64; 3]) -> (u32, Option<u32>, [u32; 2]) {
    let limit = (4 * count).max(64) as f64;
    let mut places = [cells[0] + 2.0, two_power(cells[1] + 1.0), two_power(cells[2] + 1.0)];
    while places.iter().product::<f64>() > limit {
        let axis = if places[1] > places[2] { 1 } else { 2 };
        if places[axis] <= 4.0 {
            break;
        }
        places[axis] *= 0.5;
    }
    let mut fold_x = None;
    if places.iter().product::<f64>() > limit.max(16.0 * places[1] * places[2]) {
        let mut width = two_power(places[0]);
        while width > 4.0 && width * places[1] * places[2] > limit {
            width *= 0.5;
        }
        places[0] = width;
        fold_x = Some(width as u32 - 1);
    }
    (places[0] as u32, fold_x, [places[1] as u32 - 1, places[2] as u32 - 1])
}

fn two_power(x: f64) -> f64 {
    let mut power = 2.0;
    while power < x {
        power *= 2.0;
    }
    power
}
