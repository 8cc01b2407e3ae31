//! The boxes around ranges of triangles, each in the frame of smallest surface among several: eight boxes at
//! once, one a lane.
//!
//! # Rounding
//!
//! A box holds its triangles as they are in exact arithmetic, although all is computed in f32 (u = 2⁻²⁴).
//! With E the sum of the extents, the coordinates along the axes, relative to a corner of the triangles, are
//! off by less than 4.1u · 2E, that of the center, relative to the same corner, by 5.1u E, and differences
//! and sums by less than 4u E. Tests need 16u E more (2⁻²⁰ E, see `relative_transform`). Together less than
//! 40u E: [`RELATIVE`]. The coordinates of a corner are below 1 in the tree's unit and rounded to f32, which
//! moves it by less than 2u: [`SLACK`].

use std::ops::Range;

use xcollide_simd::vec3::{cross, dot, load, select, store, sub};
use xcollide_simd::{F32x8, F64x8, Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::corners::Corners;
use super::node::OrientedBox;
use super::principal::principal_axes;
use super::sample::{Best, Points, SINGLE, WHOLE, unit};
use super::span::LANES;

/// The effort for each box.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Fit {
    /// The smallest box of the principal axes, the coordinate axes, eight angles about the mean normal and
    /// about the thinnest direction, and, for few triangles, the frames of edges.
    #[default]
    Smallest,
    /// The principal axes only; for one and two triangles as [`Smallest`](Self::Smallest).
    Principal,
}

/// In ranges that are sampled whole, frames of the edges of so many triangles are tried.
const EDGES: usize = 4;

/// See the head of the module.
pub(super) const RELATIVE: f32 = 2.5 / (1 << 20) as f32;

/// 2⁻²³: see the head of the module. Times the largest coordinate, if that is above 1.
pub(super) const SLACK: f32 = 1.0 / (1 << 23) as f32;

/// Boxes around ranges of triangles, none empty.
pub(super) fn fit(corners: &Corners<'_>, ranges: &[Range<usize>], how: Fit) -> Vec<OrientedBox> {
    // Boxes of about as many triangles side by side, so that no lane waits for another.
    let size = |number: u32| ranges[number as usize].len();
    let numbers = by_size(ranges);
    let (single, more) = numbers.split_at(numbers.partition_point(|&number| size(number) == 1));
    let (pairs, more) = more.split_at(more.partition_point(|&number| size(number) <= 2));
    let (some, many) = more.split_at(more.partition_point(|&number| size(number) <= WHOLE));
    let mut boxes = vec![OrientedBox::default(); ranges.len()];
    batches::<3>(corners, ranges, how, single, &mut boxes);
    batches::<6>(corners, ranges, how, pairs, &mut boxes);
    batches::<{ 3 * WHOLE }>(corners, ranges, how, some, &mut boxes);
    batches::<{ 3 * WHOLE + SINGLE }>(corners, ranges, how, many, &mut boxes);
    boxes
}

/// The numbers of the ranges, the smaller ones first; those of more than [`WHOLE`] triangles are equal. O(n).
fn by_size(ranges: &[Range<usize>]) -> Vec<u32> {
    let size = |range: &Range<usize>| range.len().min(WHOLE + 1);
    // First how many ranges of each size there are, then where the next one goes.
    let mut places = [0; WHOLE + 2];
    for range in ranges {
        places[size(range)] += 1;
    }
    let mut next = 0;
    for place in &mut places {
        (*place, next) = (next, next + *place);
    }
    let mut numbers = vec![0; ranges.len()];
    for (number, range) in (0..).zip(ranges) {
        let place = &mut places[size(range)];
        numbers[*place] = number;
        *place += 1;
    }
    numbers
}

/// Fits some of the boxes, with samples of `N` points.
fn batches<const N: usize>(
    corners: &Corners<'_>,
    ranges: &[Range<usize>],
    how: Fit,
    numbers: &[u32],
    boxes: &mut [OrientedBox],
) {
    let mut some: [Range<usize>; LANES] = std::array::from_fn(|_| 0..0);
    for chunk in numbers.chunks(LANES) {
        for (range, &number) in some.iter_mut().zip(chunk) {
            *range = ranges[number as usize].clone();
        }
        let fitted = dispatch(Batch::<N> { corners, ranges: &some[..chunk.len()], how });
        for (&number, bounds) in chunk.iter().zip(fitted) {
            boxes[number as usize] = bounds;
        }
    }
}

/// One to eight boxes.
struct Batch<'c, const N: usize> {
    corners: &'c Corners<'c>,
    ranges: &'c [Range<usize>],
    how: Fit,
}

impl<const N: usize> SimdKernel for Batch<'_, N> {
    type Output = [OrientedBox; LANES];

    #[inline(always)]
    fn run<S: Simd>(self) -> [OrientedBox; LANES] {
        let Self { corners, ranges, how } = self;
        let mut points = Points::<N>::none();
        points.take::<S::F32x8>(corners, ranges);
        let most = ranges.iter().map(Range::len).max().unwrap_or(0);
        let best = smallest::<S::F32x8, N>(&points, most, how);
        let axes = orthonormal::<S>(best.first, best.normal);
        // The sample may be all, or not.
        let (mut low, mut high) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for j in 0..3 {
            let span = points.span::<S::F32x8>(load(&axes[j]));
            span.low.store(&mut low[j]);
            span.high.store(&mut high[j]);
        }
        for (lane, range) in ranges.iter().enumerate() {
            if range.len() > WHOLE {
                let of_lane = |v: &[[f32; LANES]; 3]| [v[0][lane], v[1][lane], v[2][lane]];
                let axes = [of_lane(&axes[0]), of_lane(&axes[1]), of_lane(&axes[2])];
                let measured = corners.extremes(range.clone(), of_lane(&points.origin), &axes);
                for j in 0..3 {
                    (low[j][lane], high[j][lane]) = (measured.0[j], measured.1[j]);
                }
            }
        }
        enclose::<S::F32x8>(&points.origin, &axes, &low, &high, corners.slack())
    }
}

/// The frames of smallest surface among several.
#[inline(always)]
fn smallest<F: F32x8, const N: usize>(points: &Points<N>, most: usize, how: Fit) -> Best<F> {
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    let identity = [[one, zero, zero], [zero, one, zero], [zero, zero, one]];
    if most == 1 {
        return points.longest_edges();
    }
    let mut best = Best::new(points.surface(&identity));
    // For two triangles, a frequent case, the principal axes hardly ever give the smallest box, and
    // they are expensive.
    if most > 2 {
        let [u, n] = principal_axes(points.covariance());
        let frame = [u, cross(n, u), n];
        best.consider(points.surface(&frame), u, n, one);
        if how == Fit::Principal {
            return Best { first: u, normal: n, ..best };
        }
        points.consider_turns(n, one, &mut best);
    }
    let (mean, valid) = unit(points.normals::<F>());
    points.consider_turns(mean, valid, &mut best);
    if N <= 3 * WHOLE {
        for triangle in 0..most.min(EDGES) {
            points.consider_edges(triangle, &mut best);
        }
    }
    best
}

/// The frames, orthonormal in f64 and then rounded; the coordinate axes in lanes that have none.
#[inline(always)]
pub(super) fn orthonormal<S: Simd>(
    first: [S::F32x8; 3],
    normal: [S::F32x8; 3],
) -> [[[f32; LANES]; 3]; 3] {
    let (mut along, mut across) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    store(first, &mut along);
    store(normal, &mut across);
    let n = wide::<S::F64x8>(&across);
    let u = wide::<S::F64x8>(&along);
    let one = S::F64x8::splat(1.0);
    let square = dot(n, n);
    let inverse = one.div(square.sqrt());
    let n = [n[0].mul(inverse), n[1].mul(inverse), n[2].mul(inverse)];
    let along = dot(u, n);
    let u = [u[0].sub(n[0].mul(along)), u[1].sub(n[1].mul(along)), u[2].sub(n[2].mul(along))];
    let across = dot(u, u);
    let inverse = one.div(across.sqrt());
    let u = [u[0].mul(inverse), u[1].mul(inverse), u[2].mul(inverse)];
    let v = cross(n, u);
    let half = S::F64x8::splat(0.5);
    // Both of about length 1, and at a right angle.
    let valid = square.gt(half).and(across.gt(half)).to_bits();
    let mut axes = [narrow(u), narrow(v), narrow(n)];
    if valid != 0xFF {
        for lane in (0..LANES).filter(|lane| valid >> lane & 1 == 0) {
            for j in 0..3 {
                for k in 0..3 {
                    axes[j][k][lane] = if j == k { 1.0 } else { 0.0 };
                }
            }
        }
    }
    axes
}

#[inline(always)]
fn wide<D: F64x8>(v: &[[f32; LANES]; 3]) -> [D; 3] {
    let mut numbers = [[0.0; LANES]; 3];
    for k in 0..3 {
        for lane in 0..LANES {
            numbers[k][lane] = f64::from(v[k][lane]);
        }
    }
    load(&numbers)
}

#[inline(always)]
fn narrow<D: F64x8>(v: [D; 3]) -> [[f32; LANES]; 3] {
    let (mut numbers, mut rounded) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
    store(v, &mut numbers);
    for k in 0..3 {
        for lane in 0..LANES {
            rounded[k][lane] = numbers[k][lane] as f32;
        }
    }
    rounded
}

/// The boxes between the least and the greatest coordinates along their axes, relative to points of theirs.
///
/// The center is rounded first; then the extents are measured from it, so its rounding loses no point.
#[inline(always)]
fn enclose<F: F32x8>(
    origin: &[[f32; LANES]; 3],
    axes: &[[[f32; LANES]; 3]; 3],
    low: &[[f32; LANES]; 3],
    high: &[[f32; LANES]; 3],
    slack: f32,
) -> [OrientedBox; LANES] {
    let origin = load::<F>(origin);
    let rows = [load::<F>(&axes[0]), load::<F>(&axes[1]), load::<F>(&axes[2])];
    let (low, high) = (load::<F>(low), load::<F>(high));
    let half = F::splat(0.5);
    let mut center = origin;
    for j in 0..3 {
        let middle = low[j].add(high[j]).mul(half);
        for k in 0..3 {
            center[k] = center[k].add(rows[j][k].mul(middle));
        }
    }
    let from = sub(center, origin);
    let mut extent = [half; 3];
    for j in 0..3 {
        let along = dot(from, rows[j]);
        extent[j] = high[j].sub(along).max(along.sub(low[j]));
    }
    let sum = extent[0].add(extent[1]).add(extent[2]);
    let slack = sum.mul(F::splat(RELATIVE)).add(F::splat(slack));
    let mut extent = [extent[0].add(slack), extent[1].add(slack), extent[2].add(slack)];
    // The longest first; of equal ones the first.
    let mut rows = rows;
    for (i, j) in [(0, 1), (1, 2), (0, 1)] {
        let is_longer = extent[j].gt(extent[i]);
        (extent[i], extent[j]) = (
            F::select(is_longer, extent[j], extent[i]),
            F::select(is_longer, extent[i], extent[j]),
        );
        (rows[i], rows[j]) =
            (select(is_longer, rows[j], rows[i]), select(is_longer, rows[i], rows[j]));
    }
    let mut numbers = [[0.0; LANES]; 16];
    for (target, values) in
        numbers.as_chunks_mut::<3>().0.iter_mut().zip([center, extent].into_iter().chain(rows))
    {
        store(values, target);
    }
    let (low, high) = numbers.split_at(LANES);
    let mut boxes = [OrientedBox::default(); LANES];
    let low =
        F::transpose([&low[0], &low[1], &low[2], &low[3], &low[4], &low[5], &low[6], &low[7]]);
    let high = F::transpose([
        &high[0], &high[1], &high[2], &high[3], &high[4], &high[5], &high[6], &high[7],
    ]);
    for ((bounds, low), high) in boxes.iter_mut().zip(low).zip(high) {
        let [a, b, c, d, e, f, g, h] = low.to_array();
        let [i, j, k, l, m, n, o, _] = high.to_array();
        *bounds = OrientedBox {
            center: [a, b, c],
            extent: [d, e, f],
            axes: [[g, h, i], [j, k, l], [m, n, o]],
        };
    }
    boxes
}

/// The smallest f32 that is not less.
pub(super) fn round_up(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) < value { nearest.next_up() } else { nearest }
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::super::relative_transform::TreeFrame;
    use super::super::vector::is_orthonormal;
    use super::super::vertices::Vertices;
    use super::*;
    use xcollide_fixtures::Random;
    use xcollide_math::vector::{add, dot, sub};
    use xcollide_simd::{SimdLevel, dispatch_at};

    type Vector = [f64; 3];
    type Triangle = [Vector; 3];

    /// Pseudo-random numbers in [−1, 1), for tests.
    fn numbers() -> impl FnMut() -> f64 {
        let mut random = Random::new(1);
        move || random.signed()
    }

    fn fit_one(triangles: &[Triangle], how: Fit) -> OrientedBox {
        let (vertices, order) = vertices(triangles);
        let corners = Corners::new(&vertices, &order);
        fit(&corners, slice::from_ref(&(0..triangles.len())), how)[0]
    }

    /// Each corner is a vertex of its own.
    fn vertices(triangles: &[Triangle]) -> (Vertices<'static>, Vec<u32>) {
        let numbers: Vec<u32> = (0..triangles.len() as u32).collect();
        let corners: Vec<[u32; 3]> =
            numbers.iter().map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        let Vertices { points, .. } =
            Vertices::new(&triangles.concat(), &corners, &TreeFrame::UNIT);
        (Vertices { points, triangles: corners.into() }, numbers)
    }

    /// The margin that tests rely on: 2⁻²⁰ of the sum of the extents; and axes rounded from orthonormal ones.
    fn has_margin(bounds: &OrientedBox, triangles: &[Triangle]) -> bool {
        let axes = bounds.axes.map(|axis| axis.map(f64::from));
        let center = bounds.center.map(f64::from);
        let measured = axes.map(|axis| {
            let along = |point: &Vector| dot(sub(*point, center), axis).abs();
            triangles.iter().flatten().map(along).fold(0.0, f64::max)
        });
        let margin = measured.iter().sum::<f64>() / f64::from(1 << 20);
        (0..3).all(|j| f64::from(bounds.extent[j]) >= measured[j] + margin)
            && is_orthonormal(&axes, 1.5e-7)
    }

    /// Clouds of triangles of all sizes and shapes, and slivers, segments and points.
    fn clouds() -> Vec<Vec<Triangle>> {
        let mut next = numbers();
        let cloud = |round: i32| {
            let size = 0.1_f64.powi(round % 14);
            let flat = 0.1_f64.powi(round % 5 * 4);
            let center = [next(), next(), next()];
            let count = 1 + (round as usize * 7) % [2, 9, 20, 90][round as usize / 3 % 4];
            let mut point =
                || add(center, [next() * size, next() * size * flat, next() * size * flat]);
            let mut triangle = |i: usize| match (round % 11, i % 3) {
                (10, 0) => [point(); 3],
                (10, 1) => {
                    let [a, b] = [point(), point()];
                    [a, b, a]
                }
                _ => [point(), point(), point()],
            };
            (0..count).map(&mut triangle).collect()
        };
        (0..600).map(cloud).collect()
    }

    /// All boxes of a tree at once are those of each range alone, at every level of instructions.
    #[test]
    fn boxes_do_not_depend_on_their_neighbours_or_the_processor() {
        let clouds = clouds();
        let (vertices, order) = vertices(&clouds.concat());
        let corners = Corners::new(&vertices, &order);
        let mut ranges = Vec::new();
        let mut start = 0;
        for cloud in &clouds {
            ranges.push(start..start + cloud.len());
            start += cloud.len();
        }
        for how in [Fit::Smallest, Fit::Principal] {
            let boxes = fit(&corners, &ranges, how);
            for ((range, bounds), cloud) in ranges.iter().zip(&boxes).zip(&clouds) {
                assert!(has_margin(bounds, cloud), "{bounds:?} {cloud:?}");
                assert_eq!(fit(&corners, slice::from_ref(range), how), [*bounds]);
            }
            for ranges in ranges.chunks(LANES) {
                for level in SimdLevel::ALL {
                    let batch =
                        || Batch::<{ 3 * WHOLE + SINGLE }> { corners: &corners, ranges, how };
                    let expected = dispatch_at(SimdLevel::Portable, batch()).unwrap();
                    if let Some(found) = dispatch_at(level, batch()) {
                        assert_eq!(found, expected, "{level}");
                    }
                }
            }
        }
    }

    #[test]
    fn boxes_hold_their_triangles_whatever_their_shape() {
        for cloud in clouds() {
            for how in [Fit::Smallest, Fit::Principal] {
                let bounds = fit_one(&cloud, how);
                assert!(has_margin(&bounds, &cloud), "{bounds:?} {cloud:?}");
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
            assert!(fit_one(&[triangle], Fit::Smallest).extent[2] < 1e-5);
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
            let (best, principal) = (
                surface(fit_one(&triangles, Fit::Smallest)),
                surface(fit_one(&triangles, Fit::Principal)),
            );
            assert!(best <= principal * 1.000_01);
            smaller += best;
            total += principal;
        }
        assert!(smaller < 0.97 * total, "the other frames are of use: {smaller} of {total}");
    }
}
