//! Where to split a set of primitives: by the surface area heuristic (SAH), the median and others.

use xcollide_bounds::Aabb;

use super::principal::principal_frame;

/// How the primitives of a node are divided among its children.
///
/// The time for a node of n primitives, and properties of the trees:
///
/// | rule | time | tree |
/// |---|---|---|
/// | [`LongestAxis`](Self::LongestAxis) | O(n) | good where primitives are spread evenly |
/// | [`Median`](Self::Median) | O(n) | balanced, least depth, large overlaps |
/// | [`MeanVariance`](Self::MeanVariance) | O(n) | between the two |
/// | [`TotalVolume`](Self::TotalVolume) | O(n log n) | follows gaps and slanted parts |
/// | [`SurfaceArea`](Self::SurfaceArea) | O(n) | the cheapest to query, mostly |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Split {
    /// At the middle of the longest side of the box around the centers (SOLID: van den Bergen).
    LongestAxis,
    /// Into halves of equal number, along the longest side of the box around the centers.
    Median,
    /// At the mean of the centers, along the coordinate of largest variance; centers on the mean alternate
    /// between left and right (Daneu 3.3.2).
    MeanVariance,
    /// Along the principal axis of the centers, at the cut with the least total volume of the children,
    /// which minimises the expected number of tests (slides, "The Construction of BV Hierarchies").
    ///
    /// Each child gets at least an eighth of the primitives: the slides assume splits that are "not too
    /// uneven", and a round shape would otherwise lose one primitive after the other at its ends.
    ///
    /// Volumes are measured by boxes along the principal axes, for any kind of volume of the tree. Ties, as
    /// in a flat mesh, are broken by total surface, then by balance.
    TotalVolume,
    /// Where `surface(left) · n(left) + surface(right) · n(right)` is least over all three coordinates
    /// (surface area heuristic), with the centers sorted into bins.
    SurfaceArea {
        /// Bins on each coordinate, clamped to 2 to 64.
        bins: u8,
    },
}

impl Default for Split {
    /// Surface area with 16 bins.
    fn default() -> Self {
        Self::SurfaceArea { bins: 16 }
    }
}

impl Split {
    /// Reorders and returns the number of primitives that go left, which may be 0 or all; `None` if the rule
    /// finds no difference between them.
    pub(super) fn apply<const K: usize>(
        self,
        primitives: &[[[f64; 3]; K]],
        centers: &[[f64; 3]],
        order: &mut [u32],
    ) -> Option<usize> {
        let around = Aabb::from_points(order.iter().map(|&number| centers[number as usize]));
        let axis = around.longest_axis();
        // Also false if the difference overflows.
        if !(around.size()[axis] > 0.0 && around.size()[axis].is_finite()) {
            return None;
        }
        match self {
            Self::LongestAxis => {
                let middle = around.center()[axis];
                Some(partition(order, |number| centers[number as usize][axis] < middle))
            }
            Self::Median => {
                let half = order.len() / 2;
                order.select_nth_unstable_by(half, |&i, &j| {
                    let (x, y) = (centers[i as usize][axis], centers[j as usize][axis]);
                    x.total_cmp(&y).then(i.cmp(&j))
                });
                Some(half)
            }
            Self::MeanVariance => Some(mean_variance(centers, order, &around)),
            Self::TotalVolume => total_volume(primitives, centers, order, &around),
            Self::SurfaceArea { bins } => {
                surface_area(primitives, centers, order, &around, usize::from(bins).clamp(2, MOST))
            }
        }
    }
}

/// The most bins.
const MOST: usize = 64;

/// Moves primitives for which `goes_left` holds to the front; returns their number.
fn partition(order: &mut [u32], mut goes_left: impl FnMut(u32) -> bool) -> usize {
    let mut cut = 0;
    for index in 0..order.len() {
        if goes_left(order[index]) {
            order.swap(cut, index);
            cut += 1;
        }
    }
    cut
}

fn mean_variance(centers: &[[f64; 3]], order: &mut [u32], around: &Aabb) -> usize {
    // Relative to the middle of the box, in units of its side, so that nothing overflows or cancels.
    let (middle, side) = (around.center(), around.size()[around.longest_axis()]);
    let relative =
        |number: u32, axis: usize| (centers[number as usize][axis] - middle[axis]) / side;
    let count = order.len() as f64;
    let spread = [0, 1, 2].map(|axis| {
        let mean = order.iter().map(|&number| relative(number, axis)).sum::<f64>() / count;
        let variance: f64 = order
            .iter()
            .map(|&number| {
                let difference = relative(number, axis) - mean;
                difference * difference
            })
            .sum();
        (mean, variance)
    });
    let axis =
        (1..3).fold(0, |best, axis| if spread[axis].1 > spread[best].1 { axis } else { best });
    let mean = spread[axis].0;
    let mut left_next = false;
    partition(order, |number| {
        let place = relative(number, axis);
        if place == mean {
            left_next = !left_next;
        }
        place < mean || (place == mean && left_next)
    })
}

fn total_volume<const K: usize>(
    primitives: &[[[f64; 3]; K]],
    centers: &[[f64; 3]],
    order: &mut [u32],
    around: &Aabb,
) -> Option<usize> {
    let (middle, side) = (around.center(), around.size()[around.longest_axis()]);
    let relative = |point: [f64; 3]| [0, 1, 2].map(|axis| (point[axis] - middle[axis]) / side);
    let frame = principal_frame(order.iter().map(|&number| relative(centers[number as usize])));
    let project = |point: [f64; 3]| {
        let [x, y, z] = relative(point);
        frame.map(|a| a[0] * x + a[1] * y + a[2] * z)
    };
    let mut sorted: Vec<(f64, u32)> =
        order.iter().map(|&number| (project(centers[number as usize])[0], number)).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    for (place, &(_, number)) in order.iter_mut().zip(&sorted) {
        *place = number;
    }
    let own_box = |number: u32| Aabb::from_points(primitives[number as usize].map(project));

    // The measures right of each cut first, then those left of it.
    let mut right = vec![(0.0, 0.0); order.len()];
    let mut grown = Aabb::EMPTY;
    for (index, &number) in order.iter().enumerate().skip(1).rev() {
        grown = grown.merged(&own_box(number));
        right[index] = (grown.volume(), grown.surface());
    }
    let mut best = None;
    let mut grown = Aabb::EMPTY;
    let least_share = order.len() / 8;
    for cut in 1..order.len() {
        grown = grown.merged(&own_box(order[cut - 1]));
        if cut < least_share || cut > order.len() - least_share {
            continue;
        }
        let volume = grown.volume() + right[cut].0;
        let surface = grown.surface() + right[cut].1;
        let key = (volume, surface, cut.abs_diff(order.len() - cut));
        if best.is_none_or(|(least, _)| key < least) {
            best = Some((key, cut));
        }
    }
    best.map(|(_, cut)| cut)
}

fn surface_area<const K: usize>(
    primitives: &[[[f64; 3]; K]],
    centers: &[[f64; 3]],
    order: &mut [u32],
    around: &Aabb,
    bins: usize,
) -> Option<usize> {
    // More bins than primitives do not pay.
    let bins = bins.min(order.len().max(4));
    let size = around.size();
    let scale = size.map(|side| bins as f64 / side);
    let bin = |number: u32, axis: usize| {
        let place = (centers[number as usize][axis] - around.min[axis]) * scale[axis];
        (place as usize).min(bins - 1)
    };
    let mut counts = [[0_u32; MOST]; 3];
    let mut boxes = [[Aabb::EMPTY; MOST]; 3];
    for &number in order.iter() {
        let own = Aabb::from_points(primitives[number as usize]);
        for axis in 0..3 {
            let bin = bin(number, axis);
            counts[axis][bin] += 1;
            boxes[axis][bin] = boxes[axis][bin].merged(&own);
        }
    }
    // Areas relative to the whole, so that they neither vanish nor overflow.
    let unit = 1.0 / (0..3).map(|axis| size[axis]).fold(0.0, f64::max);
    let area = |bounds: &Aabb| {
        let [x, y, z] = bounds.size().map(|side| side * unit);
        x * y + y * z + z * x
    };
    let mut best: Option<(f64, u32, usize, usize)> = None;
    for axis in 0..3 {
        if size[axis] <= 0.0 {
            continue;
        }
        let mut right = [(0_u32, 0.0); MOST];
        let (mut count, mut grown) = (0, Aabb::EMPTY);
        for bin in (1..bins).rev() {
            count += counts[axis][bin];
            grown = grown.merged(&boxes[axis][bin]);
            right[bin] = (count, f64::from(count) * area(&grown));
        }
        let (mut count, mut grown) = (0, Aabb::EMPTY);
        for cut in 1..bins {
            count += counts[axis][cut - 1];
            grown = grown.merged(&boxes[axis][cut - 1]);
            if count == 0 || right[cut].0 == 0 {
                continue;
            }
            let cost = f64::from(count) * area(&grown) + right[cut].1;
            let imbalance = count.abs_diff(right[cut].0);
            if best.is_none_or(|(least, even, ..)| (cost, imbalance) < (least, even)) {
                best = Some((cost, imbalance, axis, cut));
            }
        }
    }
    let (_, _, axis, cut) = best?;
    Some(partition(order, |number| bin(number, axis) < cut))
}
