//! The flags of a mesh whose vertices moved, without the lists of a [`Classification`](super::Classification).

use super::faces::FaceShape;
use crate::convexity::is_convex_body;
use crate::planarity::base_corners;
use crate::{Dcel, FaceId, PolygonMesh, Topology};

/// The flags of the mesh; `before` are those of the same faces over other positions. O(n); allocates nothing, as a
/// rule.
pub(super) fn renewed(mesh: &PolygonMesh, dcel: &Dcel, before: Topology) -> Topology {
    let of_positions = Topology::PLANAR_FACES | Topology::CONVEX_FACES | Topology::CONVEX;
    let mut flags = (before - of_positions) | Topology::PLANAR_FACES | Topology::CONVEX_FACES;
    let mut exact = true;
    for face in mesh.faces() {
        let shape = FaceShape::of(mesh, face);
        if !shape.convex {
            flags.remove(Topology::CONVEX_FACES);
        }
        if !shape.is_planar() {
            flags.remove(Topology::PLANAR_FACES);
        }
        exact &= shape.deviation.is_none();
        if !flags.intersects(Topology::PLANAR_FACES | Topology::CONVEX_FACES) {
            return flags;
        }
    }
    if flags.contains(Topology::all() - Topology::CONVEX) {
        let base = |face: FaceId| base_corners(mesh, mesh.face(face).corners()).unwrap_or_default();
        flags.set(Topology::CONVEX, is_convex_body(mesh, dcel, &base, exact));
    }
    flags
}
