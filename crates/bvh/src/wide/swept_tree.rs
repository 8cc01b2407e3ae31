//! Trees over triangles whose corners move linearly: axis-aligned boxes at both ends of the motion, as in ray tracing with
//! motion blur (linear bounds).
//!
//! A coordinate of a point is linear in the time, and the least of some is a concave function of it, so the box between the
//! two boxes of a set holds the set at each time between. Two sets whose boxes are apart along an axis at both ends, on the
//! same side, are apart all the time.
//!
//! Boxes are in f32 relative to a point of the mesh, rounded outward, and differences of f32 have the right sign: no pair is
//! lost, and no margin is needed.

use std::ops::{ControlFlow, Range};

use xcollide_math::{f32_above, f32_below};
use xcollide_simd::vec3::{load, splat};
use xcollide_simd::{F32x8, Simd, SimdKernel, SimdMask, dispatch};

use super::NodeKind;
use super::node::{ChildRef, WIDTH};
use super::tree::WideBvh;
use super::vector::Vector;
use super::visit::Visit;
use crate::NodePair;

/// The corners of a triangle, each at the beginning and at the end.
pub type MovingCorners = [[Vector; 2]; 3];

/// Eight boxes side by side, `[end][axis][lane]`.
#[derive(Clone, Debug)]
#[repr(C, align(64))]
struct SweptNode {
    low: [[[f32; WIDTH]; 3]; 2],
    high: [[[f32; WIDTH]; 3]; 2],
    /// The longest side at the beginning; −1 for leaves, which cannot be opened.
    size: [f32; WIDTH],
    children: [ChildRef; WIDTH],
}

/// A box at both ends, `[end][axis]`.
#[derive(Clone, Copy)]
struct SweptBox {
    low: [[f32; 3]; 2],
    high: [[f32; 3]; 2],
}

/// A tree over triangles in linear motion, with the structure of a [`WideBvh`].
///
/// ```
/// use std::ops::ControlFlow;
/// use xcollide_bvh::wide::{SweptTree, SweptTrees, WideOptions, WideTree};
///
/// let positions = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
/// let tree = WideTree::build(&positions, &[[0, 1, 2]], WideOptions::default());
/// let moving = |from: f64, to: f64| {
///     let at = |[x, y, z]: [f64; 3]| [[x, y, z + from], [x, y, z + to]];
///     SweptTree::new(&tree, |_| positions.map(at))
/// };
/// let (resting, falling, rising) = (moving(0.0, 0.0), moving(3.0, -1.0), moving(3.0, 5.0));
/// let pairs = |other| {
///     let mut count = 0;
///     let _ = SweptTrees::new(&resting, other).candidates(0.0, |_, _| {
///         count += 1;
///         ControlFlow::Continue(())
///     });
///     count
/// };
/// assert_eq!([pairs(&falling), pairs(&rising)], [1, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct SweptTree {
    nodes: Vec<SweptNode>,
    order: Vec<u32>,
    origin: Vector,
}

impl SweptTree {
    /// Boxes for the nodes of a tree; `corners` are those of a triangle by its number. Linear time.
    #[must_use]
    pub fn new<N: NodeKind>(tree: &WideBvh<N>, corners: impl Fn(u32) -> MovingCorners) -> Self {
        let node = |node: &N| SweptNode {
            low: [[[f32::INFINITY; WIDTH]; 3]; 2],
            high: [[[f32::NEG_INFINITY; WIDTH]; 3]; 2],
            size: [-1.0; WIDTH],
            children: *node.children(),
        };
        let mut swept = Self {
            nodes: tree.nodes.iter().map(node).collect(),
            order: tree.order.clone(),
            origin: [0.0; 3],
        };
        swept.refit(corners);
        swept
    }

    /// Fits all boxes to another motion of the triangles. Linear time, allocates nothing.
    pub fn refit(&mut self, corners: impl Fn(u32) -> MovingCorners) {
        let Self { nodes, order, origin } = self;
        if let Some(&first) = order.first() {
            // A point among the triangles, so that f32 is precise enough.
            *origin = corners(first)[0][0];
        }
        // A node comes after its parent.
        for index in (0..nodes.len()).rev() {
            for lane in 0..WIDTH {
                let child = nodes[index].children[lane];
                if child == ChildRef::NONE {
                    break;
                }
                let (bounds, size) = if child.is_leaf() {
                    (around(&order[child.range()], &corners, *origin), -1.0)
                } else {
                    let bounds = nodes[child.index()].merged();
                    (bounds, bounds.size())
                };
                let node = &mut nodes[index];
                node.size[lane] = size;
                for (end, axis) in (0..2).flat_map(|end| (0..3).map(move |axis| (end, axis))) {
                    node.low[end][axis][lane] = bounds.low[end][axis];
                    node.high[end][axis][lane] = bounds.high[end][axis];
                }
            }
        }
    }

    /// Memory, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + size_of_val(&*self.order)
    }

    fn get(&self, place: u32) -> SweptBox {
        let (node, lane) = (&self.nodes[place as usize / WIDTH], place as usize % WIDTH);
        SweptBox {
            low: node.low.map(|of| of.map(|lanes| lanes[lane])),
            high: node.high.map(|of| of.map(|lanes| lanes[lane])),
        }
    }

    fn child(&self, place: u32) -> ChildRef {
        self.nodes[place as usize / WIDTH].children[place as usize % WIDTH]
    }

    fn size(&self, place: u32) -> f32 {
        self.nodes[place as usize / WIDTH].size[place as usize % WIDTH]
    }
}

/// The boxes of some triangles relative to an origin, rounded outward.
fn around(triangles: &[u32], corners: &impl Fn(u32) -> MovingCorners, origin: Vector) -> SweptBox {
    let (mut low, mut high) = ([[f64::INFINITY; 3]; 2], [[f64::NEG_INFINITY; 3]; 2]);
    for &triangle in triangles {
        for corner in corners(triangle) {
            for (end, point) in corner.iter().enumerate() {
                for (axis, &x) in point.iter().enumerate() {
                    low[end][axis] = if x < low[end][axis] { x } else { low[end][axis] };
                    high[end][axis] = if x > high[end][axis] { x } else { high[end][axis] };
                }
            }
        }
    }
    let from_origin = |axis: usize, x: f64| x - origin[axis];
    SweptBox {
        low: low.map(|at| [0, 1, 2].map(|k| f32_below(from_origin(k, at[k]).next_down()))),
        high: high.map(|at| [0, 1, 2].map(|k| f32_above(from_origin(k, at[k]).next_up()))),
    }
}

impl SweptNode {
    /// The box around all children.
    fn merged(&self) -> SweptBox {
        let least = |lanes: [f32; WIDTH]| lanes.into_iter().fold(f32::INFINITY, f32::min);
        let greatest = |lanes: [f32; WIDTH]| lanes.into_iter().fold(f32::NEG_INFINITY, f32::max);
        SweptBox {
            low: self.low.map(|of| of.map(least)),
            high: self.high.map(|of| of.map(greatest)),
        }
    }

    /// Bit i is set if box i is not certainly farther from a probe than a distance along one axis, on the same side at both
    /// ends. Lanes without a child have empty boxes, which are far away.
    #[inline(always)]
    fn near<F: F32x8>(&self, probe: &SweptBox, distance: f32) -> u32 {
        let mut apart = F::splat(f32::NEG_INFINITY);
        let probe_at = |end: usize| [splat::<F>(probe.low[end]), splat(probe.high[end])];
        let [[low_0, high_0], [low_1, high_1]] = [probe_at(0), probe_at(1)];
        let at = |end: usize| [load::<F>(&self.low[end]), load(&self.high[end])];
        let [[first_0, last_0], [first_1, last_1]] = [at(0), at(1)];
        for k in 0..3 {
            let below = first_0[k].sub(high_0[k]).min(first_1[k].sub(high_1[k]));
            let above = low_0[k].sub(last_0[k]).min(low_1[k].sub(last_1[k]));
            apart = below.max(above).max(apart);
        }
        !apart.gt(F::splat(distance)).to_bits() & ((1 << WIDTH) - 1)
    }
}

impl SweptBox {
    /// The longest side at the beginning.
    fn size(&self) -> f32 {
        (0..3).map(|k| self.high[0][k] - self.low[0][k]).fold(0.0, f32::max)
    }

    /// The box relative to another origin, rounded outward.
    #[inline(always)]
    fn seen_from(&self, shift: Option<Vector>) -> Self {
        let Some(shift) = shift else { return *self };
        // Two roundings: of the shift, and of the sum.
        let off = |k: usize| shift[k].abs() * f64::EPSILON;
        let low = |k: usize, x: f32| f32_below((f64::from(x) + shift[k] - off(k)).next_down());
        let high = |k: usize, x: f32| f32_above((f64::from(x) + shift[k] + off(k)).next_up());
        Self {
            low: self.low.map(|at| [0, 1, 2].map(|k| low(k, at[k]))),
            high: self.high.map(|at| [0, 1, 2].map(|k| high(k, at[k]))),
        }
    }
}

/// Two trees in linear motion, or one and itself.
#[derive(Clone, Copy)]
pub struct SweptTrees<'a> {
    a: &'a SweptTree,
    b: &'a SweptTree,
    /// From the origin of the first to that of the second; `None` if they are equal.
    between: Option<Vector>,
}

impl<'a> SweptTrees<'a> {
    /// Two trees.
    #[must_use]
    pub fn new(a: &'a SweptTree, b: &'a SweptTree) -> Self {
        let between = [0, 1, 2].map(|k| b.origin[k] - a.origin[k]);
        Self { a, b, between: (between != [0.0; 3]).then_some(between) }
    }

    /// The boxes of the whole meshes; `None` if one of them has no triangles.
    fn root(&self) -> Option<NodePair> {
        let has_triangles = !self.a.nodes.is_empty() && !self.b.nodes.is_empty();
        has_triangles.then_some(NodePair { a: 0, b: 0, turn: false })
    }

    /// The triangles of two leaves; `None` if the pair is not one of leaves.
    #[inline(always)]
    fn triangles(&self, NodePair { a, b, .. }: NodePair) -> Option<[&'a [u32]; 2]> {
        let (of_a, of_b) = (self.a.child(a), self.b.child(b));
        let are_leaves = of_a.is_leaf() && of_b.is_leaf();
        are_leaves.then(|| [&self.a.order[of_a.range()], &self.b.order[of_b.range()]])
    }

    /// Calls `visit` with all pairs of triangles whose boxes are not certainly farther apart than a distance along one axis all
    /// the time, each once, always in the same order, until it breaks.
    pub fn candidates(&self, distance: f64, mut visit: impl Visit) -> ControlFlow<()> {
        let distance = f32_above(distance);
        let open: Vec<NodePair> = self.root().into_iter().collect();
        dispatch(SweptDescent { trees: *self, distance, open, visit: &mut visit })
    }

    fn shift(&self, into_b: bool) -> Option<Vector> {
        self.between.map(|between| if into_b { between.map(|x| -x) } else { between })
    }

    /// The node of the larger box of a pair, and the other box.
    #[inline(always)]
    fn opened(&self, pair: NodePair) -> Opened<'a> {
        let NodePair { a, b, .. } = pair;
        if self.b.size(b) >= self.a.size(a) {
            let index = self.b.child(b).index();
            let probe = self.a.get(a).seen_from(self.shift(true));
            Opened { node: &self.b.nodes[index], index, probe, pair, opens_b: true }
        } else {
            let index = self.a.child(a).index();
            let probe = self.b.get(b).seen_from(self.shift(false));
            Opened { node: &self.a.nodes[index], index, probe, pair, opens_b: false }
        }
    }
}

/// A node of one tree and a box of the other one.
struct Opened<'a> {
    node: &'a SweptNode,
    index: usize,
    probe: SweptBox,
    pair: NodePair,
    opens_b: bool,
}

impl Opened<'_> {
    /// The pair of a child.
    #[inline(always)]
    fn below(&self, lane: usize) -> NodePair {
        let place = (self.index * WIDTH + lane) as u32;
        if self.opens_b {
            NodePair { b: place, ..self.pair }
        } else {
            NodePair { a: place, ..self.pair }
        }
    }
}

/// Calls `visit` with all pairs of different triangles of one tree whose boxes are not certainly farther apart than a distance
/// along one axis all the time, each once in one of its two orders, until it breaks.
///
/// As in [`self_candidates`](super::self_candidates), only pairs are shown whose lowest common node is in a range of the
/// nodes.
///
/// # Panics
/// The range exceeds the nodes.
pub fn swept_self_candidates(
    tree: &SweptTree,
    nodes: Range<usize>,
    distance: f64,
    mut visit: impl Visit,
) -> ControlFlow<()> {
    let distance = f32_above(distance);
    dispatch(SweptSelfDescent { tree, nodes, distance, visit: &mut visit })
}

/// The kernel that shows the triangles below the pair of the whole meshes, depth first.
struct SweptDescent<'a, 'v, V> {
    trees: SweptTrees<'a>,
    distance: f32,
    open: Vec<NodePair>,
    visit: &'v mut V,
}

impl<V: Visit> SimdKernel for SweptDescent<'_, '_, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> ControlFlow<()> {
        let Self { trees, distance, open, visit } = &mut self;
        // The whole meshes are in the first lane.
        open.retain(|pair| {
            let probe = trees.a.get(pair.a).seen_from(trees.shift(true));
            trees.b.nodes[0].near::<S::F32x8>(&probe, *distance) & 1 == 1
        });
        drain::<S::F32x8>(trees, *distance, open, *visit)
    }
}

#[inline(always)]
fn drain<F: F32x8>(
    trees: &SweptTrees<'_>,
    distance: f32,
    open: &mut Vec<NodePair>,
    visit: &mut impl Visit,
) -> ControlFlow<()> {
    while let Some(pair) = open.pop() {
        if let Some([first, second]) = trees.triangles(pair) {
            visit.leaves(first, second, &mut ())?;
            continue;
        }
        let opened = trees.opened(pair);
        let mut near = opened.node.near::<F>(&opened.probe, distance);
        while near != 0 {
            let lane = near.trailing_zeros() as usize % WIDTH;
            near &= near - 1;
            if opened.node.children[lane] != ChildRef::NONE {
                open.push(opened.below(lane));
            }
        }
    }
    ControlFlow::Continue(())
}

/// The kernel for a tree and itself.
struct SweptSelfDescent<'a, 'v, V> {
    tree: &'a SweptTree,
    nodes: Range<usize>,
    distance: f32,
    visit: &'v mut V,
}

impl<V: Visit> SimdKernel for SweptSelfDescent<'_, '_, V> {
    type Output = ControlFlow<()>;

    #[inline(always)]
    fn run<S: Simd>(self) -> ControlFlow<()> {
        let Self { tree, nodes, distance, visit } = self;
        let trees = SweptTrees::new(tree, tree);
        let mut open = Vec::new();
        for index in nodes {
            let node = &tree.nodes[index];
            for (lane, &child) in node.children.iter().enumerate() {
                if child == ChildRef::NONE {
                    break;
                }
                if child.is_leaf() {
                    let triangles = &tree.order[child.range()];
                    for (place, &t) in triangles.iter().enumerate() {
                        for &s in &triangles[..place] {
                            visit.pair(s, t)?;
                        }
                    }
                }
                let place = |lane: usize| (index * WIDTH + lane) as u32;
                let probe = tree.get(place(lane));
                let near = node.near::<S::F32x8>(&probe, distance);
                let mut others = near & (u32::MAX << lane << 1);
                while others != 0 {
                    let other = others.trailing_zeros() as usize % WIDTH;
                    others &= others - 1;
                    if node.children[other] != ChildRef::NONE {
                        open.push(NodePair { a: place(lane), b: place(other), turn: false });
                    }
                }
            }
            drain::<S::F32x8>(&trees, distance, &mut open, visit)?;
        }
        ControlFlow::Continue(())
    }
}
