//! The torus.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 9);
const RADIUS: Parameter = Parameter::length("radius", "of the circle inside the tube", 1.0);
const TUBE: Parameter = Parameter::length("tube", "radius of the tube, below `radius`", 0.4);

pub(crate) const SHAPE: Shape = Shape {
    name: "torus",
    about: "ring about the z-axis, of quadrilaterals",
    parameters: &[FACES, RADIUS, TUBE],
    build: |given| torus(given.count(&FACES), given.number(&RADIUS), given.number(&TUBE)),
};

/// A torus about the z-axis: closed, oriented outward, of genus 1, with exactly `faces` faces.
///
/// Faces are quadrilaterals, planar up to rounding, of which a few are halved as needed.
///
/// # Errors
/// Fewer than 9 faces or more than [`MAX_FACES`](crate::MAX_FACES); a tube that fills the hole
/// (`tube >= radius`), or a value that is no length.
pub fn torus(faces: usize, radius: f64, tube: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    TUBE.check_number(tube)?;
    TUBE.check_below(tube, &RADIUS, radius)?;
    let (grid, mut builder) =
        GridRequirements::new(faces, radius / tube, [3, 3]).builder(&FACES, faces)?;
    let mut rows = Vec::with_capacity(grid.across);
    for step in 0..grid.across {
        let [x, y] = turn(step, grid.across);
        rows.push(builder.row((0..grid.along).map(|around| {
            let [out, up] = turn(around, grid.along);
            let distance = radius + tube * out;
            [distance * x, distance * y, tube * up]
        }))?);
    }
    for step in 0..grid.across {
        builder.ring(&rows[(step + 1) % grid.across], &rows[step])?;
    }
    Ok(builder.finish())
}
