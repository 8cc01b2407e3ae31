//! Schönhardt's prism (Schönhardt 1928; Zachmann 1994, section 4.2.2 and figure 4.9).

use xcollide_brep::PolygonMesh;

use crate::prism::polygons;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::choice("sides", "of what the sides are made", &["triangles", "quadrilaterals"]);
const RADIUS: Parameter = Parameter::length("radius", "of the circles through the corners", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from triangle to triangle", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "schoenhardt",
    about: "triangular prism twisted by 30 degrees: not convex, no tetrahedron fits in it",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build,
};

/// A triangular prism whose upper triangle is rotated by 30 degrees: closed, oriented outward, not convex. Six
/// triangles on its sides meet in three reflex edges, as in Schönhardt's paper. The thesis has three nonplanar
/// quadrilaterals instead; with these all dihedral angles look convex, whatever normals they get.
///
/// ```text
///      b2-------b1        Sides are cut along the longer diagonal, a0 to b1, which runs inside
///       |    . / |        the convex hull; the shorter one, a1 to b0, is an edge of the hull.
///       | .   /  |
///      a2 . a1...
/// ```
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let halved = if given.choice(&SIDES) == "triangles" { 3 } else { 0 };
    let size = given.numbers([&RADIUS, &HEIGHT]);
    let (mut builder, lower, upper) = polygons(3, size, 1, halved)?;
    builder.ring(&lower, &upper)?;
    Ok(builder.finish())
}
