//! Where the triangles of two surfaces cut each other, one of which is moved by a symbolic infinitesimal: every cut is a segment
//! between two crossings of an edge with a triangle.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;
use xcollide_brep::VertexId;
use xcollide_bvh::wide::{Traversal, WideTree, candidates, segment_query};
use xcollide_predicates::{
    Point, Shifted, Sign, shifted_crossing, shifted_passage, shifted_ray_crossing, shifted_side,
};

use super::body::Body;
use crate::Placed;
use crate::hierarchy::prepared::prepared;

/// An edge of a triangle of one body that crosses a triangle of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crossing {
    /// The body that the edge belongs to.
    pub(super) of: usize,
    /// The edge leads from this corner to the next.
    pub(super) edge: usize,
    /// Whether it goes from the front of the triangle to its back.
    pub(super) goes_in: bool,
}

/// The segment in which a triangle of each body cut each other, in the direction of the cross product of their normals.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    /// The triangle of each body.
    pub(super) triangles: [u32; 2],
    /// The ends of the segment.
    pub(super) ends: [Crossing; 2],
}

/// Two placed bodies, the second of which is moved.
pub(super) struct Bodies<'p> {
    placed: [Placed<'p>; 2],
    pub(super) bodies: [&'p Body; 2],
    /// Of the vertices of each, in the world.
    positions: [Vec<Point>; 2],
}

/// The two edges of a triangle whose ends are on different sides of a plane; `None` if there are not two.
#[inline]
fn passed_edges(sides: [Sign; 3]) -> Option<[usize; 2]> {
    let [a, b, c] = sides;
    match [a != b, b != c, c != a] {
        [true, true, false] => Some([0, 1]),
        [false, true, true] => Some([1, 2]),
        [true, false, true] => Some([0, 2]),
        _ => None,
    }
}

/// The ends of a cut that are known.
///
/// Along the direction of the cut, an edge of the first triangle at which it ends goes to the back of the second, and
/// one at which it begins to the front; for edges of the second it is the other way round.
#[derive(Default)]
struct Ends {
    start: Option<Crossing>,
    end: Option<Crossing>,
}

impl Ends {
    /// The edge of body `of` crosses the other triangle, and begins on a side of it.
    #[inline]
    fn add(&mut self, of: usize, edge: usize, side: Sign) {
        let goes_in = side == Sign::Positive;
        let crossing = Some(Crossing { of, edge, goes_in });
        if goes_in == (of == 0) {
            self.end = crossing;
        } else {
            self.start = crossing;
        }
    }

    fn cut(self, triangles: [u32; 2]) -> Option<Cut> {
        Some(Cut { triangles, ends: [self.start?, self.end?] })
    }
}

/// Which argument of the predicates is moved, if the first is of body `of`.
fn shifted(of: usize) -> Shifted {
    if of == 0 { Shifted::Second } else { Shifted::First }
}

impl<'p> Bodies<'p> {
    pub(super) fn new(placed: [Placed<'p>; 2], bodies: [&'p Body; 2]) -> Self {
        let positions = placed.map(|placed| {
            placed.model().mesh().positions().iter().map(|&p| placed.pose().apply(p)).collect()
        });
        Self { placed, bodies, positions }
    }

    /// The triangles of a body.
    pub(super) fn triangles(&self, of: usize) -> &'p [[VertexId; 3]] {
        self.placed[of].model().triangulation().triangles()
    }

    /// All cuts, in the order of the triangles.
    pub(super) fn cuts(&self) -> Vec<Cut> {
        let [a, b] = self.placed;
        let mut cuts = Vec::new();
        let mut consider = |s: u32, t: u32| {
            cuts.extend(self.cut([s, t]));
            ControlFlow::Continue(())
        };
        match [a, b].map(|placed| prepared::<WideTree>(placed.model())) {
            [Some(of_a), Some(of_b)] => {
                let (a, b) = ((of_a, a.pose()), (of_b, b.pose()));
                let _ = candidates(a, b, &mut Traversal::new(), &mut (), consider);
            }
            _ => {
                let [m, n] = [a, b].map(|placed| placed.model().triangulation().len() as u32);
                (0..m).for_each(|s| {
                    (0..n).for_each(|t| {
                        let _ = consider(s, t);
                    });
                });
            }
        }
        cuts.sort_unstable_by_key(|cut| cut.triangles);
        cuts
    }

    /// How two triangles cut each other.
    ///
    /// The line in which their planes meet passes two edges of each triangle, if it meets both. Where it passes an edge of the
    /// one, it is in the other triangle if that point lies between its points on the two edges of the other: if the edge
    /// passes both on the same side.
    fn cut(&self, triangles: [u32; 2]) -> Option<Cut> {
        let corners = self.corners(triangles);
        let sides_of = |of: usize| {
            let side = |corner| shifted_side(&corners[1 - of], corner, shifted(1 - of));
            let [a, b, c] = corners[of];
            [side(a), side(b), side(c)]
        };
        let is_beside = |[a, b, c]: [Sign; 3]| a == b && b == c && a != Sign::Zero;
        let of_a = sides_of(0);
        if is_beside(of_a) {
            return None;
        }
        let of_b = sides_of(1);
        if is_beside(of_b) {
            return None;
        }
        let (Some(edges_a), Some(edges_b)) = (passed_edges(of_a), passed_edges(of_b)) else {
            return Self::cut_of_flat(triangles, &corners);
        };
        let edge = |of: usize, edge: usize| [corners[of][edge], corners[of][(edge + 1) % 3]];
        let passage = |e, f| shifted_passage(edge(0, e), edge(1, f), shifted(0));
        let ([e, g], [f, h]) = (edges_a, edges_b);
        let passages = [[passage(e, f), passage(e, h)], [passage(g, f), passage(g, h)]];
        let mut ends = Ends::default();
        for i in 0..2 {
            if passages[i][0] == passages[i][1] {
                ends.add(0, edges_a[i], of_a[edges_a[i]]);
            }
            if passages[0][i] == passages[1][i] {
                ends.add(1, edges_b[i], of_b[edges_b[i]]);
            }
        }
        ends.cut(triangles)
    }

    /// How two triangles cut each other, one of which may have no area, by all edges.
    #[cold]
    fn cut_of_flat(triangles: [u32; 2], corners: &[[Point; 3]; 2]) -> Option<Cut> {
        let mut ends = Ends::default();
        for of in 0..2 {
            for edge in 0..3 {
                let segment = [corners[of][edge], corners[of][(edge + 1) % 3]];
                let side = shifted_crossing(segment, &corners[1 - of], shifted(of));
                if side != Sign::Zero {
                    ends.add(of, edge, side);
                }
            }
        }
        ends.cut(triangles)
    }

    /// The corners of a triangle of each body.
    #[inline]
    pub(super) fn corners(&self, triangles: [u32; 2]) -> [[Point; 3]; 2] {
        [self.triangle(0, triangles[0]), self.triangle(1, triangles[1])]
    }

    #[inline]
    pub(super) fn triangle(&self, of: usize, number: u32) -> [Point; 3] {
        let [a, b, c] = self.triangles(of)[number as usize];
        let positions = &self.positions[of];
        [positions[a.index()], positions[b.index()], positions[c.index()]]
    }

    /// For each vertex of a body whether it is in the other one (1 or 0), given the cuts.
    pub(super) fn insides(&self, of: usize, cuts: &[Cut]) -> Vec<i32> {
        let (model, body) = (self.placed[of].model(), self.bodies[of]);
        let triangles = self.triangles(of);
        // The crossings of edges, from the lower number to the higher; triangles may share an edge.
        let mut crossings = Vec::new();
        for cut in cuts {
            for crossing in cut.ends.iter().filter(|crossing| crossing.of == of) {
                let corners = triangles[cut.triangles[of] as usize];
                let ends = [corners[crossing.edge], corners[(crossing.edge + 1) % 3]];
                let is_upward = ends[0] < ends[1];
                let [from, to] = ends;
                let ends = if is_upward { [from, to] } else { [to, from] };
                crossings.push((ends, cut.triangles[1 - of], crossing.goes_in == is_upward));
            }
        }
        crossings.sort_unstable();
        crossings.dedup();
        let mut gains: FxHashMap<[VertexId; 2], i32> = FxHashMap::default();
        let mut is_cut = vec![false; model.mesh().positions().len()];
        for (ends, triangle, goes_in) in crossings {
            let weight = self.bodies[1 - of].weight(triangle);
            *gains.entry(ends).or_default() += if goes_in { weight } else { -weight };
            ends.iter().for_each(|end| is_cut[end.index()] = true);
        }
        let gain = |from: VertexId, to: VertexId| {
            let upward = gains.get(&[from.min(to), from.max(to)]).copied().unwrap_or(0);
            if from < to { upward } else { -upward }
        };
        const UNKNOWN: i32 = i32::MIN;
        let mut inside = vec![UNKNOWN; model.mesh().positions().len()];
        let mut stack = Vec::new();
        for piece in model.components() {
            inside[piece.vertex.index()] = self.is_inside(of, piece.vertex);
            stack.push(piece.vertex);
            while let Some(from) = stack.pop() {
                let here = inside[from.index()];
                for &to in body.neighbors(from) {
                    if inside[to.index()] == UNKNOWN {
                        let is_crossed = is_cut[from.index()] && is_cut[to.index()];
                        let gain = if is_crossed { gain(from, to) } else { 0 };
                        inside[to.index()] = here + gain;
                        stack.push(to);
                    }
                }
            }
        }
        inside
    }

    /// Whether a vertex of a body is in the other one (1 or 0), by a ray along x.
    fn is_inside(&self, of: usize, vertex: VertexId) -> i32 {
        let (point, other) = (self.positions[of][vertex.index()], self.placed[1 - of]);
        let bounds = other.world_box();
        if !bounds.contains(point) {
            return 0;
        }
        let mut sum = 0;
        let mut count = |triangle: u32| {
            let corners = self.triangle(1 - of, triangle);
            let winding = shifted_ray_crossing(&corners, point, shifted(1 - of));
            sum += winding * self.bodies[1 - of].weight(triangle);
            ControlFlow::Continue(())
        };
        match prepared::<WideTree>(other.model()) {
            Some(tree) => {
                // Mirrored where the other body is moved: see `shifted_ray_crossing`.
                let [low, high] = [bounds.min[0], bounds.max[0]];
                let end = if of == 0 { low.min(point[0]) } else { high.max(point[0]) };
                let segment = [point, [end, point[1], point[2]]];
                let _ = segment_query((tree, other.pose()), segment, &mut Traversal::new(), count);
            }
            None => {
                let _ = (0..other.model().triangulation().len() as u32).try_for_each(&mut count);
            }
        }
        sum
    }
}
