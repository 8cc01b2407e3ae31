//! Refitting a tree of [`WideNode`]s in linear time: the frames of the boxes stay, their centers and extents follow the
//! vertices.
//!
//! A box is measured from the vertices below it, each once for each node whose leaves have it, so boxes are as tight as
//! those of a new tree with these frames. Each level of the tree takes a pass over all vertices, eight at once, and the
//! leaves of a node are measured side by side. The frame of a leaf is turned to the plane of its triangles if that has
//! left it and the box becomes smaller.
//!
//! The rounding is that of [`fit`](super::fit): coordinates in f32 along the axes relative to a corner of the box.
//! Frames that stay are orthonormal frames rounded to f32, and new ones are made as there.

use xcollide_simd::vec3::{cross, dot, load, scale, select, splat, sub};
use xcollide_simd::{Simd, SimdFloat, SimdKernel, SimdMask, dispatch};

use super::fit::{RELATIVE, SLACK, orthonormal};
use super::node::{ChildRef, Node, WIDTH, WideNode};
use super::relative_transform::TreeFrame;
use super::sample::half_surface;
use super::span::{LANES, Span};
use crate::fork_join;

/// `[axis][lane]`.
type Block = [[f32; LANES]; 3];

/// Nodes that one thread refits in turn.
const NODES: usize = 256;

/// Blocks that one thread fills in turn.
const BLOCKS: usize = 512;

/// The cosine, squared, of the angle by which the plane of the triangles of a leaf may leave the frame before another
/// frame is tried: 3.6°.
const TURNED: f32 = 0.996;

/// What a tree keeps to refit itself without a search: about 25 bytes a triangle.
#[derive(Clone, Debug)]
pub(super) struct RefitMemory {
    /// The vertices of the leaves of each node, each once, eight a block; the last ones repeat the first.
    vertices: Vec<u32>,
    /// Their positions in the tree's frame.
    points: Vec<Block>,
    nodes: Vec<Plan>,
    /// By node: the corners of its leaves, side by side, as places among its vertices.
    rows: Vec<[u8; WIDTH]>,
    /// Results of the parts, in order.
    parts: Vec<Part>,
}

/// What is below a node.
#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    /// The first of its blocks; those of the nodes below follow.
    start: u32,
    end: u32,
    first_row: u32,
    rows: u8,
    /// Lanes with leaves, and lanes with nodes.
    leaves: u8,
    inner: u8,
}

#[derive(Clone, Copy, Debug, Default)]
struct Part {
    farthest: f32,
    /// Half the surfaces of all boxes, and twice the areas of all triangles.
    surface: f64,
    area: f64,
}

/// The result of a refit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refitted {
    /// The greatest distance of a vertex and of a center of a box from the tree's origin, but for rounding.
    pub(super) vertex: f32,
    pub(super) center: f32,
    /// The surface of all boxes relative to that of the triangles; 0 if these have none.
    pub(super) cost: f64,
}

impl RefitMemory {
    /// `corners` are those of a triangle by its number.
    pub(super) fn new(
        nodes: &[WideNode],
        order: &[u32],
        corners: &impl Fn(u32) -> [u32; 3],
    ) -> Self {
        let mut memory = Self {
            vertices: Vec::with_capacity(order.len() + order.len() / 4),
            points: Vec::new(),
            nodes: vec![Plan::default(); nodes.len()],
            rows: Vec::new(),
            parts: Vec::new(),
        };
        // From the top, each node before those below it, and these together.
        let mut waiting = if nodes.is_empty() { Vec::new() } else { vec![0] };
        while let Some(index) = waiting.pop() {
            let node = &nodes[index];
            memory.nodes[index] = memory.plan(node, order, corners);
            let below = node.children().iter().filter(|child| !child.is_leaf());
            waiting.extend(below.map(|child| child.index()));
        }
        // A node comes after its parent.
        for (index, node) in nodes.iter().enumerate().rev() {
            for child in node.children().iter().filter(|child| !child.is_leaf()) {
                let end = memory.nodes[child.index()].end;
                memory.nodes[index].end = memory.nodes[index].end.max(end);
            }
        }
        memory.points = vec![[[0.0; LANES]; 3]; memory.vertices.len() / LANES];
        memory
    }

    /// Adds the vertices and the rows of one node.
    fn plan(&mut self, node: &WideNode, order: &[u32], corners: &impl Fn(u32) -> [u32; 3]) -> Plan {
        let start = self.vertices.len();
        let mut plan = Plan { first_row: self.rows.len() as u32, ..Plan::default() };
        let mut lanes: [Vec<[u32; 3]>; WIDTH] = Default::default();
        for (lane, &child) in node.children().iter().enumerate() {
            if child == ChildRef::NONE {
                continue;
            }
            if !child.is_leaf() {
                plan.inner |= 1 << lane;
                continue;
            }
            plan.leaves |= 1 << lane;
            lanes[lane].extend(order[child.range()].iter().map(|&triangle| corners(triangle)));
        }
        let vertices = &mut self.vertices;
        let mut place = |vertex: u32| {
            let known = vertices[start..].iter().position(|&other| other == vertex);
            known.unwrap_or_else(|| {
                vertices.push(vertex);
                vertices.len() - 1 - start
            }) as u8
        };
        if plan.leaves != 0 {
            let quads = lanes.each_ref().map(|triangles| quad(triangles));
            let leaves = || (0..WIDTH).filter(|lane| plan.leaves >> lane & 1 == 1);
            let all_quads = leaves().all(|lane| quads[lane].is_some());
            let most = lanes.iter().map(Vec::len).max().unwrap_or(0);
            plan.rows = if all_quads { QUAD } else { 3 * most as u8 };
            let first = self.rows.len();
            self.rows.resize(first + usize::from(plan.rows), [0; WIDTH]);
            for lane in leaves() {
                let triangles = &lanes[lane];
                for row in 0..usize::from(plan.rows) {
                    let vertex = match quads[lane] {
                        Some(quad) if all_quads => quad[row],
                        // Missing triangles are single corners.
                        _ => triangles.get(row / 3).map_or(triangles[0][0], |t| t[row % 3]),
                    };
                    self.rows[first + row][lane] = place(vertex);
                }
            }
            let first = self.vertices[start];
            self.vertices.resize(self.vertices.len().next_multiple_of(LANES), first);
        }
        plan.start = (start / LANES) as u32;
        plan.end = (self.vertices.len() / LANES) as u32;
        plan
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.vertices)
            + size_of_val(&*self.points)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.rows)
    }

    /// The least and the greatest coordinates of the vertices.
    pub(super) fn extremes(&self, positions: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &vertex in &self.vertices {
            for (axis, &x) in positions[vertex as usize].iter().enumerate() {
                low[axis] = if x < low[axis] { x } else { low[axis] };
                high[axis] = if x > high[axis] { x } else { high[axis] };
            }
        }
        (low, high)
    }

    /// Fits all boxes to moved vertices.
    pub(super) fn refit(
        &mut self,
        nodes: &mut [WideNode],
        positions: &[[f64; 3]],
        frame: &TreeFrame,
    ) -> Refitted {
        let fill = |part: &mut (&mut [Block], &[u32])| {
            dispatch(Fill { points: part.0, vertices: part.1, positions, frame })
        };
        let vertices = self.vertices.chunks(BLOCKS * LANES);
        let square = fork_join::fold_mut(
            self.points.chunks_mut(BLOCKS).zip(vertices),
            fill,
            f32::max,
            0.0_f32,
        );
        let vertex = square.sqrt();
        let slack = SLACK * vertex.max(1.0);
        self.parts.clear();
        self.parts.resize(nodes.len().div_ceil(NODES), Part::default());
        let Self { points, nodes: plans, rows, parts, .. } = self;
        let (points, all) = (&points[..], &plans[..]);
        let measure = |part: &mut ((&mut [WideNode], &[Plan]), &mut Part)| {
            let ((nodes, plans), result) = part;
            **result = dispatch(Measure { nodes, plans, all, points, rows, slack });
        };
        let nodes = nodes.chunks_mut(NODES).zip(plans.chunks(NODES));
        fork_join::each_mut(nodes.zip(parts.iter_mut()), measure);
        let (mut farthest, mut surface, mut area) = (0.0_f32, 0.0, 0.0);
        for part in parts {
            farthest = farthest.max(part.farthest);
            (surface, area) = (surface + part.surface, area + part.area);
        }
        let cost = if area > 0.0 { surface / area } else { 0.0 };
        Refitted { vertex, center: farthest.sqrt(), cost }
    }
}

/// Rows of a node whose leaves are quadrilaterals.
const QUAD: u8 = 4;

/// The corners a, b, c, d of the triangles a b c and a c d; the last two are equal for a single triangle.
fn quad(triangles: &[[u32; 3]]) -> Option<[u32; 4]> {
    let turned = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]];
    match *triangles {
        [[a, b, c]] => Some([a, b, c, c]),
        [first, second] => turned(first).into_iter().find_map(|[a, b, c]| {
            let mut seconds = turned(second).into_iter();
            seconds.find(|second| second[..2] == [a, c]).map(|[_, _, d]| [a, b, c, d])
        }),
        _ => None,
    }
}

/// Fills blocks with positions in the tree's frame; the result is the greatest square of their distance from its origin.
struct Fill<'a> {
    points: &'a mut [Block],
    vertices: &'a [u32],
    positions: &'a [[f64; 3]],
    frame: &'a TreeFrame,
}

impl SimdKernel for Fill<'_> {
    type Output = f32;

    #[inline(always)]
    fn run<S: Simd>(self) -> f32 {
        let Self { points, vertices, positions, frame } = self;
        let (origin, unit) = (frame.origin, frame.unit.reciprocal());
        let mut most = S::F32x8::splat(0.0);
        for (block, vertices) in points.iter_mut().zip(vertices.as_chunks::<LANES>().0) {
            for (lane, &vertex) in vertices.iter().enumerate() {
                let position = &positions[vertex as usize];
                for axis in 0..3 {
                    block[axis][lane] = ((position[axis] - origin[axis]) * unit) as f32;
                }
            }
            let point = load::<S::F32x8>(block);
            most = dot(point, point).max(most);
        }
        most.to_array().into_iter().fold(0.0, f32::max)
    }
}

/// Measures the boxes of some nodes.
struct Measure<'a> {
    nodes: &'a mut [WideNode],
    plans: &'a [Plan],
    all: &'a [Plan],
    points: &'a [Block],
    rows: &'a [[u8; WIDTH]],
    slack: f32,
}

/// Boxes side by side: coordinates along the axes relative to points of theirs.
#[derive(Clone, Copy)]
struct Measured {
    origin: Block,
    low: Block,
    high: Block,
}

impl SimdKernel for Measure<'_> {
    type Output = Part;

    #[inline(always)]
    fn run<S: Simd>(self) -> Part {
        let Self { nodes, plans, all, points, rows, slack } = self;
        let mut part = Part::default();
        for (node, plan) in nodes.iter_mut().zip(plans) {
            let zero = [[0.0; LANES]; 3];
            let mut boxes = Measured { origin: zero, low: zero, high: zero };
            if plan.leaves != 0 {
                let rows = &rows[plan.first_row as usize..][..usize::from(plan.rows)];
                let points = &points[plan.start as usize..plan.end as usize];
                part.area += leaves::<S>(node, plan.leaves, rows, points, &mut boxes);
            }
            for lane in (0..WIDTH).filter(|lane| plan.inner >> lane & 1 == 1) {
                let below = all[node.children()[lane].index()];
                let points = &points[below.start as usize..below.end as usize];
                inner::<S>(node, lane, points, &mut boxes);
            }
            let (farthest, surface) = enclose::<S>(node, plan.leaves | plan.inner, &boxes, slack);
            part.farthest = part.farthest.max(farthest);
            part.surface += surface;
        }
        part
    }
}

/// Measures the leaves of a node, and turns their frames where that makes them smaller. Returns twice the area of their
/// triangles.
#[inline(always)]
fn leaves<S: Simd>(
    node: &mut WideNode,
    lanes: u8,
    rows: &[[u8; WIDTH]],
    points: &[Block],
    boxes: &mut Measured,
) -> f64 {
    const MOST: usize = 6;
    let mut at = [[[0.0_f32; LANES]; 3]; MOST];
    for (corner, row) in at.iter_mut().zip(rows) {
        for lane in 0..WIDTH {
            let place = usize::from(row[lane]);
            let block = &points[place / LANES];
            for axis in 0..3 {
                corner[axis][lane] = block[axis][place % LANES];
            }
        }
    }
    let at = &at[..rows.len().min(MOST)];
    boxes.origin = at[0];
    let origin = load::<S::F32x8>(&at[0]);
    let (normal, area) = if at.len() == usize::from(QUAD) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| load::<S::F32x8>(&at[k]));
        let normal = cross(sub(c, a), sub(d, b));
        (normal, dot(normal, normal).sqrt())
    } else {
        let mut sum = [S::F32x8::splat(0.0); 3];
        let mut area = S::F32x8::splat(0.0);
        for [a, b, c] in at.as_chunks::<3>().0 {
            let [a, b, c] = [load::<S::F32x8>(a), load(b), load(c)];
            let normal = cross(sub(b, a), sub(c, a));
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
    let present = <S::F32x8 as SimdFloat>::Mask::from_bits(u32::from(lanes));
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
    for j in 0..3 {
        spans[j].low.store(&mut boxes.low[j]);
        spans[j].high.store(&mut boxes.high[j]);
    }
    let mut areas = [0.0; LANES];
    area.store(&mut areas);
    let present = areas.iter().enumerate().filter(|(lane, _)| lanes >> lane & 1 == 1);
    present.map(|(_, &area)| f64::from(area)).sum()
}

/// The coordinates of corners along axes, lane by lane.
#[inline(always)]
fn spans<S: Simd>(
    at: &[Block],
    origin: [S::F32x8; 3],
    axes: &[[S::F32x8; 3]; 3],
) -> [Span<S::F32x8>; 3] {
    // The origin is the first corner.
    let zero = S::F32x8::splat(0.0);
    let mut spans = [Span { low: zero, high: zero }; 3];
    for corner in &at[1..] {
        let point = sub(load(corner), origin);
        for j in 0..3 {
            spans[j].add(dot(point, axes[j]));
        }
    }
    spans
}

/// Measures the box of one lane, around all points.
#[inline(always)]
fn inner<S: Simd>(node: &WideNode, lane: usize, points: &[Block], boxes: &mut Measured) {
    let bounds = node.get(lane);
    let Some(first) = points.first() else { return };
    let start = [first[0][0], first[1][0], first[2][0]];
    let origin = splat::<S::F32x8>(start);
    let axes = bounds.axes.map(splat::<S::F32x8>);
    let zero = S::F32x8::splat(0.0);
    let mut spans = [Span { low: zero, high: zero }; 3];
    for block in points {
        let point = sub(load(block), origin);
        for j in 0..3 {
            spans[j].add(dot(point, axes[j]));
        }
    }
    for j in 0..3 {
        boxes.origin[j][lane] = start[j];
        boxes.low[j][lane] = least(spans[j].low.to_array());
        boxes.high[j][lane] = greatest(spans[j].high.to_array());
    }
}

#[inline(always)]
fn least([a, b, c, d, e, f, g, h]: [f32; LANES]) -> f32 {
    let min = |x: f32, y: f32| if x < y { x } else { y };
    min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h)))
}

#[inline(always)]
fn greatest([a, b, c, d, e, f, g, h]: [f32; LANES]) -> f32 {
    let max = |x: f32, y: f32| if x > y { x } else { y };
    max(max(max(a, b), max(c, d)), max(max(e, f), max(g, h)))
}

/// Writes the measured boxes into a node: as [`fit`](super::fit) does, but all lanes at once. Returns the greatest square
/// of the distance of a center from the tree's origin, and half the surface of the boxes.
#[inline(always)]
fn enclose<S: Simd>(node: &mut WideNode, lanes: u8, boxes: &Measured, slack: f32) -> (f32, f64) {
    let rows = node.axes_of_lanes::<S::F32x8>();
    let origin = load::<S::F32x8>(&boxes.origin);
    let (low, high) = (load::<S::F32x8>(&boxes.low), load::<S::F32x8>(&boxes.high));
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
    // The longest axis first.
    let ordered = extent[0].ge(extent[1]).and(extent[1].ge(extent[2]));
    let empty = load::<S::F32x8>(&WideNode::EMPTY_CENTER);
    node.set_boxes(select(present, center, empty), select(present, extent, [zero; 3]));
    if !ordered.to_bits() & u32::from(lanes) != 0 {
        node.order_axes(lanes);
    }
    let surfaces = surface.to_array();
    let total = ((surfaces[0] + surfaces[1]) + (surfaces[2] + surfaces[3]))
        + ((surfaces[4] + surfaces[5]) + (surfaces[6] + surfaces[7]));
    (greatest(square.to_array()), f64::from(total))
}

#[cfg(test)]
mod tests;
