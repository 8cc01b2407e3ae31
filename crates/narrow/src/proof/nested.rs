//! Bodies inside bodies (Zachmann 1994, 3.5).

use xcollide_brep::{Interior, VertexId};

use super::suspects::Suspects;
use super::witness::{Feature, Witness};
use crate::model::Component;
use crate::point_in_polyhedron::{
    A_RAY, Location, RayScratch, Rays, prepared_rays, tally, tally_all,
};
use crate::query::Deadline;
use crate::{Placed, Reason};

/// What was left when the time of a search for pieces inside of bodies was over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PiecesLeft {
    /// A vertex of the next piece, of the second model or the first.
    vertex: VertexId,
    of_second: bool,
    /// The number of pieces of both models that are not tested yet.
    pieces: usize,
}

impl PiecesLeft {
    pub(crate) fn reason(self, [a, b]: [Placed<'_>; 2]) -> Reason {
        let (inner, outer) = if self.of_second { (b, a) } else { (a, b) };
        // Its box overlaps, so it has triangles.
        let corners = [&[inner.position(self.vertex)][..], &outer.triangle(0)];
        let near = Suspects::new([Feature::Vertex(self.vertex), Feature::Body], corners);
        let near = if self.of_second { near.swapped() } else { near };
        Reason::Unfinished { near, parts: u32::try_from(self.pieces).unwrap_or(u32::MAX) }
    }
}

/// A proof that a piece of one of two models with disjoint surfaces is inside the other's body; `None` if
/// the bodies are apart. Exact.
///
/// If the surfaces have no point in common, each connected piece of one surface is wholly inside or wholly
/// outside the other's body, so one vertex of each piece decides. The bodies meet only if a piece is
/// inside: leave a common point of the bodies along any ray; the first surface met belongs to one body
/// while still inside the other.
///
/// Takes constant time if every piece has a vertex outside the other's box; otherwise a ray for each piece
/// that may be inside, whose triangles `rays` finds, or one pass over the triangles. Checks the time for
/// each ray and every few dozen triangles of a pass; the error is what was left.
pub(crate) fn nested_by(
    a: Placed<'_>,
    b: Placed<'_>,
    rays: &mut impl Rays,
    scratch: &mut RayScratch,
    time: &mut Deadline,
) -> Result<Option<Witness>, PiecesLeft> {
    let body = Feature::Body;
    let of_first = first_inside(a, b, rays, scratch, time).map_err(|(vertex, pieces)| {
        let pieces = pieces + may_be_inside(b, a).count();
        PiecesLeft { vertex, of_second: false, pieces }
    })?;
    if let Some(vertex) = of_first {
        let point = a.position(vertex);
        return Ok(Some(Witness { a: Feature::Vertex(vertex), b: body, point }));
    }
    let of_second = first_inside(b, a, rays, scratch, time)
        .map_err(|(vertex, pieces)| PiecesLeft { vertex, of_second: true, pieces })?;
    Ok(of_second.map(|vertex| {
        let point = b.position(vertex);
        Witness { a: body, b: Feature::Vertex(vertex), point }
    }))
}

/// The same without a deadline, by the data that the models keep.
pub(crate) fn nested(a: Placed<'_>, b: Placed<'_>) -> Option<Witness> {
    nested_by(a, b, &mut prepared_rays, &mut RayScratch::default(), &mut Deadline::never())
        .unwrap_or(None)
}

/// A vertex of each piece of `inner` that may be in the body of `outer`, by its box.
fn may_be_inside<'p>(
    inner: Placed<'p>,
    outer: Placed<'_>,
) -> impl Iterator<Item = VertexId> + use<'p> {
    let bounds = outer.world_box();
    let is_body = outer.model().interior() != Interior::None;
    let pieces: &[Component] = if is_body && bounds.overlaps(&inner.world_box()) {
        inner.model().components()
    } else {
        &[]
    };
    let reaches = move |vertex: VertexId| bounds.contains(inner.position(vertex));
    let may = move |piece: &&Component| piece.extremes.iter().all(|&vertex| reaches(vertex));
    pieces.iter().filter(may).map(|piece| piece.vertex)
}

/// A vertex of the first piece of `inner` that is in the body of `outer`. The error is a vertex of the next piece, and how many were
/// left.
fn first_inside(
    inner: Placed<'_>,
    outer: Placed<'_>,
    rays: &mut impl Rays,
    scratch: &mut RayScratch,
    time: &mut Deadline,
) -> Result<Option<VertexId>, (VertexId, usize)> {
    let interior = outer.model().interior();
    let vertices = || may_be_inside(inner, outer);
    let count = vertices().count();
    if count <= FEW || count.saturating_mul(A_RAY) < outer.model().triangulation().len() {
        for (number, vertex) in vertices().enumerate() {
            let tally = tally(outer, inner.position(vertex), rays, scratch, time)
                .map_err(|_| (vertex, count - number))?;
            if tally.location(interior) != Location::Outside {
                return Ok(Some(vertex));
            }
        }
        return Ok(None);
    }
    scratch.points.clear();
    scratch.points.extend(vertices().map(|vertex| inner.position(vertex)));
    if let (Err(_), Some(first)) = (tally_all(outer, scratch, time), vertices().next()) {
        return Err((first, count));
    }
    let inside = scratch.tallies.iter().position(|t| t.location(interior) != Location::Outside);
    Ok(inside.and_then(|inside| vertices().nth(inside)))
}

/// Up to this many rays cost no more than one pass that classifies all points.
const FEW: usize = 2;
