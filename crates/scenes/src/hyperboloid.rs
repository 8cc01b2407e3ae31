//! The hyperboloid of one sheet, one of the pots of the Potter (Zachmann 1994, section 8.1).

use xcollide_brep::PolygonMesh;

use crate::circle::circle;
use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 8);
const WAIST: Parameter = Parameter::length("waist", "radius halfway up, below `radius`", 0.4);
const RADIUS: Parameter = Parameter::length("radius", "of the two discs that close it", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from disc to disc", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "hyperboloid",
    about: "hyperboloid of one sheet closed by two discs: quadrilaterals and two polygons",
    parameters: &[FACES, WAIST, RADIUS, HEIGHT],
    build,
};

/// The solid inside a hyperboloid of one sheet, x² + y² = waist² + c z², between two planes of equal |z|: closed
/// by two discs, oriented outward, not convex. The wall consists of quadrilaterals, planar up to rounding.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let faces = given.count(&FACES);
    let [waist, radius, height] = given.numbers([&WAIST, &RADIUS, &HEIGHT]);
    WAIST.check_below(waist, &RADIUS, radius)?;
    let aspect = height / (core::f64::consts::PI * (waist + radius));
    // With an odd number no row would be at the waist.
    let requirements =
        GridRequirements { even: true, ..GridRequirements::new(faces - 2, aspect, [3, 2]) };
    let (grid, mut builder) = requirements.builder(&FACES, faces)?;
    let rows = builder.rows(0..=grid.across, |level| {
        // From −1 at the lower disc through 0 at the waist to 1 at the upper disc.
        let part = (2 * level) as f64 / grid.across as f64 - 1.0;
        let ratio = waist / radius;
        let out = radius * (ratio * ratio + (1.0 - ratio * ratio) * (part * part)).sqrt();
        circle(out, 0.5 * height * part, grid.along)
    })?;
    Ok(builder.capped(&rows)?)
}
