//! Triangles along a ray, found by a hierarchy of patches: for the question whether a body lies in
//! another.

use std::ops::ControlFlow;

use xcollide_bounds::Motion;
use xcollide_predicates::Point;
use xcollide_tree::patch::{PatchOptions, PatchTree};
use xcollide_tree::{Overlapping, Pairing};

use super::prepared;
use crate::Placed;
use crate::closed::Rays;

/// The ray is a patch of one triangle with two corners.
pub(super) struct PatchRays;

impl Rays for PatchRays {
    fn along(&mut self, placed: Placed<'_>, ray: [Point; 2], found: &mut Vec<u32>) -> bool {
        let prepared = prepared(placed.model());
        let Some(tree) = &prepared.0 else { return false };
        let Ok(ray) = PatchTree::build(&ray, &[[0, 1, 1]], &PatchOptions::default()) else {
            return false;
        };
        let moved = (tree.hierarchy(), placed.transform().motion());
        let mut visitor = Overlapping(|patch: u32, _| {
            let patch = tree.patches().patch(patch as usize);
            found.extend(patch.triangles.iter().map(|triangle| triangle.number));
            ControlFlow::Continue(())
        });
        let _ = Pairing::new(moved, (ray.hierarchy(), &Motion::IDENTITY)).visit(&mut visitor);
        true
    }
}
