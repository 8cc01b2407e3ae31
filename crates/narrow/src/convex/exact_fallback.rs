//! What decides where a search has proved nothing: exact signs.

use xcollide_brep::FaceId;
use xcollide_convex::{Body, Pair, Plane};
use xcollide_predicates::triangles_intersect;

use super::pair_memory::Memory;
use crate::mesh::Wide;
use crate::pair_search::{Hit, TrianglePair};
use crate::proof::separation::verify_plane;
use crate::{Feature, NarrowPhase, PairCache, Placed, Query, Separation, Stats, Verdict, Witness};
/// The answer of exact signs: a plane across the direction if that is one, by exact signs; two faces that
/// met the last time; then all triangles and bodies.
#[cold]
pub(crate) fn exact<M: Default + Send + 'static>(
    a: Placed<'_>,
    b: Placed<'_>,
    direction: Option<[f64; 3]>,
    query: &Query,
    cache: &mut PairCache,
) -> Verdict {
    let memory: &mut Memory<M> = cache.get_or_default();
    if let (Some(direction), Some([of_a, of_b])) = (direction, &memory.known) {
        let of_a = Body::new(&of_a.polytope, a.pose());
        let of_b = Body::new(&of_b.polytope, b.pose());
        if let Some(plane) = exact_plane(&Pair::new(of_a, of_b), a, b, direction) {
            cache.set_stats(Stats::default());
            return Verdict::Apart(Separation::Plane(plane));
        }
    }
    if let Some(contact) = memory.contact {
        if let Some(witness) = meeting(a, b, contact) {
            cache.set_stats(Stats::default());
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

/// Whether a plane across a direction parts the models, by exact signs: half way, or just where
/// one of them ends.
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

/// Whether two faces meet.
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
