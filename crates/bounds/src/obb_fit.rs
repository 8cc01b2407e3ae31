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
    search.principal_axes();
    search.turns(mean_normal(triangles));
    if triangles.len() <= FEW_TRIANGLES {
        for triangle in triangles.iter().take(EDGE_FRAMES) {
            search.edges(triangle);
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
    best: Frame,
    /// Surface of the box of the sample in the best frame.
    surface: f64,
}

impl<'a> Search<'a> {
    fn new(points: &'a [[f64; 3]]) -> Self {
        // An odd step samples first, second and third corners alike.
        let step = points.len().div_ceil(SAMPLE).max(1) | 1;
        let mut search = Self { points, step, best: WORLD, surface: f64::INFINITY };
        search.attempt(WORLD);
        search
    }

    fn principal_axes(&mut self) {
        if self.points.len() > 1 {
            let axes = eigenvectors(covariance(self.points.iter().step_by(self.step).copied()));
            self.attempt(axes);
            self.turns(axes[2]);
        }
    }

    /// Tries frames with one axis along `normal`, turned about it in eighths of a right angle.
    fn turns(&mut self, normal: [f64; 3]) {
        if normal == [0.0; 3] {
            return;
        }
        let [u, v, n] = with_normal(normal);
        for [c, s] in EIGHTHS {
            let first = [0, 1, 2].map(|k| c * u[k] + s * v[k]);
            let second = [0, 1, 2].map(|k| c * v[k] - s * u[k]);
            self.attempt([first, second, n]);
        }
    }

    /// Tries frames with one axis along a side of a triangle and one along its normal.
    fn edges(&mut self, triangle: &[[f64; 3]; 3]) {
        let Some(n) = unit(normal(triangle)) else { return };
        for [from, to] in [[0, 1], [1, 2], [2, 0]] {
            if let Some(u) = unit(sub(triangle[to], triangle[from])) {
                self.attempt([u, cross(n, u), n]);
            }
        }
    }

    /// Measures a frame, which may be orthonormal only roughly.
    fn attempt(&mut self, axes: Frame) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for p in self.points.iter().step_by(self.step) {
            // Relative to a point of the set, so that precision does not suffer far from the origin.
            let d = sub(*p, self.points[0]);
            for i in 0..3 {
                let along = dot(axes[i], d);
                low[i] = low[i].min(along);
                high[i] = high[i].max(along);
            }
        }
        let [x, y, z] = [0, 1, 2].map(|i| high[i] - low[i]);
        let surface = x * y + y * z + z * x;
        if surface < self.surface {
            self.surface = surface;
            self.best = axes;
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
