//! Prisms and antiprisms.

use xcollide_brep::{MeshError, PolygonMesh};

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::count("sides", "corners of the two polygons", [6, 3, 1_000_000]);
const RADIUS: Parameter = Parameter::length("radius", "of the circles through them", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from polygon to polygon", 2.0);

pub(crate) const PRISM: Shape = Shape {
    name: "prism",
    about: "two polygons and a rectangle a side, convex",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build: prism,
};

pub(crate) const ANTIPRISM: Shape = Shape {
    name: "antiprism",
    about: "two polygons, turned by half a side, and two triangles a side, convex",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build: antiprism,
};

/// A prism about the z-axis: closed, oriented outward, convex. All faces are exactly planar.
fn prism(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let size = given.numbers([&RADIUS, &HEIGHT]);
    let (mut builder, lower, upper) = polygons(given.count(&SIDES), size, 0, 0)?;
    builder.ring(&lower, &upper)?;
    Ok(builder.finish())
}

/// An antiprism about the z-axis: closed, oriented outward, convex. All faces are exactly planar.
fn antiprism(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (sides, size) = (given.count(&SIDES), given.numbers([&RADIUS, &HEIGHT]));
    let (mut builder, lower, upper) = polygons(sides, size, 2, 0)?;
    for i in 0..sides {
        let j = (i + 1) % sides;
        builder.face([lower[i], lower[j], upper[i]])?;
        builder.face([lower[j], upper[j], upper[i]])?;
    }
    Ok(builder.finish())
}

/// The two polygons with their vertices, the upper one rotated by `quarters` of a side. The builder will halve
/// `halved` quadrilaterals of the ring between them.
pub(crate) fn polygons(
    sides: usize,
    [radius, height]: [f64; 2],
    quarters: usize,
    halved: usize,
) -> Result<(GridBuilder, Vec<u32>, Vec<u32>), MeshError> {
    let corners = |quarters: usize, z: f64| {
        (0..sides).map(move |side| {
            let [x, y] = turn(4 * side + quarters, 4 * sides);
            [radius * x, radius * y, z]
        })
    };
    let mut builder = GridBuilder::new(halved, sides);
    let lower = builder.row(corners(0, -0.5 * height))?;
    let upper = builder.row(corners(quarters, 0.5 * height))?;
    builder.face(lower.iter().rev().copied())?;
    builder.face(upper.iter().copied())?;
    Ok((builder, lower, upper))
}
