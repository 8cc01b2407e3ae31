//! The search for a cut-plane: balance the triangles, and cross few of them (3.6.3).

use xcollide_bounds::Aabb;

use super::options::{BoxTreeOptions, CutSearch};

/// The side of a cut-plane on which an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
    Crossing,
}

impl Side {
    /// The side for a plane of thickness 2δ. Flat items in the plane are left.
    #[inline]
    pub(super) fn of(item: &Aabb, axis: usize, cut: f64, thickness: f64) -> Self {
        if item.max[axis] <= cut + thickness {
            Self::Left
        } else if item.min[axis] >= cut - thickness {
            Self::Right
        } else {
            Self::Crossing
        }
    }
}

/// A box that may be cut.
pub(super) struct Search<'a> {
    pub(super) boxes: &'a [Aabb],
    pub(super) items: &'a [u32],
    pub(super) cell: &'a Aabb,
    pub(super) thickness: f64,
    /// The growth by copies in the cuts above.
    pub(super) growth: f64,
    pub(super) options: &'a BoxTreeOptions,
}

/// The numbers of items on each side.
#[derive(Clone, Copy)]
struct Balance {
    left: usize,
    right: usize,
    crossing: usize,
}

impl Balance {
    /// `|n_l − n_r|`.
    fn tilt(self) -> f64 {
        self.left.abs_diff(self.right) as f64
    }

    fn penalty(self, crossing_weight: f64) -> f64 {
        self.tilt() + crossing_weight * self.crossing as f64
    }
}

impl Search<'_> {
    /// The axis and place of the best cut; `None` if a stopping rule applies.
    pub(super) fn find(&self) -> Option<(usize, f64)> {
        let count = self.items.len();
        if count <= self.options.min_triangles.max(1) {
            return None;
        }
        if self.options.empty_share < 1.0
            && let Some(cut) = self.empty_space()
        {
            return Some(cut);
        }
        // Of equal penalties, the cut through the longest side wins.
        let size = self.cell.size();
        let mut axes = [0, 1, 2];
        axes.sort_by(|&i, &j| size[j].total_cmp(&size[i]));
        let mut best: Option<(f64, usize, f64, Balance)> = None;
        let mut ends = [Vec::new(), Vec::new()];
        for axis in axes {
            let found = match self.options.search {
                CutSearch::Bisection { iterations, enough } => {
                    self.bisect(axis, iterations, enough)
                }
                CutSearch::Sweep => self.sweep(axis, &mut ends),
            };
            if let Some(cut) = found {
                let balance = self.balance(axis, cut);
                let penalty = balance.penalty(self.options.crossing_weight);
                if best.is_none_or(|(least, ..)| penalty < least) {
                    best = Some((penalty, axis, cut, balance));
                }
            }
        }
        let (_, axis, cut, Balance { left, right, crossing }) = best?;
        let (left, right) = (left + crossing, right + crossing);
        let largest = left.max(right) as f64;
        let growth = self.growth * ((left + right) as f64 / count as f64);
        let worthwhile = left > 0
            && right > 0
            && largest <= self.options.max_share * count as f64
            && growth <= self.options.max_copies.max(1.0);
        worthwhile.then_some((axis, cut))
    }

    /// Whether a plane lies inside the box.
    fn is_inside(&self, axis: usize, cut: f64) -> bool {
        self.cell.min[axis] < cut && cut < self.cell.max[axis]
    }

    fn balance(&self, axis: usize, cut: f64) -> Balance {
        let mut balance = Balance { left: 0, right: 0, crossing: 0 };
        for &item in self.items {
            match Side::of(&self.boxes[item as usize], axis, cut, self.thickness) {
                Side::Left => balance.left += 1,
                Side::Right => balance.right += 1,
                Side::Crossing => balance.crossing += 1,
            }
        }
        balance
    }

    /// The plane that cuts off the largest share of empty space, if that is enough.
    fn empty_space(&self) -> Option<(usize, f64)> {
        let around =
            self.items.iter().fold(Aabb::EMPTY, |all, &i| all.merged(&self.boxes[i as usize]));
        let mut best = None;
        // With less, cutting might not end.
        let mut largest = self.options.empty_share.max(0.01);
        // More than the thickness away from the triangles, so that flat ones are on the correct side.
        let off = 2.0 * self.thickness;
        for axis in 0..3 {
            let (low, high) = (self.cell.min[axis], self.cell.max[axis]);
            for cut in [around.min[axis] - off, around.max[axis] + off] {
                if !self.is_inside(axis, cut) {
                    continue;
                }
                let empty = if cut < around.min[axis] { cut - low } else { high - cut };
                let share = empty / (high - low);
                if share >= largest {
                    largest = share.next_up();
                    best = Some((axis, cut));
                }
            }
        }
        best
    }

    fn bisect(&self, axis: usize, iterations: u32, enough: f64) -> Option<f64> {
        let (mut low, mut high) = (self.cell.min[axis], self.cell.max[axis]);
        let mut best: Option<(f64, f64)> = None;
        for _ in 0..iterations {
            let cut = 0.5 * low + 0.5 * high;
            if !(low < cut && cut < high) {
                break;
            }
            let balance = self.balance(axis, cut);
            let tilt = balance.tilt();
            if best.is_none_or(|(least, _)| tilt < least) {
                best = Some((tilt, cut));
            }
            let (left, right) = (balance.left as f64, balance.right as f64);
            if tilt <= enough || left + right == 0.0 {
                break;
            }
            let given_up = tilt / (left + right);
            if left < right {
                low += given_up * (cut - low);
            } else {
                high -= given_up * (high - cut);
            }
        }
        best.map(|(_, cut)| cut).filter(|&cut| self.is_inside(axis, cut))
    }

    /// The plane of least penalty among the upper ends of extents.
    fn sweep(&self, axis: usize, [lows, highs]: &mut [Vec<f64>; 2]) -> Option<f64> {
        let extents = || self.items.iter().map(|&item| &self.boxes[item as usize]);
        lows.clear();
        lows.extend(extents().map(|item| item.min[axis]));
        highs.clear();
        highs.extend(extents().map(|item| item.max[axis]));
        lows.sort_unstable_by(f64::total_cmp);
        highs.sort_unstable_by(f64::total_cmp);
        let count = highs.len();
        let middle = self.cell.center()[axis];
        let mut best: Option<(f64, f64)> = None;
        let (mut not_right, mut left) = (0, 0);
        for &cut in highs.iter() {
            if !self.is_inside(axis, cut) {
                continue;
            }
            while left < count && highs[left] <= cut + self.thickness {
                left += 1;
            }
            while not_right < count && lows[not_right] < cut - self.thickness {
                not_right += 1;
            }
            // Flat items in the plane must not count twice.
            let right = (count - not_right).min(count - left);
            let balance = Balance { left, right, crossing: count - left - right };
            let penalty = balance.penalty(self.options.crossing_weight);
            let better = best.is_none_or(|(least, at)| {
                penalty < least || (penalty == least && (cut - middle).abs() < (at - middle).abs())
            });
            if better {
                best = Some((penalty, cut));
            }
        }
        best.map(|(_, cut)| cut)
    }
}
