//! The cylinder.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(100, 5);
const RADIUS: Parameter = Parameter::length("radius", "of the discs", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from disc to disc", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cylinder",
    about: "cylinder between two discs: rectangles and two polygons, convex",
    parameters: &[FACES, RADIUS, HEIGHT],
    build: |given| cylinder(given.count(&FACES), given.number(&RADIUS), given.number(&HEIGHT)),
};

/// A cylinder about the z-axis, centered at the origin: closed, oriented outward, convex, with exactly
/// `faces` faces.
///
/// Each disc is one polygon; the wall consists of nearly square rectangles, of which a few are halved as
/// needed. All faces are exactly planar, and rectangles above one another exactly coplanar.
///
/// # Errors
/// Fewer than 5 faces or more than [`MAX_FACES`](crate::MAX_FACES); a value that is no length.
pub fn cylinder(faces: usize, radius: f64, height: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    HEIGHT.check_number(height)?;
    let (grid, mut builder) =
        GridRequirements::new(faces - 2, height / (core::f64::consts::TAU * radius), [3, 1])
            .builder(&FACES, faces)?;
    let mut rows = Vec::with_capacity(grid.across + 1);
    for level in 0..=grid.across {
        let z = height * (level as f64 / grid.across as f64 - 0.5);
        rows.push(builder.row((0..grid.along).map(|slice| {
            let [x, y] = turn(slice, grid.along);
            [radius * x, radius * y, z]
        }))?);
    }
    Ok(builder.capped(&rows)?)
}
