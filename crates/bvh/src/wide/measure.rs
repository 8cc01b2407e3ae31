//! Measuring the boxes of nodes along their axes, side by side.
//!
//! ```text
//! height 4 and more   from the boxes of the nodes two levels below
//! height 1, 2, 3      from the vertices of all leaves below, each once, eight at once
//! height 0            from the corners of its leaves
//! ```
//!
//! The frame of a leaf is turned to the plane of its triangles if that has left it and the box becomes smaller.

use xcollide_simd::vec3::{cross, dot, load, scale, select, splat, sub};
use xcollide_simd::{F32x8, Simd, SimdFloat, SimdKernel, SimdLevel, SimdMask, prefetch};

use super::fit::{RELATIVE, orthonormal};
use super::node::{Node, WIDTH, WideNode};
use super::refit::{LISTED, PACKED_QUAD, Padded, Plan, QUAD, Surfaces};
use super::sample::half_surface;
use super::span::{LANES, Span};

/// `[axis][lane]`.
type Block = [[f32; LANES]; 3];

/// The cosine, squared, of the angle by which the plane of the triangles of a leaf may leave the frame before another
/// frame is tried: 3.6°.
const TURNED: f32 = 0.996;

/// How many nodes ahead a node and its rows are prefetched.
const AHEAD: usize = 8;

/// The most levels below nodes whose boxes are measured from corners.
const LOW: u8 = LISTED + 1;

/// The part of the sum of its extents by which a box may reach farther than its extents along its axes tell, as these are
/// orthonormal only up to the rounding to f32: three products, each off by less than 1.5e-7, and more.
const ROUNDED_AXES: f32 = 1.0 / (1 << 20) as f32;

/// Measures the boxes of some nodes, but for those of nodes higher than [`LOW`].
pub(super) struct Measure<'a> {
    pub(super) nodes: &'a mut [WideNode],
    pub(super) plans: &'a [Plan],
    pub(super) own: &'a mut [Surfaces],
    /// Of all nodes.
    pub(super) all: &'a [Plan],
    pub(super) points: &'a [Padded],
    pub(super) rows: &'a [[u32; WIDTH]],
    pub(super) slack: f32,
}

impl SimdKernel for Measure<'_> {
    type Output = f32;

    /// The greatest square of the distance of a center from the tree's origin.
    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let Self { nodes, plans, own, all, points, rows, slack } = self;
        let vertices = Vertices { points, rows };
        let mut farthest = S::F32x8::splat(0.0);
        let mut lanes = Lanes::new();
        for (index, (plan, own)) in plans.iter().zip(own).enumerate() {
            if let (Some(node), Some(plan)) = (nodes.get(index + AHEAD), plans.get(index + AHEAD)) {
                prefetch(node);
                plan.all_rows(rows).chunks(2).for_each(|two| prefetch(&two[0]));
            }
            let node = &mut nodes[index];
            if plan.height > LOW {
                continue;
            }
            let (mut boxes, area) = leaves::<S>(node, plan, vertices);
            if plan.inner != 0 {
                for lane in (0..WIDTH).filter(|lane| plan.inner >> lane & 1 == 1) {
                    let below = &all[node.children()[lane].index()];
                    vertices.span::<S::F32x8>(below, node, lane, &mut lanes);
                }
                boxes = lanes.merged_into(boxes, plan.inner);
            }
            let surface = enclose::<S>(node, plan, &boxes, slack, &mut farthest);
            *own = Surfaces { boxes: surface.sum(), triangles: area.sum() };
        }
        farthest.to_array().into_iter().fold(0.0, f32::max)
    }
}

/// Measures the boxes of all nodes higher than [`LOW`], after the others.
pub(super) struct Above<'a> {
    pub(super) nodes: &'a mut [WideNode],
    pub(super) plans: &'a [Plan],
    pub(super) own: &'a mut [Surfaces],
    pub(super) points: &'a [Padded],
    pub(super) rows: &'a [[u32; WIDTH]],
    pub(super) slack: f32,
}

impl SimdKernel for Above<'_> {
    type Output = f32;

    /// The greatest square of the distance of a center from the tree's origin.
    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let Self { nodes, plans, own, points, rows, slack } = self;
        let vertices = Vertices { points, rows };
        let mut farthest = S::F32x8::splat(0.0);
        let mut lanes = Lanes::new();
        // A node comes after its parent.
        for (index, plan) in plans.iter().enumerate().rev() {
            if plan.height <= LOW {
                continue;
            }
            let (boxes, area) = leaves::<S>(&mut nodes[index], plan, vertices);
            for lane in (0..WIDTH).filter(|lane| plan.inner >> lane & 1 == 1) {
                let below = nodes[index].children()[lane].index();
                let (node, plan) = (&nodes[below], &plans[below]);
                if plan.height <= LISTED {
                    vertices.span::<S::F32x8>(plan, &nodes[index], lane, &mut lanes);
                    continue;
                }
                let axes = axes_of_lane::<S::F32x8>(&nodes[index], lane);
                let start = node.get(0).center;
                let mut spans = [Span::empty(); 3];
                let origin = splat::<S::F32x8>(start);
                span_of_boxes(node, plan.leaves, origin, &axes, &mut spans);
                for lane in (0..WIDTH).filter(|lane| plan.inner >> lane & 1 == 1) {
                    let below = node.children()[lane].index();
                    let present = plans[below].leaves | plans[below].inner;
                    span_of_boxes(&nodes[below], present, origin, &axes, &mut spans);
                }
                lanes.set(lane, start, spans);
            }
            let boxes = lanes.merged_into(boxes, plan.inner);
            let surface = enclose::<S>(&mut nodes[index], plan, &boxes, slack, &mut farthest);
            own[index] = Surfaces { boxes: surface.sum(), triangles: area.sum() };
        }
        farthest.to_array().into_iter().fold(0.0, f32::max)
    }
}

/// The vertices, and lists of them.
#[derive(Clone, Copy)]
struct Vertices<'a> {
    points: &'a [Padded],
    rows: &'a [[u32; WIDTH]],
}

impl Vertices<'_> {
    /// Corners, side by side.
    #[inline(always)]
    fn at<F: F32x8, const N: usize>(&self, rows: &[[u32; WIDTH]; N]) -> [[F; 3]; N] {
        let mut at = [[F::splat(0.0); 3]; N];
        for (corner, row) in at.iter_mut().zip(rows) {
            *corner = F::gather_points(self.points, row);
        }
        at
    }

    /// The corners of the quadrilaterals of a node, from their places among its vertices.
    #[inline(always)]
    fn quads<S: Simd>(&self, plan: &Plan, places: &[u32; WIDTH]) -> [[S::F32x8; 3]; QUAD as usize] {
        let rows = plan.vertices(self.rows);
        if S::LEVEL < SimdLevel::Avx2 {
            // Lanes cannot be permuted by numbers, so that gathering is faster.
            let vertices = rows.as_flattened();
            let mut corners = [[0; WIDTH]; QUAD as usize];
            for (bit, row) in (0..).step_by(8).zip(&mut corners) {
                for (corner, place) in row.iter_mut().zip(places) {
                    *corner = vertices[(place >> bit & 15) as usize];
                }
            }
            return self.at(&corners);
        }
        let zero = [S::F32x8::splat(0.0); 3];
        let (mut first, mut last) = (zero, zero);
        if let (Some(of_first), Some(of_last)) = (rows.first(), rows.last()) {
            first = S::F32x8::gather_points(self.points, of_first);
            last = S::F32x8::gather_points(self.points, of_last);
        }
        let [mut a, mut b, mut c, mut d] = [zero; QUAD as usize];
        for k in 0..3 {
            a[k] = S::F32x8::permute_two::<0>(first[k], last[k], places);
            b[k] = S::F32x8::permute_two::<8>(first[k], last[k], places);
            c[k] = S::F32x8::permute_two::<16>(first[k], last[k], places);
            d[k] = S::F32x8::permute_two::<24>(first[k], last[k], places);
        }
        [a, b, c, d]
    }

    /// The coordinates that those below a node have along the axes of a lane of the node above it.
    #[inline(always)]
    fn span<F: F32x8>(&self, plan: &Plan, node: &WideNode, lane: usize, lanes: &mut Lanes) {
        let rows = plan.vertices(self.rows);
        let Some(&[first, ..]) = rows.first() else { return };
        let [x, y, z, _] = self.points[first as usize];
        let origin = [x, y, z];
        let start = splat(origin);
        let axes = axes_of_lane::<F>(node, lane);
        let mut spans = [Span::empty(); 3];
        for row in rows {
            let point = sub(F::gather_points(self.points, row), start);
            for j in 0..3 {
                spans[j].add(dot(point, axes[j]));
            }
        }
        lanes.set(lane, origin, spans);
    }
}

/// The axes of one box in all lanes.
#[inline(always)]
fn axes_of_lane<F: F32x8>(node: &WideNode, lane: usize) -> [[F; 3]; 3] {
    let [a, b, c] = node.get(lane).axes;
    [splat(a), splat(b), splat(c)]
}

/// Adds the coordinates that some boxes of a node reach along axes relative to an origin.
#[inline(always)]
fn span_of_boxes<F: F32x8>(
    node: &WideNode,
    lanes: u8,
    origin: [F; 3],
    along: &[[F; 3]; 3],
    spans: &mut [Span<F>; 3],
) {
    if lanes == 0 {
        return;
    }
    let present = F::Mask::from_bits(u32::from(lanes));
    let boxes = node.boxes::<F>();
    let center = sub(boxes.center, origin);
    for j in 0..3 {
        let middle = dot(center, along[j]);
        let [a, b, c] = boxes.axes;
        let [a, b, c] = [dot(a, along[j]), dot(b, along[j]), dot(c, along[j])];
        let [x, y, z] = boxes.extent;
        let reach = x.mul(a.abs()).add(y.mul(b.abs())).add(z.mul(c.abs()));
        let reach = reach.add(x.add(y).add(z).mul(F::splat(ROUNDED_AXES)));
        let (low, high) = (middle.sub(reach), middle.add(reach));
        spans[j].low = F::select(present, low.min(spans[j].low), spans[j].low);
        spans[j].high = F::select(present, high.max(spans[j].high), spans[j].high);
    }
}

/// Boxes side by side: coordinates along the axes relative to points of theirs.
#[derive(Clone, Copy)]
struct Measured<F> {
    origin: [F; 3],
    low: [F; 3],
    high: [F; 3],
}

/// Boxes that are measured lane by lane, each from many points at once. Lanes that are not set keep what they had.
struct Lanes {
    origin: Block,
    /// `[axis][lane of the node]`.
    low: [[[f32; LANES]; WIDTH]; 3],
    high: [[[f32; LANES]; WIDTH]; 3],
}

impl Lanes {
    #[inline(always)]
    fn new() -> Self {
        let none = [[[0.0; LANES]; WIDTH]; 3];
        Self { origin: [[0.0; LANES]; 3], low: none, high: none }
    }

    #[inline(always)]
    fn set<F: F32x8>(&mut self, lane: usize, origin: [f32; 3], spans: [Span<F>; 3]) {
        for j in 0..3 {
            self.origin[j][lane] = origin[j];
            spans[j].low.store(&mut self.low[j][lane]);
            spans[j].high.store(&mut self.high[j][lane]);
        }
    }

    /// Replaces some lanes.
    #[inline(always)]
    fn merged_into<F: F32x8>(&self, boxes: Measured<F>, lanes: u8) -> Measured<F> {
        let replaced = F::Mask::from_bits(u32::from(lanes));
        let (mut low, mut high) = (boxes.low, boxes.high);
        for j in 0..3 {
            let [a, b, c, d, e, f, g, h] = F::transpose(self.low[j].each_ref());
            low[j] = a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)));
            let [a, b, c, d, e, f, g, h] = F::transpose(self.high[j].each_ref());
            high[j] = a.max(b).max(c.max(d)).max(e.max(f).max(g.max(h)));
        }
        Measured {
            origin: select(replaced, load(&self.origin), boxes.origin),
            low: select(replaced, low, boxes.low),
            high: select(replaced, high, boxes.high),
        }
    }
}

/// Measures the leaves of a node, and turns their frames where that makes them smaller. Returns twice the areas of their
/// triangles, too.
#[inline(always)]
fn leaves<S: Simd>(
    node: &mut WideNode,
    plan: &Plan,
    vertices: Vertices<'_>,
) -> (Measured<S::F32x8>, S::F32x8) {
    let rows = plan.corners(vertices.rows);
    if let Some([places]) = rows.as_array::<{ PACKED_QUAD as usize }>() {
        return leaves_of::<S, _>(node, plan, &vertices.quads::<S>(plan, places));
    }
    if let Some(rows) = rows.as_array::<{ QUAD as usize }>() {
        return leaves_of::<S, _>(node, plan, &vertices.at(rows));
    }
    if let Some(rows) = rows.as_array::<3>() {
        return leaves_of::<S, _>(node, plan, &vertices.at(rows));
    }
    if let Some(rows) = rows.as_array::<6>() {
        return leaves_of::<S, _>(node, plan, &vertices.at(rows));
    }
    let zero = [S::F32x8::splat(0.0); 3];
    (Measured { origin: zero, low: zero, high: zero }, zero[0])
}

/// Measures leaves of `N` corners.
#[inline(always)]
fn leaves_of<S: Simd, const N: usize>(
    node: &mut WideNode,
    plan: &Plan,
    at: &[[S::F32x8; 3]; N],
) -> (Measured<S::F32x8>, S::F32x8) {
    let zero = [S::F32x8::splat(0.0); 3];
    let origin = at[0];
    let (normal, area) = if N == usize::from(QUAD) {
        let normal = cross(sub(at[2], at[0]), sub(at[3], at[1]));
        (normal, dot(normal, normal).sqrt())
    } else {
        let mut sum = zero;
        let mut area = S::F32x8::splat(0.0);
        for [a, b, c] in at.as_chunks::<3>().0 {
            let normal = cross(sub(*b, *a), sub(*c, *a));
            sum = [sum[0].add(normal[0]), sum[1].add(normal[1]), sum[2].add(normal[2])];
            area = area.add(dot(normal, normal).sqrt());
        }
        (sum, area)
    };
    let kept = node.axes_of_lanes::<S::F32x8>();
    let mut spans = spans::<S>(at, origin, &kept);
    let square = dot(normal, normal);
    let along = dot(normal, kept[2]);
    let turned = along.mul(along).lt(square.mul(S::F32x8::splat(TURNED)));
    let present = <S::F32x8 as SimdFloat>::Mask::from_bits(u32::from(plan.leaves));
    let turned = turned.and(present).and(square.gt(S::F32x8::splat(1e-30)));
    if turned.any() {
        let unit = scale(normal, S::F32x8::splat(1.0).div(square.sqrt()));
        // Of the longest axes, the one that is farther from the normal.
        let [x, y] = [dot(unit, kept[0]), dot(unit, kept[1])];
        let first = select(x.abs().le(y.abs()), kept[0], kept[1]);
        let along = dot(unit, first);
        let first = sub(first, scale(unit, along));
        let inverse = S::F32x8::splat(1.0).div(dot(first, first).sqrt());
        let axes = orthonormal::<S>(scale(first, inverse), unit);
        let axes = [load::<S::F32x8>(&axes[0]), load(&axes[1]), load(&axes[2])];
        let others = self::spans::<S>(at, origin, &axes);
        let surface =
            |[x, y, z]: [Span<S::F32x8>; 3]| half_surface(x.length(), y.length(), z.length());
        let better = turned.and(surface(others).lt(surface(spans)));
        if better.any() {
            for j in 0..3 {
                spans[j].low = S::F32x8::select(better, others[j].low, spans[j].low);
                spans[j].high = S::F32x8::select(better, others[j].high, spans[j].high);
                node.set_axes_of_lanes(j, select(better, axes[j], kept[j]));
            }
        }
    }
    let [x, y, z] = spans;
    let measured = Measured { origin, low: [x.low, y.low, z.low], high: [x.high, y.high, z.high] };
    (measured, S::F32x8::select(present, area, zero[0]))
}

/// The coordinates of corners along axes, lane by lane.
#[inline(always)]
fn spans<S: Simd>(
    at: &[[S::F32x8; 3]],
    origin: [S::F32x8; 3],
    axes: &[[S::F32x8; 3]; 3],
) -> [Span<S::F32x8>; 3] {
    // The origin is the first corner.
    let zero = S::F32x8::splat(0.0);
    let mut spans = [Span { low: zero, high: zero }; 3];
    for corner in &at[1..] {
        let point = sub(*corner, origin);
        for j in 0..3 {
            spans[j].add(dot(point, axes[j]));
        }
    }
    spans
}

/// Writes the measured boxes into a node: as [`fit`](super::fit) does, but all lanes at once. Returns half their
/// surfaces.
#[inline(always)]
fn enclose<S: Simd>(
    node: &mut WideNode,
    plan: &Plan,
    boxes: &Measured<S::F32x8>,
    slack: f32,
    farthest: &mut S::F32x8,
) -> S::F32x8 {
    let lanes = plan.leaves | plan.inner;
    let rows = node.axes_of_lanes::<S::F32x8>();
    let Measured { origin, low, high } = *boxes;
    let half = S::F32x8::splat(0.5);
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
    let slack = sum.mul(S::F32x8::splat(RELATIVE)).add(S::F32x8::splat(slack));
    let extent = [extent[0].add(slack), extent[1].add(slack), extent[2].add(slack)];
    let present = <S::F32x8 as SimdFloat>::Mask::from_bits(u32::from(lanes));
    let zero = S::F32x8::splat(0.0);
    let square = S::F32x8::select(present, dot(center, center), zero);
    let surface = S::F32x8::select(present, half_surface(extent[0], extent[1], extent[2]), zero);
    *farthest = square.max(*farthest);
    // The longest axis first; of equal ones their order stays.
    let ordered = extent[0].ge(extent[1]).and(extent[1].ge(extent[2]));
    let mut extent = select(present, extent, [zero; 3]);
    if !ordered.to_bits() & u32::from(lanes) != 0 {
        let mut axes = rows;
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            let swapped = extent[j].gt(extent[i]);
            (extent[i], extent[j]) = (extent[j].max(extent[i]), extent[i].min(extent[j]));
            let first = select(swapped, axes[j], axes[i]);
            (axes[i], axes[j]) = (first, select(swapped, axes[i], axes[j]));
        }
        for (axis, values) in axes.into_iter().enumerate() {
            node.set_axes_of_lanes(axis, values);
        }
    }
    let empty = load::<S::F32x8>(&WideNode::EMPTY_CENTER);
    node.set_boxes(select(present, center, empty), extent);
    surface
}
