//! Builds the half-edge structure: pairs the sides of edges, orders the corners of vertices.
//!
//! Source: Zachmann 1994, 4.1.3, "keep temporary lists of neighbor vertices with each vertex". Here a
//! counting sort groups the sides by their smaller vertex, and each group is sorted by the larger
//! vertex.

use super::{Contours, Dcel};
use crate::{EdgeId, HalfEdgeId, PolygonMesh, VertexId};

pub(super) fn build(mesh: &PolygonMesh) -> Dcel {
    let mut origin = Vec::with_capacity(mesh.corner_count());
    for face in mesh.faces() {
        origin.extend_from_slice(face.corners());
    }
    let (edge, radial, first_side) = pair_sides(mesh);
    let half_edges = origin.iter().copied().zip((0..).map(HalfEdgeId));
    let (outgoing, outgoing_ends) = grouped(mesh.vertex_count(), half_edges);
    let contours = Contours::of_mesh(mesh);
    let fan_starts = vec![0; outgoing.len().div_ceil(64)];
    let mut dcel =
        Dcel { contours, origin, edge, radial, first_side, outgoing, outgoing_ends, fan_starts };
    order_fans(&mut dcel);
    dcel
}

/// The edge and the next side of each half-edge, and the first side of each edge.
fn pair_sides(mesh: &PolygonMesh) -> (Vec<EdgeId>, Vec<HalfEdgeId>, Vec<HalfEdgeId>) {
    let (mut sides, ends) = grouped(mesh.vertex_count(), sides(mesh));
    // `leader`: the first side of each side's edge, until edges are numbered.
    let mut leader = vec![EdgeId(0); sides.len()];
    let mut radial = vec![HalfEdgeId(0); sides.len()];
    let mut edge_count = 0;
    let mut start = 0;
    for end in ends {
        let group = &mut sides[start as usize..end as usize];
        group.sort_unstable();
        for sides in group.chunk_by(|a, b| a.larger == b.larger) {
            let first = sides[0].half_edge;
            edge_count += 1;
            for (index, side) in sides.iter().enumerate() {
                let next = sides.get(index + 1).map_or(first, |next| next.half_edge);
                leader[side.half_edge.index()] = EdgeId(first.0);
                radial[side.half_edge.index()] = next;
            }
        }
        start = end;
    }
    // In the order of first sides, so that a leader has its number before its other sides need it.
    let mut first_side = Vec::with_capacity(edge_count);
    for half_edge in 0..leader.len() {
        let first = leader[half_edge].index();
        if first == half_edge {
            leader[half_edge] = EdgeId::from_index(first_side.len());
            first_side.push(HalfEdgeId::from_index(half_edge));
        } else {
            leader[half_edge] = leader[first];
        }
    }
    (leader, radial, first_side)
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    larger: VertexId,
    half_edge: HalfEdgeId,
}

/// Each side of the mesh with its smaller vertex, by half-edge.
fn sides(mesh: &PolygonMesh) -> impl Iterator<Item = (VertexId, Side)> + Clone + '_ {
    let ends = mesh.faces().flat_map(|face| face.contours()).flat_map(|contour| {
        let next = |i: usize| if i + 1 == contour.len() { 0 } else { i + 1 };
        (0..contour.len()).map(move |i| (contour[i], contour[next(i)]))
    });
    ends.enumerate().map(|(index, (from, to))| {
        let half_edge = HalfEdgeId::from_index(index);
        (from.min(to), Side { larger: from.max(to), half_edge })
    })
}

/// Counting sort of the items by vertex. Also returns the end of each vertex's group.
fn grouped<T: Clone + Default>(
    vertices: usize,
    items: impl Iterator<Item = (VertexId, T)> + Clone,
) -> (Vec<T>, Vec<u32>) {
    let mut places = vec![0; vertices];
    let mut count = 0;
    items.clone().for_each(|(vertex, _)| {
        places[vertex.index()] += 1;
        count += 1;
    });
    // Prefix sums: the start of each group, then its next free place, and in the end its end.
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    let mut sorted = vec![T::default(); count];
    items.for_each(|(vertex, item)| {
        let place = &mut places[vertex.index()];
        sorted[*place as usize] = item;
        *place += 1;
    });
    (sorted, places)
}

/// Puts the half-edges at each vertex into rotational order, fan by fan.
///
/// A fan is a maximal chain of corners, each joined to the next by an edge with two sides. A corner
/// has two edges at its vertex, so chains neither fork nor merge: a walk ends at an edge without a
/// twin, or where it began. The smallest corner of a fan sets the direction.
fn order_fans(dcel: &mut Dcel) {
    let mut done = vec![false; dcel.half_edge_count()];
    let mut ordered: Vec<HalfEdgeId> = Vec::new();
    for vertex in 0..dcel.vertex_count() {
        let range = dcel.outgoing_range(VertexId::from_index(vertex));
        ordered.clear();
        for position in range.clone() {
            let corner = dcel.outgoing[position];
            if done[corner.index()] {
                continue;
            }
            let first = ordered.len();
            let place = range.start + first;
            dcel.fan_starts[place / 64] |= 1 << (place % 64);
            done[corner.index()] = true;
            ordered.push(corner);
            dcel.follow(Flag::incoming(corner), &mut done, &mut ordered);
            // A ring is complete now. For an open fan, this finds the corners before the start.
            let forward = ordered.len();
            dcel.follow(Flag::outgoing(corner), &mut done, &mut ordered);
            ordered[forward..].reverse();
            ordered[first..].rotate_left(forward - first);
        }
        dcel.outgoing[range].copy_from_slice(&ordered);
    }
}

/// One of the two edges that a corner has at its vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    pub(super) corner: HalfEdgeId,
    /// Whether the edge is that of `corner`; otherwise it is that of the previous half-edge, which
    /// arrives.
    pub(super) outgoing: bool,
}

impl Flag {
    pub(super) const fn outgoing(corner: HalfEdgeId) -> Self {
        Self { corner, outgoing: true }
    }

    pub(super) const fn incoming(corner: HalfEdgeId) -> Self {
        Self { corner, outgoing: false }
    }

    pub(super) const fn opposite(self) -> Self {
        Self { corner: self.corner, outgoing: !self.outgoing }
    }
}

impl Dcel {
    /// Adds the corners beyond an edge, up to the end of the fan or its closure.
    fn follow(&self, mut exit: Flag, done: &mut [bool], corners: &mut Vec<HalfEdgeId>) {
        while let Some(entry) = self.across(exit) {
            if std::mem::replace(&mut done[entry.corner.index()], true) {
                break;
            }
            corners.push(entry.corner);
            exit = entry.opposite();
        }
    }

    #[inline]
    pub(super) fn side_of(&self, flag: Flag) -> HalfEdgeId {
        if flag.outgoing { flag.corner } else { self.prev(flag.corner) }
    }

    /// The same edge seen from the corner on its other side, if there is exactly one. Its own inverse.
    ///
    /// If the neighbour has the opposite orientation, an edge that leaves here leaves there too. A
    /// degenerate edge joins the two corners of its own face.
    #[inline]
    pub(super) fn across(&self, flag: Flag) -> Option<Flag> {
        let side = self.side_of(flag);
        let vertex = self.origin(flag.corner);
        let far = if flag.outgoing { self.target(side) } else { self.origin(side) };
        if far == vertex {
            return Some(if flag.outgoing {
                Flag::incoming(self.next(side))
            } else {
                Flag::outgoing(side)
            });
        }
        let twin = self.twin(side)?;
        Some(if self.origin(twin) == vertex {
            Flag::outgoing(twin)
        } else {
            Flag::incoming(self.next(twin))
        })
    }
}
