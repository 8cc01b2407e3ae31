//! The cone.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridBuilder;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 4);
const RADIUS: Parameter = Parameter::length("radius", "of the base", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from the base to the apex", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cone",
    about: "cone on a disc: triangles to the apex and one polygon, convex",
    parameters: &[FACES, RADIUS, HEIGHT],
    build: |given| cone(given.count(&FACES), given.number(&RADIUS), given.number(&HEIGHT)),
};

/// A cone about the z-axis, centered at the origin: closed, oriented outward, exactly convex, with
/// exactly `faces` faces.
///
/// The base is one exactly planar polygon of `faces - 1` corners; all other faces are triangles from its
/// edges to the apex.
///
/// # Errors
/// Fewer than 4 faces or more than [`MAX_FACES`](crate::MAX_FACES); a value that is no length.
pub fn cone(faces: usize, radius: f64, height: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    HEIGHT.check_number(height)?;
    let half = 0.5 * height;
    let slices = faces - 1;
    let mut builder = GridBuilder::new(0, 0);
    let base = builder.row((0..slices).map(|slice| {
        let [x, y] = turn(slice, slices);
        [radius * x, radius * y, -half]
    }))?;
    let apex = builder.row([[0.0, 0.0, half]])?;
    builder.cap(base.iter().rev().copied())?;
    builder.ring(&base, &apex)?;
    Ok(builder.finish())
}
