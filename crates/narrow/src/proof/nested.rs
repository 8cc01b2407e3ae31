//! Bodies inside bodies (Zachmann 1994, 3.5).

use xcollide_brep::{Interior, VertexId};

use super::witness::{Feature, Witness};
use crate::Placed;
use crate::model::Component;
use crate::point_in_polyhedron::{
    A_RAY, Location, RayScratch, Rays, prepared_rays, tally, tally_all,
};
use crate::query::{Deadline, OutOfTime};

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
/// each ray and every few dozen triangles of a pass.
pub(crate) fn nested_by(
    a: Placed<'_>,
    b: Placed<'_>,
    rays: &mut impl Rays,
    scratch: &mut RayScratch,
    time: &mut Deadline,
) -> Result<Option<Witness>, OutOfTime> {
    let body = Feature::Body;
    if let Some(vertex) = first_inside(a, b, rays, scratch, time)? {
        let point = a.position(vertex);
        return Ok(Some(Witness { a: Feature::Vertex(vertex), b: body, point }));
    }
    Ok(first_inside(b, a, rays, scratch, time)?.map(|vertex| {
        let point = b.position(vertex);
        Witness { a: body, b: Feature::Vertex(vertex), point }
    }))
}

/// The same without a deadline, by the data that the models keep.
pub(crate) fn nested(a: Placed<'_>, b: Placed<'_>) -> Option<Witness> {
    nested_by(a, b, &mut prepared_rays, &mut RayScratch::default(), &mut Deadline::never())
        .unwrap_or(None)
}

/// A vertex of the first piece of `inner` that is in the body of `outer`.
fn first_inside(
    inner: Placed<'_>,
    outer: Placed<'_>,
    rays: &mut impl Rays,
    scratch: &mut RayScratch,
    time: &mut Deadline,
) -> Result<Option<VertexId>, OutOfTime> {
    let interior = outer.model().interior();
    let bounds = outer.world_box();
    if interior == Interior::None || !bounds.overlaps(&inner.world_box()) {
        return Ok(None);
    }
    let may_be_inside = |piece: &&Component| {
        piece.extremes.iter().all(|&vertex| bounds.contains(inner.position(vertex)))
    };
    let pieces = || inner.model().components().iter().filter(may_be_inside);
    let vertices = || pieces().map(|piece| piece.vertex);
    let count = vertices().count();
    if count <= FEW || count.saturating_mul(A_RAY) < outer.model().triangulation().len() {
        for vertex in vertices() {
            let tally = tally(outer, inner.position(vertex), rays, scratch, time)?;
            if tally.location(interior) != Location::Outside {
                return Ok(Some(vertex));
            }
        }
        return Ok(None);
    }
    scratch.points.clear();
    scratch.points.extend(vertices().map(|vertex| inner.position(vertex)));
    tally_all(outer, scratch, time)?;
    let inside = scratch.tallies.iter().position(|t| t.location(interior) != Location::Outside);
    Ok(inside.and_then(|inside| vertices().nth(inside)))
}

/// Up to this many rays cost no more than one pass that classifies all points.
const FEW: usize = 2;
