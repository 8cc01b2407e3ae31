//! What two faces share, and whether it covers all their common points: slow, exact, and independent of the fast tests.

use xcollide_bounds::Aabb;
use xcollide_brep::FaceId;
use xcollide_predicates::{Point, triangles_meet_outside};

use super::face_pair::edges_of;
use crate::{Model, Placed};

/// The vertices and edges that two faces have by number, as segments. O(n log n) in the corners.
fn shared(model: &Model, faces: [FaceId; 2]) -> Vec<[Point; 2]> {
    let mesh = model.mesh();
    // An edge from a vertex to itself is a vertex.
    let [mut of_a, mut of_b] = faces.map(|face| {
        let corners = mesh.face(face).corners().iter().map(|&vertex| [vertex; 2]);
        edges_of(mesh, face).chain(corners).collect::<Vec<_>>()
    });
    for features in [&mut of_a, &mut of_b] {
        features.sort_unstable();
        features.dedup();
    }
    of_a.retain(|feature| of_b.binary_search(feature).is_ok());
    of_a.iter().map(|ends| ends.map(|vertex| mesh.position(vertex))).collect()
}

/// Whether two triangles have a common point that is in no vertex and no edge that both faces have.
pub(super) fn meet_outside(model: &Model, faces: [FaceId; 2], triangles: [usize; 2]) -> bool {
    let placed = Placed::unmoved(model);
    let [s, t] = triangles.map(|triangle| placed.triangle(triangle));
    triangles_meet_outside(&s, &t, &shared(model, faces))
}

/// The first pair of faces that meet in more than what they share, by all pairs of triangles.
pub(super) fn first_pair(model: &Model) -> Option<[FaceId; 2]> {
    let (mesh, triangulation) = (model.mesh(), model.triangulation());
    let placed = Placed::unmoved(model);
    let boxes: Vec<Aabb> =
        (0..triangulation.len()).map(|t| Aabb::from_points(placed.triangle(t))).collect();
    let ids = || (0..mesh.face_count()).map(FaceId::from_index);
    ids().flat_map(|a| ids().skip(a.index() + 1).map(move |b| [a, b])).find(|&faces| {
        let [of_a, of_b] = faces.map(|face| triangulation.triangles_of(face));
        let mut pairs = of_a.flat_map(|s| of_b.clone().map(move |t| [s, t]));
        pairs.any(|[s, t]| boxes[s].overlaps(&boxes[t]) && meet_outside(model, faces, [s, t]))
    })
}
