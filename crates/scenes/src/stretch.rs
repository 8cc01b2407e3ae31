//! Meshes stretched along the axes.

use xcollide_brep::{MeshError, PolygonMesh, VertexId};

/// The mesh with `middle` moved to the origin and then stretched; faces keep their outer side if mirrored.
pub(crate) fn stretched(
    mesh: &PolygonMesh,
    middle: [f64; 3],
    factors: [f64; 3],
) -> Result<PolygonMesh, MeshError> {
    let place = |p: &[f64; 3]| [0, 1, 2].map(|k| (p[k] - middle[k]) * factors[k]);
    let mut placed = PolygonMesh::from_positions(mesh.positions().iter().map(place).collect())?;
    let mirrored = factors.iter().filter(|factor| **factor < 0.0).count() % 2 == 1;
    for face in mesh.faces() {
        let numbers = |contour: &[VertexId]| -> Vec<u32> {
            let numbers = contour.iter().map(|vertex| vertex.0);
            if mirrored { numbers.rev().collect() } else { numbers.collect() }
        };
        let holes: Vec<Vec<u32>> = face.holes().map(numbers).collect();
        let holes: Vec<&[u32]> = holes.iter().map(Vec::as_slice).collect();
        placed.push_face_with_holes(&numbers(face.outer()), &holes)?;
    }
    Ok(placed)
}
