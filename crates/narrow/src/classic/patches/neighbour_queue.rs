//! The leaf search of the source: from triangle to triangle towards a plane (Daneu 2002, 3.4.2).
//!
//! ```text
//!   ____ plane of a triangle t of one patch
//!        \__/‾‾\__ the other patch: a queue holds triangles that are not farther from the plane than the one they were
//!                  reached from. Those that cross the plane come first, and are tested against t.
//! ```
//!
//! As in the source, the search uses rounded distances, and only the new vertex of a neighbour to see whether the neighbour
//! crosses the plane. So it may miss contacts: where the way to the plane leads away from it first, over the border of a patch, or where
//! a triangle is reached from the wrong side. Each pair that is found is tested exactly.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use xcollide_bvh::Counter;
use xcollide_math::vector::{cross, dot, sub};
use xcollide_predicates::triangles_intersect;

use super::side::Side;
use crate::pair_search::TrianglePair;

/// A triangle in the queue.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    place: usize,
    /// The signed distance that a neighbour has to be within, times the length of the normal.
    distance: f64,
    crosses: bool,
}

/// The queue, kept from leaf to leaf.
#[derive(Default)]
pub(super) struct NeighbourQueue(VecDeque<Waiting>);

impl NeighbourQueue {
    /// Shows `found` pairs of triangles of two patches that meet, not all of them; O(triangles of both) steps a triangle of
    /// `q`.
    pub(super) fn each_contact(
        &mut self,
        p: &Side<'_>,
        q: &Side<'_>,
        work: &mut impl Counter,
        found: &mut impl FnMut(TrianglePair) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (t, of_q) in q.patch.triangles.iter().enumerate() {
            let outer = q.triangle(t);
            let normal = cross(sub(outer[1], outer[0]), sub(outer[2], outer[0]));
            let height = |point| dot(normal, sub(point, outer[0]));
            let heights = p.triangle(0).map(height);
            let nearest = heights.into_iter().min_by(|s, t| s.abs().total_cmp(&t.abs()));
            let crosses = heights.iter().any(|&h| h <= 0.0) && heights.iter().any(|&h| h >= 0.0);
            let mut seen = [0_u64; 4];
            seen[0] = 1;
            self.0.clear();
            self.0.push_back(Waiting { place: 0, distance: nearest.unwrap_or(0.0), crosses });
            while let Some(Waiting { place, distance, crosses }) = self.0.pop_front() {
                if crosses {
                    work.primitives(1);
                    if triangles_intersect(&p.triangle(place), &outer) {
                        let number = p.patch.triangles[place].number;
                        found(TrianglePair(number as usize, of_q.number as usize))?;
                    }
                }
                for next in p.patch.triangles[place].neighbours() {
                    if seen[next / 64] >> (next % 64) & 1 == 1 {
                        continue;
                    }
                    seen[next / 64] |= 1 << (next % 64);
                    let own = p.patch.triangles[place].corners;
                    let corners = p.patch.triangles[next].corners;
                    let apex = corners.iter().find(|corner| !own.contains(corner));
                    let (new, crosses) = match apex {
                        Some(&apex) => {
                            let new = height(p.points[usize::from(apex)]);
                            (new, new * distance <= 0.0)
                        }
                        None => (distance, crosses),
                    };
                    let is_closer = new.abs() <= distance.abs();
                    let kept = if is_closer { new } else { distance };
                    let waiting = Waiting { place: next, distance: kept, crosses };
                    if crosses {
                        self.0.push_front(waiting);
                    } else if is_closer {
                        self.0.push_back(waiting);
                    }
                }
            }
            work.go_on()?;
        }
        ControlFlow::Continue(())
    }
}
