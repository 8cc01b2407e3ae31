//! Which vertex, edge or face of a hull carries a nearest point.
//!
//! The simplex that Gilbert's algorithm ends with names the vertices: from each hull one, two or
//! three different ones (Chung 1996, 5.1: "we can find not only the closest pair of points but also
//! the closest pair of features").

use crate::gjk::distance::Nearest;
use crate::pair::{Body, Pair};
use xcollide_math::vector::{cross, dot, sub, unit};

/// A feature of a [`Polytope`](crate::Polytope), by its own numbers of vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Carrier {
    /// A vertex.
    Vertex(u32),
    /// An edge, by its ends, the lower number first.
    Edge([u32; 2]),
    /// A face: its place among the [facets](crate::Polytope::facets).
    Face(u32),
}

impl Nearest {
    /// The features that carry the nearest points; `None` where the hulls meet.
    ///
    /// The smallest ones that hold the points, up to rounding: a point within rounding of an edge may
    /// be said to be on either face. Linear in the faces.
    #[must_use]
    pub fn carriers(&self, pair: &Pair<'_>) -> Option<[Carrier; 2]> {
        if self.distance == 0.0 {
            return None;
        }
        Some([(0, pair.a()), (1, pair.b())].map(|(side, body)| {
            let mut vertices: Vec<u32> =
                self.simplex.ends().iter().map(|ends| ends[side]).collect();
            vertices.sort_unstable();
            vertices.dedup();
            carrier(body, &vertices, self.points[side])
        }))
    }
}

fn carrier(body: &Body<'_>, vertices: &[u32], point: [f64; 3]) -> Carrier {
    let polytope = body.polytope();
    match *vertices {
        [v] => return Carrier::Vertex(v),
        [v, w] if polytope.neighbours(v).contains(&w) => return Carrier::Edge([v, w]),
        _ => {}
    }
    let mut best = (0, f64::NEG_INFINITY);
    for (index, corners) in polytope.facets().enumerate() {
        let shared = corners.iter().filter(|corner| vertices.contains(corner)).count();
        if shared == vertices.len() {
            return Carrier::Face(index as u32);
        }
        // Where the vertices are of faces that are coplanar but for rounding, the point is on one of
        // these, and which, geometry must tell.
        if shared > 0 {
            let normal = body.turned(polytope.gauss_map().faces()[index].normal);
            let at = |i: usize| body.position(corners[i % corners.len()]);
            let within = |i: usize| {
                let inwards = cross(normal, sub(at(i + 1), at(i)));
                unit(inwards).map_or(0.0, |inwards| dot(inwards, sub(point, at(i))))
            };
            let least = (0..corners.len()).map(within).fold(f64::INFINITY, f64::min);
            let depth = least.min(0.0) - dot(normal, sub(point, at(0))).abs();
            if depth > best.1 {
                best = (index as u32, depth);
            }
        }
    }
    Carrier::Face(best.0)
}
