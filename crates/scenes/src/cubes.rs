//! An array of cubes: the "cube arrays" of Zachmann 1994, section 5.5 (at most 5 × 5 × 5 cubes there).

use xcollide_brep::PolygonMesh;

use crate::cuboid::push_box;
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const N: Parameter = Parameter::count("n", "cubes along each axis", [4, 1, 118]);
const GAP: Parameter = Parameter::number("gap", "between cubes, in cubes", [1.0, 1e-3, 1e3]);
const SIZE: Parameter = Parameter::length("size", "side of the whole array", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cubes",
    about: "n × n × n cubes apart from each other in one mesh: 6 n³ squares",
    parameters: &[N, GAP, SIZE],
    build,
};

/// Equal cubes in rows, columns and layers about the origin: closed, oriented outward, exactly planar.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let (n, [gap, size]) = (given.count(&N), given.numbers([&GAP, &SIZE]));
    let side = size / (n as f64 + (n - 1) as f64 * gap);
    let step = side * (1.0 + gap);
    let span = |i: usize| {
        let low = i as f64 * step - 0.5 * size;
        [low, low + side]
    };
    let mut mesh = PolygonMesh::new();
    for z in 0..n {
        for y in 0..n {
            for x in 0..n {
                push_box(&mut mesh, [span(x), span(y), span(z)])?;
            }
        }
    }
    Ok(mesh)
}
