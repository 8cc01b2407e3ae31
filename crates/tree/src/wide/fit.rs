//! The box around a range of triangles: of several frames, the one with the smallest surface.

use super::node::OrientedBox;
use super::principal::principal_axes;
use super::vector::{
    Frame, IDENTITY, Vector, add, cross, dot, is_frame, length, perpendiculars, scale, sub, unit,
};

/// How much work goes into the boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fit {
    /// The smallest of the principal axes, the coordinate axes, the mean normal and the thinnest
    /// direction with eight angles about each, and, in small ranges, the frames of edges.
    #[default]
    Smallest,
    /// The principal axes alone; half the time to build, a third more to query.
    Principal,
}

type Triangle = [Vector; 3];

/// Triangles that are looked at to compare frames; the extents come from all.
const SAMPLE: usize = 256;
/// Ranges up to this length try frames of edges, of so many triangles.
const EDGE_FRAMES: (usize, usize) = (64, 8);

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

/// A box around the triangles, of which there is at least one, with coordinates up to about 1.
pub(super) fn fit(triangles: &[Triangle], fit: Fit) -> OrientedBox {
    let mut frame = match (fit, triangles) {
        (_, [triangle]) => edge_frame(triangle),
        (Fit::Principal, _) => {
            let step = triangles.len().div_ceil(SAMPLE);
            principal_axes(triangles.iter().step_by(step).flatten().copied())
        }
        (Fit::Smallest, _) => smallest(triangles),
    };
    if !is_frame(&frame) {
        frame = IDENTITY;
    }
    enclose(triangles, &frame)
}

/// The frame on the longest edge and the normal of a triangle: flat, and within a factor of √2 the
/// smallest rectangle.
fn edge_frame(triangle: &Triangle) -> Frame {
    let edges = [0, 1, 2].map(|k| sub(triangle[(k + 1) % 3], triangle[k]));
    let longest = (1..3).fold(0, |best, k| {
        if dot(edges[k], edges[k]) > dot(edges[best], edges[best]) { k } else { best }
    });
    let Some(u) = unit(edges[longest]) else {
        return IDENTITY;
    };
    // The two other edges could be nearly parallel to the longest: what is not of its direction
    // decides, and where there is nothing (a triangle that is a segment) any direction will do.
    let across = edges[(longest + 1) % 3];
    let off_axis = |v: Vector| unit(sub(v, scale(u, dot(u, v))));
    // Twice, for what cancellation leaves of u in the first result.
    match off_axis(across).and_then(off_axis) {
        Some(v) => [u, v, cross(u, v)],
        None => perpendiculars(u).map_or(IDENTITY, |[v, w]| [u, v, w]),
    }
}

fn smallest(triangles: &[Triangle]) -> Frame {
    let step = triangles.len().div_ceil(SAMPLE);
    let sample = || triangles.iter().step_by(step);
    let points = Points::new(sample());
    let principal = principal_axes(sample().flatten().copied());
    let mut best = (points.surface(&principal), principal);
    let mut consider = |frame: Frame| {
        let surface = points.surface(&frame);
        if surface < best.0 {
            best = (surface, frame);
        }
    };
    consider(IDENTITY);
    let normal = |t: &Triangle| cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let mean = sample().map(normal).fold([0.0; 3], add);
    for thin in [unit(mean), Some(principal[2])].into_iter().flatten() {
        if let Some([u, v]) = perpendiculars(thin) {
            for (cosine, sine) in TURNS {
                let turned = add(scale(u, cosine), scale(v, sine));
                consider([turned, cross(thin, turned), thin]);
            }
        }
    }
    let (most, few) = EDGE_FRAMES;
    if triangles.len() <= most {
        for triangle in triangles.iter().take(few) {
            if let Some(normal) = unit(normal(triangle)) {
                for k in 0..3 {
                    if let Some(u) = unit(sub(triangle[(k + 1) % 3], triangle[k])) {
                        let frame = [u, cross(normal, u), normal];
                        // A sliver's normal can be too far off a right angle.
                        if is_frame(&frame) {
                            consider(frame);
                        }
                    }
                }
            }
        }
    }
    best.1
}

/// Points in f32, coordinate by coordinate, to compare frames by.
struct Points {
    blocks: Vec<[[f32; LANES]; 3]>,
}

const LANES: usize = 8;

impl Points {
    fn new<'a>(triangles: impl Iterator<Item = &'a Triangle>) -> Self {
        let mut blocks = Vec::new();
        let (mut filled, mut origin) = (LANES, None);
        for &point in triangles.flatten() {
            // Relative to one of them, so that f32 tells small ranges apart.
            let relative = sub(point, *origin.get_or_insert(point)).map(|x| x as f32);
            if filled == LANES {
                // The rest of a block repeats its first point.
                blocks.push(relative.map(|x| [x; LANES]));
                filled = 0;
            }
            if let Some(block) = blocks.last_mut() {
                for axis in 0..3 {
                    block[axis][filled] = relative[axis];
                }
            }
            filled += 1;
        }
        Self { blocks }
    }

    /// Half the surface of the box of this frame.
    fn surface(&self, frame: &Frame) -> f32 {
        let frame = frame.map(|axis| axis.map(|x| x as f32));
        let mut low = [[f32::MAX; LANES]; 3];
        let mut high = [[f32::MIN; LANES]; 3];
        for [x, y, z] in &self.blocks {
            for (j, axis) in frame.iter().enumerate() {
                for lane in 0..LANES {
                    let along = x[lane] * axis[0] + y[lane] * axis[1] + z[lane] * axis[2];
                    low[j][lane] = if along < low[j][lane] { along } else { low[j][lane] };
                    high[j][lane] = if along > high[j][lane] { along } else { high[j][lane] };
                }
            }
        }
        let [a, b, c] = [0, 1, 2].map(|j| {
            let low = low[j].iter().fold(f32::MAX, |m, &x| m.min(x));
            let high = high[j].iter().fold(f32::MIN, |m, &x| m.max(x));
            high - low
        });
        a * b + b * c + c * a
    }
}

/// The box on a frame around all the triangles.
///
/// Axes and centre are rounded to f32 first; then the extents are measured from the rounded
/// centre along the rounded axes, so rounding loses no point. They are enlarged by
/// 2⁻²⁰ of their sum, which makes up for all relative rounding errors of the extents when boxes
/// are tested (see `kernel`), and by [`SLACK`].
fn enclose(triangles: &[Triangle], frame: &Frame) -> OrientedBox {
    let rounded = frame.map(|axis| axis.map(|x| x as f32));
    let axes = rounded.map(|axis| axis.map(f64::from));
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for &point in triangles.iter().flatten() {
        for j in 0..3 {
            let along = dot(point, axes[j]);
            low[j] = if along < low[j] { along } else { low[j] };
            high[j] = if along > high[j] { along } else { high[j] };
        }
    }
    let middle = [0, 1, 2]
        .map(|k| (0..3).map(|j| axes[j][k] * (0.5 * (low[j] + high[j]))).sum::<f64>() as f32);
    let center = middle.map(f64::from);
    let extent = [0, 1, 2].map(|j| {
        let along = dot(center, axes[j]);
        (high[j] - along).max(along - low[j])
    });
    let slack = extent.iter().sum::<f64>() * (1.0 / f64::from(1 << 20)) + SLACK;
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| extent[j].total_cmp(&extent[i]));
    OrientedBox {
        center: middle,
        extent: order.map(|j| round_up(extent[j] + slack)),
        axes: order.map(|j| rounded[j]),
    }
}

/// 2⁻⁴⁴: more than the rounding in f64 of coordinates up to 2, of their products with axes, and
/// of the step from the caller's coordinates to the tree's.
const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// The smallest f32 that is not less.
pub(super) fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

/// The largest distance of the box's centre and of its contents from the origin, rounded up.
pub(super) fn reach(bounds: &OrientedBox, farthest: f64) -> f64 {
    length(bounds.center.map(f64::from)).max(farthest) * (1.0 + 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random numbers in [−1, 1), for tests.
    fn numbers() -> impl FnMut() -> f64 {
        let mut state = 1_u64;
        move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
        }
    }

    fn holds(bounds: &OrientedBox, point: Vector) -> bool {
        let d = sub(point, bounds.center.map(f64::from));
        (0..3).all(|j| dot(d, bounds.axes[j].map(f64::from)).abs() <= f64::from(bounds.extent[j]))
    }

    #[test]
    fn boxes_hold_their_triangles_whatever_their_shape() {
        let mut next = numbers();
        for round in 0..400 {
            let size = 0.1_f64.powi(round % 14);
            let flat = 0.1_f64.powi(round % 5 * 4);
            let center = [next(), next(), next()];
            let count = 1 + (round as usize * 7) % 40;
            let triangles: Vec<Triangle> = (0..count)
                .map(|_| {
                    [0; 3].map(|_| {
                        add(center, [next() * size, next() * size * flat, next() * size * flat])
                    })
                })
                .collect();
            for how in [Fit::Smallest, Fit::Principal] {
                let bounds = fit(&triangles, how);
                assert!(triangles.iter().flatten().all(|&p| holds(&bounds, p)), "{bounds:?}");
                assert!(
                    bounds.extent[0] >= bounds.extent[1] && bounds.extent[1] >= bounds.extent[2]
                );
            }
        }
    }

    #[test]
    fn a_triangle_gets_a_flat_box() {
        let mut next = numbers();
        for _ in 0..100 {
            let triangle = [0; 3].map(|_| [next(), next(), next()]);
            assert!(fit(&[triangle], Fit::Smallest).extent[2] < 1e-5);
        }
    }

    #[test]
    fn the_smallest_box_is_no_larger_than_that_of_the_principal_axes() {
        let mut next = numbers();
        let surface = |b: OrientedBox| {
            let [x, y, z] = b.extent;
            x * y + y * z + z * x
        };
        let (mut smaller, mut total) = (0.0, 0.0);
        for _ in 0..100 {
            let triangles: Vec<Triangle> =
                (0..5).map(|_| [0; 3].map(|_| [next(), next(), 0.1 * next()])).collect();
            let (best, principal) =
                (surface(fit(&triangles, Fit::Smallest)), surface(fit(&triangles, Fit::Principal)));
            assert!(best <= principal * 1.000_01);
            smaller += best;
            total += principal;
        }
        assert!(smaller < 0.97 * total, "the other frames are of use: {smaller} of {total}");
    }
}
