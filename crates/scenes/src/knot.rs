//! Torus knots: a knotted tube whose strands run close to each other.

use xcollide_brep::PolygonMesh;

use crate::circle::turn;
use crate::grid::{GridBuilder, GridRequirements};
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
    build: |given| {
        knot(&Knot {
            faces: given.count(&FACES),
            p: given.count(&P),
            q: given.count(&Q),
            radius: given.number(&RADIUS),
            rise: given.number(&RISE),
            tube: given.number(&TUBE),
        })
    },
};

/// Parameters of a torus [`knot`]. The default is a trefoil.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// Exact number of faces; at least 36 · max(`p`, `q`).
    pub faces: usize,
    /// Turns about the z-axis.
    pub p: usize,
    /// Turns through the hole of the torus; coprime to `p`.
    pub q: usize,
    /// Radius of the circle inside the torus that the knot lies on.
    pub radius: f64,
    /// Radius of that torus' tube.
    pub rise: f64,
    /// Radius of the knotted tube.
    pub tube: f64,
}

impl Default for Knot {
    fn default() -> Self {
        Self { faces: 2000, p: 2, q: 3, radius: 1.0, rise: 0.4, tube: 0.12 }
    }
}

/// A tube along a torus knot about the z-axis: closed, oriented outward, of genus 1, with exactly
/// `knot.faces` faces.
///
/// The faces are quadrilaterals, not planar, of which a few are halved as needed. In the default
/// proportions strands do not touch; with more turns or a thicker tube they may, which is not checked.
///
/// ```
/// use xcollide_scenes::{Knot, knot};
/// assert_eq!(knot(&Knot { q: 5, ..Knot::default() })?.face_count(), 2000);
/// # Ok::<(), xcollide_scenes::ShapeError>(())
/// ```
///
/// # Errors
/// Too few faces for the turns or more than [`MAX_FACES`](crate::MAX_FACES); `p` and `q` with a common
/// divisor; a `rise` not below `radius`, a `tube` not below `rise`; a value that is no length.
pub fn knot(knot: &Knot) -> Result<PolygonMesh, ShapeError> {
    let &Knot { faces, p, q, radius, rise, tube } = knot;
    FACES.check_count(faces)?;
    P.check_count(p)?;
    Q.check_count(q)?;
    RADIUS.check_number(radius)?;
    RISE.check_number(rise)?;
    TUBE.check_number(tube)?;
    if (2..=p.min(q)).any(|d| p % d == 0 && q % d == 0) {
        return Err(Q.refuse(q, format_args!("no common divisor with p, {p}")));
    }
    RISE.check_below(rise, &RADIUS, radius)?;
    TUBE.check_below(tube, &RISE, rise)?;
    let min_across = 12 * p.max(q);
    let [about, through] = [p as f64 * radius, q as f64 * rise];
    let requirements = GridRequirements::new(
        faces,
        (about * about + through * through).sqrt() / tube,
        [3, min_across],
    );
    let grid = requirements.fit().ok_or_else(|| {
        FACES.refuse(faces, format_args!("at least {} faces for these turns", 3 * min_across))
    })?;
    let mut builder = GridBuilder::new(grid.halved, grid.along * grid.across);
    let mut rows = Vec::with_capacity(grid.across);
    for step in 0..grid.across {
        let [x, y] = turn(step * p, grid.across);
        let [out, up] = turn(step * q, grid.across);
        let distance = radius + rise * out;
        let center = [distance * x, distance * y, rise * up];
        // The torus's normal is normal to the strand and periodic, unlike a frame carried along.
        let normal = [out * x, out * y, up];
        let inward = through * up;
        let tangent = [
            -inward * x - p as f64 * distance * y,
            -inward * y + p as f64 * distance * x,
            through * out,
        ];
        let binormal = unit(cross(tangent, normal));
        rows.push(builder.row((0..grid.along).map(|around| {
            let [c, s] = turn(around, grid.along);
            [0, 1, 2].map(|k| center[k] + tube * (c * normal[k] + s * binormal[k]))
        }))?);
    }
    for step in 0..grid.across {
        builder.ring(&rows[step], &rows[(step + 1) % grid.across])?;
    }
    Ok(builder.finish())
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    v.map(|value| value / length)
}
