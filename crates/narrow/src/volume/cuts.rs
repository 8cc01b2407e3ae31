//! Where the triangles of two surfaces cut each other, one of which is moved by a symbolic infinitesimal: every cut is a segment
//! between two crossings of an edge with a triangle.

use std::ops::ControlFlow;

use xcollide_brep::{Interior, VertexId};
use xcollide_bvh::wide::{Traversal, WideTree, candidates, segment_query};
use xcollide_predicates::{
    Point, Shifted, Sign, shifted_crossing, shifted_passage, shifted_ray_crossing, shifted_sides,
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

/// Of two vertices, in either order.
fn edge_key(one: VertexId, other: VertexId) -> u64 {
    u64::from(one.min(other).0) << 32 | u64::from(one.max(other).0)
}

/// The edge that passes a triangle, the triangle, and whether it goes in: in this order, as one number that sorts fast.
fn passage(edge: u64, triangle: u32, goes_in: bool) -> u128 {
    u128::from(edge) << 64 | u128::from(triangle) << 1 | u128::from(goes_in)
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

    /// All cuts, in an order that is always the same.
    pub(super) fn cuts(&self) -> Vec<Cut> {
        let [a, b] = self.placed;
        let mut cuts = Vec::new();
        let mut consider = |s: u32, t: u32| {
            if let Some(cut) = self.cut([s, t]) {
                cuts.push(cut);
            }
            ControlFlow::Continue(())
        };
        match [a, b].map(|placed| prepared::<WideTree>(placed.model())) {
            [Some(of_a), Some(of_b)] => {
                let (a, b) = ((of_a, a.pose()), (of_b, b.pose()));
                // The kernels that serve any visitor.
                let consider: &mut dyn FnMut(u32, u32) -> ControlFlow<()> = &mut consider;
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
        cuts
    }

    /// How two triangles cut each other.
    ///
    /// The line in which their planes meet passes two edges of each triangle, if it meets both. Where it passes an edge of the
    /// one, it is in the other triangle if that point lies between its points on the two edges of the other: if the edge
    /// passes both on the same side.
    fn cut(&self, triangles: [u32; 2]) -> Option<Cut> {
        // Two variables: an array of both would be filled by copies, and reading it waits for these.
        let (a, b) = (&self.triangle(0, triangles[0]), &self.triangle(1, triangles[1]));
        let is_beside = |[a, b, c]: [Sign; 3]| a == b && b == c && a != Sign::Zero;
        let of_a = shifted_sides(b, a, Shifted::First);
        if is_beside(of_a) {
            return None;
        }
        let of_b = shifted_sides(a, b, Shifted::Second);
        if is_beside(of_b) {
            return None;
        }
        let (Some(edges_a), Some(edges_b)) = (passed_edges(of_a), passed_edges(of_b)) else {
            return Self::cut_of_flat(triangles, [a, b]);
        };
        // Along the cut, see `Ends`.
        let along = |[e, f]: [usize; 2], goes_in: bool| if goes_in { [f, e] } else { [e, f] };
        let [from_a, to_a] = along(edges_a, of_a[edges_a[0]] == Sign::Positive);
        let [from_b, to_b] = along(edges_b, of_b[edges_b[0]] == Sign::Negative);
        // Where both edges go to the back of the other triangle, the sign is positive if that of the first triangle comes first.
        let is_first = |e: usize, f: usize| {
            let turned = (of_a[e] == Sign::Positive) != (of_b[f] == Sign::Positive);
            let one = [&a[e], &a[(e + 1) % 3]];
            let passage = shifted_passage(one, [&b[f], &b[(f + 1) % 3]], Shifted::Second);
            passage == if turned { Sign::Negative } else { Sign::Positive }
        };
        if !is_first(from_a, to_b) || is_first(to_a, from_b) {
            return None;
        }
        let crossing = |of, edge, goes_in| Crossing { of, edge, goes_in };
        let starts_with_b = is_first(from_a, from_b);
        let ends_with_a = is_first(to_a, to_b);
        let start =
            if starts_with_b { crossing(1, from_b, true) } else { crossing(0, from_a, false) };
        let end = if ends_with_a { crossing(0, to_a, true) } else { crossing(1, to_b, false) };
        Some(Cut { triangles, ends: [start, end] })
    }

    /// How two triangles cut each other, one of which may have no area, by all edges.
    #[cold]
    fn cut_of_flat(triangles: [u32; 2], corners: [&[Point; 3]; 2]) -> Option<Cut> {
        let mut ends = Ends::default();
        for of in 0..2 {
            for edge in 0..3 {
                let segment = [corners[of][edge], corners[of][(edge + 1) % 3]];
                let side = shifted_crossing(segment, corners[1 - of], shifted(of));
                if side != Sign::Zero {
                    ends.add(of, edge, side);
                }
            }
        }
        ends.cut(triangles)
    }

    #[inline(always)]
    pub(super) fn triangle(&self, of: usize, number: u32) -> [Point; 3] {
        let [a, b, c] = self.triangles(of)[number as usize];
        let positions = &self.positions[of];
        [positions[a.index()], positions[b.index()], positions[c.index()]]
    }

    /// For each vertex of a body whether it is in the other one (1 or 0), given the cuts.
    pub(super) fn insides(&self, of: usize, cuts: &[Cut]) -> Vec<i32> {
        let (model, body) = (self.placed[of].model(), self.bodies[of]);
        let triangles = self.triangles(of);
        // The crossings of edges, from the lower number to the higher; triangles may share an edge. Of an oriented surface
        // those that pass it this way are enough.
        let is_oriented = model.interior() == Interior::Winding;
        let mut crossings = Vec::new();
        let mut is_cut = vec![false; model.mesh().positions().len()];
        for cut in cuts {
            for crossing in cut.ends.iter().filter(|crossing| crossing.of == of) {
                let corners = triangles[cut.triangles[of] as usize];
                let [from, to] = [corners[crossing.edge], corners[(crossing.edge + 1) % 3]];
                let is_upward = from < to;
                if is_upward || !is_oriented {
                    let goes_in = crossing.goes_in == is_upward;
                    crossings.push(passage(edge_key(from, to), cut.triangles[1 - of], goes_in));
                    [from, to].iter().for_each(|end| is_cut[end.index()] = true);
                }
            }
        }
        crossings.sort_unstable();
        crossings.dedup();
        let of_edge = |passages: &[u128]| {
            let gain = |&passage: &u128| {
                let weight = self.bodies[1 - of].weight((passage >> 1) as u32);
                if passage & 1 == 1 { weight } else { -weight }
            };
            ((passages[0] >> 64) as u64, passages.iter().map(gain).sum())
        };
        let same_edge = |one: &u128, other: &u128| one >> 64 == other >> 64;
        let gains: Vec<(u64, i32)> = crossings.chunk_by(same_edge).map(of_edge).collect();
        let gain = |from: VertexId, to: VertexId| {
            let place = gains.binary_search_by_key(&edge_key(from, to), |&(edge, _)| edge);
            let upward = place.map_or(0, |place| gains[place].1);
            if from < to { upward } else { -upward }
        };
        let mut inside = vec![0; model.mesh().positions().len()];
        // Of one piece a vertex outside the other body's box tells enough.
        let (pieces, bounds) = (model.components(), self.placed[1 - of].world_box());
        let is_outside = |vertex: &&VertexId| !bounds.contains(self.positions[of][vertex.index()]);
        let outside = match pieces {
            [_] => model.used_vertices().iter().find(is_outside),
            _ => None,
        };
        if outside.is_none() {
            for piece in pieces {
                inside[piece.vertex.index()] = self.is_inside(of, piece.vertex);
            }
        }
        for &[from, to] in body.spanning_edges() {
            let is_crossed = is_cut[from.index()] && is_cut[to.index()];
            inside[to.index()] = inside[from.index()] + if is_crossed { gain(from, to) } else { 0 };
        }
        if let Some(outside) = outside {
            let there = inside[outside.index()];
            inside.iter_mut().for_each(|inside| *inside -= there);
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
