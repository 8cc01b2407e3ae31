//! Corners of eight boxes at once, in f32, by which frames are compared.

use std::ops::Range;

use xcollide_simd::vec3::{cross, dot, load, scale, select, store, sub};
use xcollide_simd::{F32x8, SimdMask};

use super::corners::Corners;
use super::span::{LANES, Span};

/// Triangles of a range that are sampled whole; the extents of boxes are measured from all.
pub(super) const WHOLE: usize = 16;

/// Corners of other triangles in samples of larger ranges.
pub(super) const SINGLE: usize = 48;

/// Vertices by which shared corners are found.
const SEEN: usize = 32;

/// Cosines of kπ/16, k = 1 … 4, and sines.
const TURNS: [(f32, f32); 4] = [
    (0.980_785_25, 0.195_090_32),
    (0.923_879_5, 0.382_683_43),
    (0.831_469_6, 0.555_570_24),
    (std::f32::consts::FRAC_1_SQRT_2, std::f32::consts::FRAC_1_SQRT_2),
];

/// A frame for each lane.
pub(super) type Frames<F> = [[F; 3]; 3];

/// Up to `N` corners of each box, relative to its first corner: all corners of up to [`WHOLE`] triangles, then
/// single ones. Where there are fewer than in another lane, zeros follow.
pub(super) struct Points<const N: usize> {
    at: [[[f32; LANES]; 3]; N],
    /// The same but for corners that several triangles share; of few triangles only.
    distinct: [[[f32; LANES]; 3]; N],
    distinct_count: usize,
    /// Triangles, and points, of the lane with most.
    triangles: usize,
    count: usize,
    /// Points of each lane.
    counts: [f32; LANES],
    /// The first corners.
    pub(super) origin: [[f32; LANES]; 3],
}

impl<const N: usize> Points<N> {
    /// Whether some triangles may share corners, and all are here.
    const FEW: bool = N > 6 && N <= 3 * WHOLE;

    /// None yet.
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self {
            at: [[[0.0; LANES]; 3]; N],
            distinct: [[[0.0; LANES]; 3]; N],
            distinct_count: 0,
            triangles: 0,
            count: 0,
            counts: [1.0; LANES],
            origin: [[0.0; LANES]; 3],
        }
    }

    /// Takes the corners of ranges of triangles, not empty, and eight at most. In place: what a function
    /// returns may be copied, and this is up to 9 KB.
    #[inline(always)]
    pub(super) fn take<F: F32x8>(&mut self, corners: &Corners<'_>, ranges: &[Range<usize>]) {
        let mut first = [0; LANES];
        for (lane, range) in ranges.iter().take(LANES).enumerate() {
            let whole = range.len().min(WHOLE);
            let single = if range.len() > WHOLE { SINGLE } else { 0 };
            self.triangles = self.triangles.max(whole);
            self.count = self.count.max(3 * whole + single);
            self.counts[lane] = (3 * whole + single) as f32;
            [first[lane], ..] = corners.vertices(range.start);
        }
        // The vertices of each point; the first one where there is no other.
        let mut rows = [[0; LANES]; N];
        rows[..self.count].fill(first);
        let mut distinct = [[0; LANES]; N];
        if Self::FEW {
            distinct[..self.count].fill(first);
        }
        for (lane, range) in ranges.iter().take(LANES).enumerate() {
            let (whole, mut rest) = (range.len().min(WHOLE), rows.iter_mut());
            let mut seen = [u32::MAX; SEEN];
            let mut next = 0;
            for i in 0..whole {
                let vertices = corners.vertices(range.start + i * range.len() / whole);
                for (vertex, row) in vertices.into_iter().zip(rest.by_ref()) {
                    row[lane] = vertex;
                    if Self::FEW {
                        // If it was seen, the next one takes its place.
                        distinct[next % N][lane] = vertex;
                        let last = &mut seen[vertex as usize % SEEN];
                        next += usize::from(*last != vertex);
                        *last = vertex;
                    }
                }
            }
            self.distinct_count = self.distinct_count.max(next);
            let single = if range.len() > WHOLE { SINGLE } else { 0 };
            for (i, row) in rest.take(single).enumerate() {
                let place = range.start + (2 * i + 1) * range.len() / (2 * SINGLE);
                row[lane] = corners.vertices(place)[i % 3];
            }
        }
        let points = corners.points();
        let origin = F::gather_points(points, &first);
        store(origin, &mut self.origin);
        for (target, row) in self.at.iter_mut().zip(&rows[..self.count]) {
            store(sub(F::gather_points(points, row), origin), target);
        }
        for (target, row) in self.distinct.iter_mut().zip(&distinct[..self.distinct_count]) {
            store(sub(F::gather_points(points, row), origin), target);
        }
    }

    #[inline(always)]
    fn all(&self) -> &[[[f32; LANES]; 3]] {
        &self.at[..self.count]
    }

    /// All, but hardly any several times.
    #[inline(always)]
    fn distinct(&self) -> &[[[f32; LANES]; 3]] {
        if Self::FEW { &self.distinct[..self.distinct_count] } else { self.all() }
    }

    /// The corners of a triangle.
    #[inline(always)]
    fn triangle<F: F32x8>(&self, triangle: usize) -> [[F; 3]; 3] {
        let [a, b, c] = &self.at.as_chunks::<3>().0[triangle];
        [load(a), load(b), load(c)]
    }

    /// The covariance of the corners, not divided by their number: its entries xx, yy, zz, xy, xz, yz.
    #[inline(always)]
    pub(super) fn covariance<F: F32x8>(&self) -> [F; 6] {
        const PAIRS: [(usize, usize); 6] = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        let mut sums = [F::splat(0.0); 3];
        let mut products = [F::splat(0.0); 6];
        for point in self.all() {
            let point = load::<F>(point);
            for axis in 0..3 {
                sums[axis] = sums[axis].add(point[axis]);
            }
            for k in 0..6 {
                let (i, j) = PAIRS[k];
                products[k] = products[k].add(point[i].mul(point[j]));
            }
        }
        let count = F::load(&self.counts);
        for k in 0..6 {
            let (i, j) = PAIRS[k];
            products[k] = products[k].sub(sums[i].mul(sums[j]).div(count));
        }
        products
    }

    /// The sum of the normals of the triangles, each as long as twice its area.
    #[inline(always)]
    pub(super) fn normals<F: F32x8>(&self) -> [F; 3] {
        let mut sum = [F::splat(0.0); 3];
        for triangle in 0..self.triangles {
            let normal = self.normal(triangle);
            for axis in 0..3 {
                sum[axis] = sum[axis].add(normal[axis]);
            }
        }
        sum
    }

    #[inline(always)]
    fn normal<F: F32x8>(&self, triangle: usize) -> [F; 3] {
        let [a, b, c] = self.triangle(triangle);
        cross(sub(b, a), sub(c, a))
    }

    /// The coordinates along an axis.
    #[inline(always)]
    pub(super) fn span<F: F32x8>(&self, axis: [F; 3]) -> Span<F> {
        let [span] = self.spans([axis]);
        span
    }

    /// The coordinates along several axes.
    #[inline(always)]
    fn spans<F: F32x8, const K: usize>(&self, axes: [[F; 3]; K]) -> [Span<F>; K] {
        let mut spans = [Span::empty(); K];
        for point in self.distinct() {
            let point = load(point);
            for (span, axis) in spans.iter_mut().zip(axes) {
                span.add(dot(point, axis));
            }
        }
        spans
    }

    /// Half the surface of the boxes in these frames.
    #[inline(always)]
    pub(super) fn surface<F: F32x8>(&self, frames: &Frames<F>) -> F {
        let [x, y, z] = self.spans(*frames);
        half_surface(x.length(), y.length(), z.length())
    }

    /// Of single triangles, the frames of the normal and the longest edge, which are smallest: half the surface is twice
    /// the area. The coordinate axes where there is none.
    #[inline(always)]
    pub(super) fn longest_edges<F: F32x8>(&self) -> Best<F> {
        let [a, b, c] = self.triangle::<F>(0);
        let mut first = sub(b, a);
        let mut longest = dot(first, first);
        for edge in [sub(c, b), sub(a, c)] {
            let square = dot(edge, edge);
            first = select(square.gt(longest), edge, first);
            longest = square.max(longest);
        }
        let ((first, proper), (normal, valid)) = (unit(first), unit(self.normal::<F>(0)));
        let mut best = Best::new(F::splat(f32::INFINITY));
        best.consider(longest, first, normal, valid.min(proper));
        best
    }

    /// Considers the frames of the edges and the normal of a triangle.
    #[inline(always)]
    pub(super) fn consider_edges<F: F32x8>(&self, triangle: usize, best: &mut Best<F>) {
        let corners = self.triangle::<F>(triangle);
        let (normal, valid) = unit(self.normal::<F>(triangle));
        let thickness = self.span(normal).length();
        for k in 0..3 {
            let (u, proper) = unit(sub(corners[(k + 1) % 3], corners[k]));
            let [x, y] = self.spans([u, cross(normal, u)]);
            let surface = half_surface(x.length(), y.length(), thickness);
            best.consider(surface, u, normal, valid.min(proper));
        }
    }

    /// Considers eight turns about an axis, by kπ/16, which is a unit vector where `valid` is not 0.
    #[inline(always)]
    pub(super) fn consider_turns<F: F32x8>(&self, axis: [F; 3], valid: F, best: &mut Best<F>) {
        let [u, v] = perpendiculars(axis);
        let mut plane = [[[0.0; LANES]; 2]; N];
        let [mut x_span, mut y_span, mut z_span] = [Span::<F>::empty(); 3];
        let points = self.distinct();
        for (target, point) in plane.iter_mut().zip(points) {
            let point = load(point);
            let (x, y) = (dot(point, u), dot(point, v));
            x.store(&mut target[0]);
            y.store(&mut target[1]);
            x_span.add(x);
            y_span.add(y);
            z_span.add(dot(point, axis));
        }
        let thickness = z_span.length();
        let plane = &plane[..points.len()];
        let surface = half_surface(x_span.length(), y_span.length(), thickness);
        best.consider(surface, u, axis, valid);
        // By turns of kπ/16 and (8 − k)π/16: sines and cosines are exchanged.
        let mut others = [[Span::<F>::empty(); 2]; TURNS.len()];
        for (k, (cosine, sine)) in TURNS.into_iter().enumerate() {
            let (cosine, sine) = (F::splat(cosine), F::splat(sine));
            let [[mut x_span, mut y_span], [mut x_other, mut y_other]] = [[Span::empty(); 2]; 2];
            for [x, y] in plane {
                let (x, y) = (F::load(x), F::load(y));
                let (x_cosine, y_cosine) = (x.mul(cosine), y.mul(cosine));
                let (x_sine, y_sine) = (x.mul(sine), y.mul(sine));
                x_span.add(x_cosine.add(y_sine));
                y_span.add(y_cosine.sub(x_sine));
                x_other.add(x_sine.add(y_cosine));
                y_other.add(y_sine.sub(x_cosine));
            }
            others[k] = [x_other, y_other];
            let surface = half_surface(x_span.length(), y_span.length(), thickness);
            best.consider(surface, turned(u, v, cosine, sine), axis, valid);
        }
        // The last one of the first four was its own counterpart.
        for ((cosine, sine), [x_span, y_span]) in TURNS.into_iter().zip(others).take(3).rev() {
            let (cosine, sine) = (F::splat(cosine), F::splat(sine));
            let surface = half_surface(x_span.length(), y_span.length(), thickness);
            best.consider(surface, turned(u, v, sine, cosine), axis, valid);
        }
    }
}

/// A vector turned in the plane of two.
#[inline(always)]
fn turned<F: F32x8>(u: [F; 3], v: [F; 3], cosine: F, sine: F) -> [F; 3] {
    let (a, b) = (scale(u, cosine), scale(v, sine));
    [a[0].add(b[0]), a[1].add(b[1]), a[2].add(b[2])]
}

/// The frames of smallest surface so far, by two of their axes.
pub(super) struct Best<F> {
    pub(super) surface: F,
    pub(super) first: [F; 3],
    pub(super) normal: [F; 3],
}

impl<F: F32x8> Best<F> {
    #[inline(always)]
    pub(super) fn new(surface: F) -> Self {
        let (zero, one) = (F::splat(0.0), F::splat(1.0));
        Self { surface, first: [one, zero, zero], normal: [zero, zero, one] }
    }

    /// Takes the frames whose surface is smaller, where `valid` is not 0.
    #[inline(always)]
    pub(super) fn consider(&mut self, surface: F, first: [F; 3], normal: [F; 3], valid: F) {
        let better = surface.lt(self.surface);
        let better = better.and(valid.gt(F::splat(0.0)));
        self.surface = F::select(better, surface, self.surface);
        self.first = select(better, first, self.first);
        self.normal = select(better, normal, self.normal);
    }
}

/// The vectors at length 1, and 0 where they are too short for a direction, else 1.
#[inline(always)]
pub(super) fn unit<F: F32x8>(v: [F; 3]) -> ([F; 3], F) {
    let square = dot(v, v);
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    let inverse = one.div(square.sqrt());
    (scale(v, inverse), F::select(square.gt(F::splat(1e-34)), one, zero))
}

/// Two unit vectors that complete unit vectors to frames.
#[inline(always)]
pub(super) fn perpendiculars<F: F32x8>(normal: [F; 3]) -> [[F; 3]; 2] {
    let [x, y, z] = [normal[0].abs(), normal[1].abs(), normal[2].abs()];
    let (zero, one) = (F::splat(0.0), F::splat(1.0));
    // The coordinate axis farthest from the normal.
    let x_first = x.le(y).and(x.le(z));
    let y_first = y.le(z);
    let [a, b, c] = [
        F::select(x_first, one, zero),
        F::select(x_first, zero, F::select(y_first, one, zero)),
        F::select(x_first, zero, F::select(y_first, zero, one)),
    ];
    let (u, _) = unit(cross(normal, [a, b, c]));
    [u, cross(normal, u)]
}

#[inline(always)]
pub(super) fn half_surface<F: F32x8>(x: F, y: F, z: F) -> F {
    x.mul(y).add(y.mul(z)).add(z.mul(x))
}
