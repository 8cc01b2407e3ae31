//! The Klein bottle, a closed surface without an inside.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 64);
const RADIUS: Parameter = Parameter::length("radius", "of the circle inside the tube", 1.0);
const TUBE: Parameter = Parameter::length("tube", "size of the figure eight", 0.4);

pub(crate) const SHAPE: Shape = Shape {
    name: "klein",
    about: "Klein bottle: closed, manifold, impossible to orient, passes through itself",
    parameters: &[FACES, RADIUS, TUBE],
    build,
};

/// A figure eight swept about the z-axis with half a twist: closed, with manifold edges, not orientable,
/// self-intersecting along a circle. The faces are quadrilaterals, not planar; a few are halved to
/// reach the number of faces. Where the bottle closes, faces meet with opposite orientation.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, [radius, tube]) = (given.count(&FACES), given.numbers([&RADIUS, &TUBE]));
    TUBE.check_below(tube, &RADIUS, radius)?;
    let (grid, mut builder) =
        GridRequirements::new(faces, 0.66 * radius / tube, [8, 8]).builder(&FACES, faces)?;
    let mut rows = builder.rows(0..grid.across, |step| {
        let [x, y] = turn(step, grid.across);
        let [c, s] = turn(step, 2 * grid.across);
        (0..grid.along).map(move |around| {
            // The figure eight (sin u, sin 2u), rotated by half of the angle around the axis. The offset by half
            // a step avoids a vertex at its crossing.
            let u = 2 * around + 1;
            let [_, across] = turn(u, 2 * grid.along);
            let [_, along] = turn(2 * u, 2 * grid.along);
            let distance = radius + tube * (c * across - s * along);
            [distance * x, distance * y, tube * (s * across + c * along)]
        })
    })?;
    // The half twist maps u to −u.
    rows.push(rows[0].iter().rev().copied().collect());
    builder.rings(&rows)?;
    Ok(builder.finish())
}
