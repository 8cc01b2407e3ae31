//! A plane rectangle.

use xcollide_brep::PolygonMesh;

use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 1);
const X: Parameter = Parameter::length("x", "length along x", 2.0);
const Y: Parameter = Parameter::length("y", "length along y", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "plane",
    about: "open rectangle in the plane z = 0, a grid of rectangles",
    parameters: &[FACES, X, Y],
    build,
};

/// A rectangle about the origin that faces up the z-axis, divided into nearly square rectangles; a few are halved
/// to reach the number of faces.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, [x, y]) = (given.count(&FACES), given.numbers([&X, &Y]));
    let (grid, mut builder) = GridRequirements::new(faces, y / x, [1, 1]).builder(&FACES, faces)?;
    let part = |step: usize, steps: usize, length: f64| length * (step as f64 / steps as f64 - 0.5);
    let rows = builder.rows(0..=grid.across, |row| {
        let across = part(row, grid.across, y);
        (0..=grid.along).map(move |column| [part(column, grid.along, x), across, 0.0])
    })?;
    builder.strips(&rows)?;
    Ok(builder.finish())
}
