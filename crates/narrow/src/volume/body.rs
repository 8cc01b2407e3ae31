//! What the volume needs to know of a model: that it bounds a body without ambiguity, and what its triangles separate.

use xcollide_brep::{Interior, VertexId};
use xcollide_predicates::{Point, ray_crossing};

use super::number::{Double, Number};
use super::sum::signed_volume;
use crate::self_intersection::{SelfSearch, SelfVerdict};
use crate::{Model, PairCache, Placed, PreparedData, Query, QueryError};

/// The triangles of a body, kept with its model.
pub(super) struct Body {
    problem: Option<Problem>,
    /// For each triangle whether the body is behind it (1), before it (−1), or on both or neither of its sides (0).
    weights: Vec<i8>,
    /// Those of vertex v end at `ends[v]`, and begin where the ones before end.
    ends: Vec<u32>,
    neighbors: Vec<VertexId>,
}

#[derive(Clone, Copy)]
enum Problem {
    Open,
    Unoriented,
    SelfIntersecting,
}

impl PreparedData for Body {
    fn bytes(&self) -> usize {
        size_of_val(self) + self.weights.len() + 4 * (self.ends.len() + self.neighbors.len())
    }
}

impl Body {
    /// # Errors
    /// The model bounds no body, or one that is not clear.
    pub(super) fn of<'m>(model: &'m Model, side: &'static str) -> Result<&'m Self, QueryError> {
        let body = model.data(Self::new);
        match body.problem {
            None => Ok(body),
            Some(Problem::Open) => Err(QueryError::NoBody { side }),
            Some(Problem::Unoriented) => Err(QueryError::Unoriented { side }),
            Some(Problem::SelfIntersecting) => Err(QueryError::SelfIntersecting { side }),
        }
    }

    fn new(model: &Model) -> Self {
        let mut body =
            Self { problem: None, weights: Vec::new(), ends: Vec::new(), neighbors: Vec::new() };
        body.problem = match model.interior() {
            Interior::None => Some(Problem::Open),
            Interior::Parity => Some(Problem::Unoriented),
            Interior::Winding => {
                let verdict = SelfSearch::new().test(model, &Query::new(), &mut PairCache::new());
                (verdict != SelfVerdict::Clear).then_some(Problem::SelfIntersecting)
            }
        };
        if body.problem.is_none() {
            match weights(model) {
                Some(weights) => body.weights = weights,
                None => body.problem = Some(Problem::SelfIntersecting),
            }
            body.connect(model);
        }
        body
    }

    #[inline]
    pub(super) fn weight(&self, triangle: u32) -> i32 {
        i32::from(self.weights[triangle as usize])
    }

    /// The other ends of the edges at a vertex.
    pub(super) fn neighbors(&self, vertex: VertexId) -> &[VertexId] {
        let start = vertex.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.neighbors[start as usize..self.ends[vertex.index()] as usize]
    }

    fn connect(&mut self, model: &Model) {
        let triangles = model.triangulation().triangles();
        let edges = || triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        self.ends = vec![0; model.mesh().positions().len()];
        edges().for_each(|(from, _)| self.ends[from.index()] += 1);
        let mut sum = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = sum;
            sum += count;
        }
        self.neighbors = vec![VertexId(0); sum as usize];
        for (from, to) in edges() {
            self.neighbors[self.ends[from.index()] as usize] = to;
            self.ends[from.index()] += 1;
        }
    }
}

/// The weights of the triangles. Each piece of the surface meets no other, so all of its triangles have the same; `None` if
/// rounding hides which way a piece is turned.
fn weights(model: &Model) -> Option<Vec<i8>> {
    let placed = Placed::unmoved(model);
    let triangles = model.triangulation().triangles();
    let pieces = model.components();
    let piece_of = piece_of_vertices(model);
    let mut volumes = vec![Double::of(0.0); pieces.len()];
    let center = model.local_box().center();
    for (number, [corner, ..]) in triangles.iter().enumerate() {
        let volume = &mut volumes[piece_of[corner.index()] as usize];
        *volume = volume.add(&signed_volume::<Double>(&placed.triangle(number), center));
    }
    let mut of_piece = Vec::with_capacity(pieces.len());
    for (number, piece) in pieces.iter().enumerate() {
        let [low, high] = volumes[number].bounds();
        let is_outward = low > 0.0;
        if !is_outward && high >= 0.0 {
            // Without volume, it bounds nothing.
            of_piece.push(if low == 0.0 && high == 0.0 { 0 } else { return None });
            continue;
        }
        let place: Point = model.mesh().position(piece.vertex);
        let others = if pieces.len() == 1 {
            0
        } else {
            let is_other = |t: &usize| piece_of[triangles[*t][0].index()] as usize != number;
            let crossing = |t: usize| ray_crossing(place, &placed.triangle(t)).winding;
            (0..triangles.len()).filter(is_other).map(crossing).sum::<i32>()
        };
        let before = others - i32::from(!is_outward);
        of_piece.push(i8::from(before + 1 != 0) - i8::from(before != 0));
    }
    Some(triangles.iter().map(|[corner, ..]| of_piece[piece_of[corner.index()] as usize]).collect())
}

/// For each vertex the number of its piece among [`Model::components`].
fn piece_of_vertices(model: &Model) -> Vec<u32> {
    let mut piece_of = vec![0; model.mesh().positions().len()];
    if model.components().len() > 1 {
        let mut root: Vec<u32> = (0..piece_of.len() as u32).collect();
        let find = |root: &mut Vec<u32>, mut vertex: u32| {
            while root[vertex as usize] != vertex {
                root[vertex as usize] = root[root[vertex as usize] as usize];
                vertex = root[vertex as usize];
            }
            vertex
        };
        for [a, b, c] in model.triangulation().triangles() {
            for other in [b, c] {
                let (one, two) = (find(&mut root, a.0), find(&mut root, other.0));
                root[one.max(two) as usize] = one.min(two);
            }
        }
        for (number, piece) in model.components().iter().enumerate() {
            piece_of[piece.vertex.index()] = number as u32;
        }
        for &vertex in model.used_vertices() {
            let least = find(&mut root, vertex.0);
            piece_of[vertex.index()] = piece_of[least as usize];
        }
    }
    piece_of
}
