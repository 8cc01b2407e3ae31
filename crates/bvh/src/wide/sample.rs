//! A sample of corners, in f32, by which frames are compared.

use super::principal::principal_axes;
use super::vector::{Frame, Vector};
use xcollide_math::vector::sub;

/// Triangles of a sample; the extents of boxes are measured from all.
pub(super) const SAMPLE: usize = 64;

const LANES: usize = 8;
const BLOCKS: usize = (3 * SAMPLE).div_ceil(LANES);

/// Eight points, coordinate by coordinate.
type Block = [[f32; LANES]; 3];

/// Cosine and sine of kπ/16, k = 0 … 7.
const TURNS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.980_785_280_403_230_4, 0.195_090_322_016_128_28),
    (0.923_879_532_511_286_7, 0.382_683_432_365_089_8),
    (0.831_469_612_302_545_2, 0.555_570_233_019_602_2),
    (std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2),
    (0.555_570_233_019_602_2, 0.831_469_612_302_545_2),
    (0.382_683_432_365_089_8, 0.923_879_532_511_286_7),
    (0.195_090_322_016_128_28, 0.980_785_280_403_230_4),
];

/// Corners of at most [`SAMPLE`] triangles, relative to the first corner for precision in f32. The last
/// block is padded with the first corner, which is 0.
pub(super) struct Points {
    blocks: [Block; BLOCKS],
    count: usize,
}

impl Points {
    pub(super) fn new<'a>(triangles: impl Iterator<Item = &'a [Vector; 3]>) -> Self {
        let mut points = Self { blocks: [[[0.0; LANES]; 3]; BLOCKS], count: 0 };
        let mut origin = None;
        for &point in triangles.take(SAMPLE).flatten() {
            let relative = sub(point, *origin.get_or_insert(point));
            let block = &mut points.blocks[points.count / LANES];
            for axis in 0..3 {
                block[axis][points.count % LANES] = relative[axis] as f32;
            }
            points.count += 1;
        }
        points
    }

    fn blocks(&self) -> &[Block] {
        &self.blocks[..self.count.div_ceil(LANES)]
    }

    /// The eigenvectors of the covariance, the largest eigenvalue first.
    pub(super) fn principal_axes(&self) -> Frame {
        const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let mut sums = [[0.0_f32; LANES]; 3];
        let mut products = [[0.0_f32; LANES]; 6];
        for block in self.blocks() {
            for lane in 0..LANES {
                for axis in 0..3 {
                    sums[axis][lane] += block[axis][lane];
                }
                for (product, (i, j)) in products.iter_mut().zip(PAIRS) {
                    product[lane] += block[i][lane] * block[j][lane];
                }
            }
        }
        let total = |lanes: [f32; LANES]| lanes.iter().map(|&x| f64::from(x)).sum::<f64>();
        let sums = sums.map(total);
        let mut covariance = [[0.0; 3]; 3];
        for (product, (i, j)) in products.into_iter().zip(PAIRS) {
            let entry = total(product) - sums[i] * sums[j] / self.count as f64;
            (covariance[i][j], covariance[j][i]) = (entry, entry);
        }
        principal_axes(covariance)
    }

    /// Half the surface of the box in this frame.
    pub(super) fn surface(&self, frame: &Frame) -> f32 {
        let frame = frame.map(|axis| axis.map(|x| x as f32));
        let mut ranges = [Span::EMPTY; 3];
        for block in self.blocks() {
            for (range, axis) in ranges.iter_mut().zip(&frame) {
                range.add(&along(block, axis));
            }
        }
        half_surface(ranges.map(|range| range.length()))
    }

    /// The box of least surface among eight turns of the frame about its third axis: half its surface, and
    /// the cosine and sine of the turn.
    pub(super) fn best_turn(&self, frame: &Frame) -> (f32, (f64, f64)) {
        let frame = frame.map(|axis| axis.map(|x| x as f32));
        let mut thickness = Span::EMPTY;
        let mut ranges = [[Span::EMPTY; 2]; TURNS.len()];
        for block in self.blocks() {
            let (u, v) = (along(block, &frame[0]), along(block, &frame[1]));
            thickness.add(&along(block, &frame[2]));
            for (range, (cosine, sine)) in ranges.iter_mut().zip(TURNS) {
                let (cosine, sine) = (cosine as f32, sine as f32);
                let (mut turned, mut across) = ([0.0; LANES], [0.0; LANES]);
                for lane in 0..LANES {
                    turned[lane] = u[lane] * cosine + v[lane] * sine;
                    across[lane] = v[lane] * cosine - u[lane] * sine;
                }
                range[0].add(&turned);
                range[1].add(&across);
            }
        }
        let thickness = thickness.length();
        let mut best = (f32::INFINITY, TURNS[0]);
        for (range, turn) in ranges.iter().zip(TURNS) {
            let surface = half_surface([range[0].length(), range[1].length(), thickness]);
            if surface < best.0 {
                best = (surface, turn);
            }
        }
        best
    }
}

/// Lane by lane, the least and the greatest number.
#[derive(Clone, Copy)]
struct Span {
    low: [f32; LANES],
    high: [f32; LANES],
}

impl Span {
    const EMPTY: Self = Self { low: [f32::MAX; LANES], high: [f32::MIN; LANES] };

    #[inline(always)]
    fn add(&mut self, values: &[f32; LANES]) {
        for lane in 0..LANES {
            let value = values[lane];
            self.low[lane] = if value < self.low[lane] { value } else { self.low[lane] };
            self.high[lane] = if value > self.high[lane] { value } else { self.high[lane] };
        }
    }

    /// The distance from the least to the greatest number of all lanes.
    #[inline(always)]
    fn length(&self) -> f32 {
        let (mut low, mut high) = (self.low, self.high);
        for half in [4, 2, 1] {
            for lane in 0..half {
                low[lane] = if low[lane + half] < low[lane] { low[lane + half] } else { low[lane] };
                let other = high[lane + half];
                high[lane] = if other > high[lane] { other } else { high[lane] };
            }
        }
        high[0] - low[0]
    }
}

#[inline(always)]
fn along(block: &Block, axis: &[f32; 3]) -> [f32; LANES] {
    let mut along = [0.0; LANES];
    for lane in 0..LANES {
        along[lane] =
            block[0][lane] * axis[0] + block[1][lane] * axis[1] + block[2][lane] * axis[2];
    }
    along
}

fn half_surface([x, y, z]: [f32; 3]) -> f32 {
    x * y + y * z + z * x
}
