//! The torus.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 9);
const RADIUS: Parameter = Parameter::length("radius", "of the circle inside the tube", 1.0);
const TUBE: Parameter = Parameter::length("tube", "radius of the tube, below `radius`", 0.4);

pub(crate) const SHAPE: Shape = Shape {
    name: "torus",
    about: "ring about the z-axis, of quadrilaterals",
    parameters: &[FACES, RADIUS, TUBE],
    build,
};

/// A torus about the z-axis: closed, oriented outward, of genus 1. Faces are quadrilaterals, planar up to
/// rounding; a few are halved to reach the number of faces.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, [radius, tube]) = (given.count(&FACES), given.numbers([&RADIUS, &TUBE]));
    TUBE.check_below(tube, &RADIUS, radius)?;
    let (grid, mut builder) =
        GridRequirements::new(faces, radius / tube, [3, 3]).builder(&FACES, faces)?;
    let rows = builder.rows(0..grid.across, |step| {
        let [x, y] = turn(step, grid.across);
        (0..grid.along).map(move |around| {
            let [out, up] = turn(around, grid.along);
            let distance = radius + tube * out;
            [distance * x, distance * y, tube * up]
        })
    })?;
    for step in 0..grid.across {
        builder.ring(&rows[(step + 1) % grid.across], &rows[step])?;
    }
    Ok(builder.finish())
}
