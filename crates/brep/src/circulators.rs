//! Circulators of the half-edge structure: around a face, around a vertex, across edges.
//!
//! Source: Zachmann 1994, 4.1.2, "Loop around vertex", for closed manifolds. These iterators also
//! cover boundaries, edges with many faces and inconsistent orientations; they allocate nothing and end
//! on every input.
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

use crate::dcel::Flag;
use crate::{Dcel, EdgeId, FaceId, HalfEdgeId, VertexId};
use std::ops::Range;

impl Dcel {
    /// Walks once around the contour of a half-edge, starting with it.
    ///
    /// ```
    /// # use xcollide_brep::{Dcel, HalfEdgeId, PolygonMesh};
    /// let mesh = PolygonMesh::from_polygons(vec![[0.0; 3]; 4], [[0, 1, 2, 3]])?;
    /// let dcel = Dcel::new(&mesh);
    /// let round: Vec<u32> =
    ///     dcel.contour(HalfEdgeId(2)).map(|half_edge| dcel.origin(half_edge).0).collect();
    /// assert_eq!(round, [2, 3, 0, 1]);
    /// # Ok::<(), xcollide_brep::MeshError>(())
    /// ```
    #[must_use]
    pub fn contour(&self, start: HalfEdgeId) -> ContourWalk<'_> {
        ContourWalk { dcel: self, start, next: Some(start) }
    }

    /// The sides of an edge in increasing order: one half-edge for each run of a face.
    #[must_use]
    pub fn sides(&self, edge: EdgeId) -> SideWalk<'_> {
        let first = self.first_side(edge);
        SideWalk { dcel: self, first, next: Some(first) }
    }

    /// The faces at an edge, in increasing order; a face that runs the edge twice comes twice.
    pub fn edge_faces(&self, edge: EdgeId) -> impl Iterator<Item = FaceId> + '_ {
        self.sides(edge).map(|side| self.face(side))
    }

    /// The fans of faces around a vertex: one on a manifold, several where surfaces meet in it, none
    /// at an unused vertex.
    ///
    /// A fan is a chain of corners, each joined to the next by an edge with exactly two sides. It is
    /// open if it ends at edges with another number of sides.
    #[must_use]
    pub fn fans(&self, vertex: VertexId) -> FanWalk<'_> {
        FanWalk { dcel: self, rest: self.outgoing_range(vertex) }
    }

    /// The faces around a vertex, fan by fan in rotational order; a face with two corners at the vertex
    /// comes twice.
    #[must_use]
    pub fn vertex_faces(&self, vertex: VertexId) -> impl ExactSizeIterator<Item = FaceId> + '_ {
        self.half_edges_at(vertex).iter().map(|&half_edge| self.face(half_edge))
    }

    /// The edges at a vertex, each once, fan by fan in rotational order, without degenerate ones.
    pub fn vertex_edges(&self, vertex: VertexId) -> impl Iterator<Item = EdgeId> + '_ {
        // Every corner beside an edge meets it; its first side counts. Both places where a fan meets
        // an edge are adjacent, so the order is kept.
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

/// Iterator of [`Dcel::contour`].
#[derive(Clone, Debug)]
pub struct ContourWalk<'a> {
    dcel: &'a Dcel,
    start: HalfEdgeId,
    next: Option<HalfEdgeId>,
}

impl Iterator for ContourWalk<'_> {
    type Item = HalfEdgeId;

    fn next(&mut self) -> Option<HalfEdgeId> {
        let here = self.next?;
        let next = self.dcel.next(here);
        self.next = (next != self.start).then_some(next);
        Some(here)
    }
}

/// Iterator of [`Dcel::sides`].
#[derive(Clone, Debug)]
pub struct SideWalk<'a> {
    dcel: &'a Dcel,
    first: HalfEdgeId,
    next: Option<HalfEdgeId>,
}

impl Iterator for SideWalk<'_> {
    type Item = HalfEdgeId;

    fn next(&mut self) -> Option<HalfEdgeId> {
        let here = self.next?;
        let next = self.dcel.next_side(here);
        self.next = (next != self.first).then_some(next);
        Some(here)
    }
}

/// Iterator of [`Dcel::fans`].
#[derive(Clone, Debug)]
pub struct FanWalk<'a> {
    dcel: &'a Dcel,
    rest: Range<usize>,
}

impl<'a> Iterator for FanWalk<'a> {
    type Item = Fan<'a>;

    fn next(&mut self) -> Option<Fan<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let start = self.rest.start;
        let mut end = start + 1;
        while end < self.rest.end && !self.dcel.fan_starts_at(end) {
            end += 1;
        }
        self.rest.start = end;
        Some(Fan { dcel: self.dcel, corners: self.dcel.outgoing(start..end) })
    }
}

/// A chain of faces around a vertex, each joined to the next by an edge that only they share.
#[derive(Clone, Copy, Debug)]
pub struct Fan<'a> {
    dcel: &'a Dcel,
    corners: &'a [HalfEdgeId],
}

impl<'a> Fan<'a> {
    /// The half-edges that leave the vertex at the corners of this fan, in rotational order:
    /// counter-clockwise as seen from where its faces run counter-clockwise.
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
    pub(crate) fn steps(&self) -> impl Iterator<Item = Flag> + use<'a> {
        let (dcel, count) = (self.dcel, self.corners.len());
        std::iter::successors(Some(self.entry()), move |entry| dcel.across(entry.opposite()))
            .take(count)
    }

    /// The edge by which the fan is entered: an open one if there is one.
    fn entry(&self) -> Flag {
        let outgoing = Flag::outgoing(self.corners[0]);
        let incoming = outgoing.opposite();
        let open = |flag| self.dcel.across(flag).is_none();
        if open(incoming) && !open(outgoing) { incoming } else { outgoing }
    }
}
