//! Polyhedra in a formula and around it, for bounds on what has no closed form.

use std::f64::consts::{PI, TAU};

use xcollide_brep::ConvexHull;
use xcollide_convex::shape::Core;
use xcollide_math::vector::{cross, dot, scale, sub, unit};
use xcollide_predicates::Point;

use crate::model::formula::Formula;

/// More than the rounding of coordinates by formulas.
const ROUNDING: f64 = 1e-13;

/// The sides of a box, counter-clockwise seen from outside. Bit k of a corner's number tells whether its coordinate k is the greater one.
pub(crate) const BOX_SIDES: [[u32; 4]; 6] =
    [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

/// Points of the frame whose hull contains the core of a formula, or is in it, and the radius about the core. Circles become polygons
/// with so many sides. `None` for a half space.
pub(crate) fn core_points(
    formula: &Formula,
    sides: usize,
    around: bool,
) -> Option<(Vec<Point>, f64)> {
    let shape = formula.shape()?;
    let grown = if around { 1.0 + ROUNDING } else { 1.0 - ROUNDING };
    let stretched = if around { grown / libm::cos(PI / sides as f64) } else { grown };
    let circle = |radius: f64, z: f64| {
        (0..sides).map(move |i| {
            let angle = TAU * i as f64 / sides as f64;
            let radius = radius * stretched;
            [radius * libm::cos(angle), radius * libm::sin(angle), z * grown]
        })
    };
    let points = match (formula, shape.core()) {
        (Formula::Rounded(rounded), _) => rounded.polytope().positions().to_vec(),
        (_, Core::Point) => vec![[0.0; 3]],
        (_, Core::Segment { half }) => [-half, half].map(|z| [0.0, 0.0, z]).to_vec(),
        (_, Core::Cuboid { half }) => (0..8)
            .map(|i| [0, 1, 2].map(|k| if i >> k & 1 == 0 { -half[k] } else { half[k] }))
            .collect(),
        (_, Core::Cylinder { half, radius }) => {
            circle(radius, -half).chain(circle(radius, half)).collect()
        }
        (_, Core::Cone { half, radius }) => {
            // A larger cone about the same center.
            circle(radius, -half).chain([[0.0, 0.0, half * grown]]).collect()
        }
        (_, Core::Ellipsoid { half }) => {
            let points = sphere_points(sides, around);
            points.into_iter().map(|p| [0, 1, 2].map(|k| p[k] * half[k] * grown)).collect()
        }
        _ => return None,
    };
    Some((points, shape.radius()))
}

/// Points on the unit sphere, or about it so that their hull contains it.
fn sphere_points(sides: usize, around: bool) -> Vec<Point> {
    let bands = sides / 2;
    let mut points = vec![[0.0, 0.0, 1.0], [0.0, 0.0, -1.0]];
    for band in 1..bands {
        let down = PI * band as f64 / bands as f64;
        let (radius, z) = (libm::sin(down), libm::cos(down));
        points.extend((0..sides).map(|i| {
            let angle = TAU * i as f64 / sides as f64;
            [radius * libm::cos(angle), radius * libm::sin(angle), z]
        }));
    }
    if !around {
        return points;
    }
    // The distance of the nearest face: the hull times its inverse contains the sphere.
    let Ok(hull) = ConvexHull::of(&points) else { return points };
    let mesh = hull.mesh();
    let distance = |[p, q, r]: [Point; 3]| {
        unit(cross(sub(q, p), sub(r, p))).map_or(1.0, |normal| dot(normal, p).abs())
    };
    let least = mesh
        .triangulate()
        .triangles()
        .iter()
        .fold(1.0_f64, |least, corners| least.min(distance(corners.map(|v| mesh.position(v)))));
    points.into_iter().map(|p| scale(p, (1.0 + 1e-10) / least)).collect()
}
