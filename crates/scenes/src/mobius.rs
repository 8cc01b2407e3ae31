//! The Möbius strip, a one-sided surface.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::message_number::number;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(200, 8);
const RADIUS: Parameter = Parameter::length("radius", "of the circle along its middle", 1.0);
const WIDTH: Parameter = Parameter::length("width", "of the strip, at most `radius`", 0.6);

pub(crate) const SHAPE: Shape = Shape {
    name: "mobius",
    about: "Möbius strip: open, manifold, impossible to orient",
    parameters: &[FACES, RADIUS, WIDTH],
    build,
};

/// A strip about the z-axis with half a twist: open with one boundary, manifold, not orientable. The faces are
/// quadrilaterals, not planar; a few are halved to reach the number of faces. Where the strip closes, faces meet with
/// opposite orientation.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let [radius, width] = given.numbers([&RADIUS, &WIDTH]);
    if width > radius {
        return Err(
            WIDTH.refuse(number(width), format_args!("at most the radius, {}", number(radius)))
        );
    }
    let aspect = core::f64::consts::TAU * radius / width;
    let faces = given.count(&FACES);
    let (grid, mut builder) =
        GridRequirements::new(faces, aspect, [1, 8]).builder(&FACES, faces)?;
    let mut rows = builder.rows(0..grid.across, |step| {
        let [x, y] = turn(step, grid.across);
        let [out, up] = turn(step, 2 * grid.across);
        (0..=grid.along).map(move |column| {
            let across = width * (column as f64 / grid.along as f64 - 0.5);
            let distance = radius + across * out;
            [distance * x, distance * y, across * up]
        })
    })?;
    // The half twist reverses the first row.
    rows.push(rows[0].iter().rev().copied().collect());
    builder.strips(&rows)?;
    Ok(builder.finish())
}
