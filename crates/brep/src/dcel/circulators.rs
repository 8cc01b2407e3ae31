//! Circulators of the half-edge structure: around a face, around a vertex, across edges.
//!
//! Source: Zachmann 1994, 4.1.2, "Loop around vertex", for closed manifolds. These iterators also
//! handle boundaries, edges with many faces and inconsistent orientations. They allocate nothing and
//! terminate on every input.
//!
//! ```text
//!        ring: 5 corners, 5 edges           open fan: 3 corners, 4 edges
//!             ●     ●                              ●      ●
//!              \ 1 /                                \  1 /
//!             2 \ / 0                              2 \  / 0
//!         ●──────v──────●                      ●──────v──────●
//!              3 /\ 4                                 (boundary)
//!               /  \
//! ```

use super::build::Flag;
use crate::{Dcel, EdgeId, FaceId, HalfEdgeId, VertexId};

impl Dcel {
    /// The half-edges of a contour, once around from `start`.
    pub fn contour(&self, start: HalfEdgeId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        cycle(start, move |half_edge| self.next(half_edge))
    }

    /// The sides of an edge in increasing order: one half-edge for each time that a face traverses it.
    pub fn sides(&self, edge: EdgeId) -> impl Iterator<Item = HalfEdgeId> + '_ {
        cycle(self.first_side(edge), move |side| self.next_side(side))
    }

    /// The fans of faces around a vertex: one on a manifold, several where surfaces meet in the
    /// vertex, none at an unused vertex.
    pub fn fans(&self, vertex: VertexId) -> impl Iterator<Item = Fan<'_>> {
        let starts = |place: usize| self.fan_starts[place / 64] >> (place % 64) & 1 == 1;
        let mut rest = self.outgoing_range(vertex);
        std::iter::from_fn(move || {
            let start = rest.next()?;
            while !rest.is_empty() && !starts(rest.start) {
                rest.start += 1;
            }
            Some(Fan { dcel: self, corners: &self.outgoing[start..rest.start] })
        })
    }

    /// The faces around a vertex, fan by fan in rotational order, once for each corner there.
    #[must_use]
    pub fn vertex_faces(&self, vertex: VertexId) -> impl ExactSizeIterator<Item = FaceId> + '_ {
        self.half_edges_at(vertex).iter().map(|&half_edge| self.face(half_edge))
    }

    /// The edges at a vertex, each once, fan by fan in rotational order, without degenerate ones.
    pub fn vertex_edges(&self, vertex: VertexId) -> impl Iterator<Item = EdgeId> + '_ {
        // A fan meets an edge once or twice in a row; the visit by the edge's first side counts.
        self.fans(vertex)
            .flat_map(|fan| fan.steps())
            .flat_map(|entry| [entry, entry.opposite()])
            .map(|flag| self.side_of(flag))
            .filter(move |&side| {
                let edge = self.edge(side);
                self.first_side(edge) == side && !self.is_degenerate(edge)
            })
            .map(|side| self.edge(side))
    }

    /// The vertices that an edge joins to this one, each once, in rotational order.
    pub fn vertex_neighbours(&self, vertex: VertexId) -> impl Iterator<Item = VertexId> + '_ {
        self.vertex_edges(vertex).map(move |edge| {
            let [from, to] = self.ends(edge);
            if from == vertex { to } else { from }
        })
    }

    /// The faces that share an edge with this one, in the order of its half-edges, once for each
    /// shared edge.
    pub fn face_neighbours(&self, face: FaceId) -> impl Iterator<Item = FaceId> + '_ {
        self.half_edges_of(face)
            .flat_map(move |half_edge| self.sides(self.edge(half_edge)))
            .map(|side| self.face(side))
            .filter(move |&other| other != face)
    }
}

/// `start` and its successors, until `next` leads back to it.
fn cycle(
    start: HalfEdgeId,
    next: impl Fn(HalfEdgeId) -> HalfEdgeId,
) -> impl Iterator<Item = HalfEdgeId> {
    std::iter::successors(Some(start), move |&here| Some(next(here)).filter(|&next| next != start))
}

/// A chain of corners around a vertex, each joined to the next by an edge with exactly two sides. A ring
/// if it closes, otherwise open: its end edges do not have exactly two sides.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    dcel: &'a Dcel,
    corners: &'a [HalfEdgeId],
}

impl<'a> Fan<'a> {
    /// The half-edges that leave the vertex at the corners of this fan, in rotational order:
    /// counter-clockwise as seen from where its faces are counter-clockwise.
    #[must_use]
    pub fn half_edges(&self) -> &'a [HalfEdgeId] {
        self.corners
    }

    /// Whether the fan closes around the vertex, without a boundary.
    #[must_use]
    pub fn is_ring(&self) -> bool {
        self.dcel.across(self.entry()).is_some()
    }

    /// The edges of this fan in rotational order: as many as corners in a ring, one more in an open
    /// fan. Includes degenerate edges.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + use<'a> {
        let dcel = self.dcel;
        let last = (!self.is_ring()).then(|| self.steps().last()).flatten();
        self.steps().chain(last.map(Flag::opposite)).map(move |flag| dcel.edge(dcel.side_of(flag)))
    }

    /// The corners of this fan, each with the edge by which a walk enters it.
    fn steps(&self) -> impl Iterator<Item = Flag> + use<'a> {
        let (dcel, count) = (self.dcel, self.corners.len());
        std::iter::successors(Some(self.entry()), move |entry| dcel.across(entry.opposite()))
            .take(count)
    }

    /// The edge at which a walk starts: an end of the fan if it is open.
    fn entry(&self) -> Flag {
        let outgoing = Flag::outgoing(self.corners[0]);
        let incoming = outgoing.opposite();
        let open = |flag| self.dcel.across(flag).is_none();
        if open(incoming) && !open(outgoing) { incoming } else { outgoing }
    }
}
