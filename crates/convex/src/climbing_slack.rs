//! The slack of hill climbing: how much higher than its last vertex the polytope may be.
//!
//! If no neighbour of a vertex v is higher, v is a highest one: the whole polytope lies in the cone from v over its
//! neighbours. But heights are rounded, so a neighbour may be higher by an error η, and if v is nearly flat, many steps
//! of less than η each may lead up from it.
//!
//! ```text
//!        v                 Cut v off along its neighbours: between v and the rest of the polytope
//!       ╱│╲                runs a lid. A point x of the polytope is v + Σ μᵢ (wᵢ − v) with μᵢ ≥ 0,
//!     w₁─┼─w₂  the lid     so it is at most η · Σ μᵢ higher than v. The smallest Σ μᵢ is, by
//!    ╱   │   ╲             duality, the largest ratio of the distances of x and of the lid from
//!   ╱    x    ╲            v, measured along the normal of a face of the lid.
//! ```
//!
//! So the error of a height is at most η times the diameter over the distance of v from the nearest plane of its lid. That
//! factor is computed for each vertex once.

use crate::polytope::Polytope;
use xcollide_math::vector::{cross, dot, length_squared, sub};

/// With more neighbours, as at the tip of a cone, computing the lid takes too long.
const MOST_NEIGHBOURS: usize = 12;

/// Points within this part of the size of a plane count as on it.
const FLAT: f64 = 1e-12;

/// By vertex: the diameter over the distance from the lid, rounded up; infinite if not known.
pub(crate) fn slack(polytope: &Polytope) -> Vec<f32> {
    (0..polytope.len() as u32).map(|vertex| of_vertex(polytope, vertex)).collect()
}

fn of_vertex(polytope: &Polytope, vertex: u32) -> f32 {
    let around = polytope.neighbours(vertex);
    if !(3..=MOST_NEIGHBOURS).contains(&around.len()) || !polytope.is_certifiable() {
        return f32::INFINITY;
    }
    let origin = polytope.position(vertex);
    let edges: Vec<[f64; 3]> = around.iter().map(|&v| sub(polytope.position(v), origin)).collect();
    let diameter = 2.0 * polytope.radius();
    let mut nearest = diameter;
    for i in 2..edges.len() {
        for j in 1..i {
            for k in 0..j {
                let (a, b) = (sub(edges[j], edges[i]), sub(edges[k], edges[i]));
                let normal = cross(a, b);
                let length = length_squared(normal).sqrt();
                // Three neighbours on a line have no plane.
                if length <= 1e-9 * (length_squared(a) * length_squared(b)).sqrt() {
                    return f32::INFINITY;
                }
                // Signed distances from the plane, the vertex's own being positive.
                let own = -dot(normal, edges[i]) / length;
                let side = if own < 0.0 { -1.0 } else { 1.0 };
                let outside = |edge: &[f64; 3]| {
                    let height = side * dot(normal, sub(*edge, edges[i])) / length;
                    height > FLAT * diameter
                };
                // A plane of the lid has the vertex on one side and no neighbour with it.
                if !edges.iter().any(outside) {
                    nearest = nearest.min(own.abs() - FLAT * diameter);
                }
            }
        }
    }
    if nearest <= 0.0 { f32::INFINITY } else { (1.001 * diameter / nearest) as f32 }
}
