//! Triangles along a ray, found by a hierarchy of patches: for the question whether a body lies in
//! another.

use std::ops::ControlFlow;

use xcollide_predicates::Point;

use super::prepared;
use crate::Placed;
use crate::point_in_polyhedron::Rays;

/// All triangles of the patches whose volumes the ray meets.
pub(crate) struct PatchRays;

impl Rays for PatchRays {
    fn along(&mut self, placed: Placed<'_>, ray: [Point; 2], found: &mut Vec<u32>) -> bool {
        let Some(tree) = prepared(placed.model()) else { return false };
        let _ = tree.hierarchy().segment_query(placed.pose(), ray, |patch| {
            let patch = tree.patches().patch(patch as usize);
            found.extend(patch.triangles.iter().map(|triangle| triangle.number));
            ControlFlow::Continue(())
        });
        true
    }
}
