//! Tight boxes, found for every orientation by hill climbing (I-COLLIDE 4.1).

use super::{Bounding, BoundsMemory};
use crate::bounds::Aabb;
use crate::broad::Bounds;
use crate::convex::{Polytope, VertexSearch};
use crate::narrow::convex::polytope_of;
use crate::narrow::{Model, Placed};

/// The tightest axis-aligned box, up to some units in the last place. Hill climbing from the extreme
/// vertices of the last frame finds the six extreme vertices of the convex hull; small hulls are searched
/// linearly.
///
/// Expected constant time while the object turns slowly; some hundred nanoseconds. Prepares the convex hull
/// of each model in O(n log n). Saves candidates for long or flat objects.
#[derive(Clone, Copy, Debug, Default)]
pub struct DynamicBox;

/// Bounds the rounding of three products, three sums and a map: at most half a unit in the last place of
/// the sum of magnitudes each, some twice.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// The unit of [`VertexSearch::slack`], rounded up.
const SLACK: f64 = 8.000_001 * f64::EPSILON;

impl Bounding for DynamicBox {
    fn name(&self) -> &'static str {
        "dynamic-box"
    }

    fn prepare(&self, model: &Model) -> BoundsMemory {
        BoundsMemory::of(polytope_of(model))
    }

    fn bounds(&self, placed: Placed<'_>, memory: &mut BoundsMemory, bounds: &mut Bounds) {
        let mut hints = memory.hints;
        let polytope = memory.shape::<Polytope>().filter(|hull| hull.is_certifiable());
        bounds.aabb = match polytope {
            Some(polytope) => tight(polytope, placed, &mut hints),
            None => placed.world_box(),
        };
        memory.hints = hints;
    }
}

/// The box of the six extreme vertices, widened by the error bound of a height.
fn tight(polytope: &Polytope, placed: Placed<'_>, hints: &mut [u32; 6]) -> Aabb {
    let transform = placed.pose();
    let translation = transform.translation();
    let mut aabb = Aabb::EMPTY;
    for (axis, row) in transform.rotation().iter().enumerate() {
        let margin = ROUNDING * (2.0 * polytope.reach() + translation[axis].abs());
        for (sign, hint) in [-1.0, 1.0].into_iter().zip(&mut hints[2 * axis..]) {
            let (vertex, slack) = farthest(polytope, row.map(|value| sign * value), *hint);
            *hint = vertex;
            let coordinate = transform.apply(polytope.position(vertex))[axis];
            // A row of the matrix may be longer than 1 by 1e-6.
            let margin = margin + 1.001 * SLACK * slack * polytope.reach();
            if sign < 0.0 {
                aabb.min[axis] = coordinate - margin;
            } else {
                aabb.max[axis] = coordinate + margin;
            }
        }
    }
    aabb
}

/// A farthest vertex and its slack; by brute force for small hulls and if hill climbing has no finite slack.
fn farthest(polytope: &Polytope, direction: [f64; 3], near: u32) -> (u32, f64) {
    if polytope.len() > VertexSearch::ALL_VERTICES_UP_TO {
        let vertex = VertexSearch::Climbing.farthest(polytope, direction, near);
        let slack = VertexSearch::Climbing.slack(polytope, vertex);
        if slack.is_finite() {
            return (vertex, slack);
        }
    }
    let vertex = VertexSearch::AllVertices.farthest(polytope, direction, near);
    (vertex, VertexSearch::AllVertices.slack(polytope, vertex))
}
