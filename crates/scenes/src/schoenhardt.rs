//! Schönhardt's prism (Schönhardt 1928; Zachmann 1994, section 4.2.2 and figure 4.9).

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::{Parameter, Shape, ShapeError};

const SIDES: Parameter =
    Parameter::choice("sides", "of what the sides are made", &["triangles", "quadrilaterals"]);
const RADIUS: Parameter = Parameter::length("radius", "of the circles through the corners", 1.0);
const HEIGHT: Parameter = Parameter::length("height", "from triangle to triangle", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "schoenhardt",
    about: "triangular prism twisted by 30 degrees: not convex, no tetrahedron fits in it",
    parameters: &[SIDES, RADIUS, HEIGHT],
    build: |given| {
        let sides = match given.choice(&SIDES) {
            "quadrilaterals" => Sides::Quadrilaterals,
            _ => Sides::Triangles,
        };
        schoenhardt(sides, given.number(&RADIUS), given.number(&HEIGHT))
    },
};

/// Faces on the sides of [Schönhardt's prism](schoenhardt()).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sides {
    /// Six triangles that meet in three reflex edges, as in Schönhardt's paper.
    #[default]
    Triangles,
    /// Three quadrilaterals that are not planar, as in the thesis. All its dihedral angles look convex,
    /// whatever normal a quadrilateral gets.
    Quadrilaterals,
}

/// A triangular prism whose upper triangle is turned by 30 degrees: closed, oriented outward, not convex,
/// which shows only at its sides.
///
/// ```text
///      b2-------b1        Sides are cut along the longer diagonal, a0 to b1, which runs inside
///       |    . / |        the convex hull; the shorter one, a1 to b0, is an edge of the hull.
///       | .   /  |
///      a2 . a1...
/// ```
///
/// # Errors
/// A value that is no length.
pub fn schoenhardt(sides: Sides, radius: f64, height: f64) -> Result<PolygonMesh, ShapeError> {
    RADIUS.check_number(radius)?;
    HEIGHT.check_number(height)?;
    let mut mesh = PolygonMesh::new();
    for (twist, z) in [(0, -0.5 * height), (1, 0.5 * height)] {
        for corner in 0..3 {
            let [x, y] = turn(4 * corner + twist, 12);
            mesh.push_vertex([radius * x, radius * y, z])?;
        }
    }
    mesh.push_face(&[2, 1, 0])?;
    mesh.push_face(&[3, 4, 5])?;
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        let [a, b, c, d] = [i, j, j + 3, i + 3];
        match sides {
            Sides::Triangles => {
                mesh.push_face(&[a, b, c])?;
                mesh.push_face(&[a, c, d])?;
            }
            Sides::Quadrilaterals => {
                mesh.push_face(&[a, b, c, d])?;
            }
        }
    }
    Ok(mesh)
}
