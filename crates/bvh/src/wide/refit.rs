//! Refitting a tree of [`WideNode`]s in linear time: the frames of the boxes stay, their centers and extents follow the
//! vertices.
//!
//! Boxes of leaves and of the nodes of the three levels above are measured from the vertices of their triangles, so they are
//! as tight as those of a new tree with these frames. Boxes above hold the boxes two levels below: these are small, so
//! little is lost. See [`measure`](super::measure).
//!
//! The rounding is that of [`fit`](super::fit): coordinates in f32 along the axes relative to a corner of the box.
//! Frames that stay are orthonormal frames rounded to f32, and new ones are made as there.

use xcollide_simd::{F64x4, Simd, SimdFloat, SimdKernel, dispatch, prefetch};

use super::fit::SLACK;
use super::measure::{Above, Measure};
use super::node::{ChildRef, Node, WIDTH, WideNode};
use super::relative_transform::TreeFrame;
use crate::fork_join;

/// Nodes that one thread refits in turn.
const NODES: usize = 256;

/// Positions that one thread moves into the tree's frame in turn.
const POINTS: usize = 4096;

/// A position is loaded while so many before it are moved.
const AHEAD: usize = 16;

/// The coordinates of a vertex, and a number that pads them.
pub(super) type Padded = [f32; 4];

/// What a tree keeps to refit itself without a search: about 30 bytes a triangle.
#[derive(Clone, Debug)]
pub(super) struct RefitMemory {
    /// The vertices of the triangles, in the order in which the nodes need them.
    used: Vec<u32>,
    /// Whether these are all.
    all_used: bool,
    /// Their positions in the tree's frame.
    points: Vec<Padded>,
    nodes: Vec<Plan>,
    /// By node: the corners of its leaves, side by side; lanes without a leaf have a corner of another; or the places of these
    /// corners among the vertices, see [`PACKED_QUAD`]. Then all vertices below it, each once, and the last ones repeated to
    /// fill a row; left out for nodes higher than [`LISTED`], and where these are as many rows.
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
    /// Its rows: the corners of its leaves, then the vertices below it.
    first_row: u32,
    vertex_rows: u16,
    corner_rows: u8,
    /// Lanes with leaves, and lanes with nodes.
    pub(super) leaves: u8,
    pub(super) inner: u8,
    /// Levels of nodes below.
    pub(super) height: u8,
    /// The node above; the first one's is itself.
    parent: u32,
}

impl Plan {
    /// The corners of its leaves, side by side.
    #[inline(always)]
    pub(super) fn corners<'r>(&self, rows: &'r [[u32; WIDTH]]) -> &'r [[u32; WIDTH]] {
        let first = self.first_row as usize;
        &rows[first..first + usize::from(self.corner_rows)]
    }

    /// Both, one after the other.
    #[inline(always)]
    pub(super) fn all_rows<'r>(&self, rows: &'r [[u32; WIDTH]]) -> &'r [[u32; WIDTH]] {
        let count = usize::from(self.corner_rows) + usize::from(self.vertex_rows);
        &rows[self.first_row as usize..][..count]
    }

    /// All vertices below it, which is [low](LISTED).
    #[inline(always)]
    pub(super) fn vertices<'r>(&self, rows: &'r [[u32; WIDTH]]) -> &'r [[u32; WIDTH]] {
        let (first, corners) = (self.first_row as usize, usize::from(self.corner_rows));
        let vertices = usize::from(self.vertex_rows);
        if vertices == 0 {
            &rows[first..first + corners]
        } else {
            &rows[first + corners..][..vertices]
        }
    }
}

/// The most levels below nodes whose vertices are listed.
pub(super) const LISTED: u8 = 2;

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
        let mut triangles: Vec<[u32; 3]> =
            order.iter().map(|&triangle| corners(triangle)).collect();
        // A vertex stands where the first node with a leaf that has it needs it.
        const NOWHERE: u32 = u32::MAX;
        let mut places = vec![NOWHERE; vertices];
        let mut used = Vec::with_capacity(vertices);
        for child in nodes.iter().flat_map(Node::children) {
            if !child.is_leaf() || *child == ChildRef::NONE {
                continue;
            }
            for corner in triangles[child.range()].as_flattened_mut() {
                let place = &mut places[*corner as usize];
                if *place == NOWHERE {
                    *place = used.len() as u32;
                    used.push(*corner);
                }
                *corner = *place;
            }
        }
        used.shrink_to_fit();
        let mut memory = Self {
            all_used: used.len() == vertices,
            points: vec![[0.0; 4]; used.len()],
            used,
            nodes: vec![Plan::default(); nodes.len()],
            rows: Vec::with_capacity(order.len()),
            own: vec![Surfaces::default(); nodes.len()],
            costs: vec![0.0; nodes.len()],
            farthest: vec![0.0; nodes.len().div_ceil(NODES) + 1],
        };
        let mut below = vec![[u32::MAX, 0]; nodes.len()];
        // A node comes after its parent.
        for (index, node) in nodes.iter().enumerate().rev() {
            for child in node.children().iter().filter(|&&child| child != ChildRef::NONE) {
                let [start, end] = if child.is_leaf() {
                    [child.range().start as u32, child.range().end as u32]
                } else {
                    let height = memory.nodes[child.index()].height;
                    memory.nodes[child.index()].parent = index as u32;
                    let plan = &mut memory.nodes[index];
                    plan.height = plan.height.max(height.saturating_add(1));
                    below[child.index()]
                };
                below[index] = [below[index][0].min(start), below[index][1].max(end)];
            }
        }
        let mut last_node = vec![u32::MAX; memory.points.len()];
        for (index, (node, [start, end])) in nodes.iter().zip(below).enumerate() {
            memory.list_corners(index, node, &triangles);
            if memory.nodes[index].height <= LISTED {
                let corners = triangles[start as usize..end as usize].as_flattened();
                memory.list_vertices(index, corners, &mut last_node);
                memory.pack_corners(index);
            }
        }
        memory.rows.shrink_to_fit();
        memory
    }

    /// Adds the rows of the leaves of a node.
    fn list_corners(&mut self, index: usize, node: &WideNode, triangles: &[[u32; 3]]) {
        let first = self.rows.len();
        let plan = &mut self.nodes[index];
        plan.first_row = first as u32;
        let mut lanes: [&[[u32; 3]]; WIDTH] = [&[]; WIDTH];
        for (lane, &child) in node.children().iter().enumerate() {
            if child == ChildRef::NONE {
                continue;
            }
            if !child.is_leaf() {
                plan.inner |= 1 << lane;
                continue;
            }
            plan.leaves |= 1 << lane;
            lanes[lane] = &triangles[child.range()];
        }
        let Some(&[other, ..]) = lanes.into_iter().flatten().next() else { return };
        let quads = lanes.map(quad);
        let leaves = (0..WIDTH).filter(|lane| plan.leaves >> lane & 1 == 1);
        let all_quads = leaves.clone().all(|lane| quads[lane].is_some());
        let most = lanes.into_iter().map(<[_]>::len).max().unwrap_or(0);
        plan.corner_rows = if all_quads { QUAD } else { 3 * most as u8 };
        self.rows.resize(first + usize::from(plan.corner_rows), [other; WIDTH]);
        for lane in leaves {
            let triangles = lanes[lane];
            for (row, places) in self.rows[first..].iter_mut().enumerate() {
                places[lane] = match quads[lane] {
                    Some(quad) if all_quads => quad[row],
                    // Missing triangles are single corners.
                    _ => triangles.get(row / 3).map_or(triangles[0][0], |t| t[row % 3]),
                };
            }
        }
    }

    /// Adds the rows of the vertices below a node, given as the corners of its triangles. `last_node`: by vertex, the last
    /// node that has listed it.
    fn list_vertices(&mut self, index: usize, corners: &[u32], last_node: &mut [u32]) {
        let first = self.rows.len();
        let plan = &mut self.nodes[index];
        let mut row = [0; WIDTH];
        let mut count = 0;
        for &vertex in corners {
            let last = &mut last_node[vertex as usize];
            if *last == index as u32 {
                continue;
            }
            *last = index as u32;
            // The lanes behind it until others come.
            row[count % WIDTH..].fill(vertex);
            count += 1;
            if count % WIDTH == 0 {
                self.rows.push(row);
            }
        }
        if count % WIDTH > 0 {
            self.rows.push(row);
        }
        let rows = self.rows.len() - first;
        if plan.inner == 0 && rows >= usize::from(plan.corner_rows) {
            self.rows.truncate(first);
        } else {
            plan.vertex_rows = rows as u16;
        }
    }

    /// Replaces the corners of quadrilaterals by their places in the list of vertices, if these are few.
    fn pack_corners(&mut self, index: usize) {
        let plan = &mut self.nodes[index];
        let first = plan.first_row as usize;
        if plan.corner_rows != QUAD || !(1..=2).contains(&plan.vertex_rows) {
            return;
        }
        let (corners, vertices) = self.rows[first..].split_at(usize::from(QUAD));
        let mut packed = [0; WIDTH];
        for (bit, row) in (0..).step_by(8).zip(corners) {
            for (packed, corner) in packed.iter_mut().zip(row) {
                let mut vertices = (0_u32..).zip(vertices.as_flattened());
                let Some((place, _)) = vertices.find(|(_, vertex)| *vertex == corner) else {
                    return;
                };
                *packed |= place << bit;
            }
        }
        self.rows[first] = packed;
        self.rows.drain(first + 1..first + usize::from(QUAD));
        plan.corner_rows = PACKED_QUAD;
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.used)
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
        if self.all_used && positions.len() == self.used.len() {
            return dispatch(Extremes { positions });
        }
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for &vertex in &self.used {
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
        let parts = self.points.chunks_mut(POINTS).zip(self.used.chunks(POINTS));
        fork_join::each_mut(parts, |(points, used)| {
            dispatch(Fill { points, used, positions, frame });
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
        self.add_up();
        Refitted { vertex, center }
    }

    /// Sums the surfaces of what is below each node.
    fn add_up(&mut self) {
        let Self { own, costs, nodes: plans, .. } = self;
        // A node comes after its parent.
        for (index, (plan, cost)) in plans.iter().zip(costs).enumerate().rev() {
            let sum = own[index];
            *cost = if sum.triangles > 0.0 { sum.boxes / sum.triangles } else { 0.0 };
            let above = &mut own[plan.parent as usize];
            above.boxes += sum.boxes;
            above.triangles += sum.triangles;
        }
    }
}

/// Rows of a node whose leaves are quadrilaterals.
pub(super) const QUAD: u8 = 4;

/// Rows of one whose corners are places in the list of its vertices, which has one row or two: each lane has those of its
/// four corners in a byte each.
pub(super) const PACKED_QUAD: u8 = 1;

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
    used: &'a [u32],
    positions: &'a [[f64; 3]],
    frame: &'a TreeFrame,
}

impl SimdKernel for Fill<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Self { points, used, positions, frame } = self;
        let origin = S::F64x4::from_vector(&frame.origin);
        let unit = S::F64x4::splat(frame.unit.reciprocal());
        let later = &used[AHEAD.min(used.len())..];
        let (first, last) = points.split_at_mut(later.len());
        let (near, rest) = used.split_at(later.len());
        for ((point, &vertex), &later) in first.iter_mut().zip(near).zip(later) {
            prefetch(&positions[later as usize]);
            let position = S::F64x4::from_vector(&positions[vertex as usize]);
            *point = position.sub(origin).mul(unit).to_f32();
        }
        for (point, &vertex) in last.iter_mut().zip(rest) {
            let position = S::F64x4::from_vector(&positions[vertex as usize]);
            *point = position.sub(origin).mul(unit).to_f32();
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
