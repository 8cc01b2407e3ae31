//! The geodesic sphere of nearly equal triangles.

use xcollide_brep::PolygonMesh;

use crate::platonic::{ICOSAHEDRON_FACES, icosahedron_corners, on_sphere};
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FREQUENCY: Parameter =
    Parameter::count("frequency", "parts of each edge of the icosahedron", [7, 1, 707]);
const RADIUS: Parameter = Parameter::length("radius", "from the center to the vertices", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "icosphere",
    about: "geodesic sphere: 20 frequency² triangles of nearly equal size",
    parameters: &[FREQUENCY, RADIUS],
    build,
};

/// An icosahedron whose faces are cut into `frequency`² triangles and projected on a sphere: closed, oriented
/// outward, convex, with 10 `frequency`² + 2 vertices.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (n, radius) = (given.count(&FREQUENCY) as u32, given.number(&RADIUS));
    let corners = icosahedron_corners();
    let mut mesh = PolygonMesh::new();
    for corner in corners {
        mesh.push_vertex(on_sphere(corner, radius))?;
    }
    // The inner vertices of each edge, from its lesser to its greater end.
    let mut edges = Vec::with_capacity(30);
    for [a, b] in ICOSAHEDRON_FACES.iter().flat_map(sides).filter(|[a, b]| a < b) {
        let first = mesh.vertex_count() as u32;
        for step in 1..n {
            let weights = [n - step, step, 0];
            mesh.push_vertex(on_sphere(mix(&corners, [a, b, b], weights), radius))?;
        }
        edges.push(([a, b], first));
    }
    let on_edge = |from: u32, to: u32, step: u32| {
        let (ends, step) = if from < to { ([from, to], step) } else { ([to, from], n - step) };
        edges.iter().find(|(edge, _)| *edge == ends).map_or(u32::MAX, |(_, first)| first + step - 1)
    };
    for face in ICOSAHEDRON_FACES {
        let [a, b, c] = face;
        let first = mesh.vertex_count() as u32;
        for row in 1..n {
            for column in 1..n - row {
                let weights = [n - row - column, column, row];
                mesh.push_vertex(on_sphere(mix(&corners, face, weights), radius))?;
            }
        }
        // The vertex in a given row parallel to ab, counted from ab, and column, counted from ac.
        let at = |row: u32, column: u32| match (n - row - column, column, row) {
            (_, 0, 0) => a,
            (0, _, 0) => b,
            (0, 0, _) => c,
            (_, column, 0) => on_edge(a, b, column),
            (_, 0, row) => on_edge(a, c, row),
            (0, _, row) => on_edge(b, c, row),
            // Row r has n - r - 1 inner vertices.
            _ => first + (row - 1) * (n - 1) - row * (row - 1) / 2 + column - 1,
        };
        for row in 0..n {
            for column in 0..n - row {
                mesh.push_face(&[at(row, column), at(row, column + 1), at(row + 1, column)])?;
                if column + 1 < n - row {
                    let upper = at(row + 1, column + 1);
                    mesh.push_face(&[at(row, column + 1), upper, at(row + 1, column)])?;
                }
            }
        }
    }
    Ok(mesh)
}

fn sides(&[a, b, c]: &[u32; 3]) -> [[u32; 2]; 3] {
    [[a, b], [b, c], [c, a]]
}

/// The weighted sum of three corners. Weights are small integers, so that both faces of an edge compute the same
/// points on it.
fn mix(corners: &[[f64; 3]; 12], face: [u32; 3], weights: [u32; 3]) -> [f64; 3] {
    let [p, q, r] = face.map(|corner| corners[corner as usize]);
    let [u, v, w] = weights.map(f64::from);
    [0, 1, 2].map(|axis| u * p[axis] + v * q[axis] + w * r[axis])
}
