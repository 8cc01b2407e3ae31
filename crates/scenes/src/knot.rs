//! Torus knots: a knotted tube whose strands run close to each other.

use xcollide_brep::PolygonMesh;
use xcollide_math::vector::{cross, length};

use crate::circle::turn;
use crate::grid::{GridBuilder, GridRequirements};
use crate::spec::Arguments;
use crate::{Parameter, Shape, ShapeError};

const FACES: Parameter = Parameter::faces(2000, 108);
const P: Parameter = Parameter::count("p", "turns about the z-axis", [2, 1, 50]);
const Q: Parameter = Parameter::count("q", "turns through the hole", [3, 1, 50]);
const RADIUS: Parameter = Parameter::length("radius", "of the circle inside the torus", 1.0);
const RISE: Parameter = Parameter::length("rise", "of the strands from it, below `radius`", 0.4);
const TUBE: Parameter = Parameter::length("tube", "radius of the tube, below `rise`", 0.12);

pub(crate) const SHAPE: Shape = Shape {
    name: "knot",
    about: "tube along a torus knot, by default the trefoil, of quadrilaterals",
    parameters: &[FACES, P, Q, RADIUS, RISE, TUBE],
    build,
};

/// A tube along a torus knot about the z-axis: closed, oriented outward, of genus 1. The faces are
/// quadrilaterals, not planar; a few are halved to reach the number of faces. With the default proportions strands do not
/// touch; with more turns or a thicker tube they may, which is not checked. `p` and `q` must be coprime.
fn build(given: &Arguments) -> Result<PolygonMesh, ShapeError> {
    let [faces, p, q] = [&FACES, &P, &Q].map(|parameter| given.count(parameter));
    let [radius, rise, tube] = given.numbers([&RADIUS, &RISE, &TUBE]);
    if (2..=p.min(q)).any(|d| p % d == 0 && q % d == 0) {
        return Err(Q.refuse(q, format_args!("no common divisor with p, {p}")));
    }
    RISE.check_below(rise, &RADIUS, radius)?;
    TUBE.check_below(tube, &RISE, rise)?;
    let min_across = 12 * p.max(q);
    let [about, through] = [p as f64 * radius, q as f64 * rise];
    let aspect = (about * about + through * through).sqrt() / tube;
    let grid = GridRequirements::new(faces, aspect, [3, min_across]).fit().ok_or_else(|| {
        FACES.refuse(faces, format_args!("at least {} faces for these turns", 3 * min_across))
    })?;
    let mut builder = GridBuilder::new(grid.halved, grid.along * grid.across);
    let mut rows = builder.rows(0..grid.across, |step| {
        let [x, y] = turn(step * p, grid.across);
        let [out, up] = turn(step * q, grid.across);
        let distance = radius + rise * out;
        let center = [distance * x, distance * y, rise * up];
        // The torus's normal is perpendicular to the strand and periodic; a parallel-transported frame is not.
        let normal = [out * x, out * y, up];
        let inward = through * up;
        let tangent = [
            -inward * x - p as f64 * distance * y,
            -inward * y + p as f64 * distance * x,
            through * out,
        ];
        let binormal = cross(tangent, normal);
        let size = length(binormal);
        let binormal = binormal.map(|value| value / size);
        (0..grid.along).map(move |around| {
            let [c, s] = turn(around, grid.along);
            [0, 1, 2].map(|k| center[k] + tube * (c * normal[k] + s * binormal[k]))
        })
    })?;
    rows.push(rows[0].clone());
    builder.rings(&rows)?;
    Ok(builder.finish())
}
