//! The triangles of two patches that meet (Daneu 2002, 3.4.2, made exact).

use std::ops::ControlFlow;

use xcollide_bounds::Aabb;
use xcollide_predicates::triangles_intersect;

use super::side::Side;
use crate::pair_search::TrianglePair;
use xcollide_bvh::Counter;

/// Shows `found` each pair of triangles of two patches that meet, until it breaks off.
///
/// Boxes over the rounded world positions filter, exactly, and the triangle test decides.
pub(crate) fn each(
    mut p: Side<'_>,
    mut q: Side<'_>,
    work: &mut impl Counter,
    found: &mut impl FnMut(TrianglePair) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let around_q = q.boxes().iter().fold(Aabb::EMPTY, |all, bounds| all.merged(bounds));
    for s in 0..p.patch.triangles.len() {
        let around = p.boxes()[s];
        if !around.overlaps(&around_q) {
            continue;
        }
        let triangle = p.triangle(s);
        for t in 0..q.patch.triangles.len() {
            if !around.overlaps(&q.boxes()[t]) {
                continue;
            }
            work.primitives(1);
            if triangles_intersect(&triangle, &q.triangle(t)) {
                let numbers = (p.patch.triangles[s].number, q.patch.triangles[t].number);
                found(TrianglePair(numbers.0 as usize, numbers.1 as usize))?;
            }
        }
        work.go_on()?;
    }
    ControlFlow::Continue(())
}
