//! What the volume needs to know of a model: that its surface does not intersect itself, and on which side of each triangle
//! the body is.

use xcollide_brep::{Interior, VertexId};
use xcollide_predicates::{ExactPoint, Point, orient2d, ray_axis};

use crate::relation::Operand;
use crate::self_intersection::{SelfSearch, SelfVerdict};
use crate::{Model, PairCache, Placed, PreparedData, Query, QueryError, Semantics};

/// The triangles of a body, kept with its model.
pub(super) struct Body {
    problem: Option<Problem>,
    /// For each triangle whether the body is behind it (1), before it (−1), or on both or neither of its sides (0).
    weights: Vec<i8>,
    /// Edges that lead from a vertex of each component to all others: of each edge the first vertex has been reached before.
    edges: Vec<[VertexId; 2]>,
}

#[derive(Clone, Copy)]
enum Problem {
    Open,
    SelfIntersecting,
}

impl PreparedData for Body {
    fn bytes(&self) -> usize {
        size_of_val(self) + self.weights.len() + size_of_val(&self.edges[..])
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
            Some(Problem::SelfIntersecting) => Err(QueryError::SelfIntersecting { side }),
        }
    }

    /// Of a closed surface whose triangles have the body behind them, and that intersects itself no more than by rounding.
    pub(super) fn closed(model: &Model) -> &Self {
        model.data(|model| Self {
            problem: None,
            weights: vec![1; model.triangulation().len()],
            edges: spanning_edges(model),
        })
    }

    /// Of the same triangles with other coordinates, which intersect each other no more than by rounding.
    pub(super) fn keep_for(&self, moved: &Model) {
        let Self { problem, weights, edges } = self;
        moved.data(|_| Self { problem: *problem, weights: weights.clone(), edges: edges.clone() });
    }

    fn new(model: &Model) -> Self {
        let mut body = Self { problem: None, weights: Vec::new(), edges: Vec::new() };
        if model.interior() == Interior::None {
            body.problem = Some(Problem::Open);
            return body;
        }
        let verdict = SelfSearch::new().test(model, &Query::new(), &mut PairCache::new());
        if verdict != SelfVerdict::Clear {
            body.problem = Some(Problem::SelfIntersecting);
            return body;
        }
        body.weights = weights(model);
        body.edges = spanning_edges(model);
        body
    }

    #[inline]
    pub(super) fn weight(&self, triangle: u32) -> i32 {
        i32::from(self.weights[triangle as usize])
    }

    /// Edges that lead from the vertex of each [component](Model::components) to all others, in an order in which each begins
    /// where others have led.
    pub(super) fn spanning_edges(&self) -> &[[VertexId; 2]] {
        &self.edges
    }
}

/// A spanning forest of the edges, breadth first.
fn spanning_edges(model: &Model) -> Vec<[VertexId; 2]> {
    let triangles = model.triangulation().triangles();
    let count = model.mesh().positions().len();
    // The neighbors of vertex v end at `ends[v]`, and begin where those of the one before end.
    let both_ways = || {
        let one_way = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        one_way.flat_map(|[from, to]| [[from, to], [to, from]])
    };
    let mut ends = vec![0; count + 1];
    both_ways().for_each(|[from, _]| ends[from.index() + 1] += 1);
    for vertex in 0..count {
        ends[vertex + 1] += ends[vertex];
    }
    let mut neighbors = vec![VertexId(0); ends[count]];
    for [from, to] in both_ways() {
        neighbors[ends[from.index()]] = to;
        ends[from.index()] += 1;
    }
    let mut is_reached = vec![false; count];
    let mut edges = Vec::with_capacity(count);
    for piece in model.components() {
        let mut next = edges.len();
        let mut from = piece.vertex;
        is_reached[from.index()] = true;
        loop {
            let start = from.index().checked_sub(1).map_or(0, |before| ends[before]);
            for &to in &neighbors[start..ends[from.index()]] {
                if !is_reached[to.index()] {
                    is_reached[to.index()] = true;
                    edges.push([from, to]);
                }
            }
            let Some(&[_, reached]) = edges.get(next) else { break };
            (from, next) = (reached, next + 1);
        }
    }
    edges
}

/// The weights of the triangles. They are the same on both sides of an edge that two triangles pass in opposite directions,
/// as the surface meets itself nowhere; so one triangle of each such piece is enough.
fn weights(model: &Model) -> Vec<i8> {
    let triangles = model.triangulation().triangles();
    let mut pieces = Pieces::new(triangles);
    let mut operand = Operand::new(Placed::unmoved(model), Semantics::Solid);
    // Of each piece, by its lowest triangle.
    let mut weights: Vec<Option<i8>> = vec![None; triangles.len()];
    for number in 0..triangles.len() {
        let piece = pieces.root(number as u32) as usize;
        let triangle = operand.placed.triangle(number);
        // Without area, it has no sides.
        let (None, Some(axis)) = (weights[piece], ray_axis(&triangle)) else { continue };
        let Some(point) = ExactPoint::in_triangle(&triangle, [1.0; 3]) else { continue };
        let flat = |p: Point| [p[(axis + 1) % 3], p[(axis + 2) % 3]];
        let [a, b, c] = triangle.map(flat);
        let [before, beyond] = operand.sides(&point, axis).inside.map(i8::from);
        let weight = before - beyond;
        weights[piece] = Some(if orient2d(a, b, c).is_positive() { weight } else { -weight });
    }
    let mut of_piece = |number: u32| weights[pieces.root(number) as usize].unwrap_or(0);
    (0..triangles.len() as u32).map(&mut of_piece).collect()
}

/// Sets of triangles (union–find with path halving; the smaller root wins).
struct Pieces {
    parent: Vec<u32>,
}

impl Pieces {
    fn new(triangles: &[[VertexId; 3]]) -> Self {
        let mut pieces = Self { parent: (0..triangles.len() as u32).collect() };
        let mut edges = Vec::with_capacity(3 * triangles.len());
        for (number, &[a, b, c]) in triangles.iter().enumerate() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                edges.push((from.min(to), from.max(to), from < to, number as u32));
            }
        }
        edges.sort_unstable();
        for passes in edges.chunk_by(|one, other| (one.0, one.1) == (other.0, other.1)) {
            if let [one, other] = passes
                && one.2 != other.2
            {
                let [one, other] = [one.3, other.3].map(|number| pieces.root(number));
                pieces.parent[one.max(other) as usize] = one.min(other);
            }
        }
        pieces
    }

    fn root(&mut self, mut number: u32) -> u32 {
        while self.parent[number as usize] != number {
            let above = self.parent[self.parent[number as usize] as usize];
            self.parent[number as usize] = above;
            number = above;
        }
        number
    }
}
