//! The hyperboloid of one sheet, one of the pots of the Potter (Zachmann 1994, section 8.1).

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 8);
const WAIST: Parameter = Parameter::length("waist", "radius halfway up, below `radius`", 0.4);
const RADIUS: Parameter = Parameter::length("radius", "of the two discs that close it", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from disc to disc", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "hyperboloid",
    about: "hyperboloid of one sheet closed by two discs: quadrilaterals and two polygons",
    parameters: &[FACES, WAIST, RADIUS, HEIGHT],
    build: |given| {
        hyperboloid(
            given.count(&FACES),
            given.number(&WAIST),
            given.number(&RADIUS),
            given.number(&HEIGHT),
        )
    },
};

/// The solid inside a hyperboloid of one sheet, x² + y² = waist² + c z², between two planes of equal |z|:
/// closed by two discs, oriented outward, not convex, with exactly `faces` faces.
///
/// Each disc is one polygon; the wall consists of quadrilaterals, planar up to rounding.
///
/// # Errors
/// Fewer than 8 faces or more than [`MAX_FACES`](crate::MAX_FACES); a waist not below the
/// radius; a value that is no length.
pub fn hyperboloid(
    faces: usize,
    waist: f64,
    radius: f64,
    height: f64,
) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    WAIST.check_number(waist)?;
    RADIUS.check_number(radius)?;
    HEIGHT.check_number(height)?;
    WAIST.check_below(waist, &RADIUS, radius)?;
    let aspect = height / (core::f64::consts::PI * (waist + radius));
    // An odd number would skip the waist.
    let requirements =
        GridRequirements { even: true, ..GridRequirements::new(faces - 2, aspect, [3, 2]) };
    let (grid, mut builder) = requirements.builder(&FACES, faces)?;
    let mut rows = Vec::with_capacity(grid.across + 1);
    for level in 0..=grid.across {
        // From −1 at the lower disc through 0 at the waist to 1 at the upper disc.
        let part = (2 * level) as f64 / grid.across as f64 - 1.0;
        let ratio = waist / radius;
        let out = radius * (ratio * ratio + (1.0 - ratio * ratio) * (part * part)).sqrt();
        rows.push(builder.row((0..grid.along).map(|slice| {
            let [x, y] = turn(slice, grid.along);
            [out * x, out * y, 0.5 * height * part]
        }))?);
    }
    Ok(builder.capped(&rows)?)
}
