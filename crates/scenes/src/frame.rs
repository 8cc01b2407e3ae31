//! A box with a tunnel through it: faces with holes.

use xcollide_brep::PolygonMesh;

use crate::cuboid::{OUTWARD, push_box};
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const SIZE: Parameter = Parameter::length("size", "side of the cube", 2.0);
const HOLE: Parameter = Parameter::length("hole", "side of the tunnel, below `size`", 1.0);

pub(crate) const SHAPE: Shape = Shape {
    name: "frame",
    about: "cube with a square tunnel: two of its ten faces have a hole",
    parameters: &[SIZE, HOLE],
    build,
};

/// A cube about the origin with a square tunnel along the z-axis: closed, oriented outward, of genus 1, with 8
/// squares and 2 squares with a square hole.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let [size, hole] = given.numbers([&SIZE, &HOLE]);
    HOLE.check_below(hole, &SIZE, size)?;
    let [outer, inner] = [0.5 * size, 0.5 * hole];
    // The corners of two boxes; the second is narrower and equally high.
    let mut corners = PolygonMesh::new();
    push_box(&mut corners, [[-outer, outer]; 3])?;
    push_box(&mut corners, [[-inner, inner], [-inner, inner], [-outer, outer]])?;
    let mut mesh = PolygonMesh::from_positions(corners.positions().to_vec())?;
    let [walls, ends] = [&OUTWARD[..4], &OUTWARD[4..]];
    let inward = |wall: &[u32; 4]| {
        let [a, b, c, d] = wall.map(|corner| corner + 8);
        [d, c, b, a]
    };
    for wall in walls {
        mesh.push_face(wall)?;
        mesh.push_face(&inward(wall))?;
    }
    for end in ends {
        mesh.push_face_with_holes(end, &[&inward(end)])?;
    }
    Ok(mesh)
}
