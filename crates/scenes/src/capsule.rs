//! The capsule.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::count("sides", "around; a multiple of 4 is best", [32, 4, 4000]);
const RADIUS: Parameter = Parameter::length("radius", "of the half spheres", 0.5);
const LENGTH: Parameter = Parameter::length("length", "between their centers", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "capsule",
    about: "cylinder between two half spheres: quadrilaterals, triangles at the poles",
    parameters: &[SIDES, RADIUS, LENGTH],
    build: |given| capsule(given.count(&SIDES), given.number(&RADIUS), given.number(&LENGTH)),
};

/// A capsule about the z-axis, centered at the origin: the points at distance `radius` from a segment
/// of the given `length`. Closed, oriented outward, convex up to rounding.
///
/// The mesh is inscribed up to rounding. It has `sides` columns of faces, and a quarter of that
/// (rounded down) in rows on each half sphere, with one row between them.
///
/// # Errors
/// Fewer than 4 sides or more than 4000; a value that is no length.
pub fn capsule(sides: usize, radius: f64, length: f64) -> Result<PolygonMesh, ShapeError> {
    SIDES.check_count(sides)?;
    RADIUS.check_number(radius)?;
    LENGTH.check_number(length)?;
    let rows = sides / 4;
    let mut builder = GridBuilder::new(0, 1);
    let mut lower = builder.row([[0.0, 0.0, -0.5 * length - radius]])?;
    // Parallels from the lower pole to its equator, then from the upper equator to its pole.
    let parallels = (1..=rows).map(|row| (row, -0.5)).chain((rows..2 * rows).map(|row| (row, 0.5)));
    for (parallel, end) in parallels {
        // From pole to pole is half a turn.
        let [down, out] = turn(parallel, 4 * rows);
        let upper = builder.row((0..sides).map(|meridian| {
            let [x, y] = turn(meridian, sides);
            [radius * (out * x), radius * (out * y), end * length - radius * down]
        }))?;
        builder.ring(&lower, &upper)?;
        lower = upper;
    }
    let upper = builder.row([[0.0, 0.0, 0.5 * length + radius]])?;
    builder.ring(&lower, &upper)?;
    Ok(builder.finish())
}
