//! The box around a range of triangles, in the frame of smallest surface among several.

use super::node::OrientedBox;
use super::sample::{Points, SAMPLE};
use super::vector::{Frame, IDENTITY, Vector, is_frame, perpendiculars, unit};
use crate::fork_join;
use xcollide_math::vector::{add, cross, dot, length, scale, sub};

/// The effort for each box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fit {
    /// The smallest box of the principal axes, the coordinate axes, eight angles about the mean normal and
    /// about the thinnest direction, and, for few triangles, the frames of edges.
    #[default]
    Smallest,
    /// The principal axes only: half the time to build, a third more to query.
    Principal,
}

type Triangle = [Vector; 3];

/// Frames of edges are tried in ranges up to the first length, for the first few triangles.
const EDGE_FRAMES: (usize, usize) = (64, 8);

/// A box around at least one triangle, with coordinates up to about 1.
pub(super) fn fit(triangles: &[Triangle], fit: Fit) -> OrientedBox {
    let mut frame = match (fit, triangles) {
        (_, [triangle]) => edge_frame(triangle),
        (Fit::Principal, _) => {
            let step = triangles.len().div_ceil(SAMPLE);
            Points::new(triangles.iter().step_by(step)).principal_axes()
        }
        (Fit::Smallest, _) => smallest(triangles),
    };
    if !is_frame(&frame) {
        frame = IDENTITY;
    }
    enclose(triangles, &frame)
}

/// The frame of the longest edge and the normal of a triangle: a flat box, within a factor of √2 of the
/// smallest rectangle.
fn edge_frame(triangle: &Triangle) -> Frame {
    let edges = [0, 1, 2].map(|k| sub(triangle[(k + 1) % 3], triangle[k]));
    let longest = (1..3).fold(0, |best, k| {
        if dot(edges[k], edges[k]) > dot(edges[best], edges[best]) { k } else { best }
    });
    let Some(u) = unit(edges[longest]) else {
        return IDENTITY;
    };
    // The other edges may be nearly parallel to the longest: only their part across it counts, and if there
    // is none (the triangle is a segment), any direction does.
    let across = edges[(longest + 1) % 3];
    let off_axis = |v: Vector| unit(sub(v, scale(u, dot(u, v))));
    // Twice, as cancellation leaves a part of u in the first result.
    match off_axis(across).and_then(off_axis) {
        Some(v) => [u, v, cross(u, v)],
        None => perpendiculars(u).map_or(IDENTITY, |[v, w]| [u, v, w]),
    }
}

/// The frame of smallest surface among several.
fn smallest(triangles: &[Triangle]) -> Frame {
    let step = triangles.len().div_ceil(SAMPLE);
    let sample = || triangles.iter().step_by(step);
    let points = Points::new(sample());
    let mut best = (points.surface(&IDENTITY), IDENTITY);
    let mut consider = |frame: &Frame| {
        let surface = points.surface(frame);
        if surface < best.0 {
            best = (surface, *frame);
        }
    };
    // For two triangles, the most frequent case, the principal axes hardly ever give the smallest box, and
    // they are expensive.
    let principal = (triangles.len() > 2).then(|| points.principal_axes());
    if let Some(frame) = &principal {
        consider(frame);
    }
    let normal = |t: &Triangle| cross(sub(t[1], t[0]), sub(t[2], t[0]));
    let mean = unit(sample().map(normal).fold([0.0; 3], add));
    let (most, few) = EDGE_FRAMES;
    if triangles.len() <= most {
        for triangle in triangles.iter().take(few) {
            if let Some(normal) = unit(normal(triangle)) {
                for k in 0..3 {
                    if let Some(u) = unit(sub(triangle[(k + 1) % 3], triangle[k])) {
                        let frame = [u, cross(normal, u), normal];
                        // The normal of a sliver can be inaccurate.
                        if is_frame(&frame) {
                            consider(&frame);
                        }
                    }
                }
            }
        }
    }
    for thin in [mean, principal.map(|frame| frame[2])].into_iter().flatten() {
        if let Some([u, v]) = perpendiculars(thin) {
            let (surface, (cosine, sine)) = points.best_turn(&[u, v, thin]);
            if surface < best.0 {
                let turned = add(scale(u, cosine), scale(v, sine));
                best = (surface, [turned, cross(thin, turned), thin]);
            }
        }
    }
    best.1
}

/// The box on a frame around all the triangles.
///
/// Axes and center are rounded to f32 first; then the extents are measured from the rounded center along the
/// rounded axes, so rounding loses no point. They are enlarged by 2⁻²⁰ of their sum, which covers all
/// relative rounding errors of extents in tests (see `relative_transform`), and by [`SLACK`].
fn enclose(triangles: &[Triangle], frame: &Frame) -> OrientedBox {
    let rounded = frame.map(|axis| axis.map(|x| x as f32));
    let axes = rounded.map(|axis| axis.map(f64::from));
    let (low, high) = fork_join::merged(triangles, CHUNK, &|part| along(part, &axes), &wider);
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

/// Triangles that one thread measures in turn.
const CHUNK: usize = 1 << 14;

/// The least and the greatest coordinate along each axis. (The fourth lane is for the processor.)
fn along(triangles: &[Triangle], axes: &Frame) -> ([f64; 4], [f64; 4]) {
    let columns = [0, 1, 2].map(|k| [axes[0][k], axes[1][k], axes[2][k], 0.0]);
    let (mut low, mut high) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
    for point in triangles.iter().flatten() {
        for j in 0..4 {
            let along =
                point[0] * columns[0][j] + point[1] * columns[1][j] + point[2] * columns[2][j];
            low[j] = if along < low[j] { along } else { low[j] };
            high[j] = if along > high[j] { along } else { high[j] };
        }
    }
    (low, high)
}

fn wider(mut a: ([f64; 4], [f64; 4]), b: ([f64; 4], [f64; 4])) -> ([f64; 4], [f64; 4]) {
    for j in 0..4 {
        a.0[j] = if b.0[j] < a.0[j] { b.0[j] } else { a.0[j] };
        a.1[j] = if b.1[j] > a.1[j] { b.1[j] } else { a.1[j] };
    }
    a
}

/// 2⁻⁴⁴: more than the rounding in f64 of coordinates up to 2, of their products with axes, and of their
/// mapping to the tree's frame.
pub(super) const SLACK: f64 = 1.0 / (1_u64 << 44) as f64;

/// The smallest f32 that is not less.
pub(super) fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

/// The largest distance of the box's center and of its contents from the origin, rounded up.
pub(super) fn reach(bounds: &OrientedBox, farthest: f64) -> f64 {
    length(bounds.center.map(f64::from)).max(farthest) * (1.0 + 1e-12)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcollide_fixtures::Random;

    /// Pseudo-random numbers in [−1, 1), for tests.
    fn numbers() -> impl FnMut() -> f64 {
        let mut random = Random::new(1);
        move || random.signed()
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
