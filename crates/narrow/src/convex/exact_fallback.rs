//! The exact test for pairs without a certificate.

use xcollide_brep::FaceId;
use xcollide_convex::{BatchEntry, Pair, Plane};
use xcollide_predicates::triangles_intersect;

use super::pair_memory::Memory;
use crate::mesh::Wide;
use crate::pair_search::{Hit, TrianglePair};
use crate::proof::separation::verify_plane;
use crate::{Feature, NarrowPhase, PairCache, Placed, Query, Separation, Verdict, Witness};

/// The exact verdict: by a plane perpendicular to the direction, if one separates; by the two faces that met
/// last; else by all triangles and bodies.
#[cold]
pub(crate) fn exact<M: Default + Send + Sync + 'static>(
    a: Placed<'_>,
    b: Placed<'_>,
    direction: Option<[f64; 3]>,
    query: &Query,
    cache: &mut PairCache,
) -> Verdict {
    let memory: &mut Memory<M> = cache.get_or_default();
    if let Some(direction) = direction
        && let Some(BatchEntry { pair, .. }) = memory.pair(&a, &b)
        && let Some(plane) = exact_plane(&pair, a, b, direction)
    {
        cache.clear_stats();
        return Verdict::Apart(Separation::Plane(plane));
    }
    if let Some(contact) = memory.contact {
        if let Some(witness) = meeting(a, b, contact) {
            cache.clear_stats();
            return Verdict::Collides(witness);
        }
        memory.contact = None;
    }
    let verdict = Wide::new().test(a, b, query, cache);
    if let Verdict::Collides(Witness { a: Feature::Face(s), b: Feature::Face(t), .. }) = verdict {
        cache.get_or_default::<Memory<M>>().contact = Some([s, t]);
    }
    verdict
}

/// A plane perpendicular to a direction that separates the models by exact signs: half way, or through the
/// end of one of them.
fn exact_plane(
    pair: &Pair<'_>,
    a: Placed<'_>,
    b: Placed<'_>,
    direction: [f64; 3],
) -> Option<Plane> {
    let [low, high] = pair.probe_all(direction).heights;
    if low > high {
        return None;
    }
    let planes = [0.5 * low + 0.5 * high, low, high];
    let planes = planes.map(|offset| Plane { normal: direction, offset });
    planes.into_iter().find(|plane| verify_plane(plane, a, b).is_ok())
}

/// The witness of two faces that meet.
fn meeting(a: Placed<'_>, b: Placed<'_>, [s, t]: [FaceId; 2]) -> Option<Witness> {
    let triangles = |placed: Placed<'_>, face| placed.model().triangulation().triangles_of(face);
    for i in triangles(a, s) {
        for j in triangles(b, t) {
            if triangles_intersect(&a.triangle(i), &b.triangle(j)) {
                return Some(TrianglePair(i, j).witness([a, b]));
            }
        }
    }
    None
}
