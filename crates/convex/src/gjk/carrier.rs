//! The vertex, edge or face of a hull that carries a nearest point.
//!
//! The final simplex of GJK names its vertices: one, two or three different ones of each hull (Chung 1996, 5.1: "we can
//! find not only the closest pair of points but also the closest pair of features").

use crate::body::Body;
use crate::gjk::distance::Nearest;
use crate::pair::Pair;
use crate::voronoi::HullFeature;
use xcollide_math::vector::{cross, dot, sub, unit};

impl Nearest {
    /// The smallest features that hold the nearest points, up to rounding: near an edge, either face may be named.
    /// `None` if the hulls meet. Linear in the faces.
    #[must_use]
    pub fn carriers(&self, pair: &Pair<'_>) -> Option<[HullFeature; 2]> {
        if self.distance == 0.0 {
            return None;
        }
        Some([(0, pair.a()), (1, pair.b())].map(|(side, body)| {
            let vertices: Vec<u32> = self.simplex.ends().iter().map(|ends| ends[side]).collect();
            let smallest = body.polytope().regions().smallest(&vertices);
            smallest.unwrap_or_else(|| nearest_face(body, &vertices, self.points[side]))
        }))
    }
}

/// For vertices of faces that are coplanar but for rounding: the face of one of them that is nearest to the point.
fn nearest_face(body: &Body<'_>, vertices: &[u32], point: [f64; 3]) -> HullFeature {
    let polytope = body.polytope();
    let mut best = (0, f64::NEG_INFINITY);
    for (index, corners) in polytope.facets().enumerate() {
        if corners.iter().any(|corner| vertices.contains(corner)) {
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
    HullFeature::Face(best.0)
}
