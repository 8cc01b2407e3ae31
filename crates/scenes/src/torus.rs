//! The torus.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::{GridBuilder, GridRequirements};
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
    if tube >= radius {
        return Err(TUBE.refuse(tube, format_args!("less than the radius, {radius}")));
    }
    let requirements = GridRequirements {
        faces,
        aspect: radius / tube,
        min_along: 3,
        min_across: 3,
        poles: 0,
        even: false,
    };
    let grid = requirements.fit().ok_or_else(|| FACES.refuse(faces, FACES.kind))?;
    let mut builder = GridBuilder::new(grid.halved, grid.along * grid.across);
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
