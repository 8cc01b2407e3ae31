//! The Gauss map of a polytope: faces as points of the sphere, edges as arcs between them.
//!
//! A direction belongs to the vertex that is farthest along it. So each vertex has a region of the sphere of directions,
//! two regions share an arc if their vertices share an edge, and arcs meet in the normals of faces.
//!
//! ```text
//!                n₁                 Along the arc from n₁ to n₂ the edge of A is farthest. Where it
//!         v      │     w            crosses an arc of the *other* map, turned over, both edges are
//!     ───────────┼───────────       extreme: there, and nowhere else, two edges span a face of the
//!      arc of B  │ arc of A         Minkowski difference. Crossings are found by walking along the
//!                n₂                 arc from region to region, as from v to w.
//! ```
//!
//! So only pairs of edges that can separate are tested, and finding them takes a time that grows with their number and not
//! with the number of pairs.
//!
//! Source: slope diagrams, Bekker and Roerdink 2001; Fogel and Halperin, *Exact and efficient construction of Minkowski
//! sums of convex polyhedra*, 2007; Gregorius, *The separating axis test between convex polyhedra*, 2013, whose test of
//! two arcs against each other the walk replaces.

use crate::body::UNIT;
use crate::facet_adjacency::FacetAdjacency;
use crate::facets::Facets;
use crate::polytope::Polytope;
use xcollide_math::vector::{add, cross, dot, length, neg, perpendicular, sub, taxicab, unit};

/// The normals of the faces of a polytope, and its edges as arcs between normals. In the polytope's frame, rounded: a hint,
/// no proof.
///
/// A polytope of lower dimension has the limit of the maps of thin bodies around it: a polygon that of a prism without
/// height, a segment and a point those of boxes. Their additional faces come after the true ones. The
/// limit has all axes that can separate a thin body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GaussMap {
    faces: Vec<Facet>,
    true_faces: usize,
    arcs: Vec<Arc>,
}

impl GaussMap {
    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.faces) + size_of_val(&*self.arcs)
    }
}

/// A face.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Facet {
    /// Outward, of length 1.
    pub normal: [f64; 3],
    /// A corner.
    pub vertex: u32,
    /// How far the normal of a facet may be from the true one; infinite for the faces of a limit, which are no facets.
    pub error: f64,
}

/// An edge: it is farthest along the directions between the normals of two faces.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Arc {
    pub(crate) faces: [u32; 2],
    /// One of its ends.
    pub(crate) vertex: u32,
    /// From there to the other end, of any length; also in a limit, where both ends are the same vertex.
    pub(crate) direction: [f64; 3],
}

impl GaussMap {
    /// The map of a polytope, in linear time.
    pub(crate) fn of(polytope: &Polytope) -> Self {
        let Some(adjacency) = polytope.adjacency() else { return Self::default() };
        match polytope.dimension() {
            3 => Self::of_body(&adjacency, polytope),
            2 => Self::of_prism(polytope),
            _ => Self::of_box(polytope),
        }
    }

    /// All faces, the true ones first.
    #[inline]
    #[must_use]
    pub fn faces(&self) -> &[Facet] {
        &self.faces
    }

    /// The faces of the polytope: all of them for a body, two for a polygon, none for a segment or a point.
    #[inline]
    pub(crate) fn true_faces(&self) -> &[Facet] {
        &self.faces[..self.true_faces]
    }

    /// The edges.
    #[inline]
    pub(crate) fn arcs(&self) -> &[Arc] {
        &self.arcs
    }

    fn of_body(adjacency: &FacetAdjacency<'_>, polytope: &Polytope) -> Self {
        let faces = true_faces(polytope, &polytope.facets);
        let arc = |side| {
            let [from, to] = [adjacency.origin(side), adjacency.target(side)];
            Arc {
                faces: [adjacency.facet(side), adjacency.facet(adjacency.twin(side))],
                vertex: from,
                direction: sub(polytope.position(to), polytope.position(from)),
            }
        };
        let arcs = adjacency.first_sides().map(arc).collect();
        Self { true_faces: faces.len(), faces, arcs }
    }

    /// A polygon: two sides, and between them a rectangle of no height at each edge.
    fn of_prism(polytope: &Polytope) -> Self {
        let mut faces = true_faces(polytope, &polytope.facets);
        let (true_faces, mut arcs) = (faces.len(), Vec::new());
        let corners = polytope.facets.get(0);
        let count = corners.len();
        for (i, &vertex) in corners.iter().enumerate() {
            let [here, next] = [vertex, corners[(i + 1) % count]].map(|v| polytope.position(v));
            let (direction, up) = (sub(next, here), faces[0].normal);
            let Some(normal) = unit(cross(direction, up)) else { continue };
            let rectangle = faces.len() as u32;
            faces.push(Facet { normal, vertex, error: f64::INFINITY });
            arcs.extend([0, 1].map(|side| Arc { faces: [side, rectangle], vertex, direction }));
        }
        let rectangles = true_faces as u32..faces.len() as u32;
        for face in rectangles.clone() {
            let before = if face == rectangles.start { rectangles.end - 1 } else { face - 1 };
            let (vertex, direction) = (faces[face as usize].vertex, faces[0].normal);
            arcs.push(Arc { faces: [before, face], vertex, direction });
        }
        Self { faces, true_faces, arcs }
    }

    /// A segment or a point: a box of no width.
    fn of_box(polytope: &Polytope) -> Self {
        let ends = [0, polytope.len() as u32 - 1];
        let line = sub(polytope.position(ends[1]), polytope.position(ends[0]));
        let along = unit(line).unwrap_or([1.0, 0.0, 0.0]);
        let side = unit(perpendicular(along)).unwrap_or([0.0, 1.0, 0.0]);
        let axes = [along, side, cross(along, side)];
        let mut faces = Vec::new();
        for (axis, &normal) in axes.iter().enumerate() {
            let (vertex, error) = (if axis == 0 { ends[1] } else { ends[0] }, f64::INFINITY);
            faces.push(Facet { normal, vertex, error });
            faces.push(Facet { normal: neg(normal), vertex: ends[0], error });
        }
        let mut arcs = Vec::new();
        for (axis, &direction) in axes.iter().enumerate() {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|axis| 2 * axis as u32);
            for faces in [[u, v], [u, v + 1], [u + 1, v], [u + 1, v + 1]] {
                // An edge across the segment is at the end of its face.
                let vertex = if faces.contains(&0) { ends[1] } else { ends[0] };
                arcs.push(Arc { faces, vertex, direction });
            }
        }
        Self { faces, true_faces: 0, arcs }
    }
}

/// The facets with their normals, by Newell's sum over the corners.
pub(crate) fn true_faces(polytope: &Polytope, facets: &Facets) -> Vec<Facet> {
    let facet = |corners: &[u32]| {
        let first = polytope.position(corners[0]);
        let at = |i: usize| sub(polytope.position(corners[i]), first);
        let sum = |sum, i| add(sum, cross(at(i), at(i + 1)));
        let sides = 1..corners.len() - 1;
        let sum = sides.clone().fold([0.0; 3], sum);
        let Some(normal) = unit(sum) else {
            return Facet { normal: [0.0; 3], vertex: corners[0], error: f64::INFINITY };
        };
        // Each product is rounded, and that of offsets which are rounded; so is each of the sums.
        let products = sides.map(|i| taxicab(at(i)) * taxicab(at(i + 1))).sum::<f64>();
        let roundings = 8.0 + corners.len() as f64;
        let error = UNIT * (4.0 * roundings * products / length(sum) + 8.0);
        Facet { normal, vertex: corners[0], error }
    };
    facets.iter().map(facet).collect()
}

/// Walks through the regions of a polytope's Gauss map along an arc of directions of less than half a circle, and calls
/// `crossed` with the two vertices of each edge that it crosses, in order, until that returns `false`. `start` must be
/// farthest along the first direction.
///
/// The walk ends because each step goes to a vertex with a greater computed height along the last direction. Heights of
/// differences would not do: rounded, they need not sum up to zero around a level face.
#[inline]
pub(crate) fn walk(
    polytope: &Polytope,
    [first, last]: [[f64; 3]; 2],
    start: u32,
    mut crossed: impl FnMut(u32, u32) -> bool,
) {
    let mut at = start;
    loop {
        let here = polytope.position(at);
        let height = dot(last, here);
        // Along (1 − t) first + t last the neighbour gets as high as this vertex where
        // t = fall / (fall + rise); the smallest such t is where the arc leaves the region.
        let (mut next, mut best_fall, mut best_rise) = (at, 0.0, 0.0);
        for &neighbour in polytope.neighbours(at) {
            let there = polytope.position(neighbour);
            let rise = dot(last, there) - height;
            if rise > 0.0 {
                // Negative only by rounding, or if two are equally high at the start.
                let fall = (-dot(first, sub(there, here))).max(0.0);
                if next == at || fall * best_rise < best_fall * rise {
                    (next, best_fall, best_rise) = (neighbour, fall, rise);
                }
            }
        }
        if next == at || !crossed(at, next) {
            return;
        }
        at = next;
    }
}

#[cfg(test)]
mod tests;
