//! The sphere with parallels and meridians.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::GridRequirements;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(1000, 8);
const RADIUS: Parameter = Parameter::length("radius", "from the center to the vertices", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "sphere",
    about: "sphere by parallels and meridians: quadrilaterals, triangles at the poles",
    parameters: &[FACES, RADIUS],
    build: |given| sphere(given.count(&FACES), given.number(&RADIUS)),
};

/// A sphere about the origin with its poles on the z-axis: closed, oriented outward, with exactly `faces`
/// faces.
///
/// The mesh is inscribed up to rounding. Faces are quadrilaterals, planar up to rounding, except for triangles
/// at the poles and a few quadrilaterals that are halved as needed.
///
/// # Errors
/// Fewer than 8 faces (an octahedron) or more than [`MAX_FACES`](crate::MAX_FACES); a radius
/// that is no length.
pub fn sphere(faces: usize, radius: f64) -> Result<PolygonMesh, ShapeError> {
    FACES.check_count(faces)?;
    RADIUS.check_number(radius)?;
    let requirements = GridRequirements { poles: 2, ..GridRequirements::new(faces, 0.5, [3, 2]) };
    let (grid, mut builder) = requirements.builder(&FACES, faces)?;
    let mut lower = builder.row([[0.0, 0.0, -radius]])?;
    for parallel in 1..=grid.across {
        // From pole to pole is half a turn.
        let [down, out] = turn(parallel, 2 * grid.across);
        let upper = if parallel == grid.across {
            builder.row([[0.0, 0.0, radius]])?
        } else {
            builder.row((0..grid.along).map(|meridian| {
                let [x, y] = turn(meridian, grid.along);
                [radius * (out * x), radius * (out * y), -radius * down]
            }))?
        };
        builder.ring(&lower, &upper)?;
        lower = upper;
    }
    Ok(builder.finish())
}
