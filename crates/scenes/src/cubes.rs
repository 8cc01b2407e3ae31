//! An array of cubes: the "cube arrays" of Zachmann 1994, section 5.5 (up to 750 polygons, which is
//! 5 × 5 × 5 cubes).

use xcollide_brep::PolygonMesh;

use crate::cuboid::push_box;
use crate::{Parameter, Shape, ShapeError};

const N: Parameter = Parameter::count("n", "cubes along each axis", [4, 1, 118]);
const GAP: Parameter = Parameter::number("gap", "between cubes, in cubes", [1.0, 1e-3, 1e3]);
const SIZE: Parameter = Parameter::length("size", "side of the whole array", 2.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "cubes",
    about: "n × n × n cubes apart from each other in one mesh: 6 n³ squares",
    parameters: &[N, GAP, SIZE],
    build: |given| cubes(given.count(&N), given.number(&GAP), given.number(&SIZE)),
};

/// `n`³ equal cubes in rows, columns and layers about the origin: closed, oriented outward, of `n`³
/// pieces, with 6 `n`³ exactly planar quadrilaterals.
///
/// The array fills a cube of side `size`; gaps are `gap` times the side of a cube.
///
/// # Errors
/// `n` is 0 or above 118 (10 million faces); a gap outside 1/1000 to 1000; a size that is no length.
pub fn cubes(n: usize, gap: f64, size: f64) -> Result<PolygonMesh, ShapeError> {
    N.check_count(n)?;
    GAP.check_number(gap)?;
    SIZE.check_number(size)?;
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
