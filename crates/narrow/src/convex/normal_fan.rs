//! The normal fan of a polytope, to look farthest vertices up in.

use xcollide_brep::{ConvexHull, Dcel};
use xcollide_tree::{FanArc, NormalFan};

use super::gauss_map::true_faces;
use super::polytope::Polytope;
use super::vector::{Vector, cross, dot, negated, sub};

/// Arcs longer than a third of a turn are cut in two: in thin bodies they are nearly half turns, and where
/// those run only their edges tell.
const LONG: f64 = -0.5;

/// The fan of a polytope; `None` where it has no volume.
pub(super) fn normal_fan(polytope: &Polytope, hull: &ConvexHull) -> Option<NormalFan> {
    if hull.dimension() < 3 {
        return None;
    }
    let faces = true_faces(hull, polytope);
    let dcel = Dcel::new(hull.mesh());
    let mut arcs = Vec::with_capacity(3 * polytope.len());
    for edge in dcel.edges() {
        let side = dcel.first_side(edge);
        let Some(twin) = dcel.twin(side) else { continue };
        let ends = [dcel.origin(side).0, dcel.target(side).0];
        let [m, n] = [side, twin].map(|side| faces[dcel.face(side).index()].normal);
        if dot(m, n) >= LONG {
            arcs.push(FanArc { normals: [m, n], ends });
        } else {
            let middle = outward(polytope, ends, m);
            arcs.extend([[m, middle], [middle, n]].map(|normals| FanArc { normals, ends }));
        }
    }
    Some(NormalFan::new(polytope.positions(), &arcs))
}

/// Across an edge and the normal of one of its faces: along it the edge is farthest, too, if its faces are
/// at a sharp angle.
fn outward(polytope: &Polytope, [p, q]: [u32; 2], normal: Vector) -> Vector {
    let [p, q] = [p, q].map(|vertex| polytope.position(vertex));
    let across = cross(normal, sub(q, p));
    if dot(across, sub(p, polytope.centre())) < 0.0 { negated(across) } else { across }
}
