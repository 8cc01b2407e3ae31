//! The box.

use xcollide_brep::{MeshError, PolygonMesh};

use crate::{Parameter, Shape};

const X: Parameter = Parameter::length("x", "length along x", 2.0);
const Y: Parameter = Parameter::length("y", "length along y", 2.0);
const Z: Parameter = Parameter::length("z", "length along z", 2.0);

/// Faces are exactly planar.
pub(crate) const SHAPE: Shape = Shape {
    name: "box",
    about: "box of six rectangles, by default a cube",
    parameters: &[X, Y, Z],
    build: |given| {
        let mut mesh = PolygonMesh::new();
        let lengths = given.numbers([&X, &Y, &Z]);
        push_box(&mut mesh, lengths.map(|length| [-0.5 * length, 0.5 * length]))?;
        Ok(mesh)
    },
};

/// Adds a box with these ranges along the axes.
pub(crate) fn push_box(mesh: &mut PolygonMesh, spans: [[f64; 2]; 3]) -> Result<(), MeshError> {
    let first = mesh.vertex_count() as u32;
    for corner in 0..8 {
        // Bit k of the corner's number selects the end of axis k.
        mesh.push_vertex([0, 1, 2].map(|axis| spans[axis][corner >> axis & 1]))?;
    }
    for face in OUTWARD {
        mesh.push_face(&face.map(|corner| first + corner))?;
    }
    Ok(())
}

/// The faces of a box whose corner c is at the upper end of axis k if bit k of c is set.
pub(crate) const OUTWARD: [[u32; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
