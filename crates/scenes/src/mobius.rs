//! The Möbius strip, a one-sided surface.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(200, 8);
const RADIUS: Parameter = Parameter::length("radius", "of the circle along its middle", 1.0);
const WIDTH: Parameter = Parameter::length("width", "of the strip, at most `radius`", 0.6);

pub(crate) const SHAPE: Shape = Shape {
    name: "mobius",
    about: "Möbius strip: open, manifold, impossible to orient",
    parameters: &[FACES, RADIUS, WIDTH],
    build: |given| mobius(given.count(&FACES), given.number(&RADIUS), given.number(&WIDTH)),
};

/// A strip about the z-axis with half a twist: open with one rim, manifold, connected, not orientable, with
/// exactly `faces` faces.
///
/// The faces are quadrilaterals, not planar, of which a few are halved as needed. Where the strip closes,
/// faces meet with opposite orientation.
///
/// # Errors
/// Fewer than 8 faces or more than [`MAX_FACES`](crate::MAX_FACES); a strip wider than the
/// radius; a value that is no length.
pub fn mobius(faces: usize, radius: f64, width: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    WIDTH.check_number(width)?;
    if width > radius {
        return Err(WIDTH.refuse(width, format_args!("at most the radius, {radius}")));
    }
    let (grid, mut builder) =
        GridRequirements::new(faces, core::f64::consts::TAU * radius / width, [1, 8])
            .builder(&FACES, faces)?;
    let mut rows = Vec::with_capacity(grid.across + 1);
    for step in 0..grid.across {
        let [x, y] = turn(step, grid.across);
        let [out, up] = turn(step, 2 * grid.across);
        rows.push(builder.row((0..=grid.along).map(|column| {
            let across = width * (column as f64 / grid.along as f64 - 0.5);
            let distance = radius + across * out;
            [distance * x, distance * y, across * up]
        }))?);
    }
    // The half twist reverses the first row.
    rows.push(rows[0].iter().rev().copied().collect());
    for pair in rows.windows(2) {
        builder.strip(&pair[0], &pair[1])?;
    }
    Ok(builder.finish())
}
