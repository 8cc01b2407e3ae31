//! The check whether a plane separates, by all vertices of both hulls, on several threads (Zachmann 1994, 6.3.1).
//!
//! "We can distribute the check whether or not w is a separating plane (barrier synchronization)." The vertices are cut into
//! parts, which threads take one after the other; the end of the check is the barrier. The vertices found are those of one
//! thread: the first of the highest.

use xcollide_convex::{Pair, Polytope, Probe, VertexSearch};
use xcollide_math::vector::neg;

use crate::parallel_for::map_in_order;

/// With fewer parts the check ends before another thread wakes up.
const WORTH_IT: usize = 4;

/// Parts that the calling thread compares before it calls others.
const STEPS: u32 = 1;

/// The probe of a pair along a direction, by all vertices.
pub(super) fn probe(pair: &mut Pair<'_>, direction: [f64; 3]) -> Probe {
    let bodies = [*pair.a(), *pair.b()];
    let parts = bodies.map(|body| body.polytope().len().div_ceil(Polytope::PART));
    let helpers = pair.helpers();
    if helpers == 0 || parts[0] + parts[1] < WORTH_IT {
        return pair.probe_by(VertexSearch::AllVertices, direction, [0; 2]);
    }
    let local = [bodies[0].local(direction), bodies[1].local(neg(direction))];
    let found = map_in_order(parts[0] + parts[1], helpers, STEPS, |number| {
        let (side, part) = if number < parts[0] { (0, number) } else { (1, number - parts[0]) };
        bodies[side].polytope().farthest_of_part(part, local[side])
    });
    let highest = |found: &[Option<(u32, f64)>]| {
        let mut best = (0, f64::NEG_INFINITY);
        for &(vertex, height) in found.iter().flatten() {
            if height > best.1 {
                best = (vertex, height);
            }
        }
        best.0
    };
    let (of_a, of_b) = found.split_at(parts[0].min(found.len()));
    pair.probe_at(direction, [highest(of_a), highest(of_b)])
}
