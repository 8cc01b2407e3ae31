//! The Klein bottle, a closed surface without an inside.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 64);
const RADIUS: Parameter = Parameter::length("radius", "of the circle inside the tube", 1.0);
const TUBE: Parameter = Parameter::length("tube", "size of the figure eight", 0.4);

pub(crate) const SHAPE: Shape = Shape {
    name: "klein",
    about: "Klein bottle: closed, manifold, impossible to orient, passes through itself",
    parameters: &[FACES, RADIUS, TUBE],
    build: |given| klein(given.count(&FACES), given.number(&RADIUS), given.number(&TUBE)),
};

/// A figure eight swept about the z-axis with half a twist: closed and manifold by its edges, not
/// orientable, self-intersecting along a circle, with exactly `faces` faces.
///
/// The faces are quadrilaterals, not planar, of which a few are halved as needed. Where the bottle
/// closes, faces meet with opposite orientation.
///
/// # Errors
/// Fewer than 64 faces or more than [`MAX_FACES`](crate::MAX_FACES); a tube that is not below
/// the radius; a value that is no length.
pub fn klein(faces: usize, radius: f64, tube: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    TUBE.check_number(tube)?;
    TUBE.check_below(tube, &RADIUS, radius)?;
    let (grid, mut builder) =
        GridRequirements::new(faces, 0.66 * radius / tube, [8, 8]).builder(&FACES, faces)?;
    let mut rows = Vec::with_capacity(grid.across + 1);
    for step in 0..grid.across {
        let [x, y] = turn(step, grid.across);
        let [c, s] = turn(step, 2 * grid.across);
        rows.push(builder.row((0..grid.along).map(|around| {
            // The figure eight (sin u, sin 2u), turned by half of the angle around; offset by half a step,
            // so that no vertex is at its crossing.
            let u = 2 * around + 1;
            let [_, across] = turn(u, 2 * grid.along);
            let [_, along] = turn(2 * u, 2 * grid.along);
            let distance = radius + tube * (c * across - s * along);
            [distance * x, distance * y, tube * (s * across + c * along)]
        }))?);
    }
    // The half twist maps u to −u.
    rows.push(rows[0].iter().rev().copied().collect());
    builder.rings(&rows)?;
    Ok(builder.finish())
}
