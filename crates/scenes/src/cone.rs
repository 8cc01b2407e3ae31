//! The cone.

use xcollide_brep::PolygonMesh;

use crate::circle::circle;
use crate::grid::GridBuilder;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 4);
const RADIUS: Parameter = Parameter::length("radius", "of the base", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from the base to the apex", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cone",
    about: "cone on a disc: triangles to the apex and one polygon, convex",
    parameters: &[FACES, RADIUS, HEIGHT],
    build,
};

/// A cone about the z-axis: closed, oriented outward, exactly convex. The base is one exactly planar polygon.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (faces, [radius, height]) = (given.count(&FACES), given.numbers([&RADIUS, &HEIGHT]));
    let half = 0.5 * height;
    let mut builder = GridBuilder::new(0, 0);
    let base = builder.row(circle(radius, -half, faces - 1))?;
    let apex = builder.row([[0.0, 0.0, half]])?;
    builder.face(base.iter().rev().copied())?;
    builder.ring(&base, &apex)?;
    Ok(builder.finish())
}
