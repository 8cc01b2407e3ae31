//! The Platonic solids except the cube, which is a [`cuboid`](crate::cuboid).

use xcollide_brep::PolygonMesh;

use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const RADIUS: Parameter = Parameter::length("radius", "of the sphere through the vertices", 1.0);

/// A regular solid about the origin: closed, oriented outward, convex.
const fn solid(
    name: &'static str,
    about: &'static str,
    build: fn(&Arguments) -> Result<PolygonMesh, ShapeError>,
) -> Shape {
    Shape { name, about, parameters: &[RADIUS], build }
}

pub(crate) const TETRAHEDRON: Shape =
    solid("tetrahedron", "Platonic solid of 4 triangles", |given| {
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        scaled(given, &corners, &[[1, 3, 2], [0, 2, 3], [0, 3, 1], [0, 1, 2]])
    });

pub(crate) const OCTAHEDRON: Shape =
    solid("octahedron", "Platonic solid of 8 triangles", |given| {
        let corners: [[f64; 3]; 6] = core::array::from_fn(|corner| {
            let mut at = [0.0; 3];
            at[corner / 2] = if corner % 2 == 0 { 1.0 } else { -1.0 };
            at
        });
        let upper = [[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4]];
        let lower = [[2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        scaled(given, &corners, &[upper, lower].concat())
    });

pub(crate) const ICOSAHEDRON: Shape =
    solid("icosahedron", "Platonic solid of 20 triangles", |given| {
        scaled(given, &icosahedron_corners(), &ICOSAHEDRON_FACES)
    });

/// Pentagons are planar up to rounding. The vertices are above the middles of the icosahedron's triangles, and
/// the faces correspond to the icosahedron's vertices.
pub(crate) const DODECAHEDRON: Shape =
    solid("dodecahedron", "Platonic solid of 12 pentagons", |given| {
        let corners = icosahedron_corners();
        let middles = ICOSAHEDRON_FACES.map(|face| {
            let [a, b, c] = face.map(|corner| corners[corner as usize]);
            [0, 1, 2].map(|axis| a[axis] + b[axis] + c[axis])
        });
        let pentagons: Vec<[u32; 5]> = (0..12).map(faces_around).collect();
        scaled(given, &middles, &pentagons)
    });

/// The vertices of an icosahedron: the corners of three golden rectangles.
pub(crate) fn icosahedron_corners() -> [[f64; 3]; 12] {
    let g = 0.5 * (1.0 + 5f64.sqrt());
    [
        [-1.0, g, 0.0],
        [1.0, g, 0.0],
        [-1.0, -g, 0.0],
        [1.0, -g, 0.0],
        [0.0, -1.0, g],
        [0.0, 1.0, g],
        [0.0, -1.0, -g],
        [0.0, 1.0, -g],
        [g, 0.0, -1.0],
        [g, 0.0, 1.0],
        [-g, 0.0, -1.0],
        [-g, 0.0, 1.0],
    ]
}

pub(crate) const ICOSAHEDRON_FACES: [[u32; 3]; 20] = [
    [0, 11, 5],
    [0, 5, 1],
    [0, 1, 7],
    [0, 7, 10],
    [0, 10, 11],
    [1, 5, 9],
    [5, 11, 4],
    [11, 10, 2],
    [10, 7, 6],
    [7, 1, 8],
    [3, 9, 4],
    [3, 4, 2],
    [3, 2, 6],
    [3, 6, 8],
    [3, 8, 9],
    [4, 9, 5],
    [2, 4, 11],
    [6, 2, 10],
    [8, 6, 7],
    [9, 8, 1],
];

/// The triangles around a vertex of the icosahedron, counter-clockwise from outside.
fn faces_around(vertex: u32) -> [u32; 5] {
    let mut around = [0; 5];
    let mut towards = None;
    for slot in &mut around {
        // The face in which the current corner follows `vertex`.
        for (number, face) in ICOSAHEDRON_FACES.iter().enumerate() {
            let Some(at) = face.iter().position(|&corner| corner == vertex) else { continue };
            let [next, last] = [face[(at + 1) % 3], face[(at + 2) % 3]];
            if towards.is_none_or(|corner| corner == next) {
                *slot = number as u32;
                towards = Some(last);
                break;
            }
        }
    }
    around
}

/// The polygons over the directions `corners`, on a sphere.
fn scaled<P: AsRef<[u32]>>(
    given: &Arguments,
    corners: &[[f64; 3]],
    faces: &[P],
) -> Result<PolygonMesh, ShapeError> {
    let radius = given.number(&RADIUS);
    let positions = corners.iter().map(|&corner| on_sphere(corner, radius)).collect();
    Ok(PolygonMesh::from_polygons(positions, faces)?)
}

pub(crate) fn on_sphere([x, y, z]: [f64; 3], radius: f64) -> [f64; 3] {
    let factor = radius / (x * x + y * y + z * z).sqrt();
    [factor * x, factor * y, factor * z]
}
