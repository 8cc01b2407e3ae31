//! Refitting a tree of [`WideNode`]s in linear time: the frames of the boxes stay, their centers and extents follow the
//! vertices.
//!
//! Boxes of leaves and of the nodes of the two levels above are measured from the corners of their triangles, so they are as
//! tight as those of a new tree with these frames. Boxes above hold the boxes two levels below: these are small, so little is
//! lost. See [`measure`](super::measure).
//!
//! The rounding is that of [`fit`](super::fit): coordinates in f32 along the axes relative to a corner of the box.
//! Frames that stay are orthonormal frames rounded to f32, and new ones are made as there.

use xcollide_simd::{Simd, SimdFloat, SimdKernel, dispatch};

use super::fit::SLACK;
use super::measure::{Above, Measure};
use super::node::{ChildRef, Node, WIDTH, WideNode};
use super::relative_transform::TreeFrame;
use crate::fork_join;

/// Nodes that one thread refits in turn.
const NODES: usize = 256;

/// Positions that one thread moves into the tree's frame in turn.
const POINTS: usize = 4096;

/// The coordinates of a vertex, and a number that pads them.
pub(super) type Padded = [f32; 4];

/// What a tree keeps to refit itself without a search: about 20 bytes a triangle.
#[derive(Clone, Debug)]
pub(super) struct RefitMemory {
    /// The vertices of the triangles, if these are not all.
    used: Option<Vec<u32>>,
    /// The positions of all vertices in the tree's frame.
    points: Vec<Padded>,
    nodes: Vec<Plan>,
    /// By node: the corners of its leaves, side by side. Lanes without a leaf have a corner of another.
    rows: Vec<[u32; WIDTH]>,
    /// By node: of the boxes below it, and at first of its own.
    own: Vec<Surfaces>,
    /// By node: the surface of the boxes below it relative to that of the triangles; 0 if these have none.
    costs: Vec<f32>,
    /// The greatest squares of distances of centers, by part.
    farthest: Vec<f32>,
}

/// Half the surface of some boxes, and twice the area of triangles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Surfaces {
    pub(super) boxes: f32,
    pub(super) triangles: f32,
}

/// What is below a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Plan {
    /// Its rows, and where those of the nodes below it end, which follow.
    pub(super) first_row: u32,
    pub(super) rows: u8,
    pub(super) end: u32,
    /// Lanes with leaves, and lanes with nodes.
    pub(super) leaves: u8,
    pub(super) inner: u8,
    /// Levels of nodes below.
    pub(super) height: u8,
}

/// Nodes that one thread refits.
type NodesOfPart<'a> = ((&'a mut [WideNode], &'a [Plan]), &'a mut [Surfaces]);

/// The result of a refit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Refitted {
    /// Bounds on the distances of vertices and of centers of boxes from the tree's origin, but for rounding.
    pub(super) vertex: f32,
    pub(super) center: f32,
}

impl RefitMemory {
    /// `corners` are those of a triangle by its number, below `vertices`.
    pub(super) fn new(
        nodes: &[WideNode],
        order: &[u32],
        vertices: usize,
        corners: &impl Fn(u32) -> [u32; 3],
    ) -> Self {
        let mut is_used = vec![false; vertices];
        for vertex in order.iter().flat_map(|&triangle| corners(triangle)) {
            is_used[vertex as usize] = true;
        }
        let used = (0..).zip(&is_used).filter(|(_, is_used)| **is_used).map(|(vertex, _)| vertex);
        let used: Vec<u32> = used.collect();
        let mut memory = Self {
            used: (used.len() < vertices).then_some(used),
            points: vec![[0.0; 4]; vertices],
            nodes: vec![Plan::default(); nodes.len()],
            rows: Vec::with_capacity(order.len() / 4),
            own: vec![Surfaces::default(); nodes.len()],
            costs: vec![0.0; nodes.len()],
            farthest: vec![0.0; nodes.len().div_ceil(NODES) + 1],
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
                let Plan { end, height, .. } = memory.nodes[child.index()];
                let plan = &mut memory.nodes[index];
                plan.end = plan.end.max(end);
                plan.height = plan.height.max(height.saturating_add(1));
            }
        }
        memory
    }

    /// Adds the rows of one node.
    fn plan(&mut self, node: &WideNode, order: &[u32], corners: &impl Fn(u32) -> [u32; 3]) -> Plan {
        let first_row = self.rows.len() as u32;
        let mut plan = Plan { first_row, end: first_row, ..Plan::default() };
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
        let Some(&[other, ..]) = lanes.iter().flatten().next() else { return plan };
        let quads = lanes.each_ref().map(|triangles| quad(triangles));
        let leaves = || (0..WIDTH).filter(|lane| plan.leaves >> lane & 1 == 1);
        let all_quads = leaves().all(|lane| quads[lane].is_some());
        let most = lanes.iter().map(Vec::len).max().unwrap_or(0);
        plan.rows = if all_quads { QUAD } else { 3 * most as u8 };
        let first = self.rows.len();
        self.rows.resize(first + usize::from(plan.rows), [other; WIDTH]);
        for lane in leaves() {
            let triangles = &lanes[lane];
            for row in 0..usize::from(plan.rows) {
                self.rows[first + row][lane] = match quads[lane] {
                    Some(quad) if all_quads => quad[row],
                    // Missing triangles are single corners.
                    _ => triangles.get(row / 3).map_or(triangles[0][0], |t| t[row % 3]),
                };
            }
        }
        plan.end = self.rows.len() as u32;
        plan
    }

    pub(super) fn bytes(&self) -> usize {
        self.used.as_deref().map_or(0, size_of_val)
            + size_of_val(&*self.points)
            + size_of_val(&*self.nodes)
            + size_of_val(&*self.rows)
            + size_of_val(&*self.own)
            + size_of_val(&*self.costs)
    }

    /// For each node the surface of the boxes below it relative to that of the triangles there, when they were refitted last.
    pub(super) fn costs(&self) -> &[f32] {
        &self.costs
    }

    /// The least and the greatest coordinates of the vertices.
    pub(super) fn extremes(&self, positions: &[[f64; 3]]) -> ([f64; 3], [f64; 3]) {
        let Some(used) = &self.used else { return dispatch(Extremes { positions }) };
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &vertex in used {
            for (axis, &x) in positions[vertex as usize].iter().enumerate() {
                low[axis] = if x < low[axis] { x } else { low[axis] };
                high[axis] = if x > high[axis] { x } else { high[axis] };
            }
        }
        (low, high)
    }

    /// Fits all boxes to moved vertices, which are within `half` of the tree's origin along each axis.
    pub(super) fn refit(
        &mut self,
        nodes: &mut [WideNode],
        positions: &[[f64; 3]],
        frame: &TreeFrame,
        half: [f64; 3],
    ) -> Refitted {
        self.points.resize(positions.len(), [0.0; 4]);
        let parts = self.points.chunks_mut(POINTS).zip(positions.chunks(POINTS));
        fork_join::each_mut(parts, |(points, positions)| {
            dispatch(Fill { points, positions, frame });
        });
        let half = half.map(|x| x * frame.unit.reciprocal());
        let vertex = (half[0] * half[0] + half[1] * half[1] + half[2] * half[2]).sqrt() as f32;
        let slack = SLACK * vertex.max(1.0);
        let Self { points, nodes: plans, rows, own, farthest, .. } = self;
        let (points, rows, all) = (&points[..], &rows[..], &plans[..]);
        let measure = |(part, farthest): &mut (NodesOfPart<'_>, &mut f32)| {
            let ((nodes, plans), own) = part;
            **farthest = dispatch(Measure { nodes, plans, own, all, points, rows, slack });
        };
        let parts = nodes.chunks_mut(NODES).zip(plans.chunks(NODES)).zip(own.chunks_mut(NODES));
        fork_join::each_mut(parts.zip(farthest.iter_mut()), measure);
        if let Some(last) = farthest.last_mut() {
            *last = dispatch(Above { nodes, plans, own, points, rows, slack });
        }
        let center = farthest.iter().copied().fold(0.0, f32::max).sqrt();
        self.add_up(nodes);
        Refitted { vertex, center }
    }

    /// Sums the surfaces of what is below each node.
    fn add_up(&mut self, nodes: &[WideNode]) {
        let Self { own, costs, nodes: plans, .. } = self;
        // A node comes after its parent.
        for (index, (node, plan)) in nodes.iter().zip(&*plans).enumerate().rev() {
            let mut sum = own[index];
            for lane in (0..WIDTH).filter(|lane| plan.inner >> lane & 1 == 1) {
                let below = own[node.children()[lane].index()];
                sum.boxes += below.boxes;
                sum.triangles += below.triangles;
            }
            own[index] = sum;
            costs[index] = if sum.triangles > 0.0 { sum.boxes / sum.triangles } else { 0.0 };
        }
    }
}

/// Rows of a node whose leaves are quadrilaterals.
pub(super) const QUAD: u8 = 4;

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

/// Moves positions into the tree's frame.
struct Fill<'a> {
    points: &'a mut [Padded],
    positions: &'a [[f64; 3]],
    frame: &'a TreeFrame,
}

impl SimdKernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { points, positions, frame } = self;
        let (origin, unit) = (frame.origin, frame.unit.reciprocal());
        for (point, position) in points.iter_mut().zip(positions) {
            let [x, y, z] = [0, 1, 2].map(|k| ((position[k] - origin[k]) * unit) as f32);
            *point = [x, y, z, 0.0];
        }
    }
}

/// The least and the greatest coordinates of positions.
struct Extremes<'a> {
    positions: &'a [[f64; 3]],
}

impl SimdKernel for Extremes<'_> {
    type Output = ([f64; 3], [f64; 3]);

    #[inline(always)]
    fn run<S: Simd>(self) -> ([f64; 3], [f64; 3]) {
        // Four positions are three times four numbers, whose axes are those of their places by 3.
        let mut least = [S::F64x4::splat(f64::INFINITY); 3];
        let mut greatest = [S::F64x4::splat(f64::NEG_INFINITY); 3];
        let (fours, rest) = self.positions.as_flattened().as_chunks::<12>();
        for four in fours {
            for (k, numbers) in four.as_chunks::<4>().0.iter().enumerate() {
                let numbers = S::F64x4::load(numbers);
                least[k] = numbers.min(least[k]);
                greatest[k] = numbers.max(greatest[k]);
            }
        }
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut take = |axis: usize, x: f64| {
            low[axis] = if x < low[axis] { x } else { low[axis] };
            high[axis] = if x > high[axis] { x } else { high[axis] };
        };
        let lanes = |vectors: [S::F64x4; 3]| vectors.map(SimdFloat::to_array);
        for numbers in [lanes(least), lanes(greatest)] {
            if !fours.is_empty() {
                numbers.as_flattened().iter().enumerate().for_each(|(i, &x)| take(i % 3, x));
            }
        }
        rest.iter().enumerate().for_each(|(i, &x)| take(i % 3, x));
        (low, high)
    }
}

#[cfg(test)]
mod tests;
