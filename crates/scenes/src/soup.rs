//! Unconnected triangles.

use xcollide_brep::PolygonMesh;

use crate::spec::Arguments;
use crate::{Parameter, Random, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 1);
const LENGTH: Parameter = Parameter::length("length", "of the edges, at most", 0.2);

pub(crate) const SHAPE: Shape = Shape {
    name: "soup",
    about: "random triangles that may intersect, with no vertex in common",
    parameters: &[FACES, LENGTH, Parameter::SEED],
    build,
};

/// Random triangles with their first corner in the cube of side 2 about the origin and the others within `length
/// / 2` of it, so that no edge is longer than `length`.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let length = given.number(&LENGTH);
    let mut random = Random::new(given.seed());
    let mut mesh = PolygonMesh::new();
    for _ in 0..given.count(&FACES) {
        let first = [0; 3].map(|_| random.between(-1.0, 1.0));
        let a = mesh.push_vertex(first)?.0;
        for _ in 0..2 {
            let offset = random.in_ball();
            mesh.push_vertex([0, 1, 2].map(|k| first[k] + 0.5 * length * offset[k]))?;
        }
        mesh.push_face(&[a, a + 1, a + 2])?;
    }
    Ok(mesh)
}
