//! The capsule.

use xcollide_brep::PolygonMesh;

use crate::circle::{parallel, turn};
use crate::grid::GridBuilder;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::count("sides", "around; a multiple of 4 is best", [32, 4, 4000]);
const RADIUS: Parameter = Parameter::length("radius", "of the half spheres", 0.5);
const LENGTH: Parameter = Parameter::length("length", "between their centers", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "capsule",
    about: "cylinder between two half spheres: quadrilaterals, triangles at the poles",
    parameters: &[SIDES, RADIUS, LENGTH],
    build,
};

/// A capsule about the z-axis: the points at distance `radius` from a segment of the given `length`. Closed,
/// oriented outward, convex and inscribed up to rounding. The mesh has `sides` columns of faces, with `sides /
/// 4` rows (rounded down) on each half sphere and one row between them.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (sides, [radius, length]) = (given.count(&SIDES), given.numbers([&RADIUS, &LENGTH]));
    let quarter = sides / 4;
    let mut builder = GridBuilder::new(0, 1);
    let mut rows = vec![builder.row([[0.0, 0.0, -0.5 * length - radius]])?];
    for (half, end) in [(1..=quarter, -0.5), (quarter..=2 * quarter - 1, 0.5)] {
        rows.extend(builder.rows(half, |row| {
            // From pole to pole is half a turn.
            let [down, out] = turn(row, 4 * quarter);
            parallel([radius, out], end * length - radius * down, sides)
        })?);
    }
    rows.push(builder.row([[0.0, 0.0, 0.5 * length + radius]])?);
    builder.rings(&rows)?;
    Ok(builder.finish())
}
