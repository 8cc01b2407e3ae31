//! The cylinder.

use xcollide_brep::PolygonMesh;

use crate::circle::circle;
use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 5);
const RADIUS: Parameter = Parameter::length("radius", "of the discs", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from disc to disc", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cylinder",
    about: "cylinder between two discs: rectangles and two polygons, convex",
    parameters: &[FACES, RADIUS, HEIGHT],
    build,
};

/// A cylinder about the z-axis: closed, oriented outward, convex. The wall consists of nearly square rectangles;
/// a few are halved to reach the number of faces. All faces are exactly planar, and rectangles above one another exactly
/// coplanar.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, [radius, height]) = (given.count(&FACES), given.numbers([&RADIUS, &HEIGHT]));
    let aspect = height / (core::f64::consts::TAU * radius);
    let requirements = GridRequirements::new(faces - 2, aspect, [3, 1]);
    let (grid, mut builder) = requirements.builder(&FACES, faces)?;
    let rows = builder.rows(0..=grid.across, |level| {
        circle(radius, height * (level as f64 / grid.across as f64 - 0.5), grid.along)
    })?;
    Ok(builder.capped(&rows)?)
}
