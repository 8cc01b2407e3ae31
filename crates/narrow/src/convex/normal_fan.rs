//! The normal fan of a polytope, to look farthest vertices up in.
//!
//! Cells know all vertices whose cones come nearer to them than a hundred thousandth of a cell. Normals of
//! faces that are no slivers are known to 1e-9, and arcs between them, cut where they are long, to not much
//! more, which is a millionth of a cell. So of a hull without slivers, and without edges that rounding of
//! heights could hide, a cell knows *all* vertices that may be farthest along its directions, and what is
//! looked up is as high as what is found by looking at all: it has the same slack. Of other hulls it is
//! only where to climb from.

use xcollide_brep::{ConvexHull, Dcel, VertexId};
use xcollide_tree::{FanArc, NormalFan};

use super::gauss_map::true_faces;
use super::polytope::Polytope;
use super::vector::{Vector, add, cross, dot, negated, square, sub};

/// Arcs longer than a third of a turn are cut in two: in thin bodies they are nearly half turns, and where
/// those run only their edges tell.
const LONG: f64 = -0.5;

/// A face is a sliver where the cross products of ways along its border are so short, compared with those
/// ways: then its normal is known to 1e-9 no more.
const SLIVER: f64 = 1e-6;

/// Compared with how far from the origin of its frame the polytope reaches.
const SHORT: f64 = 1e-9;

/// A fan, and what it can be relied on for.
#[derive(Debug)]
pub(super) struct Fan {
    pub(super) fan: NormalFan,
    /// Whether nothing is higher than what is looked up, but for the rounding of two heights.
    pub(super) is_exact: bool,
}

/// The fan of a polytope; `None` where it has no volume, or too many vertices.
pub(super) fn normal_fan(polytope: &Polytope, hull: &ConvexHull) -> Option<Fan> {
    if hull.dimension() < 3 || polytope.len() > NormalFan::MOST_POINTS {
        return None;
    }
    let faces = true_faces(hull, polytope);
    let mut is_exact = hull.mesh().faces().all(|face| is_no_sliver(polytope, face.outer()));
    let dcel = Dcel::new(hull.mesh());
    let mut arcs = Vec::with_capacity(3 * polytope.len());
    for edge in dcel.edges() {
        let side = dcel.first_side(edge);
        let Some(twin) = dcel.twin(side) else { continue };
        let ends = [dcel.origin(side).0, dcel.target(side).0];
        let [p, q] = ends.map(|vertex| polytope.position(vertex));
        is_exact &= square(sub(q, p)) > (SHORT * polytope.reach()).powi(2);
        let [m, n] = [side, twin].map(|side| faces[dcel.face(side).index()].normal);
        if dot(m, n) >= LONG {
            arcs.push(FanArc { normals: [m, n], ends });
        } else {
            let middle = outward(polytope, ends, m);
            arcs.extend([[m, middle], [middle, n]].map(|normals| FanArc { normals, ends }));
        }
    }
    Some(Fan { fan: NormalFan::new(polytope.positions(), &arcs), is_exact })
}

/// False for what is not a number, too.
fn is_no_sliver(polytope: &Polytope, corners: &[VertexId]) -> bool {
    let way = |to: VertexId| sub(polytope.position(to.0), polytope.position(corners[0].0));
    let (mut sum, mut lengths) = ([0.0; 3], 0.0);
    for pair in corners[1..].windows(2) {
        let (a, b) = (way(pair[0]), way(pair[1]));
        sum = add(sum, cross(a, b));
        lengths += (square(a) * square(b)).sqrt();
    }
    square(sum).sqrt() > SLIVER * lengths
}

/// Across an edge and the normal of one of its faces: along it the edge is farthest, too, if its faces are
/// at a sharp angle.
fn outward(polytope: &Polytope, [p, q]: [u32; 2], normal: Vector) -> Vector {
    let [p, q] = [p, q].map(|vertex| polytope.position(vertex));
    let across = cross(normal, sub(q, p));
    if dot(across, sub(p, polytope.centre())) < 0.0 { negated(across) } else { across }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use xcollide_scenes::{PolytopeKind, Random, polytope};

    use super::*;
    use crate::Model;
    use crate::convex::{BruteForce, Support};

    fn prepared(kind: PolytopeKind, vertices: usize) -> Option<Arc<Polytope>> {
        let model = Model::from_mesh(polytope(vertices, kind, 3).ok()?).ok()?;
        Some(Polytope::of(&model))
    }

    /// An exact fan finds the vertex that looking at all finds, to the bit, also along normals and nearly
    /// along them, where three vertices or more are equally far but for rounding.
    #[test]
    fn what_an_exact_fan_finds_is_as_high_as_anything() {
        let mut random = Random::new(12);
        let mut exact = 0;
        for kind in [PolytopeKind::Ellipsoid, PolytopeKind::Rod, PolytopeKind::Plate] {
            for vertices in [33, 60, 250, 1100] {
                let Some(polytope) = prepared(kind, vertices) else { continue };
                let Some(Fan { fan, is_exact: true }) = polytope.any_fan() else { continue };
                exact += 1;
                let normals = polytope.gauss_map().faces().iter().map(|face| face.normal);
                let near = normals.flat_map(|n| {
                    let aside = random.direction();
                    [0.0, 1e-16, 1e-9, 1e-6].map(|far| add(n, aside.map(|x| far * x)))
                });
                let near: Vec<Vector> = near.collect();
                let anywhere = (0..2000).map(|_| random.direction());
                for direction in near.into_iter().chain(anywhere) {
                    let height = |vertex: u32| dot(direction, polytope.position(vertex));
                    let best = BruteForce(&polytope).farthest(direction, 0);
                    let found = fan.farthest(direction) as u32;
                    assert_eq!(height(found).to_bits(), height(best).to_bits(), "{direction:?}");
                }
            }
        }
        assert!(exact > 8, "{exact}");
    }

    #[test]
    fn slivers_and_short_edges_make_a_fan_inexact() {
        let with = |odd: [Vector; 2]| {
            let mut points: Vec<Vector> = (0..40)
                .map(|i| {
                    let [z, turn] = [f64::from(i) / 20.0 - 0.975, 2.4 * f64::from(i)];
                    let ring = (1.0 - z * z).sqrt();
                    [ring * turn.cos(), ring * turn.sin(), z]
                })
                .collect();
            points.extend(odd);
            let hull = ConvexHull::of(&points).ok()?;
            let model = Model::from_mesh(hull.mesh().clone()).ok()?;
            Some(Polytope::of(&model).any_fan()?.is_exact)
        };
        assert_eq!(with([[1.1, 0.0, 0.0], [0.0, 1.1, 0.1]]), Some(true));
        assert_eq!(with([[1.1, 0.0, 0.0], [1.1, 0.0, 1e-10]]), Some(false));
        // Far out and near each other: the triangles at their edge are slivers, if it is none.
        assert_eq!(with([[30.0, 0.0, 0.0], [30.0, 1e-8, 0.0]]), Some(false));
    }
}
