//! The choice of the frame of an oriented box.
//!
//! Of several frames the one with the smallest surface is taken: the principal axes (Gottschalk 1996), the
//! axes of the world, eight turns about the mean normal and about the axis of least variance, and, for few
//! triangles, the frames of their edges. Normals suit the almost flat patches near the leaves of a
//! hierarchy; edges find the boxes of technical objects.

use crate::Obb;
use crate::frame::{Frame, WORLD, covariance, eigenvectors, orthonormal, unit, with_normal};
use crate::obb::measure;
use xcollide_math::vector::{cross, dot, sub};

/// Frames are compared on a sample of about this many points.
const SAMPLE: usize = 2048;

/// Frames of edges are tried for sets of up to this many triangles…
const FEW_TRIANGLES: usize = 64;

/// …for the first of them only.
const EDGE_FRAMES: usize = 8;

/// The box around points in the best frame. Each three points are taken for a triangle, which is harmless
/// if they are none.
pub(crate) fn fit(points: &[[f64; 3]]) -> Obb {
    let (triangles, _) = points.as_chunks::<3>();
    let mut search = Search::new(points);
    // No box around a single triangle is smaller than the one along its longest edge.
    let is_found = points.len() == 3 && search.edges(&triangles[0]);
    if !is_found {
        search.principal_axes();
        search.turns(mean_normal(triangles));
        if triangles.len() <= FEW_TRIANGLES {
            for triangle in triangles.iter().take(EDGE_FRAMES) {
                search.edges(triangle);
            }
        }
    }
    search.finish()
}

/// The sum of the normals of triangles, or of a sample of them.
pub(crate) fn mean_normal(triangles: &[[[f64; 3]; 3]]) -> [f64; 3] {
    let step = triangles.len().div_ceil(SAMPLE).max(1);
    triangles
        .iter()
        .step_by(step)
        .map(normal)
        .fold([0.0; 3], |sum, normal| [0, 1, 2].map(|k| sum[k] + normal[k]))
}

/// The best frame so far.
struct Search<'a> {
    points: &'a [[f64; 3]],
    step: usize,
    /// The sample, relative to the first point, so that precision does not suffer far from the origin.
    sample: Vec<Block>,
    /// The sample along the axes of a frame that is tried.
    along: Vec<Block>,
    best: Frame,
    /// Surface of the box of the sample in the best frame.
    surface: f64,
}

/// The coordinates of some points, for the registers of a processor.
type Block = [[f64; LANES]; 3];

const LANES: usize = 4;

impl<'a> Search<'a> {
    fn new(points: &'a [[f64; 3]]) -> Self {
        // An odd step samples first, second and third corners alike.
        let step = points.len().div_ceil(SAMPLE).max(1) | 1;
        let mut sample = Vec::with_capacity(points.len().div_ceil(step * LANES));
        for (number, point) in points.iter().step_by(step).enumerate() {
            let lane = number % LANES;
            if lane == 0 {
                // Filled up with the first point.
                sample.push([[0.0; LANES]; 3]);
            }
            if let Some(block) = sample.last_mut() {
                for k in 0..3 {
                    block[k][lane] = point[k] - points[0][k];
                }
            }
        }
        let along = Vec::with_capacity(sample.len());
        let mut search = Self { points, step, sample, along, best: WORLD, surface: f64::INFINITY };
        search.attempt(WORLD, &[[1.0, 0.0]]);
        search
    }

    fn principal_axes(&mut self) {
        if self.points.len() > 1 {
            let axes = eigenvectors(covariance(self.points.iter().step_by(self.step).copied()));
            self.attempt(axes, &[[1.0, 0.0]]);
            self.turns(axes[2]);
        }
    }

    /// Tries frames with one axis along `normal`, turned about it in eighths of a right angle.
    fn turns(&mut self, normal: [f64; 3]) {
        if normal != [0.0; 3] {
            self.attempt(with_normal(normal), &EIGHTHS);
        }
    }

    /// Tries frames with one axis along a side of a triangle and one along its normal; `false` if it has no area.
    fn edges(&mut self, triangle: &[[f64; 3]; 3]) -> bool {
        let side = |from: usize, to: usize| unit(sub(triangle[to], triangle[from]));
        let sides = (side(0, 1), side(1, 2), side(2, 0));
        let (Some(n), (Some(u), Some(second), Some(third))) = (unit(normal(triangle)), sides)
        else {
            return false;
        };
        let v = cross(n, u);
        self.attempt([u, v, n], &[u, second, third].map(|side| [dot(side, u), dot(side, v)]));
        true
    }

    /// Measures a frame, which may be orthonormal only roughly, turned about its last axis by angles with these cosines
    /// and sines.
    fn attempt(&mut self, [u, v, n]: Frame, turns: &[[f64; 2]]) {
        self.along.clear();
        let axes = [u, v, n];
        self.along.extend(self.sample.iter().map(|d| axes.map(|axis| along(axis, d))));
        let thickness = length(self.along.iter().map(|block| block[2]));
        for &[c, s] in turns {
            let [length, width] = turned_lengths(&self.along, c, s);
            let surface = length * width + width * thickness + thickness * length;
            if surface < self.surface {
                self.surface = surface;
                let first = [0, 1, 2].map(|k| c * u[k] + s * v[k]);
                let second = [0, 1, 2].map(|k| c * v[k] - s * u[k]);
                self.best = [first, second, n];
            }
        }
    }

    /// The box of all points in the best frame.
    fn finish(self) -> Obb {
        let [u, v, _] = self.best;
        measure(self.points, &orthonormal(u, v)).sorted()
    }
}

/// Twice the area of a triangle along its normal.
fn normal(triangle: &[[f64; 3]; 3]) -> [f64; 3] {
    let [a, b, c] = *triangle;
    cross(sub(b, a), sub(c, a))
}

/// The coordinates of points along an axis.
fn along(axis: [f64; 3], [x, y, z]: &Block) -> [f64; LANES] {
    let mut along = [0.0; LANES];
    for lane in 0..LANES {
        along[lane] = dot(axis, [x[lane], y[lane], z[lane]]);
    }
    along
}

/// From the least to the greatest of some numbers, 0 among them.
fn length(numbers: impl Iterator<Item = [f64; LANES]>) -> f64 {
    let mut span = Span::default();
    numbers.for_each(|numbers| span.add(numbers));
    span.length()
}

/// The lengths along the first two axes of a frame turned about the third.
fn turned_lengths(points: &[Block], c: f64, s: f64) -> [f64; 2] {
    let (mut first, mut second) = (Span::default(), Span::default());
    for [x, y, _] in points {
        let (mut p, mut q) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            p[lane] = c * x[lane] + s * y[lane];
            q[lane] = c * y[lane] - s * x[lane];
        }
        first.add(p);
        second.add(q);
    }
    [first.length(), second.length()]
}

/// The least and the greatest number of each lane, from 0 on, the coordinate of the first point.
#[derive(Clone, Copy, Default)]
struct Span {
    low: [f64; LANES],
    high: [f64; LANES],
}

impl Span {
    /// By comparisons, which are single instructions where `f64::min` is not.
    #[inline(always)]
    fn add(&mut self, numbers: [f64; LANES]) {
        for lane in 0..LANES {
            let number = numbers[lane];
            self.low[lane] = if number < self.low[lane] { number } else { self.low[lane] };
            self.high[lane] = if number > self.high[lane] { number } else { self.high[lane] };
        }
    }

    fn length(&self) -> f64 {
        let low = self.low.iter().fold(0.0, |low: f64, &number| low.min(number));
        self.high.iter().fold(0.0, |high: f64, &number| high.max(number)) - low
    }
}

/// Cosine and sine of 0, 1, …, 7 eighths of a right angle.
const EIGHTHS: [[f64; 2]; 8] = [
    [1.0, 0.0],
    [0.980_785_280_403_230_4, 0.195_090_322_016_128_27],
    [0.923_879_532_511_286_7, 0.382_683_432_365_089_8],
    [0.831_469_612_302_545_2, 0.555_570_233_019_602_2],
    [std::f64::consts::FRAC_1_SQRT_2, std::f64::consts::FRAC_1_SQRT_2],
    [0.555_570_233_019_602_2, 0.831_469_612_302_545_2],
    [0.382_683_432_365_089_8, 0.923_879_532_511_286_7],
    [0.195_090_322_016_128_27, 0.980_785_280_403_230_4],
];
