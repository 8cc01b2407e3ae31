//! The edge lines of boxes in the frame of another tree, and where they meet planes (Zachmann 1994, 3.6.1
//! "first intersection test", 3.6.2).
//!
//! The thesis measures line parameters from a corner of the box and must shift them when the corner moves.
//! Here the parameter of a line along the axis f *is* the coordinate on that axis of its own frame. A point
//! of the line with the fixed coordinates y, z on the two other axes g, h has the coordinate
//! `R_kf t + R_kg y + R_kh z + T_k` on the axis k of the other frame, so it meets the plane at v for
//!
//! ```text
//! t = v / R_kf − T_k / R_kf − y · R_kg / R_kf − z · R_kh / R_kf
//! ```
//!
//! with all quotients in tables. This is the thesis's t-table: its `Δ · b / b` are differences of these terms
//! (`b_x^y / b_x^x` in its row for yl must be `b_y^y / b_y^x`). Nothing is shifted from level to level, so
//! errors do not add up.

use xcollide_bounds::Aabb;
use xcollide_math::Pose;

/// The two other axes, in this order, for each axis.
pub(super) const OTHERS: [[usize; 2]; 3] = [[1, 2], [2, 0], [0, 1]];

/// Below this a line counts as parallel to a plane: over its whole length its height changes by less than
/// 2⁻⁴⁶ · reach = 128u · reach, half of the [relative margin](Pose::relative_margin).
const PARALLEL: f64 = 1.0 / (1_u64 << 46) as f64;

/// The edge lines of all boxes of one tree, in the frame of the other.
#[derive(Clone, Debug)]
pub(super) struct EdgeLines {
    rotation: [[f64; 3]; 3],
    translation: [f64; 3],
    /// By plane axis k and line axis f.
    tables: [[Table; 3]; 3],
    /// Lines are clipped this far outside of boxes.
    margin: f64,
}

/// Intersections of lines along one axis with planes across one axis.
#[derive(Clone, Copy, Debug)]
struct Table {
    /// Whether they are parallel.
    parallel: bool,
    /// `1 / R_kf`.
    per_plane: f64,
    /// `−T_k / R_kf`.
    start: f64,
    /// `−R_kg / R_kf` and `−R_kh / R_kf`.
    per_offset: [f64; 2],
    /// The margin, along the line.
    reach: f64,
}

/// A part of a line by the parameters of its ends; empty if the first is greater.
pub(super) type Interval = [f64; 2];

impl EdgeLines {
    pub(super) fn new(motion: &Pose, margin: f64) -> Self {
        let (rotation, translation) = (*motion.rotation(), motion.translation());
        let table = |k: usize, f: usize| {
            let [g, h] = OTHERS[f];
            let row = rotation[k];
            let inverse = 1.0 / row[f];
            Table {
                parallel: row[f].abs() <= PARALLEL,
                per_plane: inverse,
                start: -translation[k] * inverse,
                per_offset: [-row[g] * inverse, -row[h] * inverse],
                reach: margin * inverse.abs(),
            }
        };
        let tables = [0, 1, 2].map(|k| [0, 1, 2].map(|f| table(k, f)));
        Self { rotation, translation, tables, margin }
    }

    /// The part of one line inside a box of the other frame, from scratch.
    pub(super) fn clip(
        &self,
        along: usize,
        offsets: [f64; 2],
        own: Interval,
        cell: &Aabb,
    ) -> Interval {
        let [mut start, mut end] = own;
        for k in 0..3 {
            let (low, high) = (cell.min[k], cell.max[k]);
            let table = &self.tables[k][along];
            if table.parallel {
                let height = self.height(k, along, offsets);
                if height < low - self.margin || height > high + self.margin {
                    return EMPTY;
                }
                continue;
            }
            let base =
                table.start + table.per_offset[0] * offsets[0] + table.per_offset[1] * offsets[1];
            let (t_low, t_high) = (low * table.per_plane + base, high * table.per_plane + base);
            // A line that runs along the axis enters at the lower plane.
            let (enter, leave) =
                if table.per_plane > 0.0 { (t_low, t_high) } else { (t_high, t_low) };
            start = start.max(enter - table.reach);
            end = end.min(leave + table.reach);
        }
        [start, end]
    }

    /// Cuts four parallel lines at a plane of the other frame; `alive` says which lines are not empty.
    /// Writes the intervals on both sides and returns which are not empty.
    ///
    /// `box_offsets`: the two coordinates of the lines on each of their fixed axes.
    #[inline]
    pub(super) fn halve(
        &self,
        axis: usize,
        along: usize,
        plane: f64,
        box_offsets: [[f64; 2]; 2],
        lines: &mut [[Interval; 4]; 2],
        alive: u16,
    ) -> [u16; 2] {
        let table = &self.tables[axis][along];
        let [ys, zs] = box_offsets;
        let mut living = [alive; 2];
        if table.parallel {
            for i in 0..4 {
                let height = self.height(axis, along, [ys[i & 1], zs[i >> 1]]);
                if height > plane + self.margin {
                    living[0] &= !(1 << i);
                }
                if height < plane - self.margin {
                    living[1] &= !(1 << i);
                }
            }
            return living;
        }
        let base = plane * table.per_plane + table.start;
        let by_y = ys.map(|y| table.per_offset[0] * y);
        let by_z = zs.map(|z| table.per_offset[1] * z);
        // The sides that lines leave and enter.
        let (from, into) = if table.per_plane > 0.0 { (0, 1) } else { (1, 0) };
        for i in 0..4 {
            if alive >> i & 1 == 0 {
                continue;
            }
            let t = base + by_y[i & 1] + by_z[i >> 1];
            let leave = &mut lines[from][i];
            leave[1] = leave[1].min(t + table.reach);
            if leave[0] > leave[1] {
                living[from] &= !(1 << i);
            }
            let enter = &mut lines[into][i];
            enter[0] = enter[0].max(t - table.reach);
            if enter[0] > enter[1] {
                living[into] &= !(1 << i);
            }
        }
        living
    }

    /// The coordinate of a parallel line on the plane's axis.
    #[inline]
    fn height(&self, k: usize, along: usize, offsets: [f64; 2]) -> f64 {
        let [g, h] = OTHERS[along];
        let row = self.rotation[k];
        self.translation[k] + row[g] * offsets[0] + row[h] * offsets[1]
    }
}

/// No part of a line.
pub(super) const EMPTY: Interval = [1.0, -1.0];
