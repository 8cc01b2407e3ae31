//! The sphere with parallels and meridians.

use xcollide_brep::PolygonMesh;

use crate::circle::{parallel, turn};
use crate::grid::GridRequirements;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 8);
const RADIUS: Parameter = Parameter::length("radius", "from the center to the vertices", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "sphere",
    about: "sphere by parallels and meridians: quadrilaterals, triangles at the poles",
    parameters: &[FACES, RADIUS],
    build,
};

/// A sphere about the origin with its poles on the z-axis: closed, oriented outward, inscribed up to rounding.
/// Faces are quadrilaterals, planar up to rounding, except for triangles at the poles and a few quadrilaterals
/// that are halved as needed.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, radius) = (given.count(&FACES), given.number(&RADIUS));
    let requirements = GridRequirements { poles: 2, ..GridRequirements::new(faces, 0.5, [3, 2]) };
    let (grid, mut builder) = requirements.builder(&FACES, faces)?;
    let mut rows = vec![builder.row([[0.0, 0.0, -radius]])?];
    rows.extend(builder.rows(1..grid.across, |row| {
        // From pole to pole is half a turn.
        let [down, out] = turn(row, 2 * grid.across);
        parallel([radius, out], -radius * down, grid.along)
    })?);
    rows.push(builder.row([[0.0, 0.0, radius]])?);
    builder.rings(&rows)?;
    Ok(builder.finish())
}
