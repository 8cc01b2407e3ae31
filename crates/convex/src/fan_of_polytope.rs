//! The normal fan of a polytope, to look farthest vertices up in.
//!
//! Cells know all vertices whose cones come nearer to them than a hundred thousandth of a cell. Normals of
//! faces that are no slivers are known to 1e-9, and arcs between them, cut where they are long, to not much
//! more, which is a millionth of a cell. So of a hull without slivers, and without edges that rounding of
//! heights could hide, a cell knows *all* vertices that may be farthest along its directions, and what is
//! looked up is as high as what is found by looking at all: it has the same slack. Of other hulls it is
//! where to climb from, mostly the answer and never far below it, as slivers borrow the normals of their
//! neighbours.

use crate::facet_adjacency::FacetAdjacency;
use crate::facets::Facets;
use crate::gauss_map::{Facet, true_faces};
use crate::normal_fan::{FanArc, NormalFan};
use crate::polytope::Polytope;
use xcollide_math::vector::{add, cross, dot, length_squared, neg, sub};

/// Arcs longer than a third of a turn are cut in two: in thin bodies they are nearly half turns, and where
/// those run only their edges tell.
const LONG: f64 = -0.5;

/// A face is a sliver where it is less [clear](clearness) than this: then its normal is known to 1e-9 no
/// more.
const SLIVER: f64 = 1e-6;

/// And where it is less clear than this, it has none that means anything.
const CLEAR: f64 = 1e-12;

/// Edges shorter than this, compared with how far from the origin of its frame the polytope reaches, might
/// be hidden by the rounding of heights: with none, along directions a fifth of a cell inside of a cone all
/// other vertices are lower by 1e-11.
const SHORT: f64 = 1e-6;

/// A fan, and what it can be relied on for.
#[derive(Debug)]
pub(crate) struct Fan {
    pub(crate) fan: NormalFan,
    /// Whether nothing is higher than what is looked up, but for the rounding of two heights.
    pub(crate) is_exact: bool,
}

/// The fan of a polytope; `None` where it has no volume, or too many vertices.
pub(crate) fn normal_fan(
    polytope: &Polytope,
    facets: &Facets,
    adjacency: &FacetAdjacency<'_>,
) -> Option<Fan> {
    if facets.dimension() < 3 || polytope.len() > NormalFan::MOST_POINTS {
        return None;
    }
    let clear: Vec<f64> = facets.iter().map(|corners| clearness(polytope, corners)).collect();
    let mut is_exact = clear.iter().all(|&clear| clear > SLIVER);
    let mut faces = true_faces(polytope, facets);
    if clear.iter().any(|&clear| clear <= CLEAR) {
        lend_normals(polytope, adjacency, &clear, &mut faces);
    }
    let mut arcs = Vec::with_capacity(3 * polytope.len());
    for side in adjacency.first_sides() {
        let ends = [adjacency.origin(side), adjacency.target(side)];
        let [p, q] = ends.map(|vertex| polytope.position(vertex));
        is_exact &= length_squared(sub(q, p)) > (SHORT * polytope.reach()).powi(2);
        let both = [side, adjacency.twin(side)];
        let [m, n] = both.map(|side| faces[adjacency.facet(side) as usize].normal);
        if dot(m, n) >= LONG {
            arcs.push(FanArc { normals: [m, n], ends });
        } else {
            let middle = outward(polytope, ends, m);
            arcs.extend([[m, middle], [middle, n]].map(|normals| FanArc { normals, ends }));
        }
    }
    Some(Fan { fan: NormalFan::new(polytope.positions(), &arcs), is_exact })
}

/// How long the cross products of ways along the border of a face are, compared with those ways: the sine of
/// an angle of a triangle. Its normal is known to some 1e-15 over this. 0 for what is not a number.
fn clearness(polytope: &Polytope, corners: &[u32]) -> f64 {
    let way = |to: u32| sub(polytope.position(to), polytope.position(corners[0]));
    let (mut sum, mut lengths) = ([0.0; 3], 0.0);
    for pair in corners[1..].windows(2) {
        let (a, b) = (way(pair[0]), way(pair[1]));
        sum = add(sum, cross(a, b));
        lengths += (length_squared(a) * length_squared(b)).sqrt();
    }
    (length_squared(sum).sqrt() / lengths).max(0.0)
}

/// Faces that are next to nothing get the normal of that beside them across their longest edge, so that the
/// arcs of their edges hang together, as if they were folded onto that.
fn lend_normals(
    polytope: &Polytope,
    adjacency: &FacetAdjacency<'_>,
    clear: &[f64],
    faces: &mut [Facet],
) {
    let mut edges: Vec<(f64, [usize; 2])> = adjacency
        .first_sides()
        .map(|side| {
            let ends = [adjacency.origin(side), adjacency.target(side)];
            let [p, q] = ends.map(|vertex| polytope.position(vertex));
            let sides = [side, adjacency.twin(side)];
            (length_squared(sub(q, p)), sides.map(|side| adjacency.facet(side) as usize))
        })
        .collect();
    edges.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut known: Vec<bool> = clear.iter().map(|&clear| clear > CLEAR).collect();
    loop {
        let mut lent = false;
        for &(_, [f, g]) in &edges {
            if known[f] != known[g] {
                let (to, from) = if known[f] { (g, f) } else { (f, g) };
                faces[to].normal = faces[from].normal;
                (known[to], lent) = (true, true);
            }
        }
        if !lent {
            return;
        }
    }
}

/// Across an edge and the normal of one of its faces: along it the edge is farthest, too, if its faces are
/// at a sharp angle.
fn outward(polytope: &Polytope, [p, q]: [u32; 2], normal: [f64; 3]) -> [f64; 3] {
    let [p, q] = [p, q].map(|vertex| polytope.position(vertex));
    let across = cross(normal, sub(q, p));
    if dot(across, sub(p, polytope.center())) < 0.0 { neg(across) } else { across }
}

#[cfg(test)]
mod tests;
