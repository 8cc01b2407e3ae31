//! A plane square of triangles, for cloth.

use xcollide_brep::PolygonMesh;

use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const CELLS: Parameter =
    Parameter::count("cells", "along a side, of two triangles each", [10, 1, 2000]);
const SIDE: Parameter = Parameter::length("side", "of the square", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "sheet",
    about: "open square in the plane z = 0, a grid of triangles whose diagonals alternate",
    parameters: &[CELLS, SIDE],
    build,
};

/// A square about the origin that faces up the z-axis. Neighbouring cells have their diagonals the other way, so that no
/// direction is stiffer than its mirror image.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (cells, side) = (given.count(&CELLS), given.number(&SIDE));
    let part = |step: usize| side * (step as f64 / cells as f64 - 0.5);
    let mut mesh = PolygonMesh::new();
    for row in 0..=cells {
        for column in 0..=cells {
            mesh.push_vertex([part(column), part(row), 0.0])?;
        }
    }
    let number = |column: usize, row: usize| (row * (cells + 1) + column) as u32;
    for row in 0..cells {
        for column in 0..cells {
            let [a, b] = [number(column, row), number(column + 1, row)];
            let [d, c] = [number(column, row + 1), number(column + 1, row + 1)];
            let halves = match (row + column) % 2 {
                0 => [[a, b, c], [a, c, d]],
                _ => [[a, b, d], [b, c, d]],
            };
            for corners in halves {
                mesh.push_face(&corners)?;
            }
        }
    }
    Ok(mesh)
}
