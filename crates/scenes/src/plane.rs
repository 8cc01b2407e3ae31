//! A plane rectangle.

use xcollide_brep::PolygonMesh;

use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 1);
const X: Parameter = Parameter::length("x", "length along x", 2.0);
const Y: Parameter = Parameter::length("y", "length along y", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "plane",
    about: "open rectangle in the plane z = 0, a grid of rectangles",
    parameters: &[FACES, X, Y],
    build: |given| plane(given.count(&FACES), given.number(&X), given.number(&Y)),
};

/// A rectangle in the plane z = 0 about the origin, facing up the z-axis: open, with exactly `faces` nearly
/// square rectangles, of which a few are halved as needed.
///
/// # Errors
/// No face or more than [`MAX_FACES`](crate::MAX_FACES); a value that is no length.
pub fn plane(faces: usize, x: f64, y: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    X.check_number(x)?;
    Y.check_number(y)?;
    let (grid, mut builder) = GridRequirements::new(faces, y / x, [1, 1]).builder(&FACES, faces)?;
    let part = |step: usize, steps: usize, length: f64| length * (step as f64 / steps as f64 - 0.5);
    let mut lower = Vec::new();
    for row in 0..=grid.across {
        let across = part(row, grid.across, y);
        let upper = builder
            .row((0..=grid.along).map(|column| [part(column, grid.along, x), across, 0.0]))?;
        builder.strip(&lower, &upper)?;
        lower = upper;
    }
    Ok(builder.finish())
}
