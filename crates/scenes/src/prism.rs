//! Prisms and antiprisms.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::count("sides", "corners of the two polygons", [6, 3, 1_000_000]);
const RADIUS: Parameter = Parameter::length("radius", "of the circles through them", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from polygon to polygon", 2.0);

pub(crate) const PRISM: Shape = Shape {
    name: "prism",
    about: "two polygons and a rectangle a side, convex",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build: |given| prism(given.count(&SIDES), given.number(&RADIUS), given.number(&HEIGHT)),
};

pub(crate) const ANTIPRISM: Shape = Shape {
    name: "antiprism",
    about: "two polygons, turned by half a side, and two triangles a side, convex",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build: |given| antiprism(given.count(&SIDES), given.number(&RADIUS), given.number(&HEIGHT)),
};

/// A prism about the z-axis, centered at the origin: closed, oriented outward, convex, of two polygons of
/// `sides` corners and `sides` rectangles, all exactly planar.
///
/// # Errors
/// Fewer than 3 sides or more than a million; a value that is no length.
pub fn prism(sides: usize, radius: f64, height: f64) -> Result<PolygonMesh, ShapeError> {
    let (mut builder, lower, upper) = polygons(sides, radius, height, 0)?;
    builder.ring(&lower, &upper)?;
    Ok(builder.finish())
}

/// An antiprism about the z-axis, centered at the origin: closed, oriented outward, convex, of two polygons
/// of `sides` corners and `2 * sides` triangles, all exactly planar.
///
/// # Errors
/// Fewer than 3 sides or more than a million; a value that is no length.
pub fn antiprism(sides: usize, radius: f64, height: f64) -> Result<PolygonMesh, ShapeError> {
    let (mut builder, lower, upper) = polygons(sides, radius, height, 1)?;
    for i in 0..sides {
        let j = (i + 1) % sides;
        builder.cap([lower[i], lower[j], upper[i]])?;
        builder.cap([lower[j], upper[j], upper[i]])?;
    }
    Ok(builder.finish())
}

/// The two polygons, the upper one turned by `halves` half sides, and their vertices.
fn polygons(
    sides: usize,
    radius: f64,
    height: f64,
    turned: usize,
) -> Result<(GridBuilder, Vec<u32>, Vec<u32>), ShapeError> {
    SIDES.check_count(sides)?;
    RADIUS.check_number(radius)?;
    HEIGHT.check_number(height)?;
    let corners = |turned: usize, z: f64| {
        (0..sides).map(move |side| {
            let [x, y] = turn(2 * side + turned, 2 * sides);
            [radius * x, radius * y, z]
        })
    };
    let mut builder = GridBuilder::new(0, sides);
    let lower = builder.row(corners(0, -0.5 * height))?;
    let upper = builder.row(corners(turned, 0.5 * height))?;
    builder.cap(lower.iter().rev().copied())?;
    builder.cap(upper.iter().copied())?;
    Ok((builder, lower, upper))
}
