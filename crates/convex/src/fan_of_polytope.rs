//! The normal fan of a polytope, and whether it is exact.
//!
//! A cell lists all vertices whose cones come nearer to it than a hundred thousandth of a cell. The normals of faces that
//! are no slivers are known to 1e-9, and arcs between them, cut if they are long, to little more: a millionth of a cell.
//! So for a hull without slivers, and without edges that the rounding of heights could hide, a cell lists *all* vertices
//! that may be farthest along its directions, and the vertex found has the slack of brute force. For other hulls it is a
//! start for climbing: mostly the answer and never far below, as slivers borrow the normals of their neighbours.

use crate::facet_adjacency::FacetAdjacency;
use crate::facets::Facets;
use crate::gauss_map::{Facet, true_faces};
use crate::normal_fan::{FanArc, NormalFan};
use crate::polytope::Polytope;
use xcollide_math::vector::{add, cross, dot, length_squared, neg, sub};

/// Arcs longer than a third of a turn are cut in two: in thin bodies they are nearly half turns, whose plane only the edge
/// determines.
const LONG: f64 = -0.5;

/// A face with less [`clearness`] is a sliver: its normal is not known to 1e-9.
const SLIVER: f64 = 1e-6;

/// With less clearness a normal means nothing.
const CLEAR: f64 = 1e-12;

/// The rounding of heights may hide edges shorter than this part of the reach. Without such edges, along directions a
/// fifth of a cell inside of a cone, all other vertices are lower by 1e-11.
const SHORT: f64 = 1e-6;

/// A fan and its accuracy.
#[derive(Debug)]
pub(crate) struct Fan {
    pub(crate) fan: NormalFan,
    /// Whether no vertex is higher than the one from the fan, except for the rounding of two heights.
    pub(crate) is_exact: bool,
}

impl Fan {
    /// Memory, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.fan.bytes()
    }
}

/// The fan of a polytope; `None` without volume, or with too many vertices.
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

/// The length of the cross products along the border of a face relative to the products of lengths: for a triangle, the
/// sine of an angle. The normal is known to some 1e-15 over this. 0 for NaN.
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

/// Gives faces without clearness the normal of the face across their longest edge, as if they were folded onto it, so that
/// the arcs of their edges connect.
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

/// A direction across an edge and the normal of one of its faces: the edge is also farthest along it if its faces meet at
/// a sharp angle.
fn outward(polytope: &Polytope, [p, q]: [u32; 2], normal: [f64; 3]) -> [f64; 3] {
    let [p, q] = [p, q].map(|vertex| polytope.position(vertex));
    let across = cross(normal, sub(q, p));
    if dot(across, sub(p, polytope.center())) < 0.0 { neg(across) } else { across }
}

#[cfg(test)]
mod tests;
